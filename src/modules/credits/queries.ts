import { sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import type { TransferKind } from './rules.ts'

export interface Balance {
  kitType: string
  available: number
  reserved: number
  /** Below this the business wants to be warned. */
  threshold: number | null
  /** Below this credits are bought by themselves; null: never. */
  topUpBelow: number | null
}

/** A balance that fell below what tops it up. */
export interface WantedTopUp {
  realm: Realm
  kitType: string
}

export interface RealmKitType {
  realmId: number
  kitType: string
}

const columns =
  'b.realm_id as "realmId", b.kit_type as "kitType", b.available, b.reserved, b.top_up_below as "topUpBelow", r.low_credit_threshold as threshold'
const wanted = '(b.realm_id, b.kit_type) in (select * from unnest($1::int[], $2::text[]))'

const balancesSelect = statement<Balance & RealmKitType, [number[], string[]]>(
  'balances_select',
  `select ${columns} from credit_balances b join realms r on r.id = b.realm_id where ${wanted}`,
)

const balancesForUpdate = statement<Balance & RealmKitType, [number[], string[]]>(
  'balances_lock',
  `select ${columns} from credit_balances b join realms r on r.id = b.realm_id where ${wanted}
   order by b.realm_id, b.kit_type for update of b`,
)

const placesOf = (rows: readonly RealmKitType[]): [number[], string[]] => [
  rows.map(({ realmId }) => realmId),
  rows.map(({ kitType }) => kitType),
]

export function selectBalances(tx: Queries, of: readonly RealmKitType[]): Promise<(Balance & RealmKitType)[]> {
  return tx.rows(balancesSelect(...placesOf(of)))
}

/** Locks balances in the order of realm and kit type. */
export function selectBalancesForUpdate(tx: Queries, of: readonly RealmKitType[]): Promise<(Balance & RealmKitType)[]> {
  return tx.rows(balancesForUpdate(...placesOf(of)))
}

const balancesClaim = statement<never, [number[], string[], number[], number[]]>(
  'balances_claim',
  `with locked as (
     select b.realm_id, b.kit_type, b.available, b.reserved from credit_balances b where ${wanted}
     order by b.realm_id, b.kit_type for update)
   select kitlane_claimed(count(*), cardinality($1)) from locked
   join unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[]) as e(realm_id, kit_type, available, reserved)
     using (realm_id, kit_type, available, reserved)`,
)

/** Locks balances in the same order, and fails the transaction if one is not as given. */
export function claimBalances(tx: Queries, expected: readonly (Balance & RealmKitType)[]): Promise<unknown> {
  const available = expected.map((row) => row.available)
  const reserved = expected.map((row) => row.reserved)
  return tx.rows(balancesClaim(...placesOf(expected), available, reserved))
}

const balancesUpdate = statement<never, [number[], string[], number[], number[]]>(
  'balances_save',
  `update credit_balances b set available = t.available, reserved = t.reserved
   from unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[]) as t(realm_id, kit_type, available, reserved)
   where b.realm_id = t.realm_id and b.kit_type = t.kit_type`,
)

export function updateBalances(tx: Queries, balances: readonly (Balance & RealmKitType)[]): Promise<unknown> {
  return tx.run(
    balancesUpdate(
      ...placesOf(balances),
      balances.map(({ available }) => available),
      balances.map(({ reserved }) => reserved),
    ),
  )
}

/** A balance row for each of these types that the realm may order and that has none yet. */
export async function insertMissingBalances(tx: Tx, kitTypes: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into credit_balances (realm_id, kit_type, available)
    select realm_id, kit_type, 0 from realm_panels where realm_id = ${tx.realm.id} and kit_type = any(${kitTypes})
    order by kit_type on conflict do nothing`)
}

/** The balance of each kit type that the realm may order; null where none was ever granted. */
export function selectProvisionedBalances(tx: Tx): Promise<{ kitType: string; available: number | null }[]> {
  return tx.rows(sql<{ kitType: string; available: number | null }>`
    select p.kit_type as "kitType", b.available
    from realm_panels p left join credit_balances b using (realm_id, kit_type)
    where p.realm_id = ${tx.realm.id} order by p.created_at, p.kit_type`)
}

export interface NewTransferRow {
  realmId: number
  seq: number
  kitType: string
  kind: TransferKind
  from: string
  to: string
  amount: number
  after: number
  orderId: string | undefined
  jobId: string | undefined
  paymentId: string | undefined
  note: string | undefined
  actor: string
}

const transfersInsert = statement<never, [string, Date]>(
  'transfers_insert',
  `insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, job_id, payment_id, note, actor, at)
   select t."realmId", t.seq, t."kitType", t.kind, t."from", t."to", t.amount, t.after, t."orderId", t."jobId", t."paymentId", t.note, t.actor, $2
   from json_to_recordset($1::json) as t("realmId" int, seq bigint, kind text, "kitType" text, "from" text, "to" text,
     amount bigint, after bigint, "orderId" text, "jobId" text, "paymentId" text, note text, actor text)`,
)

export function insertTransfers(tx: Queries, rows: readonly NewTransferRow[]): Promise<unknown> {
  return tx.run(transfersInsert(JSON.stringify(rows), tx.now))
}

/** Sets below which balance credits are bought by themselves; null: never. */
export async function updateTopUpBelow(tx: Tx, kitType: string, below: number | null): Promise<void> {
  await tx.run(sql`
    update credit_balances set top_up_below = ${below} where realm_id = ${tx.realm.id} and kit_type = ${kitType}`)
}

export async function selectAvailable(tx: Tx, kitType: string): Promise<number> {
  const row = await tx.maybeRow(sql<{ available: number }>`
    select available from credit_balances where realm_id = ${tx.realm.id} and kit_type = ${kitType}`)
  return row?.available ?? 0
}

/** What is still reserved for a bulk job. */
export function selectReserved(tx: Tx, jobId: string): Promise<{ kitType: string; amount: number }[]> {
  return tx.rows(sql<{ kitType: string; amount: number }>`
    select kit_type as "kitType", sum(case kind when 'reserve' then amount else -amount end)::bigint as amount
    from credit_transfers
    where realm_id = ${tx.realm.id} and job_id = ${jobId} and kind in ('reserve', 'capture', 'release')
    group by kit_type having sum(case kind when 'reserve' then amount else -amount end) > 0 order by kit_type`)
}

/** What an order was paid with. */
export function selectSpent(tx: Tx, orderId: string): Promise<{ kitType: string; amount: number }[]> {
  return tx.rows(sql<{ kitType: string; amount: number }>`
    select kit_type as "kitType", amount from credit_transfers
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and kind in ('order', 'capture') order by kit_type`)
}

export interface TransferRow {
  seq: number
  kitType: string
  kind: TransferKind
  amount: number
  availableAfter: number
  orderId: string | null
  paymentId: string | null
  note: string | null
  at: Date
}

/** One page of the ledger, newest first, by the gapless sequence: as fast at any depth. */
export async function selectTransferPage(
  tx: Tx,
  page: number,
  size: number,
): Promise<{ total: number; rows: TransferRow[] }> {
  const { total } = await tx.row(sql<{ total: number }>`
    select transfers as total from realm_counters where realm_id = ${tx.realm.id}`)
  const rows = await tx.rows(sql<TransferRow>`
    select seq, kit_type as "kitType", kind, amount, available_after as "availableAfter", order_id as "orderId", payment_id as "paymentId", note, at
    from credit_transfers where realm_id = ${tx.realm.id} and seq <= ${total - page * size}
    order by seq desc limit ${size}`)
  return { total, rows }
}

/** The transfers before one, newest first; without one, from the newest on. */
export function selectTransfersBefore(tx: Tx, seq: number | undefined, size: number): Promise<TransferRow[]> {
  const before = seq === undefined ? sql`` : sql`and seq < ${seq}`
  return tx.rows(sql<TransferRow>`
    select seq, kit_type as "kitType", kind, amount, available_after as "availableAfter", order_id as "orderId", payment_id as "paymentId", note, at
    from credit_transfers where realm_id = ${tx.realm.id} ${before} order by seq desc limit ${size}`)
}
