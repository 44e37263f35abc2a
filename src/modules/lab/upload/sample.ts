import { sentence } from '@kitlane/display/sentence'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import { unmatchedAs } from '@kitlane/lab-reader/identify/unmatched'
import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { withdrawsResults } from '@kitlane/lab-reader/parse/status'
import type { Tx } from '../../../platform/database/tx.ts'
import { lockReport } from '../../reports/queries.ts'
import { holdsReport } from '../../reports/unassessed/rules.ts'
import { amendReport } from '../../reports/versions/amend.ts'
import { matchWithdrawals } from '../../reports/versions/withdraw.ts'
import { type ReceivedRow, selectReceivedOfCustomer } from '../received/queries.ts'
import { lineKey, type ReceivedMessage } from '../received/rules.ts'
import { knownAs, messageOf, withTrustedTimes } from '../register/register.ts'
import { saidIn } from '../register/said-in.ts'
import { sortUnmatched } from '../register/sort-unmatched.ts'
import { type Registered, weigh } from '../register/weigh.ts'
import { unassessedOf } from '../unassessed.ts'

/** What is known of a message in a file: how the register keeps it, and whether it came before. */
export interface FileMessage extends ReturnType<typeof knownAs> {
  message?: ReceivedMessage
}

/** Only a message with a control ID can be known again: files without one are sent again on purpose. */
export const isMessage = ({ message }: ParsedReport): boolean => message?.controlID !== undefined

export function messageInFile(report: ParsedReport, before: readonly ReceivedRow[], place: number): FileMessage {
  if (!isMessage(report)) return {}
  const { accession, collectedDate } = report
  const named = messageOf(report, 'upload')
  const sample = accession && JSON.stringify([named.sender, accession, collectedDate?.slice(0, 10)])
  const message = { ...named, place, ...(sample && { sample }) }
  return { message, ...knownAs({ documents: before, statements: [] }, message) }
}

/** Whether a file takes back what an earlier file of the same sample said: it needs no result of its own. */
export async function takesBackEarlier(tx: Tx, customerId: number, reports: readonly ParsedReport[]): Promise<boolean> {
  const taking = reports.filter((one) => isMessage(one) && withdrawsResults(one))
  if (taking.length === 0) return false
  const before = await selectReceivedOfCustomer(tx, customerId)
  const samples = new Set(before.flatMap(({ message }) => message?.sample ?? []))
  return taking.some((one) => samples.has(messageInFile(one, [], 0).message?.sample ?? ''))
}

/** A message that contradicts one with the same control ID: a person sees all of it. */
export function asContradicted(report: IdentifiedReport, catalogue: readonly Biomarker[]): IdentifiedReport {
  const known = new Set(report.unmatched.map(lineKey))
  const rest = report.observations.filter((one) => !known.has(lineKey(one)))
  const unmatched = [
    ...report.unmatched,
    ...rest.map((one) => unmatchedAs(one, 'otherMessage', { suggestions: [], catalogue })),
  ]
  return { ...report, results: [], converted: [], unmatched }
}

/**
 * Puts a later message about a sample on the report that an earlier file made of it; undefined if there is none. The customer
 * is locked.
 */
export async function amendSample(
  tx: Tx,
  told: IdentifiedReport,
  {
    before,
    message,
    catalogue,
  }: { before: readonly ReceivedRow[]; message?: ReceivedMessage; catalogue: readonly Biomarker[] },
) {
  const sample = message?.sample
  const same = before.filter((one) => sample !== undefined && one.message?.sample === sample)
  const reportId = same.findLast((one) => one.kitId === null && one.reportId !== null)?.reportId
  const standing = reportId ? await lockReport(tx, reportId) : undefined
  if (!reportId || !standing || standing.status === 'rejected') return undefined
  const registered = same.flatMap(({ statements }, document) =>
    (statements ?? []).map((one): Registered => ({ ...one, document })),
  )
  const report = withTrustedTimes(told, tx.now)
  const weighed = weigh(registered, saidIn(report, told, catalogue), standing.entries)
  const { gone } = matchWithdrawals(standing.entries, weighed.gone)
  const isChange = weighed.results.length > 0 || gone.length > 0
  const reason =
    gone.length > 0 ? sentence('The laboratory withdrew a result') : sentence('The laboratory sent more of this sample')
  const sorted = sortUnmatched(told.unmatched, report.observations, weighed, catalogue)
  const isHeld = unassessedOf(sorted.open).some(holdsReport)
  if (isChange) await amendReport(tx, standing, { results: weighed.results, reason, withdrawals: gone, isHeld })
  const { version, status } = (isChange && (await lockReport(tx, reportId))) || standing
  return {
    id: reportId,
    version,
    status,
    isLate: !isChange,
    ...sorted,
  }
}
