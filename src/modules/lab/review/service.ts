import { readingOf } from '@kitlane/lab-reader/facts/reading'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { flagOf } from '@kitlane/lab-reader/parse/flags'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { identityOf } from '@kitlane/lab-reader/parse/person'
import { sniff } from '@kitlane/lab-reader/parse/sniff'
import { AppError, type ErrorDetail } from '../../../domain/errors.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { StoredDocument } from '../../../platform/http/answer.ts'
import { pagination } from '../../../platform/http/fields.ts'
import { refuse } from '../../../platform/http/validate.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import * as audit from '../../audit/service.ts'
import { biomarkers } from '../../catalogue/service.ts'
import * as customers from '../../customers/service.ts'
import { reportFromData } from '../../reports/versions/from-data.ts'
import { assertDayOfResults } from '../add-data.ts'
import { updatePayload } from '../data-queries.ts'
import { doubtOfPerson } from '../match.ts'
import { sealedContents } from '../sealed-queries.ts'
import {
  closeReview,
  countReviews,
  countReviewsOfAll,
  locateReview,
  lockReview,
  type OfBusiness,
  type ReviewFilter,
  type ReviewRow,
  selectOriginal,
  selectPageImage,
  selectReview,
  selectReviews,
  selectReviewsOfAll,
  type WholeReviewRow,
} from './queries.ts'
import type { Candidate, ConfirmUpload, OperatorUpload, Upload, UploadConfirmed, UploadReview } from './schema.ts'
import { sealedPages } from './sealed-queries.ts'

/** The uploads of a business that wait for a person, oldest first. */
export async function listUploads(tx: Tx, filter: ReviewFilter) {
  const data = (await selectReviews(tx, filter)).map(toUpload)
  return { data, pagination: pagination(filter.page, filter.size, await countReviews(tx, filter)) }
}

/** The same over all businesses. */
export async function listUploadsOfAll(tx: SystemTx, filter: ReviewFilter & { mode: 'live' | 'sandbox' }) {
  const rows = await selectReviewsOfAll(tx, filter)
  const data = rows.map(({ business, mode, ...row }): OperatorUpload => ({ ...toUpload(row), business, mode }))
  return { data, pagination: pagination(filter.page, filter.size, await countReviewsOfAll(tx, filter)) }
}

/** The realm and business of a file, for staff of the operator. @throws UPLOAD_NOT_FOUND */
export async function locateUpload(tx: SystemTx, docId: string): Promise<{ realm: Realm } & OfBusiness> {
  const found = await locateReview(tx, docId)
  if (!found) throw uploadNotFound()
  return found
}

function toUpload(row: ReviewRow): Upload {
  return {
    docID: row.docId,
    customerID: row.customerId,
    ...(row.fileName && { fileName: row.fileName }),
    format: row.format,
    needsReview: row.needsReview,
    state: row.state,
    receivedDate: row.receivedAt.toISOString(),
    pages: row.pages,
    candidates: row.candidateCount,
    ...(row.note && { note: stored(row.note, row.noteKept) }),
  }
}

/** An upload with what was found in it. @throws UPLOAD_NOT_FOUND */
export async function getUpload(tx: Tx, docId: string): Promise<UploadReview> {
  const row = await findReview(tx, docId)
  const { patient: read, collectedDate, resultedDate } = row.head
  const doubt = row.state === 'waiting' ? doubtOfPerson(read, await customers.find(tx, row.customerId)) : undefined
  return {
    ...toUpload(row),
    date: row.date,
    ...(collectedDate && { collectedDate }),
    ...(resultedDate && { resultedDate }),
    ...(read && { patient: identityOf(read) }),
    ...(doubt && { personProblem: stored(doubt) }),
    pageImages: row.pageImages,
    lines: row.lines,
    candidates: row.candidates.map(({ problem, ...one }) => ({
      ...one,
      ...(problem !== undefined && { problem: stored(problem) }),
    })),
    ...(row.reportId && { reportID: row.reportId }),
    ...(row.closedAt && { closedDate: row.closedAt.toISOString() }),
    ...(row.reason && { reason: row.reason }),
  }
}

async function findReview(tx: Tx, docId: string): Promise<WholeReviewRow> {
  const row = await selectReview(tx, docId)
  if (!row) throw uploadNotFound()
  return row
}

/** A page as PNG, drawn here. @throws UPLOAD_NOT_FOUND */
export async function getPageImage(tx: Tx, docId: string, page: number): Promise<StoredDocument> {
  const image = await selectPageImage(tx, docId, page)
  if (!image) throw new AppError('UPLOAD_NOT_FOUND', 'There is no picture of this page')
  const load = async ({ files }: RealmPorts) => ({ body: await files.contentOf(sealedPages, [docId, page], image) })
  return { contentType: 'image/png', realm: tx.realm, load }
}

const endings: Partial<Record<ReturnType<typeof sniff>, string>> = {
  pdf: 'pdf',
  csv: 'csv',
  hl7v2: 'hl7',
  fhir: 'json',
}
const pictures: [string, string][] = [
  ['\x89PNG', 'png'],
  ['\xff\xd8', 'jpg'],
  ['GIF8', 'gif'],
  ['RIFF', 'webp'],
  ['II*', 'tif'],
  ['MM', 'tif'],
]

