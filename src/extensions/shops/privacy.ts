import { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { announceTrouble, recordStep } from './announce.ts'
import { emptied } from './erase.ts'
import { lenientString } from './lenient.ts'
import { lockOrdersNamed, lockUnplaced, type ShopOrderRow, updateShopOrder } from './order-queries.ts'
import { disconnect } from './service.ts'
import { waitFor } from './settle.ts'

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
    for (const row of await lockUnplaced(tx, shopId)) await empty(tx, row)
    return disconnect(tx, shopId)
  }
  const parsed = PrivacyRequest.safeParse(body)
  if (!parsed.success) return
  const { customer, orders_requested: requested, orders_to_redact: redacted } = parsed.data
  const externalIds = [requested ?? [], redacted ?? []].flat()
  const rows = await lockOrdersNamed(tx, shopId, { externalIds, email: customer?.email ?? '' })
  for (const row of rows.filter(({ erased }) => !erased)) {
    if (topic === 'customers/redact' && isUnplaced(row)) await empty(tx, row)
    else await ask(tx, row, topic === 'customers/redact' ? 'erasure_requested' : 'copy_requested')
  }
}

const isUnplaced = ({ orderId, paymentId }: ShopOrderRow): boolean => orderId === null && paymentId === null

async function empty(tx: Tx, row: ShopOrderRow): Promise<void> {
  await updateShopOrder(tx, emptied(row))
  await recordStep(tx, 'erased', row)
}

/** An order that something else becomes of by itself is not held up by the question. */
const ask = (tx: Tx, row: ShopOrderRow, reason: 'erasure_requested' | 'copy_requested'): Promise<void> =>
  row.orderId !== null && row.status !== 'canceled' ? waitFor(tx, row, reason) : announceTrouble(tx, row, reason)
