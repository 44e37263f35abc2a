import { BackupRunning } from '../../platform/backup/dump.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { maybeStartOfNewest } from './queries.ts'
import { isDue, makeBackup, removeOld } from './service.ts'

/** Makes the scheduled backup when it is due. One that failed is tried again ten minutes later. */
export const makeDueBackup = job({
  name: 'backups.make-due',
  retryLimit: 0,
  expireInSeconds: 12 * 3600,
  cron: '*/10 * * * *',
  async handler({ database, actor, portsOf, run, log }: JobContext) {
    const { backups } = portsOf('live')
    if (!backups?.schedule) return
    const { schedule } = backups
    const due = await database.asSystem(actor, async (tx) =>
      isDue(schedule, tx.now, await maybeStartOfNewest(tx, actor.name)),
    )
    if (!due) return
    try {
      await makeBackup(database, actor, backups, { to: schedule.to, signal: run.signal })
    } catch (err) {
      // The process that makes the other one records it.
      if (err instanceof BackupRunning) return
      log.error({ code: 'BACKUP_FAILED', err }, 'the scheduled backup failed: see kitlane backups')
      throw err
    }
    await removeOld(database, actor, backups)
  },
})
