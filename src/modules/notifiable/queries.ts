import { sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import {
  keyringIn,
  keyringOf,
  keyringsOf,
  NEVER,
  type Sealed,
  sealedColumns,
} from '../../platform/sealing/sealed-columns.ts'
import { isMadeUp } from '../businesses/queries.ts'
import type { NoticeEntry, Now } from './results.ts'
import type { Completed, Facts, Report, Said, Source, ToldPerson } from './rules.ts'
import {
  type Authority,
  type NoticeState,
  type NotifiableRule,
  openStates,
  type Reason,
  type Sender,
} from './schema.ts'

interface Kinds {
  rule: NotifiableRule
  authority: Authority
  sender: Sender
}

type Setting = { [K in keyof Kinds]: { kind: K; one: Kinds[K] } }[keyof Kinds]

/** Whether a rule is on, or something was found here before. What the demo's companies have is made up. */
export const isInUse = (tx: Tx): Promise<boolean> =>
  tx
    .row(sql<{ is: boolean }>`
      select (exists (select from notifiable_settings where kind = 'rule' and definition ->> 'isActive' = 'true')
        or exists (select from notices where realm_id = ${tx.realm.id}))
        and not exists (select from realms r where r.id = ${tx.realm.id} and ${isMadeUp}) as is`)
    .then(({ is }) => is)

/** All that the operator says of results that are told. */
export async function selectSettings(tx: Queries) {
  const rows = await tx.rows(sql<Setting>`
    select kind, definition as one from notifiable_settings order by definition ->> 'condition', definition ->> 'name', id`)
  return {
    rules: rows.flatMap((row) => (row.kind === 'rule' ? row.one : [])),
    authorities: rows.flatMap((row) => (row.kind === 'authority' ? row.one : [])),
    sender: rows.flatMap((row) => (row.kind === 'sender' ? row.one : []))[0],
  }
}

export async function saveSetting<K extends keyof Kinds>(
  tx: SystemTx,
  kind: K,
  id: string,
  one: Kinds[K],
): Promise<void> {
  await tx.run(sql`
    insert into notifiable_settings (id, kind, definition, changed_at) values (${id}, ${kind}, ${JSON.stringify(one)}::jsonb, ${tx.now})
    on conflict (id) do update set definition = excluded.definition, changed_at = excluded.changed_at`)
}

/** What a notice is about. Once its person was erased and it is told, only the condition is left, with the times. */
export interface NoticeContent {
  condition: string
  withinHours: number
  entry: NoticeEntry | null
  now: Now
  said: Said | null
  /** What the authority was told before that. */
  prior: Said | null
  /** The message that is sent next, or waits for its answer, and what it says of the sample. */
  text: string | null
  source?: Source | null
  /** Who it is about. Versions before did not keep it. */
  person?: ToldPerson | null
  completed?: Completed | null
  /** Its report has a result of another sample in its place. */
  isReplaced?: boolean
  /** By which correction it was doubtful which sample is meant. */
  doubtedBy?: string | null
  /** The answer that a person wants told though no rule asks for it, or as it is though its message is incomplete. */
  insisted?: { key: string; isAsIs: boolean } | null
  /** What its message is made of, until it is told: it may have to be made again after its person was erased. */
  kept?: { report: Report; facts: Facts } | null
  problems: string[]
  note: string | null
  foundAt: string
  toldAt: string | null
  /** How often a message was made to be sent; the last one has this number. */
  messages: number
  tries: number
}

export const sealedNotices = sealedColumns<NoticeContent>({
  table: 'notices',
  key: { id: 'text' },
  clear: {
    ...{ condition: NEVER, withinHours: NEVER, entry: NEVER, now: NEVER, said: NEVER, prior: NEVER, text: NEVER },
    ...{ source: NEVER, person: NEVER, completed: NEVER, isReplaced: NEVER, doubtedBy: NEVER, kept: NEVER },
    insisted: NEVER,
    ...{ problems: NEVER, note: NEVER, foundAt: NEVER, toldAt: NEVER, messages: NEVER, tries: NEVER },
  },
  emptied: [],
})

export interface NoticeRow extends NoticeContent {
  id: string
  /** null: its kit has no report yet. */
  reportId: string | null
  kitId: string | null
  customerId: number
  /** Empty: none is known. */
  authorityId: string
  state: NoticeState
  reason: Reason | null
  isOpen: boolean
  deadlineAt: Date
  dueAt: Date | null
}

/** Without what is not needed to say what was told to whom. */
export function stripped(row: NoticeRow): NoticeRow {
  if (row.isOpen || ['due', 'waiting', 'refused'].includes(row.state)) return row
  const bare = row.said && { key: '', state: row.said.state, entry: null }
  return {
    ...row,
    entry: null,
    now: { ...row.now, key: '' },
    said: bare,
    prior: null,
    text: null,
    source: null,
    person: null,
    completed: null,
    doubtedBy: null,
    kept: null,
    problems: [],
    note: null,
  }
}

type Stored = Omit<NoticeRow, keyof NoticeContent> & { sealed: Sealed<NoticeContent> }

const columns = sql`
  n.id, n.report_id as "reportId", n.kit_id as "kitId", n.customer_id as "customerId", n.authority_id as "authorityId", n.state,
  n.reason, n.is_open as "isOpen", n.deadline_at as "deadlineAt", n.due_at as "dueAt", ${sealedNotices.of('n')} as sealed`

/** The notices of a report and its kit, of a person, or one; locked. */
export async function lockNotices(
  tx: Tx,
  { reportId, kitId, customerId, id }: Partial<Pick<NoticeRow, 'reportId' | 'kitId' | 'customerId' | 'id'>>,
): Promise<NoticeRow[]> {
  const rows = await tx.rows(sql<Stored>`
    select ${columns} from notices n where n.realm_id = ${tx.realm.id}
      and (n.id = ${id ?? null}::text or n.report_id = ${reportId ?? null}::text or n.kit_id = ${kitId ?? null}::text or n.customer_id = ${customerId ?? null}::bigint) order by n.id for update`)
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedNotices.open(keys, [row.id], sealed) }))
}

