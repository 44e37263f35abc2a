import { sql } from 'kysely'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { timeOf } from '../../platform/http/fields.ts'

export type DataKind = 'quiz' | 'test' | 'file'

/** Stores data as it was sent. */
export async function insertData(
  tx: Tx,
  data: { customerId: number; kind: DataKind; date: string; payload: unknown },
): Promise<string> {
  const id = newOpaqueId('data')
  await tx.run(sql`
    insert into customer_data (realm_id, id, customer_id, kind, date, given_at, payload, created_at)
    values (${tx.realm.id}, ${id}, ${data.customerId}, ${data.kind}, ${data.date.slice(0, 10)},
      ${timeOf(data.date)}, ${JSON.stringify(data.payload)}::jsonb, ${tx.now})`)
  return id
}

export async function insertDocument(
  tx: Tx,
  document: { dataId: string; fileName?: string; mediaType: string; content: Buffer },
): Promise<string> {
  const id = newOpaqueId('doc')
  await tx.run(sql`
    insert into documents (realm_id, id, data_id, file_name, media_type, content, created_at)
    values (${tx.realm.id}, ${id}, ${document.dataId}, ${document.fileName ?? null}, ${document.mediaType},
      ${document.content}, ${tx.now})`)
  return id
}

export interface StoredFile {
  dataId: string
  docId: string
  customerId: number
  date: string
  content: Buffer
}

export function selectFile(tx: Tx, dataId: string): Promise<StoredFile | undefined> {
  return tx.maybeRow(sql<StoredFile>`
    select d.id as "dataId", o.id as "docId", d.customer_id as "customerId",
      coalesce(d.given_at, d.date::text) as date, o.content
    from customer_data d join documents o on o.realm_id = d.realm_id and o.data_id = d.id
    where d.realm_id = ${tx.realm.id} and d.id = ${dataId}`)
}

/** Replaces what is stored about a file: its format and notes, or why a person must read it. */
export async function updatePayload(tx: Tx, dataId: string, payload: unknown): Promise<void> {
  await tx.run(sql`
    update customer_data set payload = ${JSON.stringify(payload)}::jsonb where realm_id = ${tx.realm.id} and id = ${dataId}`)
}

export async function deleteData(tx: Tx, dataId: string): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and id = ${dataId}`)
}
