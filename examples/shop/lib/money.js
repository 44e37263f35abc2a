/** `{ amount: 9900, currency: 'USD' }` as people read it. */
export function money({ amount, currency }) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits)
}
