import { z } from 'zod'
import type { Message } from '../../domain/mailer.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { send } from '../emails/send.ts'
import { endOfNumber, SEND_TEXT_JOB } from './service.ts'
import { STOPPED } from './twilio.ts'

/** Sends a text message. Tried for a day, as e-mails are; without a sender it is kept. */
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
      send(message: Message, signal: AbortSignal) {
        number = message.to
        return texter.send(message, signal)
      },
    }
    const code = await send({ mailer, open }, emailId, run)
    if (code === STOPPED) await open((tx) => endOfNumber(tx, number))
    if (code) log.warn({ code }, 'a text message was given up')
  },
})
