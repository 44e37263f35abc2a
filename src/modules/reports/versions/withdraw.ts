import { type Sentence, sentence } from '@kitlane/display/sentence'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import { isOtherSpecimen } from '@kitlane/lab-reader/facts/specimens'
import type { Specimen } from '@kitlane/lab-reader/parse/origin'
import type { Tx } from '../../../platform/database/tx.ts'
import { lockKit } from '../../kits/move.ts'
import { selectReportOfKit } from '../queries.ts'
import type { BiomarkerEntry, WithdrawnResult } from '../schema.ts'
import { selectUnassessed } from '../unassessed/queries.ts'
import type { ReportedUnassessed } from '../unassessed/schema.ts'

/** A result that was sent before and is no longer valid. */
export interface Withdrawal {
  biomarkerId: string
  why: keyof typeof reasons
  /** The withdrawn value, if the laboratory gives it, in `unit`, and as it was printed. */
  value?: number
  text?: string
  unit?: string
  specimen?: Specimen
}

const reasons = {
  withdrawn: sentence('The laboratory took this result back because it was wrong.'),
  notObtained: sentence('The laboratory could not obtain this result after all.'),
  replaced: sentence('The laboratory replaced this result by a remark without a number.'),
  unusable: sentence('The laboratory sent a new result in its place, which a person has to look at.'),
} as const
const computedReason = sentence('It was computed from a result that was withdrawn.')

export interface StandingReport {
  reportId: string
  entries: readonly BiomarkerEntry[]
  /** What could not be judged and can be read in it. */
  unjudged: readonly ReportedUnassessed[]
}

/** What the report of a kit says now; undefined without a report. The kit stays locked. */
export async function findStandingReport(tx: Tx, kitId: string): Promise<StandingReport | undefined> {
  await lockKit(tx, kitId)
  const report = await selectReportOfKit(tx, kitId)
  if (!report) return undefined
  const { id, entries, readable } = report
  return { reportId: id, entries, unjudged: readable === null ? [] : await selectUnassessed(tx, id, readable) }
}

/** What a report says as not judged and a laboratory takes back or corrects, as a result that a version withdraws. */
export const withdrawnUnjudged = (
  unjudged: readonly (ReportedUnassessed & { isTakenBack: boolean })[],
): (WithdrawnResult & { reason: Sentence })[] =>
  unjudged.map(({ id, name, isTakenBack }) => ({
    biomarker: id,
    label: name,
    reason: reasons[isTakenBack ? 'withdrawn' : 'unusable'],
  }))

/**
 * The withdrawals of results that a report shows. One that names another value or sample than the one shown is doubtful: the
 * messages may have overtaken one another.
 */
export function matchWithdrawals<W extends Withdrawal>(entries: readonly BiomarkerEntry[], withdrawals: readonly W[]) {
  const gone: W[] = []
  const doubtful: W[] = []
  for (const withdrawal of withdrawals) {
    const entry = entries.find(({ id, type }) => id === withdrawal.biomarkerId && type === 'measured')
    if (entry) (isAnotherValue(entry, withdrawal) ? doubtful : gone).push(withdrawal)
  }
  return { gone, doubtful }
}

function isAnotherValue(entry: BiomarkerEntry, { value, text, unit, specimen }: Withdrawal): boolean {
  const { rawResult, rawValue, rawUnit, sent } = entry
  if (isOtherSpecimen(sent?.specimen, specimen)) return true
  const shown = rawValue ?? readingOf(rawResult)?.value
  if (value === undefined || shown === undefined) return false
  return (text !== rawResult && value !== shown) || (unit !== undefined && unit !== rawUnit)
}

/** The results that a version no longer shows: withdrawn ones, and those computed from them. */
export function withdrawnResults(
  before: readonly BiomarkerEntry[],
  after: readonly BiomarkerEntry[],
  withdrawals: readonly Withdrawal[],
): (WithdrawnResult & { reason: Sentence })[] {
  const left = new Set(after.map(({ id }) => id))
  const why = new Map(withdrawals.map((withdrawal) => [withdrawal.biomarkerId, reasons[withdrawal.why]]))
  if (why.size === 0) return []
  return before.flatMap(({ id, label }) =>
    left.has(id) ? [] : [{ biomarker: id, label, reason: why.get(id) ?? computedReason }],
  )
}
