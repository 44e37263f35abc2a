import type { Erased, PersonToErase } from '../../modules/define-module.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { lockShopOrdersFor, type ShopOrderRow, updateShopOrder } from './order-queries.ts'

/**
 * Empties the orders of shops for a person: those for their e-mail address, and those for their name that made an order of one of
 * their kits. What was not placed never is.
 */
export async function eraseShopOrders(tx: Tx, { email, name, kitOrderIds }: PersonToErase): Promise<Erased> {
  const found = await lockShopOrdersFor(tx, email, kitOrderIds)
  const theirs = found.filter(({ order, corrected }) => {
    const buyer = corrected ?? order?.buyer
    if (!buyer) return false
    return (
      [order?.buyer.email, corrected?.email].some((one) => one && isSame(one, email)) || isSame(nameOf(buyer), name)
    )
  })
  for (const row of theirs) await updateShopOrder(tx, emptied(row))
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
export function emptied(row: ShopOrderRow): ShopOrderRow {
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
