import { z } from 'zod'
import { anyOfTexts, dateOrTimestamp, said, timestamp } from '../../../platform/http/fields.ts'

/** How orders are put together by when they were placed. */
export const cohorts = ['week', 'month'] as const
export type CohortUnit = (typeof cohorts)[number]

/** How kits may be grouped. The laboratory of a result is sealed, and kits have no lots: neither is among them. */
const groupings = ['panel', 'carrier'] as const
export const operatorGroupings = [...groupings, 'business'] as const
export type Grouping = (typeof operatorGroupings)[number]

const range = {
  from: dateOrTimestamp
    .optional()
    .describe('The first day of ordering, UTC; of a timestamp its day. Absent: 90 days before `to`.'),
  to: dateOrTimestamp
    .optional()
    .describe('The last day, which counts too. Absent: today. At most 400 days after `from`.'),
  panel: anyOfTexts(50).describe('Only kits of these types, by comma.'),
}
const ofBusiness = { businessID: anyOfTexts(50).describe('Only these businesses, by comma. Absent: all.') }
const per = z.enum(cohorts).default('week').describe('Weeks begin on Monday.')

const BY = 'What to tell kits apart by; absent: only by time.'

export const RangeQuery = z.object(range)
export const OperatorRangeQuery = RangeQuery.extend(ofBusiness)
export const FunnelQuery = z.object({ ...range, per, by: z.enum(groupings).optional().describe(BY) })
export const OperatorFunnelQuery = z.object({
  ...range,
  ...ofBusiness,
  per,
  by: z.enum(operatorGroupings).optional().describe(BY),
})
export type NumbersRange = z.infer<typeof OperatorRangeQuery>
export type FunnelRange = z.infer<typeof OperatorFunnelQuery>

const days = {
  from: z.iso.date().describe('The first day of ordering, UTC.'),
  to: z.iso.date().describe('The last day.'),
}

const daysOfKits = {
  ...days,
  countedAt: timestamp.describe(
    'What changed until then is in the numbers. Up to 300 kits are read for each answer; of more, a job counts all every six hours, and changed days every five minutes.',
  ),
}

const counts = {
  ordered: z.int().describe('Kits of orders that were placed then, replacements too.'),
  delivered: z.int().describe('The box arrived.'),
  registered: z.int().describe('Somebody registered it.'),
  returned: z.int().describe('The sample was handed to a carrier.'),
  received: z.int().describe('The sample is in the laboratory.'),
  reported: z.int().describe('The report was published.'),
  rejected: z.int().describe('The sample was rejected.'),
  failed: z.int().describe('Lost on the way, sample not taken, or registration in doubt: what stands so now.'),
  canceled: z.int().describe('Canceled before it was sent.'),
  unregistered: z
    .int()
    .describe('A later step of theirs was recorded, but nobody registered them: they are not in `registered`.'),
  inferred: z
    .object({
      delivered: z.int().describe('Of `delivered`.'),
      returned: z.int().describe('Of `returned`.'),
      received: z.int().describe('Of `received`.'),
    })
    .describe(
      'How many of these counts nobody recorded: a later step says that they happened. The others were recorded.',
    ),
}
const share = z.number().describe('A share of the ordered kits, 0 to 1, to four places.')
const shares = z
  .object({ delivered: share, registered: share, returned: share, received: share, reported: share })
  .describe('What share of the ordered kits has come to each step.')

export const FunnelRow = z
  .object({
    cohort: z.iso.date().describe('The first day of the week or month of ordering.'),
    key: z
      .string()
      .optional()
      .describe('Kit type, carrier or business; absent without `by`, and before a carrier is known.'),
    name: z.string().optional().describe('What people call it; absent without `by`.'),
    ...counts,
    shares,
  })
  .meta({ id: 'FunnelRow' })
export type FunnelRow = z.infer<typeof FunnelRow>

export const FunnelTotal = z.object({ ...counts, shares }).meta({ id: 'FunnelTotal' })
export type FunnelTotal = z.infer<typeof FunnelTotal>

export const Funnel = z
  .object({
    ...daysOfKits,
    rows: z
      .array(FunnelRow)
      .describe('By time of ordering, the oldest first, and then by name. What has no kits is left out.'),
    total: FunnelTotal.describe('All rows together.'),
  })
  .meta({ id: 'Funnel' })
export type Funnel = z.infer<typeof Funnel>

