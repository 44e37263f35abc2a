import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { FileJob, FileResult } from '../schema.ts'
import { type FileJobOutcome, sealedFileJobs } from '../sealed-queries.ts'

export async function insertFileJob(tx: Tx, dataId: string): Promise<string> {
  const id = newOpaqueId('job')
  await tx.run(sql`
    insert into file_jobs (realm_id, id, data_id, status, created_at)
    values (${tx.realm.id}, ${id}, ${dataId}, 'pending', ${tx.now})`)
  return id
}

interface FileJobRow extends FileJobOutcome {
  id: string
  dataId: string
  status: FileJob['status']
}

type UnreadJob = Omit<FileJobRow, keyof FileJobOutcome> & { outcome: Sealed<FileJobOutcome> }

export async function selectFileJob(
  tx: Tx,
  id: string,
  lock: 'none' | 'update' = 'none',
): Promise<FileJobRow | undefined> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  const row = await tx.maybeRow(sql<UnreadJob>`
    select j.id, j.data_id as "dataId", j.status, ${sealedFileJobs.of('j')} as outcome from file_jobs j
    where j.realm_id = ${tx.realm.id} and j.id = ${id} ${forUpdate}`)
  if (!row) return undefined
  const { outcome, ...job } = row
  return { ...job, ...sealedFileJobs.open(await keyringOf(tx), [id], outcome) }
}

/** False if the job has ended already. */
export async function moveFileJob(
  tx: Tx,
  id: string,
  to:
    | { status: 'processing' }
    | { status: 'completed'; result: FileResult }
    | { status: 'failed'; error: FileJobOutcome['error'] },
): Promise<boolean> {
  const { result = null, error = null }: Partial<FileJobOutcome> = to.status === 'processing' ? {} : to
  const isOver = to.status !== 'processing'
  const sealed = isOver ? sealedFileJobs.seal(await keyringOf(tx), [id], { result, error }) : null
  const finishedAt = isOver ? tx.now : null
  const moved = await tx.run(sql`
    update file_jobs set status = ${to.status}, ${sealedFileJobs.emptied}, sealed = ${sealed}, finished_at = ${finishedAt}
    where realm_id = ${tx.realm.id} and id = ${id} and status in ('pending', 'processing')`)
  return moved === 1
}
