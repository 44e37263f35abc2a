import { z } from 'zod'
import { Address, RecipientAddress } from '../../modules/orders/address-schema.ts'
import { flags, kitLines, Quote, Recipient } from '../../modules/orders/schema.ts'
import { dayOf, timestamp } from '../../platform/http/fields.ts'

const every = z
  .union(
    [
      z.strictObject({ weeks: z.int().min(1).max(260).describe('1 to 260.') }),
      z.strictObject({ months: z.int().min(1).max(60).describe('Of the calendar, 1 to 60.') }),
    ],
    { error: 'Send { "weeks": 1 to 260 } or { "months": 1 to 60 }' },
  )
  .describe('So many weeks, or months of the calendar: the 31st is the last day of a shorter month.')

const { purchase_with_attached_payment, paymentMethod, isNotifyReceiver, externalID, externalTags } = flags
const times = z.int().min(1).max(1000)

export const CreatePlan = z.object({
  recipient: Recipient,
  kit_types: kitLines,
  every,
  firstDate: dayOf.describe('When the first order is placed, at 06:00 UTC: from today on, within two years.'),
  times: times.optional().describe('How many orders it places. Absent: until it is ended.'),
  purchase_with_attached_payment,
  paymentMethod,
  isNotifyReceiver,
  externalID,
  externalTags,
})
export type CreatePlan = z.infer<typeof CreatePlan>

export const ChangePlan = z.object({
  recipient: Recipient.optional().describe('In place of the recipient so far, address included.'),
  address: Address.optional().describe('Where the recipient lives now.'),
  kit_types: kitLines.optional().describe('In place of the kits so far.'),
  every: every.optional().describe('How often from the next date on.'),
  nextDate: dayOf.optional().describe('The next date; those after it are counted from it.'),
})
export type ChangePlan = z.infer<typeof ChangePlan>

export const planStatuses = ['active', 'paused', 'ended'] as const
export const endings = ['completed', 'stopped', 'erased'] as const
export const skipReasons = ['requested', 'missed', 'paused', 'failed'] as const
export const occurrenceStatuses = ['placing', 'placed', 'failed', 'skipped'] as const

export const Plan = z
  .object({
    planID: z.string(),
    status: z.enum(planStatuses),
    endedBy: z
      .enum(endings)
      .optional()
      .describe('completed: it placed all its orders. stopped: it was ended. erased: its recipient was erased.'),
    createdDate: timestamp,
    every,
    nextDate: z.iso.date().optional().describe('The next order; absent once the plan has ended.'),
    retryDate: timestamp
      .optional()
      .describe('When the order of the next date, which could not be placed, is tried again.'),
    times: z.int().optional().describe('How many orders it places; absent: until it is ended.'),
    placed: z.int().describe('How many orders it has placed.'),
    items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
    recipientEmail: z.string().optional().describe('The recipient fields are absent once the person was erased.'),
    recipientFirstName: z.string().optional(),
    recipientLastName: z.string().optional(),
    recipientName: z.string().optional(),
    recipientPhone: z.string().optional(),
    recipientAddress: RecipientAddress.optional(),
    paymentMethod: z.string().optional(),
    purchase_with_attached_payment: z.boolean().optional(),
    isNotifyReceiver: z.boolean(),
    externalID: z.string().optional(),
    externalTags: z.array(z.string()),
  })
  .meta({ id: 'Plan' })
export type Plan = z.infer<typeof Plan>

export const PlanDetail = Plan.extend({
  upcomingDates: z.array(z.iso.date()).describe('The next dates, at most five.'),
  occurrences: z
    .array(
      z.object({
        date: z.iso.date(),
        status: z
          .enum(occurrenceStatuses)
          .describe('placing: its card is being charged. failed: it is tried again daily, for seven days.'),
        orderId: z.string().optional(),
        code: z.string().optional().describe('Why it could not be placed, the last time.'),
        reason: z
          .enum(skipReasons)
          .optional()
          .describe(
            'Why it was skipped. missed: a later date was due as well, when the service ran again. failed: seven more days did not help; `code` says why.',
          ),
        attempts: z.int().describe('How often placing it was tried.'),
        changedDate: timestamp,
      }),
    )
    .describe('The dates that are past, newest first, and the one that is tried again.'),
}).meta({ id: 'PlanDetail' })
export type PlanDetail = z.infer<typeof PlanDetail>

export const PlanQuote = z
  .object({
    upcomingDates: z.array(z.iso.date()).describe('The first dates, at most five.'),
    order: Quote.describe('What each order costs, and what placing it now would do.'),
  })
  .meta({ id: 'PlanQuote' })
