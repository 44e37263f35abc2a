import { type RawBuilder, sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import {
  keyringIn,
  keyringOf,
  keyringsOf,
  NEVER,
  type Sealed,
  sealedColumns,
} from '../../../platform/sealing/sealed-columns.ts'

/** What is sealed of a hold. */
export interface SealedHold {
  reason: string
}

export const sealedHolds = sealedColumns<SealedHold>({
  table: 'report_holds',
  key: { id: 'text' },
  clear: { reason: NEVER },
  emptied: [],
})

export interface HoldRow extends SealedHold {
  reportId: string
  by: string
  /** The same as the audit names them. */
  actor: string
  heldAt: Date
  untilAt: Date
}

/** Staff by their e-mail address, machines by the name of their token. */
export const whoSql = (actor: RawBuilder<unknown>): RawBuilder<string> => sql`coalesce(
  (select u.email from users u where 'user:' || u.id = ${actor}),
  (select o.name from operator_tokens o where 'operator:' || o.id = ${actor}), ${actor})`

const isActive = (now: Date) => sql`h.released_at is null and h.until_at > ${now}`
const columns = sql`
  h.id, h.report_id as "reportId", ${whoSql(sql`h.held_by`)} as by, h.held_by as actor, h.held_at as "heldAt",
  h.until_at as "untilAt", ${sealedHolds.of('h')} as sealed`

type Stored = Omit<HoldRow, 'reason'> & { id: string; sealed: Sealed<SealedHold> }

/** The hold of a report that has not ended; for the operator only, who may read staff. */
export async function selectHold(tx: Tx, reportId: string): Promise<HoldRow | undefined> {
  const row = await tx.maybeRow(sql<Stored>`
    select ${columns} from report_holds h
    where h.realm_id = ${tx.realm.id} and h.report_id = ${reportId} and ${isActive(tx.now)} order by h.held_at desc limit 1`)
  if (!row) return undefined
  const { id, sealed, ...rest } = row
  return { ...rest, ...sealedHolds.open(await keyringOf(tx), [id], sealed) }
}

/** The holds of reports of any realm that have not ended. */
export async function selectHolds(tx: SystemTx, reportIds: readonly string[]): Promise<Map<string, HoldRow>> {
  const rows = await tx.rows(sql<Stored & { realmId: number }>`
    select h.realm_id as "realmId", ${columns} from report_holds h
    where h.report_id = any(${[...reportIds]}) and ${isActive(tx.now)} order by h.held_at`)
  const keys = await keyringsOf(tx, rows)
  return new Map(
    rows.map(({ realmId, id, sealed, ...rest }) => [
      `${realmId} ${rest.reportId}`,
      { ...rest, ...sealedHolds.open(keyringIn(keys, realmId), [id], sealed) },
    ]),
  )
}

/** Until when a report is held; undefined: it is not. */
export async function selectHeldUntil(tx: Tx, reportId: string): Promise<Date | undefined> {
  const row = await tx.maybeRow(sql<{ untilAt: Date }>`
    select h.until_at as "untilAt" from report_holds h
    where h.realm_id = ${tx.realm.id} and h.report_id = ${reportId} and ${isActive(tx.now)} order by h.until_at desc limit 1`)
  return row?.untilAt
}

export async function insertHold(
  tx: Tx,
  { reportId, untilAt, reason }: { reportId: string; untilAt: Date; reason: string },
): Promise<void> {
  const id = newOpaqueId('hold')
  const sealed = sealedHolds.seal(await keyringOf(tx), [id], { reason })
  await tx.run(sql`
    insert into report_holds (realm_id, id, report_id, held_at, held_by, until_at, sealed)
    values (${tx.realm.id}, ${id}, ${reportId}, ${tx.now}, ${tx.actor.name}, ${untilAt}, ${sealed}::bytea)`)
}

/** Ends the hold of a report. False if it has none. */
export async function endHold(tx: Tx, reportId: string): Promise<boolean> {
  const ended = await tx.run(sql`
    update report_holds h set released_at = ${tx.now}, released_by = ${tx.actor.name}
    where h.realm_id = ${tx.realm.id} and h.report_id = ${reportId} and ${isActive(tx.now)}`)
  return ended > 0
}
