import { sql } from 'kysely'
import type { Queries, Tx } from '../../../platform/database/tx.ts'
import { sealedBytes } from '../../../platform/sealing/sealed-bytes.ts'
import { keyringOf } from '../../../platform/sealing/sealed-columns.ts'
import type { RetainedKind } from './rules.ts'

/** A record of an erased person: JSON, or the bytes of a file. */
export const sealedRetained = sealedBytes({
  table: 'kept_records',
  key: { id: 'text' },
  // There never was a form in clear.
  clear: 'sealed',
  emptied: [],
  // Files of up to 25 MB are among them.
  rowsAtOnce: 1,
})

export interface RetainedRecord {
  id: string
  customerId: number
  kind: RetainedKind
  /** What it was: `report`, `document`, `order`. */
  source: string
  recordedAt: Date
}

export async function insertRetained(tx: Tx, record: RetainedRecord, content: Buffer): Promise<void> {
  const { id, customerId, kind, source, recordedAt } = record
  const sealed = sealedRetained.sealBytes(await keyringOf(tx), [id], content)
  await tx.run(sql`
    insert into kept_records (realm_id, id, customer_id, kind, source, recorded_at, kept_at, sealed)
    values (${tx.realm.id}, ${id}, ${customerId}, ${kind}, ${source}, ${recordedAt}, ${tx.now}, ${sealed})`)
}

export async function hasRetained(tx: Queries, realmId: number, customerId: number): Promise<boolean> {
  const found = await tx.maybeRow(
    sql`select 1 from kept_records where realm_id = ${realmId} and customer_id = ${customerId} limit 1`,
  )
  return found !== undefined
}

/** The records of a person, oldest first, opened. */
export async function selectRetained(tx: Tx, customerId: number): Promise<(RetainedRecord & { content: Buffer })[]> {
  const rows = await tx.rows(sql<RetainedRecord & { sealed: Buffer }>`
    select id, customer_id as "customerId", kind, source, recorded_at as "recordedAt", sealed
    from kept_records where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by recorded_at, id`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, content: sealedRetained.openBytes(keys, [row.id], sealed) }))
}
