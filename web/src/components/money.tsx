import { locale, t } from '../language/t.ts'

/** How many digits the currency has behind the point. */
export const fractionDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** An amount in minor units, written in its currency. */
export function moneyOf(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(locale(), { style: 'currency', currency })
  return format.format(minor / 10 ** fractionDigits(currency))
}

export function Money({ minor, currency }: { minor: number; currency: string }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{moneyOf(minor, currency)}</span>
}

/** `Visa ending in 4242`. */
export function cardName({ brand, last4 }: { brand: string; last4: string }): string {
  return t('{brand} ending in {last4}', { brand: brand.charAt(0).toUpperCase() + brand.slice(1), last4 })
}
