import { sql } from 'kysely'
import type { Queries } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { wordsOf } from '../../platform/sealing/packing.ts'
import { sealedText } from '../../platform/sealing/sealed-bytes.ts'
import { bytesOf, keyringIn, keyringsOf } from '../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../platform/slices.ts'
import words from './data/words-1.json' with { type: 'json' }
import { personalFields, withoutPerson } from './rules.ts'

const anyPersonal = personalFields.map((name) => `nullif($.data->>'${name}', '')`).join(', ')

/**
 * The data of events that tell of a person: the bytes that webhooks send. For processes that do not read packed values,
 * `data` holds the rest of it.
 */
export const sealedEvents = sealedText({
  table: 'events',
  key: { id: 'text' },
  clear: `case when $.type = 'kit.updated' and coalesce(${anyPersonal}) is not null then $.data::text end`,
  emptied: [],
  derived: {
    data: {
      type: 'jsonb',
      of: ({ bytes }, { packs }) => {
        if (packs) return null
        const data = JSON.parse(bytes.toString()) as object
        return (withoutPerson(data) ?? data) as object
      },
    },
  },
  words: [wordsOf(words)],
})

/** The form of an event in its row. */
export interface StoredData {
  data: unknown
  /** All of it, if it tells of a person. */
  sealed: string | null
}

/** The data of an event as it is stored. `keys` is asked only if it tells of a person. */
export function storedData(keys: Keyring, id: string, data: unknown): StoredData {
  const rest = withoutPerson(data)
  if (rest === undefined) return { data, sealed: null }
  return {
    data: keys.packs ? null : rest,
    sealed: sealedEvents.seal(keys, [id], { bytes: Buffer.from(JSON.stringify(data)) }),
  }
}

/** Selects the data of an event of `alias`: what `openData` opens. */
export const storedText = (alias: string) =>
  sql<string>`coalesce(${sql.ref(`${alias}.sealed`)}::text, ${sql.ref(`${alias}.data`)}::text)`

/** Opens the data of events, as the text that webhooks send. */
export async function openData<Row extends { realmId: number; id: string; data: string }>(
  tx: Queries,
  rows: readonly Row[],
): Promise<Row[]> {
  // JSON never begins so.
  const isSealed = ({ data }: Row) => data.startsWith('\\x')
  const keys = await keyringsOf(tx, rows.filter(isSealed))
  return mapInSlices(rows, (row) => {
    if (!isSealed(row)) return row
    const data = sealedEvents.openBytes(keyringIn(keys, row.realmId), [row.id], bytesOf(row.data)).toString()
    return { ...row, data }
  })
}
