import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import type { FileJob, FileResult } from '../schema.ts'
import { insertFileJob, moveFileJob, selectFileJob } from './job-queries.ts'
import { readUpload } from './read.ts'

export const READ_FILE_JOB = 'lab.read-file'

/** Queues a stored file for a worker to read. Returns the job's ID. */
export async function createFileJob(tx: Tx, dataId: string): Promise<string> {
  const jobId = await insertFileJob(tx, dataId)
  await tx.enqueue(READ_FILE_JOB, { realm: tx.realm, jobId })
  return jobId
}

/** @throws JOB_NOT_FOUND */
export async function findFileJob(tx: Tx, id: string): Promise<FileJob> {
  const job = await selectFileJob(tx, id)
  if (!job) throw new AppError('JOB_NOT_FOUND', 'There is no such job')
  const { status, result, error } = job
  return {
    id,
    status,
    ...(result && { result: { ...result, reports: result.reports.map(asEntry) } }),
    ...(error && { error }),
  }
}

/** Old jobs stored only the IDs of their reports. */
const asEntry = (report: FileResult['reports'][number] | string) =>
  typeof report === 'string' ? { id: report } : report

/** Reads the file of a job. One transaction makes its reports and ends the job: run twice, it makes them once. */
export async function runFileJob(ports: RealmPorts, jobId: string, { last }: { last: boolean }): Promise<void> {
  const job = await ports.open(async (tx) => {
    const found = await selectFileJob(tx, jobId, 'update')
    if (!found || !(await moveFileJob(tx, jobId, { status: 'processing' }))) return undefined
    return found
  })
  if (!job) return
  try {
    await readUpload(ports, job.dataId, async (tx, result) => {
      if (!(await moveFileJob(tx, jobId, { status: 'completed', result }))) throw new Error('the job has ended already')
    })
  } catch (err) {
    const isFinal = err instanceof AppError && err.status < 500
    if (!isFinal && !last) throw err
    const error =
      err instanceof AppError
        ? { code: codeOf(err), message: err.message }
        : { code: 'INTERNAL', message: 'The file could not be read' }
    await ports.open((tx) => moveFileJob(tx, jobId, { status: 'failed', error }))
    if (!isFinal) throw err
  }
}

const codeOf = (err: AppError): string => err.details[0]?.code ?? err.code
