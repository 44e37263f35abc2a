import { sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { isRecalled } from '../kits/recall-queries.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { Shipment } from '../kits/schema.ts'
import { openStates, type ParcelOutcome, type Undelivered, type UndeliveredState } from './decision.ts'

/** Minor units by currency. */
export type PostageSums = Record<string, number>

export interface UndeliveredRow extends Undelivered {
  kitId: string
  orderId: string
  since: Date
  changedAt: Date
  times: number
  postage: PostageSums
  /** Of its kit. */
  shipment: Shipment
  replacedBy: string | null
  linkExpiresAt: Date | null
  /** As far as anybody knows, nobody has the box. */
  isWithNobody: boolean
  /** Nobody has registered its kit, so that a new one may be sent in its place. */
  isReplaceable: boolean
  /** Its order has no recipient any more. */
  isErased: boolean
  isRecalled: boolean
}

const columns = sql`
  u.kit_id as "kitId", u.order_id as "orderId", u.outcome, u.state, u.is_here as "isHere", u.since, u.changed_at as "changedAt",
  u.times, u.postage, u.link_expires_at as "linkExpiresAt",
  u.is_with_nobody as "isWithNobody",
  k.kit_status in ('inTransit', 'delivered', 'deliveryException') and k.replaced_by is null as "isReplaceable", k.shipment,
  k.replaced_by as "replacedBy", ${isRecalled} as "isRecalled",
  not exists (select from orders o where o.realm_id = u.realm_id and o.id = u.order_id
    and (o.sealed is not null or o.address is not null)) as "isErased"`
const withKit = sql`undelivered_kits u join kits k on k.realm_id = u.realm_id and k.id = u.kit_id`

/** What is known of kits; their callers have locked them. */
export function selectOfKits(tx: Tx, kitIds: readonly string[]): Promise<UndeliveredRow[]> {
  return tx.rows(sql<UndeliveredRow>`
    select ${columns} from ${withKit} where u.realm_id = ${tx.realm.id} and u.kit_id = any(${kitIds}) order by u.kit_id`)
}

/** The same of the kits of an order. */
export function selectOfOrder(tx: Tx, orderId: string): Promise<UndeliveredRow[]> {
  return tx.rows(sql<UndeliveredRow>`
    select ${columns} from ${withKit} where u.realm_id = ${tx.realm.id} and u.order_id = ${orderId} order by u.kit_id`)
}

export type SavedRow = Omit<
  UndeliveredRow,
  'shipment' | 'replacedBy' | 'linkExpiresAt' | 'isWithNobody' | 'isReplaceable' | 'isErased' | 'isRecalled'
>

/** Writes what became of boxes: a fixed number of statements for any number of them. */
export async function saveRows(tx: Tx, rows: readonly SavedRow[]): Promise<void> {
  if (rows.length === 0) return
  const isLive = tx.realm.mode === 'live'
  await tx.run(sql`
    insert into undelivered_kits (realm_id, kit_id, order_id, live, outcome, state, is_here, since, changed_at, times, postage)
    select ${tx.realm.id}, r."kitId", r."orderId", ${isLive}, r.outcome, r.state, r."isHere", r.since, r."changedAt", r.times, r.postage
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("kitId" text, "orderId" text, outcome text, state text,
      "isHere" boolean, since timestamptz, "changedAt" timestamptz, times int, postage jsonb)
    on conflict (realm_id, kit_id) do update set
      outcome = excluded.outcome, state = excluded.state, is_here = excluded.is_here, since = excluded.since,
      changed_at = excluded.changed_at, times = excluded.times, postage = excluded.postage`)
}

/** Forgets kits of a sandbox that begin their life again. */
export async function deleteOfKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from undelivered_kits where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

export interface UndeliveredFilter {
  states?: readonly UndeliveredState[] | undefined
  outcomes?: readonly ParcelOutcome[] | undefined
  kitIds?: readonly string[] | undefined
  page: number
  size: number
}

const where = ({ states = openStates, outcomes, kitIds }: UndeliveredFilter) =>
  sql`${isOneOf(sql`u.state`, states)} and ${isOneOf(sql`u.outcome`, outcomes)} and ${isOneOf(sql`u.kit_id`, kitIds)}`

const partOf = ({ page, size }: UndeliveredFilter) => sql`limit ${size} offset ${page * size}`

/** Boxes of this realm, those that wait longest first. */
export async function selectPage(
  tx: Tx,
  filter: UndeliveredFilter,
): Promise<{ rows: UndeliveredRow[]; total: number }> {
  const which = sql`u.realm_id = ${tx.realm.id} and ${where(filter)}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from undelivered_kits u where ${which}`,
  )
  const rows = await tx.rows(sql<UndeliveredRow>`
    select ${columns} from ${withKit} where ${which} order by u.since, u.kit_id ${partOf(filter)}`)
  return { rows, total }
}

