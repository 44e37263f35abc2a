import { sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { realmColumn } from '../businesses/queries.ts'

export interface PaymentMethod {
  id: string
  gateway: 'stripe' | 'simulated'
  customerRef: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

export function selectMethods(tx: Tx): Promise<PaymentMethod[]> {
  return tx.rows(sql<PaymentMethod>`
    select id, gateway, customer_ref as "customerRef", brand, last4, exp_month as "expMonth", exp_year as "expYear",
           is_default as "isDefault"
    from payment_methods where realm_id = ${tx.realm.id} order by is_default desc, attached_at desc, id`)
}

/** Inserts a method as the default one, or makes it that; no other stays the default. */
export async function upsertDefaultMethod(tx: Tx, method: PaymentMethod): Promise<void> {
  const { id, gateway, customerRef, brand, last4, expMonth, expYear } = method
  await tx.run(sql`update payment_methods set is_default = false where realm_id = ${tx.realm.id} and is_default`)
  await tx.run(sql`
    insert into payment_methods (realm_id, id, gateway, customer_ref, brand, last4, exp_month, exp_year, is_default, attached_at)
    values (${tx.realm.id}, ${id}, ${gateway}, ${customerRef}, ${brand}, ${last4}, ${expMonth}, ${expYear}, true, ${tx.now})
    on conflict (realm_id, id) do update set is_default = true, attached_at = excluded.attached_at`)
}

/** Returns how many there were: one or none. */
export function deleteMethod(tx: Tx, id: string): Promise<number> {
  return tx.run(db.deleteFrom('payment_methods').where('realm_id', '=', tx.realm.id).where('id', '=', id))
}

export interface CardSession {
  id: string
  gateway: 'stripe' | 'simulated'
  customerRef: string
  /** The gateway's own ID of the card that is being added. */
  setupRef: string
  state: 'open' | 'saved' | 'ended'
  expiresAt: Date
}

const columns = sql`s.id, s.gateway, s.customer_ref as "customerRef", s.setup_ref as "setupRef", s.state,
  s.expires_at as "expiresAt"`

export async function insertSession(tx: Tx, session: CardSession, secretHash: Buffer): Promise<void> {
  const { id, gateway, customerRef, setupRef, state, expiresAt } = session
  await tx.run(sql`
    insert into card_sessions (realm_id, id, secret_hash, gateway, customer_ref, setup_ref, state, created_at, expires_at)
    values (${tx.realm.id}, ${id}, ${secretHash}, ${gateway}, ${customerRef}, ${setupRef}, ${state}, ${tx.now}, ${expiresAt})`)
}

/** Whose page an address is. */
export function selectSessionOfSecret(
  tx: SystemTx,
  secretHash: Buffer,
): Promise<(CardSession & { realm: Realm; businessName: string }) | undefined> {
  return tx.maybeRow(sql<CardSession & { realm: Realm; businessName: string }>`
    select ${columns}, ${realmColumn}, b.name as "businessName"
    from card_sessions s join realms r on r.id = s.realm_id join businesses b on b.id = r.business_id
    where s.secret_hash = ${secretHash}`)
}

export function selectSession(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<CardSession | undefined> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  return tx.maybeRow(sql<CardSession>`
    select ${columns} from card_sessions s where s.realm_id = ${tx.realm.id} and s.id = ${id} ${forUpdate}`)
}

export async function updateSession(tx: Tx, id: string, state: 'saved' | 'ended'): Promise<void> {
  await tx.run(sql`update card_sessions set state = ${state} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Removes sessions that ended before. */
export async function deleteSessions(tx: Tx, before: Date): Promise<void> {
  await tx.run(sql`
    delete from card_sessions where realm_id = ${tx.realm.id} and state <> 'open' and expires_at < ${before}`)
}
