import type { Place } from '@kitlane/display/postal-address'
import { AppError } from '../../domain/errors.ts'
import { inSavepoint, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { orderRefusalSentence, refusalsOf } from '../catalogue/eligibility.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { selectPanelNames, selectPanelRules } from '../catalogue/queries.ts'
import * as events from '../events/service.ts'
import { isPerson } from '../identity/grants.ts'
import { selectUser } from '../identity/user-queries.ts'
import { selectRecipient } from '../orders/address-queries.ts'
import { cancel } from '../orders/cancel.ts'
import { illegalTransition, lockOrder, orderNotFound } from '../orders/lock.ts'
import { payPendingOrder } from '../orders/payment/pay-pending.ts'
import { type LockedOrder, type StoredApproval, selectItems, updateApproval } from '../orders/queries.ts'
import { shownApproval } from '../orders/read.ts'
import type { Order } from '../orders/schema.ts'
import type { ChargeStarted } from '../payments/start.ts'
import { findProvider } from './providers.ts'
import { type ProviderRow, selectProviderByEmail, selectRealmOfOrder, selectWaiting } from './queries.ts'
import { type Deciding, whyNot } from './rules.ts'
import type { ApprovalInput, ApprovalQuery, WaitingOrder } from './schema.ts'

/** Pays an order that was approved. */
export const PAY_JOB = 'approvals.pay'

/** A page of the orders that wait for a provider. */
export async function listWaiting(
  tx: SystemTx,
  { page, size, businessID }: ApprovalQuery,
  access: OperatorAccess,
): Promise<{ total: number; orders: WaitingOrder[] }> {
  const own = await maybeOwnProvider(tx, access)
  const { total, rows } = await selectWaiting(tx, { businessIds: businessID, page, size })
  const names = await selectPanelNames(tx, [...new Set(rows.flatMap(({ items }) => items.map((one) => one.kitType)))])
  const orders = rows.map(({ orderId, businessId, businessName, items, createdAt, recipient }): WaitingOrder => {
    const { firstName, lastName, address } = recipient
    const recipientName = [firstName, lastName].filter(Boolean).join(' ')
    return {
      orderID: orderId,
      business: { id: businessId, name: businessName },
      items: items.map(({ kitType, quantity }) => ({
        kitType: publicKitType(kitType),
        panelName: names.get(kitType) ?? publicKitType(kitType),
        quantity,
      })),
      ...(recipientName && { recipientName }),
      ...(address && { country: address.country, state: address.state }),
      createdDate: createdAt.toISOString(),
      mayApprove: own !== undefined && address !== null && whyNot(own, 'approve', address) === undefined,
    }
  })
  return { total, orders }
}

const maybeOwnProvider = async (tx: SystemTx, access: OperatorAccess): Promise<ProviderRow | undefined> => {
  const user = isPerson(access) ? await selectUser(tx, access.callerId) : undefined
  return user && selectProviderByEmail(tx, user.email)
}

/** A person decides as the provider with their own e-mail, a token as the one whom it names. */
async function decidingProvider(tx: SystemTx, named: string | undefined, access: OperatorAccess): Promise<ProviderRow> {
  if (!isPerson(access)) {
    if (named !== undefined) return findProvider(tx, named)
    throw new AppError('PROVIDER_NOT_ALLOWED', 'A token says which provider decides: send `provider`')
  }
  const own = await maybeOwnProvider(tx, access)
  if (!own) throw new AppError('PROVIDER_NOT_ALLOWED', 'No provider has the e-mail by which you are signed in')
  if (named === undefined || named === own.id || named === own.npi) return own
  throw new AppError('PROVIDER_NOT_ALLOWED', 'Nobody who is signed in decides as another provider')
}

/**
 * Approves a live order, which is then paid as was asked for with it, or refuses and so cancels it. Of two providers at once, the
 * first decides; the same provider's same decision again changes nothing.
 * @throws ORDER_NOT_FOUND, PROVIDER_NOT_FOUND, PROVIDER_NOT_ALLOWED, ORDER_NOT_ALLOWED, ILLEGAL_TRANSITION
 */
export async function decideApproval(
  system: SystemTx,
  orderId: string,
  { decision, reason, provider: named }: ApprovalInput,
  access: OperatorAccess,
): Promise<Decided> {
  const provider = await decidingProvider(system, named, access)
  const realm = await selectRealmOfOrder(system, orderId)
  if (!realm) throw orderNotFound()
  return decideAs(within(system, realm), orderId, provider, { decision, reason })
}

/** Who decides in a sandbox, wherever the recipient lives: nobody is licensed there. */
const MOCK: DecidingProvider = { id: 'sandbox', name: 'Jane Sandbox, MD', npi: '1234567893' }

/** Approves or refuses an order of a sandbox, in place of a provider. @throws ORDER_NOT_FOUND, ORDER_NOT_ALLOWED, ILLEGAL_TRANSITION */
export const decideInSandbox = (tx: Tx, orderId: string, decision: 'approve' | 'refuse'): Promise<Decided> =>
  decideAs(tx, orderId, MOCK, { decision, reason: decision === 'refuse' ? 'Refused in the sandbox' : undefined })

type Decided = NonNullable<Order['approval']>
type DecidingProvider = Pick<ProviderRow, 'id' | 'name' | 'npi'> & Partial<Deciding>

async function decideAs(
  tx: Tx,
  orderId: string,
  provider: DecidingProvider,
  { decision, reason }: Pick<ApprovalInput, 'decision' | 'reason'>,
): Promise<Decided> {
  const order = await lockOrder(tx, orderId)
  const state = decision === 'approve' ? 'approved' : 'refused'
  if (order.approval?.provider?.id === provider.id && order.approvalState === state)
    return shownApproval(state, order.approval, order.why)
  assertWaiting(order)
  const { address } = await selectRecipient(tx, orderId)
  if (decision === 'approve') await assertOrderable(tx, orderId, address)
  const { isActive, licensedIn } = provider
  const why = isActive === undefined || !licensedIn ? undefined : whyNot({ isActive, licensedIn }, decision, address)
  if (why) throw new AppError('PROVIDER_NOT_ALLOWED', why)
  const { id, name, npi } = provider
  const approval: StoredApproval = {
    pay: order.approval?.pay ?? null,
    provider: { id, name, npi },
    at: tx.now.toISOString(),
  }
  await updateApproval(tx, orderId, { ...approval, state, reason: reason ?? null })
  const entry = { objectType: 'order', objectId: orderId, details: { provider: id, npi } }
  await audit.record(tx, [{ ...entry, action: `order.${state}`, ...(reason && { words: { reason } }) }])
  if (state === 'refused') await cancel(tx, orderId, reason)
  else await announceApproved(tx, orderId)
  return shownApproval(state, approval, reason ?? null)
}

function assertWaiting({ status, approvalState }: LockedOrder): void {
  if (status !== 'pending' || approvalState !== 'waiting')
    throw illegalTransition('This order does not wait for a provider', approvalState ?? status)
}

/** A panel may be offered in fewer places than when it was ordered. @throws ILLEGAL_TRANSITION, ORDER_NOT_ALLOWED */
async function assertOrderable(tx: Tx, orderId: string, address: Place | null): Promise<void> {
  if (address === null) throw illegalTransition('The person of this order was erased: refuse it', 'erased')
  const quantities = new Map((await selectItems(tx, orderId)).map(({ kitType, quantity }) => [kitType, quantity]))
  for (const { kitType, ...rules } of await selectPanelRules(tx, [...quantities.keys()])) {
    const [refusal] = refusalsOf(rules, { address, quantity: quantities.get(kitType) ?? 1 })
    if (refusal) throw new AppError('ORDER_NOT_ALLOWED', orderRefusalSentence(refusal, publicKitType(kitType), rules))
  }
}

async function announceApproved(tx: Tx, orderId: string): Promise<void> {
  const data = { orderID: orderId, updatedDate: tx.now.toISOString(), changed: ['approval'] }
  await events.record(tx, [{ type: 'order.updated', orderId, data }])
  await tx.enqueue(PAY_JOB, { realm: tx.realm, orderId })
}

/**
 * Pays an approved order as was asked for with it. What cannot be paid, such as without credits, stays a pending order that the
 * business pays when it can.
 */
export async function payApproved(tx: Tx, orderId: string): Promise<ChargeStarted | undefined> {
  const { status, paymentId, approvalState, approval } = await lockOrder(tx, orderId)
  const pay = approval?.pay
  if (status !== 'pending' || paymentId || approvalState !== 'approved' || !pay) return undefined
  try {
    const paying = await inSavepoint(tx, () => payPendingOrder(tx, orderId, pay))
    return paying.kind === 'paid' ? undefined : paying
  } catch (err) {
    if (err instanceof AppError && err.status < 500) return undefined
    throw err
  }
}
