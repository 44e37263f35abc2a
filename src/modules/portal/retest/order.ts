import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import * as emails from '../../emails/service.ts'
import { retestRefused } from '../../emails/templates.ts'
import { createOrders } from '../../orders/group.ts'
import type { OrderRequest, Recipient } from '../../orders/request.ts'
import { openOf, type Retest } from './find.ts'
import { lockRetest, selectRetest, updateRetest } from './queries.ts'

const DAY_MS = 86_400_000
const TAG = 'retest'

/** `wrong`: the field of the address to which the panel is not offered. */
type Retested = 'ordered' | 'refused' | { wrong: string }

/**
 * Orders a panel again for a person, as `POST /create-order` would, with credits only. Where they do not cover it the order waits
 * if the settings let orders wait, else it is refused and the business is notified, once a day. A person and panel have one open order:
 * a second tap waits for the first, and finds its order.
 */
export async function orderRetest(tx: Tx, retest: Retest, recipient: Recipient): Promise<Retested> {
  const of = { customerId: retest.customerId, kitType: retest.kit.kitType }
  await lockRetest(tx, of)
  const row = await selectRetest(tx, of)
  if (openOf(row, tx.now)) return 'ordered'
  const orderId = await place(tx, of.kitType, recipient)
  if (typeof orderId === 'object') return orderId
  if (orderId === undefined) {
    const wasNotifiedToday = row?.refusedAt && tx.now.getTime() - row.refusedAt.getTime() < DAY_MS
    if (!wasNotifiedToday) {
      await updateRetest(tx, of, { refusedAt: tx.now })
      await emails.queue(tx, [{ content: retestRefused(retest.panel), to: 'business' }])
    }
    return 'refused'
  }
  await updateRetest(tx, of, { orderId })
  const details = { kitType: publicKitType(of.kitType), reportID: retest.reportId }
  await audit.record(tx, [{ action: 'retest.ordered', objectType: 'order', objectId: orderId, details }])
  return 'ordered'
}

/** The ID of the order; undefined if credits do not cover it and the settings let no order wait. */
async function place(tx: Tx, kitType: string, recipient: Recipient): Promise<string | { wrong: string } | undefined> {
  const order = { recipient, items: [{ kitType, quantity: 1 }], externalTags: [TAG], notify: true }
  const request: OrderRequest = { orders: [order], isBulk: false, paymentMethod: 'credits' }
  try {
    return idOf(await createOrders(tx, request))
  } catch (err) {
    // It was refused before anything was written.
    if (!(err instanceof AppError)) throw err
    if (err.code === 'ORDER_NOT_ALLOWED') return { wrong: err.details?.[0]?.path?.split('.').at(-1) ?? 'country' }
    if (err.code !== 'NOT_ENOUGH_CREDITS') throw err
    const { insufficientCredits } = await settings(tx)
    return insufficientCredits === 'pending'
      ? idOf(await createOrders(tx, { ...request, paymentMethod: 'later' }))
      : undefined
  }
}

function idOf(outcome: Awaited<ReturnType<typeof createOrders>>): string {
  const [orderId] = outcome.kind === 'placed' ? outcome.orderIds : []
  if (orderId === undefined) throw new Error('an order paid with credits was not placed')
  return orderId
}
