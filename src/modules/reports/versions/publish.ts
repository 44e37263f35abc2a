import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as events from '../../events/service.ts'
import { queueReportRenewed } from '../../kits/emails.ts'
import { lockKit, setReportStatus } from '../../kits/move.ts'
import { isReportHeld } from '../../kits/recall-queries.ts'
import { countOpenOfReport } from '../critical/queries.ts'
import { isCriticalEntry } from '../critical/rules.ts'
import { saveNote } from '../note-queries.ts'
import type { NewNote } from '../note-schema.ts'
import {
  lockReport,
  markReportPublished,
  type Readable,
  type ReportRow,
  selectEntries,
  selectReport,
  selectReportOfKit,
} from '../queries.ts'
import { selectHeldUntil } from '../review/hold-queries.ts'
import { type Difference, differenceOf } from '../rules.ts'
import { type BiomarkerEntry, isUsable, type Publishing, type ReportStatus, type WithdrawnResult } from '../schema.ts'
import { closeUnassessedOfReport, hasCriticalUnassessed, selectWaitingOfReport } from '../unassessed/queries.ts'

export const reportNotFound = () => new AppError('REPORT_NOT_FOUND', 'There is no such report')

/**
 * Publishes a report that is in review, also on its kit, and closes the unassessed results that came with it, unless it is by itself:
 * who publishes it has seen them.
 * @throws REPORT_NOT_FOUND; ILLEGAL_TRANSITION if it is not in review, so also the second time; CRITICAL_NOT_NOTIFIED if it has
 * critical results, judged or not, and `notified` is missing; CRITICAL_NOT_ACKNOWLEDGED while nobody has acknowledged one;
 * KIT_RECALLED; REPORT_CHANGED if it has another version, or more that waits, than what was read; REPORT_HELD while a reviewer holds it
 */
export async function publishReviewedReport(
  tx: Tx,
  reportId: string,
  { version, seen, notified, note, isByItself = false }: Publishing & { isByItself?: boolean } = {},
): Promise<void> {
  const found = await selectReport(tx, reportId)
  if (!found) throw reportNotFound()
  // A recall or a hold waits for kit and report, or has stopped it. The kit is locked first, as `receiveResults` does: two at once cannot deadlock.
  if (found.kitId !== null) await lockKit(tx, found.kitId)
  const locked = await lockReport(tx, reportId)
  if (!locked) throw reportNotFound()
  const { entries, ...report } = { ...locked, orderId: found.orderId }
  if (report.status !== 'inReview') throw notInReview(report.status)
  const heldUntil = await selectHeldUntil(tx, reportId)
  if (heldUntil) throw held(heldUntil)
  if (await isReportHeld(tx, report.kitId)) throw recalled()
  if (version !== undefined && version !== report.version) throw changed(report.version)
  const open = await selectWaitingOfReport(tx, reportId, report.version)
  if (seen && open.some((id) => !seen.includes(id))) throw changed(report.version)
  if (entries.some(isCriticalEntry) || (await hasCriticalUnassessed(tx, reportId))) {
    if (!notified) throw criticalNotNotified()
    const entry = { action: 'report.critical_told' as const, objectType: 'report', objectId: reportId }
    if ((await countOpenOfReport(tx, report)) > 0) throw notAcknowledged()
    const details = { at: notified.at, version: report.version }
    await audit.record(tx, [{ ...entry, details, words: { who: notified.person } }])
  }
  const isNew = report.publishedAt === null
  if (report.kitId !== null) await setReportStatus(tx, report.kitId, 'published', { isQuiet: !isNew })
  await markReportPublished(tx, reportId)
  if (!isByItself) await closeUnassessedOfReport(tx, reportId, open)
  if (note) await leaveNote(tx, report, note)
  await announceVersion(tx, report, report, { entries })
}

/** Records that a version can be read, and how it differs from the one that could be read before. */
export async function announceVersion(
  tx: Tx,
  published: Omit<AnnouncedReport, 'difference'>,
  before: (ReportRow & Readable & { entries?: readonly BiomarkerEntry[] }) | undefined,
  { entries, withdrawn }: { entries: readonly BiomarkerEntry[]; withdrawn?: readonly WithdrawnResult[] },
): Promise<void> {
  const last = before && lastPublished(before)
  const known = last === before?.version ? before?.entries : undefined
  const previous = known ?? (last === undefined ? [] : await selectEntries(tx, published.id, last))
  const difference = differenceOf(previous, entries, withdrawn)
  const isNew = !before?.publishedAt
  await announceReport(tx, { ...published, difference }, { isNew, wasHidden: !isNew && before.readable === null })
}

/** The version that a new one is compared with for its readers: what was published last; undefined: nothing was. */
function lastPublished({ publishedVersions, publishedAt, status, version }: ReportRow & Readable): number | undefined {
  if (publishedVersions) return publishedVersions.at(-1)
  if (status === 'published') return version
  return publishedAt && version > 1 ? version - 1 : undefined
}

