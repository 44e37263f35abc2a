import { type RawBuilder, sql } from 'kysely'
import { type Counted, locate } from '../../platform/database/block-counts.ts'
import type { Part } from '../../platform/database/oldest-first.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { conditions, type KitFilter } from './filter-queries.ts'
import { numbersWithin } from './number-queries.ts'
import { type Recipient, type RecipientAddress, sealedRecipients } from './recipient-queries.ts'
import type { KitState, Progress, Statuses } from './rules.ts'
import type { Shipment } from './schema.ts'
import { type KitReason, type RegisteredPerson, sealedKits, sealedReasons, sealKit } from './sealed-queries.ts'

/** A kit with what its order says of the recipient. */
export interface KitRow extends Statuses, RegisteredPerson {
  id: string
  seq: number
  orderId: string
  kitType: string
  progress: Progress
  shipment: Shipment
  reason: string | null
  /** Of a rejected sample. */
  beforeRejection: KitState | null
  eventSequence: number
  customerId: number | null
  registeredAt: Date | null
  replacementFor: string | null
  replacedBy: string | null
  createdAt: Date
  updatedAt: Date
  /** When the person reported the sample as posted. */
  postedAt: Date | null
  /** It was ordered at a laboratory. */
  hasLabOrder: boolean
  /** Something was said of its sample. */
  hasCollection: boolean
  recipientEmail: string | null
  /** Of the recipient. */
  firstName: string | null
  lastName: string | null
  /** Where its order was sent. */
  sentTo: RecipientAddress | null
  /** Whether the recipient wants e-mails. */
  notify: boolean
  externalId: string | null
}

// Data from before the present registration is of somebody else.
const postedAt = sql`case when k.posted_at >= k.registered_at then k.posted_at end`

const selectKits = sql`
  select k.id, k.seq, k.order_id as "orderId", k.kit_type as "kitType", k.kit_status as "kitStatus",
         k.sample_status as "sampleStatus", k.report_status as status, k.progress, k.shipment,
         ${sealedReasons.of('k')} as why, k.event_sequence as "eventSequence", k.customer_id as "customerId",
         ${sealedKits.of('k')} as sealed, k.registered_at as "registeredAt",
         k.replacement_for as "replacementFor", k.replaced_by as "replacedBy", k.created_at as "createdAt",
         k.updated_at as "updatedAt", ${postedAt} as "postedAt",
         k.has_lab_order as "hasLabOrder", k.has_collection as "hasCollection", ${sealedRecipients.of('o')} as recipient, o.notify, o.external_id as "externalId"
  from kits k join orders o on o.realm_id = k.realm_id and o.id = k.order_id`

type ReadKit = Omit<
  KitRow,
  'recipientEmail' | 'firstName' | 'lastName' | 'sentTo' | keyof KitReason | keyof RegisteredPerson
> & {
  why: Sealed<KitReason>
  recipient: Sealed<Recipient>
  sealed: Sealed<RegisteredPerson>
}

async function kitRows(tx: Tx, query: RawBuilder<ReadKit>): Promise<KitRow[]> {
  const rows = await tx.rows(query)
  const keys = await keyringOf(tx)
  return rows.map(({ recipient, sealed, why, ...kit }) => {
    const { email, firstName, lastName, address } = sealedRecipients.open(keys, [kit.orderId], recipient)
    const { reason, beforeRejection = null } = sealedReasons.open(keys, [kit.id], why)
    const recipientOf = { recipientEmail: email, firstName, lastName, sentTo: address }
    return { ...kit, ...sealedKits.open(keys, [kit.id], sealed), reason, beforeRejection, ...recipientOf }
  })
}

export function selectKitsByIds(tx: Tx, ids: readonly string[]): Promise<KitRow[]> {
  return kitRows(tx, sql<ReadKit>`${selectKits} where k.realm_id = ${tx.realm.id} and k.id = any(${ids})`)
}

