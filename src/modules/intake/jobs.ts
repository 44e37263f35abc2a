import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { READ_FILE_JOB, runJob } from './file-jobs.ts'

export const readUploadedFile = job({
  name: READ_FILE_JOB,
  input: z.object({ realm: realmInput, jobId: z.string() }),
  retryLimit: 5,
  retryDelayMaxSeconds: 60,
  expireInSeconds: 60,
  concurrency: 2,
  handler: ({ outside, run }: JobContext, { realm, jobId }) => runJob(outside(realm), jobId, run),
})
