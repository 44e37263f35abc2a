import { type RawBuilder, sql } from 'kysely'
import type { Mode, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Brand } from './layout.ts'

export type EmailStatus = 'queued' | 'sent' | 'kept' | 'failed'

export interface EmailRow {
  id: string
  kind: string
  to: string
  senderName: string
  replyTo?: string | undefined
  subject: string
  text: string
  html: string
  orderId?: string | undefined
  kitId?: string | undefined
}

export interface NewEmailRow extends EmailRow {
  /** Sealed and in base64: what stands hidden in the text. */
  secret?: string | undefined
}

export function selectBrand(tx: Tx): Promise<Brand> {
  return tx.row(sql<Brand>`
    select b.name, r.brand_color as color, r.logo_url as "logoUrl", r.contact_email as "contactEmail"
    from realms r join businesses b on b.id = r.business_id where r.id = ${tx.realm.id}`)
}

export async function insertEmails(tx: Tx, rows: readonly NewEmailRow[], status: EmailStatus): Promise<void> {
  await tx.run(sql`
    insert into emails (realm_id, id, kind, recipient, sender_name, reply_to, subject, text, html, status, secret, order_id, kit_id, created_at)
    select ${tx.realm.id}, e.id, e.kind, e."to", e."senderName", e."replyTo", e.subject, e.text, e.html, ${status}, decode(e.secret, 'base64'),
           e."orderId", e."kitId", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id text, kind text, "to" text, "senderName" text,
      "replyTo" text, subject text, text text, html text, secret text, "orderId" text, "kitId" text)`)
}

/** An e-mail that belongs to no realm, with its sealed secret. */
export async function insertAccountEmail(tx: SystemTx, row: EmailRow, secret: Buffer): Promise<void> {
  const { id, kind, to, senderName, subject, text, html } = row
  await tx.run(sql`
    insert into emails (id, kind, recipient, sender_name, subject, text, html, status, secret, created_at)
    values (${id}, ${kind}, ${to}, ${senderName}, ${subject}, ${text}, ${html}, 'queued', ${secret}, ${tx.now})`)
}

export interface Claimed extends EmailRow {
  createdAt: Date
  /** The number of this attempt; a later attempt takes the claim. */
  attempt: number
  /** Sealed: what stands hidden in the text. */
  secret: Buffer | null
}

const owned = (tx: Tx | SystemTx) => ('realm' in tx ? sql`realm_id = ${tx.realm.id}` : sql`realm_id is null`)

/** Claims a queued e-mail that no process has claimed since `before`. */
export function claimEmail(tx: Tx | SystemTx, id: string, before: Date): Promise<Claimed | undefined> {
  return tx.maybeRow(sql<Claimed>`
    update emails set claimed_at = ${tx.now}, attempts = attempts + 1
    where ${owned(tx)} and id = ${id} and status = 'queued' and (claimed_at is null or claimed_at < ${before})
    returning id, kind, recipient as "to", sender_name as "senderName", reply_to as "replyTo", subject, text, html,
              created_at as "createdAt", attempts as attempt, secret`)
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
const withoutLinks = (column: string) =>
  sql<string>`regexp_replace(${sql.ref(column)}, '/r/[A-Za-z0-9_-]{43}', '/r/…', 'g')`
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

export async function markKept(tx: Tx | SystemTx, id: string): Promise<void> {
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

export interface EmailFilter {
  businessId?: string
  mode?: Mode
  status?: EmailStatus
  recipient?: string
  orderId?: string
}

/** An e-mail as the operator lists it. */
export interface ListedEmail {
  id: string
  businessId: string | null
  businessName: string | null
  mode: Mode | null
  kind: string
  to: string
  subject: string
  status: EmailStatus
  attempts: number
  lastError: string | null
  orderId: string | null
  kitId: string | null
  createdAt: Date
  sentAt: Date | null
}

const listed = sql`
  e.id, r.business_id as "businessId", b.name as "businessName", r.mode, e.kind, e.recipient as "to", e.subject, e.status,
  e.attempts, e.last_error as "lastError", e.order_id as "orderId", e.kit_id as "kitId", e.created_at as "createdAt",
  e.sent_at as "sentAt"`
const joined = sql`emails e left join realms r on r.id = e.realm_id left join businesses b on b.id = r.business_id`

function conditions({ businessId, mode, status, recipient, orderId }: EmailFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (businessId) all.push(sql`r.business_id = ${businessId}`)
  if (mode) all.push(sql`r.mode = ${mode}`)
  if (status) all.push(sql`e.status = ${status}`)
  if (recipient) all.push(sql`lower(e.recipient) = lower(${recipient})`)
  if (orderId) all.push(sql`e.order_id = ${orderId}`)
  return sql.join(all, sql` and `)
}

export async function countEmails(tx: SystemTx, filter: EmailFilter): Promise<number> {
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*) as total from ${joined} where ${conditions(filter)}`,
  )
  return total
}

export function selectPage(tx: SystemTx, filter: EmailFilter, page: number, size: number): Promise<ListedEmail[]> {
  return tx.rows(sql<ListedEmail>`
    select ${listed} from ${joined} where ${conditions(filter)} order by e.position desc limit ${size} offset ${page * size}`)
}

export interface ShownEmail extends ListedEmail {
  text: string
  html: string
  secret: Buffer | null
}

export function selectEmail(tx: SystemTx, id: string): Promise<ShownEmail | undefined> {
  return tx.maybeRow(sql<ShownEmail>`
    select ${listed}, ${withoutLinks('e.text')} as text, ${withoutLinks('e.html')} as html, e.secret
    from ${joined} where e.id = ${id}`)
}
