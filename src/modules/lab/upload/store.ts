import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { settings } from '../../businesses/service.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import * as customers from '../../customers/service.ts'
import { keepUnassessed } from '../../reports/unassessed/service.ts'
import { reportFromData } from '../../reports/versions/from-data.ts'
import { recordDataAdded } from '../add-data.ts'
import { deleteData, insertData, insertDocument, type StoredFile, selectFile, updatePayload } from '../data-queries.ts'
import { type Identified, identifyInSlices } from '../identify/identify.ts'
import { unassessedOf } from '../identify/unassessed.ts'
import { parseInChild } from '../parse/parse-in-child.ts'
import { type ParsedFile, type ParsedReport, SEVERAL_PEOPLE } from '../parse/parsed.ts'
import { Refusal } from '../parse/refusal.ts'
import { openReview } from '../review/open.ts'
import type { FileResult, FileUpload } from '../schema.ts'

/** The business may upload files. @throws FEATURE_NOT_ENABLED */
export async function assertUploadsEnabled(tx: Tx): Promise<void> {
  if ((await settings(tx)).uploadsEnabled) return
  throw new AppError('FEATURE_NOT_ENABLED', 'File uploads are not enabled for this business; the operator enables them')
}

export interface FileContent {
  mediaType: string
  content: Buffer
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w.+-]+=[\w.+-]+)*;base64,/

/** The bytes of a data URI. @throws VALIDATION_FAILED */
export function decodeDataUri(uri: string): FileContent {
  const head = DATA_URI.exec(uri.slice(0, 300))
  if (!head) refuse([{ message: 'Send data:<mime>;base64,<content>', path: 'fileBlob' }])
  const text = uri.slice(head[0].length)
  const content = Buffer.from(text, 'base64')
  if (!isBase64(text, content.length)) refuse([{ message: 'The content is not base64', path: 'fileBlob' }])
  if (content.length === 0) refuse([{ message: 'The file is empty', path: 'fileBlob' }])
  return { mediaType: head[1] ?? 'application/octet-stream', content }
}

/** Node skips what is no base64, so that less comes out than the length of the text says; `-` and `_` it takes too. */
function isBase64(text: string, decodedLength: number): boolean {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return text.length % 4 === 0 && decodedLength === (text.length / 4) * 3 - padding && !/[-_]/.test(text)
}

/** Keeps an uploaded file, to be read after the commit. @throws CUSTOMER_NOT_FOUND */
export async function storeFile(tx: Tx, { userId, date, fileName }: FileUpload, blob: FileContent): Promise<string> {
  const { id } = await customers.find(tx, userId, 'share')
  const dataId = await insertData(tx, { customerId: id, kind: 'file', date, payload: {} })
  await insertDocument(tx, { dataId, fileName, ...blob })
  await recordDataAdded(tx, 'file', dataId)
  return dataId
}

/**
 * Reads a kept file in a process of its own and makes its reports. What a person has to read is kept and said.
 * @throws FILE_NOT_READABLE, OVERLOADED; Error when the data is gone
 */
export async function readStoredFile(
  ports: RealmPorts,
  dataId: string,
  finish?: (tx: Tx, result: FileResult) => Promise<void>,
): Promise<FileResult> {
  const file = await ports.open((tx) => selectFile(tx, dataId))
  if (!file) throw new Error(`data ${dataId} is gone`)
  const parsed = await parse(file, ports.realm.businessId)
  return ports.open(async (tx) => {
    const result = await makeReports(tx, file, parsed)
    await finish?.(tx, result)
    return result
  })
}

/** Takes a file back that could not be read, when nobody will look at it. */
export const deleteFile = (ports: RealmPorts, dataId: string) => ports.open((tx) => deleteData(tx, dataId))

type Parsed = ParsedFile | { needsReview: NonNullable<FileResult['needsReview']> }

async function parse({ content }: StoredFile, owner: string): Promise<Parsed> {
  try {
    return await parseInChild(content, { owner })
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    if (err.needsReview) return { needsReview: err.needsReview }
    if (err.code === 'BUSY') throw new AppError('OVERLOADED', err.message, { cause: err })
    throw new AppError('FILE_NOT_READABLE', err.message, {
      details: [{ message: err.message, code: err.code }],
      cause: err,
    })
  }
}

async function makeReports(tx: Tx, file: StoredFile, parsed: Parsed): Promise<FileResult> {
  const { dataId, docId, customerId } = file
  const base = { type: 'file' as const, userId: customerId, dataId, docId, timestamp: tx.now.toISOString() }
  const catalogue = await biomarkers(tx)
  const reported = 'needsReview' in parsed ? [] : parsed.reports
  const read: ({ report: ParsedReport } & Identified)[] = []
  for (const report of reported) {
    read.push({ report, ...(await identifyInSlices(report.observations, catalogue)) })
  }
  const isEmpty = read.every(({ results }) => results.length === 0)
  const doubt = 'needsReview' in parsed ? parsed.needsReview : await doubtOf(tx, customerId, parsed)
  const needsReview = doubt ?? (isEmpty ? 'unmatched' : undefined)
  if ('needsReview' in parsed || needsReview) {
    if (!needsReview) throw new Error('a file needs a review for no reason')
    await updatePayload(tx, dataId, { needsReview })
    const known = 'needsReview' in parsed ? {} : { parsed }
    const next = await openReview(tx, { docId, content: file.content, needsReview, ...known })
    return { ...base, reports: [], totalBiomarkers: 0, needsReview, unmatched: [], converted: [], notes: [next] }
  }
  const reports: FileResult['reports'] = []
  for (const { report, results, unmatched } of read) {
    const unassessed = unassessedOf(unmatched)
    const dates = datesOf(report, file.date)
    if (results.length > 0) {
      const id = await reportFromData(tx, { customerId, dataId, results, ...dates, unassessed })
      reports.push({ id, collectedDate: datesAnswer(dates).collectedDate })
    } else await keepUnassessed(tx, { customerId, dataId }, unassessed)
  }
  const unmatched = read.flatMap((one) => one.unmatched)
  const converted = read.flatMap((one) => one.converted)
  await updatePayload(tx, dataId, { format: parsed.format, unmatched, notes: parsed.notes })
  const totalBiomarkers = read.reduce((sum, one) => sum + one.results.length, 0)
  const said = unmatched.map(({ name, reason }) => ({ name, reason }))
  return { ...base, reports, totalBiomarkers, unmatched: said, converted, notes: parsed.notes }
}

/** A file that names several people, or one with another date of birth, is not put on this customer's record. */
async function doubtOf(tx: Tx, customerId: number, { notes, reports }: ParsedFile): Promise<'person' | undefined> {
  const { dateOfBirth } = await customers.find(tx, customerId, 'share')
  const isOther = ({ patient }: ParsedReport) =>
    dateOfBirth !== null && patient?.dateOfBirth !== undefined && patient.dateOfBirth !== dateOfBirth
  return notes.includes(SEVERAL_PEOPLE) || reports.some(isOther) ? 'person' : undefined
}

function datesOf({ collectedDate, resultedDate, specimenErrors }: ParsedReport, fallback: string) {
  return {
    collectedDate: collectedDate ?? fallback,
    resultedDate: resultedDate ?? collectedDate ?? fallback,
    labErrors: specimenErrors,
  }
}
