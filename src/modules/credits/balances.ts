import type { Queries } from '../../platform/database/tx.ts'
import { type Balance, type RealmKitType, selectBalancesForUpdate } from './queries.ts'

/** Balances by realm and kit type, locked until the transaction ends. */
export interface Balances {
  find(realmId: number, kitType: string): Balance | undefined
  of(realmId: number): Balance[]
}

/** Locks balances of any realms, always in the same order. */
export async function lockBalances(tx: Queries, wanted: Iterable<RealmKitType>): Promise<Balances> {
  const distinct = new Map([...wanted].map((line) => [`${line.realmId} ${line.kitType}`, line]))
  const rows = await selectBalancesForUpdate(tx, [...distinct.values()])
  const byRealm = Map.groupBy(rows, (row) => row.realmId)
  const of = (realmId: number) => byRealm.get(realmId) ?? []
  return { of, find: (realmId, kitType) => of(realmId).find((balance) => balance.kitType === kitType) }
}