/** The realm of a kit, whose ID is unique over all of them. */
export function selectRealmOfKit(tx: SystemTx, kitId: string): Promise<Realm | undefined> {
  return tx.maybeRow(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from kits k join realms r on r.id = k.realm_id where k.id = ${kitId}`)
}

/** Locks kits until the transaction ends, in the order of their IDs, so that two movers cannot deadlock. */
export function lockKits(tx: Tx, ids: readonly string[]): Promise<KitRow[]> {
  return kitRows(
    tx,
    sql<ReadKit>`${selectKits} where k.realm_id = ${tx.realm.id} and k.id = any(${ids}) order by k.id for update of k for share of o`,
  )
}

export function lockKitsOfOrder(tx: Tx, orderId: string): Promise<KitRow[]> {
  return kitRows(
    tx,
    sql<ReadKit>`${selectKits} where k.realm_id = ${tx.realm.id} and k.order_id = ${orderId} order by k.id for update of k for share of o`,
  )
}

export function lockKitsOfCustomer(tx: Tx, customerId: number): Promise<KitRow[]> {
  return kitRows(
    tx,
    sql<ReadKit>`${selectKits} where k.realm_id = ${tx.realm.id} and k.customer_id = ${customerId} order by k.id for update of k for share of o`,
  )
}

export async function updateRegistrations(
  tx: Tx,
  kits: readonly Pick<KitRow, 'id' | 'registeredEmail' | 'registration'>[],
): Promise<void> {
  if (kits.length === 0) return
  const keys = await keyringOf(tx)
  const rows = kits.map((kit) => ({ id: kit.id, ...sealKit(keys, kit.id, kit) }))
  await tx.run(sql`
    update kits k set ${setSealed}, updated_at = ${tx.now}
    from json_to_recordset(${JSON.stringify(rows)}::json) as c(id text, ${sealedShape})
    where k.realm_id = ${tx.realm.id} and k.id = c.id`)
}

// Versions before sealing wrote two columns in clear.
const setSealed = sql`
  sealed = c.sealed, registered_hash = c.registered_hash, birth_hash = c.birth_hash, registered_email = null, registration = null`
const sealedShape = sql`sealed bytea, registered_hash bytea, birth_hash bytea`

/** Rows as JSON, the three statuses and the progress of a new kit, and when it is made. */
export const insertKits = statement<never, [string, string, string, string, string, Date]>(
  'kits_insert',
  `insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress,
                     replacement_for, created_at, updated_at)
   select k."realmId", k.id, k.seq, k."orderId", k."kitType", k.live, $2, $3, $4, $5::jsonb, k."replacementFor", $6, $6
   from json_to_recordset($1::json) as k("realmId" int, id text, seq bigint, "orderId" text, "kitType" text, live boolean,
     "replacementFor" text)`,
)

/** Writes all that may change of locked kits, in one statement. */
export async function updateKits(tx: Tx, kits: readonly KitRow[]): Promise<void> {
  const keys = await keyringOf(tx)
  const rows = kits.map(
    ({ registeredEmail, registration, recipientEmail, firstName, lastName, reason, beforeRejection, ...kit }) => ({
      ...kit,
      sealed_reason:
        reason === null && beforeRejection === null
          ? null
          : sealedReasons.seal(keys, [kit.id], { reason, beforeRejection }),
      ...sealKit(keys, kit.id, { registeredEmail, registration }),
    }),
  )
  await tx.run(sql`
    update kits k
    set kit_status = c."kitStatus", sample_status = c."sampleStatus", report_status = c.status, progress = c.progress,
        shipment = c.shipment, exception_reason = null, sealed_reason = c.sealed_reason, event_sequence = c."eventSequence",
        customer_id = c."customerId", registered_at = c."registeredAt", ${setSealed}, replaced_by = c."replacedBy",
        updated_at = c."updatedAt"
    from json_to_recordset(${JSON.stringify(rows)}::json) as c(id text, "kitStatus" text, "sampleStatus" text,
      status text, progress jsonb, shipment jsonb, sealed_reason bytea, "eventSequence" int, "customerId" bigint,
      "registeredAt" timestamptz, ${sealedShape}, "replacedBy" text, "updatedAt" timestamptz)
    where k.realm_id = ${tx.realm.id} and k.id = c.id`)
}

export async function markPosted(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update kits set posted_at = ${tx.now}, updated_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Dates kits of which something became known that no step says. */
export async function touchKits(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`update kits set updated_at = ${tx.now} where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

export async function markOrdered(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update kits set has_lab_order = true where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function markCollection(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update kits set has_collection = true where realm_id = ${tx.realm.id} and id = ${id}`)
}

// The order decides nothing but the external ID and the recipient: without those filters the join would only cost time.
const kitsFor = ({ externalIds, recipientEmails }: KitFilter) =>
  externalIds === undefined && recipientEmails === undefined
    ? sql`kits k`
    : sql`kits k join orders o on o.realm_id = k.realm_id and o.id = k.order_id`

async function countKits(tx: Tx, filter: KitFilter, where: RawBuilder<unknown>): Promise<number> {
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*) as total from ${kitsFor(filter)} where ${where}`,
  )
  return total
}

/** What was placed since a time, which numbers tell, and what of older kits changed. */
async function countUpdated(tx: Tx, since: Date, where: RawBuilder<unknown>): Promise<number> {
  const { from } = (await numbersWithin(tx, { createdFrom: since })) ?? { from: 1 }
  const { total } = await tx.row(sql<{ total: number }>`
    select greatest(kits - ${from} + 1, 0) + (select count(*) from kits k where ${where} and k.seq < ${from}) as total
    from realm_counters where realm_id = ${tx.realm.id}`)
  return total
}

/** A part, newest first, as fast at any depth; with the exact total. */
export async function selectPart(
  tx: Tx,
  filter: KitFilter,
  { skip: start, size }: Part,
): Promise<{ total: number; rows: KitRow[] }> {
  const { kitIds, orderIds, externalIds, recipientEmails, text, updatedSince, attention } = filter
  const byOrder = [orderIds, externalIds, recipientEmails]
  const narrow = [kitIds, ...byOrder, text, updatedSince, attention, filter.registeredTo, filter.registeredKeys]
  const isNarrow = narrow.some((value) => value !== undefined)
  const { kitStatuses, sampleStatuses, reportStatuses, kitTypes } = filter
  const [kitStatus, sampleStatus, status, kitType] = [kitStatuses, sampleStatuses, reportStatuses, kitTypes].map(
    (values) => values?.join(),
  )
  const where = await conditions(tx, filter)
  const within = await numbersWithin(tx, filter)
  const counted: Counted = {
    list: 'kits',
    as: 'k',
    where,
    filter: JSON.stringify({ kitStatus, sampleStatus, status, kitType }),
    highest: sql`select kits from realm_counters where realm_id = ${tx.realm.id}`,
  }
  const { updatedSince: since, ...others } = filter
  const isOnlyUpdated = since && Object.values(others).every((value) => value === undefined)
  const all = { skip: start, ...(within ?? { from: 0, to: Number.MAX_SAFE_INTEGER }) }
  const { total, skip, from, to } = isNarrow
    ? {
        total: isOnlyUpdated
          ? await countUpdated(tx, since, where)
          : await countKits(tx, filter, sql`${where} and k.seq between ${all.from} and ${all.to}`),
        ...all,
      }
    : await locate(tx, counted, { within, start, size })
  if (start >= total || size === 0) return { total, rows: [] }
  const rows = await kitRows(
    tx,
    sql<ReadKit>`
    ${selectKits} where k.realm_id = ${tx.realm.id} and k.seq = any(array(
      select k.seq from ${kitsFor(filter)} where ${where} and k.seq between ${from} and ${to}
      order by k.seq desc limit ${size} offset ${skip}))
    order by k.seq desc`,
  )
  return { total, rows }
}

/** The kits after one in the order of the list; from its beginning on without it. */
export async function selectAfter(
  tx: Tx,
  filter: KitFilter,
  { id, size, isOldestFirst }: { id: string | undefined; size: number; isOldestFirst: boolean },
): Promise<KitRow[]> {
  const [beyond, direction] = isOldestFirst ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const after = id
    ? sql`and k.seq ${beyond} (select seq from kits where realm_id = ${tx.realm.id} and id = ${id})`
    : sql``
  const within = await numbersWithin(tx, filter)
  const dated = within ? sql`and k.seq between ${within.from} and ${within.to}` : sql``
  return kitRows(
    tx,
    sql<ReadKit>`
    ${selectKits} where ${await conditions(tx, filter)} ${dated} ${after} order by k.seq ${direction} limit ${size}`,
  )
}

/** A part by the gapless numbers: as fast at any depth. Whatever removes kits closes the gaps. */
export async function selectRange(tx: Tx, { skip, size }: Part): Promise<{ total: number; rows: KitRow[] }> {
  const { total } = await tx.row(
    sql<{ total: number }>`select kits as total from realm_counters where realm_id = ${tx.realm.id}`,
  )
  if (skip >= total || size === 0) return { total, rows: [] }
  const rows = await kitRows(
    tx,
    sql<ReadKit>`
    ${selectKits} where k.realm_id = ${tx.realm.id} and k.seq <= ${total - skip} order by k.seq desc limit ${size}`,
  )
  return { total, rows }
}

/** Sets the laboratory's number of a kit, over all realms. False if another kit has the number. */
export async function updateAccession(tx: SystemTx, kitId: string, accession: string): Promise<boolean> {
  const set = await tx.run(sql`
    update kits set accession = ${accession} where id = ${kitId}
      and not exists (select from kits other where other.accession = ${accession} and other.id <> ${kitId})`)
  return set === 1
}

/** The same where it has none. */
export async function fillAccession(tx: SystemTx, kitId: string, accession: string): Promise<void> {
  await tx.run(sql`update kits set accession = ${accession} where id = ${kitId} and accession is null`)
}
