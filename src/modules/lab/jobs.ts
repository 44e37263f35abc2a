import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { forgetAssigned } from './messages/close.ts'
import { RECOGNISE_JOB } from './review/open.ts'
import { recogniseReview } from './review/recognise.ts'
import { READ_FILE_JOB, runFileJob } from './upload/job.ts'

const reading = (name: string) =>
  job({
    name,
    input: z.object({ realm: realmInput, jobId: z.string() }),
    retryLimit: 5,
    retryDelayMaxSeconds: 60,
    expireInSeconds: 60,
    concurrency: 2,
    handler: ({ realmPorts, run }: JobContext, { realm, jobId }) => runFileJob(realmPorts(realm), jobId, run),
  })

export const readUploadedFile = reading(READ_FILE_JOB)
/** What the version before queued. It cannot read what this one queues: files in the store. */
export const readUploadedRow = reading('intake.read-file')

/** One at a time: each takes a whole core for about a minute, at most 5 minutes. */
const recognising = (name: string) =>
  job({
    name,
    input: z.object({ realm: realmInput, docId: z.string() }),
    retryLimit: 2,
    expireInSeconds: 600,
    concurrency: 1,
    handler: ({ realmPorts, run }: JobContext, { realm, docId }) => recogniseReview(realmPorts(realm), docId, run),
  })

export const recogniseUpload = recognising(RECOGNISE_JOB)
export const recogniseUploadedRow = recognising('intake.recognise')

/** Deletes what was kept of messages for undoing their assignment. */
export const forgetAssignedMessages = job({
  name: 'operator.forget-assigned-messages',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 3 * * *',
  handler: async ({ database, actor }: JobContext) => {
    await database.asSystem(actor, forgetAssigned)
  },
})
