import { kitIdOfNumber } from '@kitlane/display/short-id'
import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { isMadeUp } from '../businesses/queries.ts'
import { roundOf } from './content.ts'
import type { Attention, LabOrderState, Said, Standing } from './decision.ts'

/** What a laboratory said of an order. */
interface SaidOfOrder {
  reason: string | null
}

/** A message until it is answered, and the answer. */
export interface MessageText {
  body: string | null
  answer: string | null
  /** Why the laboratory refused it, in its words. */
  reason?: string | null
}

export const sealedOrders = sealedColumns<SaidOfOrder>({
  table: 'lab_orders',
  key: { kit_id: 'text' },
  clear: { reason: NEVER },
  emptied: [],
})

export const sealedOrderMessages = sealedColumns<MessageText>({
  table: 'lab_order_messages',
  key: { control_id: 'text' },
  clear: { body: NEVER, answer: NEVER, reason: NEVER },
  emptied: [],
})

export interface LabOrderRow extends Standing, SaidOfOrder {
  kitId: string
  orderId: string
  laboratoryId: string | null
  round: number
  revision: number
  digest: Buffer | null
  fillerNumber: string | null
  tries: number
  /** `YYYY-MM-DD` */
  routedOn: string | null
  dueAt: Date | null
  createdAt: Date
  changedAt: Date
}

type StoredOrder = Omit<LabOrderRow, 'reason'> & { said: Sealed<SaidOfOrder> | null }

const columns = sql`
  o.kit_id as "kitId", o.order_id as "orderId", o.laboratory_id as "laboratoryId", o.state, o.reason as attention, o.pending, o.round,
  o.revision, o.digest, o.filler_number as "fillerNumber", o.tries, o.routed_on::text as "routedOn", o.due_at as "dueAt",
  o.created_at as "createdAt", o.changed_at as "changedAt",
  case when o.sealed is not null then ${sealedOrders.of('o')} end as said`

const opened = (keys: Parameters<typeof sealedOrders.open>[0], { said, ...row }: StoredOrder): LabOrderRow => ({
  ...row,
  reason: said === null ? null : sealedOrders.open(keys, [row.kitId], said).reason,
})

/** The orders of kits; callers that change them have locked the kits. */
export async function selectOfKits(tx: Tx, kitIds: readonly string[]): Promise<LabOrderRow[]> {
  const rows = await tx.rows(sql<StoredOrder>`
    select ${columns} from lab_orders o where o.realm_id = ${tx.realm.id} and o.kit_id = any(${kitIds}) order by o.kit_id`)
  const keys = rows.length > 0 ? await keyringOf(tx) : undefined
  return rows.flatMap((row) => (keys ? [opened(keys, row)] : []))
}

export async function selectOfKit(tx: Tx, kitId: string): Promise<LabOrderRow | undefined> {
  const [row] = await selectOfKits(tx, [kitId])
  return row
}

/** Writes one order. */
export async function saveOrder(tx: Tx, row: LabOrderRow): Promise<void> {
  const { reason } = row
  const sealed = reason === null ? null : sealedOrders.seal(await keyringOf(tx), [row.kitId], { reason })
  const values = sql`
    ${row.laboratoryId}::text, ${row.state}, ${row.attention}::text, ${row.pending}::text, ${row.round}, ${row.revision},
    ${row.digest}::bytea, ${row.fillerNumber}::text, ${row.tries}, ${row.routedOn}::date, ${row.dueAt}::timestamptz, ${row.changedAt},
    ${sealed}::bytea`
  await tx.run(sql`
    insert into lab_orders as o (realm_id, kit_id, order_id, live, created_at, laboratory_id, state, reason, pending, round, revision,
      digest, filler_number, tries, routed_on, due_at, changed_at, sealed)
    values (${tx.realm.id}, ${row.kitId}, ${row.orderId}, ${tx.realm.mode === 'live'}, ${row.createdAt}, ${values})
    on conflict (realm_id, kit_id) do update set
      (laboratory_id, state, reason, pending, round, revision, digest, filler_number, tries, routed_on, due_at, changed_at, sealed)
      = (${values})`)
}

