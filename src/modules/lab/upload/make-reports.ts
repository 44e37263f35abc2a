import type { Tx } from '../../../platform/database/tx.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import { keepUnassessed } from '../../reports/unassessed/service.ts'
import { reportFromData } from '../../reports/versions/from-data.ts'
import { type StoredFile, updatePayload } from '../data-queries.ts'
import type { IdentifiedReport } from '../identify/identify.ts'
import { unassessedOf } from '../identify/unassessed.ts'
import type { ParsedUpload } from '../parse/parse-in-child.ts'
import type { FileFindings } from '../schema.ts'

/** Makes a report of each part of a file that has results, and keeps what is no result for a person. */
export async function makeReports(
  tx: Tx,
  { dataId, customerId, date }: StoredFile,
  { format, notes, reports: identified }: Omit<ParsedUpload, 'reports'> & { reports: IdentifiedReport[] },
): Promise<FileFindings> {
  const reports: FileFindings['reports'] = []
  for (const { results, unmatched, collectedDate = date, specimenErrors: labErrors, ...report } of identified) {
    const unassessed = unassessedOf(unmatched)
    if (results.length > 0) {
      const dates = { collectedDate, resultedDate: report.resultedDate ?? collectedDate }
      const id = await reportFromData(tx, { customerId, dataId, results, ...dates, labErrors, unassessed })
      reports.push({ id, collectedDate: datesAnswer(dates).collectedDate })
    } else await keepUnassessed(tx, { customerId, dataId }, unassessed)
  }
  const unmatched = identified.flatMap((report) => report.unmatched)
  await updatePayload(tx, dataId, { format, unmatched, notes })
  return {
    reports,
    totalBiomarkers: identified.reduce((sum, { results }) => sum + results.length, 0),
    unmatched: unmatched.map(({ name, reason }) => ({ name, reason })),
    converted: identified.flatMap(({ converted }) => converted),
    notes,
  }
}
