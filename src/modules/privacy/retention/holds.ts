import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { type Realm, type SystemTx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import * as customers from '../../customers/service.ts'
import { type HoldRow, insertHold, lockToHold, selectHold, updateLifted } from './hold-queries.ts'
import { hasRetained } from './retained-queries.ts'

/**
 * Nothing of a person, or of a whole business, is purged or erased until the hold is lifted. Also for somebody who was
 * erased, while records of them are kept. Audited with the reason.
 * @throws BUSINESS_NOT_FOUND, CUSTOMER_NOT_FOUND, LEGAL_HOLD_EXISTS
 */
export async function setHold(
  tx: SystemTx,
  { business, customer, reason }: { business: string; customer?: string | undefined; reason: string },
): Promise<HoldRow> {
  const { id: businessId } = await businesses.find(tx, business)
  const { live: realm } = await businesses.realmsOf(tx, businessId)
  await lockToHold(tx)
  const customerId = customer === undefined ? null : await numberOf(tx, realm, customer)
  const id = newOpaqueId('hold')
  if (!(await insertHold(tx, { id, realm, customerId, reason }))) {
    throw new AppError('LEGAL_HOLD_EXISTS', 'There is a legal hold already')
  }
  return recorded(tx, id, 'legal_hold.set', reason)
}

/** Lets terms and erasures count again. Audited with the reason. @throws LEGAL_HOLD_NOT_FOUND, LEGAL_HOLD_LIFTED */
export async function liftHold(tx: SystemTx, id: string, reason: string): Promise<HoldRow> {
  if (await updateLifted(tx, id, reason)) return recorded(tx, id, 'legal_hold.lifted', reason)
  if (await selectHold(tx, id)) throw new AppError('LEGAL_HOLD_LIFTED', 'The legal hold was lifted before')
  throw new AppError('LEGAL_HOLD_NOT_FOUND', 'There is no such legal hold')
}

async function numberOf(tx: SystemTx, realm: Realm, customer: string): Promise<number> {
  const found = await customers.maybeFind(within(tx, realm), customer)
  if (found) return found.id
  const number = Number(customer)
  if (Number.isSafeInteger(number) && (await hasRetained(tx, realm.id, number))) return number
  throw new AppError('CUSTOMER_NOT_FOUND', 'There is no such customer, and there are no retained records')
}

async function recorded(tx: SystemTx, id: string, action: audit.AuditAction, reason: string): Promise<HoldRow> {
  const hold = await selectHold(tx, id)
  if (!hold) throw new Error('the hold was just written')
  const { realm, customerId } = hold
  const subject =
    customerId === null
      ? { objectType: 'business', objectId: realm.businessId }
      : { objectType: 'customer', objectId: String(customerId) }
  await audit.recordIn(tx, [{ action, ...subject, details: { hold: id, reason }, realm, actor: tx.actor }])
  return hold
}
