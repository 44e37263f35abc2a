import { isPhone } from '@kitlane/display/text'
import { type Line, needed } from '../../modules/credits/rules.ts'
import type { Recipient } from '../../modules/orders/request.ts'
import { Recipient as RecipientShape } from '../../modules/orders/schema.ts'
import type { ShopItem, SkipReason, WaitReason } from './schema.ts'

/** A line of a shop's order: so many of a product that are still wanted. */
export interface ShopLine {
  id: string
  sku?: string | undefined
  variantId?: string | undefined
  productId?: string | undefined
  title: string
  /** Bought, less what was refunded. */
  quantity: number
  /** Of them, how many nobody has fulfilled. Absent: an older release wrote it. */
  open?: number
  /** The shop says what no kits can be, such as 0.5 or fewer than none: `quantity` says nothing. */
  isStrange?: true
  /** Sent by e-mail: no kit, whatever its product is. */
  isGiftCard?: true
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
  /** How much was refunded of no line; absent where that cannot be read, or an older release wrote it. */
  refunded?: number | undefined
  /** When it was placed in the shop; null: the shop does not say. Absent, as the next two: an older release wrote it. */
  createdAt?: string | null
  /** The shop has fulfilled or archived it. */
  isClosed?: boolean
  /** In a state that is not among those that the shop's documentation lists. */
  isUnclear?: boolean
  /** A date is missing, unreadable or still to come. */
  isUndated?: boolean
  /** It lists nothing that was ever bought, so nobody knows what is wanted. */
  isEmpty?: boolean
  lines: ShopLine[]
  buyer: Buyer
}

/**
 * What is known of an order after a message. Messages come twice and in any order: an older one changes nothing. Of two of the same
 * time neither is older, so they are put together, the same whichever comes first.
 */
export function merged(known: ShopOrder | null, sent: ShopOrder): ShopOrder {
  if (!known || sent.changedAt > known.changedAt) return sent
  if (sent.changedAt < known.changedAt) return known
  const lines = new Map(known.lines.map((line) => [line.id, line]))
  return {
    ...sent,
    isPaid: known.isPaid || sent.isPaid,
    isCanceled: known.isCanceled || sent.isCanceled,
    isPartlyRefunded: known.isPartlyRefunded || sent.isPartlyRefunded,
    isClosed: known.isClosed === true || sent.isClosed === true,
    isUnclear: known.isUnclear === true || sent.isUnclear === true,
    isUndated: known.isUndated === true || sent.isUndated === true,
    isTest: known.isTest || sent.isTest,
    lines: sent.lines.map((line) => lesser(line, lines.get(line.id) ?? line)),
  }
}

const lesser = (one: ShopLine, other: ShopLine): ShopLine => ({
  ...one,
  quantity: Math.min(one.quantity, other.quantity),
  open: Math.min(openOf(one), openOf(other)),
  ...(other.isStrange && { isStrange: true }),
})

const openOf = ({ open, quantity }: ShopLine): number => Math.min(open ?? quantity, quantity)

/** What a business says of the product of a line: by its variant, else by its SKU, else by its product; of a line without them by its title. */
export function itemOf(
  line: Pick<ShopLine, 'sku' | 'variantId' | 'productId' | 'title'>,
  items: readonly ShopItem[],
): ShopItem | undefined {
  const by = (key: 'variantID' | 'sku' | 'productID' | 'title', value: string | undefined) =>
    value === undefined ? undefined : items.find((item) => item[key] === value)
  if ((line.variantId ?? line.sku ?? line.productId) === undefined) return by('title', line.title)
  return by('variantID', line.variantId) ?? by('sku', line.sku) ?? by('productID', line.productId)
}

export const wanted = ({ lines }: ShopOrder): ShopLine[] =>
  lines.filter(({ quantity, isStrange }) => quantity > 0 || isStrange)

const isEmpty = (order: ShopOrder): boolean => order.isEmpty === true || order.lines.length === 0

/** Canceled, or nothing of it is wanted any more. */
export const isGone = (order: ShopOrder): boolean => order.isCanceled || (!isEmpty(order) && wanted(order).length === 0)

