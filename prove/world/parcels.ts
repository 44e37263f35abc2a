import { type TroublePlan, troubles } from './detours.ts'
import { type Means, reach, replacedBy } from './means.ts'
import type { Lived, LivedKit } from './model.ts'
import { newAddress, sayAddress } from './pages.ts'
import { GTIN, SANDBOX } from './stack.ts'

/** A kit leaves, in a box that was received before if its plan says so; of a retail order all kits do, to a shop. */
export async function ship(lived: Lived, kit: LivedKit, means: Means): Promise<void> {
  const { plan } = lived
  if (plan.mode === 'sandbox') {
    await means.change('POST', `/sandbox/kits/${kit.id}/advance`, { status: SANDBOX.shipped })
    reach(lived, kit, 'shipped')
    return
  }
  const isBoxed = plan.box !== 'plain' && kit.replacementFor === undefined
  const others = plan.box === 'retail' && isBoxed ? (lived.orders[0]?.kits.slice(1) ?? []) : []
  if (isBoxed) await stock(lived, others.length, means)
  newParcel(lived)
  await pack(lived, kit, isBoxed ? serialOf(lived, 0) : undefined, means)
  if (isBoxed && plan.isRepacked) {
    await means.operate('DELETE', `/fulfilment/shipments/${kit.id}`)
    unbind(lived, kit)
    newParcel(lived)
    await pack(lived, kit, serialOf(lived, 1), means)
  }
  for (const [index, other] of others.entries()) await pack(lived, other, serialOf(lived, index + 3), means)
  reach(lived, kit, 'shipped')
}

function newParcel(lived: Lived): void {
  lived.parcels++
  lived.trackingNumber = `1Z${lived.plan.name.toUpperCase()}N${lived.parcels}`
}

const serialOf = ({ plan }: Lived, index: number): string => `${plan.name.toUpperCase()}B${index}`

async function pack(lived: Lived, kit: LivedKit, serial: string | undefined, { operate }: Means): Promise<void> {
  const { trackingNumber } = lived
  // The label for the way back lies in the box, whatever becomes of it.
  const returnTrackingNumber = kit.trouble ? undefined : `94${trackingNumber.slice(2)}${kit.id}`
  const labels = { kitID: kit.id, carrier: 'UPS', outboundTrackingNumber: trackingNumber, returnTrackingNumber }
  await operate('POST', '/fulfilment/shipments', { ...labels, ...(serial && { box: serial }) })
  kit.stage = 'shipped'
  const box = lived.boxes.find((one) => one.serial === serial)
  if (!box) return
  Object.assign(box, { state: 'bound', kitId: kit.id })
  kit.serial = box.serial
}

function unbind(lived: Lived, kit: LivedKit): void {
  for (const box of lived.boxes.filter(({ kitId }) => kitId === kit.id)) {
    box.state = 'inStock'
    delete box.kitId
  }
  delete kit.serial
  kit.stage = 'placed'
}

/** The boxes of other journeys are of another lot. */
export const recalledLot = ({ plan }: Lived): string => `R${plan.name}`

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Boxes come in, twice by mistake, move to a shelf and are counted there: one is missing, and turns up at the door. 0 and 1
 * are for the first kit, 2 gets lost, and the others are for the others.
 */
async function stock(lived: Lived, others: number, { operate }: Means): Promise<void> {
  const { plan } = lived
  const serials = Array.from({ length: 3 + others }, (_, index) => serialOf(lived, index))
  const [door, shelf] = [`Door ${plan.business}`, `Shelf ${plan.name}`]
  const [expiryDate, lot] = [inDays(400), plan.isRecalled ? recalledLot(lived) : `L${plan.business}`]
  const boxes = serials.map((serial) => ({ code: serial, gtin: GTIN, lot, expiryDate }))
  await operate('POST', '/stock/receipts', { place: door, boxes })
  await operate('POST', '/stock/receipts', { place: door, boxes })
  await operate('POST', '/stock/transfers', { to: shelf, boxes: serials })
  lived.boxes = serials.map((serial) => ({ serial, place: shelf, state: 'inStock' }))
  const [first, second, missing] = lived.boxes
  const here = serials.filter((_, index) => index !== 2)
  await operate('POST', '/stock/counts', { place: shelf, boxes: here, apply: true, note: 'Weekly' })
  if (missing) missing.state = 'writtenOff'
  if (missing && plan.isOnPage) {
    await operate('POST', '/stock/adjustments', { reason: 'found', boxes: [missing.serial], place: door })
    Object.assign(missing, { state: 'inStock', place: door })
  }
  if (second && !plan.isRepacked && first) {
    await operate('POST', '/stock/adjustments', { reason: 'damaged', boxes: [second.serial] })
    second.state = 'writtenOff'
  }
}

