import { withdrawnMark } from '@kitlane/display/report-text'
import { ageOn } from '../../../domain/age.ts'
import { AppError } from '../../../domain/errors.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { textsOf } from '../../catalogue/texts.ts'
import { correctedFields } from '../../customers/schema.ts'
import { type CustomerRow, maybeFind } from '../../customers/service.ts'
import { noted } from '../judge/facts.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import { selectNote } from '../note-queries.ts'
import { selectEntries, selectReport } from '../queries.ts'
import { changesBetween } from '../rules.ts'
import type { BiomarkerEntry, Change, Report, ReportForReview, ValueThen, Withdrawn } from '../schema.ts'
import { selectUnassessed } from '../unassessed/queries.ts'
import { reportNotFound } from '../versions/publish.ts'
import { type PublishedFilter, selectPublished } from './published-queries.ts'
import {
  type ShownReportRow,
  selectHistory,
  selectPublishedReport,
  selectReportForReview,
  selectWithdrawn,
} from './queries.ts'
import { type EarlierReport, findingsOverTime, scoresOverTime, valuesOverTime } from './rules.ts'

export interface PublishedReport {
  report: Report
  owner: CustomerRow
  /** When the version shown could first be read. */
  issuedAt: Date
  /** The same, or when marks of it last changed. */
  changedAt: Date
}

/**
 * A published report of a customer (number or external_id), in the version that was published last or a given one that was published,
 * with the history of each value. @throws REPORT_NOT_FOUND, also if it is not published or belongs to somebody else; says why where it
 * could be read before
 */
export async function findPublishedReport(
  tx: Tx,
  customer: string,
  reportId: string,
  version?: number,
): Promise<PublishedReport> {
  const owner = await maybeFind(tx, customer)
  const row = owner && (await selectPublishedReport(tx, { customerId: owner.id, reportId, version }))
  if (!row) throw (await isHidden(tx, owner?.id, reportId)) ? reportHidden() : reportNotFound()
  const { details, ...rest } = await composeReport(tx, asReadersSee(row))
  const shown = { ...details, ...ofPerson(owner, details), status: 'published' as const }
  return { report: { ...rest, details: shown }, owner, issuedAt: row.shownSince, changedAt: row.changedAt }
}

/** Whether a report of a person could be read, and cannot until its later version is published. */
async function isHidden(tx: Tx, customerId: number | undefined, reportId: string): Promise<boolean> {
  const report = await selectReport(tx, reportId)
  return report?.customerId === customerId && report?.publishedAt != null && report.readable === null
}

const reportHidden = () =>
  new AppError(
    'REPORT_NOT_FOUND',
    'This report cannot be read for now: something in it was taken back, and its new version waits for a reviewer',
  )

/** The versions that can be read, oldest first. */
function versionsOf({ readable, publishedVersions }: ShownReportRow): number[] {
  if (readable === null) return []
  return publishedVersions ?? Array.from({ length: readable }, (_, index) => index + 1)
}

/** A row as if there were no version but those that were published. */
function asReadersSee(row: ShownReportRow): Composed {
  const { readable, readableVendorStatus, shownVersion } = row
  const versions = versionsOf(row)
  return {
    ...row,
    version: readable ?? row.version,
    vendorStatus: readableVendorStatus ?? row.vendorStatus,
    hasLater: row.status === 'inReview',
    previous: versions.findLast((version) => version < shownVersion),
  }
}

export interface ListedPublished {
  /** Its position in the list, for the call that reads on after it. */
  key: string
  /** Undefined if its person is erased at this moment. */
  published: PublishedReport | undefined
}

