import { z } from 'zod'
import { MailRefused, type Message } from '../../domain/mailer.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { send } from '../emails/send.ts'
import { deleteEndedCounts } from './queries.ts'
import { endOfNumber, giveTurnBack, mayGet, SEND_TEXT_JOB, takeTurn } from './service.ts'
import { STOPPED, TextMaybeSent } from './twilio.ts'

/**
 * Sends a text message. Tried for more than a day, as e-mails are, so that one that waits for a limit of a day is sent after it; without a
 * sender it is kept.
 */
export const sendTextMessage = job({
  name: SEND_TEXT_JOB,
  input: z.object({ realm: realmInput, emailId: z.string() }),
  retryLimit: 35,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 120,
  concurrency: 4,
  async handler({ realmPorts, log, run }: JobContext, { realm, emailId }) {
    const { texter, open } = realmPorts(realm)
    let number = ''
    const mailer = texter && {
      async send(message: Message, signal: AbortSignal) {
        number = message.to
        // It may have waited for a day.
        if (!(await open((tx) => mayGet(tx, number)))) throw new MailRefused('text_stopped')
        await open((tx) => takeTurn(tx, number))
        try {
          return await texter.send(message, signal)
        } catch (err) {
          // In doubt it counts, so that nobody gets more than a day allows.
          if (!(err instanceof TextMaybeSent)) await open((tx) => giveTurnBack(tx, number))
          throw err
        }
      },
    }
    const code = await send({ mailer, open }, emailId, run)
    if (code === STOPPED) await open((tx) => endOfNumber(tx, number))
    if (code) log.warn({ code }, 'a text message was given up')
  },
})

export const purgeTextCounts = job({
  name: 'text-messages.purge',
  retryLimit: 3,
  expireInSeconds: 60,
  cron: '17 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, deleteEndedCounts),
})
