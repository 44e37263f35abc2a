import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { keepPartitionsAhead } from './archive.ts'
import { indexLists } from './reader.ts'
import { sealEntries } from './seal.ts'

export const sealAudit = job({
  name: 'audit.seal',
  retryLimit: 1,
  expireInSeconds: 300,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    await inBatches(run.signal, () => database.asSystem(actor, sealEntries))
  },
})

/** What is newer is read from the entries themselves, so that nothing is missed in between. */
export const indexAuditLists = job({
  name: 'audit.index-lists',
  retryLimit: 1,
  expireInSeconds: 300,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    await inBatches(run.signal, () => database.asSystem(actor, indexLists))
  },
})

export const keepAuditPartitions = job({
  name: 'audit.keep-partitions',
  // A lock that others hold for long: the next hour is early enough.
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 60,
  cron: '4 * * * *',
  handler: ({ database, actor }: JobContext) => keepPartitionsAhead(database, actor),
})
