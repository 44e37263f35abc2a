import { AppError } from '../../domain/errors.ts'
import { selectPanelRules } from '../../modules/catalogue/queries.ts'
import type { OrderOutcome } from '../../modules/orders/answer.ts'
import { isFaultOfRows } from '../../modules/orders/bulk/place-rows.ts'
import { cancel } from '../../modules/orders/cancel.ts'
import { settlePayment } from '../../modules/orders/payment/settle.ts'
import { LOOK_AGAIN_MS, type OneOutcome, placeOne, withoutJob } from '../../modules/orders/place-one.ts'
import type { OrderRequest } from '../../modules/orders/request.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { announceTrouble, emailTrouble, recordStep } from './announce.ts'
import { type ShopOrderRow, selectShopOrder, updateShopOrder } from './order-queries.ts'
import { type ShopRow, selectShop } from './queries.ts'
import { isGone, judge, RETRIES, RETRY_MS, type ShopTerms, type Verdict } from './rules.ts'

/** Cancels the order that was placed, while it is not packed. After that a person decides. */
export async function cancelPlaced(tx: Tx, row: ShopOrderRow): Promise<void> {
  try {
    if (row.orderId) await cancel(tx, row.orderId)
  } catch (error) {
    // Nothing was written yet. One that the business canceled itself is as the shop wants it.
    if (!(error instanceof AppError) || error.code !== 'ILLEGAL_TRANSITION') throw error
    if (error.extra?.current !== 'canceled') return waitFor(tx, row, 'canceled_too_late')
  }
  const canceled: ShopOrderRow = { ...row, status: 'canceled', reason: null, tellOpen: false, dueAt: null }
  await updateShopOrder(tx, canceled)
  await recordStep(tx, 'canceled', canceled)
}

/** Has an order wait for a person, who hears of it once. */
export async function waitFor(tx: Tx, row: ShopOrderRow, reason: string): Promise<void> {
  const waiting: ShopOrderRow = { ...row, status: 'waiting', reason, dueAt: null }
  await updateShopOrder(tx, waiting)
  if (row.status === 'waiting' && row.reason === reason) return
  await announceTrouble(tx, waiting, reason)
  await emailTrouble(tx, waiting, reason)
}

/** The job that does what is due for orders of shops. */
export const SHOPS_JOB = 'shops.work'

/**
 * Decides on an order of a shop that is due, and places it. What decides and what places stand in one transaction that locks the
 * order, so it makes one order here, however many workers come and whenever they die. A card is charged between two
 * transactions, as for recurring plans.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function workOn(ports: RealmPorts, shopOrderId: string): Promise<void> {
  const paymentId = await ports
    .open((tx) => decide(tx, shopOrderId))
    .catch((err: unknown) => {
      // What the database refuses of an order it refuses each minute again.
      if (!isFaultOfRows(err)) throw err
      return ports.open((tx) => waitUnplaced(tx, shopOrderId))
    })
  if (paymentId === undefined) return
  const outcome = await settlePayment(ports, paymentId)
  await ports.open((tx) => recordCharge(tx, shopOrderId, paymentId, outcome))
}

async function waitUnplaced(tx: Tx, id: string): Promise<undefined> {
  const row = await selectShopOrder(tx, id, 'update')
  if (row && !row.orderId && !row.paymentId) await waitFor(tx, row, 'not_placeable')
}

export const termsOf = (tx: Tx, shop: ShopRow): ShopTerms => ({
  items: shop.items,
  countries: shop.countries,
  isOn: shop.enabled && shop.secret !== null,
  isLive: tx.realm.mode === 'live',
  connectedAt: shop.connectedAt ?? shop.createdAt,
})

/** Returns the payment to settle, where a card pays. */
async function decide(tx: Tx, id: string): Promise<string | undefined> {
  const row = await selectShopOrder(tx, id, 'update')
  if (!row?.dueAt || row.dueAt > tx.now) return undefined
  if (row.paymentId) return row.paymentId
  const shop = await selectShop(tx, row.shopId)
  // Another worker was faster, or the person was erased.
  if (!shop || row.orderId || !row.order) {
    await updateShopOrder(tx, { ...row, dueAt: null })
    return undefined
  }
  const verdict = judge(row.order, row, termsOf(tx, shop))
  if (verdict.kind === 'place') return place(tx, shop, row, verdict)
  if (verdict.kind === 'wait') await waitFor(tx, row, verdict.reason)
  else if (verdict.kind === 'skip')
    await updateShopOrder(tx, { ...row, status: 'skipped', reason: verdict.reason, dueAt: null })
  else await updateShopOrder(tx, { ...row, status: verdict.kind, reason: null, dueAt: null })
  return undefined
}

