import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { preparing } from '../businesses/tally-queries.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { Address } from '../orders/address-schema.ts'
import type { BoughtLabel } from './bought-label.ts'
import type { PackKit, Parcel } from './rules.ts'

// An arbitrary constant.
const PACKING_LOCK = 704_553_214

/** Lets one packer ship at a time, so that taken numbers are known before anything is written. */
export async function lockPacking(tx: SystemTx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${PACKING_LOCK})`)
}

/** Lets carrier events be applied beside each other, but not while parcels are being made. */
export async function lockAgainstPacking(tx: SystemTx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${PACKING_LOCK})`)
}

const realmOf = (alias: string) =>
  sql`jsonb_build_object('id', ${sql.ref(alias)}.id, 'businessId', ${sql.ref(alias)}.business_id, 'mode', ${sql.ref(alias)}.mode)`

export interface LockedKit extends PackKit {
  kitId: string
  realm: Realm
}

/** Locks live kits of any business, in the order of their IDs. */
export function lockLiveKits(tx: SystemTx, kitIds: readonly string[]): Promise<LockedKit[]> {
  return tx.rows(sql<LockedKit>`
    select k.id as "kitId", k.realm_id as "realmId", k.order_id as "orderId", k.kit_type as "kitType", k.kit_status as "kitStatus", k.shipment,
           ${realmOf('r')} as realm
    from kits k join realms r on r.id = k.realm_id
    where k.id = any(${kitIds}) and r.mode = 'live' order by k.id for update of k`)
}

// Carriers reuse numbers, USPS after some months: after a year a number means another parcel.
const NUMBER_REUSED_AFTER_MS = 365 * 24 * 3600 * 1000

