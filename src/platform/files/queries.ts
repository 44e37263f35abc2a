import { type RawBuilder, sql } from 'kysely'
import type { Queries, SystemTx, Tx } from '../database/tx.ts'

/** A file in the store, as a row refers to it. */
export interface FileRef {
  name: string
  /** Hexadecimal, of the sealed bytes. */
  sha256: string
}

/** A file that was written, and has no row yet. */
export interface WrittenFile extends FileRef {
  /** Of the sealed bytes. */
  bytes: number
  /** The key of the realm that sealed it. */
  dataKey: number
}

/** The SQL of the file that a row of `alias` refers to: a `FileRef` or null. */
export const fileOf = (alias: string): RawBuilder<FileRef | null> => sql`(
  select json_build_object('name', f.name, 'sha256', encode(f.sha256, 'hex')) from files f
  where f.realm_id = ${sql.ref(`${alias}.realm_id`)} and f.name = ${sql.ref(`${alias}.file`)})`

/** The SQL of how many sealed bytes that file has; null without one. */
export const fileSize = (alias: string): RawBuilder<number | null> => sql`(
  select f.bytes from files f where f.realm_id = ${sql.ref(`${alias}.realm_id`)} and f.name = ${sql.ref(`${alias}.file`)})`

/** Records files that the store has. The rows that refer to them are written in the same transaction. */
export async function insertFiles(
  tx: Queries,
  realmId: number,
  files: readonly WrittenFile[],
  at = tx.now,
): Promise<void> {
  await tx.run(sql`
    insert into files (realm_id, name, sha256, bytes, data_key, stored_at)
    select ${realmId}, name, decode(sha256, 'hex'), bytes, "dataKey", ${at}
    from json_to_recordset(${JSON.stringify(files)}::json) as f(name text, sha256 text, bytes int, "dataKey" int)`)
}

export const insertFile = (tx: Tx, file: WrittenFile): Promise<void> => insertFiles(tx, tx.realm.id, [file])

/** Files that nothing refers to since then: they are to be deleted. The oldest first. */
export function selectDropped(tx: SystemTx, before: Date, limit: number): Promise<{ realmId: number; name: string }[]> {
  return tx.rows(sql<{ realmId: number; name: string }>`
    select realm_id as "realmId", name from files where dropped_at < ${before} order by dropped_at limit ${limit}`)
}

export async function deleteFiles(tx: SystemTx, names: readonly string[]): Promise<void> {
  await tx.run(sql`delete from files where name = any(${names}) and dropped_at is not null`)
}

/** Those of these names that have a row. */
export async function selectKnown(tx: SystemTx, names: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ name: string }>`select name from files where name = any(${names})`)
  return new Set(rows.map(({ name }) => name))
}

/** Which store the files of this database are in; undefined before the first start with one. */
export const selectStore = (tx: SystemTx): Promise<{ id: string; createdAt: Date } | undefined> =>
  tx.maybeRow(sql<{ id: string; createdAt: Date }>`select id, created_at as "createdAt" from file_store`)

/** Records the store. Another process may have been first: the answer is what is recorded. */
export async function recordStore(tx: SystemTx, id: string): Promise<string> {
  await tx.run(sql`insert into file_store (id) values (${id}) on conflict do nothing`)
  return (await tx.row(sql<{ id: string }>`select id from file_store`)).id
}

/** The first day whose files were not looked through yet, as YYYY-MM-DD. */
export async function selectSweptUntil(tx: SystemTx): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ day: string }>`select swept_until::text as day from file_store`)
  return row?.day
}

export async function updateSweptUntil(tx: SystemTx, day: string): Promise<void> {
  await tx.run(sql`update file_store set swept_until = ${day}::date where swept_until < ${day}::date`)
}
