import { z } from 'zod'
import type { Erased, PersonToErase } from '../../modules/define-module.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { announceTrouble, recordStep } from './announce.ts'
import { lenientString } from './lenient.ts'
import * as orderQueries from './order-queries.ts'
import { waitFor } from './place.ts'
import { disconnect } from './service.ts'

/**
 * Empties the orders of shops for a person: those for their e-mail address, and those for their name that made an order of one of
 * their kits. What was not placed never is.
 */
export async function eraseShopOrders(tx: Tx, { email, name, kitOrderIds }: PersonToErase): Promise<Erased> {
  const found = await orderQueries.lockShopOrdersFor(tx, email, kitOrderIds)
  const theirs = found.filter(({ order, corrected }) => {
    const buyer = corrected ?? order?.buyer
    if (!buyer) return false
    return (
      [order?.buyer.email, corrected?.email].some((one) => one && isSame(one, email)) || isSame(nameOf(buyer), name)
    )
  })
  for (const row of theirs) await orderQueries.updateShopOrder(tx, emptied(row))
  return {
    counts: { shopOrders: theirs.length },
    records: theirs.flatMap(({ order, corrected }) => [{ ...order?.buyer }, { ...corrected }]),
    underHold: theirs.map(({ id, order, corrected, createdAt }) => ({
      source: 'shopOrder',
      recordedAt: createdAt,
      record: { shopOrder: id, order, corrected },
    })),
  }
}

/** An order without data of its buyer, which is not placed any more. */
function emptied(row: orderQueries.ShopOrderRow): orderQueries.ShopOrderRow {
  const isOpen = row.orderId === null && row.paymentId === null && row.status !== 'canceled'
  const isAnswered = row.reason === 'erasure_requested' || row.reason === 'copy_requested'
  return {
    ...row,
    order: null,
    corrected: null,
    erased: true,
    tellOpen: false,
    tellDueAt: null,
    ...(isOpen && { status: 'skipped' as const, reason: 'erased', dueAt: null }),
    ...(isAnswered && { status: 'placed' as const, reason: null }),
  }
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`
const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

/** What Shopify demands of each app about people's data. https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance */
export const privacyTopics: ReadonlySet<string> = new Set(['customers/data_request', 'customers/redact', 'shop/redact'])

const ids = z.array(lenientString).nullish().catch(null)
const PrivacyRequest = z.looseObject({
  customer: z.looseObject({ email: lenientString }).nullish().catch(null),
  orders_requested: ids,
  orders_to_redact: ids,
})

/**
 * Does what a shop asks about the data of its buyer, or of all, 48 hours after the app was removed. What was never placed is emptied
 * at once; of what was placed here a person decides, since a kit of it may be somebody's test.
 */
export async function answerPrivacy(tx: Tx, shopId: string, topic: string, body: unknown): Promise<void> {
  if (topic === 'shop/redact') {
    for (const row of await orderQueries.lockUnplaced(tx, shopId)) await empty(tx, row)
    return disconnect(tx, shopId)
  }
  const parsed = PrivacyRequest.safeParse(body)
  if (!parsed.success) return
  const { customer, orders_requested: requested, orders_to_redact: redacted } = parsed.data
  const externalIds = [requested ?? [], redacted ?? []].flat()
  const rows = await orderQueries.lockOrdersNamed(tx, shopId, { externalIds, email: customer?.email ?? '' })
  for (const row of rows.filter(({ erased }) => !erased)) {
    if (topic === 'customers/redact' && isUnplaced(row)) await empty(tx, row)
    else await ask(tx, row, topic === 'customers/redact' ? 'erasure_requested' : 'copy_requested')
  }
}

const isUnplaced = ({ orderId, paymentId }: orderQueries.ShopOrderRow): boolean =>
  orderId === null && paymentId === null

async function empty(tx: Tx, row: orderQueries.ShopOrderRow): Promise<void> {
  await orderQueries.updateShopOrder(tx, emptied(row))
  await recordStep(tx, 'erased', row)
}

/** An order that something else becomes of by itself is not held up by the question. */
const ask = (tx: Tx, row: orderQueries.ShopOrderRow, reason: 'erasure_requested' | 'copy_requested'): Promise<void> =>
  row.orderId !== null && row.status !== 'canceled' ? waitFor(tx, row, reason) : announceTrouble(tx, row, reason)