/** The kits of lines, by what the business says of its products. */
function kitsIn(lines: readonly ShopLine[], items: readonly ShopItem[], count = ({ quantity }: ShopLine) => quantity) {
  const kits = lines.flatMap((line): Line[] => {
    const item = line.isGiftCard ? undefined : itemOf(line, items)
    const quantity = count(line) * (item?.quantity ?? 1)
    return item?.kitType === undefined || quantity === 0 ? [] : [{ kitType: item.kitType, quantity }]
  })
  return [...needed(kits)].map(([kitType, quantity]) => ({ kitType, quantity }))
}

const unknownIn = (lines: readonly ShopLine[], items: readonly ShopItem[]): ShopLine[] =>
  lines.filter((line) => !line.isGiftCard && itemOf(line, items) === undefined)

export const unknownLines = (order: ShopOrder, items: readonly ShopItem[]): ShopLine[] =>
  unknownIn(wanted(order), items)

export type Verdict =
  | { kind: 'place'; recipient: Recipient; items: Line[] }
  | { kind: 'wait'; reason: WaitReason; lacks?: string[] }
  | { kind: 'skip'; reason: SkipReason }
  | { kind: 'unpaid' | 'canceled' }

export interface ShopTerms {
  items: readonly ShopItem[]
  countries: readonly string[] | null
  isOn: boolean
  isLive: boolean
  /** When the shop was last connected. */
  connectedAt: Date
}

const DAY_MS = 86_400_000
const MAX_KITS = 1000
/** The clocks of two servers differ. */
export const CLOCKS_DIFFER_MS = 60_000

const isBefore = ({ createdAt }: ShopOrder, { connectedAt }: ShopTerms): boolean =>
  typeof createdAt === 'string' && Date.parse(createdAt) < connectedAt.getTime() - CLOCKS_DIFFER_MS

/** The doubts that a person who tries an order again decides: it is placed as the shop lists it. */
export const releasable: readonly string[] = ['state_unclear', 'partly_refunded'] satisfies WaitReason[]

/** What a person decided about an order. */
interface Decided {
  corrected: Recipient | null
  /** It is wanted, though it is old or closed. */
  isRequested: boolean
  /** The doubts among `releasable` that it is placed in spite of. */
  released: readonly string[]
}

/**
 * What becomes of an order that nothing was placed for: placed is only what is known to be new, paid and open. Where anything is in
 * doubt a person decides.
 */
export function judge(order: ShopOrder, { corrected, isRequested, released }: Decided, terms: ShopTerms): Verdict {
  const { items, countries } = terms
  const bought = wanted(order)
  const open = bought.filter((line) => openOf(line) > 0 || line.isStrange)
  const ours = (lines: readonly ShopLine[]) => lines.filter((line) => itemOf(line, items)?.kitType !== undefined)
  const unknown = unknownIn(open, items)
  if (isGone(order)) return { kind: 'canceled' }
  if (!isEmpty(order)) {
    if (ours(bought).length + unknownIn(bought, items).length === 0) return { kind: 'skip', reason: 'no_kits' }
    if (ours(open).length + unknown.length === 0) return { kind: 'skip', reason: 'fulfilled' }
  }
  if (order.isClosed && !isRequested) return { kind: 'skip', reason: 'fulfilled' }
  if (!order.isPaid && !order.isUnclear) return { kind: 'unpaid' }
  const kits = kitsIn(open, items, openOf)
  const wait = (reason: WaitReason, lacks?: string[]): Verdict => ({ kind: 'wait', reason, ...(lacks && { lacks }) })
  const isUndated = order.isUndated || order.createdAt === null
  const isUnclear = !order.isPaid || order.isUnclear || (isUndated && !isRequested)
  if (isBefore(order, terms) && !isRequested) return wait('before_connection')
  if (!terms.isOn) return wait('shop_off')
  if (order.isTest && terms.isLive) return wait('test_order')
  if (isUnclear && !released.includes('state_unclear')) return wait('state_unclear')
  if (unknown.length > 0) return wait('unknown_item')
  if (isEmpty(order) || ours(open).some(({ isStrange }) => isStrange)) return wait('quantity_unclear')
  if (order.isPartlyRefunded && !released.includes('partly_refunded')) return wait('partly_refunded')
  if (kits.some(({ quantity }) => quantity > MAX_KITS) || kits.length > 50) return wait('too_many_kits')
  const recipient = corrected ?? recipientOf(order.buyer)
  if ('lacks' in recipient) return wait('recipient_incomplete', recipient.lacks)
  if (countries && !countries.includes(recipient.address.country)) return wait('country_not_served')
  return { kind: 'place', recipient, items: kits }
}

