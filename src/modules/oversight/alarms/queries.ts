import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { type AlarmKind, type Count, type CountedKind, refusals, seeing } from './rules.ts'

/** The condition that an entry `e` may add to a count, or is a sign-in. */
export const mayAlarm = sql`(e.action = any(${[...refusals]}::text[]) or e.action ~ ${seeing.source} or e.action = 'session.started')`

export async function addCounts(tx: SystemTx, counts: readonly Count[]): Promise<void> {
  await tx.run(sql`
    insert into alarm_counts (kind, subject, minute, amount, first_entry)
    select c.kind, c.subject, c.minute, c.amount, c."firstEntry"
    from json_to_recordset(${JSON.stringify(counts)}::json)
      as c(kind text, subject text, minute timestamptz, amount bigint, "firstEntry" bigint)
    on conflict (kind, subject, minute) do update set amount = alarm_counts.amount + excluded.amount,
      first_entry = least(alarm_counts.first_entry, excluded.first_entry)`)
}

export async function deleteOldCounts(tx: SystemTx, before: Date): Promise<void> {
  await tx.run(sql`delete from alarm_counts where minute < ${before}`)
}

/** How much there was in a window, since a person last acknowledged the same; and the first entry of it. */
export const selectSum = (
  tx: SystemTx,
  { kind, subject }: { kind: CountedKind; subject: string },
  { after, until }: { after: Date; until: Date },
): Promise<{ amount: number; firstEntry: number }> =>
  tx.row(sql<{ amount: number; firstEntry: number }>`
    select coalesce(sum(amount), 0)::bigint as amount, coalesce(min(first_entry), 0) as "firstEntry" from alarm_counts
    where kind = ${kind} and subject = ${subject} and minute > ${after} and minute <= ${until}
      and minute > coalesce((select max(acknowledged_at) from alarms where kind = ${kind} and subject = ${subject}), '-infinity')`)

/**
 * How many different objects a caller saw since an entry, of the kind that it saw most of. Reading the same list each
 * minute is no mass reading. Files of whole lists are in `selectFiles`.
 */
export async function countDifferent(tx: SystemTx, actor: string, firstEntry: number): Promise<number> {
  const { most } = await tx.row(sql<{ most: number }>`
    select coalesce(max(n), 0)::int as most from (
      select count(distinct shown.id) as n
      from audit_entries e cross join lateral (
        select e.object_id as id where e.object_id <> '*'
        union all select jsonb_array_elements_text(e.details -> 'ids') where e.object_id = '*' and e.details -> 'ids' is not null) shown
      where e.id >= ${firstEntry} and e.actor = ${actor} and e.action ~ '\.(read|viewed|listed|exported)$'
      group by e.object_type) kinds`)
  return most
}

export interface WholeFile {
  businessId: string | null
  mode: string | null
  objectType: string
}

/** The whole lists of which a caller got a file since an entry. */
export const selectFiles = (tx: SystemTx, actor: string, firstEntry: number): Promise<WholeFile[]> =>
  tx.rows(sql<WholeFile>`
    select distinct r.business_id as "businessId", r.mode, e.object_type as "objectType"
    from audit_entries e left join realms r on r.id = e.realm_id
    where e.id >= ${firstEntry} and e.actor = ${actor} and e.object_id = '*' and e.details -> 'ids' is null
      and e.action like '%.listed'`)

/** How many customers, kits and orders a business has. */
export const selectSizes = (
  tx: SystemTx,
  businessIds: readonly string[],
): Promise<{ businessId: string; mode: string; customers: number; kits: number; orders: number }[]> =>
  tx.rows(sql<{ businessId: string; mode: string; customers: number; kits: number; orders: number }>`
    select r.business_id as "businessId", r.mode, c.customers, c.kits, c.orders
    from realm_counters c join realms r on r.id = c.realm_id where r.business_id = any(${[...businessIds]})`)

/** From where a user signed in before this entry, since a day. */
export async function selectAddresses(
  tx: SystemTx,
  userId: string,
  { before, since }: { before: number; since: Date },
): Promise<string[]> {
  const rows = await tx.rows(sql<{ ip: string }>`
    select distinct ip from audit_entries
    where realm_id is null and object_type = 'user' and object_id = ${userId} and action = 'session.started'
      and id < ${before} and at >= ${since} and ip is not null`)
  return rows.map(({ ip }) => ip)
}

export interface AlarmRow {
  id: string
  kind: AlarmKind
  subject: string
  businessId: string | null
  amount: number
  raisedAt: Date
  lastAt: Date
  acknowledgedAt: Date | null
  acknowledgedBy: string | null
}

const columns = sql`id, kind, subject, business_id as "businessId", amount, raised_at as "raisedAt", last_at as "lastAt",
  acknowledged_at as "acknowledgedAt", acknowledged_by as "acknowledgedBy"`

/** Adds an alarm, or notes that the open one about the same goes on. `isNew` says which. */
export const upsertAlarm = (
  tx: SystemTx,
  { id, kind, subject, amount }: Pick<AlarmRow, 'id' | 'kind' | 'subject' | 'amount'>,
): Promise<{ id: string; isNew: boolean }> =>
  tx.row(sql<{ id: string; isNew: boolean }>`
    insert into alarms (id, kind, subject, amount, raised_at, last_at)
    values (${id}, ${kind}, ${subject}, ${amount}, ${tx.now}, ${tx.now})
    on conflict (kind, subject) where acknowledged_at is null
      do update set last_at = excluded.last_at, amount = greatest(alarms.amount, excluded.amount)
    returning id, xmax = 0 as "isNew"`)

export const selectAlarm = (tx: SystemTx, id: string): Promise<AlarmRow | undefined> =>
  tx.maybeRow(sql<AlarmRow>`select ${columns} from alarms where id = ${id}`)

type States = readonly ('open' | 'all')[]

const isIn = (states: States) => (states.includes('all') ? sql`true` : sql`acknowledged_at is null`)

/** Newest first. */
export async function selectAlarms(
  tx: SystemTx,
  { state, page, size }: { state: States; page: number; size: number },
): Promise<{ rows: AlarmRow[]; total: number }> {
  const total = await countAlarms(tx, state)
  const rows = await tx.rows(sql<AlarmRow>`
    select ${columns} from alarms where ${isIn(state)} order by raised_at desc, id limit ${size} offset ${page * size}`)
  return { rows, total }
}

export async function countAlarms(tx: SystemTx, state: States = ['open']): Promise<number> {
  return (await tx.row(sql<{ total: number }>`select count(*)::int as total from alarms where ${isIn(state)}`)).total
}

/** Acknowledges every open alarm of a kind. */
export async function markKindAcknowledged(tx: SystemTx, kind: AlarmKind): Promise<void> {
  await tx.run(sql`
    update alarms set acknowledged_at = ${tx.now}, acknowledged_by = ${tx.actor.name}
    where kind = ${kind} and acknowledged_at is null`)
}

/** True if it was open until now. */
export async function markAcknowledged(tx: SystemTx, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update alarms set acknowledged_at = ${tx.now}, acknowledged_by = ${tx.actor.name}
    where id = ${id} and acknowledged_at is null`)
  return changed === 1
}
