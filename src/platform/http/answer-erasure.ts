import { sql } from 'kysely'
import type { Tx } from '../database/tx.ts'
import { keyringOf, operatorKeyringOf } from '../sealing/sealed-columns.ts'
import { inSlices } from '../slices.ts'
import { sealedOperatorAnswers } from './operator-keys.ts'
import { sealedAnswers } from './realm-keys.ts'

// Read at once, so that answers of any length fit into memory.
const BYTES_AT_ONCE = 4 * 1024 * 1024
const ROWS_AT_ONCE = 1000

interface Size {
  key: string
  bytes: number
}

/** Deletes stored answers that hold one of these texts, in lower case; the next request with such a key runs again. */
export async function deleteStoredAnswers(tx: Tx, texts: readonly string[]): Promise<void> {
  const sizes = await tx.rows(sql<Size>`
    select key, octet_length(sealed) as bytes from idempotency_keys
    where realm_id = ${tx.realm.id} and sealed is not null order by key`)
  const named: string[] = []
  for (const some of portionsOf(sizes)) named.push(...(await keysOfAnswersWith(tx, texts, some)))
  await tx.run(sql`
    delete from idempotency_keys where realm_id = ${tx.realm.id} and (key = any(${named})
      or exists (select from unnest(${texts}::text[]) as t(part) where strpos(lower(body), t.part) > 0))`)
}

/** The same for what is kept for callers of the operator, in a transaction that may switch to all realms. */
export async function deleteOperatorAnswers(tx: Tx, texts: readonly string[]): Promise<void> {
  const sizes = await tx.rows(sql<Size>`
    select key, octet_length(sealed) as bytes from operator_idempotency_keys where sealed is not null order by key`)
  const keys = await operatorKeyringOf(tx)
  for (const some of portionsOf(sizes)) {
    const rows = await tx.rows(sql<{ key: string; sealed: Buffer }>`
      select key, sealed from operator_idempotency_keys where key = any(${some}) and sealed is not null`)
    const named = await namedIn(rows, texts, ({ key, sealed }) => sealedOperatorAnswers.openBytes(keys, [key], sealed))
    await tx.run(sql`delete from operator_idempotency_keys where key = any(${named})`)
  }
}

function* portionsOf(sizes: readonly Size[]): Iterable<string[]> {
  let keys: string[] = []
  let sum = 0
  for (const { key, bytes } of sizes) {
    if (keys.length === ROWS_AT_ONCE || (keys.length > 0 && sum + bytes > BYTES_AT_ONCE)) {
      yield keys
      keys = []
      sum = 0
    }
    keys.push(key)
    sum += bytes
  }
  if (keys.length > 0) yield keys
}

async function keysOfAnswersWith(tx: Tx, texts: readonly string[], among: readonly string[]): Promise<string[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<{ key: string; sealed: Buffer }>`
    select key, sealed from idempotency_keys
    where realm_id = ${tx.realm.id} and key = any(${among}) and sealed is not null`)
  return namedIn(rows, texts, ({ key, sealed }) => sealedAnswers.openBytes(keys, [key], sealed))
}

async function namedIn<Row extends { key: string }>(
  rows: readonly Row[],
  texts: readonly string[],
  open: (row: Row) => Buffer,
): Promise<string[]> {
  const named: string[] = []
  await inSlices(rows, (row) => {
    const body = open(row).toString().toLowerCase()
    if (texts.some((text) => body.includes(text))) named.push(row.key)
  })
  return named
}