/** Published reports, newest first, each in the version that was published last and without the history of its values. */
export async function listPublishedReports(tx: Tx, filter: PublishedFilter, size: number): Promise<ListedPublished[]> {
  const rows = await selectPublished(tx, filter, size)
  const owners = new Map<number, CustomerRow | undefined>()
  const listed: ListedPublished[] = []
  for (const row of rows) {
    const { customerId } = row
    if (!owners.has(customerId)) owners.set(customerId, await maybeFind(tx, customerId))
    const owner = owners.get(customerId)
    if (!owner) {
      listed.push({ key: row.key, published: undefined })
      continue
    }
    const { details, ...rest } = await composeReport(tx, asReadersSee(row), [])
    const report = { ...rest, details: { ...details, ...correctionsOf(owner, details), status: 'published' as const } }
    listed.push({ key: row.key, published: { report, owner, issuedAt: row.shownSince, changedAt: row.changedAt } })
  }
  return listed
}

/** A report in its newest version, published or not, with its customer. @throws REPORT_NOT_FOUND */
export async function findReportForReview(tx: Tx, reportId: string): Promise<ReportForReview> {
  const row = await selectReportForReview(tx, reportId)
  if (!row) throw reportNotFound()
  const previous = row.version > 1 ? row.version - 1 : undefined
  const { details, ...rest } = await composeReport(tx, { ...row, hasLater: false, previous, isReviewed: true })
  const customer = { id: row.customerId, ...(row.customerName !== null && { name: row.customerName }) }
  const owner = await maybeFind(tx, row.customerId)
  const shown = { ...details, ...(owner && ofPerson(owner, details)), status: row.status }
  return { ...rest, status: row.status, customer, details: shown }
}

/** Intervals are those of adults, so anyone who reads a report must see that it is of a minor. */
function ofPerson(owner: CustomerRow, details: ComposedReport['details']) {
  const on = details.collectedDate ?? details.resultedDate
  const { dateOfBirth } = owner
  return {
    ...(dateOfBirth && on && { age: ageOn(dateOfBirth, on.slice(0, 10)) }),
    ...correctionsOf(owner, details),
  }
}

/** Every version shows the person as they are now, whatever was printed before. */
function correctionsOf({ correctedAt = {} }: CustomerRow, { publishedDate }: ComposedReport['details']) {
  const found = correctedFields.flatMap((field) => {
    const date = correctedAt[field]
    return date && publishedDate && date > publishedDate ? [{ field, date }] : []
  })
  return found.length > 0 ? { personCorrected: found } : {}
}

type ComposedReport = Omit<Report, 'details'> & { details: Omit<Report['details'], 'status'> }

interface Composed extends ShownReportRow {
  /** One waits that is not shown. */
  hasLater: boolean
  /** The version with which it is compared. */
  previous: number | undefined
  /** For a reviewer, who sees also the values that their own notes annul. */
  isReviewed?: boolean
}

/** The version shown with the history of each value. */
async function composeReport(tx: Tx, row: Composed, earlier?: readonly EarlierReport[]): Promise<ComposedReport> {
  const { entries } = row
  const key = { customerId: row.customerId, reportId: row.id, version: row.shownVersion }
  const history = earlier ?? (await selectHistory(tx, key))
  const [valuesOf, scoresOf] = [valuesOverTime(history), scoresOverTime(history)]
  const findingsOf = findingsOverTime(history)
  const { previous } = row
  const changes =
    previous !== undefined && changesBetween(await selectEntries(tx, row.id, previous), entries).map(changeOf)
  const withdrawn = row.version > 1 ? await selectWithdrawn(tx, row.id) : []
  // Neither is in a list: it shows no history either.
  const texts = earlier ? new Map() : await textsOf(tx, entries)
  const note = earlier ? undefined : await selectNote(tx, row.id)
  const unassessed = await selectUnassessed(tx, row.id, row.shownVersion)
  const { now, later } = splitWithdrawn(withdrawn, row.shownVersion, [...entries, ...unassessed])
  return {
    id: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    axes: row.axes.map((entry) => ({ ...entry, historic: scoresOf(entry) })),
    biomarker: entries.map((entry) => ({
      ...markedAs(later.get(entry.id), entry),
      historic: valuesOf(entry),
      historicFindings: findingsOf(entry),
      ...(texts.has(entry.id) && { text: texts.get(entry.id) }),
    })),
    suggestions: row.suggestions.flatMap(({ text, textKept, ...one }) =>
      one.biomarkers.some((id) => later.has(id))
        ? suggestionsFor(entries.filter(({ id }) => one.biomarkers.includes(id) && !later.has(id)))
        : { text: stored(text, textKept), ...one },
    ),
    details: {
      ...detailsOf(row),
      ...(changes && { changes: changes.filter(({ biomarker, after }) => after || !now.has(biomarker)).map(unspoilt) }),
      ...(now.size > 0 && { withdrawn: [...now.values()] }),
    },
    labParamsError: [
      ...(row.hasLater ? ['LATER_VERSION_IN_REVIEW'] : []),
      ...(row.isRecalled ? ['RECALLED'] : []),
      ...row.labErrors,
    ],
    scoreVersion: row.scoreVersion,
    unassessed: unassessed.map((one) => {
      const gone = later.get(one.id)
      const said = gone ? { ...one, reason: `${withdrawnMark(gone)}`, code: 'withdrawn' } : one
      return row.isReviewed || one.code !== 'annulled' ? said : { ...said, value: '', unit: '', flag: '' }
    }),
    ...(note && { note }),
    ...(row.origin && { origin: row.origin }),
    ...(row.approval && { approval: row.approval }),
  }
}

