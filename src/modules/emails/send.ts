import { Counter } from 'prom-client'
import { MailDelayed, type Mailer, MailRefused, SEND_TIMEOUT_MS } from '../../domain/mailer.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { processFigures } from '../../platform/process-figures.ts'
import * as queries from './queries.ts'
import { secretPlace, withSecret } from './service.ts'

// A claim older than this belongs to a process that died: no message takes so long.
const CLAIM_MS = SEND_TIMEOUT_MS + 30_000
// Longer than the job retries.
const GIVEN_UP_AFTER_MS = 48 * 3600 * 1000

const emailAttempts = new Counter({
  name: 'kitlane_email_attempts_total',
  help: 'Attempts to send an e-mail, by how they ended; kept: there is no mail server.',
  labelNames: ['outcome'],
  registers: [processFigures],
})

/** Where e-mails are sent from: a realm, or none. Without a mailer they are kept. */
export interface Outbox {
  mailer: Mailer | undefined
  open<T>(work: (tx: Tx | SystemTx) => Promise<T>): Promise<T>
}

export interface Attempt {
  /** Whether this is the last attempt. */
  last: boolean
  signal: AbortSignal
}

/**
 * Sends a queued e-mail, or keeps it where there is no mail server. It is claimed before it is handed over, so that two
 * processes never send it at once. When the server's answer is lost, it is sent again under the same Message-ID, by which
 * servers recognise it. Does nothing when it was sent, has failed or was erased. Returns the code of a final refusal.
 * @throws MailDelayed when it must be tried again
 */
export async function send({ mailer, open }: Outbox, id: string, attempt: Attempt): Promise<string | undefined> {
  if (!mailer) {
    await open((tx) => queries.markStored(tx, id))
    emailAttempts.inc({ outcome: 'kept' })
    return
  }
  const email = await open(async (tx) => {
    const claimed = await queries.claimEmail(tx, id, new Date(tx.now.getTime() - CLAIM_MS))
    if (!claimed && (await queries.isQueued(tx, id))) throw new MailDelayed('claimed')
    return claimed && revealed(tx, claimed)
  })
  if (!email) return
  const record = (outcome: queries.Outcome) => open((tx) => queries.writeOutcome(tx, email, outcome))
  const { createdAt: date, replyTo, unsubscribe, secret: _, ...message } = email
  try {
    await mailer.send(
      { ...message, date, replyTo: replyTo ?? undefined, unsubscribe: unsubscribe ?? undefined },
      attempt.signal,
    )
  } catch (error) {
    const code = error instanceof MailRefused || error instanceof MailDelayed ? error.code : 'unknown'
    const isFinal = error instanceof MailRefused || attempt.last
    emailAttempts.inc({ outcome: isFinal ? 'failed' : 'retried' })
    await record({ status: isFinal ? 'failed' : 'queued', error: code })
    if (isFinal) return code
    throw error
  }
  emailAttempts.inc({ outcome: 'sent' })
  await record({ status: 'sent' })
}

/** The e-mail with its secret, for the mail server only. */
function revealed(tx: Tx | SystemTx, email: queries.Claimed): queries.Claimed {
  if (!email.secret) return email
  const secret = tx.context.open(email.secret, secretPlace(email.id))
  return { ...email, text: withSecret(email.text, secret), html: withSecret(email.html, secret) }
}

/** Fails e-mails that no job sends any more: the worker died during the last attempt. */
export async function failAbandoned(tx: SystemTx): Promise<void> {
  await queries.failOlderEmails(tx, new Date(tx.now.getTime() - GIVEN_UP_AFTER_MS))
}
