import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type Language, type Translator, translatorOf } from '../../domain/translations/translator.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import * as links from '../links/service.ts'
import { type EmailContent, plain, render } from './layout.ts'
import {
  countEmails,
  type EmailFilter,
  type ListedEmail,
  type ShownEmail,
  selectEmail,
  selectPage,
} from './list-queries.ts'
import { deleteEmailsOfOrders, insertEmails, selectBrand } from './queries.ts'
import type { PersonEmail } from './templates.ts'

export const SEND_JOB = 'emails.send'
export const SEND_ACCOUNT_JOB = 'emails.send-account'

// Stands for the secret of a link in what is kept; no address is ever written so.
const HIDDEN = 'the-rest-is-not-shown'
/** Where the secret of an e-mail's link is sealed for. */
export const secretPlace = (emailId: string): string => `emails.secret/${emailId}`
export const withHiddenSecret = (text: string, secret: string): string => text.replaceAll(secret, HIDDEN)
export const withSecret = (text: string, secret: string): string => text.replaceAll(HIDDEN, secret)

export interface NewEmail {
  /** To a person: in the language of the e-mail. */
  content: EmailContent | PersonEmail
  /** Without it, English. */
  language?: Language | undefined
  /** An address, or the business's own: nothing is written to a business that gave none. */
  to: string | 'business'
  /** Who is greeted. */
  name?: string | null
  /** Whose pages the e-mail's button leads to. */
  link?: links.WantedLink
  /** A page of its own that the button leads to, whose address ends with a secret. */
  page?: { path: string; secret: string }
  orderId?: string
  kitId?: string
  /** The secret in the address that stops such e-mails, about one kit or to one person. */
  stop?: { secret: string; of: 'kit' | 'person' }
}

/**
 * Writes e-mails, rendered, in the transaction that caused them: four statements for any number, none for none. They
 * are sent once it commits; those of a sandbox are only kept. The secret of a personal link is sealed, apart from the text.
 */
export async function queue(tx: Tx, newEmails: readonly NewEmail[]): Promise<void> {
  if (newEmails.length === 0) return
  const emails = newEmails.map(withContent)
  const brand = await selectBrand(tx)
  const urls = await linksOf(tx, emails)
  const rows = emails.flatMap((email) => {
    const { content, t, to, name, orderId, kitId, stop: wanted } = email
    const address = to === 'business' ? brand.contactEmail : to
    if (address === null) return []
    const id = newOpaqueId('mail')
    const { url, secret } = urls.get(email) ?? {}
    const stop = wanted && stopOf(tx, t, wanted)
    const shownUrl = url && secret ? withHiddenSecret(url, secret) : url
    return [
      {
        id,
        kind: content.kind,
        to: address,
        orderId,
        kitId,
        senderName: plain(brand.name),
        replyTo: brand.contactEmail ?? undefined,
        unsubscribe: stop?.url,
        ...render(content, brand, { name: name ?? undefined, url: shownUrl, stop, t }),
        ...(secret && { secret: tx.context.seal(secret, secretPlace(id)).toString('base64') }),
      },
    ]
  })
  if (rows.length === 0) return
  const isLive = tx.realm.mode === 'live'
  await insertEmails(tx, rows, isLive ? 'queued' : 'kept')
  if (isLive) await tx.enqueue(SEND_JOB, { realm: tx.realm, emailIds: rows.map(({ id }) => id) })
}

function stopOf(tx: Tx, t: Translator, { secret, of }: NonNullable<NewEmail['stop']>) {
  const { publicUrl } = tx.context
  return publicUrl ? { label: t(`email.stop.${of}`), url: `${publicUrl}/u/${secret}` } : undefined
}

interface EmailWithContent extends NewEmail {
  content: EmailContent
  t: Translator
}

function withContent(email: NewEmail): EmailWithContent {
  const t = translatorOf(email.language ?? 'en')
  return { ...email, t, content: typeof email.content === 'function' ? email.content(t) : email.content }
}

interface ButtonUrl {
  url: string
  /** The part of it that gives access. */
  secret?: string
}

/** Where each e-mail's button leads, where it is known under which address others reach this service. */
async function linksOf(tx: Tx, emails: readonly EmailWithContent[]): Promise<Map<EmailWithContent, ButtonUrl>> {
  const { publicUrl } = tx.context
  if (!publicUrl) return new Map()
  const pages = emails.flatMap((email): [EmailWithContent, ButtonUrl][] => {
    const path = email.content.button?.path
    if (email.page)
      return [[email, { url: publicUrl + email.page.path + email.page.secret, secret: email.page.secret }]]
    return path ? [[email, { url: publicUrl + path }]] : []
  })
  const wanted = emails.flatMap((email) => {
    const { content, link } = email
    return content.button && !content.button.path && link ? [{ email, link }] : []
  })
  const issued = await links.issueLinks(
    tx,
    publicUrl,
    wanted.map(({ link }) => link),
  )
  return new Map([
    ...pages,
    ...wanted.flatMap(({ email }, index) => (issued[index] ? [[email, issued[index]] as const] : [])),
  ])
}

/** Removes the e-mails of sandbox orders, or of the whole sandbox. */
export async function remove(tx: Tx, ofOrders: readonly string[] | 'all'): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only e-mails of a sandbox can be removed')
  await deleteEmailsOfOrders(tx, ofOrders)
}

export interface EmailListing extends EmailFilter {
  /** 0-based. */
  page: number
  size: number
}

/** E-mails of every business, newest first, with how many there are in all. */
export async function list(tx: SystemTx, listing: EmailListing): Promise<{ emails: ListedEmail[]; total: number }> {
  const { page, size, ...filter } = listing
  return { total: await countEmails(tx, filter), emails: await selectPage(tx, filter, page, size) }
}

/** One e-mail with its text; what its link needs to work is not shown. @throws EMAIL_NOT_FOUND */
export async function find(tx: SystemTx, id: string): Promise<Omit<ShownEmail, 'secret'>> {
  const { secret: _, ...email } = await selectOrThrow(tx, id)
  return email
}

/**
 * The same with the link of a made-up person of the sandbox, which was sent to nobody. Needs the key of this installation. @throws EMAIL_NOT_FOUND
 */
export async function findWithTestLink(tx: SystemTx, id: string): Promise<Omit<ShownEmail, 'secret'>> {
  const { secret: sealed, ...email } = await selectOrThrow(tx, id)
  if (!sealed || email.mode !== 'sandbox' || !tx.context.hasKey) return email
  const secret = tx.context.open(sealed, secretPlace(id))
  return { ...email, text: withSecret(email.text, secret), html: withSecret(email.html, secret) }
}

async function selectOrThrow(tx: SystemTx, id: string): Promise<ShownEmail> {
  const email = await selectEmail(tx, id)
  if (!email) throw new AppError('EMAIL_NOT_FOUND', 'There is no such e-mail; `kitlane email list` shows all')
  return email
}