export interface UndeliveredOfAllRow extends UndeliveredRow {
  businessId: string
  businessName: string
  panelName: string
  recipient: Recipient
}

type Unopened = Omit<UndeliveredOfAllRow, 'recipient'> & { realmId: number; recipient: Sealed<Recipient> }

async function opened(tx: SystemTx, rows: readonly Unopened[]): Promise<UndeliveredOfAllRow[]> {
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, recipient, ...row }) => ({
    ...row,
    recipient: sealedRecipients.open(keyringIn(keyrings, realmId), [row.orderId], recipient),
  }))
}

/** Live boxes of every business, those that wait longest first. */
export async function selectPageOfAll(
  tx: SystemTx,
  filter: UndeliveredFilter & { businessIds?: readonly string[] | undefined },
): Promise<{ rows: UndeliveredOfAllRow[]; total: number }> {
  const { businessIds, kitIds } = filter
  const ofBusinesses = businessIds
    ? sql`and u.realm_id = any(array(select id from realms where business_id = any(${businessIds}) and mode = 'live'))`
    : sql``
  const which =
    kitIds === undefined ? sql`u.live and ${where(filter)} ${ofBusinesses}` : sql`u.live and u.kit_id = any(${kitIds})`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from undelivered_kits u where ${which}`,
  )
  const rows = await tx.rows(sql<Unopened>`
    with oldest as materialized (
      select * from undelivered_kits u where ${which} order by u.since, u.realm_id, u.kit_id ${partOf(filter)})
    select ${columns}, b.id as "businessId", b.name as "businessName", p.name as "panelName", o.realm_id as "realmId",
           ${sealedRecipients.of('o')} as recipient
    from oldest u join kits k on k.realm_id = u.realm_id and k.id = u.kit_id
    join realms r on r.id = u.realm_id join businesses b on b.id = r.business_id
    join orders o on o.realm_id = u.realm_id and o.id = u.order_id join panels p on p.kit_type = k.kit_type
    order by u.since, u.realm_id, u.kit_id`)
  return { rows: await opened(tx, rows), total }
}

/** Whether a packer has one of these kits in hand. */
export async function isInPackersHand(tx: Tx, kitIds: readonly string[]): Promise<boolean> {
  const row = await tx.maybeRow(sql`
    select from pack_claims
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and expires_at > ${tx.now} limit 1`)
  return row !== undefined
}

/** Makes a link the newest of a box: an earlier one ends. */
export async function saveLink(tx: Tx, kitId: string, hash: Buffer, expiresAt: Date): Promise<void> {
  await tx.run(sql`
    update undelivered_kits set link_hash = ${hash}, link_expires_at = ${expiresAt}
    where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
}

/** Whose link this is; undefined for an unknown one, and for one that has ended. */
export function selectLink(tx: SystemTx, hash: Buffer): Promise<{ kitId: string; realm: Realm } | undefined> {
  return tx.maybeRow(sql<{ kitId: string; realm: Realm }>`
    select u.kit_id as "kitId", jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from undelivered_kits u join realms r on r.id = u.realm_id
    where u.link_hash = ${hash} and u.link_expires_at > ${tx.now}`)
}

/** Ends the links of orders, whose person is erased. */
export async function endLinks(tx: Tx, orderIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update undelivered_kits set link_hash = null, link_expires_at = null
    where realm_id = ${tx.realm.id} and order_id = any(${orderIds}) and link_hash is not null`)
}

/** Moves times of this sandbox back by `ms` milliseconds. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`
    update undelivered_kits set since = since - ${back}, link_expires_at = link_expires_at - ${back}
    where realm_id = ${tx.realm.id}`)
}
