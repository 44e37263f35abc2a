import { selectStore } from '../../platform/files/queries.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { deleteDropped, moveFiles, sweepOrphans } from './move.ts'

const movingOf = ({ database, portsOf, actor, run }: JobContext) => ({
  database,
  actor,
  signal: run.signal,
  store: portsOf('live').fileStore,
})

export const deleteDroppedFiles = job({
  name: 'files.delete',
  retryLimit: 0,
  expireInSeconds: 600,
  cron: '3-59/10 * * * *',
  handler: async (context: JobContext) => void (await deleteDropped(movingOf(context))),
})

// Processes of the version before read only what is in rows.
const UPGRADE_MS = 24 * 3600 * 1000

/** What versions before kept in rows is moved from a day after the upgrade on, so that it can be undone until then. */
export const moveFilesHourly = job({
  name: 'files.move',
  retryLimit: 0,
  expireInSeconds: 3500,
  cron: '17 * * * *',
  async handler(context: JobContext) {
    const { database, actor } = context
    const since = (await database.asSystem(actor, selectStore))?.createdAt
    if (since && database.now().getTime() - since.getTime() > UPGRADE_MS) await moveFiles(movingOf(context), 'in rows')
  },
})

export const sweepFilesDaily = job({
  name: 'files.sweep',
  retryLimit: 2,
  expireInSeconds: 3600,
  cron: '41 3 * * *',
  handler: async (context: JobContext) => void (await sweepOrphans(movingOf(context))),
})
