import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Withdrawable, WithdrawalOutcome } from './schema.ts'

export interface NewWithdrawal {
  id: string
  kitId: string
  what: Withdrawable
  outcome: WithdrawalOutcome
  lastConsent: number
}

export async function insertWithdrawal(tx: Tx, { id, kitId, what, outcome, lastConsent }: NewWithdrawal) {
  await tx.run(sql`
    insert into consent_withdrawals (realm_id, id, kit_id, what, outcome, last_consent, withdrawn_by, at)
    values (${tx.realm.id}, ${id}, ${kitId}, ${what}, ${outcome}, ${lastConsent}, ${tx.actor.name}, ${tx.now})`)
}

export interface WithdrawalRow {
  kitId: string
  what: Withdrawable
  outcome: WithdrawalOutcome
  lastConsent: number
  by: string
  at: Date
}

/** Every withdrawal for kits, oldest first. */
export function selectWithdrawals(tx: Tx, kitIds: readonly string[]): Promise<WithdrawalRow[]> {
  return tx.rows(sql<WithdrawalRow>`
    select kit_id as "kitId", what, outcome, last_consent as "lastConsent", withdrawn_by as by, at
    from consent_withdrawals where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) order by at, id`)
}

/** Those of the kits whose consent was taken back, and none given since; `isArrived`: the sample was there before. */
export function selectTakenBack(tx: Tx, kitIds: readonly string[]): Promise<{ kitId: string; isArrived: boolean }[]> {
  return tx.rows(sql<{ kitId: string; isArrived: boolean }>`
    select w.kit_id as "kitId", bool_and(w.outcome = 'received') as "isArrived" from consent_withdrawals w
    where w.realm_id = ${tx.realm.id} and w.kit_id = any(${kitIds}) and w.what = 'testing'
      and not exists (select from consents c
                      where c.realm_id = w.realm_id and c.kit_id = w.kit_id and c.id > w.last_consent)
    group by w.kit_id`)
}

/** Those of the kits whose sample must not be tested: the consent was taken back before it arrived, and none was given since. */
export const selectStoppedKits = async (tx: Tx, kitIds: readonly string[]): Promise<string[]> =>
  (await selectTakenBack(tx, kitIds)).flatMap(({ kitId, isArrived }) => (isArrived ? [] : kitId))

export interface UnconfirmedRow {
  id: string
  kitId: string
  accession: string | null
  businessId: string
  businessName: string
  outcome: 'underWay' | 'received'
  at: Date
}

/** Withdrawals of live kits that a laboratory has not confirmed to know of, oldest first. */
export function selectUnconfirmed(tx: SystemTx): Promise<UnconfirmedRow[]> {
  return tx.rows(sql<UnconfirmedRow>`
    select w.id, w.kit_id as "kitId", k.accession, b.id as "businessId", b.name as "businessName", w.outcome, w.at
    from consent_withdrawals w join realms r on r.id = w.realm_id and r.mode = 'live'
    join businesses b on b.id = r.business_id join kits k on k.realm_id = w.realm_id and k.id = w.kit_id
    where w.told_at is null and w.outcome in ('underWay', 'received')
    order by w.at, w.id limit 250`)
}

export function selectRealmOfWithdrawal(
  tx: SystemTx,
  id: string,
): Promise<{ realm: Realm; kitId: string } | undefined> {
  return tx.maybeRow(sql<{ realm: Realm; kitId: string }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, w.kit_id as "kitId"
    from consent_withdrawals w join realms r on r.id = w.realm_id where w.id = ${id}`)
}

/** False if somebody confirmed it before. */
export async function updateConfirmed(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update consent_withdrawals set told_by = ${tx.actor.name}, told_at = ${tx.now}
    where realm_id = ${tx.realm.id} and id = ${id} and told_at is null`)
  return changed === 1
}
