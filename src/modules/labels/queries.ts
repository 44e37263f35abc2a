import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { type FileRef, fileOf, insertFile, type WrittenFile } from '../../platform/files/queries.ts'
import { sealedBytes } from '../../platform/sealing/sealed-bytes.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import type { Leg } from '../fulfilment/rules.ts'
import { isSentTo, type Recipient as OrderRecipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { LabelCosts, LabelProvider, LabelState, Reason, Recipient } from './schema.ts'

/** Printed labels in the file store. They were never in rows. */
export const sealedLabels = sealedBytes({
  table: 'shipping_labels',
  key: { id: 'text' },
  clear: 'document',
  rowsAtOnce: 8,
})

type References =
  | 'shipmentRef'
  | 'rateRef'
  | 'labelRef'
  | 'carrier'
  | 'service'
  | 'number'
  | 'currency'
  | 'code'
  | 'mediaType'

export type LabelRow = Record<'id' | 'kitId' | 'orderId', string> &
  Record<References, string | null> &
  Record<'askedAt' | 'dueAt' | 'boughtAt', Date | null> &
  Record<'createdAt' | 'changedAt', Date> & {
    leg: Leg
    state: LabelState
    provider: LabelProvider
    amount: number | null
    reason: Reason | null
    isWithdrawn: boolean
    /** A kit was shipped under its number. */
    isOnParcel: boolean
    digest: Buffer | null
    tries: number
    file: FileRef | null
  }

const columns = sql`
  l.id, l.kit_id as "kitId", l.order_id as "orderId", l.leg, l.state, l.provider, l.shipment_ref as "shipmentRef", l.rate_ref as "rateRef",
  l.label_ref as "labelRef", l.carrier, l.service, l.number, l.amount_minor as amount, l.currency, l.reason, l.code,
  l.is_withdrawn as "isWithdrawn", l.digest, l.tries, l.asked_at as "askedAt", l.due_at as "dueAt", l.bought_at as "boughtAt",
  l.created_at as "createdAt", l.changed_at as "changedAt", l.media_type as "mediaType", ${fileOf('l')} as file,
  exists (select from kits s where s.realm_id = l.realm_id and s.order_id = l.order_id and s.shipment->l.leg->>'trackingNumber' = l.number)
    as "isOnParcel"`

const labelsWhere = (tx: Tx, which: RawBuilder<unknown>, locking = sql``): Promise<LabelRow[]> =>
  tx.rows(sql<LabelRow>`
    select ${columns} from shipping_labels l where l.realm_id = ${tx.realm.id} and ${which}
    order by l.created_at desc, l.leg desc, l.id ${locking}`)

export const selectLabelsOfKit = (tx: Tx, kitId: string): Promise<LabelRow[]> =>
  labelsWhere(tx, sql`l.kit_id = ${kitId}`)

export const selectLabelsOfOrder = (tx: Tx, orderId: string): Promise<LabelRow[]> =>
  labelsWhere(tx, sql`l.order_id = ${orderId}`)

/** Locks labels of kits, and those with these numbers. Whoever locks kits too has locked them before. */
export const lockLabels = (tx: Tx, kitIds: readonly string[], numbers: readonly string[] = []): Promise<LabelRow[]> =>
  labelsWhere(tx, sql`(l.kit_id = any(${kitIds}) or l.number = any(${numbers}))`, sql`for update of l`)

export async function lockLabel(tx: Tx, id: string): Promise<LabelRow | undefined> {
  const [row] = await labelsWhere(tx, sql`l.id = ${id}`, sql`for update of l`)
  return row
}

/** Writes one label, but for its file. */
export async function saveLabel(tx: Tx, row: LabelRow): Promise<void> {
  const values = sql`
    ${row.state}, ${row.provider}, ${row.shipmentRef}::text, ${row.rateRef}::text, ${row.labelRef}::text, ${row.carrier}::text,
    ${row.service}::text, ${row.number}::text, ${row.amount}::int, ${row.currency}::text, ${row.reason}::text, ${row.code}::text,
    ${row.isWithdrawn}, ${row.digest}::bytea, ${row.tries}, ${row.askedAt}::timestamptz, ${row.dueAt}::timestamptz,
    ${row.boughtAt}::timestamptz, ${tx.now}`
  await tx.run(sql`
    insert into shipping_labels (realm_id, id, kit_id, order_id, live, leg, created_at, state, provider, shipment_ref, rate_ref, label_ref,
      carrier, service, number, amount_minor, currency, reason, code, is_withdrawn, digest, tries, asked_at, due_at, bought_at, changed_at)
    values (${tx.realm.id}, ${row.id}, ${row.kitId}, ${row.orderId}, ${tx.realm.mode === 'live'}, ${row.leg}, ${row.createdAt}, ${values})
    on conflict (realm_id, id) do update set (state, provider, shipment_ref, rate_ref, label_ref, carrier, service, number, amount_minor,
      currency, reason, code, is_withdrawn, digest, tries, asked_at, due_at, bought_at, changed_at) = (${values})`)
}

export async function saveDocument(tx: Tx, id: string, mediaType: string, file: WrittenFile): Promise<void> {
  await insertFile(tx, file)
  await tx.run(sql`
    update shipping_labels set file = ${file.name}, media_type = ${mediaType} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Forgets what was printed. */
export async function dropDocuments(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update shipping_labels set file = null, digest = null where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

export const dropDocumentsBefore = (tx: SystemTx, before: Date, limit: number): Promise<number> =>
  tx.run(sql`
    update shipping_labels set file = null where (realm_id, id) in (
      select realm_id, id from shipping_labels where file is not null and bought_at < ${before} limit ${limit} for update skip locked)`)

const realmOf = sql`jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode)`

/** Kits with labels that are due, those that wait longest first. */
export const selectDue = (tx: SystemTx, limit: number): Promise<{ realm: Realm; kitId: string }[]> =>
  tx.rows(sql<{ realm: Realm; kitId: string }>`
    select ${realmOf} as realm, d.kit_id as "kitId" from (
      select realm_id, kit_id, min(due_at) as due_at from shipping_labels where live and due_at <= ${tx.now} group by 1, 2) d
    join realms r on r.id = d.realm_id order by d.due_at limit ${limit}`)

/** Where a label is, of any business. */
export const selectPlaceOfLabel = (tx: SystemTx, id: string): Promise<{ realm: Realm; kitId: string } | undefined> =>
  tx.maybeRow(sql<{ realm: Realm; kitId: string }>`
    select ${realmOf} as realm, l.kit_id as "kitId" from shipping_labels l join realms r on r.id = l.realm_id
    where l.id = ${id} and l.live`)

/** Where a live kit is sent, with its type. */
export const selectDestination = async (tx: Tx, kitId: string): Promise<Destination | undefined> =>
  (await selectDestinations(tx, [kitId])).get(kitId)

export interface Destination {
  kitType: string
  /** No parcel of it is known, and it is not canceled. */
  isToSend: boolean
  orderId: string
  recipient: Recipient | undefined
}

/** Whether a kit `k` is still to be sent, also if somebody has registered it already. */
export const isToSend: RawBuilder<boolean> = sql`(k.kit_status <> 'canceled' and k.shipment->'toUser' is null)`

/** Of each of these kits, what it is and where it goes. */
export async function selectDestinations(tx: Tx, kitIds: readonly string[]): Promise<Map<string, Destination>> {
  const rows = await tx.rows(sql<
    Omit<Destination, 'recipient'> & { kitId: string; recipient: Parameters<typeof sealedRecipients.open>[2] }
  >`
    select k.id as "kitId", k.kit_type as "kitType", ${isToSend} as "isToSend", o.id as "orderId",
           ${sealedRecipients.of('o')} as recipient
    from kits k join orders o on o.realm_id = k.realm_id and o.id = k.order_id
    where k.realm_id = ${tx.realm.id} and k.id = any(${kitIds})`)
  if (rows.length === 0) return new Map()
  const keys = await keyringOf(tx)
  return new Map(
    rows.map(({ kitId, ...row }) => {
      const recipient = recipientOf(sealedRecipients.open(keys, [row.orderId], row.recipient))
      return [kitId, { ...row, recipient }]
    }),
  )
}

function recipientOf({ firstName, lastName, phone, address }: OrderRecipient): Recipient | undefined {
  if (firstName === null || address === null) return undefined
  return { name: [firstName, lastName].filter(Boolean).join(' '), address, ...(phone && { phone }) }
}

/** A keyed hash of where a parcel goes, to see that it has changed. */
export const digestOf = async (tx: Tx, { name, address }: Recipient): Promise<Buffer> =>
  (await keyringOf(tx)).hash(
    'labels.address',
    JSON.stringify([name, address.street1, address.street2, address.city, address.state, address.zip, address.country]),
  )

/** Kits that have labels, of a person's kits and orders or of orders sent to them. */
export async function selectKitsOf(
  tx: Tx,
  { email, kitIds, orderIds }: { email: string; kitIds: readonly string[]; orderIds: readonly string[] },
): Promise<string[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<{ kitId: string }>`
    select distinct l.kit_id as "kitId" from shipping_labels l join orders o on o.realm_id = l.realm_id and o.id = l.order_id
    where l.realm_id = ${tx.realm.id} and (l.kit_id = any(${kitIds}) or l.order_id = any(${orderIds}) or ${isSentTo(keys, email)})`)
  return rows.map(({ kitId }) => kitId)
}

// A purchase, or a file, that a service takes longer for is not on its way any more.
const AWAITED_MS = 10 * 60_000

/** Whether a person must look at a label `l`. */
export const needsAttention = ({ now }: Pick<SystemTx, 'now'>) => sql`(
  l.state in ('refused', 'voidRefused') or (l.reason in ('price', 'badDocument') and l.state in ('bought', 'used'))
  or (l.state in ('queued', 'bought') and l.due_at is not null
      and coalesce(l.bought_at, l.created_at) < ${new Date(now.getTime() - AWAITED_MS)}))`

interface OfBusiness {
  business: { id: string; name: string }
}
const business = sql`jsonb_build_object('id', b.id, 'name', b.name) as business`

export interface LabelFilter {
  states?: readonly LabelState[] | undefined
  needsAttention?: boolean | undefined
  businessIds?: readonly string[] | undefined
  page: number
  size: number
}

/** Live labels of every business, those that changed last first. */
export async function selectPageOfAll(
  tx: SystemTx,
  { states, needsAttention: isOpen, businessIds, page, size }: LabelFilter,
): Promise<{ rows: (LabelRow & OfBusiness)[]; total: number }> {
  const which = sql`l.live and ${isOneOf(sql`l.state`, states)} ${isOpen ? sql`and ${needsAttention(tx)}` : sql``}
    ${businessIds ? sql`and l.realm_id = any(array(select id from realms where business_id = any(${businessIds}) and mode = 'live'))` : sql``}`
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from shipping_labels l where ${which}`)
  const rows = await tx.rows(sql<LabelRow & OfBusiness>`
    select ${columns}, ${business}
    from shipping_labels l join realms r on r.id = l.realm_id join businesses b on b.id = r.business_id
    where ${which} order by l.changed_at desc, l.id limit ${size} offset ${page * size}`)
  return { rows, total }
}

const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(l.amount_minor) filter (where ${which}), 0)::int`

/** What live labels cost that were bought within these times, by month (UTC), business and currency. */
export const selectCosts = (tx: Queries, from: Date, before: Date): Promise<z.input<typeof LabelCosts>> =>
  tx.rows(sql<z.input<typeof LabelCosts>[number]>`
    select to_char(l.bought_at at time zone 'UTC', 'YYYY-MM') as month, ${business}, l.currency,
      count(*)::int as labels, ${sumOf(sql`l.state <> 'voided' and l.leg = 'toUser'`)} as outbound,
      ${sumOf(sql`l.state <> 'voided' and l.leg = 'toLab'`)} as "onUse", ${sumOf(sql`l.state = 'voided'`)} as voided
    from shipping_labels l join realms r on r.id = l.realm_id join businesses b on b.id = r.business_id
    where l.live and l.bought_at >= ${from} and l.bought_at < ${before} and l.currency is not null
    group by 1, b.id, l.currency order by 1, b.name, b.id, l.currency`)
