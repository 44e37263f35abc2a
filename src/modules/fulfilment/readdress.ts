import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { selectLeft } from '../kits/attention-queries.ts'
import { announceFact } from '../kits/move.ts'
import { lockKitsOfOrder } from '../kits/queries.ts'
import { correctAddress } from '../orders/address.ts'
import type { Address } from '../orders/address-schema.ts'
import { illegalTransition, lockOrder } from '../orders/lock.ts'
import { kitsThatMayGoAgain } from '../undelivered/service.ts'
import { hasClaim } from './claim-queries.ts'

/**
 * Corrects where an order is sent. Kits are locked before their order, as packing and shipping lock them, and once more after
 * it: paying makes kits under the lock of the order. So a packer sees either the new address, or this is refused.
 * @throws ORDER_NOT_FOUND, ORDER_PACKED, ILLEGAL_TRANSITION
 */
export async function readdress(tx: Tx, id: string, address: Address, reason?: string): Promise<void> {
  await lockKitsOfOrder(tx, id)
  const { status } = await lockOrder(tx, id)
  if (status === 'canceled') throw illegalTransition('The order is canceled', 'canceled')
  const kits = await lockKitsOfOrder(tx, id)
  const current = kits.filter(({ kitStatus, replacedBy }) => kitStatus !== 'canceled' && replacedBy === null)
  const packed = current.filter(({ kitStatus }) => kitStatus !== 'preparing').map(({ id }) => id)
  const mayGoAgain = await kitsThatMayGoAgain(tx, packed)
  const kitIds = current.map((kit) => kit.id)
  if (packed.some((kitId) => !mayGoAgain.has(kitId)) || (await selectLeft(tx, kitIds)).length > 0) {
    throw new AppError('ORDER_PACKED', 'A kit of this order is packed already, so its address stays')
  }
  if (await hasClaim(tx, kitIds)) {
    throw new AppError('ORDER_PACKED', 'A kit of this order is being packed at this moment, so its address stays')
  }
  await correctAddress(tx, id, address, reason)
  await announceFact(tx, kitIds, 'person')
}
