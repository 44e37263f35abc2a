import { type RawBuilder, sql } from 'kysely'
import type { Mode, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type EmailStatus, LINK } from './queries.ts'
import { type Content, type Head, isTo, isToInAnyRealm, sealedEmailHeads, sealedEmailTexts } from './sealed-queries.ts'

export interface EmailFilter {
  businessIds?: readonly string[] | undefined
  mode?: Mode
  statuses?: readonly EmailStatus[] | undefined
  recipient?: string
  orderIds?: readonly string[] | undefined
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
  e.realm_id as "realmId", e.id, r.business_id as "businessId", b.name as "businessName", r.mode, e.kind,
  ${sealedEmailHeads.of('e')} as head, e.status, e.attempts, e.last_error as "lastError", e.order_id as "orderId",
  e.kit_id as "kitId", e.created_at as "createdAt", e.sent_at as "sentAt"`
const joined = sql`emails e left join realms r on r.id = e.realm_id left join businesses b on b.id = r.business_id`

type ListedRow = Omit<ListedEmail, 'to' | 'subject'> & { realmId: number | null; head: Sealed<Head> }

async function opened<Row extends ListedRow>(tx: SystemTx, rows: readonly Row[]) {
  const keys = await keyringsOf(tx, rows)
  return rows.map(({ realmId, head, ...row }) => {
    const { to, subject } = sealedEmailHeads.open(keyringIn(keys, realmId), [row.id], head)
    return { ...row, to, subject }
  })
}

async function conditions(
  tx: SystemTx,
  { businessIds, mode, statuses, recipient, orderIds }: EmailFilter,
): Promise<RawBuilder<unknown>> {
  const all = [sql`true`]
  if (businessIds) all.push(sql`r.business_id = any(${businessIds})`)
  if (mode) all.push(sql`r.mode = ${mode}`)
  if (statuses) all.push(sql`e.status = any(${statuses})`)
  if (recipient) all.push(await isToInAnyRealm(tx, recipient))
  if (orderIds) all.push(sql`e.order_id = any(${orderIds})`)
  return sql.join(all, sql` and `)
}

export async function countEmails(tx: SystemTx, filter: EmailFilter): Promise<number> {
  const where = await conditions(tx, filter)
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from ${joined} where ${where}`)
  return total
}

export async function selectPage(
  tx: SystemTx,
  filter: EmailFilter,
  page: number,
  size: number,
): Promise<ListedEmail[]> {
  const where = await conditions(tx, filter)
  const rows = await tx.rows(sql<ListedRow>`
    select ${listed} from ${joined} where ${where} order by e.position desc limit ${size} offset ${page * size}`)
  return opened(tx, rows)
}

const withoutLinks = (text: string) => text.replaceAll(new RegExp(LINK, 'g'), '/r/…')

export interface ShownEmail extends ListedEmail {
  text: string
  html: string
  secret: Buffer | null
}

export async function selectEmail(tx: SystemTx, id: string): Promise<ShownEmail | undefined> {
  const row = await tx.maybeRow(sql<ListedRow & { content: Sealed<Content>; secret: Buffer | null }>`
    select ${listed}, ${sealedEmailTexts.of('e')} as content, e.secret from ${joined} where e.id = ${id}`)
  if (!row) return undefined
  const keys = keyringIn(await keyringsOf(tx, [row]), row.realmId)
  const [email] = await opened(tx, [row])
  if (!email) return undefined
  const { content, ...shown } = email
  const { text, html } = sealedEmailTexts.open(keys, [id], content)
  return { ...shown, text: withoutLinks(text), html: withoutLinks(html) }
}

/** An e-mail as the page of an order or a person shows it. */
export type BriefEmail = Pick<ListedEmail, 'id' | 'to' | 'subject' | 'status' | 'createdAt'>

// A person gets a few for each kit.
const BRIEF = 100

/** The newest e-mails of the realm that are about an order, or went to one of these addresses; newest first. */
export async function selectBriefEmails(
  tx: Tx,
  about: { orderId: string } | { addresses: readonly string[] },
): Promise<BriefEmail[]> {
  const where =
    'orderId' in about
      ? sql`realm_id = ${tx.realm.id} and order_id = ${about.orderId}`
      : await isTo(tx, about.addresses.filter(Boolean))
  const rows = await tx.rows(sql<Omit<BriefEmail, 'to' | 'subject'> & { head: Sealed<Head> }>`
    select id, ${sealedEmailHeads.of('emails')} as head, status, created_at as "createdAt"
    from emails where ${where} order by position desc limit ${BRIEF}`)
  const keys = await keyringOf(tx)
  return rows.map(({ head, ...row }) => {
    const { to, subject } = sealedEmailHeads.open(keys, [row.id], head)
    return { ...row, to, subject }
  })
}
