import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { insertNextWords, insertRealmsOfWords } from './search-queries.ts'

/** Has customers of earlier releases found by every word of their name, too. */
export const indexNames = job({
  name: 'search.index-names',
  retryLimit: 1,
  expireInSeconds: 55,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    await database.asSystem(actor, insertRealmsOfWords)
    await inBatches(run.signal, () => database.asSystem(actor, insertNextWords))
  },
})
