import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

export interface BlankedOrder {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
  phone: string | null
  address: unknown
}

/** Orders that were sent to the person: by e-mail, and orders of their kits also by name. */
export function blankOrders(
  tx: Tx,
  { email, name }: { email: string; name: string },
  orderIds: readonly string[],
): Promise<BlankedOrder[]> {
  return tx.rows(sql<BlankedOrder>`
    with old as (
      select id, first_name, last_name, email, phone, address from orders
      where realm_id = ${tx.realm.id} and (lower(email) = lower(${email})
        or (id = any(${orderIds}) and lower(first_name || ' ' || last_name) = lower(${name})))
      order by id for update
    )
    update orders o set first_name = null, last_name = null, email = null, phone = null, address = null
    from old where o.realm_id = ${tx.realm.id} and o.id = old.id
    returning old.id, old.first_name as "firstName", old.last_name as "lastName", old.email, old.phone, old.address`)
}

/** The business's own number of an order stays, unless it is the person's. */
export async function blankExternalId(tx: Tx, orderIds: readonly string[], externalId: string): Promise<void> {
  await tx.run(sql`
    update orders set external_id = null
    where realm_id = ${tx.realm.id} and id = any(${orderIds}) and external_id = ${externalId}`)
}
