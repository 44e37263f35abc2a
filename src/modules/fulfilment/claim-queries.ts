import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { ofBusinesses, waits } from './queries.ts'

/** Who packs: a user or a token, in one of their windows. */
export interface Packer {
  callerId: string
  station: string
}

const ofOne = (businessId?: string) => ofBusinesses(businessId === undefined ? undefined : [businessId])

const isHeldBy = ({ callerId, station }: Packer) => sql`c.caller_id = ${callerId} and c.station = ${station}`

/** The kit that this packer has claimed, if it still waits. */
export async function selectHeldKit(tx: SystemTx, packer: Packer, businessId?: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ id: string }>`
    select k.id from pack_claims c join kits k on k.realm_id = c.realm_id and k.id = c.kit_id
    where ${isHeldBy(packer)} and c.expires_at > ${tx.now} and ${waits} ${ofOne(businessId)}
    order by c.expires_at desc limit 1`)
  return row?.id
}

/** Locks the oldest waiting kit without a claim, and skips kits that are locked. */
export async function lockNextKit(
  tx: SystemTx,
  { businessId, skip }: { businessId?: string; skip: readonly string[] },
): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ id: string }>`
    select k.id from kits k
    where ${waits} ${ofOne(businessId)} and k.id <> all(${skip}) and not exists (
      select from pack_claims c where c.realm_id = k.realm_id and c.kit_id = k.id and c.expires_at > ${tx.now})
    order by k.created_at, k.realm_id, k.seq limit 1 for update of k skip locked`)
  return row?.id
}

/** Claims a kit, or renews the claim; false where another packer has it. */
export async function writeClaim(
  tx: SystemTx,
  { callerId, station }: Packer,
  kit: { realmId: number; kitId: string },
  expiresAt: Date,
): Promise<boolean> {
  const written = await tx.run(sql`
    insert into pack_claims as c (realm_id, kit_id, caller_id, station, expires_at)
    values (${kit.realmId}, ${kit.kitId}, ${callerId}, ${station}, ${expiresAt})
    on conflict (realm_id, kit_id) do update
      set caller_id = excluded.caller_id, station = excluded.station, expires_at = excluded.expires_at
      where c.expires_at <= ${tx.now} or (c.caller_id = excluded.caller_id and c.station = excluded.station)`)
  return written === 1
}

/** Who has a kit, as colleagues call them: by e-mail, or by the name of the token. */
export async function selectHolder(tx: SystemTx, kitId: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ name: string | null }>`
    select coalesce((select email from users where id = c.caller_id),
                    (select name from operator_tokens where id = c.caller_id)) as name
    from pack_claims c where c.kit_id = ${kitId} and c.expires_at > ${tx.now}`)
  return row?.name ?? undefined
}

/** Whether a packer has one of these kits of a realm in hand. */
export async function hasClaim(tx: Tx, kitIds: readonly string[]): Promise<boolean> {
  const row = await tx.maybeRow(sql`
    select from pack_claims
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and expires_at > ${tx.now} limit 1`)
  return row !== undefined
}

/** Of these kits of any business, those that a packer has in hand. */
export async function selectClaimed(tx: SystemTx, kitIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select kit_id as id from pack_claims where kit_id = any(${kitIds}) and expires_at > ${tx.now}`)
  return new Set(rows.map(({ id }) => id))
}

/** Deletes the claims of a packer, except for one kit. */
export async function deleteClaims(tx: SystemTx, packer: Packer, except: string | undefined): Promise<void> {
  await tx.run(sql`
    delete from pack_claims c where ${isHeldBy(packer)} and c.kit_id is distinct from ${except ?? null}::text`)
}

/** Deletes the claim on one kit; false where this packer does not hold it. */
export async function deleteClaim(tx: SystemTx, packer: Packer, kitId: string): Promise<boolean> {
  return (await tx.run(sql`delete from pack_claims c where ${isHeldBy(packer)} and c.kit_id = ${kitId}`)) === 1
}

/** Deletes the claims on kits that were shipped. */
export async function deleteClaimsOf(tx: SystemTx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from pack_claims where kit_id = any(${kitIds})`)
}
