import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as audit from '../audit/service.ts'
import { simulatedMethod } from './gateways/simulated.ts'
import { deleteMethod, type PaymentMethod, selectMethods, upsertDefaultMethod } from './methods-queries.ts'
import { methodUnknown } from './rules.ts'

/** A method as the API and the command line show it. */
export const toAnswer = ({ id, brand, last4, expMonth, expYear, isDefault }: PaymentMethod) => ({
  id,
  brand,
  last4,
  expMonth,
  expYear,
  attached: isDefault,
})

/** The saved payment methods of the realm, the attached one first. */
export const listMethods = (tx: Tx): Promise<PaymentMethod[]> => selectMethods(tx)

/** The attached method, or the one with this ID. In the sandbox, test cards work without being attached. */
export async function maybeFindMethod(tx: Tx, id?: string): Promise<PaymentMethod | undefined> {
  const methods = await listMethods(tx)
  const found =
    id === undefined ? methods.find((method) => method.isDefault) : methods.find((method) => method.id === id)
  return found ?? (id !== undefined && tx.realm.mode === 'sandbox' ? testMethod(tx.realm.businessId, id) : undefined)
}

function testMethod(businessId: string, id: string): PaymentMethod | undefined {
  const attached = simulatedMethod(businessId, id)
  return attached && { id, gateway: 'simulated', customerRef: attached.customerRef, ...attached.card, isDefault: false }
}

/** Gives a new sandbox its card. */
export async function attachTestCard(tx: Tx): Promise<void> {
  const method = testMethod(tx.realm.businessId, 'pm_card_visa')
  if (method) await saveMethod(tx, method)
}

/** Saves a payment method and attaches it: later orders by card are charged to it. @throws PAYMENT_FAILED */
export async function attachMethod(ports: RealmPorts, methodId: string, businessName: string): Promise<PaymentMethod> {
  const known = await ports.open(listMethods)
  const { gateway } = ports
  const {
    customerRef,
    methodId: id,
    card,
  } = await gateway.attach({
    methodId,
    businessId: ports.realm.businessId,
    businessName,
    customerRef: known.find((method) => method.gateway === gateway.name)?.customerRef,
    idempotencyKey: newOpaqueId('attach'),
  })
  const method: PaymentMethod = { id, gateway: gateway.name, customerRef, ...card, isDefault: true }
  await ports.open((tx) => saveMethod(tx, method))
  return method
}

/** Saves a method as the attached one. */
export async function saveMethod(tx: Tx, method: PaymentMethod): Promise<void> {
  await upsertDefaultMethod(tx, method)
  await audit.record(tx, [{ action: 'payment_method.attached', objectType: 'payment_method', objectId: method.id }])
}

/** Removes a saved method. @throws PAYMENT_METHOD_NOT_FOUND */
export async function detachMethod(tx: Tx, id: string): Promise<void> {
  if ((await deleteMethod(tx, id)) === 0) throw methodUnknown()
  await audit.record(tx, [{ action: 'payment_method.detached', objectType: 'payment_method', objectId: id }])
}
