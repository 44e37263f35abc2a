import { type Queries, type Realm, within } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { Line } from '../credits/rules.ts'
import * as emails from '../emails/service.ts'
import { orderPlaced } from '../emails/templates.ts'
import type { NewEvent } from '../events/service.ts'
import { quantityOf } from './rules.ts'

interface NotifiedOrder {
  realm: Realm
  id: string
  items: readonly Line[]
  notify: boolean
  email: string | null
  firstName: string | null
}

/** E-mails recipients of paid orders that these are placed, where the business wants it. */
export async function emailRecipients(tx: Queries, orders: readonly NotifiedOrder[]): Promise<void> {
  const notified = orders.filter(({ notify }) => notify)
  for (const [realm, own] of Map.groupBy(notified, (order) => order.realm)) {
    await emails.queue(
      within(tx, realm),
      own.flatMap(({ id, items, email, firstName }) =>
        email === null
          ? []
          : [{ content: orderPlaced(id, quantityOf(items)), to: email, name: firstName, orderId: id }],
      ),
    )
  }
}

interface AnnouncedOrder {
  id: string
  items: readonly Line[]
  externalId?: string
  createdAt: Date
}

/** `order.created`: on placing, and again when a pending order is paid. */
export function orderCreated(
  { id, items, externalId, createdAt }: AnnouncedOrder,
  status: 'created' | 'pending',
): NewEvent {
  return {
    type: 'order.created',
    orderId: id,
    data: {
      orderID: id,
      status,
      createdDate: createdAt.toISOString(),
      items: items.map((item) => ({ kitType: publicKitType(item.kitType), quantity: item.quantity })),
      externalID: externalId,
    },
  }
}
