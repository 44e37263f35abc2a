import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Consenter, consentedBy, sealedConsents } from './consent-queries.ts'
import {
  isRegisteredTo,
  type KitReason,
  openKits,
  type RegisteredPerson,
  sealedKits,
  sealedReasons,
} from './sealed-queries.ts'

/** Who is erased, before anything of it is gone. */
export interface ErasedPerson {
  id: number
  email: string
}

/**
 * Kits of the person, also those whose registration waits for a human; not those that they registered for a minor. Locked in
 * the order that a registration locks.
 */
export async function lockKitsOfPerson(
  tx: Tx,
  { id, email }: ErasedPerson,
): Promise<{ id: string; orderId: string }[]> {
  const keys = await keyringOf(tx)
  return tx.rows(sql<{ id: string; orderId: string }>`
    select k.id, k.order_id as "orderId" from kits k
    where k.realm_id = ${tx.realm.id} and (k.customer_id = ${id} or (k.customer_id is null and ${isRegisteredTo('k', keys, email)}))
    order by k.id for update`)
}

/** Those of these kits that nobody else has locked. */
export async function lockKits(tx: Tx, kitIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id from kits where realm_id = ${tx.realm.id} and id = any(${kitIds}) order by id for update skip locked`)
  return rows.map(({ id }) => id)
}

/** Takes away why kits are in an exception, where the words tell who the person is: a carrier's often do. */
export async function blankReasons(
  tx: Tx,
  { kitIds, orderIds }: { kitIds: readonly string[]; orderIds: readonly string[] },
  isTelling: (reason: string) => boolean,
): Promise<void> {
  const rows = await tx.rows(sql<{ id: string; sealed: Sealed<KitReason> }>`
    select k.id, ${sealedReasons.of('k')} as sealed from kits k
    where k.realm_id = ${tx.realm.id} and coalesce(k.exception_reason, k.sealed_reason::text) is not null
      and (k.id = any(${kitIds}) or k.order_id = any(${orderIds}))`)
  const keys = await keyringOf(tx)
  const ids = rows.flatMap(({ id, sealed }) => {
    const { reason, beforeRejection } = sealedReasons.open(keys, [id], sealed)
    return [reason, beforeRejection?.reason].some((one) => one && isTelling(one)) ? [id] : []
  })
  await tx.run(sql`
    update kits set exception_reason = null, sealed_reason = null where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

/** Takes the person off their kits; returns what the kits knew. */
export async function blankKits(tx: Tx, kitIds: readonly string[]): Promise<RegisteredPerson[]> {
  const rows = await tx.rows(sql<{ id: string; sealed: Sealed<RegisteredPerson> }>`
    with old as (
      select k.id, ${sealedKits.of('k')} as sealed from kits k where k.realm_id = ${tx.realm.id} and k.id = any(${kitIds})
    )
    update kits k set customer_id = null, registered_email = null, registration = null, sealed = null,
      registered_hash = null, birth_hash = null, exception_reason = null, sealed_reason = null
    from old where k.realm_id = ${tx.realm.id} and k.id = old.id
    returning old.id, old.sealed`)
  return openKits(tx, rows)
}

export interface BlankedConsent extends Consenter {
  kitId: string
  at: Date
}

/** Consents for the kits, and those by an e-mail address for kits of others: that and when stays, by whom does not. */
export async function blankConsents(
  tx: Tx,
  kitIds: readonly string[],
  email: string | undefined,
): Promise<BlankedConsent[]> {
  const keys = await keyringOf(tx)
  const isBy = email === undefined ? sql`false` : consentedBy('c', keys, email)
  const rows = await tx.rows(sql<{ id: number; kitId: string; at: Date; person: Sealed<Consenter> }>`
    with old as (
      select c.id, ${sealedConsents.of('c')} as person from consents c
      where c.realm_id = ${tx.realm.id} and (c.kit_id = any(${kitIds}) or ${isBy}) for update
    )
    update consents c set first_name = null, last_name = null, email = null, ip = null, sealed = null, email_hash = null
    from old where c.realm_id = ${tx.realm.id} and c.id = old.id
    returning old.id, c.kit_id as "kitId", c.at, old.person`)
  return rows.map(({ id, person, ...row }) => ({ ...row, ...sealedConsents.open(keys, [id], person) }))
}
