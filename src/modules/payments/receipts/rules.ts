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

const letters: Record<ReceiptKind, string> = { receipt: 'R', invoice: 'I', credit_note: 'C' }
const DIGITS = 4

/** `R-2026-0001`: gapless for each business, kind and year. */
export function numberText(isTest: boolean, kind: ReceiptKind, year: number, number: number): string {
  const text = `${letters[kind]}-${year}-${String(number).padStart(DIGITS, '0')}`
  return isTest ? `TEST-${text}` : text
}

/** Lines at these prices, one for each kit type. */
export function pricedLines(items: Iterable<Line>, units: readonly UnitPrice[]): PricedLine[] {
  const priceOf = new Map(units.map(({ kitType, priceMinor }) => [kitType, priceMinor]))
  const sums = new Map<string, number>()
  for (const { kitType, quantity } of items) sums.set(kitType, (sums.get(kitType) ?? 0) + quantity)
  return [...sums].map(([kitType, quantity]) => ({ kitType, quantity, unitMinor: priceOf.get(kitType) ?? 0 }))
}

/**
 * The lines with the names of their panels. Lines that do not add up to what was charged, of an order of a version before
 * that kept no single prices, are replaced by one that does: a receipt must equal its charge.
 */
export function receiptLines(
  lines: readonly PricedLine[],
  names: ReadonlyMap<string, string>,
  amountMinor: number,
): ReceiptLine[] {
  const named = lines.map(({ kitType, quantity, unitMinor }) => ({
    kitType,
    name: names.get(kitType) ?? kitType,
    quantity,
    unitMinor,
    totalMinor: quantity * unitMinor,
  }))
  const total = named.reduce((sum, { totalMinor }) => sum + totalMinor, 0)
  if (total === amountMinor && named.length > 0) return named
  return [{ name: 'Test kits', quantity: 1, unitMinor: amountMinor, totalMinor: amountMinor }]
}

/** Minor units as money: 19900 USD is $199.00. */
export function moneyText(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor / 10 ** digits)
}
