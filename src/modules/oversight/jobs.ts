import { z } from 'zod'
import { noChannels } from '../../domain/operator-channels.ts'
import { inBatches, nightly } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { queueOperatorEmail } from '../emails/operator-emails.ts'
import { selectAlarm } from './alarms/queries.ts'
import { alarmEmail, eventOf, forgetCounts, TELL_JOB, verifyNightly, watchEntries } from './alarms/service.ts'
import { sendAnchor } from './anchors/send.ts'
import { remindOfReview } from './review/service.ts'

const channelsOf = ({ portsOf }: JobContext) => portsOf('live').operator ?? noChannels

/** Behind the requests: entries are looked at once they are sealed. */
export const watchAudit = job({
  name: 'oversight.watch',
  retryLimit: 1,
  expireInSeconds: 300,
  cron: '* * * * *',
  async handler(context: JobContext) {
    const { database, actor, run } = context
    const { limits } = channelsOf(context)
    await inBatches(run.signal, () =>
      database.asSystem(actor, async (tx) => {
        const more = await watchEntries(tx, limits)
        if (!more) await forgetCounts(tx)
        return more
      }),
    )
  },
})

/** Tells the operator of an alarm, by one way. Tried for a day. */
export const notifyOperator = job({
  name: TELL_JOB,
  input: z.object({ alarmId: z.string(), by: z.enum(['webhook', 'email']) }),
  retryLimit: 35,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 60,
  async handler(context: JobContext, { alarmId, by }) {
    const { hook, alarmEmail: to } = channelsOf(context)
    await context.database
      .asSystem(context.actor, async (tx) => {
        const alarm = await selectAlarm(tx, alarmId)
        if (alarm && by === 'email' && to) await queueOperatorEmail(tx, { content: alarmEmail(alarm), to })
        return alarm
      })
      .then((alarm) => (alarm && by === 'webhook' ? hook?.send(eventOf(alarm)) : undefined))
  },
})

/** Verifies the seals that are new, and all of them once a week. Reminds of the review of access. */
export const verifyAuditNightly = job({
  name: 'oversight.verify',
  retryLimit: 2,
  expireInSeconds: 1800,
  cron: '41 2 * * *',
  async handler({ database, actor, log, run }: JobContext) {
    const brokenAt = await verifyNightly(database, actor, nightly(run.signal))
    if (brokenAt) log.error({ code: 'AUDIT_BROKEN' }, 'the audit was changed: run kitlane verify-audit')
    await database.asSystem(actor, remindOfReview)
  },
})

export const anchorAudit = job({
  name: 'oversight.anchor',
  retryLimit: 10,
  retryDelaySeconds: 30,
  expireInSeconds: 120,
  cron: '7 3 * * *',
  handler: (context: JobContext) => sendAnchor(context.database, context.actor, channelsOf(context).anchors),
})
