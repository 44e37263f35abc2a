import { z } from 'zod'
import { forgetCounts } from '../../platform/database/block-counts.ts'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { deleteOldTerms, insertNextTerms, insertNextWords, insertRealmsToIndex } from './search-queries.ts'

export const forgetListCounts = job({
  name: 'orders.forget-list-counts',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, forgetCounts),
})

/** Adds new orders to the search index; until then a search reads them one by one. */
export const indexOrderTerms = job({
  name: 'search.index-orders',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 55,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    await inBatches(run.signal, () =>
      database.asSystem(actor, async (tx) => {
        await insertRealmsToIndex(tx)
        return insertNextTerms(tx)
      }),
    )
    await inBatches(run.signal, () => database.asSystem(actor, insertNextWords))
    await inBatches(run.signal, () => database.asSystem(actor, deleteOldTerms))
  },
})