/** Forgets the orders of kits of a sandbox that begin their life again. */
export async function deleteOfKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from lab_orders where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

export interface MessageRow extends MessageText, Said {
  controlId: string
  laboratoryId: string
  tries: number
  madeAt: Date
  sentAt: Date | null
  answeredAt: Date | null
}

type StoredMessage = Omit<MessageRow, keyof MessageText | 'round'> & { text: Sealed<MessageText> | null }

const messageColumns = sql`
  m.control_id as "controlId", m.action, m.laboratory_id as "laboratoryId", m.tries, m.made_at as "madeAt", m.sent_at as "sentAt",
  m.answered_at as "answeredAt", m.outcome, m.code, m.filler_numbers as "fillerNumbers", m.is_number_taken as "isNumberTaken",
  m.is_settled as "isSettled", case when m.sealed is not null then ${sealedOrderMessages.of('m')} end as text`

async function messagesWhere(tx: Tx, which: RawBuilder<unknown>): Promise<MessageRow[]> {
  const rows = await tx.rows(sql<StoredMessage>`
    select ${messageColumns} from lab_order_messages m where m.realm_id = ${tx.realm.id} and ${which} order by m.made_at, m.control_id`)
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.map(({ text, ...row }) => ({
    ...row,
    round: roundOf(row.controlId),
    ...(text === null ? { body: null, answer: null } : sealedOrderMessages.open(keys, [row.controlId], text)),
  }))
}

/** All that was said of an order, oldest first. */
export const selectMessages = (tx: Tx, kitId: string): Promise<MessageRow[]> =>
  messagesWhere(tx, sql`m.kit_id = ${kitId}`)

/** The one that waits for its answer. */
export async function selectOpenMessage(tx: Tx, kitId: string): Promise<MessageRow | undefined> {
  const [message] = await messagesWhere(tx, sql`m.kit_id = ${kitId} and m.outcome is null`)
  return message
}

export async function saveMessage(tx: Tx, kitId: string, row: MessageRow): Promise<void> {
  const { body, answer, reason = null } = row
  const isEmpty = body === null && answer === null && reason === null
  const text = { body, answer, reason }
  const sealed = isEmpty ? null : sealedOrderMessages.seal(await keyringOf(tx), [row.controlId], text)
  const values = sql`
    ${row.tries}, ${row.sentAt}::timestamptz, ${row.answeredAt}::timestamptz, ${row.outcome}::text, ${row.code}::text,
    ${row.fillerNumbers}::text[], ${row.isNumberTaken}, ${row.isSettled}, ${sealed}::bytea`
  await tx.run(sql`
    insert into lab_order_messages (realm_id, kit_id, control_id, action, laboratory_id, made_at, tries, sent_at, answered_at, outcome,
      code, filler_numbers, is_number_taken, is_settled, sealed)
    values (${tx.realm.id}, ${kitId}, ${row.controlId}, ${row.action}, ${row.laboratoryId}, ${row.madeAt}, ${values})
    on conflict (realm_id, kit_id, control_id) do update
      set (tries, sent_at, answered_at, outcome, code, filler_numbers, is_number_taken, is_settled, sealed) = (${values})`)
}

/** A person has settled all that was said of an order so far. */
export async function settleMessages(tx: Tx, kitId: string): Promise<void> {
  await tx.run(sql`
    update lab_order_messages set is_settled = true where realm_id = ${tx.realm.id} and kit_id = ${kitId} and not is_settled`)
}

