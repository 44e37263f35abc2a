import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { archiveAudit } from './service.ts'

/** Takes what has reached its age out of the database. Off unless it was set. */
export const archiveOld = job({
  name: 'archives.make-due',
  retryLimit: 2,
  retryDelaySeconds: 600,
  expireInSeconds: 6 * 3600,
  cron: '31 5 * * *',
  async handler({ database, actor, portsOf, run, log }: JobContext) {
    const { archives } = portsOf('live')
    if (!archives?.plan) return
    const { notArchived } = await archiveAudit(database, actor, archives, run.signal)
    if (notArchived === 'broken')
      log.error({ code: 'AUDIT_BROKEN' }, 'the audit is not archived: run kitlane verify-audit')
  },
})
