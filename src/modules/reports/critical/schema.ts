import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import {
  anyOfOr,
  anyOfTexts,
  dayOf,
  email,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../../platform/http/fields.ts'
import { customerIdFilter } from '../../customers/schema.ts'

export const OnCallContact = z.object({
  email: email.describe('Gets an e-mail that a critical result waits, never what it is.'),
  name: text(100).describe('A person, or a duty such as "Doctor on duty".'),
  minutes: z.int().min(5).max(1440).describe('Minutes to acknowledge, before the next contact is notified.'),
})
export type OnCallContact = z.infer<typeof OnCallContact>

export const OnCallList = z
  .object({
    contacts: z
      .array(OnCallContact)
      .max(10)
      .describe(
        'Notified one after the other, the last again until somebody acknowledges. Empty: `contactEmail` of the settings. In live the operator may add an address.',
      ),
  })
  .meta({ id: 'OnCallList' })

const critical = {
  id: z.string(),
  customerID: z.int(),
  kitID: z.string().optional(),
  reportID: z.string().optional().describe('Absent where nothing that came with it could be assessed.'),
  name: z.string(),
  value: z.string().describe('As the laboratory gave it.'),
  unit: z.string(),
  why: said.describe('Why it is critical, in words.'),
  state: z
    .enum(['open', 'acknowledged', 'withdrawn'])
    .describe('withdrawn: the laboratory took it back or corrected it.'),
  raisedDate: timestamp,
  deadlineDate: timestamp.describe('When the first contact should have acknowledged it.'),
  notified: z
    .array(z.object({ step: z.int(), person: z.string().describe('Name and e-mail address.'), at: timestamp }))
    .describe('Who was notified, and when.'),
  acknowledged: z
    .object({
      who: z.string(),
      by: z.string().describe('The account or token that entered it.'),
      at: timestamp,
      readBack: z.string().describe('What was read back.'),
      note: z.string().optional(),
      inTime: z.boolean(),
    })
    .optional(),
}
export const CriticalAnswer = z
  .object({ ...critical, customerName: z.string().optional().describe('Needs `customers:read`.') })
  .meta({ id: 'CriticalResult' })
export type CriticalAnswer = z.input<typeof CriticalAnswer>
const OperatorCriticalAnswer = z.object({ ...critical, business: businessName }).meta({ id: 'OperatorCriticalResult' })

export const CriticalQuery = z.object({
  ...paging(50, 250),
  state: anyOfOr(['open', 'all'], 'open').describe('`open`: nobody has acknowledged it. `all`: every one.'),
  reportID: anyOfTexts(50).describe('Of these reports, by comma.'),
  kitID: anyOfTexts(50).describe('Of these kits, by comma.'),
  customerID: customerIdFilter.optional(),
})
export type CriticalFilter = z.infer<typeof CriticalQuery>

export const CriticalPage = z
  .object({ data: z.array(CriticalAnswer), pagination: Pagination })
  .meta({ id: 'CriticalPage' })
export const OperatorCriticalPage = z
  .object({ data: z.array(OperatorCriticalAnswer), pagination: Pagination })
  .meta({ id: 'OperatorCriticalPage' })

export const criticalParams = z.object({ criticalID: text(64) })

export const Acknowledgement = z
  .object({
    readBack: text(300).describe('The value as it was read back: all of it, or its last two digits or more.'),
    who: text(200).describe('Who acknowledges: the person who takes care of it.'),
    note: text(300).optional().describe('What is done about it.'),
  })
  .meta({ id: 'AcknowledgeCritical' })
export type Acknowledgement = z.infer<typeof Acknowledgement>

export const Acknowledged = z.object({
  id: z.string(),
  state: z.literal('acknowledged').describe('It no longer waits.'),
  open: z.int().describe('How many results of the same report still wait.'),
})

/** From and to: days, UTC, both included. */
export const FiguresQuery = z.object({
  from: dayOf.optional().describe('The first day, UTC, as a date or a timestamp; default: 30 days ago.'),
  to: dayOf.optional().describe('The last day, UTC, as a date or a timestamp; default: today.'),
})

const figures = {
  raised: z.int().describe('Raised in these days, without those that the laboratory took back.'),
  acknowledged: z.int(),
  open: z.int(),
  overdue: z.int().describe('Open and past the deadline.'),
  medianMinutes: z.number().optional().describe('From raising to acknowledgement; absent without one.'),
  longestMinutes: z.number().optional(),
  inTime: z.int().describe('Acknowledged before the deadline.'),
  shareInTime: z.number().optional().describe('Of those acknowledged or overdue, 0 to 1; absent without one.'),
}
export const CriticalFigures = z
  .object({ from: z.iso.date(), to: z.iso.date(), ...figures })
  .meta({ id: 'CriticalFigures' })
export const OperatorCriticalFigures = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    businesses: z.array(z.object({ business: businessName, ...figures })),
  })
  .meta({ id: 'OperatorCriticalFigures' })
const Figures = z.object(figures)
export type Figures = z.infer<typeof Figures>
