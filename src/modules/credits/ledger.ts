import { statement } from '../../platform/database/statement.ts'
import type { Queries, Realm } from '../../platform/database/tx.ts'
import type { Numbers } from '../businesses/counters.ts'
import type { Line } from './rules.ts'

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
  realm: Realm
  actor: string
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
  kitType: string
  available: number
  reserved: number
  /** Below this the business wants to be warned. */
  threshold: number | null
}

/** Balances by realm and kit type, locked until the transaction ends. */
export interface Balances {
  find(realmId: number, kitType: string): Balance | undefined
  of(realmId: number): Balance[]
}

export interface RealmLine extends Pick<Line, 'kitType'> {
  realmId: number
}

const lock = statement<Balance & { realmId: number }, [number[], string[]]>(
  'balances_lock',
  `select b.realm_id as "realmId", b.kit_type as "kitType", b.available, b.reserved, r.low_credit_threshold as threshold
   from credit_balances b join realms r on r.id = b.realm_id
   where (b.realm_id, b.kit_type) in (select * from unnest($1::int[], $2::text[]))
   order by b.realm_id, b.kit_type for update of b`,
)

/** Locks balances, over all realms always in the same order. */
export async function lockBalances(tx: Queries, wanted: Iterable<RealmLine>): Promise<Balances> {
  const distinct = new Map([...wanted].map((line) => [`${line.realmId} ${line.kitType}`, line]))
  const lines = [...distinct.values()]
  const rows = await tx.rows(
    lock(
      lines.map(({ realmId }) => realmId),
      lines.map(({ kitType }) => kitType),
    ),
  )
  const byRealm = Map.groupBy(rows, (row) => row.realmId)
  const of = (realmId: number) => byRealm.get(realmId) ?? []
  return { of, find: (realmId, kitType) => of(realmId).find((balance) => balance.kitType === kitType) }
}

/** A type that fell below the business's threshold. */
export interface Fallen {
  realm: Realm
  kitType: string
  available: number
  threshold: number
}

export interface Booking {
  /** The types that fell below their threshold now. */
  fallen: Fallen[]
  /** Queues the statements that write it. */
  write(tx: Queries): Promise<unknown>[]
}

interface TransferRow {
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
  note: string | undefined
  actor: string
}

const saveBalances = statement<never, [number[], string[], number[], number[]]>(
  'balances_save',
  `update credit_balances b set available = t.available, reserved = t.reserved
   from unnest($1::int[], $2::text[], $3::bigint[], $4::bigint[]) as t(realm_id, kit_type, available, reserved)
   where b.realm_id = t.realm_id and b.kit_type = t.kit_type`,
)

const insert = statement<never, [string, Date]>(
  'transfers_insert',
  `insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, job_id, note, actor, at)
   select t."realmId", t.seq, t."kitType", t.kind, t."from", t."to", t.amount, t.after, t."orderId", t."jobId", t.note, t.actor, $2
   from json_to_recordset($1::json) as t("realmId" int, seq bigint, kind text, "kitType" text, "from" text, "to" text,
     amount bigint, after bigint, "orderId" text, "jobId" text, note text, actor text)`,
)

/**
 * Books transfers on balances that this transaction has locked, in their order. The database refuses a negative balance;
 * callers decide before what is covered.
 */
export function book(balances: Balances, numbers: Numbers, transfers: readonly Transfer[]): Booking {
  const touched = new Map<Balance, Realm>()
  const fallen: Fallen[] = []
  const rows = transfers.map(({ realm, actor, kind, kitType, amount, orderId, jobId, note }): TransferRow => {
    const balance = balances.find(realm.id, kitType)
    if (!balance) throw new Error(`no locked balance of ${kitType}`)
    touched.set(balance, realm)
    const before = balance.available
    const { from, to, available, reserved } = effects[kind]
    balance.available += available * amount
    balance.reserved += reserved * amount
    const { available: after, threshold } = balance
    if (threshold !== null && after < threshold && before >= threshold) {
      fallen.push({ realm, kitType, available: after, threshold })
    }
    const seq = numbers.next(realm.id, 'transfers')
    return {
      realmId: realm.id,
      seq,
      kind,
      kitType,
      from,
      to,
      amount,
      after: balance.available,
      orderId,
      jobId,
      note,
      actor,
    }
  })
  const changed = [...touched]
  return {
    fallen,
    write(tx) {
      if (rows.length === 0) return []
      const balance = saveBalances(
        changed.map(([, realm]) => realm.id),
        changed.map(([{ kitType }]) => kitType),
        changed.map(([{ available }]) => available),
        changed.map(([{ reserved }]) => reserved),
      )
      return [tx.run(balance), tx.run(insert(JSON.stringify(rows), tx.now))]
    },
  }
}
