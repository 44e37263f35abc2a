import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { KitRow } from '../kits/queries.ts'
import { type HoldCause, type HoldClock, type HoldEnd, type HoldState, PASSED } from './decision.ts'

/** The name that a person gave for themselves. */
export interface ProposedName {
  firstName: string | null
  lastName: string | null
}

export const sealedNames = sealedColumns<ProposedName>({
  table: 'held_samples',
  key: { kit_id: 'text' },
  clear: { firstName: NEVER, lastName: NEVER },
  emptied: [],
})

const HIDDEN: ProposedName = { firstName: null, lastName: null }

export interface HoldRow {
  kitId: string
  orderId: string
  state: HoldState
  causes: HoldCause[]
  mended: HoldCause[]
  since: Date
  changedAt: Date
  discardAt: Date
  clock: HoldClock
  stabilityDays: number
  /** `YYYY-MM-DD` */
  collectedOn: string | null
  isNameConfirmed: boolean
  isIdentified: boolean
  told: number
  acknowledgedAt: Date | null
  endedBy: HoldEnd | null
  /** Waits for the business. */
  proposal: ProposedName | null
  /** Of its kit. */
  replacedBy: string | null
  kit: Pick<KitRow, 'progress' | 'status'>
}

type StoredHold = Omit<HoldRow, 'proposal'> & { sealed: Sealed<ProposedName> | null }

const columns = sql`
  h.kit_id as "kitId", h.order_id as "orderId", h.state, h.causes, h.mended, h.since, h.changed_at as "changedAt",
  h.discard_at as "discardAt", h.clock, h.stability_days as "stabilityDays", h.collected_on::text as "collectedOn",
  h.is_name_confirmed as "isNameConfirmed", h.is_identified as "isIdentified", h.told, h.acknowledged_at as "acknowledgedAt",
  h.ended_by as "endedBy", case when h.sealed is not null then ${sealedNames.of('h')} end as sealed, k.replaced_by as "replacedBy",
  jsonb_build_object('progress', k.progress, 'status', k.report_status) as kit`
const withKit = sql`held_samples h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id`

async function opened(tx: Tx, rows: readonly StoredHold[]): Promise<HoldRow[]> {
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    proposal: sealed === null ? null : sealedNames.open(keys, [row.kitId], sealed),
  }))
}

const selectWhere = async (tx: Tx, which: RawBuilder<unknown>, rest: RawBuilder<unknown>): Promise<HoldRow[]> =>
  opened(
    tx,
    await tx.rows(
      sql<StoredHold>`select ${columns} from ${withKit} where h.realm_id = ${tx.realm.id} and ${which} ${rest}`,
    ),
  )

/** The holds of kits; callers that change them have locked the kits. */
export const selectOfKits = (tx: Tx, kitIds: readonly string[]): Promise<HoldRow[]> =>
  selectWhere(tx, sql`h.kit_id = any(${kitIds})`, sql`order by h.kit_id`)

/** The open holds of a person's kits, those nearest to their end first. */
export const selectOfCustomer = (tx: Tx, customerId: number): Promise<HoldRow[]> =>
  selectWhere(tx, sql`k.customer_id = ${customerId} and h.state = 'open'`, sql`order by h.discard_at, h.kit_id`)

/** How many samples of this realm are on hold, and the kit of the one that is nearest to its end. */
export const countOpen = (tx: Tx): Promise<{ count: number; example: string | null }> =>
  tx.row(sql<{ count: number; example: string | null }>`
    select count(*)::int as count, (array_agg(h.kit_id order by h.discard_at, h.kit_id))[1] as example
    from held_samples h where h.realm_id = ${tx.realm.id} and h.state = 'open'`)

/** Writes one hold. */
export async function saveHold(tx: Tx, row: Omit<HoldRow, 'replacedBy' | 'kit'>): Promise<void> {
  const { proposal } = row
  const sealed = proposal && sealedNames.seal(await keyringOf(tx), [row.kitId], proposal)
  const values = sql`
    ${row.state}, ${row.causes}::text[], ${row.mended}::text[], ${row.since}, ${row.changedAt}, ${row.discardAt}, ${row.clock},
    ${row.stabilityDays}, ${row.collectedOn}::date, ${row.isNameConfirmed}, ${row.isIdentified}, ${row.told},
    ${row.acknowledgedAt}::timestamptz, ${row.endedBy}::text, ${sealed}::bytea`
  await tx.run(sql`
    insert into held_samples as h (realm_id, kit_id, order_id, live, state, causes, mended, since, changed_at, discard_at, clock,
      stability_days, collected_on, is_name_confirmed, is_identified, told, acknowledged_at, ended_by, sealed)
    values (${tx.realm.id}, ${row.kitId}, ${row.orderId}, ${tx.realm.mode === 'live'}, ${values})
    on conflict (realm_id, kit_id) do update set
      (state, causes, mended, since, changed_at, discard_at, clock, stability_days, collected_on, is_name_confirmed,
       is_identified, told, acknowledged_at, ended_by, sealed) = (${values})`)
}

