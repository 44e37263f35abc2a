import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { warn } from './low.ts'

export type TransferKind = 'grant' | 'revoke' | 'order' | 'refund' | 'reserve' | 'capture' | 'release'

/** What a transfer of one credit does to the two balances; the other side of each is `issued` or `spent`. */
const effects: Record<TransferKind, { from: string; to: string; available: -1 | 0 | 1; reserved: -1 | 0 | 1 }> = {
  grant: { from: 'issued', to: 'available', available: 1, reserved: 0 },
  revoke: { from: 'available', to: 'issued', available: -1, reserved: 0 },
  order: { from: 'available', to: 'spent', available: -1, reserved: 0 },
  refund: { from: 'spent', to: 'available', available: 1, reserved: 0 },
  reserve: { from: 'available', to: 'reserved', available: -1, reserved: 1 },
  capture: { from: 'reserved', to: 'spent', available: 0, reserved: -1 },
  release: { from: 'reserved', to: 'available', available: 1, reserved: -1 },
}

/** How a transfer changes what can be spent. */
export const signedAmount = (kind: TransferKind, amount: number): number => effects[kind].available * amount

export interface Transfer {
  kind: TransferKind
  kitType: string
  /** Credits, > 0. */
  amount: number
  orderId?: string
  /** The bulk job that the credits are reserved for. */
  jobId?: string
  note?: string
}

export interface Balance {
  available: number
  reserved: number
  /** Below this the business wants to be warned. */
  threshold: number | null
}

/** Balances by kit type, locked until the end of the transaction, always in the same order. */
export async function lockBalances(tx: Tx, kitTypes: Iterable<string>): Promise<Map<string, Balance>> {
  const rows = await tx.rows(sql<Balance & { kitType: string }>`
    select b.kit_type as "kitType", b.available, b.reserved, r.low_credit_threshold as threshold
    from credit_balances b join realms r on r.id = b.realm_id
    where b.realm_id = ${tx.realm.id} and b.kit_type = any(${[...new Set(kitTypes)]})
    order by b.kit_type for update of b`)
  return new Map(rows.map(({ kitType, ...balance }) => [kitType, balance]))
}

/**
 * Books transfers on balances that this transaction has locked. The database refuses a negative balance; callers decide
 * before what is covered. A type that falls below the threshold is told of once.
 */
export async function book(tx: Tx, balances: Map<string, Balance>, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  const before = new Map([...balances].map(([kitType, { available }]) => [kitType, available]))
  const rows = transfers.map(({ kind, kitType, amount, orderId, jobId, note }) => {
    const balance = balances.get(kitType)
    if (!balance) throw new Error(`no locked balance of ${kitType}`)
    const { from, to, available, reserved } = effects[kind]
    balance.available += available * amount
    balance.reserved += reserved * amount
    return { kind, kitType, from, to, amount, after: balance.available, orderId, jobId, note }
  })
  const touched = [...new Set(rows.map((row) => row.kitType))].map((kitType) => ({ kitType, ...balances.get(kitType) }))
  await tx.run(sql`
    with balances as (
      update credit_balances b set available = t.available, reserved = t.reserved
      from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as t("kitType" text, available bigint, reserved bigint)
      where b.realm_id = ${tx.realm.id} and b.kit_type = t."kitType"),
    counter as (
      update realm_counters set transfers = transfers + ${rows.length} where realm_id = ${tx.realm.id}
      returning transfers - ${rows.length} as start)
    insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, job_id, note, actor, at)
    select ${tx.realm.id}, c.start + t.position, t."kitType", t.kind, t."from", t."to", t.amount, t.after, t."orderId", t."jobId", t.note, ${tx.actor.name}, ${tx.now}
    from counter c, rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (kind text, "kitType" text, "from" text, "to" text, amount bigint, after bigint, "orderId" text, "jobId" text, note text))
      with ordinality as t(kind, "kitType", "from", "to", amount, after, "orderId", "jobId", note, position)`)
  await warn(tx, before, balances)
}