export const legs = [
  'orderedToShipped',
  'shippedToDelivered',
  'deliveredToRegistered',
  'registeredToReturned',
  'registeredToReceived',
  'receivedToReported',
  'orderedToReported',
] as const
export type Leg = (typeof legs)[number]

const hours = z.number().nullable()

export const TurnaroundLeg = z
  .object({
    leg: z.enum(legs).describe('From which step to which.'),
    kits: z.int().describe('How many kits the figures are made of: those whose two steps were both recorded.'),
    p50Hours: hours.describe('Half of them took no longer, in hours; null below 5 kits.'),
    p95Hours: hours.describe('Nineteen of twenty took no longer, in hours; null below 5 kits.'),
    why: z.literal('tooFew').optional().describe('Why there is no figure: fewer than 5 kits.'),
  })
  .meta({ id: 'TurnaroundLeg' })
export type TurnaroundLeg = z.infer<typeof TurnaroundLeg>

export const Turnaround = z
  .object({
    ...daysOfKits,
    legs: z.array(TurnaroundLeg).describe('Every leg, in the order of a kit’s life; the last is the whole.'),
  })
  .meta({ id: 'Turnaround' })
export type Turnaround = z.infer<typeof Turnaround>

export const RejectionReason = z
  .object({
    reason: z.string().nullable().describe('As it was said; null: none was said, or it was said of fewer than 5 kits.'),
    kits: z.int().describe('How many.'),
    share: z.number().describe('Of the received samples, 0 to 1, to four places.'),
  })
  .meta({ id: 'RejectionReason' })
export type RejectionReason = z.infer<typeof RejectionReason>

export const Rejections = z
  .object({
    ...daysOfKits,
    received: z.int().describe('Samples that came to the laboratory.'),
    rejected: z.int().describe('Those of them that were rejected.'),
    share: z.number().nullable().describe('The same as a share, 0 to 1; null if none was received.'),
    reasons: z.array(RejectionReason).describe('The most frequent first.'),
    more: z.literal(true).optional().describe('The reasons of the newest 2,000 rejected kits only.'),
  })
  .meta({ id: 'Rejections' })
export type Rejections = z.infer<typeof Rejections>

export const CreditUse = z
  .object({
    week: z.iso.date().describe('Its Monday.'),
    type: z.string().describe('Kit type.'),
    used: z.int().describe('Credits spent on orders, less those given back.'),
  })
  .meta({ id: 'CreditUse' })
export type CreditUse = z.infer<typeof CreditUse>

export const PromiseRow = z
  .object({
    type: z.string().describe('Kit type.'),
    name: z.string().describe('The name of the panel.'),
    promised: z.int().describe('Samples that came while something was promised; rejected ones are left out.'),
    kept: z.int().describe('Their report was published in time.'),
    late: z.int().describe('It was published later.'),
    overdue: z.int().describe('It should have been published by now, and is not.'),
    open: z.int().describe('There is time left.'),
    keptShare: z.number().nullable().describe('Of those whose time is over, 0 to 1, to four places; null below 5.'),
  })
  .meta({ id: 'PromiseRow' })
export type PromiseRow = z.infer<typeof PromiseRow>

export const Promises = z
  .object({
    ...daysOfKits,
    rows: z.array(PromiseRow).describe('By the name of the panel; those of which nothing was promised are left out.'),
  })
  .meta({ id: 'Promises' })
export type Promises = z.infer<typeof Promises>

const CreditForecast = z
  .object({
    businessID: z.string().optional().describe('For the operator.'),
    business: z.string().optional().describe('Its name; for the operator.'),
    type: z.string().describe('Kit type.'),
    name: z.string().describe('The name of the panel.'),
    available: z.int().describe('Credits that can be spent now.'),
    usedIn28Days: z.int().describe('Spent in the last 28 days, less what was given back.'),
    daysLeft: z
      .int()
      .nullable()
      .describe('Whole days until zero at the mean of the last 28 days; null if none were used.'),
    words: said.describe('The forecast as a sentence, with what it rests on.'),
  })
  .meta({ id: 'CreditForecast' })

export const CreditsUsed = z
  .object({
    ...days,
    weeks: z.array(CreditUse).describe('The oldest first.'),
    forecasts: z.array(CreditForecast).describe('One for each balance: what runs out first, then what was not used.'),
    more: z.literal(true).optional().describe('The first 1,000 forecasts only.'),
  })
  .meta({ id: 'CreditsUsed' })
export type CreditsUsed = z.input<typeof CreditsUsed>
