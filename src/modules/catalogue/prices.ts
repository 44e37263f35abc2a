import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { PanelRules } from './eligibility.ts'
import { selectProvisionedPanels, type UnitPrice } from './queries.ts'

export interface Price {
  amountMinor: number
  currency: string
}

export interface PriceBook {
  has(kitType: string): boolean
  /** Who may order a kit type; undefined where that is not known here. */
  rules(kitType: string): PanelRules | undefined
  /** What kits cost by card. @throws VALIDATION_FAILED where they are priced in several currencies */
  price(items: readonly { kitType: string; quantity: number }[]): Price
  /** What the book is made of, kept so that an order costs later what it cost when it was requested. */
  units: UnitPrice[]
}

/** The kit types that the realm may order now, with their prices. */
export async function priceBook(tx: Tx): Promise<PriceBook> {
  return priceBookOf(await selectProvisionedPanels(tx))
}

export function priceBookOf(units: readonly (UnitPrice | (UnitPrice & PanelRules))[]): PriceBook {
  const byType = new Map(units.map(({ kitType, priceMinor, currency }) => [kitType, { kitType, priceMinor, currency }]))
  const rules = new Map(units.flatMap((unit) => ('maxPerOrder' in unit ? [[unit.kitType, unit] as const] : [])))
  return {
    has: (kitType) => byType.has(kitType),
    rules: (kitType) => rules.get(kitType),
    units: [...byType.values()],
    price(items) {
      let amountMinor = 0
      let currency = ''
      for (const { kitType, quantity } of items) {
        const unit = byType.get(kitType)
        if (!unit) throw new Error(`${kitType} has no price`)
        if (currency && currency !== unit.currency) {
          throw new AppError(
            'VALIDATION_FAILED',
            'These kits are priced in several currencies: place an order for each currency',
          )
        }
        amountMinor += unit.priceMinor * quantity
        currency = unit.currency
      }
      return { amountMinor, currency }
    },
  }
}