/** The file as it was sent, with a name that we give it. @throws UPLOAD_NOT_FOUND */
export async function getOriginal(tx: Tx, docId: string): Promise<StoredDocument> {
  const original = await selectOriginal(tx, docId)
  if (!original) throw uploadNotFound()
  const load = async ({ files }: RealmPorts) => {
    const body = await files.contentOf(sealedContents, [docId], original.content)
    return { body, headers: { 'content-disposition': `attachment; filename="${nameOf(docId, body)}"` } }
  }
  return { contentType: 'application/octet-stream', realm: tx.realm, load }
}

function nameOf(docId: string, content: Buffer): string {
  const head = content.toString('latin1', 0, 12)
  const picture = pictures.find(([start]) => head.startsWith(start))?.[1] ?? 'heic'
  const format = sniff(content)
  const ending = format === 'image' ? picture : (endings[format] ?? 'bin')
  return `upload-${docId.replace(/\W/g, '')}.${ending}`
}

/**
 * Makes a report of the results that a person confirmed. @throws UPLOAD_NOT_FOUND, UPLOAD_CLOSED,
 * CUSTOMER_NOT_FOUND; VALIDATION_FAILED for results that cannot be of their biomarker
 */
export async function confirmUpload(tx: Tx, docId: string, input: ConfirmUpload): Promise<UploadConfirmed> {
  const { row, customer } = await lockOpenReview(tx, docId)
  const { collectedDate, resultedDate = collectedDate, results: confirmed } = input
  assertDayOfResults(tx, collectedDate, customer, 'collectedDate')
  assertDayOfResults(tx, resultedDate, customer, 'resultedDate')
  const catalogue = await biomarkers(tx)
  const known = new Set(catalogue.map(({ id }) => id))
  const { results, unmatched, converted } = identifyObservations(confirmed.map(confirmedObservation), catalogue)
  const unknown = confirmed.flatMap(({ biomarker }, index) =>
    known.has(biomarker)
      ? []
      : [{ message: 'The catalogue has no such biomarker', path: `results.${index}.biomarker` }],
  )
  const wrong = unmatched.map(({ reason, position }): ErrorDetail => ({ message: reason, path: position }))
  if (unknown.length > 0 || wrong.length > 0) refuse(unknown.length > 0 ? unknown : wrong)
  const { dataId, customerId, needsReview, candidates } = row
  const report = { customerId, dataId, results, collectedDate, resultedDate }
  const reportID = await reportFromData(tx, report)
  await updatePayload(tx, dataId, { needsReview, collectedDate, confirmed })
  await closeReview(tx, docId, { state: 'confirmed', reportId: reportID })
  const details = { reportId: reportID, results: results.length, ...compareWithCandidates(confirmed, candidates) }
  await audit.record(tx, [{ action: 'upload.confirmed', objectType: 'upload', objectId: docId, details }])
  return { docID: docId, reportID, matched: results.length, converted }
}

/** Locks the customer before the review, as an erasure does. */
async function lockOpenReview(
  tx: Tx,
  docId: string,
): Promise<{ row: WholeReviewRow; customer: customers.CustomerRow }> {
  const row = await findReview(tx, docId)
  const customer = await customers.find(tx, row.customerId, 'share')
  const state = (await lockReview(tx, docId))?.state
  if (!state) throw uploadNotFound()
  if (state === 'confirmed' || state === 'dismissed') {
    throw new AppError('UPLOAD_CLOSED', 'Somebody has dealt with this file already', { extra: { state } })
  }
  return { row, customer }
}

function confirmedObservation(
  { biomarker, value, unit, range, flag = '' }: ConfirmUpload['results'][number],
  index: number,
): Observation {
  const valueText = String(value)
  const reading = typeof value === 'number' ? { value } : readingOf(valueText)
  return {
    name: biomarker,
    valueText,
    ...reading,
    unit,
    ...(range && (range.low ?? range.high) !== null && { range }),
    flag: flagOf([flag]),
    status: 'final',
    position: `results.${index}`,
    raw: `${biomarker} ${valueText} ${unit}`,
  }
}

/** How many suggestions were right, without a value. */
function compareWithCandidates(confirmed: ConfirmUpload['results'], candidates: readonly Candidate[]) {
  const read = new Map(candidates.flatMap(({ biomarker, value }) => (biomarker ? [[biomarker, value] as const] : [])))
  const suggested = confirmed.filter(({ biomarker }) => read.has(biomarker))
  const changed = suggested.filter(({ biomarker, value }) => {
    const text = read.get(biomarker) ?? ''
    return text !== value && Number.parseFloat(text) !== Number(value)
  })
  return { suggested: suggested.length, changed: changed.length, added: confirmed.length - suggested.length }
}

/** Ends a review without a report. @throws UPLOAD_NOT_FOUND, UPLOAD_CLOSED */
export async function dismissUpload(tx: Tx, docId: string, reason: string): Promise<void> {
  await lockOpenReview(tx, docId)
  await closeReview(tx, docId, { state: 'dismissed', reason })
  await audit.record(tx, [{ action: 'upload.dismissed', objectType: 'upload', objectId: docId }])
}

const uploadNotFound = () => new AppError('UPLOAD_NOT_FOUND', 'There is no such file to review')