/** Locks the labels that were bought with these numbers, by their numbers. `next`: what their kit is shipped with instead. */
export async function lockBoughtLabels(
  tx: SystemTx,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, BoughtLabel>> {
  const since = new Date(tx.now.getTime() - NUMBER_REUSED_AFTER_MS)
  const rows = await tx.rows(sql<BoughtLabel>`
    select l.number, l.realm_id as "realmId", l.order_id as "orderId", l.kit_id as "kitId", l.leg, l.state, l.carrier,
           k.kit_status as "kitStatus",
           (select n.number from shipping_labels n where n.realm_id = l.realm_id and n.kit_id = l.kit_id and n.leg = l.leg
            and n.state = 'bought') as next
    from shipping_labels l join kits k on k.realm_id = l.realm_id and k.id = l.kit_id
    where l.live and l.number = any(${numbers}) and l.bought_at > ${since} order by l.bought_at, l.id for update of l`)
  return new Map(rows.map((row) => [row.number, row]))
}

/** The return labels that were bought for kits, which are locked, and are on no shipment, by their kits. */
export async function selectReturnLabels(tx: SystemTx, kits: readonly LockedKit[]): Promise<Map<string, string>> {
  const without = kits.filter(({ shipment }) => shipment.toLab === undefined)
  const rows = await tx.rows(sql<{ kitId: string; number: string }>`
    select kit_id as "kitId", number from shipping_labels
    where live and realm_id = any(${[...new Set(without.map(({ realmId }) => realmId))]})
      and kit_id = any(${without.map(({ kitId }) => kitId)}) and leg = 'toLab' and state = 'bought'`)
  return new Map(rows.map(({ kitId, number }) => [kitId, number]))
}

/** Parcels of these numbers, of any business. */
export function selectParcels(tx: SystemTx, numbers: readonly string[]): Promise<Parcel[]> {
  return tx.rows(sql<Parcel>`
    select number, realm_id as "realmId", leg, carrier, order_id as "orderId", kit_id as "kitId"
    from parcels where number = any(${numbers})`)
}

/** Deletes parcels so old that carriers reuse their numbers. */
export async function deleteOldParcels(tx: SystemTx, numbers: readonly string[]): Promise<void> {
  const before = new Date(tx.now.getTime() - NUMBER_REUSED_AFTER_MS)
  await tx.run(sql`delete from parcels where number = any(${numbers}) and created_at < ${before}`)
}

/** Writes parcels that are new; several kits of an order may name the same one. */
export async function insertParcels(tx: SystemTx, parcels: readonly Parcel[]): Promise<void> {
  await tx.run(sql`
    insert into parcels (realm_id, number, carrier, leg, order_id, kit_id, created_at)
    select p."realmId", p.number, p.carrier, p.leg, p."orderId", p."kitId", ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(parcels)}::jsonb)
      as p("realmId" int, number text, carrier text, leg text, "orderId" text, "kitId" text)
    on conflict (realm_id, number) do nothing`)
}

/** Whether any carrier event is about these parcels. */
export async function hasCarrierEvents(tx: SystemTx, numbers: readonly string[]): Promise<boolean> {
  const known = sql`select 1 from parcels where number = any(${numbers}) and told_at is not null limit 1`
  return (await tx.maybeRow(known)) !== undefined
}

/** Frees the numbers of an order that none of its kits has any more. */
export async function deleteParcelsOf(tx: SystemTx, realmId: number, orderId: string): Promise<void> {
  await tx.run(sql`
    delete from parcels p where p.realm_id = ${realmId} and p.order_id = ${orderId} and not exists (
      select from kits k where k.realm_id = p.realm_id and k.order_id = p.order_id
        and p.number in (k.shipment->'toUser'->>'trackingNumber', k.shipment->'toLab'->>'trackingNumber'))`)
}

export interface PackRow {
  kitId: string
  kitType: string
  panelName: string
  orderId: string
  businessId: string
  businessName: string
  firstName: string | null
  lastName: string | null
  phone: string | null
  address: Address | null
  createdAt: Date
  kitsInOrder: number
  replacementFor: string | null
}

type ToAddress = Pick<Recipient, 'firstName' | 'lastName' | 'phone' | 'address'>

/** A row with its order's recipient as it was read. */
type Unopened<Row extends ToAddress> = Omit<Row, keyof ToAddress> & {
  realmId: number
  orderId: string
  recipient: Sealed<Recipient>
}

const recipientColumns = sql`o.realm_id as "realmId", o.id as "orderId", ${sealedRecipients.of('o')} as recipient`

async function opened<Row extends { realmId: number; orderId: string; recipient: Sealed<Recipient> }>(
  tx: SystemTx,
  rows: readonly Row[],
): Promise<(Omit<Row, 'recipient' | 'realmId'> & ToAddress)[]> {
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ recipient, realmId, ...row }) => {
    const keys = keyringIn(keyrings, realmId)
    const { firstName, lastName, phone, address } = sealedRecipients.open(keys, [row.orderId], recipient)
    return { ...row, firstName, lastName, phone, address }
  })
}

const isAtWarehouse = sql`select from warehouse_orders w where w.realm_id = k.realm_id and w.kit_id = k.id and w.is_there`

/** A kit `k` that waits to be packed here. */
export const waits = sql`k.live and k.kit_status = 'preparing' and not exists (${isAtWarehouse})`

