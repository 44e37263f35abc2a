import type { OperatorScope } from '../../domain/scopes.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { selectPanelNames } from '../catalogue/queries.ts'
import { toBrief } from '../emails/brief.ts'
import { selectBriefEmails } from '../emails/list-queries.ts'
import { selectLeft } from '../kits/attention-queries.ts'
import { selectChangesOfKits } from '../kits/page-queries.ts'
import { type KitRow, selectPart } from '../kits/queries.ts'
import { toRecord } from '../kits/records.ts'
import { type TimelineItem, timelineOf } from '../kits/timeline.ts'
import { orderNotFound } from '../orders/lock.ts'
import { find } from '../orders/read.ts'
import type { Order } from '../orders/schema.ts'
import { kitsThatMayGoAgain } from '../undelivered/service.ts'
import { hasClaim } from './claim-queries.ts'
import { selectOrderEvents, selectPlaceOfOrder } from './order-page-queries.ts'
import type { Happened, OperatorOrder } from './order-page-schema.ts'

interface OfKit {
  kitId: string
  items: readonly TimelineItem[]
}

const ofOrder = { 'order.updated': 'addressCorrected', 'order.canceled': 'orderCanceled' } as const

/** What happened to an order and its kits, newest first. What happened to several kits at once, in the same way, is listed once. */
function happenedOf(
  kits: readonly OfKit[],
  events: readonly { type: string; at: Date }[],
  { createdDate, approval }: Pick<Order, 'createdDate' | 'approval'>,
): Happened[] {
  const happenings = kits.flatMap(({ kitId, items }) =>
    items
      .filter(({ type }) => type !== 'orderPlaced')
      .map(({ type, at, by, reason, report }) => ({ kitId, what: { type, at, by, reason, report } })),
  )
  const groups = Map.groupBy(happenings, ({ what }) => JSON.stringify(what))
  const ofKits = [...groups.values()].flatMap((group): Happened[] => {
    const [first] = group
    if (!first) return []
    return [{ ...first.what, kits: group.length, ...(group.length === 1 && { kitID: first.kitId }) }]
  })
  const ofIt = events.flatMap(({ type, at }): Happened[] => {
    const word = ofOrder[type as keyof typeof ofOrder]
    // An approval is an update of the order, at the same moment.
    const isApproval = type === 'order.updated' && approval?.date === at.toISOString()
    return word ? [{ type: isApproval ? 'orderApproved' : word, at: at.toISOString() }] : []
  })
  // Of what happened at the same moment, the later step is above the earlier one.
  return [{ type: 'orderPlaced', at: createdDate } satisfies Happened, ...ofIt, ...ofKits]
    .map((one, index) => ({ one, index }))
    .sort((a, b) => Date.parse(b.one.at) - Date.parse(a.one.at) || b.index - a.index)
    .map(({ one }) => one)
}

// As many as a page of any list. Orders of more kits are rare, and their kits look alike.
const KITS = 250

/** A live order of any business, as far as the scopes reach. @throws ORDER_NOT_FOUND */
export async function orderPage(
  system: SystemTx,
  orderId: string,
  scopes: ReadonlySet<OperatorScope>,
): Promise<OperatorOrder> {
  const { tx, businessName } = await placeOf(system, orderId)
  const order = await find(tx, orderId)
  const { rows } = await selectPart(tx, { orderIds: [orderId] }, { skip: 0, size: KITS })
  const kits = rows.toReversed()
  const names = await selectPanelNames(
    tx,
    order.items.map(({ kitType }) => internalKitType(kitType)),
  )
  const changes = await selectChangesOfKits(
    tx,
    kits.map(({ id }) => id),
  )
  const events = await selectOrderEvents(tx, orderId)
  const { amount, refundedAmount, currency, ...payment } = order.payment
  const stays = await whyAddressStays(tx, order, rows)
  const recipient = scopes.has('fulfilment') ? recipientOf(order) : undefined
  return {
    business: { id: tx.realm.businessId, name: businessName },
    orderID: orderId,
    createdDate: order.createdDate,
    status: order.status,
    orderStatus: order.orderStatus,
    quantity: order.quantity,
    items: order.items.map(({ kitType, quantity }) => ({
      kitType,
      quantity,
      panelName: names.get(internalKitType(kitType)) ?? kitType,
    })),
    ...(order.externalID && { externalID: order.externalID }),
    isNotifyReceiver: order.isNotifyReceiver,
    payment: { ...payment, ...(scopes.has('businesses') && { amount, refundedAmount, currency }) },
    ...(order.approval && { approval: shownTo(scopes, order.approval) }),
    ...(recipient && { recipient }),
    ...(stays && { addressStays: stays }),
    kits: kits.map((kit) => toRecord(kit)),
    happened: happenedOf(
      kits.map((kit) => ({
        kitId: kit.id,
        items: timelineOf(kit, changes.get(kit.id) ?? [], { mode: 'live', placed: {} }),
      })),
      events,
      order,
    ),
    ...(scopes.has('mail') && { emails: (await selectBriefEmails(tx, { orderId })).map(toBrief) }),
  }
}

/** Why a provider refused may say something of the recipient's health, which packing needs not. */
const shownTo = (scopes: ReadonlySet<OperatorScope>, { reason, ...approval }: NonNullable<Order['approval']>) =>
  scopes.has('approvals') && reason ? { ...approval, reason } : approval

/** The realm of a live order. @throws ORDER_NOT_FOUND */
export async function placeOf(system: SystemTx, orderId: string): Promise<{ tx: Tx; businessName: string }> {
  const place = await selectPlaceOfOrder(system, orderId)
  if (!place) throw orderNotFound()
  return { tx: within(system, place.realm), businessName: place.businessName }
}

function recipientOf(order: Order): OperatorOrder['recipient'] {
  const { recipientName: name, recipientEmail: email, recipientPhone: phone, recipientAddress: address } = order
  return name && email && address ? { name, email, ...(phone && { phone }), address } : undefined
}

/** By the rules of `readdress`, before somebody tries. */
async function whyAddressStays(
  tx: Tx,
  { status, recipientAddress }: Order,
  kits: readonly KitRow[],
): Promise<OperatorOrder['addressStays']> {
  if (status === 'canceled') return 'canceled'
  if (recipientAddress === undefined) return 'erased'
  const current = kits.filter(({ kitStatus, replacedBy }) => kitStatus !== 'canceled' && replacedBy === null)
  const packed = current.filter(({ kitStatus }) => kitStatus !== 'preparing').map(({ id }) => id)
  const mayGoAgain = await kitsThatMayGoAgain(tx, packed)
  const ids = current.map(({ id }) => id)
  if (packed.some((kitId) => !mayGoAgain.has(kitId)) || (await selectLeft(tx, ids)).length > 0) return 'packed'
  const inHand = await hasClaim(tx, ids)
  return inHand ? 'beingPacked' : undefined
}
