import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import { anyOfOr, anyText, Pagination, paging, text, timestamp } from '../../../platform/http/fields.ts'
import { customerNumber } from '../../customers/schema.ts'
import type { HoldRow, RunRow, TermsRow } from './queries.ts'
import { AUDIT_DAYS, agedKinds, type Count, retainedKinds, termsOf } from './rules.ts'

const days = z.int().min(0).max(36_500)
const business = businessName

const terms = {
  laboratoryDays: days.describe('Reports, results and files of laboratories. 731 unless changed.'),
  requisitionDays: days.describe('Recipients of orders, registrations of kits, consents. 1096 unless changed.'),
  correspondenceDays: days.describe(
    "E-mails and carriers' messages. 366 unless changed. An erasure deletes them at once.",
  ),
  byAge: z
    .boolean()
    .describe('Also end records of people who were not erased. false unless changed: turn it on deliberately.'),
}

const auditDays = z.int().describe('For at least so long. The program has no right to delete an entry of the audit.')

const Counted = z.object({
  kind: z.enum([...new Set([...retainedKinds, ...agedKinds])]),
  of: z
    .enum(['erased', 'live'])
    .describe('erased: records kept of erased people. live: of people who were not erased.'),
  due: z.int(),
  purged: z.int(),
  held: z.int().describe('Held back by a legal hold.'),
  awaitingReport: z.int().describe('Held back since a report of the same kit is still kept.'),
})

const RetentionRun = z.object({
  id: z.string(),
  by: z.string(),
  startedDate: timestamp,
  finishedDate: timestamp.optional().describe('Absent: it runs, or was interrupted. The next run goes on.'),
  counts: z.array(Counted),
})

export const Retention = z
  .object({
    defaults: z.object(terms),
    auditDays,
    businesses: z
      .array(z.object({ business, ...terms }))
      .describe('Those with terms of their own, with the terms that hold there.'),
    kept: z
      .array(z.object({ kind: z.enum(retainedKinds), people: z.int(), records: z.int() }))
      .describe('What is kept sealed of people who were erased.'),
    runs: z.array(RetentionRun).describe('The last 30, newest first.'),
  })
  .meta({ id: 'Retention' })

export const ChangeRetention = z.object({
  businessID: anyText(200).optional().describe('Absent: the default of all businesses.'),
  laboratoryDays: terms.laboratoryDays.nullable().optional(),
  requisitionDays: terms.requisitionDays.nullable().optional(),
  correspondenceDays: terms.correspondenceDays.nullable().optional(),
  byAge: terms.byAge.nullable().optional(),
})

export const RetentionTerms = z.object(terms).meta({ id: 'RetentionTerms' })

export const RetentionOfBusiness = z.object({ ...terms, auditDays }).meta({ id: 'RetentionOfBusiness' })

export const reason = text(500).min(10).describe('Why, in 10 to 500 characters. The business reads it. No names.')

export const LegalHold = z
  .object({
    id: z.string(),
    business,
    customerID: customerNumber.optional().describe('Absent: the whole business.'),
    reason: z.string(),
    setBy: z.string(),
    setDate: timestamp,
    liftReason: z.string().optional(),
    liftedBy: z.string().optional(),
    liftedDate: timestamp.optional(),
  })
  .meta({ id: 'LegalHold' })

export const LegalHoldPage = z.object({ data: z.array(LegalHold), pagination: Pagination })
export const LegalHoldsQuery = z.object({
  ...paging(50, 250),
  state: anyOfOr(['standing', 'all'], 'standing'),
})
export const NewLegalHold = z.object({
  businessID: anyText(200),
  customerID: anyText(255)
    .min(1)
    .optional()
    .describe('The number of the customer, or its external_id. Absent: the whole business.'),
  reason,
})

export function shownHold(hold: HoldRow): z.infer<typeof LegalHold> {
  const { id, realm, businessName, customerId, reason, setBy, setAt, liftReason, liftedBy, liftedAt } = hold
  return {
    id,
    business: { id: realm.businessId, name: businessName },
    reason,
    setBy,
    setDate: setAt.toISOString(),
    ...(customerId !== null && { customerID: customerId }),
    ...(liftReason !== null && { liftReason }),
    ...(liftedBy !== null && { liftedBy }),
    ...(liftedAt && { liftedDate: liftedAt.toISOString() }),
  }
}

export interface RetentionState {
  terms: (TermsRow & { businessName: string | null })[]
  kept: { kind: (typeof retainedKinds)[number]; people: number; records: number }[]
  runs: RunRow[]
}

export function shownRetention({ terms: rows, kept, runs }: RetentionState): z.infer<typeof Retention> {
  const defaults = rows.find(({ businessId }) => businessId === null)
  return {
    defaults: termsOf(defaults),
    auditDays: AUDIT_DAYS,
    businesses: rows.flatMap((row) =>
      row.businessId === null
        ? []
        : [{ business: { id: row.businessId, name: row.businessName ?? '' }, ...termsOf(row, defaults) }],
    ),
    kept,
    runs: runs.map(({ id, by, startedAt, finishedAt, counts }) => ({
      id,
      by,
      startedDate: startedAt.toISOString(),
      counts: counts as Count[],
      ...(finishedAt && { finishedDate: finishedAt.toISOString() }),
    })),
  }
}
