import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import * as customers from '../../customers/service.ts'
import { judgeReport } from '../judge/judge.ts'
import type { NewResult } from '../judge/new-result.ts'
import { subjectOf } from '../judge/subject.ts'
import type { ReportRow } from '../queries.ts'
import { differenceOf } from '../rules.ts'
import type { VersionContent } from '../sealed-queries.ts'
import { announceReport, announceWithdrawal } from './publish.ts'
import { type Withdrawal, withdrawnResults } from './withdraw.ts'
import { writeVersion } from './write.ts'

/**
 * Adds results to a report without a kit, or takes withdrawn ones off it, in a new version; a published report stays
 * published. Returns the version. The caller has locked customer and report.
 */
export async function amendReport(
  tx: Tx,
  report: ReportRow & VersionContent,
  results: readonly NewResult[],
  reason: string,
  withdrawals: readonly Withdrawal[] = [],
): Promise<number> {
  const { id, customerId, entries: previous, labErrors, status } = report
  const customer = await customers.find(tx, String(customerId))
  const on = report.collectedDate ?? report.resultedDate ?? tx.now.toISOString()
  const subject = subjectOf(undefined, customer, on)
  const catalogue = await judging(tx)
  const gone = withdrawals.map(({ biomarkerId }) => biomarkerId)
  const { entries, axes } = judgeReport({
    ...{ catalogue, panel: [], results, withdrawn: gone, previous, labErrors, subject },
  })
  const version = report.version + 1
  const withdrawn = withdrawnResults(previous, entries, withdrawals)
  await writeVersion(tx, { ...report, version }, { entries, axes, labErrors, withdrawn, reason, origin: report.origin })
  await audit.record(tx, [{ action: 'report.amended', objectType: 'report', objectId: id, details: { version } }])
  const announced = { id, customerId, kitId: null, orderId: null, version }
  if (withdrawn.length > 0) await announceWithdrawal(tx, { ...announced, status }, withdrawn)
  if (status === 'published') {
    await announceReport(tx, { ...announced, difference: differenceOf(previous, entries, withdrawn) })
  }
  return version
}
