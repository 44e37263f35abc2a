import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { failAbandoned, send } from './send.ts'
import { SEND_ACCOUNT_JOB, SEND_JOB } from './service.ts'

/** Sends e-mails; several are first split into a job each. Tried for a day: 11 doubling pauses, then 24 of an hour. */
export const sendEmails = job({
  name: SEND_JOB,
  input: z.object({ realm: realmInput, emailIds: z.array(z.string()).min(1) }),
  retryLimit: 35,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 120,
  concurrency: 4,
  async handler({ realmPorts, log, run }: JobContext, { realm, emailIds }) {
    const ports = realmPorts(realm)
    const [id, ...others] = emailIds
    if (others.length > 0) {
      await ports.open(async (tx) => {
        for (const emailId of emailIds) await tx.enqueue(SEND_JOB, { realm, emailIds: [emailId] })
      })
      return
    }
    const code = id && (await send({ mailer: ports.mailer, open: ports.open }, id, run))
    if (code) log.warn({ code }, 'an e-mail was given up')
  },
})

/** Sends an e-mail about an account, which belongs to no realm. */
export const sendAccountEmail = job({
  name: SEND_ACCOUNT_JOB,
  input: z.object({ emailId: z.string() }),
  retryLimit: 35,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 120,
  async handler({ database, portsOf, actor, log, run }: JobContext, { emailId }) {
    const { mailer } = portsOf('live')
    const code = await send({ mailer, open: (work) => database.asSystem(actor, work) }, emailId, run)
    if (code) log.warn({ code }, 'an e-mail was given up')
  },
})

/** Fails e-mails whose job ended without an outcome: the worker died during the last attempt. */
export const giveUpEmails = job({
  name: 'emails.give-up',
  retryLimit: 1,
  expireInSeconds: 60,
  cron: '23 * * * *',
  handler: async ({ database, actor }: JobContext) => database.asSystem(actor, failAbandoned),
})
