import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { indexTerms, realmsBehind } from './search-queries.ts'

/** Makes new orders findable by e-mail and name; until then a search reads them one by one. */
export const indexOrderTerms = job({
  name: 'search.index-orders',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 55,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    for (const realmId of await database.asSystem(actor, realmsBehind)) {
      while (!run.signal.aborted && (await database.asSystem(actor, (tx) => indexTerms(tx, realmId))));
    }
  },
})