/** Forgets kits of a sandbox that begin their life again. */
export async function deleteOfKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from held_samples where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

export interface HoldFilter {
  states?: readonly HoldState[] | undefined
  kitIds?: readonly string[] | undefined
  page: number
  size: number
}

// What waits: for somebody to mend it, or for the laboratory to take it up again, or to destroy it for an erased person.
const isForLab = sql`(h.state = 'released' or coalesce(h.ended_by = 'erased', false))`
/** Condition on `held_samples h`. */
export const isWaiting = sql`(h.state = 'open' or (${isForLab} and h.acknowledged_at is null))`
const where = ({ states, kitIds }: HoldFilter) =>
  sql`${states ? isOneOf(sql`h.state`, states) : kitIds ? sql`true` : isWaiting} and ${isOneOf(sql`h.kit_id`, kitIds)}`
const order = sql`not ${isForLab}, h.discard_at, h.realm_id, h.kit_id`
const partOf = ({ page, size }: HoldFilter) => sql`limit ${size} offset ${page * size}`

/** Holds of this realm: those to be taken up again first, then those nearest to their end. */
export async function selectPage(tx: Tx, filter: HoldFilter): Promise<{ rows: HoldRow[]; total: number }> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from held_samples h where h.realm_id = ${tx.realm.id} and ${where(filter)}`)
  return { rows: await selectWhere(tx, where(filter), sql`order by ${order} ${partOf(filter)}`), total }
}

export interface HoldOfAllRow extends HoldRow {
  businessId: string
  businessName: string
  panelName: string
}

/** Live holds of every business, in the same order. */
export async function selectPageOfAll(
  tx: SystemTx,
  filter: HoldFilter & { businessIds?: readonly string[] | undefined },
): Promise<{ rows: HoldOfAllRow[]; total: number }> {
  const { businessIds } = filter
  const ofBusinesses = businessIds
    ? sql`and h.realm_id = any(array(select id from realms where business_id = any(${businessIds}) and mode = 'live'))`
    : sql``
  const which = sql`h.live and ${where(filter)} ${ofBusinesses}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from held_samples h where ${which}`,
  )
  // The name that a person gave is none of the operator's: it stays sealed.
  const rows = await tx.rows(sql<Omit<HoldOfAllRow, 'proposal'> & { sealed: unknown }>`
    with first as materialized (select * from held_samples h where ${which} order by ${order} ${partOf(filter)})
    select ${columns}, b.id as "businessId", b.name as "businessName", p.name as "panelName"
    from first h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id
    join realms r on r.id = h.realm_id join businesses b on b.id = r.business_id join panels p on p.kit_type = k.kit_type
    order by ${order}`)
  return { rows: rows.map(({ sealed, ...row }) => ({ ...row, proposal: sealed === null ? null : HIDDEN })), total }
}

// Those whose end has come, and those of which another e-mail is due: half-way, and the day before.
const isDue = (now: Date) => sql`h.state = 'open' and h.told < ${PASSED} and (h.discard_at <= ${now}
  or (h.told < 2 and h.since + (h.discard_at - h.since) / 2 <= ${now})
  or (h.told < 3 and h.discard_at - interval '1 day' <= ${now}))`

/** Realms with holds that are due. */
export const selectDueRealms = (tx: SystemTx): Promise<Realm[]> =>
  tx.rows(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode from realms r
    where r.id in (select h.realm_id from held_samples h where ${isDue(tx.now)}) order by r.id`)

/** The next kit of this realm whose hold is due, by its ID, after a kit. */
export async function selectNextDue(tx: Tx, after: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ kitId: string }>`
    select h.kit_id as "kitId" from held_samples h
    where h.realm_id = ${tx.realm.id} and ${isDue(tx.now)} and h.kit_id > ${after} order by h.kit_id limit 1`)
  return row?.kitId
}

/** Forgets the names that a person gave who is erased. */
export async function eraseNames(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    update held_samples set sealed = null where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and sealed is not null`)
}

/** Moves times of this sandbox back by `ms` milliseconds. Returns how many holds end by it. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ heldSamples: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`
    update held_samples set since = since - ${back}, discard_at = discard_at - ${back} where realm_id = ${tx.realm.id}`)
  return tx.row(sql<{ heldSamples: number }>`
    select count(*)::int as "heldSamples" from held_samples
    where realm_id = ${tx.realm.id} and state = 'open' and discard_at <= ${tx.now}`)
}
