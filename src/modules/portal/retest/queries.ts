import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { isSentTo, mayBeSentTo, type Recipient, sealedRecipients } from '../../kits/recipient-queries.ts'

export interface RetestKey {
  customerId: number
  kitType: string
}

export interface RetestRow {
  refusedAt: Date | null
  /** Of the latest order; null without one. */
  orderId: string | null
  orderedAt: Date | null
  status: 'created' | 'pending' | 'canceled' | null
  /** Whether one of its kits may still lead to a report. */
  isUnderWay: boolean
  /** A provider refused it. */
  isDeclined: boolean
}

const key = (tx: Tx, { customerId, kitType }: RetestKey) =>
  sql`t.realm_id = ${tx.realm.id} and t.customer_id = ${customerId} and t.kit_type = ${kitType}`

/** What a person ordered of a panel, the last time. */
export function selectRetest(tx: Tx, of: RetestKey): Promise<RetestRow | undefined> {
  return tx.maybeRow(sql<RetestRow>`
    select t.refused_at as "refusedAt", o.id as "orderId", o.created_at as "orderedAt", o.status,
           coalesce(o.status = 'pending' or exists (
             select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and k.replaced_by is null
               and k.kit_status <> 'canceled' and k.report_status not in ('published', 'rejected')), false) as "isUnderWay",
           coalesce(o.approval_state = 'refused', false) as "isDeclined"
    from retests t left join orders o on o.realm_id = t.realm_id and o.id = t.order_id where ${key(tx, of)}`)
}

/** Anyone who orders the same waits here until this transaction ends. */
export async function lockRetest(tx: Tx, { customerId, kitType }: RetestKey): Promise<void> {
  await tx.run(sql`
    insert into retests (realm_id, customer_id, kit_type) values (${tx.realm.id}, ${customerId}, ${kitType})
    on conflict (realm_id, customer_id, kit_type) do update set kit_type = excluded.kit_type`)
}

/** Of one that is locked. */
export async function updateRetest(tx: Tx, of: RetestKey, change: { orderId: string } | { refusedAt: Date }) {
  const set = 'orderId' in change ? sql`order_id = ${change.orderId}` : sql`refused_at = ${change.refusedAt}`
  await tx.run(sql`update retests t set ${set} where ${key(tx, of)}`)
}

/** To whom the newest order for this e-mail address was sent. */
export async function selectLastRecipient(tx: Tx, email: string): Promise<Recipient | undefined> {
  const keys = await keyringOf(tx)
  const row = await tx.maybeRow(sql<{ id: string; recipient: Sealed<Recipient> }>`
    select o.id, ${sealedRecipients.of('o')} as recipient from orders o
    where o.realm_id = ${tx.realm.id} and o.id = any(array(${await mayBeSentTo(tx, email)})) and ${isSentTo(keys, email)}
    order by o.seq desc limit 1`)
  return row && sealedRecipients.open(keys, [row.id], row.recipient)
}