/** Of these kits, whose rows are locked already, those that a warehouse packs. */
export async function selectAtWarehouse(tx: SystemTx, kitIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select k.id from kits k where k.id = any(${kitIds}) and exists (${isAtWarehouse})`)
  return new Set(rows.map(({ id }) => id))
}

/** Whether a person recorded a parcel of this kit that left a warehouse, and the boxes that the warehouse names of what left. */
export const selectLeftWarehouse = (tx: Tx, kitId: string) =>
  tx.maybeRow(sql<{ isByHand: boolean; serials: string[] }>`
    select before_record is not null as "isByHand", jsonb_path_query_array(
      jsonb_build_array(parcels, before_record->'parcels'), '$[*][*].serials[*]') as serials from warehouse_orders
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and (state = 'shipped' or number is not null)`)

export const ofBusinesses = (ids?: readonly string[]) =>
  ids
    ? sql`and k.realm_id = any(array(select id from realms where business_id = any(${ids}) and mode = 'live'))`
    : sql``

/** Live kits that wait to be packed, oldest first; those of an order stand together. */
export async function selectQueue(
  tx: SystemTx,
  query: { businessIds?: readonly string[] | undefined; kitId?: string; page: number; size: number },
): Promise<PackRow[]> {
  const { businessIds, kitId, page, size } = query
  const one = kitId === undefined ? sql`` : sql`and k.id = ${kitId}`
  const rows = await tx.rows(sql<Unopened<PackRow>>`
    with oldest as materialized (
      select k.realm_id, k.id, k.seq, k.order_id, k.kit_type, k.created_at, k.replacement_for from kits k
      where ${waits} ${ofBusinesses(businessIds)} ${one}
      order by k.created_at, k.realm_id, k.seq limit ${size} offset ${page * size}),
    together as materialized (
      select d.realm_id, d.order_id, (select count(*) from kits s where s.realm_id = d.realm_id and s.order_id = d.order_id
                                        and s.kit_status = 'preparing') as kits
      from (select distinct realm_id, order_id from oldest) d)
    select k.id as "kitId", k.kit_type as "kitType", p.name as "panelName", b.id as "businessId",
           b.name as "businessName", ${recipientColumns}, k.created_at as "createdAt", k.replacement_for as "replacementFor",
           t.kits as "kitsInOrder"
    from oldest k join together t on t.realm_id = k.realm_id and t.order_id = k.order_id
    join realms r on r.id = k.realm_id join businesses b on b.id = r.business_id
    join orders o on o.realm_id = k.realm_id and o.id = k.order_id join panels p on p.kit_type = k.kit_type
    order by k.created_at, k.realm_id, k.seq`)
  return opened(tx, rows)
}

/** How many live kits wait to be packed here: those that warehouses pack are none of them. */
export const waiting = (businessIds?: readonly string[]) => sql<number>`(${preparing(businessIds)} - (
  select count(*) from warehouse_orders w join kits k on k.realm_id = w.realm_id and k.id = w.kit_id
  where w.is_there and k.kit_status = 'preparing' ${ofBusinesses(businessIds)}))`

export const countQueue = async (tx: SystemTx, businessIds?: readonly string[]): Promise<number> =>
  (await tx.row(sql<{ total: number }>`select ${waiting(businessIds)} as total`)).total

export interface ScanRow {
  kitId: string
  realm: Realm
  businessName: string
  panelName: string
  accession: string | null
  deliveredAt: Date | null
  lacksConsent: boolean
  firstName: string | null
  lastName: string | null
  phone: string | null
  address: Address | null
}

/** Live kits that a code on a box, a label or a tube means: a kit, or all of one parcel. */
export async function selectScanned(
  tx: SystemTx,
  code: { kitId: string; text: string; number: string },
): Promise<ScanRow[]> {
  const rows = await tx.rows(sql<Unopened<ScanRow>>`
    with meant as (
      select realm_id, id from kits where id = ${code.kitId} or accession = ${code.text}
      union
      select realm_id, kit_id from lab_order_messages where filler_numbers @> array[${code.text}]
      union
      select k.realm_id, k.id from parcels p join kits k on k.realm_id = p.realm_id and k.order_id = p.order_id
        and (k.id = p.kit_id or (p.leg = 'toUser' and k.shipment->'toUser'->>'trackingNumber' = p.number))
      where p.number = ${code.number})
    select k.id as "kitId", ${realmOf('r')} as realm, b.name as "businessName", t.name as "panelName", k.accession,
           ${recipientColumns},
           (select max(p.delivered_at) from parcels p
            where p.realm_id = k.realm_id and p.order_id = k.order_id and p.kit_id = k.id) as "deliveredAt",
           r.require_consent and not exists (
             select from consents c where c.realm_id = k.realm_id and c.kit_id = k.id) as "lacksConsent"
    from meant join kits k using (realm_id, id) join realms r on r.id = k.realm_id and r.mode = 'live'
    join businesses b on b.id = r.business_id join panels t on t.kit_type = k.kit_type
    join orders o on o.realm_id = k.realm_id and o.id = k.order_id
    order by k.id = ${code.kitId} desc, k.seq`)
  return opened(tx, rows)
}
