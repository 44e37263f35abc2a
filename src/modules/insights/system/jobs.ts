import { z } from 'zod'
import { purgeOperatorKeys } from '../../../platform/http/operator-keys.ts'
import { purgeRealmKeys } from '../../../platform/http/realm-keys.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'

/** Deletes answers that were kept for an Idempotency-Key and have expired. */
export const purgeIdempotencyKeys = job({
  name: 'access.purge-idempotency-keys',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '17 * * * *',
  handler: ({ database, actor }: JobContext) =>
    database.asSystem(actor, async (tx) => {
      await purgeRealmKeys(tx)
      await purgeOperatorKeys(tx)
    }),
})
