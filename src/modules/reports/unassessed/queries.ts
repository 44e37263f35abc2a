import { type RawBuilder, sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { hexOf, keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { ReportStatus } from '../schema.ts'
import { holdingCodes, type Outcome } from './rules.ts'
import type { ReportedUnassessed } from './schema.ts'
import { type SealedUnassessed, sealedUnassessed, unassessedKeyHash } from './sealed-queries.ts'

export interface NewUnassessedRow extends Omit<SealedUnassessed, 'note' | 'assigned'> {
  code: string
  isCritical: boolean
  /** Of the report, which says it from this one on. */
  firstVersion: number | null
}

export interface CameWith {
  customerId: number
  kitId?: string | undefined
  dataId?: string | undefined
  report?: { id: string; version: number; status: ReportStatus } | undefined
  /** The document that it came in. */
  receivedId?: string | undefined
}

/** One statement, however many there are. */
export async function insertUnassessed(
  tx: Tx,
  { customerId, kitId, dataId, report, receivedId }: CameWith,
  rows: readonly NewUnassessedRow[],
) {
  if (rows.length === 0) return
  const keys = await keyringOf(tx)
  const items = rows.map(({ code, isCritical, firstVersion, ...content }, place) => {
    const id = newOpaqueId('una')
    return {
      id,
      place,
      code,
      is_critical: isCritical,
      first_version: firstVersion,
      ...sealedIn(keys, id, { ...content, note: null, assigned: null }),
    }
  })
  await tx.run(sql`
    insert into unassessed_results (realm_id, id, customer_id, kit_id, data_id, report_id, first_version, place, code,
      is_critical, received_at, received_id, sealed, key_hash)
    select ${tx.realm.id}, i.id, ${customerId}, ${kitId ?? null}, ${dataId ?? null}, ${report?.id ?? null}, i.first_version,
      i.place, i.code, i.is_critical, ${tx.now}, ${receivedId ?? null}, i.sealed, i.key_hash
    from json_to_recordset(${JSON.stringify(items)}::json) as i(id text, place integer, code text, is_critical boolean,
      first_version integer, sealed bytea, key_hash bytea)`)
}

const sealedIn = (keys: Keyring, id: string, value: SealedUnassessed) => ({
  sealed: sealedUnassessed.seal(keys, [id], value),
  ...sealedUnassessed.hashes(keys, value),
})

interface Closing {
  by: string
  outcome: Outcome
  note: string
  /** The biomarker, where it is assigned. */
  assigned?: string
  /** The last version of the report that says it. */
  lastVersion?: number
}

/** Closes results that are open, each with a note: its row is sealed again. Returns how many were found. */
async function closeWhere(tx: Tx, where: RawBuilder<unknown>, closing: Closing): Promise<number> {
  const { by, outcome, note, assigned, lastVersion } = closing
  const rows = await tx.rows(sql<{ id: string; sealed: Sealed<SealedUnassessed> }>`
    select u.id, ${sealedUnassessed.of('u')} as sealed from unassessed_results u
    where u.realm_id = ${tx.realm.id} and ${where} for update`)
  if (rows.length === 0) return 0
  const keys = await keyringOf(tx)
  const items = rows.map(({ id, sealed }) => {
    const value = sealedUnassessed.open(keys, [id], sealed)
    const now = { note: value.note ?? note, assigned: value.assigned ?? assigned ?? null }
    return { id, ...sealedIn(keys, id, { ...value, ...now }) }
  })
  return tx.run(sql`
    update unassessed_results u set last_version = coalesce(${lastVersion ?? null}, u.last_version),
      outcome = case when u.closed_at is null then ${outcome} else u.outcome end,
      closed_at = coalesce(u.closed_at, ${tx.now}), closed_by = coalesce(u.closed_by, ${by}),
      ${sealedUnassessed.emptied}, sealed = i.sealed, key_hash = i.key_hash
    from json_to_recordset(${JSON.stringify(items)}::json) as i(id text, sealed bytea, key_hash bytea)
    where u.realm_id = ${tx.realm.id} and u.id = i.id`)
}

/** Those of these names; in clear as versions before wrote them. */
const hasName = (keys: Keyring, names: readonly string[]) => sql`
  (u.key_hash = any(${names.map((name) => hexOf(unassessedKeyHash(keys, name)))}::bytea[])
    or (u.sealed is null and u.key = any(${[...names]})))`

/**
 * Closes the results of a kit that come again, by their names. `isHeld`: one of the others must be seen before the report
 * is published. `isLoose`: one of the others has no report yet.
 */
export async function replaceUnassessedOfKit(
  tx: Tx,
  kitId: string,
  names: readonly string[],
  lastVersion: number,
): Promise<{ isHeld: boolean; isLoose: boolean }> {
  const isCurrent = sql`u.kit_id = ${kitId} and u.last_version is null`
  const isNamed = hasName(await keyringOf(tx), names)
  const closing = { by: 'system', outcome: 'replaced', note: 'It came again', lastVersion } as const
  await closeWhere(tx, sql`${isCurrent} and ${isNamed}`, closing)
  return tx.row(sql<{ isHeld: boolean; isLoose: boolean }>`
    select coalesce(bool_or(u.closed_at is null and (u.is_critical or u.code = any(${holdingCodes}))), false) as "isHeld",
      coalesce(bool_or(u.report_id is null), false) as "isLoose"
    from unassessed_results u where u.realm_id = ${tx.realm.id} and ${isCurrent} and ${isNamed} is not true`)
}

/** Adds the results that waited before the kit had a report to the report's first version. */
export async function joinUnassessedToReport(
  tx: Tx,
  kitId: string,
  report: { id: string; version: number },
): Promise<void> {
  await tx.run(sql`
    update unassessed_results set report_id = ${report.id}, first_version = ${report.version}
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and report_id is null and last_version is null`)
}

/** Leaves what a person must see first to the next version, where one is published without them. */
export async function postponeUnassessed(tx: Tx, reportId: string, version: number): Promise<void> {
  await tx.run(sql`
    update unassessed_results set first_version = ${version + 1}
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and first_version = ${version} and closed_at is null
      and (is_critical or code = any(${holdingCodes}))`)
}

/** Whether a report has an open critical result that could not be judged. */
export async function hasCriticalUnassessed(tx: Tx, reportId: string): Promise<boolean> {
  const { found } = await tx.row(sql<{ found: boolean }>`
    select exists (select from unassessed_results
      where realm_id = ${tx.realm.id} and report_id = ${reportId} and closed_at is null and is_critical) as found`)
  return found
}

/** Whether one is open that keeps a report from being published by itself. */
export async function hasHoldingUnassessed(tx: Tx, reportId: string): Promise<boolean> {
  const { found } = await tx.row(sql<{ found: boolean }>`
    select exists (select from unassessed_results
      where realm_id = ${tx.realm.id} and report_id = ${reportId} and closed_at is null
        and (is_critical or code = any(${holdingCodes}))) as found`)
  return found
}

/** Those that wait, of those that a version of a report shows. */
export async function selectWaitingOfReport(tx: Tx, reportId: string, version: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id from unassessed_results
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and first_version <= ${version} and closed_at is null`)
  return rows.map(({ id }) => id)
}

/** Closes these results of a report: who published or rejected it has seen them. */
export async function closeUnassessedOfReport(
  tx: Tx,
  reportId: string,
  ids: readonly string[],
  note = 'The report was published',
): Promise<void> {
  const closing = { by: tx.actor.name, outcome: 'seen', note } as const
  await closeWhere(tx, sql`u.report_id = ${reportId} and u.id = any(${ids}) and u.closed_at is null`, closing)
}

/**
 * Removes what came in a document and could not be judged: it is about somebody else. What it replaced on the kit waits
 * again. Returns the names, and the biomarkers that a person assigned some to.
 */
export async function removeUnassessedOf(
  tx: Tx,
  { kitId, receivedId, at }: { kitId: string; receivedId: string; at: Date },
): Promise<{ names: string[]; assigned: string[] }> {
  const rows = await tx.rows(sql<{ id: string; sealed: Sealed<SealedUnassessed> }>`
    delete from unassessed_results u where u.realm_id = ${tx.realm.id} and u.received_id = ${receivedId}
    returning u.id, ${sealedUnassessed.of('u')} as sealed`)
  await tx.run(sql`
    update unassessed_results set closed_at = null, closed_by = null, outcome = null, last_version = null
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and outcome = 'replaced' and closed_at = ${at}`)
  const keys = await keyringOf(tx)
  const contents = rows.map((row) => sealedUnassessed.open(keys, [row.id], row.sealed))
  return { names: contents.map(({ key }) => key), assigned: contents.flatMap(({ assigned }) => assigned ?? []) }
}

/** False if it is closed already. */
export async function dismissUnassessed(tx: Tx, id: string, note: string): Promise<boolean> {
  const closing = { by: tx.actor.name, outcome: 'dismissed', note } as const
  return (await closeWhere(tx, sql`u.id = ${id} and u.closed_at is null`, closing)) === 1
}

/** Closes a result as one of a biomarker. `lastVersion`: the last version of its report that says it as not assessed. */
export async function assignUnassessed(
  tx: Tx,
  id: string,
  { biomarker: assigned, ...closing }: { biomarker: string; note: string; lastVersion: number },
): Promise<void> {
  await closeWhere(tx, sql`u.id = ${id}`, { by: tx.actor.name, outcome: 'assigned', assigned, ...closing })
}

export type OpenUnassessed = SealedUnassessed & {
  customerId: number
  kitId: string | null
  dataId: string | null
  reportId: string | null
  code: string
  isCritical: boolean
  receivedAt: Date
}

/** One that waits, locked or not; undefined if it is closed. */
export async function selectOpenUnassessed(
  tx: Tx,
  id: string,
  { locked = false } = {},
): Promise<OpenUnassessed | undefined> {
  const row = await tx.maybeRow(sql<
    Omit<OpenUnassessed, keyof SealedUnassessed> & { sealed: Sealed<SealedUnassessed> }
  >`
    select u.customer_id as "customerId", u.kit_id as "kitId", u.data_id as "dataId", u.report_id as "reportId", u.code,
      u.is_critical as "isCritical", u.received_at as "receivedAt", ${sealedUnassessed.of('u')} as sealed
    from unassessed_results u where u.realm_id = ${tx.realm.id} and u.id = ${id} and u.closed_at is null
    ${locked ? sql`for update` : sql``}`)
  if (!row) return undefined
  const { sealed, ...rest } = row
  return { ...rest, ...sealedUnassessed.open(await keyringOf(tx), [id], sealed) }
}

export async function selectUnassessedName(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ sealed: Sealed<SealedUnassessed> }>`
    select ${sealedUnassessed.of('u')} as sealed from unassessed_results u where u.realm_id = ${tx.realm.id} and u.id = ${id}`)
  return row && sealedUnassessed.open(await keyringOf(tx), [id], row.sealed).name
}

/** What was assigned of a kit's results: name in plain letters, biomarker, and the value as it was sent. */
export async function selectAssignedOfKit(
  tx: Tx,
  kitId: string,
): Promise<{ key: string; biomarker: string; value: string }[]> {
  const rows = await tx.rows(sql<{ id: string; sealed: Sealed<SealedUnassessed> }>`
    select u.id, ${sealedUnassessed.of('u')} as sealed from unassessed_results u
    where u.realm_id = ${tx.realm.id} and u.kit_id = ${kitId} and u.outcome = 'assigned' order by u.closed_at`)
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.flatMap(({ id, sealed }) => {
    const { key, assigned, value } = sealedUnassessed.open(keys, [id], sealed)
    return assigned ? [{ key, biomarker: assigned, value }] : []
  })
}

/** What a kit, or a report, has that could not be judged, whether or not somebody has seen it: all but what came again or was assigned. */
export async function selectNotAssigned(
  tx: Tx,
  { kitId, reportId, customerId }: { kitId: string | null; reportId: string | null; customerId: number },
): Promise<(SealedUnassessed & { code: string })[]> {
  const rows = await tx.rows(sql<{ id: string; code: string; sealed: Sealed<SealedUnassessed> }>`
    select u.id, u.code, ${sealedUnassessed.of('u')} as sealed from unassessed_results u
    where u.realm_id = ${tx.realm.id} and (u.kit_id = ${kitId}::text or u.report_id = ${reportId}::text)
      and u.customer_id = ${customerId} and u.last_version is null order by u.received_at, u.place`)
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.map(({ id, code, sealed }) => ({ code, ...sealedUnassessed.open(keys, [id], sealed) }))
}

export async function selectUnassessed(tx: Tx, reportId: string, version: number): Promise<ReportedUnassessed[]> {
  const rows = await tx.rows(sql<{ id: string; code: string; critical: boolean; sealed: Sealed<SealedUnassessed> }>`
    select u.id, u.code, u.is_critical as critical, ${sealedUnassessed.of('u')} as sealed from unassessed_results u
    where u.realm_id = ${tx.realm.id} and u.report_id = ${reportId} and u.first_version <= ${version}
      and (u.last_version is null or u.last_version >= ${version})
    order by u.is_critical desc, u.received_at, u.place`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, code, critical, sealed }) => {
    const { name, value, unit, range, flag, reason, loinc, sent } = sealedUnassessed.open(keys, [id], sealed)
    return { id, name, value, unit, range, flag, code, reason, critical, loinc, sent: sent ?? null }
  })
}
