import { z } from 'zod'
import { purgeOperatorKeys } from '../../../platform/http/operator-keys.ts'
import { purgeRealmKeys } from '../../../platform/http/realm-keys.ts'
import { inBatches } from '../../../platform/jobs/batches.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'

// 10 ms of the database. At 1,000 orders a second, 3.6 million expire between two runs.
const AT_ONCE = 1000

/** Deletes answers that were kept for an Idempotency-Key and have expired. */
export const purgeIdempotencyKeys = job({
  name: 'access.purge-idempotency-keys',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 3000,
  cron: '17 * * * *',
  async handler({ database, actor, run }: JobContext) {
    await inBatches(
      run.signal,
      async () => (await database.asSystem(actor, (tx) => purgeRealmKeys(tx, AT_ONCE))) === AT_ONCE,
    )
    await database.asSystem(actor, purgeOperatorKeys)
  },
})
