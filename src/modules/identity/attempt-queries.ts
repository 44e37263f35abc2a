import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { FAILURES, KNOWN_DEVICES, type Place } from './rules.ts'

export interface Failures {
  /** Of the account, at this place, with the time of the oldest. */
  atPlace: number
  oldestAtPlace: Date | null
  /** Of the account, at places that it does not know. */
  atAccount: number
  oldestAtAccount: Date | null
}

/** Lets one attempt at an account be counted at a time, and counts the failures since `since`. */
export async function countFailures(tx: SystemTx, account: Buffer, { key }: Place, since: Date): Promise<Failures> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('sign-in'), ${account.readInt32BE(0)})`)
  return tx.row(sql<Failures>`
    select count(*) filter (where ip = ${key})::int as "atPlace", min(at) filter (where ip = ${key}) as "oldestAtPlace",
           count(*) filter (where not known)::int as "atAccount", min(at) filter (where not known) as "oldestAtAccount"
    from sign_in_failures where account = ${account} and at > ${since}`)
}

/** The failures from one network at all accounts. Always called after `countFailures`: one lock order prevents deadlocks. */
export async function countOfNetwork(
  tx: SystemTx,
  key: string,
  since: Date,
): Promise<{ count: number; oldest: Date | null }> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('sign-in of a network'), hashtext(${key}))`)
  return tx.row(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(at) as oldest from sign_in_failures where ip = ${key} and at > ${since}`)
}

/** Whether so many fail in the whole service that somebody must be trying many accounts. */
export async function isSprayed(tx: SystemTx, since: Date): Promise<boolean> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from sign_in_failures where at > ${since} and not known limit ${FAILURES.everywhere}) found`)
  return count >= FAILURES.everywhere
}

export async function insertFailure(tx: SystemTx, account: Buffer, { key, known }: Place): Promise<number> {
  const { id } = await tx.row(sql<{ id: number }>`
    insert into sign_in_failures (account, ip, known, at) values (${account}, ${key}, ${known}, ${tx.now}) returning id`)
  return id
}

export async function deleteFailure(tx: SystemTx, id: number): Promise<void> {
  await tx.run(sql`delete from sign_in_failures where id = ${id}`)
}

export async function deleteFailures(tx: SystemTx, account: Buffer, { key }: Place): Promise<void> {
  await tx.run(sql`delete from sign_in_failures where account = ${account} and ip = ${key}`)
}

/** Whether this browser signed in before: with this account, or with any. */
export async function selectDevice(
  tx: SystemTx,
  hash: Buffer,
  userId: string,
): Promise<{ isOwn: boolean; isKnown: boolean }> {
  return tx.row(sql<{ isOwn: boolean; isKnown: boolean }>`
    select coalesce(bool_or(user_id = ${userId}), false) as "isOwn", count(*) > 0 as "isKnown"
    from known_devices where hash = ${hash}`)
}

export async function putDevice(tx: SystemTx, hash: Buffer, userId: string): Promise<void> {
  await tx.run(sql`
    insert into known_devices (hash, user_id, seen_at) values (${hash}, ${userId}, ${tx.now})
    on conflict (hash, user_id) do update set seen_at = excluded.seen_at`)
  // A script that signs in sends no cookie, and would leave a row each time.
  await tx.run(sql`
    delete from known_devices where user_id = ${userId} and hash in (
      select hash from known_devices where user_id = ${userId} order by seen_at desc, hash offset ${KNOWN_DEVICES})`)
}

export async function deleteDevicesOf(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`delete from known_devices where user_id = ${userId}`)
}
