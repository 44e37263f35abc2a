import type { Sentence } from '@kitlane/display/sentence'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import * as customers from '../../customers/service.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { markAwaits, type StandingReport } from '../queries.ts'
import { differenceOf } from '../rules.ts'
import type { BiomarkerEntry } from '../schema.ts'
import {
  doubtsSample,
  holdingChecks,
  mustBeRead,
  publishesItself,
  replacedWithoutWord,
  unreadReplaced,
} from './holding.ts'
import { announceReport, announceWithdrawal } from './publish.ts'
import { type Withdrawal, withdrawnResults } from './withdraw.ts'
import { writeVersion } from './write.ts'

interface Amendment {
  results: readonly NewResult[]
  reason: Sentence
  /** A person gave the reason: what they change is read. */
  isByPerson?: boolean
  withdrawals?: readonly Withdrawal[]
  /** Something came with it that a person must see first. */
  isHeld?: boolean
}

/** Of results that came in files, of which a laboratory sends the final ones later. */
export const vendorStatusOf = (entries: readonly BiomarkerEntry[]): 'partial' | 'final' =>
  entries.some(({ preliminary }) => preliminary) ? 'partial' : 'final'

/**
 * Adds results to a report without a kit, or takes withdrawn ones off it, in a new version. A published report stays
 * published, unless a person has to read the new version first, as in `receiveResults`. Returns the version. The caller has
 * locked customer and report.
 */
export async function amendReport(
  tx: Tx,
  report: StandingReport,
  { results, reason, isByPerson = false, withdrawals = [], isHeld = false }: Amendment,
): Promise<number> {
  const { id, customerId, entries: previous, labErrors, origin, collectedDate, resultedDate } = report
  const customer = await customers.find(tx, String(customerId))
  const on = collectedDate ?? resultedDate ?? tx.now.toISOString()
  const subject = subjectOf(undefined, customer, on)
  const catalogue = await judging(tx)
  const gone = withdrawals.map(({ biomarkerId }) => biomarkerId)
  const { entries, axes } = judgeReport({
    catalogue,
    panel: [],
    results,
    withdrawn: gone,
    previous,
    labErrors,
    subject,
  })
  const version = report.version + 1
  const withdrawn = withdrawnResults(previous, entries, withdrawals)
  const replaced = replacedWithoutWord(previous, entries, { results, ...(isByPerson && { reason }) })
  const holding = await holdingChecks(tx, {
    reportId: id,
    customer,
    entries,
    catalogue,
    labErrors,
    origin,
    collectedDate,
    resultedDate,
    replaced,
    isAlone: !report.awaitsAcknowledgement && report.status !== 'published',
  })
  const isRejected = report.status === 'rejected'
  const status =
    isRejected || (isHeld && results.length > 0) || mustBeRead(previous, entries, { holding, results })
      ? 'inReview'
      : report.status
  const doubted = unreadReplaced(report, entries, replaced)
  const takenBack = doubtsSample(holding) ? 'all' : gone
  const content = {
    entries,
    axes,
    labErrors,
    withdrawn,
    reason,
    origin,
    ...doubted,
    before: report,
    takenBack,
  } as const
  const vendorStatus = report.vendorStatus === 'corrected' ? 'corrected' : vendorStatusOf(entries)
  const hidden = await writeVersion(tx, { ...report, vendorStatus, version, status }, content)
  const isAuto = report.awaitsAcknowledgement
  const own = publishesItself(previous, entries, { isAuto, holds: isHeld || holding.length > 0 })
  if (own.onceAcknowledged) await markAwaits(tx, id, 'acknowledgement')
  await audit.record(tx, [{ action: 'report.amended', objectType: 'report', objectId: id, details: { version } }])
  const announced = { id, customerId, kitId: null, orderId: null, version }
  await announceWithdrawal(tx, { ...announced, status }, withdrawn, hidden)
  if (status === 'published') {
    await announceReport(tx, { ...announced, difference: differenceOf(previous, entries, withdrawn) })
  }
  return version
}