/** Publishes the report of a mock kit if it is in review: there is nobody to tell. @throws REPORT_NOT_FOUND if the kit has none */
export async function publishReportOfKit(tx: Tx, kitId: string): Promise<void> {
  const report = await selectReportOfKit(tx, kitId)
  if (!report) throw reportNotFound()
  const notified = { person: 'sandbox', at: tx.now.toISOString() }
  if (report.status === 'inReview') await publishReviewedReport(tx, report.id, { notified })
}

/** Keeps what a clinician wrote to the person. The audit says that, not what. */
async function leaveNote(
  tx: Tx,
  { id, version }: Pick<AnnouncedReport, 'id' | 'version'>,
  note: NewNote,
): Promise<void> {
  await saveNote(tx, id, { ...note, version, date: tx.now.toISOString() })
  await audit.record(tx, [{ action: 'report.note_left', objectType: 'report', objectId: id, details: { version } }])
}

interface AnnouncedReport {
  id: string
  customerId: number
  kitId: string | null
  orderId: string | null
  version: number
  /** How it differs from the version before, by catalogue IDs. */
  difference?: Difference
}

/**
 * Records that a report, or a new version of it, can be read from now on. Of a new version of one that could be read before,
 * its person learns what it is: corrected, or completed; also where it could not be read for a while. The first one is announced
 * with its kit.
 */
export async function announceReport(
  tx: Tx,
  published: AnnouncedReport,
  { isNew = false, wasHidden = false } = {},
): Promise<void> {
  const { id, kitId, version, difference = {} } = published
  const { corrected = [], withdrawn = [], added = [], completed = [] } = difference
  const isCorrected = wasHidden || corrected.length + withdrawn.length > 0
  if (!isNew && kitId !== null && (isCorrected || added.length + completed.length > 0)) {
    await queueReportRenewed(tx, await lockKit(tx, kitId), isCorrected ? 'corrected' : 'completed')
  }
  const publishedDate = tx.now.toISOString()
  await events.record(tx, [
    { type: 'report.published', ...about(published, { publishedDate, version, ...difference }) },
  ])
  await audit.record(tx, [{ action: 'report.published', objectType: 'report', objectId: id, details: { version } }])
}

// Between reviewers it is more.
const IN_DOUBT = 'Nobody may use what was published before until a reviewer has read the new version.'

/**
 * Records that results were taken back, each with its reason, whether or not the report was published. `hidden`: what could be read of
 * the report until now, and cannot any more. Its person learns that.
 */
export async function announceWithdrawal(
  tx: Tx,
  report: AnnouncedReport & { status: ReportStatus },
  withdrawn: readonly WithdrawnResult[],
  hidden: readonly BiomarkerEntry[] = [],
): Promise<void> {
  const { version, status, kitId } = report
  const doubted = hidden.filter(isUsable).map(({ id }) => ({ biomarker: id, reason: IN_DOUBT }))
  const named = withdrawn.map(({ biomarker, reason }) => ({ biomarker, reason: String(reason) }))
  const results = named.length > 0 ? named : doubted
  if (results.length === 0) return
  const data = { version, status, withdrawnDate: tx.now.toISOString(), results }
  await events.record(tx, [{ type: 'result.withdrawn', ...about(report, data) }])
  if (hidden.length > 0 && kitId !== null) await queueReportRenewed(tx, await lockKit(tx, kitId), 'corrected')
}

const about = ({ id, customerId, kitId, orderId }: AnnouncedReport, data: object) => ({
  ...(orderId !== null && { orderId }),
  ...(kitId !== null && { kitId }),
  data: { reportID: id, ...(kitId !== null && { kitID: kitId }), customerID: customerId, ...data },
})

// Not why: that is between reviewers.
const held = (until: Date) =>
  new AppError('REPORT_HELD', 'A reviewer holds this report back', { extra: { until: until.toISOString() } })

const recalled = () =>
  new AppError('KIT_RECALLED', 'The kit, or what its sample was tested with, was recalled: its report is not published')

const notAcknowledged = () =>
  new AppError(
    'CRITICAL_NOT_ACKNOWLEDGED',
    'This report has critical results that nobody has acknowledged. Acknowledge each of them to publish it',
  )

const criticalNotNotified = () =>
  new AppError(
    'CRITICAL_NOT_NOTIFIED',
    'This report has critical results. Say in `notified` which person was notified of them, and when, to publish it',
  )

const changed = (version: number) =>
  new AppError(
    'REPORT_CHANGED',
    'The laboratory has sent more since this report was read. Read it again, then publish it',
    {
      extra: { version },
    },
  )

function notInReview(current: string): AppError {
  return new AppError('ILLEGAL_TRANSITION', 'Only a report that is in review can be published', {
    extra: { current, allowed: [] },
  })
}
