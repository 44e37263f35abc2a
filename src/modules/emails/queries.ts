import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { hexOf, keyringOf, operatorKeyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../platform/slices.ts'
import type { Brand } from './layout.ts'
import {
  type Content,
  type EmailRow,
  type Head,
  isTo,
  owned,
  recipientHash,
  sealedEmailHeads,
  sealedEmailTexts,
} from './sealed-queries.ts'

export type EmailStatus = 'queued' | 'sent' | 'kept' | 'failed'

interface NewEmailRow extends EmailRow {
  /** Sealed and in base64: what stands hidden in the text. */
  secret?: string | undefined
}

export function selectBrand(tx: Tx): Promise<Brand> {
  return tx.row(sql<Brand>`
    select b.name, r.brand_color as color, r.logo_url as "logoUrl", r.contact_email as "contactEmail"
    from realms r join businesses b on b.id = r.business_id where r.id = ${tx.realm.id}`)
}

export async function insertEmails(tx: Tx, rows: readonly NewEmailRow[], status: EmailStatus): Promise<void> {
  const keys = await keyringOf(tx)
  const sealed = await mapInSlices(rows, (row) => {
    const { id, kind, senderName, secret, orderId, kitId } = row
    return { id, kind, senderName, secret, orderId, kitId, ...sealedParts(keys, row) }
  })
  await tx.run(sql`
    insert into emails (realm_id, id, kind, sender_name, sealed, sealed_text, recipient_hash, status, secret, order_id, kit_id, created_at)
    select ${tx.realm.id}, e.id, e.kind, e."senderName", e.sealed, e."sealedText", e."recipientHash", ${status},
           decode(e.secret, 'base64'), e."orderId", e."kitId", ${tx.now}
    from json_to_recordset(${JSON.stringify(sealed)}::json) as e(id text, kind text, "senderName" text, sealed bytea,
      "sealedText" bytea, "recipientHash" bytea, secret text, "orderId" text, "kitId" text)`)
}

function sealedParts(keys: Keyring, { id, to, replyTo, unsubscribe, subject, text, html }: EmailRow) {
  const head = { to, replyTo, unsubscribe, subject }
  return {
    sealed: sealedEmailHeads.seal(keys, [id], head),
    sealedText: sealedEmailTexts.seal(keys, [id], { text, html }),
    recipientHash: hexOf(recipientHash(keys, to)),
  }
}

/** An e-mail that belongs to no realm, with its sealed secret if it has one. */
export async function insertAccountEmail(tx: SystemTx, row: EmailRow, secret: Buffer | null): Promise<void> {
  const { id, kind, senderName } = row
  // The transaction may also be in the realm of the person who invites.
  const { sealed, sealedText, recipientHash } = sealedParts(await operatorKeyringOf(tx), row)
  await tx.run(sql`
    insert into emails (id, kind, sender_name, sealed, sealed_text, recipient_hash, status, secret, created_at)
    values (${id}, ${kind}, ${senderName}, ${sealed}, ${sealedText}, ${recipientHash}, 'queued', ${secret}, ${tx.now})`)
}

export interface Claimed extends EmailRow {
  createdAt: Date
  /** The number of this attempt; a later attempt takes the claim. */
  attempt: number
  /** Sealed: what stands hidden in the text. */
  secret: Buffer | null
}

/** Claims a queued e-mail that no process has claimed since `before`. */
export async function claimEmail(tx: Tx | SystemTx, id: string, before: Date): Promise<Claimed | undefined> {
  // The database refuses it to a process that cannot read sealed e-mails.
  await tx.run(sql`set local kitlane.reads_sealed = 'on'`)
  const claimed = await tx.maybeRow(sql<Omit<Claimed, keyof Head | keyof Content> & SealedEmail>`
    update emails set claimed_at = ${tx.now}, attempts = attempts + 1
    where ${owned(tx)} and id = ${id} and status = 'queued' and (claimed_at is null or claimed_at < ${before})
    returning id, kind, sender_name as "senderName", created_at as "createdAt", attempts as attempt, secret,
              ${sealedEmailHeads.of('emails')} as head, ${sealedEmailTexts.of('emails')} as content`)
  if (!claimed) return undefined
  const { head, content, ...row } = claimed
  const keys = await keyringOf(tx)
  return { ...row, ...sealedEmailHeads.open(keys, [id], head), ...sealedEmailTexts.open(keys, [id], content) }
}

interface SealedEmail {
  head: Sealed<Head>
  content: Sealed<Content>
}

export interface SentEmail {
  kind: string
  subject: string
  status: EmailStatus
  createdAt: Date
}

/** E-mails of the realm to an address, oldest first. */
export async function selectEmailsTo(tx: Tx, address: string): Promise<SentEmail[]> {
  const rows = await tx.rows(sql<Omit<SentEmail, 'subject'> & { id: string; head: Sealed<Head> }>`
    select id, kind, ${sealedEmailHeads.of('emails')} as head, status, created_at as "createdAt" from emails
    where ${await isTo(tx, [address])} order by position`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, head, ...row }) => ({ ...row, subject: sealedEmailHeads.open(keys, [id], head).subject }))
}

