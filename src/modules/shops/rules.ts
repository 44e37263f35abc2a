import { type Line, needed } from '../credits/rules.ts'
import type { Recipient } from '../orders/request.ts'
import { Recipient as RecipientShape } from '../orders/schema.ts'
import type { ShopItem, WaitReason } from './schema.ts'

/** A line of a shop's order: so many of a product that are still wanted. */
export interface ShopLine {
  id: string
  sku?: string | undefined
  variantId?: string | undefined
  productId?: string | undefined
  title: string
  quantity: number
}

/** Who gets an order, as far as the shop knows it. */
export interface Buyer {
  firstName: string
  lastName: string
  email: string
  phone: string
  address: { street1: string; street2: string; city: string; state: string; zip: string; country: string }
}

/** An order as a shop tells of it. */
export interface ShopOrder {
  externalId: string
  number: string
  /** When it last changed, by the shop's clock. */
  changedAt: string
  isTest: boolean
  isPaid: boolean
  isCanceled: boolean
  /** A part was refunded, and the shop does not say of which lines. */
  isPartlyRefunded: boolean
  lines: ShopLine[]
  buyer: Buyer
}

/**
 * What is known of an order after a message. Messages come twice and in any order: an older one changes nothing. Of two of the same
 * time neither is older, so they are put together, the same whichever comes first.
 */
export function merged(known: ShopOrder | null, told: ShopOrder): ShopOrder {
  if (!known || told.changedAt > known.changedAt) return told
  if (told.changedAt < known.changedAt) return known
  const quantities = new Map(known.lines.map(({ id, quantity }) => [id, quantity]))
  return {
    ...told,
    isPaid: known.isPaid || told.isPaid,
    isCanceled: known.isCanceled || told.isCanceled,
    isPartlyRefunded: known.isPartlyRefunded || told.isPartlyRefunded,
    lines: told.lines.map((line) => ({
      ...line,
      quantity: Math.min(line.quantity, quantities.get(line.id) ?? line.quantity),
    })),
  }
}

/** What a business says of the product of a line: by its variant, else by its SKU, else by its product. */
export function itemOf(
  line: Pick<ShopLine, 'sku' | 'variantId' | 'productId'>,
  items: readonly ShopItem[],
): ShopItem | undefined {
  const by = (key: 'variantID' | 'sku' | 'productID', value: string | undefined) =>
    value === undefined ? undefined : items.find((item) => item[key] === value)
  return by('variantID', line.variantId) ?? by('sku', line.sku) ?? by('productID', line.productId)
}

/** Lines that are still wanted. */
export const wanted = ({ lines }: ShopOrder): ShopLine[] => lines.filter(({ quantity }) => quantity > 0)

/** The kits of an order, by what the business says of its products. */
function kitsIn(order: ShopOrder, items: readonly ShopItem[]): Line[] {
  const lines = wanted(order).flatMap((line) => {
    const item = itemOf(line, items)
    return item?.kitType === undefined
      ? []
      : [{ kitType: item.kitType, quantity: line.quantity * (item.quantity ?? 1) }]
  })
  return [...needed(lines)].map(([kitType, quantity]) => ({ kitType, quantity }))
}

export const unknownLines = (order: ShopOrder, items: readonly ShopItem[]): ShopLine[] =>
  wanted(order).filter((line) => itemOf(line, items) === undefined)

export type Verdict =
  | { kind: 'place'; recipient: Recipient; items: Line[] }
  | { kind: 'wait'; reason: WaitReason; lacks?: string[] }
  | { kind: 'unpaid' | 'no_kits' | 'canceled' }

export interface ShopTerms {
  items: readonly ShopItem[]
  countries: readonly string[] | null
  isOn: boolean
  isLive: boolean
}

const MAX_KITS = 1000

