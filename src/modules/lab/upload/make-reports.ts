import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import { keepUnassessed } from '../../reports/unassessed/service.ts'
import { reportFromData } from '../../reports/versions/from-data.ts'
import { type StoredFile, updatePayload } from '../data-queries.ts'
import type { IdentifiedReport } from '../identify/identify.ts'
import { unassessedOfFile } from '../identify/unassessed.ts'
import type { ParsedUpload } from '../parse/parse-in-child.ts'
import { insertReceived } from '../received/queries.ts'
import { lineCounts, receivedOf } from '../received/rules.ts'
import type { FileFindings } from '../schema.ts'

/** Makes a report of each part of a file that has results, and keeps what is no result for a person. */
export async function makeReports(
  tx: Tx,
  { dataId, customerId, date }: StoredFile,
  { format, notes, leftOut, reports: identified }: Omit<ParsedUpload, 'reports'> & { reports: IdentifiedReport[] },
): Promise<FileFindings> {
  const reports: FileFindings['reports'] = []
  const counts = { lines: 0, assessed: 0, waiting: 0, leftOut: 0 }
  for (const report of identified) {
    const { results, collectedDate = date, specimenErrors: labErrors } = report
    const unassessed = unassessedOfFile(report, collectedDate)
    const receivedId = newOpaqueId('rcv')
    let reportId: string | undefined
    if (results.length > 0) {
      const dates = { collectedDate, resultedDate: report.resultedDate ?? collectedDate }
      const about = { ...dates, labErrors, unassessed, receivedId, origin: report.origin }
      const id = await reportFromData(tx, { customerId, dataId, results, ...about })
      reportId = id
      reports.push({ id, collectedDate: datesAnswer(dates).collectedDate })
    } else await keepUnassessed(tx, { customerId, dataId, receivedId }, unassessed)
    const received = receivedOf(report, { waiting: unassessed.length, leftOut: report === identified[0] ? leftOut : 0 })
    await insertReceived(tx, { id: receivedId, customerId, dataId, reportId, format: format ?? 'file' }, received)
    for (const key of ['lines', 'assessed', 'waiting', 'leftOut'] as const) counts[key] += received[key]
  }
  const unmatched = identified.flatMap((report) => report.unmatched)
  await updatePayload(tx, dataId, { format, unmatched, notes })
  return {
    reports,
    lines: lineCounts(counts),
    totalBiomarkers: identified.reduce((sum, { results }) => sum + results.length, 0),
    unmatched: unmatched.map(({ name, reason }) => ({ name, reason })),
    converted: identified.flatMap(({ converted }) => converted),
    notes,
  }
}
