import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { termsOf } from '../../src/modules/kits/recipient-queries.ts'
import { hashingOnce } from '../../src/platform/sealing/beginnings.ts'
import type { Keyring } from '../../src/platform/sealing/keyring.ts'
import type { AnySealed } from '../../src/platform/sealing/seal-rows.ts'

/** One copy of a template: its number in the realm and over all realms, its age, what stands for each identifier. */
export interface Copy {
  nth: number
  g: number
  agoMs: number
  ids: readonly string[]
}

export type Fill = (copy: Copy) => string

/** Fills texts with what a copy has in the place of these identifiers of the template. */
export function filling(ids: readonly string[]): (text: string) => Fill {
  const positions = new Map(ids.map((id, at) => [id, at]))
  const pattern = new RegExp(`(${ids.map((id) => id.replace(/\W/g, '\\$&')).join('|')})`)
  return (text) => {
    const parts = text.split(pattern)
    const places = parts.map((part) => positions.get(part) ?? -1)
    if (parts.length === 1) return () => text
    return (copy) => {
      let filled = parts[0] ?? ''
      for (let at = 1; at < parts.length; at += 2) filled += copy.ids[places[at] ?? 0] + (parts[at + 1] ?? '')
      return filled
    }
  }
}

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value as COPY reads it. */
export function textOf(value: unknown, type: string): string {
  if (value === null || value === undefined) return '\\N'
  if (Array.isArray(value) && type.endsWith('[]'))
    return textOf(`{${value.map((one) => JSON.stringify(String(one))).join(',')}}`, 'text')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/[\\\t\n\r]/g, (sign) => ESCAPED[sign] ?? sign)
}

interface Finds {
  table: string
  column: string
  // biome-ignore lint/suspicious/noExplicitAny: each table seals values of its own shape
  of(value: any, keys: Keyring): string[]
}

function findsOf({ declaration }: AnySealed): Finds | undefined {
  const { table, column, finds } = declaration
  // The index of orders is written by a job, not by the person who writes the order.
  if (table === 'orders' && !column)
    return { table: 'order_finds', column: 'order_id', of: (value, keys) => termsOf(keys, value) }
  return finds
}

interface Table {
  name: string
  rows: Record<string, string | null>[]
}

type Made = Record<string, unknown>

/** Seals for each copy what a template's rows hold sealed: a value opens only in the row that it was sealed for. */
export class Reseal {
  readonly #rows = new Map<string, ((copy: Copy) => Made)[]>()
  readonly #finds = new Map<string, { table: string; column: string; lines: string[] }>()
  #keys: Keyring

  constructor(tables: readonly Table[], fillingOf: (text: string) => Fill, keys: Keyring) {
    this.#keys = keys
    for (const columns of sealedTablesOf(modules)) {
      const { table, column = 'sealed', key } = columns.declaration
      const finds = findsOf(columns)
      const rows = tables.find(({ name }) => name === table)?.rows ?? []
      if (finds && rows.length > 0) this.#finds.set(finds.table, { ...finds, lines: [] })
      for (const [rank, row] of rows.entries()) {
        const sealed = row[column]
        if (!sealed) continue
        const place = Object.keys(key).map((name) => row[name] ?? '')
        const value = columns.open(keys, place, sealed)
        const isBytes = Buffer.isBuffer(value.bytes)
        const text = fillingOf(isBytes ? value.bytes.toString() : JSON.stringify(value))
        const places = place.map(fillingOf)
        const make = (copy: Copy): Made => {
          const own = this.#keys
          const at = places.map((fill) => fill(copy))
          const filled = text(copy)
          const made = isBytes ? { bytes: Buffer.from(filled) } : JSON.parse(filled)
          if (finds)
            this.#finds
              .get(finds.table)
              ?.lines.push(...finds.of(made, own).map((term) => `${own.realmId}\t${term}\t${at[0]}`))
          return {
            [column]: columns.seal(own, at, made),
            ...columns.hashes(own, made),
            ...columns.derived(own, at, made),
          }
        }
        const known = this.#rows.get(`${table} ${rank}`)
        if (known) known.push(make)
        else this.#rows.set(`${table} ${rank}`, [make])
      }
    }
  }

  /** Makes the sealed columns of a row. */
  of(table: string, rank: number): (copy: Copy) => Made {
    const makes = this.#rows.get(`${table} ${rank}`) ?? []
    return (copy) => Object.assign({}, ...makes.map((make) => make(copy)))
  }

  /** The tables whose rows are made of values: they are not copied. */
  get finds(): ReadonlySet<string> {
    return new Set(this.#finds.keys())
  }

  /** Begins a part: people share their first letters, so each text is hashed once in it. */
  begin(keys: Keyring): void {
    this.#keys = { ...keys, ...hashingOnce(keys) }
    for (const found of this.#finds.values()) found.lines = []
  }

  /** The rows by which the values of the part are found. */
  found(): Iterable<{ table: string; column: string; lines: string[] }> {
    return this.#finds.values()
  }
}
