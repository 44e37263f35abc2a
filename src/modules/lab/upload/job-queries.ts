import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { FileJob, FileResult } from '../schema.ts'

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

/** False if the job has ended already. */
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
