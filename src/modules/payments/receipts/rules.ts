import type { UnitPrice } from '../../catalogue/queries.ts'
import type { Line } from '../../credits/rules.ts'

/** A receipt of a charge for orders, an invoice for credits, and a credit note of what was given back. */
export type ReceiptKind = 'receipt' | 'invoice' | 'credit_note'

export interface PricedLine extends Line {
  unitMinor: number
}

export interface ReceiptLine {
  kitType?: string
  /** The panel, or what stands for all of them where single prices are not known. */
  name: string
  quantity: number
  unitMinor: number
  totalMinor: number
}

/** Who sells, and who buys. */
export interface Party {
  name: string
  /** A line each. */
  address: string[]
  taxId?: string | undefined
}

/** What is printed. It stays as it was when the receipt was issued. */
export interface ReceiptContent {
  lines: ReceiptLine[]
  seller: Party
  buyer: Party
  card?: { brand: string; last4: string } | undefined
  /** The number of the receipt that a credit note takes back from. */
  of?: string | undefined
}

/** Lines at these prices, one for each kit type. */
export function pricedLines(items: Iterable<Line>, units: readonly UnitPrice[]): PricedLine[] {
  const priceOf = new Map(units.map(({ kitType, priceMinor }) => [kitType, priceMinor]))
  const sums = new Map<string, number>()
  for (const { kitType, quantity } of items) sums.set(kitType, (sums.get(kitType) ?? 0) + quantity)
  return [...sums].map(([kitType, quantity]) => ({ kitType, quantity, unitMinor: priceOf.get(kitType) ?? 0 }))
}

/** Minor units as money: 19900 USD is $199.00. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor / 10 ** digits)
}
