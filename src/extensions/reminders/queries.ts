import { type RawBuilder, sql } from 'kysely'
import { isStopped as isTestStopped } from '../../modules/kits/attention-queries.ts'
import { isRecalled } from '../../modules/kits/recall-queries.ts'
import { type Recipient, type RecipientAddress, sealedRecipients } from '../../modules/kits/recipient-queries.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { LATEST_DAYS, type Rule } from './rules.ts'
import type { Stage } from './schema.ts'

/** Realms that have rules. */
export function selectRealms(tx: SystemTx): Promise<Realm[]> {
  return tx.rows(sql<Realm>`
    select id, business_id as "businessId", mode from realms
    where id in (select realm_id from reminder_rules) order by id`)
}

export function selectRules(tx: Tx): Promise<Rule[]> {
  return tx.rows(sql<Rule>`
    select stage, kit_type as "kitType", after_days as "afterDays", every_days as "everyDays", times, by, since
    from reminder_rules where realm_id = ${tx.realm.id} order by stage, kit_type`)
}

/** Replaces all rules. One that stays as it was counts from when it did before. */
export async function replaceRules(tx: Tx, rules: readonly Omit<Rule, 'since'>[]): Promise<void> {
  const given = sql`json_to_recordset(${JSON.stringify(rules)}::json)
    as g(stage text, "kitType" text, "afterDays" int, "everyDays" int, times int, by text)`
  await tx.run(sql`
    delete from reminder_rules r where realm_id = ${tx.realm.id}
      and not exists (select from ${given} where g.stage = r.stage and g."kitType" = r.kit_type)`)
  await tx.run(sql`
    insert into reminder_rules (realm_id, stage, kit_type, after_days, every_days, times, by, since)
    select ${tx.realm.id}, g.stage, g."kitType", g."afterDays", g."everyDays", g.times, g.by, ${tx.now} from ${given}
    on conflict (realm_id, stage, kit_type) do update
      set after_days = excluded.after_days, every_days = excluded.every_days, times = excluded.times, by = excluded.by,
          since = case when (reminder_rules.after_days, reminder_rules.every_days, reminder_rules.times)
            is distinct from (excluded.after_days, excluded.every_days, excluded.times)
            then excluded.since else reminder_rules.since end`)
}

// Where a kit `k` waits for something that a reminder is about. The index kits_waiting holds just those without a report.
const waits = sql`k.report_status = 'notStarted' and k.replaced_by is null and not ${isRecalled}`
const places: Record<Stage, RawBuilder<boolean>> = {
  register: sql`${waits} and k.kit_status = 'delivered' and k.sample_status = 'awaitingCollection'`,
  post: sql`${waits} and k.kit_status = 'registered' and k.sample_status = 'awaitingCollection'
    and k.customer_id is not null and (k.posted_at is null or k.posted_at < k.registered_at)`,
  parcel: sql`${waits} and k.kit_status = 'inTransit' and k.sample_status = 'awaitingCollection'`,
  sample: sql`${waits} and k.sample_status = 'inTransit' and k.customer_id is not null`,
  // The person has begun another test of the panel: nothing to remind of.
  retest: sql`k.report_status = 'published' and k.customer_id is not null and not exists (
    select from kits later where later.realm_id = k.realm_id and later.customer_id = k.customer_id
      and later.kit_type = k.kit_type and later.registered_at > k.registered_at)`,
}

// Since when nothing happened.
const sinceOf = (stage: Stage) => (stage === 'retest' ? sql`r.published_at` : sql`k.updated_at`)
const joinOf = (stage: Stage) =>
  stage === 'retest'
    ? sql`join reports r on r.realm_id = k.realm_id and r.kit_id = k.id and r.status = 'published'`
    : sql``

const isUnwanted = (stage: Stage) =>
  stage === 'retest'
    ? sql`exists (select from reminder_stops s where s.realm_id = k.realm_id and s.customer_id = k.customer_id)`
    : sql`exists (select from reminder_stops s where s.realm_id = k.realm_id and s.kit_id = k.id)`

export interface DueReminder {
  kitId: string
  number: number
}

const DAY_SECONDS = 86_400

/**
 * Up to `limit` kits with a reminder that is due, by their IDs, after a kit; locked, so that none moves before it is written.
 * `except`: the kit types that have rules of their own.
 */
export function lockDue(
  tx: Tx,
  { stage, kitType, afterDays, everyDays, times, since }: Rule,
  { except, after, limit }: { except: readonly string[]; after: string; limit: number },
): Promise<DueReminder[]> {
  const from = sinceOf(stage)
  const first = new Date(tx.now.getTime() - afterDays * DAY_SECONDS * 1000)
  const longest = (times - 1) * (everyDays ?? 0) + LATEST_DAYS
  const earliest = new Date(first.getTime() - longest * DAY_SECONDS * 1000)
  const number =
    everyDays === null
      ? sql`1`
      : sql`least(${times}::int, 1 + floor(extract(epoch from ${first}::timestamptz - ${from}) / ${everyDays * DAY_SECONDS}))::int`
  return tx.rows(sql<DueReminder>`
    select k.id as "kitId", n.number
    from kits k join orders o on o.realm_id = k.realm_id and o.id = k.order_id ${joinOf(stage)}
    cross join lateral (select ${number} as number) n
    cross join lateral (
      select ${from} + (${afterDays}::int + (n.number - 1) * ${everyDays ?? 0}::int) * interval '1 day' as at) due
    where k.realm_id = ${tx.realm.id} and ${places[stage]} and ${from} <= ${first} and ${from} > ${earliest}
      and ${kitType === '' ? sql`k.kit_type <> all(${except}::text[])` : sql`k.kit_type = ${kitType}`}
      and o.notify and not ${isUnwanted(stage)} and not ${isTestStopped}
      and due.at >= ${since} and due.at > ${tx.now}::timestamptz - ${LATEST_DAYS} * interval '1 day'
      and not exists (select from reminders d where d.realm_id = k.realm_id and d.kit_id = k.id and d.stage = ${stage}
        and d.number >= n.number)
      and k.id > ${after}
    order by k.id limit ${limit} for no key update of k skip locked`)
}