async function place(
  tx: Tx,
  shop: ShopRow,
  row: ShopOrderRow,
  verdict: Verdict & { kind: 'place' },
): Promise<string | undefined> {
  // Its buyer has paid: what a provider refuses would have to be paid back in the shop.
  const rules = await selectPanelRules(
    tx,
    verdict.items.map(({ kitType }) => kitType),
  )
  if (rules.some(({ providerNeeded }) => providerNeeded)) {
    await recordRefused(tx, row, 'ORDER_NOT_ALLOWED')
    return undefined
  }
  const ordered = await placeOne(tx, requestFor(shop, row, verdict))
  if (ordered.kind === 'charging') {
    const dueAt = new Date(tx.now.getTime() + LOOK_AGAIN_MS)
    await updateShopOrder(tx, { ...row, status: 'placing', reason: null, paymentId: ordered.paymentId, dueAt })
    return ordered.paymentId
  }
  await record(tx, row, ordered)
  return undefined
}

function requestFor(shop: ShopRow, row: ShopOrderRow, { recipient, items }: Verdict & { kind: 'place' }): OrderRequest {
  const externalTags = [new URL(shop.url).host.slice(0, 100)]
  return {
    orders: [{ recipient, items, externalId: row.number, externalTags, notify: shop.notify }],
    isBulk: false,
    paymentMethod: shop.paymentMethod ?? undefined,
  }
}

async function recordCharge(tx: Tx, id: string, paymentId: string, outcome: OrderOutcome): Promise<void> {
  const row = await selectShopOrder(tx, id, 'update')
  // Another worker was faster.
  if (row?.paymentId !== paymentId) return
  await record(tx, { ...row, paymentId: null }, withoutJob(outcome))
}

async function record(tx: Tx, row: ShopOrderRow, outcome: OneOutcome): Promise<void> {
  if (outcome.kind === 'placed') return recordPlaced(tx, row, outcome)
  return recordRefused(tx, row, outcome.kind === 'declined' ? 'PAYMENT_FAILED' : outcome.code)
}

async function recordPlaced(
  tx: Tx,
  row: ShopOrderRow,
  { orderIds, pending }: OneOutcome & { kind: 'placed' },
): Promise<void> {
  const attempts = row.attempts + 1
  const placed: ShopOrderRow = {
    ...row,
    status: 'placed',
    reason: null,
    orderId: orderIds[0] ?? null,
    attempts,
    dueAt: null,
    // Nothing is known of it any more to tell the shop.
    tellOpen: !row.erased,
  }
  await updateShopOrder(tx, placed)
  await recordStep(tx, 'placed', placed)
  // What the shop took back while its card was charged.
  if (row.order && isGone(row.order)) return cancelPlaced(tx, placed)
  if (row.order && !row.order.isPaid && !row.order.isUnclear) return waitFor(tx, placed, 'unpaid_after_order')
  if (pending) await waitFor(tx, placed, 'payment_pending')
}

/** It is tried again daily; after the last time a person decides, and at once where no day changes it. */
async function recordRefused(tx: Tx, row: ShopOrderRow, code: string): Promise<void> {
  if (code === 'ORDER_NOT_ALLOWED') return waitFor(tx, row, code)
  const attempts = row.attempts + 1
  const retryAt = attempts <= RETRIES && !row.erased ? new Date(tx.now.getTime() + RETRY_MS) : null
  const status = retryAt ? 'retrying' : 'failed'
  const refused: ShopOrderRow = { ...row, status, reason: code, attempts, dueAt: retryAt }
  await updateShopOrder(tx, refused)
  await announceTrouble(tx, refused, code)
  await emailTrouble(tx, refused, code)
}
