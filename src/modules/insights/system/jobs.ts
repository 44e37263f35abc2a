import { purgeOperatorKeys } from '../../../platform/http/operator-keys.ts'
import { purgeRealmKeys } from '../../../platform/http/realm-keys.ts'
import { inBatches } from '../../../platform/jobs/batches.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { countChanges } from '../numbers/service.ts'

// 10 ms of the database. At 1,000 orders a second, 3.6 million expire between two runs.
const AT_ONCE = 1000

/** Deletes answers that were kept for an Idempotency-Key and have expired. */
export const purgeIdempotencyKeys = job({
  name: 'access.purge-idempotency-keys',
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

/** Counts the days with many changes, and every six hours all that changed, so that numbers cost the same however many kits there are. */
export const countNumbersRegularly = job({
  name: 'numbers.count',
  retryLimit: 1,
  // The first run of an installation with ten million kits takes hours, and goes on after it was stopped.
  expireInSeconds: 6 * 3600,
  cron: '*/5 * * * *',
  handler: ({ database, actor, run }: JobContext) => countChanges(database, actor, run.signal),
})
