import { statement } from '../../platform/database/statement.ts'
import type { Queries } from '../../platform/database/tx.ts'
import { type PriceBook, priceBookOf, type UnitPrice } from '../catalogue/prices.ts'
import { type Books, lockBooks } from './placement.ts'
import { kitTypesOf, type OrderRequest } from './request.ts'

/** What decides how the orders of a realm are paid. */
export interface Terms {
  settings: { insufficientCredits: 'charge' | 'pending' | 'reject'; purchasingEnabled: boolean }
  /** Whether a payment method is attached to the business. */
  hasMethod: boolean
  /** Of the kit types that were asked for. */
  prices: PriceBook
}

interface TermsRow {
  realmId: number
  insufficientCredits: 'charge' | 'pending' | 'reject'
  purchasingEnabled: boolean
  hasMethod: boolean
}

const selectTerms = statement<TermsRow, [number[]]>(
  'checkout_terms',
  `select r.id as "realmId", r.insufficient_credits as "insufficientCredits", r.purchasing_enabled as "purchasingEnabled",
     exists (select from payment_methods m where m.realm_id = r.id and m.is_default) as "hasMethod"
   from realms r where r.id = any($1::int[])`,
)

const selectPrices = statement<UnitPrice & { realmId: number }, [number[], string[]]>(
  'checkout_prices',
  `select realm_id as "realmId", kit_type as "kitType", price_minor as "priceMinor", currency from realm_panels
   where (realm_id, kit_type) in (select * from unnest($1::int[], $2::text[]))`,
)

export interface Asked {
  realm: { id: number }
  request: OrderRequest
}

export type TermsOf = (realmId: number) => Terms

/** Reads the terms of all requests, and locks what placing them changes: four statements in one round trip. */
export async function openTerms(tx: Queries, asked: readonly Asked[]): Promise<{ termsOf: TermsOf; books: Books }> {
  const realmIds = [...new Set(asked.map(({ realm }) => realm.id))]
  const lines = linesOfAll(asked)
  const kitTypes = lines.map((line) => line.kitType)
  const ofRealm = lines.map((line) => line.realmId)
  const [terms, prices, books] = await Promise.all([
    tx.rows(selectTerms(realmIds)),
    tx.rows(selectPrices(ofRealm, kitTypes)),
    lockBooks(tx, realmIds, lines),
  ])
  const pricesByRealm = Map.groupBy(prices, (price) => price.realmId)
  const byRealm = new Map(
    terms.map(({ realmId, hasMethod, ...settings }): [number, Terms] => [
      realmId,
      { settings, hasMethod, prices: priceBookOf(pricesByRealm.get(realmId) ?? []) },
    ]),
  )
  const termsOf = (realmId: number) => {
    const found = byRealm.get(realmId)
    if (!found) throw new Error(`realm ${realmId} has no settings`)
    return found
  }
  return { termsOf, books }
}

function linesOfAll(asked: readonly Asked[]): { realmId: number; kitType: string }[] {
  const lines = asked.flatMap(({ realm, request }) =>
    kitTypesOf(request.orders).map((kitType) => ({ realmId: realm.id, kitType })),
  )
  return [...new Map(lines.map((line) => [`${line.realmId} ${line.kitType}`, line])).values()]
}