/** Whether an e-mail still waits to be sent. */
export async function isQueued(tx: Tx | SystemTx, id: string): Promise<boolean> {
  const found = await tx.maybeRow(sql`select 1 from emails where ${owned(tx)} and id = ${id} and status = 'queued'`)
  return found !== undefined
}

export interface Outcome {
  status: EmailStatus
  error?: string
}

// Earlier versions stored personal links in clear; some of their e-mails may still be queued.
export const LINK = '/r/[A-Za-z0-9_-]{43}'
const withoutLinks = (column: string) => sql<string>`regexp_replace(${sql.ref(column)}, ${LINK}, '/r/…', 'g')`
const withoutBothLinks = sql`text = ${withoutLinks('text')}, html = ${withoutLinks('html')}`

/** Writes the outcome of an attempt, unless another attempt has begun. */
export async function writeOutcome(
  tx: Tx | SystemTx,
  { id, attempt }: Claimed,
  { status, error }: Outcome,
): Promise<void> {
  await tx.run(sql`
    update emails set status = ${status}, claimed_at = null, last_error = ${error ?? null},
                      sent_at = ${status === 'sent' ? tx.now : null},
                      secret = case when ${status} = 'queued' then secret end
                      ${status === 'queued' ? sql`` : sql`, ${withoutBothLinks}`}
    where ${owned(tx)} and id = ${id} and status = 'queued' and attempts = ${attempt}`)
}

/** A text message that was handed over did not arrive. */
export async function markUndelivered(tx: SystemTx, id: string, code: string): Promise<void> {
  await tx.run(sql`
    update emails set status = 'failed', last_error = ${code}, sent_at = null, claimed_at = null
    where id = ${id} and kind like 'text\\_%' and status in ('sent', 'queued')`)
}

export async function markStored(tx: Tx | SystemTx, id: string): Promise<void> {
  await tx.run(sql`
    update emails set status = 'kept', secret = null, ${withoutBothLinks}
    where ${owned(tx)} and id = ${id} and status = 'queued' and claimed_at is null`)
}

/** Fails queued e-mails from before a time. */
export async function failOlderEmails(tx: SystemTx, before: Date): Promise<void> {
  await tx.run(sql`
    update emails set status = 'failed', claimed_at = null, secret = null, ${withoutBothLinks},
                      last_error = coalesce(last_error, 'unknown')
    where status = 'queued' and created_at < ${before}`)
}

export async function deleteEmailsOfOrders(tx: Tx, ofOrders: readonly string[] | 'all'): Promise<void> {
  const which = ofOrders === 'all' ? sql`` : sql`and order_id = any(${ofOrders})`
  await tx.run(sql`delete from emails where realm_id = ${tx.realm.id} ${which}`)
}

interface DeletedEmail extends Head, Content {
  id: string
  kind: string
  createdAt: Date
}

/**
 * Deletes e-mails to the person, sent or not: they say what happened and when. Those about kits are deleted regardless of who got
 * them. Returns their content on request.
 */
export async function deleteEmails(
  tx: Tx,
  { to, aboutKits }: { to: readonly string[]; aboutKits: readonly string[] },
  isOpened: boolean,
): Promise<DeletedEmail[]> {
  return deleteThat(
    tx,
    sql`${await isTo(tx, to)} or (realm_id = ${tx.realm.id} and kit_id = any(${aboutKits}))`,
    isOpened,
  )
}

/** E-mails about orders and their kits that were placed so long ago that the orders lose their recipients. */
export async function deleteEmailsOf(tx: Tx, orderIds: readonly string[], kitIds: readonly string[]): Promise<void> {
  await deleteThat(
    tx,
    sql`realm_id = ${tx.realm.id} and (order_id = any(${orderIds}) or kit_id = any(${kitIds}))`,
    false,
  )
}

/** Deletes up to `limit` e-mails of the realm from before a time that wait no more. Returns how many. */
export const deleteEmailsBefore = (tx: Tx, before: Date, limit: number): Promise<number> =>
  tx.run(sql`
    delete from emails where realm_id = ${tx.realm.id} and id in (
      select id from emails where ${isOver(tx, before)} order by created_at limit ${limit})`)

export async function countEmailsBefore(tx: Tx, before: Date): Promise<number> {
  const { n } = await tx.row(sql<{ n: number }>`select count(*)::int as n from emails where ${isOver(tx, before)}`)
  return n
}

const isOver = (tx: Tx, before: Date) =>
  sql`realm_id = ${tx.realm.id} and status <> 'queued' and created_at <= ${before}`

type Unread = Pick<DeletedEmail, 'id' | 'kind' | 'createdAt'> & { head: Sealed<Head>; content: Sealed<Content> }

async function deleteThat(tx: Tx, condition: RawBuilder<unknown>, isOpened: boolean): Promise<DeletedEmail[]> {
  if (!isOpened) {
    await tx.run(sql`delete from emails where ${condition}`)
    return []
  }
  const rows = await tx.rows(sql<Unread>`
    delete from emails where ${condition} returning id, kind, created_at as "createdAt",
      ${sealedEmailHeads.of('emails')} as head, ${sealedEmailTexts.of('emails')} as content`)
  const keys = await keyringOf(tx)
  return rows.map(({ head, content, ...row }) => ({
    ...row,
    ...sealedEmailHeads.open(keys, [row.id], head),
    ...sealedEmailTexts.open(keys, [row.id], content),
  }))
}
