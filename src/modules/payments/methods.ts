import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { db } from '../../platform/database/sql.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as audit from '../audit/service.ts'
import { simulatedMethod } from './gateways/simulated-cards.ts'

export interface PaymentMethod {
  id: string
  gateway: 'stripe' | 'simulated'
  customerRef: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

/** The saved payment methods of the realm, the attached one first. */
export function listMethods(tx: Tx): Promise<PaymentMethod[]> {
  return tx.rows(sql<PaymentMethod>`
    select id, gateway, customer_ref as "customerRef", brand, last4, exp_month as "expMonth", exp_year as "expYear",
           is_default as "isDefault"
    from payment_methods where realm_id = ${tx.realm.id} order by is_default desc, attached_at desc, id`)
}

/** The attached method, or the one asked for. The sandbox knows its test cards without attaching them. */
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

/** Keeps a method as the attached one. */
export async function saveMethod(tx: Tx, method: PaymentMethod): Promise<void> {
  const { id, gateway, customerRef, brand, last4, expMonth, expYear } = method
  await tx.run(sql`update payment_methods set is_default = false where realm_id = ${tx.realm.id} and is_default`)
  await tx.run(sql`
    insert into payment_methods (realm_id, id, gateway, customer_ref, brand, last4, exp_month, exp_year, is_default, attached_at)
    values (${tx.realm.id}, ${id}, ${gateway}, ${customerRef}, ${brand}, ${last4}, ${expMonth}, ${expYear}, true, ${tx.now})
    on conflict (realm_id, id) do update set is_default = true, attached_at = excluded.attached_at`)
  await audit.record(tx, [{ action: 'payment_method.attached', objectType: 'payment_method', objectId: id }])
}

/** Forgets a saved method. @throws PAYMENT_METHOD_NOT_FOUND */
export async function detachMethod(tx: Tx, id: string): Promise<void> {
  const gone = await tx.run(db.deleteFrom('payment_methods').where('realm_id', '=', tx.realm.id).where('id', '=', id))
  if (gone === 0) throw methodUnknown()
  await audit.record(tx, [{ action: 'payment_method.detached', objectType: 'payment_method', objectId: id }])
}

export const methodUnknown = () =>
  new AppError(
    'PAYMENT_METHOD_NOT_FOUND',
    'There is no saved payment method with this ID: list them at /payment-methods',
  )

export const methodMissing = () =>
  new AppError('PAYMENT_METHOD_MISSING', 'No payment method is attached to the business')