/** The recipient by the rules of every order, or which fields it lacks. */
function recipientOf({ email, phone, address, ...names }: Buyer): Recipient | { lacks: string[] } {
  const { firstName, lastName } = namesOf(names)
  const parsed = RecipientShape.safeParse({
    first_name: firstName,
    last_name: lastName,
    email,
    // What is no number moves no parcel.
    ...(isPhone(phone) && { phone }),
    // Absent it would be the United States.
    address: { ...address, street2: address.street2 || undefined },
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

/** Some people write their whole name into one of two fields; the parcel shows the same either way. */
function namesOf({ firstName, lastName }: Pick<Buyer, 'firstName' | 'lastName'>) {
  const [first = '', ...rest] = (firstName || lastName).split(/\s+/)
  return (firstName && lastName) || rest.length === 0
    ? { firstName, lastName }
    : { firstName: first, lastName: rest.join(' ') }
}

/** Whether an order changed in what was posted for it: how many of what, or to whom. A phone number moves no parcel. */
function differs(before: ShopOrder, after: ShopOrder, items: readonly ShopItem[]): boolean {
  const posted = (order: ShopOrder) =>
    JSON.stringify([
      ...[kitsIn(wanted(order), items), { ...order.buyer, phone: '' }, order.isPartlyRefunded],
      unknownLines(order, items).map(({ id, quantity }) => [id, quantity]),
    ])
  return posted(before) !== posted(after)
}

const isRefundedMore = (before: ShopOrder, after: ShopOrder): boolean =>
  after.isPartlyRefunded && before.refunded !== undefined && (after.refunded ?? 0) > before.refunded

/** What was ordered here for an order of a shop, and what of it has left. */
export interface Posted {
  items: readonly ShopItem[]
  ordered: readonly Line[]
  left: readonly Line[]
}

/** Why a person must see what the shop changed after its order was placed, the most harmful first; undefined: nothing that matters. */
export function changeAfterOrder(before: ShopOrder, after: ShopOrder, posted: Posted): WaitReason | undefined {
  const isAllGone = kitsCount(posted.left) >= kitsCount(posted.ordered)
  if (before.isPaid && !after.isPaid && !after.isUnclear) return 'unpaid_after_order'
  if (fulfilledElsewhere(after, posted) > fulfilledElsewhere(before, posted)) return 'fulfilled_elsewhere'
  const isInDoubt = (order: ShopOrder) => order.isUnclear || order.isUndated
  if (isInDoubt(after) && !isInDoubt(before) && !isAllGone) return 'state_unclear'
  return isRefundedMore(before, after) || differs(before, after, posted.items) ? 'changed_after_order' : undefined
}

const kitsCount = (lines: readonly Line[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** How many kits the shop calls fulfilled that were to leave from here and have not. What was not ordered here was fulfilled before. */
function fulfilledElsewhere(order: ShopOrder, { items, ordered, left }: Posted): number {
  const [atOrder, gone] = [needed(ordered), needed(left)]
  const all = wanted(order)
  const fulfilled = needed(kitsIn(all, items, (line) => line.quantity - (order.isClosed ? 0 : openOf(line))))
  return kitsIn(all, items).reduce((sum, { kitType, quantity }) => {
    const before = Math.max(0, quantity - (atOrder.get(kitType) ?? 0))
    return sum + Math.max(0, (fulfilled.get(kitType) ?? 0) - before - (gone.get(kitType) ?? 0))
  }, 0)
}

/** An order that cannot be paid is tried again daily, so often. */
export const RETRIES = 7
export const RETRY_MS = DAY_MS
const MINUTE_MS = 60_000
// A shop that is down for three days gets the update after them.
const TELL_AFTER_MS = [1, 5, 30, 120, 360, 1440, 1440, 1440].map((minutes) => minutes * MINUTE_MS)

/** How long to wait after so many tries to tell a shop; undefined: it is given up. Never sooner than the shop asks for, at most a day. */
export function retryAfterMs(attempts: number, leastMs = 0): number | undefined {
  const pause = TELL_AFTER_MS[attempts - 1]
  return pause === undefined ? undefined : Math.max(pause, Math.min(leastMs, DAY_MS))
}
