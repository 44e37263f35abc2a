import { sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Tx } from '../../platform/database/tx.ts'

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
