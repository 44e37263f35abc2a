import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { settings } from '../businesses/service.ts'
import * as customers from '../customers/service.ts'
import { addQuiz, addTest, assertDayOfResults, recordDataAdded } from './add-data.ts'
import { insertData, insertDocument, type KeptDocument } from './data-queries.ts'
import {
  AddData,
  Done,
  FileJob,
  FileResult,
  type FileUpload,
  MAX_FILE_BYTES,
  MAX_UPLOAD_BODY_BYTES,
  TestDone,
} from './schema.ts'
import { sealedContents } from './sealed-queries.ts'
import { decodeDataUri, type FileContent } from './upload/data-uri.ts'
import { createFileJob, findFileJob } from './upload/job.ts'
import { readOrDeleteUpload } from './upload/read.ts'

/** @throws FEATURE_NOT_ENABLED */
async function assertUploadsEnabled(tx: Tx): Promise<void> {
  if ((await settings(tx)).uploadsEnabled) return
  throw new AppError('FEATURE_NOT_ENABLED', 'File uploads are not enabled for this business; the operator enables them')
}

/** Writes a file to the store, for a document that is written next. */
async function keepFile({ files }: RealmPorts, { mediaType, content }: FileContent): Promise<KeptDocument> {
  const id = newOpaqueId('doc')
  return { id, mediaType, file: await files.keep(sealedContents, [id], content) }
}

/** Refuses what `storeFile` would refuse, before a file is written in vain. @throws FEATURE_NOT_ENABLED and what that throws */
async function assertStorable(tx: Tx, { userId, date }: FileUpload): Promise<void> {
  await assertUploadsEnabled(tx)
  assertDayOfResults(tx, date, await customers.find(tx, userId))
}

/** Stores an uploaded file; it is read after the commit. Returns the ID of the data. @throws CUSTOMER_NOT_FOUND, VALIDATION_FAILED */
async function storeFile(tx: Tx, { userId, date, fileName }: FileUpload, kept: KeptDocument): Promise<string> {
  const customer = await customers.find(tx, userId, 'share')
  assertDayOfResults(tx, date, customer)
  const dataId = await insertData(tx, { customerId: customer.id, kind: 'file', date, payload: {} })
  await insertDocument(tx, { dataId, fileName, ...kept })
  await recordDataAdded(tx, 'file', dataId)
  return dataId
}

const tag = 'Customer data'

export const addData = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/customer/add-data',
  tag,
  summary: 'Add data for a customer',
  effects: ['publishes'],
  description:
    'A quiz, a set of results, or a laboratory file (PDF with text, CSV, HL7 v2 results, FHIR R4). Names are matched by catalogue ID, label, alias or LOINC, and units converted; anything else is kept as it came and reported, never guessed. Results and files make reports.',
  scope: 'customers:write',
  body: AddData,
  bodyLimitBytes: MAX_UPLOAD_BODY_BYTES,
  answers: {
    201: z.union([FileResult, TestDone, Done]),
    202: z.object({ jobId: z.string(), status: z.literal('pending') }),
  },
  errors: ['CUSTOMER_NOT_FOUND', 'FEATURE_NOT_ENABLED', 'FILE_NOT_READABLE', 'PROVIDER_UNAVAILABLE'],
  before: async ({ body }, ports) => {
    if (body.type !== 'file' || body.fileBlob === undefined) return undefined
    const blob = decodeDataUri(body.fileBlob)
    await ports.open((tx) => assertStorable(tx, body))
    return keepFile(ports, blob)
  },
  handler: async ({ tx, body, prepared: kept }) => {
    if (body.type === 'quiz') {
      const { dataId } = await addQuiz(tx, body)
      return { status: 201, body: { success: true as const, message: 'The quiz was added', dataId } }
    }
    if (body.type === 'test') {
      const { unmatched, ...added } = await addTest(tx, body)
      const names = unmatched.map(({ name }) => name)
      const notes = unmatched.map(({ name, reason }) => ({ name, reason }))
      const message = added.reportId ? 'The results were added' : 'The results were kept, but none could be matched'
      return { status: 201, body: { success: true as const, message, ...added, unmatched: names, notes } }
    }
    await assertUploadsEnabled(tx)
    if (!kept) return { after: (ports) => takeFromUrl(ports, body, body.s3FileUrl ?? '') }
    const dataId = await storeFile(tx, body, kept)
    if (body.async) return accepted(await createFileJob(tx, dataId))
    return { after: (ports) => read(ports, dataId) }
  },
})

const accepted = (jobId: string) => ({ status: 202 as const, body: { jobId, status: 'pending' as const } })

async function read(ports: RealmPorts, dataId: string) {
  return { status: 201 as const, body: await readOrDeleteUpload(ports, dataId) }
}

/** Fetches the file before anything is kept. */
async function takeFromUrl(ports: RealmPorts, upload: FileUpload, url: string) {
  const blob = await ports.fetchFile(url, MAX_FILE_BYTES)
  const kept = await keepFile(ports, blob)
  const stored = await ports.open(async (tx) => {
    const dataId = await storeFile(tx, upload, kept)
    return { dataId, jobId: upload.async ? await createFileJob(tx, dataId) : undefined }
  })
  return stored.jobId === undefined ? read(ports, stored.dataId) : accepted(stored.jobId)
}

export const getFileJob = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customer/add-data/jobs/:id',
  tag,
  summary: 'Get a file processing job',
  scope: 'customers:read',
  params: z.object({ id: anyText(64) }),
  answers: { 200: FileJob },
  errors: ['JOB_NOT_FOUND'],
  accesses: { reads: 'upload', ids: ({ result }) => (result ? [result.docId] : []) },
  handler: async ({ tx, params }) => ({ status: 200, body: await findFileJob(tx, params.id) }),
})
