import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type { Queries, SystemTx, Tx } from '../database/tx.ts'
import type { Keyring } from './keyring.ts'
import { pack, unpack, type Words } from './packing.ts'
import { OPERATOR } from './vault.ts'

/** The values of a row's key, in the order of the declaration. */
export type RowKey = readonly (string | number)[]

/** What a table seals in a row: one JSON value in its column `sealed`. */
export interface SealedDeclaration<V extends object> {
  table: string
  /** The column of the value: default `sealed`. A table may seal several values of a row, which are read apart. */
  column?: string
  /** The columns that identify a row, besides its realm, with their types in SQL. They never change. */
  key: Readonly<Record<string, string>>
  /** The column of the realm: default `realm_id`. Without one, or where it is null, the operator's keys seal. */
  realm?: string | null
  /** Whether that column may be null: then `key` alone identifies a row. */
  realmIsNull?: boolean
  /** Where versions before sealing kept each part: the SQL of a value in JSON, and the columns that are emptied. */
  clear: { readonly [K in keyof Required<V>]: string }
  /** The columns to empty, where they are not simply those of `clear`. */
  emptied?: readonly string[]
  /** Columns with keyed hashes, by which a row is found: type in SQL, and the value. */
  hashes?: Readonly<
    Record<string, { type: 'bytea' | 'bytea[]'; of(value: V, keys: Keyring): Buffer | Buffer[] | null }>
  >
  /** Columns that are made of the value, such as a count that a list shows: type in SQL, and the value as PostgreSQL reads it. */
  derived?: Readonly<
    Record<
      string,
      { type: string; of(value: V, keys: Keyring, key: RowKey): string | number | boolean | object | null }
    >
  >
  /** Whether the value is compressed first: large ones whose words repeat. */
  isDeflated?: boolean
  /** Has the value packed, once every process reads that. */
  words?: Words
  /** How many rows the job seals at once, where they are large. */
  rowsAtOnce?: number
  /** A table of (`realm_id`, `term`, `column`) by whose terms a row is found. `column` refers to the key, which is one column. */
  finds?: { table: string; column: string; of(value: V, keys: Keyring): string[] }
}

/** The name of a value where a table has several. */
export const valueName = ({ table, column }: Pick<SealedDeclaration<object>, 'table' | 'column'>): string =>
  column ? `${table}.${column}` : table

/** Where a value stands: one that is copied to another row, column or table cannot be opened. */
export function placeOf(
  declaration: Pick<SealedDeclaration<object>, 'table' | 'column'>,
  { realmId }: Keyring,
  key: RowKey,
): string {
  // `join` takes a tenth of opening a value; most keys have one part.
  return `${valueName(declaration)}/${realmId}/${key.length === 1 ? key[0] : key.join('/')}`
}

type Form = Pick<SealedDeclaration<object>, 'table' | 'column' | 'words' | 'isDeflated'>

/** Seals the bytes of a value, packed or compressed where the declaration says so. */
export function sealValue(declaration: Form, keys: Keyring, key: RowKey, plain: string | Buffer): Buffer {
  const { words, isDeflated } = declaration
  const place = placeOf(declaration, keys, key)
  if (words && keys.packs) return keys.seal(pack(plain, words), place, 2)
  // Level 1 packs 60 results into a sixth in 0.4 ms; they are opened as fast as without.
  return keys.seal(isDeflated ? deflateRawSync(plain, { level: 1 }) : plain, place)
}

/** The form of a sealed value. A version that does not know it cannot open it. */
const formOf = (sealed: Buffer): number | undefined => sealed[0]

/** @throws if the value was changed or belongs to another row */
export function openValue(declaration: Form, keys: Keyring, key: RowKey, sealed: Buffer): Buffer {
  const { words = [], isDeflated } = declaration
  const plain = keys.open(sealed, placeOf(declaration, keys, key))
  if (formOf(sealed) === 2) return unpack(plain, words)
  return isDeflated ? inflateRawSync(plain) : plain
}

/** For `clear`: no version stored it so, and a reader of a row that is not sealed gets null. */
export const NEVER = 'nullif($.realm_id, $.realm_id)'

