import { z } from 'zod'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { realmInput } from '../../../platform/jobs/realm-input.ts'
import { PLACE_JOB } from './accept.ts'
import { placeRows } from './place-rows.ts'

/** Places the rows of a bulk job. Another worker takes it over when a heartbeat is missed; the rows say what is left. */
export const placeBulk = job({
  name: PLACE_JOB,
  input: z.object({ realm: realmInput, jobId: z.string() }),
  retryLimit: 50,
  // Each death of a worker counts as an attempt; a longer pause would only delay the orders.
  retryDelayMaxSeconds: 5,
  expireInSeconds: 900,
  heartbeatSeconds: 10,
  concurrency: 2,
  handler: ({ realmPorts, run }: JobContext, { realm, jobId }) => placeRows(realmPorts(realm), jobId, run),
})
