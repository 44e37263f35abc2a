import { normalizeId } from '@kitlane/display/short-id'
import type { AsSent } from '@kitlane/lab-reader/identify/unmatched'
import { sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { Outcome } from './rules.ts'
import type { ReceivedDocument, UnassessedResult, WaitingFilter } from './schema.ts'
import { type SealedUnassessed, sealedUnassessed } from './sealed-queries.ts'

export interface WaitingRow extends UnassessedResult {
  id: string
  customerId: number
  kitId: string | null
  reportId: string | null
  dataId: string | null
  docId: string | null
  loinc: string | null
  critical: boolean
  suggestions: string[]
  position: string
  sent: AsSent | null
  assigned: string | null
  document: ReceivedDocument | null
  receivedAt: Date
  closedAt: Date | null
  closedBy: string | null
  outcome: Outcome | null
  note: string | null
}

type UnreadWaiting<R extends WaitingRow> = Omit<R, Exclude<keyof SealedUnassessed, 'key'>> & {
  sealed: Sealed<SealedUnassessed>
}

function openWaiting<R extends WaitingRow>(keys: Keyring, { sealed, ...row }: UnreadWaiting<R>): R {
  const { key: _, ...content } = sealedUnassessed.open(keys, [row.id], sealed)
  return { ...row, ...content } as unknown as R
}

export interface OfBusiness {
  business: { id: string; name: string }
  mode: Realm['mode']
}

/** The document that it came in, with what became of its lines until now. */
const documentOf = sql`(
  select jsonb_build_object('id', d.id, 'counted', d.lines, 'assessed', d.assessed + w.assigned, 'waiting', w.waiting,
    'dismissed', d.left_out + w.dismissed)
  from received_documents d cross join lateral (
    select (count(*) filter (where closed_at is null))::int as waiting,
      (count(*) filter (where outcome = 'assigned'))::int as assigned,
      (count(*) filter (where closed_at is not null and outcome is distinct from 'assigned'))::int as dismissed
    from unassessed_results where realm_id = d.realm_id and received_id = d.id) w
  where d.realm_id = u.realm_id and d.id = u.received_id) as document`

const columns = sql`
  u.id, u.customer_id as "customerId", u.kit_id as "kitId", u.report_id as "reportId", u.data_id as "dataId",
  (select o.id from documents o where o.realm_id = u.realm_id and o.data_id = u.data_id limit 1) as "docId",
  u.code, u.is_critical as critical, u.received_at as "receivedAt", u.closed_at as "closedAt",
  u.closed_by as "closedBy", u.outcome, ${documentOf},
  ${sealedUnassessed.of('u')} as sealed`

const states = { open: sql`u.closed_at is null`, closed: sql`u.closed_at is not null` }

const matchesFilter = ({ state, reportID, kitID, customerID }: WaitingFilter) => sql`
  (${sql.join(
    state.map((one) => states[one]),
    sql` or `,
  )})
  and ${isOneOf(sql`u.report_id`, reportID?.map(normalizeId))} and ${isOneOf(sql`u.kit_id`, kitID?.map(normalizeId))}
  and ${customerID ? sql`u.customer_id = any(${customerID}::bigint[])` : sql`true`}`

const criticalFirst = sql`order by u.is_critical desc, u.received_at, u.place, u.id`

/** Critical ones first, then the oldest. */
export async function selectWaiting(tx: Tx, filter: WaitingFilter): Promise<WaitingRow[]> {
  const rows = await tx.rows(sql<UnreadWaiting<WaitingRow>>`
    select ${columns} from unassessed_results u where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}
    ${criticalFirst} limit ${filter.size} offset ${filter.page * filter.size}`)
  const keys = await keyringOf(tx)
  return rows.map((row) => openWaiting<WaitingRow>(keys, row))
}

export async function countWaiting(tx: Tx, filter: WaitingFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from unassessed_results u where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}`)
  return count
}

const ofMode = (mode: Realm['mode']) => sql`join realms r on r.id = u.realm_id and r.mode = ${mode}`

export async function selectWaitingOfAll(
  tx: SystemTx,
  filter: WaitingFilter & { mode: Realm['mode'] },
): Promise<(WaitingRow & OfBusiness)[]> {
  const rows = await tx.rows(sql<UnreadWaiting<WaitingRow & OfBusiness> & { realmId: number }>`
    select u.realm_id as "realmId", ${columns}, jsonb_build_object('id', b.id, 'name', b.name) as business, r.mode
    from unassessed_results u ${ofMode(filter.mode)} join businesses b on b.id = r.business_id where ${matchesFilter(filter)}
    ${criticalFirst} limit ${filter.size} offset ${filter.page * filter.size}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, ...row }) => openWaiting<WaitingRow & OfBusiness>(keyringIn(keyrings, realmId), row))
}

export async function countWaitingOfAll(
  tx: SystemTx,
  filter: WaitingFilter & { mode: Realm['mode'] },
): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from unassessed_results u ${ofMode(filter.mode)} where ${matchesFilter(filter)}`)
  return count
}

export async function realmOfUnassessed(tx: SystemTx, id: string): Promise<Realm | undefined> {
  const row = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from unassessed_results u join realms r on r.id = u.realm_id where u.id = ${id}`)
  return row?.realm
}