export interface SentReminder {
  kitId: string
  stage: Stage
  number: number
  toPerson: boolean
  by: Rule['by']
  stopHash: Buffer
}

/** Writes what is sent now; the IDs of those kits that had not been sent it. */
export async function insertReminders(tx: Tx, sent: readonly SentReminder[]): Promise<ReadonlySet<string>> {
  const items = sent.map(({ stopHash, ...one }) => ({ ...one, stopHash: `\\x${stopHash.toString('hex')}` }))
  const rows = await tx.rows(sql<{ kitId: string }>`
    insert into reminders (realm_id, kit_id, stage, number, sent_at, to_person, by, stop_hash)
    select ${tx.realm.id}, i."kitId", i.stage, i.number, ${tx.now}, i."toPerson", i.by, i."stopHash"
    from json_to_recordset(${JSON.stringify(items)}::json)
      as i("kitId" text, stage text, number int, "toPerson" boolean, by text, "stopHash" bytea)
    on conflict (realm_id, kit_id, stage, number) do nothing returning kit_id as "kitId"`)
  return new Set(rows.map(({ kitId }) => kitId))
}

/** Where the kits of these orders were sent to, by order. */
export async function selectAddresses(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, RecipientAddress | null>> {
  const rows = await tx.rows(sql<{ id: string; recipient: Sealed<Recipient> }>`
    select o.id, ${sealedRecipients.of('o')} as recipient from orders o
    where o.realm_id = ${tx.realm.id} and o.id = any(${orderIds})`)
  const keys = await keyringOf(tx)
  return new Map(rows.map(({ id, recipient }) => [id, sealedRecipients.open(keys, [id], recipient).address]))
}

export interface ListedReminder {
  stage: Stage
  number: number
  sentAt: Date
  toPerson: boolean
  by: Rule['by']
}

/** What was sent about a kit, the oldest first. */
export function selectSent(tx: Tx, kitId: string): Promise<ListedReminder[]> {
  return tx.rows(sql<ListedReminder>`
    select stage, number, sent_at as "sentAt", to_person as "toPerson", by from reminders
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} order by sent_at, stage, number`)
}

/** Where a kit stands: the stage of a reminder, since when, and whether it is wanted. */
export async function selectStanding(
  tx: Tx,
  kitId: string,
): Promise<{ stage: Stage; since: Date; isStopped: boolean } | undefined> {
  const stages = Object.entries(places) as [Stage, RawBuilder<boolean>][]
  const each = stages.map(
    ([stage, place]) => sql`
      select ${stage}::text as stage, ${sinceOf(stage)} as since, (${isUnwanted(stage)} or ${isTestStopped}) as "isStopped"
      from kits k ${joinOf(stage)} where k.realm_id = ${tx.realm.id} and k.id = ${kitId} and ${place}`,
  )
  return tx.maybeRow(
    sql<{ stage: Stage; since: Date; isStopped: boolean }>`${sql.join(each, sql` union all `)} limit 1`,
  )
}

export interface FoundReminder {
  realm: Realm
  kitId: string
  stage: Stage
}

/** The reminder whose link has a secret with this hash. */
export function selectByHash(tx: SystemTx, hash: Buffer): Promise<FoundReminder | undefined> {
  return tx.maybeRow(sql<FoundReminder>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, m.kit_id as "kitId", m.stage
    from reminders m join realms r on r.id = m.realm_id where m.stop_hash = ${hash}`)
}

/** Stops reminders about a kit; those about further tests for the person it is registered to. False where they were stopped. */
export async function insertStop(tx: Tx, { kitId, stage }: Pick<FoundReminder, 'kitId' | 'stage'>): Promise<boolean> {
  const changed = await tx.run(sql`
    insert into reminder_stops as s (realm_id, kit_id, customer_id, stopped_at)
    select k.realm_id, k.id, ${stage === 'retest' ? sql`k.customer_id` : sql`null::bigint`}, ${tx.now}
    from kits k where k.realm_id = ${tx.realm.id} and k.id = ${kitId}
    on conflict (realm_id, kit_id) do update set customer_id = excluded.customer_id
      where s.customer_id is null and excluded.customer_id is not null`)
  return changed === 1
}

/** Moves back since when this sandbox's rules count, and when reminders were sent, by `ms` milliseconds. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`update reminder_rules set since = since - ${back} where realm_id = ${tx.realm.id}`)
  await tx.run(sql`update reminders set sent_at = sent_at - ${back} where realm_id = ${tx.realm.id}`)
}

/** What a person did not want to be reminded of. */
export async function deleteStops(tx: Tx, customerId: number, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from reminder_stops where realm_id = ${tx.realm.id} and (customer_id = ${customerId} or kit_id = any(${kitIds}))`)
}
