import * as audit from '../../modules/audit/service.ts'
import * as emails from '../../modules/emails/service.ts'
import { shopOrderFailed } from '../../modules/emails/templates.ts'
import * as events from '../../modules/events/service.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { countWaiting, type ShopOrderRow } from './order-queries.ts'

/** Records what became of an order of a shop. It names nobody. */
export const recordStep = (
  tx: Tx,
  action: audit.AuditVerb<'shop_order'>,
  row: ShopOrderRow,
  details: object = {},
): Promise<unknown> =>
  audit.record(tx, [
    {
      action: `shop_order.${action}`,
      objectType: 'shop_order',
      objectId: row.id,
      details: { shop: row.shopId, ...(row.orderId && { orderId: row.orderId }), ...details },
    },
  ])

/** Tells the business that an order could not be placed, or waits for a person. */
export async function announceTrouble(tx: Tx, row: ShopOrderRow, reason: string): Promise<void> {
  await events.record(tx, [
    {
      type: 'shop.order_failed',
      data: {
        shopID: row.shopId,
        shopOrderID: row.id,
        status: row.status,
        code: reason,
        attempts: row.attempts,
        orderID: row.orderId ?? undefined,
        retryDate: row.dueAt?.toISOString(),
      },
    },
  ])
  await recordStep(tx, row.status === 'retrying' ? 'order_failed' : 'waits', row, { reason })
}

/** E-mails the business: of the first order of a shop that waits, and of each that cannot be paid for. */
export async function emailTrouble(tx: Tx, row: ShopOrderRow, reason: string): Promise<void> {
  const isFirst = row.status === 'waiting' ? (await countWaiting(tx, row.shopId)) <= 1 : row.attempts === 1
  if (!isFirst && row.status !== 'failed') return
  await emails.queue(tx, [{ content: shopOrderFailed(row.number, reason, row.status === 'retrying'), to: 'business' }])
}
