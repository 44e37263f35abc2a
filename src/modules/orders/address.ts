import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { type Asked, orderRefusalSentence, refusalsOf } from '../catalogue/eligibility.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { selectPanelRules } from '../catalogue/queries.ts'
import type { Line } from '../credits/rules.ts'
import * as events from '../events/service.ts'
import { maybeFindApproval } from '../kits/recipient-queries.ts'
import { selectRecipient, updateRecipient } from './address-queries.ts'
import type { Address } from './address-schema.ts'
import { refusalOf } from './decision.ts'
import { illegalTransition } from './lock.ts'
import { selectItems } from './queries.ts'

/** Writes another address into a locked order and says so; the same address changes nothing. @throws ILLEGAL_TRANSITION, ORDER_NOT_ALLOWED */
export async function correctAddress(tx: Tx, id: string, address: Address, reason?: string): Promise<void> {
  const recipient = await selectRecipient(tx, id)
  if (recipient.address === null) throw illegalTransition('The person of this order was erased', 'erased')
  // Stored as JSON, which has no undefined.
  if (isDeepStrictEqual(recipient.address, JSON.parse(JSON.stringify(address)))) return
  await checkOffered(tx, id, address)
  const { country, state } = recipient.address
  // A provider approved it by their licence in one state.
  if ((country !== address.country || state !== address.state) && (await maybeFindApproval(tx, id)))
    throw new AppError('ORDER_NOT_ALLOWED', 'A provider approved this order for its state: cancel it, and order again')
  await updateRecipient(tx, id, { ...recipient, address })
  const changed = ['recipientAddress']
  const data = { orderID: id, updatedDate: tx.now.toISOString(), changed }
  await events.record(tx, [{ type: 'order.updated', orderId: id, data }])
  const entry = { action: 'order.updated' as const, objectType: 'order', objectId: id, details: { changed } }
  await audit.record(tx, [{ ...entry, ...(reason && { words: { reason } }) }])
}

/** A rule may have come since an order was placed. `person`: what is known of its recipient. @throws ORDER_NOT_ALLOWED */
export async function assertOrderable(
  tx: Tx,
  items: readonly Line[],
  address: Address | null,
  person?: Asked['person'],
): Promise<void> {
  const kitTypes = items.map(({ kitType }) => kitType)
  const why = refusalOf(await selectPanelRules(tx, kitTypes), items, address, person)
  if (why) throw new AppError('ORDER_NOT_ALLOWED', why)
}

/** An order does not get to an address to which it could not have been placed. */
async function checkOffered(tx: Tx, id: string, address: Address): Promise<void> {
  const kitTypes = (await selectItems(tx, id)).map(({ kitType }) => kitType)
  const details = (await selectPanelRules(tx, kitTypes)).flatMap(({ kitType, ...rules }) =>
    refusalsOf(rules, { address }).map((field) => ({
      message: orderRefusalSentence(field, publicKitType(kitType), rules),
      path: `recipientAddress.${field}`,
    })),
  )
  const [first] = details
  if (first) throw new AppError('ORDER_NOT_ALLOWED', first.message, { details })
}
