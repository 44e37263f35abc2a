import type { Tx } from '../../../platform/database/tx.ts'
import { lockKit } from '../../kits/move.ts'
import { readingOf } from '../judge/reading.ts'
import { selectEntries, selectReportOfKit } from '../queries.ts'
import type { BiomarkerEntry, WithdrawnResult } from '../schema.ts'

/** A result that was sent before and no longer holds. */
export interface Withdrawal {
  biomarkerId: string
  why: keyof typeof reasons
  /** The value that is taken back, where it is said, in `unit`, and as it was printed. */
  value?: number
  text?: string
  unit?: string
}

const reasons = {
  withdrawn: 'The laboratory took this result back because it was wrong.',
  notObtained: 'The laboratory could not obtain this result after all.',
  replaced: 'The laboratory replaced this result by a remark without a number.',
  unusable: 'The laboratory sent a new result in its place, which a person has to look at.',
} as const
const computedReason = 'It was computed from a result that was withdrawn.'

export interface StandingReport {
  reportId: string
  entries: readonly BiomarkerEntry[]
}

/** What the report of a kit says now; the kit stays locked. Undefined when it has none. */
export async function findStandingReport(tx: Tx, kitId: string): Promise<StandingReport | undefined> {
  await lockKit(tx, kitId)
  const report = await selectReportOfKit(tx, kitId)
  return report && { reportId: report.id, entries: await selectEntries(tx, report.id, report.version) }
}

/**
 * Those that a report shows. Where another value than the shown one is taken back, it cannot be told whether the shown
 * one is meant: the messages may have overtaken one another.
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

function isAnotherValue({ rawResult, rawValue, rawUnit }: BiomarkerEntry, { value, text, unit }: Withdrawal): boolean {
  const shown = rawValue ?? readingOf(rawResult)?.value
  if (value === undefined || shown === undefined) return false
  return (text !== rawResult && value !== shown) || (unit !== undefined && unit !== rawUnit)
}

/** What a version no longer shows: the withdrawn results, and what was computed from them. */
export function withdrawnResults(
  before: readonly BiomarkerEntry[],
  after: readonly BiomarkerEntry[],
  withdrawals: readonly Withdrawal[],
): WithdrawnResult[] {
  const left = new Set(after.map(({ id }) => id))
  const why = new Map(withdrawals.map((withdrawal) => [withdrawal.biomarkerId, reasons[withdrawal.why]]))
  if (why.size === 0) return []
  return before.flatMap(({ id, label }) =>
    left.has(id) ? [] : [{ biomarker: id, label, reason: why.get(id) ?? computedReason }],
  )
}
