import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { purge } from './claim-queries.ts'

const KEPT_MS = 30 * 24 * 3600 * 1000

/** Keeps the delivery log from growing without end. */
export const purgeDeliveries = job({
  name: 'webhooks.purge-deliveries',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 600,
  cron: '41 3 * * *',
  handler: ({ database, actor }: JobContext) =>
    database.asSystem(actor, (tx) => purge(tx, new Date(tx.now.getTime() - KEPT_MS))),
})