/** What becomes of an order that nothing was placed for. Where anything is in doubt a person decides. */
export function judge(order: ShopOrder, corrected: Recipient | null, terms: ShopTerms): Verdict {
  const { items, countries } = terms
  const unknown = unknownLines(order, items)
  const kits = kitsIn(order, items)
  if (order.isCanceled || wanted(order).length === 0) return { kind: 'canceled' }
  if (kits.length === 0 && unknown.length === 0) return { kind: 'no_kits' }
  if (!order.isPaid) return { kind: 'unpaid' }
  const wait = (reason: WaitReason, lacks?: string[]): Verdict => ({ kind: 'wait', reason, ...(lacks && { lacks }) })
  if (!terms.isOn) return wait('shop_off')
  if (order.isTest && terms.isLive) return wait('test_order')
  if (unknown.length > 0) return wait('unknown_item')
  if (order.isPartlyRefunded) return wait('partly_refunded')
  if (kits.some(({ quantity }) => quantity > MAX_KITS) || kits.length > 50) return wait('too_many_kits')
  const recipient = corrected ?? recipientOf(order.buyer)
  if ('lacks' in recipient) return wait('recipient_incomplete', recipient.lacks)
  if (countries && !countries.includes(recipient.address.country)) return wait('country_not_served')
  return { kind: 'place', recipient, items: kits }
}

// Where the post needs a state. Elsewhere shops often have none, and the city stands for it.
const WITH_STATES = new Set(['US', 'CA', 'AU', 'BR', 'MX', 'IN', 'MY', 'AR'])

/** The recipient by the rules of every order, or which fields it lacks. */
function recipientOf({ firstName, lastName, email, phone, address }: Buyer): Recipient | { lacks: string[] } {
  const state = address.state || (WITH_STATES.has(address.country.toUpperCase()) ? '' : address.city)
  const parsed = RecipientShape.safeParse({
    ...{ first_name: firstName, last_name: lastName, email },
    ...(phone && { phone }),
    // Absent it would be the United States.
    address: { ...address, street2: address.street2 || undefined, state },
  })
  if (!parsed.success) return { lacks: [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))] }
  const { data } = parsed
  return {
    firstName: data.first_name,
    lastName: data.last_name,
    email: data.email,
    phone: data.phone,
    address: data.address,
  }
}

/** Whether an order changed in what was posted for it: how many of what, or to whom. */
export function differs(before: ShopOrder, after: ShopOrder, items: readonly ShopItem[]): boolean {
  const posted = (order: ShopOrder) =>
    JSON.stringify([kitsIn(order, items), order.buyer, order.isPartlyRefunded, unknownLines(order, items)])
  return posted(before) !== posted(after)
}

const DAY_MS = 86_400_000
/** An order that cannot be paid is tried again daily, so often. */
export const RETRIES = 7
export const RETRY_MS = DAY_MS
const MINUTE_MS = 60_000
// A shop that is down for three days is told by then.
const TELL_AFTER_MS = [1, 5, 30, 120, 360, 1440, 1440, 1440].map((minutes) => minutes * MINUTE_MS)

/** How long to wait after so many tries to tell a shop; undefined: it is given up. Never sooner than the shop asks for, at most a day. */
export function tellAgainAfterMs(attempts: number, askedMs = 0): number | undefined {
  const pause = TELL_AFTER_MS[attempts - 1]
  return pause === undefined ? undefined : Math.max(pause, Math.min(askedMs, DAY_MS))
}

export interface LeftKit {
  kitType: string
  number: string | null
  carrier: string | null
}

export interface LeftLine {
  line: ShopLine
  /** How many of it are packed and gone. */
  gone: number
}

/** How many of each line of kits have left, by the kits that have. A product of two kits is gone with its second one. */
export function goneLines(order: ShopOrder, items: readonly ShopItem[], kits: readonly LeftKit[]): LeftLine[] {
  const left = new Map<string, number>()
  for (const { kitType, number } of kits) if (number) left.set(kitType, (left.get(kitType) ?? 0) + 1)
  return wanted(order).flatMap((line) => {
    const { kitType, quantity: each = 1 } = itemOf(line, items) ?? {}
    if (kitType === undefined) return []
    const gone = Math.min(line.quantity, Math.floor((left.get(kitType) ?? 0) / each))
    left.set(kitType, (left.get(kitType) ?? 0) - gone * each)
    return gone > 0 ? [{ line, gone }] : []
  })
}
