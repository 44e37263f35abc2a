import type { Tx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { type OrderFilter, type OrderKitRow, type OrderRow, selectOrder, selectPage } from './queries.ts'
import { orderStatusOf } from './rules.ts'
import type { Order } from './schema.ts'

/** @throws ORDER_NOT_FOUND, also for orders of other realms */
export async function find(tx: Tx, id: string): Promise<Order> {
  const row = await selectOrder(tx, id)
  if (!row) throw new AppError('ORDER_NOT_FOUND', 'There is no such order')
  return toOrder(row, tx.realm.mode === 'sandbox')
}

/** A page of orders, newest first. */
export async function list(
  tx: Tx,
  filter: OrderFilter,
  page: number,
  size: number,
): Promise<{ total: number; orders: Order[] }> {
  const { total, rows } = await selectPage(tx, filter, page, size)
  return { total, orders: rows.map((row) => toOrder(row, tx.realm.mode === 'sandbox')) }
}

function toOrder(row: OrderRow, isTest: boolean): Order {
  const kits = row.kits.map(toKit)
  const registered = row.kits
    .filter((kit) => kit.registeredAt !== null && kit.customerId !== null)
    .sort((a, b) => Date.parse(a.registeredAt ?? '') - Date.parse(b.registeredAt ?? ''))[0]
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ')
  return {
    orderID: row.id,
    createdDate: row.createdAt.toISOString(),
    status: row.status,
    orderStatus: orderStatusOf(
      row.status,
      row.kits.map((kit) => ({ ...kit, status: kit.reportStatus })),
    ),
    sku: publicKitType(row.sku),
    quantity: row.quantity,
    items: row.items.map(({ kitType, quantity }) => ({ kitType: publicKitType(kitType), quantity })),
    ...(row.email && { recipientEmail: row.email }),
    ...(name && { recipientName: name }),
    ...(row.phone && { recipientPhone: row.phone }),
    ...(row.address && { recipientAddress: row.address }),
    ...(row.externalId && { externalID: row.externalId }),
    externalTags: row.externalTags,
    isNotifyReceiver: row.notify,
    isTest,
    payment: {
      method: row.paymentMethod,
      status: row.paymentStatus,
      ...(row.amountMinor !== null && { amount: row.amountMinor }),
      ...(row.currency && { currency: row.currency }),
    },
    ...(registered?.customerId && {
      registeredTo: {
        ...(registered.registeredEmail && { email: registered.registeredEmail }),
        customerID: registered.customerId,
      },
    }),
    kits,
  }
}

function toKit(kit: OrderKitRow): Order['kits'][number] {
  return {
    kitID: kit.id,
    kitType: publicKitType(kit.kitType),
    kitStatus: kit.kitStatus,
    sampleStatus: kit.sampleStatus,
    status: kit.reportStatus,
    ...(kit.registeredEmail && { registeredToEmail: kit.registeredEmail }),
    ...(kit.registeredAt && { registrationDate: new Date(kit.registeredAt).toISOString() }),
    ...(kit.customerId && { customerID: kit.customerId }),
    lastUpdatedDate: new Date(kit.updatedAt).toISOString(),
  }
}