/** Carriers send events twice and late: the later event comes first. */
export async function deliver(lived: Lived, kit: LivedKit, means: Means): Promise<void> {
  const { plan, trackingNumber } = lived
  if (plan.mode === 'sandbox')
    await means.change('POST', `/sandbox/kits/${kit.id}/advance`, { status: SANDBOX.delivered })
  else {
    const delivered = { trackingNumber, status: 'delivered', at: ago(0), id: `${trackingNumber}-d` }
    await means.operate('POST', '/carrier-events', [delivered])
    const late = { trackingNumber, status: 'in_transit', at: ago(30), id: `${trackingNumber}-t` }
    await means.operate('POST', '/carrier-events', [late, delivered])
  }
  if (kit.trouble) Object.assign(kit.trouble, { state: 'arrived', isHere: false })
  for (const other of lived.orders[0]?.kits ?? []) if (other.stage === 'shipped') other.stage = 'delivered'
  reach(lived, kit, 'delivered')
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** Its parcel does not arrive. Returns the kit that travels on: the same, one in its place, or none. */
export async function meetTrouble(
  lived: Lived,
  kit: LivedKit,
  { is, isReported, remedy, by, isReaddressed }: TroublePlan,
  means: Means,
): Promise<LivedKit | undefined> {
  const { plan, trackingNumber } = lived
  const { change, operate } = means
  const row = troubles[is]
  const { event, outcome, state } = row
  const report = (what: string) => operate('POST', '/undelivered', { kitIDs: [kit.id], outcome: what })
  const isPlayed = plan.mode === 'sandbox' && 'scenario' in row
  if (isPlayed) await change('POST', `/sandbox/kits/${kit.id}/scenario`, { scenario: row.scenario })
  else if (isReported) await report(outcome)
  else
    await operate('POST', '/carrier-events', [{ trackingNumber, status: event, at: ago(5), id: `${trackingNumber}-x` }])
  const isHere = isPlayed ? is === 'returned' : isReported && row.isInHand
  const trouble: NonNullable<LivedKit['trouble']> = { outcome, state, isHere }
  kit.trouble = trouble
  reach(lived, kit, 'undelivered')
  if (remedy === 'open') return undefined
  if (remedy === 'arrives') return kit
  const choice = remedy === 'again' ? 'sendAgain' : remedy === 'replaced' ? 'replace' : 'close'
  if (by === 'link') {
    await sayAddress(means, lived, kit)
    readdress(lived)
  } else {
    const isNew = isReaddressed && choice !== 'close'
    const choose = by === 'operator' ? operate : change
    await choose('POST', `/kits/${kit.id}/undelivered`, { choice, ...(isNew && { recipientAddress: newAddress }) })
    if (isNew) readdress(lived)
  }
  if (remedy === 'closed') trouble.state = 'closed'
  if (remedy === 'closed') return undefined
  if (remedy === 'replaced') {
    trouble.state = 'replaced'
    const { body } = await means.client.business(lived.realm, 'GET', `/kits/${kit.id}/undelivered`)
    return replacedBy(lived, kit, body.replacedBy, means)
  }
  if (plan.mode === 'sandbox') {
    await change('POST', `/sandbox/kits/${kit.id}/advance`, { status: SANDBOX.shipped })
    trouble.state = isHere ? 'sentAgain' : 'underWay'
  } else {
    if (!isHere) {
      await report('returnedToSender')
      trouble.outcome = 'returnedToSender'
    }
    newParcel(lived)
    await pack(lived, kit, undefined, means)
    trouble.state = 'sentAgain'
  }
  trouble.isHere = false
  reach(lived, kit, 'shipped')
  return kit
}

/** Of the first order: the others have addresses of their own. */
function readdress({ orders: [order] }: Lived): void {
  if (order) order.street1 = newAddress.street1
}