/** The parts of a value in clear, and the SQL of each. */
export const clearOf = <V extends object>({ clear }: SealedDeclaration<V>, alias: string): [string, string][] =>
  Object.entries<string>(clear).map(([name, part]) => [
    name,
    part.includes('$.') ? part.replaceAll('$.', `${alias}.`) : `${alias}.${part}`,
  ])

/** The columns that held the value in clear. */
export const emptiedOf = <V extends object>({ clear, emptied }: SealedDeclaration<V>): readonly string[] =>
  emptied ?? Object.values<string>(clear)

/** A sealed value as it is read: `\x…`, or the parts in clear of a row that is not sealed yet. */
export type Sealed<V> = string | V

/** How PostgreSQL reads bytes in text and in JSON. */
export const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** The bytes that PostgreSQL writes in text and in JSON. */
export const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

/** A table's sealed values: how they are written, read, and what the job does that seals old rows. */
export interface SealedColumns<V extends object> {
  readonly declaration: SealedDeclaration<V>
  /** The SQL of the value of a row of `alias`, to select. */
  of(alias: string): RawBuilder<Sealed<V>>
  /** The same as text, for a named statement. */
  textOf(alias: string): string
  /** `column = null, …` for an update: a row that is sealed again keeps nothing in clear. */
  readonly emptied: RawBuilder<unknown>
  /** The bytes for the column, as PostgreSQL reads them in text and JSON. */
  seal(keys: Keyring, key: RowKey, value: V): string
  /** @throws if it was changed or belongs to another row */
  open(keys: Keyring, key: RowKey, value: Sealed<V>): V
  /** The values of the hash columns, as PostgreSQL reads them in JSON. */
  hashes(keys: Keyring, value: V): Record<string, string | string[] | null>
  /** The values of the columns that are made of the value. */
  derived(keys: Keyring, key: RowKey, value: V): Record<string, string | number | boolean | object | null>
}

export function sealedColumns<V extends object>(declaration: SealedDeclaration<V>): SealedColumns<V> {
  const { column: sealed = 'sealed', hashes = {}, derived = {} } = declaration
  const textOf = (alias: string) => {
    const values = clearOf(declaration, alias).map(([name, part]) => `'${name}', ${part}`)
    return `coalesce(to_json(${alias}.${sealed}::text), json_build_object(${values.join(', ')}))`
  }
  return {
    declaration,
    of: (alias) => sql.raw(textOf(alias)),
    textOf,
    emptied: sql.join(emptiedOf(declaration).map((column) => sql`${sql.ref(column)} = null`)),
    seal: (keys, key, value) => hexOf(sealValue(declaration, keys, key, JSON.stringify(value))),
    open(keys, key, value) {
      if (typeof value !== 'string') return value
      return JSON.parse(openValue(declaration, keys, key, bytesOf(value)).toString()) as V
    },
    hashes(keys, value) {
      const written = Object.entries(hashes).map(([column, { of }]) => {
        const hash = of(value, keys)
        return [column, hash && (Array.isArray(hash) ? hash.map(hexOf) : hexOf(hash))]
      })
      return Object.fromEntries(written)
    },
    derived: (keys, key, value) =>
      Object.fromEntries(Object.entries(derived).map(([column, { of }]) => [column, of(value, keys, key)])),
  }
}

/** The operator's keys, for rows of no realm: also in a transaction that is in the realm of a caller. */
export const operatorKeyringOf = (tx: Queries): Promise<Keyring> => tx.vault.of(OPERATOR)

/** The keys of the realm of a transaction; the operator's in one over all realms. */
export const keyringOf = (tx: Tx | SystemTx): Promise<Keyring> => tx.vault.of('realm' in tx ? tx.realm.id : OPERATOR)

/** The keys of one of these realms. */
export function keyringIn(keyrings: ReadonlyMap<number, Keyring>, realmId: number | null): Keyring {
  const keys = keyrings.get(realmId ?? OPERATOR)
  if (!keys) throw new Error(`the keys of realm ${realmId} were not loaded`)
  return keys
}

/** The keys of rows that carry their realm. */
export const keyringsOf = (
  tx: Queries,
  rows: readonly { realmId: number | null }[],
): Promise<ReadonlyMap<number, Keyring>> => tx.vault.ofAll(rows.map(({ realmId }) => realmId ?? OPERATOR))
