import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { deleteFinished } from './delivery/claim-queries.ts'

// 50 ms of the database: their attempts are deleted with them.
const AT_ONCE = 1000
const RETENTION_MS = 30 * 24 * 3600 * 1000

/** Keeps the delivery log from growing without end. */
export const purgeDeliveries = job({
  name: 'webhooks.purge-deliveries',
  retryLimit: 3,
  expireInSeconds: 600,
  cron: '41 3 * * *',
  async handler({ database, actor, run }: JobContext) {
    const some = () =>
      database.asSystem(actor, (tx) => deleteFinished(tx, new Date(tx.now.getTime() - RETENTION_MS), AT_ONCE))
    await inBatches(run.signal, async () => (await some()) === AT_ONCE)
  },
})