/** A value that is hidden because the sample was bad is not shown as the earlier one either. */
function unspoilt({ before, ...change }: Change): Change {
  const isHidden = change.after?.result === null && change.after.rawResult === ''
  return before && !isHidden ? { ...change, before } : change
}

/** `now`: withdrawn up to this version, without a new result in it. `later`: shown here and withdrawn afterwards. */
function splitWithdrawn(all: readonly Withdrawn[], version: number, entries: readonly { id: string }[]) {
  const shown = new Set(entries.map(({ id }) => id))
  const now = all.filter((one) => one.version <= version && !shown.has(one.biomarker))
  const later = all.filter((one) => one.version > version && shown.has(one.biomarker)).toReversed()
  const byId = (some: readonly Withdrawn[]) => new Map(some.map((one) => [one.biomarker, one]))
  return { now: byId(now), later: byId(later) }
}

/** A withdrawn result is marked in older versions. */
function markedAs(withdrawn: Withdrawn | undefined, entry: BiomarkerEntry) {
  if (!withdrawn) return entry
  const { note, noteKept } = entry
  return { ...entry, withdrawn, ...noted(withdrawnMark(withdrawn), note ? stored(note, noteKept) : undefined) }
}

function changeOf({ before, after }: { before?: BiomarkerEntry; after?: BiomarkerEntry }): Change {
  const { id = '', label = '' } = after ?? before ?? {}
  return {
    biomarker: id,
    label,
    ...(before && { before: valueThen(before) }),
    ...(after && { after: valueThen(after) }),
  }
}

function valueThen(entry: BiomarkerEntry): ValueThen {
  const { result, comparator, finding, rawResult, rawUnit, unit, displayUnit, state, interpretation, preliminary } =
    entry
  const then = { result, rawResult, rawUnit, unit, displayUnit, state, interpretation }
  return {
    ...then,
    ...(comparator && { comparator }),
    ...(finding && { finding }),
    ...(preliminary && { preliminary }),
  }
}

function detailsOf(row: Composed): ComposedReport['details'] {
  return {
    ...(row.collectedDate !== null && { collectedDate: row.collectedDate }),
    ...(row.collectedSaid && { collectedSaid: row.collectedSaid }),
    ...(row.resultedDate !== null && { resultedDate: row.resultedDate }),
    vendorStatus: row.vendorStatus,
    version: row.shownVersion,
    latestVersion: row.version,
    versions: versionsOf(row),
    ...(row.previous !== undefined && { previous: row.previous, issuedDate: row.shownSince.toISOString() }),
    ...(row.publishedAt !== null && { publishedDate: row.publishedAt.toISOString() }),
    ...(row.reason !== null && { reason: stored(row.reason, row.reasonKept) }),
  }
}
