import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { AuditRow } from './queries.ts'
import { after, maybeLastXact, type Sealed } from './seal-queries.ts'

export type ReaderName = 'lists' | 'stream' | 'alarms'

/** How far a reader has come, and how far the entries are sealed. */
export interface ReaderPosition {
  reader: Sealed
  sealed: Sealed
}

const position = (alias: string) =>
  sql`jsonb_build_object('xact', ${sql.ref(`${alias}.xact`)}, 'id', ${sql.ref(`${alias}.id`)}, 'floor', ${sql.ref(`${alias}.floor`)})`

/** Locks a reader's row until the transaction ends; undefined while another process has it. */
export const lockReader = (tx: SystemTx, name: ReaderName): Promise<ReaderPosition | undefined> =>
  tx.maybeRow(sql<ReaderPosition>`
    select ${position('r')} as reader, (select ${position('s')} from audit_sealing s) as sealed
    from audit_readers r where r.name = ${name} for update of r skip locked`)

/** Holds a reader for a while, beyond the transaction; undefined while somebody else holds it. */
export const holdReader = (
  tx: SystemTx,
  name: ReaderName,
  holder: string,
  until: Date,
): Promise<ReaderPosition | undefined> =>
  tx.maybeRow(sql<ReaderPosition>`
    update audit_readers r set held_by = ${holder}, held_until = ${until}
    where r.name = ${name} and (r.held_by is null or r.held_by = ${holder} or r.held_until < ${tx.now})
    returning ${position('r')} as reader, (select ${position('s')} from audit_sealing s) as sealed`)

/** Moves a reader on. `holder`: only while that one holds it. True if it was moved. */
export async function moveReader(tx: SystemTx, name: ReaderName, to: Sealed, holder?: string): Promise<boolean> {
  const moved = await tx.run(sql`
    update audit_readers set xact = ${to.xact}, id = ${to.id}, floor = ${to.floor}
    where name = ${name} and held_by is not distinct from ${holder ?? null}`)
  return moved === 1
}

export async function releaseReader(tx: SystemTx, name: ReaderName, holder: string): Promise<void> {
  await tx.run(
    sql`update audit_readers set held_by = null, held_until = null where name = ${name} and held_by = ${holder}`,
  )
}

/** A condition on an entry `e`. */
export type Wanted = RawBuilder<unknown>

export interface SealedEntry extends Omit<AuditRow, 'realmId' | 'businessName'> {
  xact: number
}

/**
 * Sealed entries after a position, in the order of sealing: of the next `limit` or so, those that are `wanted`, and the last
 * one, which says how far they reach. `wanted`: a condition on an entry `e`. Before a restore, transactions were counted
 * again from `upTo.floor` on: what is up to there comes first.
 */
export async function selectSealed(
  tx: SystemTx,
  { reader, sealed }: ReaderPosition,
  limit: number,
  wanted: Wanted = sql`true`,
): Promise<SealedEntry[]> {
  const last = await maybeLastXact(tx, reader, limit)
  const bound = last === undefined ? sql`true` : sql`e.xact <= ${last}`
  const isBehindRestore = reader.floor < sealed.floor
  const isSealed = isBehindRestore
    ? sql`e.id <= ${sealed.floor}`
    : sql`(e.xact, e.id) <= (${sealed.xact}::bigint, ${sealed.id}::bigint)`
  return tx.rows(sql<SealedEntry>`
    select e.id, e.xact, e.at, e.actor, e.action, e.object_type as "objectType", e.object_id as "objectId",
      e.request_id as "requestId", e.caller_request_id as "callerRequestId", e.ip, e.details,
      r.business_id as "businessId", r.mode
    from (
      select e.*, lead(e.id) over (order by e.xact, e.id) is null as is_last
      from (select e.* from audit_entries e where ${after(reader)} and ${bound} and ${isSealed} order by e.xact, e.id limit ${limit}) e
    ) e left join realms r on r.id = e.realm_id
    where e.is_last or (${wanted}) order by e.xact, e.id`)
}

/** Where a reader is, without a lock. */
export const selectPosition = (tx: SystemTx, name: ReaderName): Promise<ReaderPosition> =>
  tx.row(sql<ReaderPosition>`
    select ${position('r')} as reader, ${position('s')} as sealed from audit_readers r cross join audit_sealing s
    where r.name = ${name}`)

/** Whether an entry `e` comes after the position of a reader. As values, for the planner: see `after`. */
export const isUnread = ({ reader, sealed }: ReaderPosition): RawBuilder<unknown> =>
  sealed.floor > reader.floor ? sql`(${after(reader)} or e.id > ${sealed.floor})` : after(reader)

/** How many entries a reader has not read, up to 10,000, and since when the first of them waits. */
export async function selectUnread(tx: SystemTx, name: ReaderName): Promise<{ entries: number; oldest: Date | null }> {
  const position = await selectPosition(tx, name)
  return tx.row(sql<{ entries: number; oldest: Date | null }>`
    select count(*)::int as entries, min(w.at) as oldest
    from (select e.at from audit_entries e where ${isUnread(position)} limit 10000) w`)
}
