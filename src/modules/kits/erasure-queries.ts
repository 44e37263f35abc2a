import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Who is erased, before anything of it is gone. */
export interface ErasedPerson {
  id: number
  email: string
}

/** Kits of the person, also those whose registration waits for a human. Locked in the order that a registration locks. */
export function lockKitsOfPerson(tx: Tx, { id, email }: ErasedPerson): Promise<{ id: string; orderId: string }[]> {
  return tx.rows(sql<{ id: string; orderId: string }>`
    select id, order_id as "orderId" from kits
    where realm_id = ${tx.realm.id} and (customer_id = ${id} or lower(registered_email) = lower(${email}))
    order by id for update`)
}

export interface BlankedKit {
  email: string | null
  /** As the person typed it. */
  registration: unknown
}

/** Takes the person off their kits; returns what the kits knew. */
export function blankKits(tx: Tx, kitIds: readonly string[]): Promise<BlankedKit[]> {
  return tx.rows(sql<BlankedKit>`
    with old as (
      select id, registered_email, registration from kits where realm_id = ${tx.realm.id} and id = any(${kitIds})
    )
    update kits k set customer_id = null, registered_email = null, registration = null
    from old where k.realm_id = ${tx.realm.id} and k.id = old.id
    returning old.registered_email as email, old.registration`)
}

export interface BlankedConsent {
  firstName: string | null
  lastName: string | null
  email: string | null
}

/** Consents for the kits, and by the person for kits of others: that and when stays, by whom does not. */
export function blankConsents(tx: Tx, kitIds: readonly string[], email: string): Promise<BlankedConsent[]> {
  return tx.rows(sql<BlankedConsent>`
    with old as (
      select id, first_name, last_name, email from consents
      where realm_id = ${tx.realm.id} and (kit_id = any(${kitIds}) or lower(email) = lower(${email})) for update
    )
    update consents c set first_name = null, last_name = null, email = null, ip = null
    from old where c.realm_id = ${tx.realm.id} and c.id = old.id
    returning old.first_name as "firstName", old.last_name as "lastName", old.email`)
}
