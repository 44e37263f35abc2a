import { z } from 'zod'
import { CLOCKS_DIFFER_MS, type ShopOrder } from './rules.ts'

const DAY_MS = 86_400_000

// What shops send is read leniently: a field that is missing or strange is empty, and the order waits for a person.

// No database stores NUL, and no name has a control character.
const words = z.union([z.string(), z.number()]).transform((value) =>
  String(value)
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed(),
)

/** A text of a shop, or empty. */
export const said = words
  .nullish()
  .catch(null)
  .transform((value) => value ?? '')

/** An ID of a shop, absent where it says none. WooCommerce writes 0 for none. */
export const saidId = words
  .nullish()
  .catch(null)
  .transform((value) => (value && value !== '0' ? value : undefined))

/** How many; undefined where a shop says what no kits can be: 0.5, fewer than none, or no number. */
export const saidCount = z
  .unknown()
  .optional()
  .transform((value): number | undefined => {
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
  })

/** An amount of money; NaN where a shop says none. */
export const saidAmount = z
  .unknown()
  .optional()
  .transform((value): number => {
    const amount = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
    return typeof amount === 'number' ? amount : Number.NaN
  })

/** The same; 0 where the field is absent, as of a tax that there is not. */
export const saidAmountOrNone = z
  .unknown()
  .optional()
  .transform((value) => (value === undefined || value === null ? 0 : saidAmount.parse(value)))

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Whether so much is no more than that; not where either is unreadable. A thousandth is more than rounding adds. */
export const isAtMost = (amount: number, most: number): boolean => amount <= most + 0.001

/** The amount, absent where it is unreadable. */
export const maybeAmount = (amount: number): number | undefined => (Number.isFinite(amount) ? amount : undefined)

/** Whether a shop says yes, or something that is neither yes nor no. */
export const saidYes = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null && value !== false)

/** The number of an order as shops count them: a whole number above 0, as text, since one of many digits would lose its end. */
export const isOrderId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id)

/** A list whose strange members are left out by the caller, not here: an order that cannot be read must not look complete. */
export const saidList = <T extends z.ZodType>(member: T) =>
  z
    .array(member)
    .nullish()
    .transform((list) => list ?? [])

/** The time in ISO 8601 UTC, so that texts compare as times do; null where there is none. */
export function timeOf(text: string): string | null {
  // `new Date` reads a time into any text with a number in it.
  const time = new Date(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) ? text : '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/**
 * When an order was placed and last changed. A change without a time that can be counts as made now, so that what the shop says
 * after it is still newer.
 */
export function datesOf(
  { created, changed }: { created: string | null; changed: string | null },
  now: Date,
): Pick<ShopOrder, 'createdAt' | 'changedAt' | 'isUndated'> {
  const hasBeen = (time: string | null, tolerance: number): time is string =>
    time !== null && Date.parse(time) <= now.getTime() + tolerance
  const isChangeKnown = hasBeen(changed, DAY_MS)
  return {
    createdAt: created,
    changedAt: isChangeKnown ? changed : now.toISOString(),
    isUndated: !isChangeKnown || !hasBeen(created, CLOCKS_DIFFER_MS),
  }
}
