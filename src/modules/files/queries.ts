import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type FileRef, fileOf, insertFiles, type WrittenFile } from '../../platform/files/queries.ts'
import type { Content } from '../../platform/files/sealed-files.ts'
import type { SealedBytes } from '../../platform/sealing/sealed-bytes.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'

/** A row whose bytes are to be written to the store. */
export interface RowOfFile {
  realmId: number
  key: string[]
  /** What it holds now. */
  content: Content
  /** The same, to see that nobody has changed it meanwhile: the hash of the bytes, or the name of the file. */
  version: string
}

interface Found extends Omit<RowOfFile, 'content'> {
  file: FileRef | null
  value: Sealed<{ bytes: Buffer }> | null
}

const keyOf = ({ declaration: { key } }: SealedBytes) =>
  sql`array[${sql.join(Object.keys(key).map((column) => sql`${sql.ref(`t.${column}`)}::text`))}]`

const versionOf = ({ declaration: { clear, column = 'sealed' } }: SealedBytes) =>
  sql`coalesce(t.file, encode(sha256(coalesce(${sql.ref(`t.${column}`)}, ${sql.ref(`t.${clear.bytes}`)})), 'hex'))`

const newestKey = sql`(
  select k.id from data_keys k where k.realm_id = f.realm_id and k.purpose = 'data' and k.used_from <= clock_timestamp()
  order by k.used_from desc, k.id desc limit 1)`

/** The next rows that hold their bytes themselves, or whose file is sealed with a key that was replaced. */
export async function selectToMove(
  tx: SystemTx,
  table: SealedBytes,
  which: 'in rows' | 'under old keys',
  limit: number,
): Promise<RowOfFile[]> {
  const { table: name, clear, column = 'sealed' } = table.declaration
  const filter =
    which === 'in rows'
      ? sql`t.file is null and num_nonnulls(${sql.ref(`t.${column}`)}, ${sql.ref(`t.${clear.bytes}`)}) > 0`
      : sql`exists (select from files f where f.realm_id = t.realm_id and f.name = t.file and f.data_key <> ${newestKey})`
  const rows = await tx.rows(sql<Found>`
    select t.realm_id as "realmId", ${keyOf(table)} as key, ${fileOf('t')} as file, ${versionOf(table)} as version,
      case when t.file is null then ${table.of('t')} end as value
    from ${sql.raw(name)} t where ${filter} limit ${limit}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ file, value, ...row }) => ({
    ...row,
    content: file ?? contentOf(table.open(keyringIn(keyrings, row.realmId), row.key, value ?? '')),
  }))
}

const contentOf = ({ bytes }: { bytes: Buffer }) => bytes

/** Has a row refer to a file instead of what it held. False if somebody changed or deleted it meanwhile. */
export async function updateFile(
  tx: SystemTx,
  table: SealedBytes,
  { realmId, key, version }: RowOfFile,
  file: WrittenFile,
): Promise<boolean> {
  const { table: name, column = 'sealed', clear } = table.declaration
  await insertFiles(tx, realmId, [file])
  const changed = await tx.run(sql`
    update ${sql.raw(name)} t
    set file = ${file.name}, ${sql.ref(column)} = null, ${sql.ref(clear.bytes)} = null
    where t.realm_id = ${realmId} and ${keyOf(table)} = ${key}::text[] and ${versionOf(table)} = ${version}`)
  return changed === 1
}

/** How many rows hold their bytes themselves, and how many files are sealed with a key that was replaced. */
export function countFiles(tx: SystemTx, table: SealedBytes): Promise<{ files: number; inRows: number; old: number }> {
  const { table: name, clear, column = 'sealed' } = table.declaration
  return tx.row(sql<{ files: number; inRows: number; old: number }>`
    select count(f.name) as files,
      count(*) filter (where num_nonnulls(${sql.ref(`t.${column}`)}, ${sql.ref(`t.${clear.bytes}`)}) > 0) as "inRows",
      count(*) filter (where f.data_key <> ${newestKey}) as old
    from ${sql.raw(name)} t left join files f on f.realm_id = t.realm_id and f.name = t.file`)
}
