import { MailDelayed, type Mailer, MailRefused, SEND_TIMEOUT_MS } from '../../domain/mailer.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { type Claimed, claim, failOlder, finish, isQueued, markKept, type Outcome } from './queries.ts'
import { secretPlace, withSecret } from './service.ts'

// A claim older than this is of a process that died: no message takes so long.
const CLAIM_MS = SEND_TIMEOUT_MS + 30_000
// Longer than the job tries.
const GIVEN_UP_AFTER_MS = 48 * 3600 * 1000

/** Where e-mails are sent from: a realm, or none. Without a mailer they are kept. */
export interface Post {
  mailer: Mailer | undefined
  open<T>(work: (tx: Tx | SystemTx) => Promise<T>): Promise<T>
}

export interface Attempt {
  /** Whether this is the last attempt. */
  last: boolean
  signal: AbortSignal
}

/**
 * Sends a queued e-mail, or keeps it where there is no mail server. It is marked before it is handed over, so that two
 * never send it at once; when the server's answer is lost it is sent again under the same Message-ID, by which servers
 * tell. Whoever finds it sent, failed or erased has nothing to do. Returns the code of a final refusal.
 * @throws MailDelayed when it must be tried again
 */
export async function send({ mailer, open }: Post, id: string, attempt: Attempt): Promise<string | undefined> {
  if (!mailer) {
    await open((tx) => markKept(tx, id))
    return
  }
  const email = await open(async (tx) => {
    const claimed = await claim(tx, id, new Date(tx.now.getTime() - CLAIM_MS))
    if (!claimed && (await isQueued(tx, id))) throw new MailDelayed('claimed')
    return claimed && revealed(tx, claimed)
  })
  if (!email) return
  const settle = (outcome: Outcome) => open((tx) => finish(tx, email, outcome))
  const { createdAt: date, replyTo, secret: _, ...message } = email
  try {
    await mailer.send({ ...message, date, replyTo: replyTo ?? undefined }, attempt.signal)
  } catch (error) {
    const code = error instanceof MailRefused || error instanceof MailDelayed ? error.code : 'unknown'
    const isFinal = error instanceof MailRefused || attempt.last
    await settle({ status: isFinal ? 'failed' : 'queued', error: code })
    if (isFinal) return code
    throw error
  }
  await settle({ status: 'sent' })
}

/** With its secret in its place, for the mail server only. */
function revealed(tx: Tx | SystemTx, email: Claimed): Claimed {
  if (!email.secret) return email
  const secret = tx.context.open(email.secret, secretPlace(email.id))
  return { ...email, text: withSecret(email.text, secret), html: withSecret(email.html, secret) }
}

/** Marks as failed what no job sends any more: its last attempt died without a word. */
export async function giveUp(tx: SystemTx): Promise<void> {
  await failOlder(tx, new Date(tx.now.getTime() - GIVEN_UP_AFTER_MS))
}