export async function saveNotice(tx: Tx, row: NoticeRow): Promise<void> {
  const { id, reportId, kitId, customerId, authorityId, state, reason, isOpen, deadlineAt, dueAt, ...content } = row
  const sealed = sealedNotices.seal(await keyringOf(tx), [id], content)
  const values = sql`
    ${reportId}::text, ${authorityId}, ${state}, ${reason}::text, ${isOpen}, ${deadlineAt}, ${dueAt}::timestamptz, ${tx.now}, ${sealed}::bytea`
  await tx.run(sql`
    insert into notices (realm_id, id, kit_id, customer_id, report_id, authority_id, state, reason, is_open, deadline_at, due_at,
      changed_at, sealed) values (${tx.realm.id}, ${id}, ${kitId}, ${customerId}, ${values})
    on conflict (realm_id, id) do update
      set (report_id, authority_id, state, reason, is_open, deadline_at, due_at, changed_at, sealed) = (${values})`)
}

export interface NoticePlace {
  realm: Realm
  id: string
  reportId: string | null
  kitId: string | null
  authorityId: string
}

const whichOpen = sql`n.state = any(${[...openStates]})`

/**
 * Where notices are, over all businesses, the ones with the least time first: those that are due; all that are not told yet, and then
 * those that no rule asked for; or one.
 */
export const selectPlaces = (tx: SystemTx, which: 'due' | 'open' | { id: string }): Promise<NoticePlace[]> =>
  tx.rows(sql<NoticePlace>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, n.id, n.report_id as "reportId", n.kit_id as "kitId",
      n.authority_id as "authorityId"
    from notices n join realms r on r.id = n.realm_id
    where ${which === 'due' ? sql`n.due_at <= ${tx.now}` : which === 'open' ? sql`(${whichOpen} or (n.state = 'notTold' and n.reason = 'elsewhere'))` : sql`n.id = ${which.id}`}
    order by ${whichOpen} desc, n.deadline_at, n.id limit 5000`)

/** Those of these kits of which somebody was told, or is to be. */
export const selectKitsWithNotices = async (tx: Tx, kitIds: readonly string[]): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select distinct kit_id as id from notices where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) order by 1`)
  ).map(({ id }) => id)

/** What authorities were told of somebody, or have to be. */
export const selectNoticesOf = async (tx: Tx, customerId: number): Promise<string[]> =>
  (
    await tx.rows(
      sql<{ id: string }>`select id from notices where realm_id = ${tx.realm.id} and customer_id = ${customerId}`,
    )
  ).map(({ id }) => id)

export interface NoticeFilter {
  states?: readonly NoticeState[] | undefined
  isOpen?: boolean | undefined
  businessIds?: readonly string[] | undefined
  kitIds?: readonly string[]
  id?: string
  page: number
  size: number
}
export type NoticeOfAll = NoticeRow & { business: { id: string; name: string } }

/** Notices of every business: those that are not told yet first, the ones with the least time before others. */
export async function selectNoticePage(
  tx: SystemTx,
  filter: NoticeFilter,
): Promise<{ rows: NoticeOfAll[]; total: number }> {
  const from = sql`notices n join realms r on r.id = n.realm_id join businesses b on b.id = r.business_id
    where ${isOneOf(sql`n.state`, filter.states)} and ${isOneOf(sql`r.business_id`, filter.businessIds)}
      and ${isOneOf(sql`n.kit_id`, filter.kitIds)}
      and ${filter.isOpen ? whichOpen : sql`true`} and ${filter.id ? sql`n.id = ${filter.id}` : sql`true`}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from ${from}`)
  const rows = await tx.rows(sql<Stored & { realmId: number; business: NoticeOfAll['business'] }>`
    select ${columns}, n.realm_id as "realmId", jsonb_build_object('id', b.id, 'name', b.name) as business
    from ${from} order by ${whichOpen} desc, n.deadline_at, n.id limit ${filter.size} offset ${filter.page * filter.size}`)
  const keyrings = await keyringsOf(tx, rows)
  const opened = ({ realmId, sealed, ...row }: (typeof rows)[number]): NoticeOfAll => ({
    ...{ ...row, ...sealedNotices.open(keyringIn(keyrings, realmId), [row.id], sealed) },
  })
  return { rows: rows.map(opened), total }
}

/** Those of these messages that name a kit of a sandbox, and no live one: they are of nobody. */
export const selectOfSandbox = async (
  tx: SystemTx,
  messages: readonly { id: string; accession: string | null; parsed: { kitId?: string | undefined } }[],
): Promise<string[]> =>
  (
    await tx.rows(sql<{ id: string }>`
      select m.id from unnest(${messages.map(({ id }) => id)}::text[], ${messages.map(({ parsed }) => parsed.kitId ?? null)}::text[],
        ${messages.map(({ accession }) => accession)}::text[]) as m(id, kit_id, accession)
      join kits k on k.id = m.kit_id join realms r on r.id = k.realm_id
      where r.mode = 'sandbox' and not exists (
        select from kits o join realms l on l.id = o.realm_id where o.accession = m.accession and l.mode = 'live')`)
  ).map(({ id }) => id)
