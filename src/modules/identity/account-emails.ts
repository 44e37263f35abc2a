import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type Letter, render } from '../emails/layout.ts'
import { insertAccountEmail } from '../emails/queries.ts'
import { SEND_ACCOUNT_JOB, secretPlace, withHiddenSecret } from '../emails/service.ts'

export interface AccountLetter {
  letter: Letter
  to: string
  /** Where its button leads, with the secret in it. */
  url: string
  secret: string
}

/**
 * Writes a letter about an account, of no realm. Its secret is kept apart and sealed, and forgotten once the letter has
 * left: neither the list of e-mails nor a copy of the database lets anyone in.
 */
export async function queueAccountLetter(tx: SystemTx, { letter, to, url, secret }: AccountLetter): Promise<void> {
  const id = newOpaqueId('mail')
  const brand = { name: 'Kitlane', color: null, logoUrl: null, contactEmail: null }
  const rendered = render(letter, brand, undefined, withHiddenSecret(url, secret))
  const sealed = tx.context.seal(secret, secretPlace(id))
  await insertAccountEmail(tx, { ...rendered, id, kind: letter.kind, to, senderName: brand.name }, sealed)
  await tx.enqueue(SEND_ACCOUNT_JOB, { emailId: id })
}
