import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { forgetKeys, forgetKeysNaming } from '../../platform/http/realm-keys.ts'
import * as audit from '../audit/service.ts'
import { resetClockAdvance } from '../businesses/queries.ts'
import { resetSandbox } from '../credits/service.ts'
import * as customers from '../customers/service.ts'
import { listKits } from '../kits/records.ts'
import type { KitRecord } from '../kits/schema.ts'
import * as bulk from '../orders/bulk/service.ts'
import { type RemovedOrders, removeOrders } from '../orders/remove.ts'
import { removePayments } from '../payments/remove.ts'
import { deletePlans } from '../plans/queries.ts'
import * as reports from '../reports/versions/remove.ts'
import { deleteShopOrders } from '../shops/order-queries.ts'
import { deleteStopsOfRealm } from '../text-messages/queries.ts'
import { countKitsAndReports } from './queries.ts'

// What a sandbox begins with, of each provisioned type.
const CREDITS = 1000

/** Every mock kit, newest first. */
export async function sandboxKits(tx: Tx): Promise<KitRecord[]> {
  const { kits } = await listKits(tx, { page: 0, size: Number.MAX_SAFE_INTEGER })
  return kits
}

export interface Removed extends RemovedOrders {
  kits: number
  reports: number
}

/** Removes a sandbox order with its kits, reports, webhook history and Idempotency-Keys. @throws ORDER_NOT_FOUND */
export async function removeOrder(tx: Tx, orderId: string): Promise<Removed> {
  const { kits } = await listKits(tx, { page: 0, size: Number.MAX_SAFE_INTEGER, orderIds: [orderId] })
  await forgetKeysNaming(tx, [orderId, ...kits.map(({ kitID }) => kitID)])
  const counts = await countKitsAndReports(tx, [orderId])
  const { orders, webhooks } = await removeOrders(tx, [orderId])
  if (orders === 0) throw new AppError('ORDER_NOT_FOUND', 'There is no such order')
  await audit.record(tx, [{ action: 'order.removed', objectType: 'order', objectId: orderId }])
  return { orders, ...counts, webhooks }
}

/**
 * Empties a sandbox, gives it fresh credits and begins its clock anew. The settings, tokens and the audit stay; so does the
 * Idempotency-Key of this request, `key`.
 */
export async function reset(tx: Tx, key?: string): Promise<Removed> {
  // An advance of the clock begins with this lock too.
  await resetClockAdvance(tx)
  // Jobs then: one that is placing orders holds its own lock, and finds nothing left to do after this.
  await bulk.removeAll(tx)
  await deletePlans(tx)
  await deleteShopOrders(tx)
  const counts = await countKitsAndReports(tx, 'all')
  const { orders, webhooks } = await removeOrders(tx, 'all')
  await removePayments(tx)
  const others = await reports.removeAllReports(tx)
  await customers.removeAll(tx)
  await deleteStopsOfRealm(tx)
  await resetSandbox(tx, CREDITS)
  await forgetKeys(tx, key)
  await audit.record(tx, [{ action: 'sandbox.reset', objectType: 'business', objectId: tx.realm.businessId }])
  return { orders, kits: counts.kits, reports: counts.reports + others, webhooks }
}
