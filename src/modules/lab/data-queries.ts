import { sql } from 'kysely'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { timeOf } from '../../platform/http/fields.ts'
import type { FileJob, FileResult } from './schema.ts'

export type DataKind = 'quiz' | 'test' | 'file'

/** Keeps what was sent, as it was sent. */
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

/** Says how a file is to be read further, beside what was sent. */
export async function updatePayload(tx: Tx, dataId: string, payload: unknown): Promise<void> {
  await tx.run(sql`
    update customer_data set payload = ${JSON.stringify(payload)}::jsonb where realm_id = ${tx.realm.id} and id = ${dataId}`)
}

export async function deleteData(tx: Tx, dataId: string): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and id = ${dataId}`)
}

export async function insertFileJob(tx: Tx, dataId: string): Promise<string> {
  const id = newOpaqueId('job')
  await tx.run(sql`
    insert into file_jobs (realm_id, id, data_id, status, created_at)
    values (${tx.realm.id}, ${id}, ${dataId}, 'pending', ${tx.now})`)
  return id
}

interface FileJobRow {
  id: string
  dataId: string
  status: FileJob['status']
  result: FileResult | null
  error: { code: string; message: string } | null
}

export function selectFileJob(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<FileJobRow | undefined> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  return tx.maybeRow(sql<FileJobRow>`
    select id, data_id as "dataId", status, result, error from file_jobs
    where realm_id = ${tx.realm.id} and id = ${id} ${forUpdate}`)
}

/** False when the job has ended already. */
export async function moveFileJob(
  tx: Tx,
  id: string,
  to: { status: 'processing' } | { status: 'completed'; result: FileResult } | { status: 'failed'; error: unknown },
): Promise<boolean> {
  const result = to.status === 'completed' ? JSON.stringify(to.result) : null
  const error = to.status === 'failed' ? JSON.stringify(to.error) : null
  const finishedAt = to.status === 'processing' ? null : tx.now
  const moved = await tx.run(sql`
    update file_jobs set status = ${to.status}, result = ${result}::jsonb, error = ${error}::jsonb, finished_at = ${finishedAt}
    where realm_id = ${tx.realm.id} and id = ${id} and status in ('pending', 'processing')`)
  return moved === 1
}
