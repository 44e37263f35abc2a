import type { Pool } from 'pg'
import type { Roles } from '../database/roles.ts'
import { failedToConnect } from '../database/unavailable.ts'

export type Purpose = 'data' | 'index' | 'secrets'

export interface StoredKey {
  id: number
  realmId: number
  purpose: Purpose
  wrapped: Buffer
  /** The ID of the master key. */
  wrappedBy: string
  usedFrom: Date
}

export interface Packing {
  packs: boolean
}

/** A key to write; without a time it is used at once. */
export type NewKey = Omit<StoredKey, 'id' | 'usedFrom'> & { usedFrom?: Date }

/** The keys' own connection: a transaction that waits for a key holds one of the others. */
export interface KeyDatabase {
  pool: Pool
  roles: Roles
}

async function asSystem<T>({ pool, roles }: KeyDatabase, text: string, values: unknown[]): Promise<T[]> {
  const client = await pool.connect().catch(failedToConnect)
  let broken: Error | undefined
  try {
    await client.query(`begin; set local role ${roles.system}`)
    const { rows } = await client.query(text, values)
    await client.query('commit')
    return rows as T[]
  } catch (err) {
    broken = err instanceof Error ? err : new Error(String(err))
    throw err
  } finally {
    client.release(broken)
  }
}

/** All keys of these realms, the newest first, and whether values may be packed. */
export const selectKeys = (database: KeyDatabase, realmIds: readonly number[]): Promise<(StoredKey & Packing)[]> =>
  asSystem<StoredKey & Packing>(
    database,
    `select id, realm_id as "realmId", purpose, wrapped, wrapped_by as "wrappedBy", used_from as "usedFrom",
       exists (select from packing) as packs
     from data_keys where realm_id = any($1) order by used_from desc, id desc`,
    [realmIds],
  )

/** Writes keys. Of two processes that do so at once, one writes the keys that there are once. */
export async function insertKeys(database: KeyDatabase, keys: readonly NewKey[]): Promise<void> {
  const rows = keys.map(({ realmId, purpose, wrapped, wrappedBy, usedFrom }) => ({
    realm_id: realmId,
    purpose,
    wrapped_by: wrappedBy,
    used_from: usedFrom,
    wrapped: `\\x${wrapped.toString('hex')}`,
  }))
  await asSystem(
    database,
    `insert into data_keys (realm_id, purpose, wrapped, wrapped_by, used_from)
     select realm_id, purpose, wrapped, wrapped_by, coalesce(used_from, clock_timestamp() - interval '1 minute') from json_to_recordset($1::json)
       as k(realm_id int, purpose text, wrapped bytea, wrapped_by text, used_from timestamptz)
     on conflict (purpose) where purpose <> 'data' do nothing`,
    [JSON.stringify(rows)],
  )
}

/** Replaces how keys are wrapped; the keys stay. */
export async function updateWrapped(
  database: KeyDatabase,
  keys: readonly Pick<StoredKey, 'id' | 'wrapped' | 'wrappedBy'>[],
): Promise<void> {
  const rows = keys.map(({ id, wrapped, wrappedBy }) => ({
    id,
    wrapped_by: wrappedBy,
    wrapped: `\\x${wrapped.toString('hex')}`,
  }))
  await asSystem(
    database,
    `update data_keys d set wrapped = k.wrapped, wrapped_by = k.wrapped_by
     from json_to_recordset($1::json) as k(id int, wrapped bytea, wrapped_by text) where d.id = k.id`,
    [JSON.stringify(rows)],
  )
}

/** Keys that another master key than this one has wrapped. */
export const selectWrappedByOthers = (database: KeyDatabase, master: string, limit: number): Promise<StoredKey[]> =>
  asSystem<StoredKey>(
    database,
    `select id, realm_id as "realmId", purpose, wrapped, wrapped_by as "wrappedBy", used_from as "usedFrom"
     from data_keys where wrapped_by <> $1 order by id limit $2`,
    [master, limit],
  )
