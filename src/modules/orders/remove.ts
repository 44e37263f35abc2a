import type { Tx } from '../../platform/database/tx.ts'
import { updateCounter } from '../businesses/counters-queries.ts'
import * as emails from '../emails/service.ts'
import * as events from '../events/service.ts'
import { renumberKits } from '../kits/number-queries.ts'
import { deleteOrders, lockRecipients, renumberOrders } from './remove-queries.ts'
import { deleteIndex } from './search-queries.ts'

export interface RemovedOrders {
  orders: number
  /** Webhook history: events and their deliveries. */
  webhooks: number
}

/** Removes sandbox orders with kits, reports and webhook history. The database refuses it for live ones. */
export async function removeOrders(tx: Tx, which: readonly string[] | 'all'): Promise<RemovedOrders> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only sandbox orders can be removed')
  const orders = await lockRecipients(tx, which)
  const ids = orders.map(({ id }) => id)
  const webhooks = await events.remove(tx, which === 'all' ? 'all' : ids)
  await emails.remove(tx, which === 'all' ? 'all' : ids)
  await deleteOrders(tx, ids)
  // Lists page by gapless numbers. A sandbox is small.
  await updateCounter(tx, 'orders', await renumberOrders(tx))
  await updateCounter(tx, 'kits', await renumberKits(tx))
  await deleteIndex(tx)
  return { orders: ids.length, webhooks }
}
