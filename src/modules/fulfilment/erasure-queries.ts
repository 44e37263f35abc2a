import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { operatorKeyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { sealedCarrierMessages } from './carrier-queries.ts'

export interface EmptiedMessage {
  trackingNumber: string
  at: Date
  message: string
}

/**
 * Empties messages of carriers about parcels with these orders on their way out, or these kits on their way back: who took a
 * parcel, and where. Events of carriers belong to no realm, so that this runs across realms.
 */
export async function emptyCarrierMessages(
  tx: Tx,
  orderIds: readonly string[],
  kitIds: readonly string[],
): Promise<EmptiedMessage[]> {
  const ofThem = sql`exists (
    select from parcels p where p.number = e.tracking_number and p.realm_id = ${tx.realm.id}
      and (p.kit_id = any(${kitIds}) or (p.leg = 'toUser' and p.order_id = any(${orderIds}))))`
  const rows = await tx.rows(sql<Omit<EmptiedMessage, 'message'> & Stored>`
    with old as (
      select e.id, ${sealedCarrierMessages.of('e')} as value from carrier_events e
      where (e.sealed is not null or e.message is not null) and ${ofThem} for update
    )
    ${emptied} from old where e.id = old.id
    returning e.source, e.event_id as "eventId", e.tracking_number as "trackingNumber", e.at, old.value`)
  const keys = await operatorKeyringOf(tx)
  return rows.map(({ source, eventId, value, ...row }) => ({
    ...row,
    message: sealedCarrierMessages.open(keys, [source, eventId], value).message ?? '',
  }))
}

export const messagesOf = (emptied: readonly EmptiedMessage[]): string[] => emptied.map(({ message }) => message)

interface Stored {
  source: string
  eventId: string
  value: Sealed<{ message: string | null }>
}

const emptied = sql`update carrier_events e set sealed = null, message = null`

/** Messages received before a time, but those of a realm that the condition (of `p.realm_id`) holds back. */
const isOver = (before: Date, isHeldBack: RawBuilder<boolean>) => sql`
  e.received_at <= ${before} and (e.sealed is not null or e.message is not null)
  and not exists (select from parcels p where p.number = e.tracking_number and ${isHeldBack})`

/** Empties up to `limit` messages. Returns how many. */
export const emptyMessagesBefore = (
  tx: SystemTx,
  before: Date,
  isHeldBack: RawBuilder<boolean>,
  limit: number,
): Promise<number> =>
  tx.run(sql`
    ${emptied} where e.id in (
      select e.id from carrier_events e where ${isOver(before, isHeldBack)} order by e.id limit ${limit} for update skip locked)`)

export async function countMessagesBefore(
  tx: SystemTx,
  before: Date,
  isHeldBack: RawBuilder<boolean>,
): Promise<{ due: number; held: number }> {
  return tx.row(sql<{ due: number; held: number }>`
    select count(*)::int as due, count(*) filter (where not (${isOver(before, isHeldBack)}))::int as held
    from carrier_events e where e.received_at <= ${before} and (e.sealed is not null or e.message is not null)`)
}
