import { sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import type { CarrierStatus, Leg } from './rules.ts'
import type { Outcome } from './schema.ts'

export interface NewEvent {
  eventId: string
  trackingNumber: string
  status: CarrierStatus
  at: Date
  message?: string
}

export interface StoredEvent extends NewEvent {
  id: number
}

const eventColumns = sql`id, event_id as "eventId", tracking_number as "trackingNumber", status, at, message`

/** Inserts events that are new, and returns them. */
export function insertEvents(tx: SystemTx, source: string, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  return tx.rows(sql<StoredEvent>`
    insert into carrier_events (source, event_id, tracking_number, status, message, at, outcome, received_at)
    select ${source}, e."eventId", e."trackingNumber", e.status, e.message, e.at, 'unmatched', ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e("eventId" text, "trackingNumber" text, status text, message text, at timestamptz)
    order by e."eventId"
    on conflict (source, event_id) do nothing
    returning ${eventColumns}`)
}

/** Events about these numbers from before the numbers were known. */
export function selectWaitingEvents(tx: SystemTx, numbers: readonly string[], since: Date): Promise<StoredEvent[]> {
  return tx.rows(sql<StoredEvent>`
    select ${eventColumns} from carrier_events
    where tracking_number = any(${numbers}) and outcome = 'unmatched' and received_at >= ${since}`)
}

export interface TrackedParcel {
  number: string
  leg: Leg
  realm: Realm
  toldAt: Date | null
  deliveredAt: Date | null
}

/** Locks parcels in the order of their numbers. */
export function lockParcels(tx: SystemTx, numbers: readonly string[]): Promise<TrackedParcel[]> {
  return tx.rows(sql<TrackedParcel>`
    select p.number, p.leg, p.told_at as "toldAt", p.delivered_at as "deliveredAt",
           jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from parcels p join realms r on r.id = p.realm_id
    where p.number = any(${numbers}) order by p.number for update of p`)
}

/** Which kits are in which parcel. */
export function selectContents(
  tx: SystemTx,
  numbers: readonly string[],
): Promise<{ number: string; realmId: number; kitId: string }[]> {
  return tx.rows(sql<{ number: string; realmId: number; kitId: string }>`
    select p.number, k.realm_id as "realmId", k.id as "kitId"
    from parcels p join kits k on k.realm_id = p.realm_id and k.order_id = p.order_id
      and (k.id = p.kit_id or (p.leg = 'toUser' and k.shipment->'toUser'->>'trackingNumber' = p.number))
    where p.number = any(${numbers}) order by k.id`)
}

export async function saveParcels(tx: SystemTx, parcels: readonly TrackedParcel[]): Promise<void> {
  await tx.run(sql`
    update parcels p set told_at = t."toldAt", delivered_at = t."deliveredAt"
    from jsonb_to_recordset(${JSON.stringify(parcels)}::jsonb)
      as t(number text, "toldAt" timestamptz, "deliveredAt" timestamptz)
    where p.number = t.number`)
}

export async function saveOutcomes(tx: SystemTx, outcomes: ReadonlyMap<number, Outcome>): Promise<void> {
  await tx.run(sql`
    update carrier_events e set outcome = o.outcome
    from unnest(${[...outcomes.keys()]}::bigint[], ${[...outcomes.values()]}::text[]) as o(id, outcome)
    where e.id = o.id`)
}

export interface EventRow extends StoredEvent {
  source: string
  outcome: Outcome
  receivedAt: Date
}

export interface EventFilter {
  outcome?: Outcome
  trackingNumber?: string
  page: number
  size: number
}

/** Events of carriers, newest first. */
export async function selectEvents(tx: SystemTx, filter: EventFilter): Promise<{ rows: EventRow[]; total: number }> {
  const where = sql.join(
    [
      sql`true`,
      ...(filter.outcome ? [sql`outcome = ${filter.outcome}`] : []),
      ...(filter.trackingNumber ? [sql`tracking_number = ${filter.trackingNumber}`] : []),
    ],
    sql` and `,
  )
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from carrier_events where ${where}`)
  const rows = await tx.rows(sql<EventRow>`
    select ${eventColumns}, source, outcome, received_at as "receivedAt" from carrier_events where ${where}
    order by id desc limit ${filter.size} offset ${filter.page * filter.size}`)
  return { rows, total }
}
