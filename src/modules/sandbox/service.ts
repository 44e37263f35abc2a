import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { forgetKeys, forgetKeysNaming } from '../../platform/http/realm-keys.ts'
import * as audit from '../audit/service.ts'
import { resetClockAdvance } from '../businesses/queries.ts'
import { modulesOf } from '../define-module.ts'
import { listKits } from '../kits/records.ts'
import type { KitRecord } from '../kits/schema.ts'
import { type RemovedOrders, removeOrders } from '../orders/remove.ts'
import { countKitsAndReports, lockKits } from './queries.ts'

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
 * Empties a sandbox, by what each module does for it, gives it fresh credits and begins its clock anew. The settings, tokens
 * and the audit stay; so does the Idempotency-Key of this request, `key`.
 */
export async function reset(tx: Tx, key?: string): Promise<Removed> {
  // An advance of the clock begins with this lock too.
  await resetClockAdvance(tx)
  await lockKits(tx)
  const { kits } = await countKitsAndReports(tx, 'all')
  const removed: Partial<Removed> = {}
  for (const { sandbox } of modulesOf(tx.context).toReversed()) Object.assign(removed, await sandbox?.reset?.(tx))
  await forgetKeys(tx, key)
  await audit.record(tx, [{ action: 'sandbox.reset', objectType: 'business', objectId: tx.realm.businessId }])
  const { orders = 0, reports = 0, webhooks = 0 } = removed
  return { orders, kits, reports, webhooks }
}
