import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import type { Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import { timesOf } from '../../reports/origin/rules.ts'
import { keepUnassessed } from '../../reports/unassessed/service.ts'
import { reportFromData } from '../../reports/versions/from-data.ts'
import { type StoredFile, updatePayload } from '../data-queries.ts'
import { CAME_BEFORE } from '../messages/queue.ts'
import type { ParsedUpload } from '../parse-in-child.ts'
import { insertReceived, selectReceivedOfCustomer } from '../received/queries.ts'
import { lineCounts, receivedOf } from '../received/rules.ts'
import { saidIn } from '../register/said-in.ts'
import type { FileFindings } from '../schema.ts'
import { unassessedOfFile } from '../unassessed.ts'
import { amendSample, asContradicted, isMessage, messageInFile } from './sample.ts'

/** Makes a report of each part of a file that has results, and keeps what is no result for a person. */
export async function makeReports(
  tx: Tx,
  { dataId, customerId, date }: StoredFile,
  { format, notes, leftOut, reports: identified }: Omit<ParsedUpload, 'reports'> & { reports: IdentifiedReport[] },
): Promise<FileFindings> {
  const reports: FileFindings['reports'] = []
  const counts = { lines: 0, assessed: 0, waiting: 0, leftOut: 0 }
  const said = { notes: [...notes], unmatched: [] as Unmatched[] }
  const catalogue = await biomarkers(tx)
  const before = identified.some(isMessage) ? await selectReceivedOfCustomer(tx, customerId) : []
  for (const [index, told] of identified.entries()) {
    const { message, repeated, isContradicted } = messageInFile(told, before, before.length + index)
    const { collectedDate = date, resultedDate = collectedDate } = timesOf(told)
    const dates = { collectedDate, resultedDate }
    const answer = (id: string) =>
      reports.some((one) => one.id === id) || reports.push({ id, collectedDate: datesAnswer(dates).collectedDate })
    if (repeated) {
      said.notes.push(CAME_BEFORE)
      if (repeated.reportId) answer(repeated.reportId)
      const { length } = told.observations
      counts.lines += length
      counts.leftOut += length
      continue
    }
    const report = isContradicted ? asContradicted(told, catalogue) : told
    const standing = isContradicted ? undefined : await amendSample(tx, report, { before, message, catalogue })
    const { open, all } = standing ?? { open: report.unmatched, all: report.unmatched }
    const unassessed = unassessedOfFile({ ...report, unmatched: open }, collectedDate)
    const receivedId = newOpaqueId('rcv')
    let reportId = standing?.id
    if (standing) await keepUnassessed(tx, { customerId, dataId, receivedId, report: standing }, unassessed, standing)
    else if (report.results.length > 0) {
      const { results, specimenErrors: labErrors, origin } = report
      const about = { ...dates, labErrors, unassessed, receivedId, origin }
      reportId = await reportFromData(tx, { customerId, dataId, results, ...about })
    } else await keepUnassessed(tx, { customerId, dataId, receivedId }, unassessed)
    if (reportId) answer(reportId)
    const lines = { waiting: unassessed.length, leftOut: index === 0 ? leftOut : 0 }
    const received = receivedOf({ observations: report.observations, unmatched: all }, lines)
    const statements = message && saidIn(report, report, catalogue).map(({ observation: _, ...one }) => one)
    const from = { id: receivedId, customerId, dataId, reportId, format: format ?? 'file' }
    await insertReceived(tx, from, received, message && { message, statements })
    for (const key of ['lines', 'assessed', 'waiting', 'leftOut'] as const) counts[key] += received[key]
    said.unmatched.push(...open)
  }
  const { unmatched } = said
  await updatePayload(tx, dataId, { format, unmatched, notes: said.notes })
  return {
    reports,
    lines: lineCounts(counts),
    totalBiomarkers: identified.reduce((sum, { results }) => sum + results.length, 0),
    unmatched: unmatched.map(({ name, reason }) => ({ name, reason })),
    converted: identified.flatMap(({ converted }) => converted),
    notes: said.notes,
  }
}
