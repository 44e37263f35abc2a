import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { canonical } from './seal-queries.ts'

/** A partition of the audit: its name, and its IDs, from `above` on and below `below`. */
export interface AuditMonth {
  part: string
  above: number
  below: number
}

/** The partitions of months that ended before, the oldest first; that of everything before the first month, too. */
export const selectMonths = (tx: SystemTx, before: Date): Promise<AuditMonth[]> =>
  tx.rows(sql<AuditMonth>`
    with months as (
      select inhrelid::regclass::text as part, to_date(right(inhrelid::regclass::text, 7), 'YYYY_MM') as month
      from pg_inherits where inhparent = 'audit_entries'::regclass and inhrelid::regclass::text ~ '_[0-9]{4}_[0-9]{2}$'
    ), ended as (
      select part, kitlane_audit_from(month) as above, kitlane_audit_from((month + interval '1 month')::date) as below
      from months where month + interval '1 month' <= ${before}
    )
    select part, above, below from ended
    union all
    select 'audit_entries_before', 0, 100000000000 where to_regclass('audit_entries_before') is not null
      and (select min(month) from months) + interval '1 month' <= ${before}
    order by 2`)

/** Entries of these IDs above one, as JSON, in order of their IDs, with the words that they refer to. */
export const selectJson = (
  tx: SystemTx,
  { above, below }: { above: number; below: number },
  limit: number,
): Promise<{ id: number; at: Date; entry: string; words: string | null }[]> =>
  tx.rows(sql<{ id: number; at: Date; entry: string; words: string | null }>`
    select e.id, e.at, to_jsonb(e)::text as entry,
      (select to_jsonb(w)::text from audit_words w where w.realm_id = e.realm_id and w.id = e.details ->> 'words') as words
    from audit_entries e where e.id >= ${above} and e.id < ${below} order by e.id limit ${limit}`)

/** How many entries of these IDs are not sealed yet. */
export async function countUnsealed(tx: SystemTx, { above, below }: AuditMonth): Promise<number> {
  const row = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from audit_entries e cross join audit_sealing s
    where e.id >= ${above} and e.id < ${below} and e.id > s.floor and (e.xact, e.id) > (s.xact, s.id)`)
  return row.count
}

/** Deletes lists of a month that is archived. Returns how many went; 0: none is left. @throws as `dropMonth` */
export async function deleteLists(tx: SystemTx, { part }: AuditMonth, limit: number): Promise<number> {
  const row = await tx.row(sql<{ deleted: number }>`
    select kitlane_delete_audit_lists(${part}, ${limit})::int as deleted`)
  return row.deleted
}

/**
 * Remembers for each chain the last seal that has entries below an ID, with its hash, and what of the seals up to there is
 * not below it: a seal may reach into the next month.
 */
export async function upsertArchived(tx: SystemTx, below: number): Promise<void> {
  await tx.run(sql`
    with last as (
      select s.chain, max(s.number) as number from audit_seals s left join audit_archived a on a.chain = s.chain
      where s.number > coalesce(a.seals, 0)
        and (select min(u) from unnest(s.entry_ids) u) < ${below}
      group by s.chain
    ), ended as (
      select c.chain, coalesce(l.number, a.seals) as number, coalesce(a.seals, 0) as before, coalesce(a.rest_ids, '{}') as rest
      from audit_chains c left join last l on l.chain = c.chain left join audit_archived a on a.chain = c.chain
      where coalesce(l.number, a.seals) is not null
    ), rests as (
      select d.chain, d.number, array(
        select u from (
          select unnest(d.rest) as u
          union all select unnest(s.entry_ids) from audit_seals s where s.chain = d.chain and s.number > d.before and s.number <= d.number) x
        where u >= ${below} order by u) as ids
      from ended d
    )
    insert into audit_archived (chain, seals, hash, rest_ids, rest_hash)
    select r.chain, r.number, s.hash, r.ids, ${restHash(sql`r.ids`)}
    from rests r join audit_seals s on s.chain = r.chain and s.number = r.number
    on conflict (chain) do update set seals = excluded.seals, hash = excluded.hash, rest_ids = excluded.rest_ids,
      rest_hash = excluded.rest_hash`)
}

const restHash = (ids: ReturnType<typeof sql>) => sql`(
  select sha256(convert_to(coalesce(string_agg(${canonical(sql`2`)}, E'\n' order by e.id), ''), 'UTF8'))
  from audit_entries e where e.id = any(${ids}))`

/** Drops the partition. @throws what the database says, if it is too young, was not archived, or is in use */
export async function dropMonth(tx: SystemTx, part: string): Promise<void> {
  await tx.run(sql`select kitlane_drop_audit_month(${part})`)
}

export interface ArchivedChain {
  chain: number
  seals: number
  /** Hexadecimal. */
  hash: string
  rest: number
  /** The sum of their IDs. */
  restIds: string
  /** Whether what is left of the archived seals is as it was. */
  isRight: boolean
}

/** Where the chains begin whose first seals were archived. */
export const selectArchived = (tx: SystemTx): Promise<ArchivedChain[]> =>
  tx.rows(sql<ArchivedChain>`
    select a.chain, a.seals, encode(a.hash, 'hex') as hash, cardinality(a.rest_ids) as rest,
      (select coalesce(sum(u), 0)::text from unnest(a.rest_ids) u) as "restIds",
      a.rest_hash is not distinct from ${restHash(sql`a.rest_ids`)}
        and exists (select from audit_seals s where s.chain = a.chain and s.number = a.seals and s.hash = a.hash) as "isRight"
    from audit_archived a`)

/** Adds the partition of a month, `2030-12-01`. False if it is there. */
export const addMonth = async (tx: SystemTx, month: string): Promise<boolean> =>
  (await tx.row(sql<{ added: boolean }>`select kitlane_add_audit_month(${month}::date) as added`)).added

/** Lets new entries begin in the partition of a month, if they are not there yet. */
export const beginMonth = async (tx: SystemTx, month: string): Promise<boolean> =>
  (await tx.row(sql<{ begun: boolean }>`select kitlane_begin_audit_month(${month}::date) as begun`)).begun
