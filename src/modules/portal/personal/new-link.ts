import type { SystemTx } from '../../../platform/database/tx.ts'

export const NEW_LINK_JOB = 'recipient.send-link'
const PLACE = 'jobs.recipient.send-link'

/** Asks for a link to be sent: the same work for every e-mail. A job's input lies open, so the e-mail is sealed. */
export async function requestLink(tx: SystemTx, email: string): Promise<void> {
  await tx.enqueue(NEW_LINK_JOB, { sealed: tx.context.seal(email, PLACE).toString('base64') })
}

export const openLinkRequest = (tx: SystemTx, sealed: string): string =>
  tx.context.open(Buffer.from(sealed, 'base64'), PLACE)