/** Lets one answer at a time give a number, so that the next one sees whose it is. Before any kit is locked. */
export const lockNumber = (tx: SystemTx, number: string): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtext('numbers of laboratories'), hashtext(${number}))`)

export interface Holder {
  number: string
  realm: Realm
  kitId: string
}

/** The kits that have these numbers of laboratories, or have them as their ID. */
export const selectHolders = (tx: SystemTx, numbers: readonly string[]): Promise<Holder[]> =>
  tx.rows(sql<Holder>`
    select n.number, h.id as "kitId", jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from unnest(${numbers}::text[], ${numbers.map((number) => kitIdOfNumber(number) ?? null)}::text[]) as n (number, id)
    join lateral (
      select realm_id, id from kits where accession = n.number or id = n.id
      union select realm_id, kit_id from lab_order_messages where filler_numbers @> array[n.number]) h on true
    join realms r on r.id = h.realm_id order by h.id, n.number`)

/** The live order that a laboratory's message is about: by our message that it answers. */
export function selectByControlId(
  tx: SystemTx,
  controlId: string,
): Promise<{ realm: Realm; kitId: string; laboratoryId: string } | undefined> {
  return tx.maybeRow(sql<{ realm: Realm; kitId: string; laboratoryId: string }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, m.kit_id as "kitId",
      m.laboratory_id as "laboratoryId"
    from lab_order_messages m join realms r on r.id = m.realm_id where m.control_id = ${controlId} and r.mode = 'live'`)
}

/** Orders that are due, those that wait longest first. */
export const selectDue = (tx: SystemTx, limit: number): Promise<{ realm: Realm; kitId: string }[]> =>
  tx.rows(sql<{ realm: Realm; kitId: string }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, o.kit_id as "kitId"
    from lab_orders o join realms r on r.id = o.realm_id
    where o.live and o.due_at <= ${tx.now} and not ${isMadeUp} order by o.due_at limit ${limit}`)

/** Looks again for a laboratory for the orders that have none. */
export async function routeAgain(tx: SystemTx): Promise<void> {
  await tx.run(sql`update lab_orders set due_at = ${tx.now} where live and state = 'unrouted' and pending = 'new'`)
}

/** What a person said, or what is said of them, goes. */
export async function eraseSaid(tx: Tx, kitIds: readonly string[]): Promise<void> {
  const which = sql`realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and sealed is not null`
  await tx.run(sql`update lab_orders set sealed = null where ${which}`)
  await tx.run(sql`update lab_order_messages set sealed = null where ${which} and outcome is not null`)
}

export interface LabOrderFilter {
  states?: readonly LabOrderState[] | undefined
  attentions?: readonly Attention[] | undefined
  needsAttention?: boolean | undefined
  laboratoryIds?: readonly string[] | undefined
  businessIds?: readonly string[] | undefined
  page: number
  size: number
}

export interface LabOrderOfAllRow extends LabOrderRow {
  businessId: string
  businessName: string
}

/** Live orders of every business, those that changed last first. */
export async function selectPageOfAll(
  tx: SystemTx,
  { states, attentions, needsAttention, laboratoryIds, businessIds, page, size }: LabOrderFilter,
): Promise<{ rows: LabOrderOfAllRow[]; total: number }> {
  const ofBusinesses = businessIds
    ? sql`and o.realm_id = any(array(select id from realms where business_id = any(${businessIds}) and mode = 'live'))`
    : sql``
  const which = sql`o.live and ${isOneOf(sql`o.state`, states)} and ${isOneOf(sql`o.reason`, attentions)} and ${isOneOf(sql`o.laboratory_id`, laboratoryIds)}
    ${needsAttention ? sql`and o.reason is not null and o.realm_id <> all(array(select r.id from realms r where ${isMadeUp}))` : sql``} ${ofBusinesses}`
  const order = sql`o.changed_at desc, o.realm_id, o.kit_id`
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from lab_orders o where ${which}`)
  const rows = await tx.rows(sql<StoredOrder & { realmId: number; businessId: string; businessName: string }>`
    with first as materialized (select * from lab_orders o where ${which} order by ${order} limit ${size} offset ${page * size})
    select ${columns}, o.realm_id as "realmId", b.id as "businessId", b.name as "businessName"
    from first o join realms r on r.id = o.realm_id join businesses b on b.id = r.business_id order by ${order}`)
  const keyrings = await tx.vault.ofAll(rows.map(({ realmId }) => realmId))
  const shown = rows.map(({ realmId, businessId, businessName, ...row }) => ({
    ...opened(keyringIn(keyrings, realmId), row),
    businessId,
    businessName,
  }))
  return { rows: shown, total }
}
