import type { Queries } from '../../platform/database/tx.ts'
import { type Balance, claimBalances, type RealmKitType, selectBalances, selectBalancesForUpdate } from './queries.ts'

type Row = Balance & RealmKitType

/** Balances by realm and kit type, which nobody else changes until the transaction ends. */
export interface Balances {
  find(realmId: number, kitType: string): Balance | undefined
  of(realmId: number): Balance[]
  /** Queues what locks balances that were only read, and fails the transaction if they are not what was read. */
  claim(tx: Queries): Promise<unknown>[]
}

/** Locks balances of any realms, always in the same order. */
export async function lockBalances(tx: Queries, wanted: Iterable<RealmKitType>): Promise<Balances> {
  return balancesOf(await selectBalancesForUpdate(tx, distinct(wanted)), () => [])
}

/** Reads balances, to be claimed before anything is written. Those that transactions under way change are as these leave them. */
export async function readBalances(
  tx: Queries,
  wanted: Iterable<RealmKitType>,
  ahead: readonly Balances[],
): Promise<Balances> {
  const newest = ahead.toReversed()
  const lines = distinct(wanted)
  const left = lines.flatMap(({ realmId, kitType }): Row[] => {
    const balance = newest.map((balances) => balances.find(realmId, kitType)).find((found) => found !== undefined)
    return balance ? [{ ...balance, realmId }] : []
  })
  const known = new Set(left.map(keyOf))
  const rest = lines.filter((line) => !known.has(keyOf(line)))
  const rows = [...left, ...(rest.length > 0 ? await selectBalances(tx, rest) : [])]
  const expected = rows.map((row) => ({ ...row }))
  return balancesOf(rows, (tx) => (expected.length > 0 ? [claimBalances(tx, expected)] : []))
}

function balancesOf(rows: readonly Row[], claim: Balances['claim']): Balances {
  const byRealm = Map.groupBy(rows, (row) => row.realmId)
  const of = (realmId: number) => byRealm.get(realmId) ?? []
  return { of, find: (realmId, kitType) => of(realmId).find((balance) => balance.kitType === kitType), claim }
}

const keyOf = ({ realmId, kitType }: RealmKitType) => `${realmId} ${kitType}`
const distinct = (wanted: Iterable<RealmKitType>) => [
  ...new Map([...wanted].map((line) => [keyOf(line), line])).values(),
]
