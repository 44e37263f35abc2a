import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import type { RequestKind, RequestStatus } from './rules.ts'

interface SealedRequest {
  /** Why it was refused. */
  reason: string | null
}

export const sealedDataRequests = sealedColumns<SealedRequest>({
  table: 'data_requests',
  key: { id: 'text' },
  clear: { reason: NEVER },
  emptied: [],
})

export interface DataRequestRow extends SealedRequest {
  id: string
  customerId: number
  kind: RequestKind
  requestedAt: Date
  status: RequestStatus
  closedAt: Date | null
  closedBy: string | null
}

type Stored = Omit<DataRequestRow, keyof SealedRequest> & { sealed: Sealed<SealedRequest> }

async function selectWhere(tx: Tx, rest: RawBuilder<unknown>): Promise<DataRequestRow[]> {
  const rows = await tx.rows(sql<Stored>`
    select d.id, d.customer_id as "customerId", d.kind, d.requested_at as "requestedAt", d.status, d.closed_at as "closedAt",
           d.closed_by as "closedBy", ${sealedDataRequests.of('d')} as sealed
    from data_requests d where d.realm_id = ${tx.realm.id} and ${rest}`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedDataRequests.open(keys, [row.id], sealed) }))
}

/** False if the person has an open one of this kind. */
export async function insertRequest(
  tx: Tx,
  { id, customerId, kind }: Pick<DataRequestRow, 'id' | 'customerId' | 'kind'>,
): Promise<boolean> {
  const sealed = sealedDataRequests.seal(await keyringOf(tx), [id], { reason: null })
  const inserted = await tx.run(sql`
    insert into data_requests (realm_id, id, customer_id, kind, requested_at, sealed)
    values (${tx.realm.id}, ${id}, ${customerId}, ${kind}, ${tx.now}, ${sealed}::bytea)
    on conflict (realm_id, customer_id, kind) where status = 'open' do nothing`)
  return inserted === 1
}

/** A request, locked until the transaction ends. */
export async function lockRequest(tx: Tx, id: string): Promise<DataRequestRow | undefined> {
  const [found] = await selectWhere(tx, sql`d.id = ${id} for update`)
  return found
}

export async function selectRequest(tx: Tx, id: string): Promise<DataRequestRow | undefined> {
  const [found] = await selectWhere(tx, sql`d.id = ${id}`)
  return found
}

/** What a person asked for, newest first. */
export const selectRequestsOf = (tx: Tx, customerId: number): Promise<DataRequestRow[]> =>
  selectWhere(tx, sql`d.customer_id = ${customerId} order by d.requested_at desc, d.id limit 50`)

export async function countRequestsSince(tx: Tx, customerId: number, since: Date): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from data_requests
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} and requested_at > ${since}`)
  return total
}

export interface RequestFilter {
  statuses?: readonly RequestStatus[] | undefined
  kinds?: readonly RequestKind[] | undefined
  customerIds?: readonly number[] | undefined
}

/** Those that wait longest first. */
export async function selectRequestPage(
  tx: Tx,
  { statuses, kinds, customerIds }: RequestFilter,
  { page, size }: { page: number; size: number },
): Promise<{ rows: DataRequestRow[]; total: number }> {
  const where = sql`${isOneOf(sql`d.status`, statuses)} and ${isOneOf(sql`d.kind`, kinds)}
    and ${customerIds ? sql`d.customer_id = any(${customerIds}::bigint[])` : sql`true`}`
  const { total } = await tx.row(
    sql<{ total: number }>`
      select count(*)::int as total from data_requests d where d.realm_id = ${tx.realm.id} and ${where}`,
  )
  const rows = await selectWhere(
    tx,
    sql`${where} order by d.status <> 'open', case when d.status = 'open' then d.requested_at end, d.requested_at desc, d.id
      limit ${size} offset ${page * size}`,
  )
  return { rows, total }
}

/** Closes a request that is locked. */
export async function updateClosed(
  tx: Tx,
  id: string,
  { status, reason }: { status: 'granted' | 'refused'; reason: string | null },
): Promise<void> {
  const sealed = sealedDataRequests.seal(await keyringOf(tx), [id], { reason })
  await tx.run(sql`
    update data_requests set status = ${status}, closed_at = ${tx.now}, closed_by = ${tx.actor.name}, sealed = ${sealed}::bytea
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Deletes what a person asked for. Returns it. */
export async function deleteRequestsOf(tx: Tx, customerId: number): Promise<DataRequestRow[]> {
  const rows = await selectRequestsOf(tx, customerId)
  await tx.run(sql`delete from data_requests where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  return rows
}

/** Moves back when this sandbox's people asked for their data, and were answered, by `ms` milliseconds. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`
    update data_requests set requested_at = requested_at - ${back}, closed_at = closed_at - ${back}
    where realm_id = ${tx.realm.id}`)
}
