import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { deleteReplacedKeys } from '../../platform/sealing/replaced-keys.ts'

export interface Progress {
  /** The row that was sealed last; empty at the beginning. */
  after: string[]
  finishedAt: Date | null
}

/**
 * Of these pieces of work those that are not finished. Has a table walked again that was walked a day ago, if there was
 * something to seal: a process of the version before may have written in clear since.
 */
export async function selectUnfinished(tx: SystemTx, names: readonly string[]): Promise<Set<string>> {
  await tx.run(sql`
    update sealing_progress set after = '{}', sealed = 0, finished_at = null
    where name = any(${names}::text[]) and sealed > 0 and finished_at < ${tx.now}::timestamptz - interval '1 day'`)
  const rows = await tx.rows(sql<{ name: string }>`
    select n.name from unnest(${names}::text[]) n (name)
    where not exists (select from sealing_progress p where p.name = n.name and p.finished_at is not null)`)
  return new Set(rows.map(({ name }) => name))
}

/** Locks the progress of a piece of work, so that one worker does it; undefined while another one does. */
export async function lockProgress(tx: SystemTx, name: string): Promise<Progress | undefined> {
  await tx.run(sql`insert into sealing_progress (name, started_at) values (${name}, ${tx.now}) on conflict do nothing`)
  return tx.maybeRow(sql<Progress>`
    select after, finished_at as "finishedAt" from sealing_progress where name = ${name} for update skip locked`)
}

/** Notes how far the work has come. */
export async function writeProgress(
  tx: SystemTx,
  name: string,
  { after, sealed }: { after: readonly string[] | undefined; sealed: number },
): Promise<void> {
  await tx.run(sql`
    update sealing_progress set after = ${after ?? []}, sealed = sealed + ${sealed},
      finished_at = ${after ? null : tx.now} where name = ${name}`)
}

export interface Rotation {
  id: number
  startedAt: Date
  /** From when on the new keys seal; null while some are not made yet. */
  usedFrom: Date | null
}

/** The rotation under way, or a new one. */
export async function startRotation(tx: SystemTx): Promise<Rotation> {
  await tx.run(sql`insert into key_rotations default values on conflict do nothing`)
  return tx.row(sql<Rotation>`
    select id, started_at as "startedAt", used_from as "usedFrom" from key_rotations where finished_at is null`)
}

/** Realms, the operator's among them, whose newest key is older than the rotation. */
export async function selectRealmsToRenew(tx: SystemTx, { startedAt }: Rotation, limit: number): Promise<number[]> {
  const rows = await tx.rows(sql<{ realmId: number }>`
    select realm_id as "realmId" from data_keys where purpose = 'data' group by realm_id having max(created_at) < ${startedAt}
    order by realm_id limit ${limit}`)
  return rows.map(({ realmId }) => realmId)
}

/** Notes that all new keys are made. Returns from when on all of them seal. */
export async function writeUsedFrom(tx: SystemTx, { id, startedAt }: Rotation): Promise<Date> {
  const { usedFrom } = await tx.row(sql<{ usedFrom: Date }>`
    update key_rotations set used_from = (
      select coalesce(max(used_from), clock_timestamp()) from data_keys where purpose = 'data' and created_at >= ${startedAt})
    where id = ${id} returning used_from as "usedFrom"`)
  return usedFrom
}

/** Ends a rotation: the keys that it replaced are destroyed. Returns how many. */
export async function finishRotation(tx: SystemTx, { id, startedAt }: Rotation): Promise<number> {
  const destroyed = await deleteReplacedKeys(tx, startedAt)
  await tx.run(sql`delete from sealing_progress where name like ${`rotation ${id} %`}`)
  await tx.run(sql`update key_rotations set finished_at = clock_timestamp() where id = ${id}`)
  return destroyed
}

/** How many keys each master key has wrapped. */
export function selectMasters(tx: SystemTx): Promise<{ master: string; keys: number; realms: number }[]> {
  return tx.rows(sql<{ master: string; keys: number; realms: number }>`
    select wrapped_by as master, count(*) as keys, count(distinct realm_id) as realms from data_keys group by 1 order by 1`)
}

/** The rotation under way, if there is one. */
export function selectRotation(tx: SystemTx): Promise<Rotation | undefined> {
  return tx.maybeRow(sql<Rotation>`
    select id, started_at as "startedAt", used_from as "usedFrom" from key_rotations where finished_at is null`)
}
