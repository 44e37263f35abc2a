import type { Queries } from '../../platform/database/tx.ts'
import { type PriceBook, priceBookOf } from '../catalogue/prices.ts'
import { lockForPlacement, type PlacementLocks, readForPlacement } from './placement-locks.ts'
import type { OrderRequest } from './request.ts'
import { linesOf } from './rules.ts'
import { type PaymentSettings, selectPaymentTerms, selectPrices } from './terms-queries.ts'

/** What decides how the orders of a realm are paid. */
export interface Terms {
  settings: PaymentSettings
  /** Whether a payment method is attached to the business. */
  hasMethod: boolean
  /** Of the kit types that were asked for. */
  prices: PriceBook
}

/** The terms of each realm, and the locks of all. */
export interface LockedTerms {
  of(realmId: number): Terms
  locks: PlacementLocks
}

interface RealmRequest {
  realm: { id: number }
  request: OrderRequest
}

/**
 * Reads the terms of all requests and locks what placing them changes: four statements in one round trip. With `ahead`,
 * the placements under way, it only reads, and the locks are claimed with the writes.
 */
export async function lockTerms(
  tx: Queries,
  requests: readonly RealmRequest[],
  ahead?: readonly PlacementLocks[],
): Promise<LockedTerms> {
  const realmIds = [...new Set(requests.map(({ realm }) => realm.id))]
  const kitTypes = distinctKitTypes(requests)
  const [terms, prices, locks] = await Promise.all([
    selectPaymentTerms(tx, realmIds),
    selectPrices(tx, kitTypes),
    ahead ? readForPlacement(tx, { realmIds, kitTypes }, ahead) : lockForPlacement(tx, { realmIds, kitTypes }),
  ])
  const pricesByRealm = Map.groupBy(prices, (price) => price.realmId)
  const byRealm = new Map(
    terms.map(({ realmId, hasMethod, ...settings }): [number, Terms] => [
      realmId,
      { settings, hasMethod, prices: priceBookOf(pricesByRealm.get(realmId) ?? []) },
    ]),
  )
  return {
    locks,
    of(realmId) {
      const found = byRealm.get(realmId)
      if (!found) throw new Error(`realm ${realmId} has no settings`)
      return found
    },
  }
}

function distinctKitTypes(requests: readonly RealmRequest[]): { realmId: number; kitType: string }[] {
  const all = requests.flatMap(({ realm, request }) =>
    linesOf(request.orders).map(({ kitType }) => ({ realmId: realm.id, kitType })),
  )
  return [...new Map(all.map((one) => [`${one.realmId} ${one.kitType}`, one])).values()]
}
