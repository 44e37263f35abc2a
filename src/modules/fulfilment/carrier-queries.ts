import { sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { operatorKeyringOf, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { type CarrierStatus, type Leg, returnStatuses } from './rules.ts'
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

/** What a carrier says in words may name who took a parcel, and where. It comes before its business is known. */
export const sealedCarrierMessages = sealedColumns<{ message: string | null }>({
  table: 'carrier_events',
  key: { source: 'text', event_id: 'text' },
  realm: null,
  clear: { message: 'message' },
})

const eventColumns = sql`
  id, source, event_id as "eventId", tracking_number as "trackingNumber", status, at,
  ${sealedCarrierMessages.of('carrier_events')} as value`

type Stored<Row extends StoredEvent> = Omit<Row, 'message'> & {
  source: string
  value: Sealed<{ message: string | null }>
}

async function opened<Row extends StoredEvent>(tx: SystemTx, rows: readonly Stored<Row>[]) {
  const keys = await operatorKeyringOf(tx)
  return rows.map(({ value, ...event }) => {
    const { message } = sealedCarrierMessages.open(keys, [event.source, event.eventId], value)
    return { ...event, ...(message !== null && { message }) }
  })
}

/** Inserts events that are new, and returns them. */
export async function insertEvents(tx: SystemTx, source: string, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const keys = await operatorKeyringOf(tx)
  const sealed = events.map(({ message, ...event }) => ({
    ...event,
    ...(message !== undefined && { sealed: sealedCarrierMessages.seal(keys, [source, event.eventId], { message }) }),
  }))
  const rows = await tx.rows(sql<Stored<StoredEvent>>`
    insert into carrier_events (source, event_id, tracking_number, status, sealed, at, outcome, received_at)
    select ${source}, e."eventId", e."trackingNumber", e.status, e.sealed, e.at, 'unmatched', ${tx.now}
    from json_to_recordset(${JSON.stringify(sealed)}::json)
      as e("eventId" text, "trackingNumber" text, status text, sealed bytea, at timestamptz)
    order by e."eventId"
    on conflict (source, event_id) do nothing
    returning ${eventColumns}`)
  return opened(tx, rows)
}

/** Events about these numbers from before the numbers were known. */
export async function selectWaitingEvents(
  tx: SystemTx,
  numbers: readonly string[],
  since: Date,
): Promise<StoredEvent[]> {
  const rows = await tx.rows(sql<Stored<StoredEvent>>`
    select ${eventColumns} from carrier_events
    where tracking_number = any(${numbers}) and outcome = 'unmatched' and received_at >= ${since}`)
  return opened(tx, rows)
}

export interface TrackedParcel {
  number: string
  leg: Leg
  realm: Realm
  toldAt: Date | null
  deliveredAt: Date | null
  /** Since when its carrier sends it back to the sender. */
  returningSince: Date | null
}

/** Locks parcels in the order of their numbers. */
export function lockParcels(tx: SystemTx, numbers: readonly string[]): Promise<TrackedParcel[]> {
  return tx.rows(sql<TrackedParcel>`
    select p.number, p.leg, p.told_at as "toldAt", p.delivered_at as "deliveredAt",
           (select min(e.at) from carrier_events e
            where e.tracking_number = p.number and e.status = any(case p.leg when 'toUser' then ${returnStatuses.toUser}::text[] else ${returnStatuses.toLab}::text[] end) and e.at >= p.created_at - interval '30 days') as "returningSince",
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
  outcomes?: readonly Outcome[] | undefined
  trackingNumbers?: readonly string[] | undefined
  page: number
  size: number
}

/** Events of carriers, newest first. */
export async function selectEvents(tx: SystemTx, filter: EventFilter): Promise<{ rows: EventRow[]; total: number }> {
  const where = sql`${isOneOf(sql`outcome`, filter.outcomes)} and ${isOneOf(sql`tracking_number`, filter.trackingNumbers)}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from carrier_events where ${where}`)
  const rows = await tx.rows(sql<Stored<EventRow>>`
    select ${eventColumns}, outcome, received_at as "receivedAt" from carrier_events where ${where}
    order by id desc limit ${filter.size} offset ${filter.page * filter.size}`)
  return { rows: await opened(tx, rows), total }
}
