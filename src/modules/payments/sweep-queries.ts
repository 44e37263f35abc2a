import { sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { realmColumn } from '../businesses/queries.ts'

export interface InRealm {
  realm: Realm
  id: string
}

/** Payments that are still requested and that nobody asked the gateway about since `before`. */
export function touchStalePayments(tx: SystemTx, before: Date): Promise<InRealm[]> {
  return tx.rows(sql<InRealm>`
    update payments p set checked_at = ${tx.now} from realms r
    where r.id = p.realm_id and p.state = 'requested' and p.checked_at < ${before} returning ${realmColumn}, p.id`)
}

/** Orders whose refund was requested before `before`, oldest first. */
export function selectStaleRefunds(tx: SystemTx, before: Date, limit: number): Promise<InRealm[]> {
  return tx.rows(sql<InRealm>`
    select ${realmColumn}, f.order_id as id from refunds f join realms r on r.id = f.realm_id
    where f.state = 'requested' and f.failed_at is null and f.created_at < ${before} order by f.created_at limit ${limit}`)
}

/** Selects realm_id and key of requests whose answer waits for a payment. */
export const openPaymentKeys = sql`
  select realm_id, idempotency_key as key from payments where state = 'requested' and idempotency_key is not null`

/** The live realm of a payment that is still requested. */
export async function selectRealmOfOpenPayment(tx: SystemTx, paymentId: string): Promise<Realm | undefined> {
  const open = await tx.maybeRow(sql<{ realm: Realm }>`
    select ${realmColumn} from payments p join realms r on r.id = p.realm_id
    where p.id = ${paymentId} and p.state = 'requested' and r.mode = 'live'`)
  return open?.realm
}
