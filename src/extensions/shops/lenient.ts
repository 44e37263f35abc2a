import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { ProcessContext } from '../../platform/database/process-context.ts'
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
export const lenientString = words
  .nullish()
  .catch(null)
  .transform((value) => value ?? '')

/** An ID of a shop, or undefined. WooCommerce writes 0 for none. */
export const lenientId = words
  .nullish()
  .catch(null)
  .transform((value) => (value && value !== '0' ? value : undefined))

/** A quantity; undefined for what cannot be one: 0.5, -1, or text. */
export const lenientCount = z
  .unknown()
  .optional()
  .transform((value): number | undefined => {
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
  })

/** An amount of money; NaN if it is missing or unreadable. */
export const lenientAmount = z
  .unknown()
  .optional()
  .transform((value): number => {
    const amount = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
    return typeof amount === 'number' ? amount : Number.NaN
  })

/** An amount of money; 0 if it is missing, such as a tax that does not apply. */
export const lenientAmountOrZero = z
  .unknown()
  .optional()
  .transform((value) => (value === undefined || value === null ? 0 : lenientAmount.parse(value)))

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Whether an amount does not exceed another; false if either is unreadable. Rounding adds less than 0.001. */
export const isAtMost = (amount: number, most: number): boolean => amount <= most + 0.001

/** The amount, or undefined if it is unreadable. */
export const maybeAmount = (amount: number): number | undefined => (Number.isFinite(amount) ? amount : undefined)

/** True for everything except false and a missing value: what is unclear counts as yes. */
export const lenientBoolean = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null && value !== false)

/** Whether this is an order number: a positive integer, as text, since a number would lose digits of a long one. */
export const isOrderId = (id: string): boolean => /^[1-9]\d{0,18}$/.test(id)

/** A list. It fails as a whole if a member cannot be read: an order must not look complete without it. */
export const lenientList = <T extends z.ZodType>(member: T) =>
  z
    .array(member)
    .nullish()
    .transform((list) => list ?? [])

/** The time in ISO 8601 UTC, so that texts sort like times; null if it is missing. */
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

/** What writes tracking back to a shop. */
export type ShopAccess = { accessToken: string } | { consumerKey: string; consumerSecret: string }

const secretPlace = (realmId: number, shopId: string) => `shops.secret/${realmId}/${shopId}`
const accessPlace = (realmId: number, shopId: string) => `shops.access/${realmId}/${shopId}`

export const sealSecret = (context: ProcessContext, realmId: number, shopId: string, secret: string): Buffer =>
  context.seal(secret, secretPlace(realmId, shopId))

export const sealAccess = (context: ProcessContext, realmId: number, shopId: string, access: ShopAccess): Buffer =>
  context.seal(JSON.stringify(access), accessPlace(realmId, shopId))

export const openAccess = (context: ProcessContext, realmId: number, shopId: string, sealed: Buffer): ShopAccess =>
  JSON.parse(context.open(sealed, accessPlace(realmId, shopId))) as ShopAccess

/** As Shopify and WooCommerce sign: base64 of the HMAC-SHA256 of the bytes as sent. */
export const signatureOf = (rawBody: Buffer, secret: string): string =>
  createHmac('sha256', secret).update(rawBody).digest('base64')

export const openSecret = (context: ProcessContext, realmId: number, shopId: string, sealed: Buffer): string =>
  context.open(sealed, secretPlace(realmId, shopId))
