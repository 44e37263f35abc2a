import { z } from 'zod'

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
  .transform((value): number =>
    typeof value === 'number' || typeof value === 'string' ? Number(value || Number.NaN) : Number.NaN,
  )

export const saidYes = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? false)

/** A list whose strange members are left out by the caller, not here: an order that cannot be read must not look complete. */
export const saidList = <T extends z.ZodType>(member: T) =>
  z
    .array(member)
    .nullish()
    .transform((list) => list ?? [])

/** The time in ISO 8601 UTC, so that texts compare as times do; `otherwise` where there is none. */
export function timeOf(text: string, otherwise: Date): string {
  const time = new Date(text)
  return (Number.isNaN(time.getTime()) ? otherwise : time).toISOString()
}

/** The same; null where there is none. */
export function maybeTimeOf(text: string): string | null {
  const time = new Date(text)
  return text === '' || Number.isNaN(time.getTime()) ? null : time.toISOString()
}
