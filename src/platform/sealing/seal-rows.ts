import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../database/tx.ts'
import type { Keyring } from './keyring.ts'
import {
  clearOf,
  emptiedOf,
  keyringIn,
  keyringsOf,
  type SealedColumns,
  type SealedDeclaration,
} from './sealed-columns.ts'

/** Any table's sealed values. */
// biome-ignore lint/suspicious/noExplicitAny: each table seals values of its own shape
export type AnySealed = SealedColumns<any>

interface Walk {
  /** The columns that a table is walked by. */
  columns: readonly string[]
  types: readonly string[]
}

function walkOf({ key, realm = 'realm_id', realmIsNull = false }: SealedDeclaration<object>): Walk {
  const own = Object.entries(key)
  const walked: [string, string][] = realm && !realmIsNull ? [[realm, 'integer'], ...own] : own
  return { columns: walked.map(([column]) => column), types: walked.map(([, type]) => type) }
}

const list = (alias: string, columns: readonly string[]) =>
  sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)))
const textArray = (alias: string, columns: readonly string[]) =>
  sql`array[${sql.join(columns.map((column) => sql`${sql.ref(`${alias}.${column}`)}::text`))}]`
const tuple = (values: readonly string[], types: readonly string[]) =>
  sql.join(values.map((value, i) => sql`${value}::${sql.raw(types[i] ?? 'text')}`))

interface Row {
  realmId: number | null
  key: string[]
  walk: string[]
  value: string | object
}

export interface Step {
  /** Where the next step begins; undefined at the end of the table. */
  after: string[] | undefined
  sealed: number
}

const realmSql = (alias: string, { realm = 'realm_id' }: SealedDeclaration<object>) =>
  realm ? sql`coalesce(${sql.ref(`${alias}.${realm}`)}, 0)` : sql`0`

const sealedSql = (alias: string, { column = 'sealed' }: SealedDeclaration<object>): RawBuilder<unknown> =>
  sql.ref(`${alias}.${column}`)

/** Which rows are sealed again. */
export type Which = (alias: string, declaration: SealedDeclaration<object>) => RawBuilder<unknown>

/** Those that are not sealed with the newest key of their realm. */
export const isOld: Which = (alias, declaration) => sql`(${sealedSql(alias, declaration)} is null or not exists (
  select from (select id from data_keys
    where realm_id = ${realmSql(alias, declaration)} and purpose = 'data' and used_from <= clock_timestamp()
    order by used_from desc, id desc limit 1) newest
  where substring(${sealedSql(alias, declaration)} from 2 for 4) = int4send(newest.id)))`

/** Those that are sealed, and not packed. */
export const isUnpacked: Which = (alias, declaration) => sql`get_byte(${sealedSql(alias, declaration)}, 0) = 1`

/** Seals again which of the next `size` rows of a table are to be. Begins after a row. */
export async function sealNext(
  tx: SystemTx,
  columns: AnySealed,
  after: readonly string[],
  { size, which }: { size: number; which: Which },
): Promise<Step> {
  const { declaration } = columns
  const { table, key } = declaration
  const walk = walkOf(declaration)
  const t = sql.raw(table)
  const from = after.length > 0 ? sql`where (${list('t', walk.columns)}) > (${tuple(after, walk.types)})` : sql``
  const page = sql`select ${list('t', walk.columns)} from ${t} t ${from} order by ${list('t', walk.columns)} limit ${size}`
  const seen = await tx.rows(sql<{ walk: string[] }>`select ${textArray('p', walk.columns)} as walk from (${page}) p`)
  if (seen.length === 0) return { after: undefined, sealed: 0 }
  await tx.run(sql`set local kitlane.sealing = 'on'`)
  const rows = await tx.rows(sql<Row>`
    select ${realmSql('t', declaration)} as "realmId", ${textArray('t', Object.keys(key))} as key, ${columns.of('t')} as value
    from ${t} t where (${list('t', walk.columns)}) in (select * from (${page}) p) and ${which('t', declaration)}
    for update of t`)
  const full = rows.filter(
    ({ value }) => typeof value === 'string' || Object.values(value).some((part) => part !== null),
  )
  if (full.length > 0) await writeSealed(tx, columns, full)
  return { after: seen.length < size ? undefined : seen.at(-1)?.walk, sealed: full.length }
}

async function writeSealed(tx: SystemTx, columns: AnySealed, rows: readonly Row[]): Promise<void> {
  const { table, column: sealed = 'sealed', key, hashes = {}, derived = {} } = columns.declaration
  const names = Object.keys(key)
  const keys = await keyringsOf(tx, rows)
  const written = rows.map((row) => {
    const own = keyringIn(keys, row.realmId)
    const value = columns.open(own, row.key, row.value)
    return {
      ...Object.fromEntries(names.map((name, i) => [`k_${name}`, row.key[i]])),
      realm: row.realmId,
      [sealed]: columns.seal(own, row.key, value),
      ...columns.hashes(own, value),
      ...columns.derived(own, row.key, value),
    }
  })
  const beside = Object.entries({ ...hashes, ...derived })
  const set = [
    ...emptiedOf(columns.declaration).map((column) => sql`${sql.ref(column)} = null`),
    ...[sealed, ...beside.map(([column]) => column)].map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`v.${column}`)}`,
    ),
  ]
  const shape = [
    ...Object.entries(key).map(([name, type]) => `k_${name} ${type}`),
    'realm integer',
    `${sealed} bytea`,
    ...beside.map(([column, { type }]) => `${column} ${type}`),
  ]
  const same = [
    sql`${realmSql('t', columns.declaration)} = v.realm`,
    ...names.map((name) => sql`${sql.ref(`t.${name}`)} = ${sql.ref(`v.k_${name}`)}`),
  ]
  await tx.run(sql`
    update ${sql.raw(table)} t set ${sql.join(set)}
    from json_to_recordset(${JSON.stringify(written)}::json) as v(${sql.raw(shape.join(', '))})
    where ${sql.join(same, sql` and `)}`)
  await writeTerms(tx, columns, rows, keys)
}

/** Writes the terms that rows in clear are to be found by. */
async function writeTerms(
  tx: SystemTx,
  columns: AnySealed,
  rows: readonly Row[],
  keys: ReadonlyMap<number, Keyring>,
): Promise<void> {
  const { finds, key } = columns.declaration
  if (!finds) return
  const terms = rows.flatMap(({ realmId, key: [id], value }) =>
    typeof value === 'string'
      ? []
      : finds.of(value, keyringIn(keys, realmId)).map((term) => ({ realm_id: realmId, term, id })),
  )
  await tx.run(sql`
    insert into ${sql.raw(finds.table)} (realm_id, term, ${sql.ref(finds.column)})
    select realm_id, term, id
    from json_to_recordset(${JSON.stringify(terms)}::json) as v(realm_id int, term bigint, id ${sql.raw(Object.values(key)[0] ?? 'text')})
    on conflict do nothing`)
}

/** How many rows of a table are sealed, and how many are in clear or under a key that was replaced. */
export async function countSealed(tx: SystemTx, { declaration }: AnySealed): Promise<{ sealed: number; old: number }> {
  const sealed = sealedSql('t', declaration)
  const isFull = sql.join([sealed, ...clearOf(declaration, 't').map(([, part]) => sql.raw(part))], sql`, `)
  return tx.row(sql<{ sealed: number; old: number }>`
    select count(*) filter (where ${sealed} is not null) as sealed,
           count(*) filter (where ${isOld('t', declaration)}) as old
    from ${sql.raw(declaration.table)} t where num_nonnulls(${isFull}) > 0`)
}
