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
import { announceReport } from './publish.ts'
import { writeVersion } from './write.ts'

/**
 * Adds results to a report without a kit, in a new version; a published report stays published. Returns the version. The
 * caller has locked customer and report.
 */
export async function amendReport(
  tx: Tx,
  report: ReportRow & VersionContent,
  results: readonly NewResult[],
  reason: string,
): Promise<number> {
  const { id, customerId, entries: previous, labErrors, status } = report
  const customer = await customers.find(tx, String(customerId))
  const on = report.collectedDate ?? report.resultedDate ?? tx.now.toISOString()
  const subject = subjectOf(undefined, customer, on)
  const catalogue = await judging(tx)
  const { entries, axes } = judgeReport({ catalogue, panel: [], results, previous, labErrors, subject })
  const version = report.version + 1
  await writeVersion(tx, { ...report, version }, { entries, axes, labErrors, reason, origin: report.origin })
  await audit.record(tx, [{ action: 'report.amended', objectType: 'report', objectId: id, details: { version } }])
  if (status === 'published') {
    const difference = differenceOf(previous, entries)
    await announceReport(tx, { id, customerId, kitId: null, orderId: null, version, difference })
  }
  return version
}
