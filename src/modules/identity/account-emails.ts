import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type EmailContent, render } from '../emails/layout.ts'
import { insertAccountEmail } from '../emails/queries.ts'
import { SEND_ACCOUNT_JOB, secretPlace, withHiddenSecret } from '../emails/service.ts'

export interface AccountEmail {
  content: EmailContent
  to: string
  /** Where its button leads, with the secret in it if there is one. */
  url: string
  secret?: string
}

/**
 * Queues an e-mail about an account, which belongs to no realm. Its secret is sealed apart from the text, and deleted once
 * the e-mail is sent: neither the list of e-mails nor a copy of the database lets anyone in.
 */
export async function queueAccountEmail(tx: SystemTx, { content, to, url, secret }: AccountEmail): Promise<void> {
  const id = newOpaqueId('mail')
  const brand = { name: 'Kitlane', color: null, logoUrl: null, contactEmail: null }
  const shownUrl = secret === undefined ? url : withHiddenSecret(url, secret)
  const rendered = render(content, brand, { url: shownUrl })
  const sealed = secret === undefined ? null : tx.context.seal(secret, secretPlace(id))
  await insertAccountEmail(tx, { ...rendered, id, kind: content.kind, to, senderName: brand.name }, sealed)
  await tx.enqueue(SEND_ACCOUNT_JOB, { emailId: id })
}

/** `business`: whose dashboard it is; undefined for the operator's own staff. */
export const invitation = (business: string | undefined): EmailContent => ({
  kind: 'invitation',
  subject: business ? `You are invited to ${business} on Kitlane` : 'You are invited to Kitlane',
  title: 'You are invited',
  paragraphs: [
    business ? `${business} has made an account for you.` : 'The operator of Kitlane has made an account for you.',
  ],
  button: {
    label: 'Accept the invitation',
    with: 'The link works once, for 72 hours. If you did not expect it, ignore this e-mail.',
  },
})

export const passwordReset = (): EmailContent => ({
  kind: 'password_reset',
  subject: 'Choose a new password',
  title: 'Choose a new password',
  paragraphs: ['Somebody asked to reset the password of your Kitlane account.'],
  button: {
    label: 'Choose a new password',
    with: 'The link works once, for one hour. If it was not you, ignore this e-mail: your password stays as it is.',
  },
})

export const NEW_DEVICE_EMAIL = 'new_device'

/** `network`: as the audit shows it. */
export const newDevice = (place: { browser: string; network: string; at: Date }): EmailContent => ({
  kind: NEW_DEVICE_EMAIL,
  subject: 'Your Kitlane account signed in from a new browser',
  title: 'A new browser signed in',
  paragraphs: [
    'Your Kitlane account was used from a browser that it did not know.',
    'If it was you, there is nothing to do. If not, sign in, end that session on the page of your account and change your password.',
  ],
  facts: [
    ['Browser', place.browser],
    ['Network', place.network],
    ['Time', `${place.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ],
  button: { label: 'See your sessions' },
})
