import { ageOn } from '../../domain/age.ts'
import { AppError } from '../../domain/errors.ts'
import { inSavepoint, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { identityOf } from '../customers/rules.ts'
import * as events from '../events/service.ts'
import { isPerson } from '../identity/grants.ts'
import type { Shown } from '../kits/recipient-queries.ts'
import { assertOrderable } from '../orders/address.ts'
import { selectRecipient } from '../orders/address-queries.ts'
import { cancel } from '../orders/cancel.ts'
import { illegalTransition, lockOrder, orderNotFound } from '../orders/lock.ts'
import { payPendingOrder } from '../orders/payment/pay-pending.ts'
import { type LockedOrder, type StoredApproval, selectItems, updateApproval } from '../orders/queries.ts'
import { shownApproval } from '../orders/read.ts'
import type { Order } from '../orders/schema.ts'
import type { ChargeStarted } from '../payments/start.ts'
import { findProvider } from './providers.ts'
import { type ProviderRow, selectRealmOfOrder, selectWaiting, type WaitingPerson } from './queries.ts'
import { type Deciding, ERASED, isInQueueOf, whyNot } from './rules.ts'
import type { ApprovalInput } from './schema.ts'
import { isProviderOnly, maybeOwnProvider, peopleOf, shownOrders } from './service.ts'

/** Pays an order that was approved. */
export const PAY_JOB = 'approvals.pay'

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
 * `version`: of the order as it was read.
 * @throws ORDER_NOT_FOUND, PROVIDER_NOT_FOUND, PROVIDER_NOT_ALLOWED, ORDER_NOT_ALLOWED, ORDER_CHANGED, ILLEGAL_TRANSITION
 */
export async function decideApproval(
  system: SystemTx,
  orderId: string,
  { decision, reason, version, provider: named }: ApprovalInput,
  access: OperatorAccess,
): Promise<Decided> {
  const provider = await decidingProvider(system, named, access)
  const realm = await selectRealmOfOrder(system, orderId)
  if (!realm) throw orderNotFound()
  const asked = {
    decision,
    reason,
    isProviderOnly: isProviderOnly(access),
    check: () => assertSeen(system, orderId, version),
  }
  return decideAs(within(system, realm), orderId, provider, asked)
}

/**
 * Who decides has seen the order as it is: its address, or what is known of its recipient, may have changed since. Returns what they
 * were shown of that person. @throws ORDER_CHANGED
 */
async function assertSeen(system: SystemTx, orderId: string, version: string): Promise<Shown> {
  const waiting = await selectWaiting(system, { orderId })
  const people = await peopleOf(system, waiting)
  const [order] = await shownOrders(system, waiting, people, undefined)
  if (order?.version !== version)
    throw new AppError(
      'ORDER_CHANGED',
      'This order, or what is known of its recipient, changed since you read it: read it again',
    )
  return knownOf(people.get(orderId))
}

/** What is known of a recipient besides the name. */
function knownOf(person: WaitingPerson | undefined): Shown {
  const { name: _, ...shown } = person ? identityOf(person) : { name: '' }
  return shown
}

/** Who decides in a sandbox, wherever the recipient lives: nobody is licensed there. */
const MOCK: DecidingProvider = { id: 'sandbox', name: 'Jane Sandbox, MD', npi: '1234567893' }

/** Approves or refuses an order of a sandbox, in place of a provider. @throws ORDER_NOT_FOUND, ORDER_NOT_ALLOWED, ILLEGAL_TRANSITION */
export function decideInSandbox(tx: Tx, orderId: string, decision: 'approve' | 'refuse'): Promise<Decided> {
  const check = async () => {
    const order = { realmId: tx.realm.id, orderId, recipient: await selectRecipient(tx, orderId) }
    return knownOf((await peopleOf(tx, [order])).get(orderId))
  }
  return decideAs(tx, orderId, MOCK, {
    decision,
    reason: decision === 'refuse' ? 'Refused in the sandbox' : undefined,
    check,
  })
}

type Decided = NonNullable<Order['approval']>
type DecidingProvider = Pick<ProviderRow, 'id' | 'name' | 'npi'> & Partial<Deciding>
type Asked = Pick<ApprovalInput, 'decision' | 'reason'> & { isProviderOnly?: boolean; check?: () => Promise<Shown> }

async function decideAs(
  tx: Tx,
  orderId: string,
  provider: DecidingProvider,
  { decision, reason, isProviderOnly = false, check }: Asked,
): Promise<Decided> {
  const order = await lockOrder(tx, orderId)
  const state = decision === 'approve' ? 'approved' : 'refused'
  if (order.approval?.provider?.id === provider.id && order.approvalState === state)
    return shownApproval(state, order.approval, order.why)
  const { isActive, licensedIn } = provider
  const deciding = isActive === undefined || !licensedIn ? undefined : { isActive, licensedIn }
  const { address } = await selectRecipient(tx, orderId)
  if (isProviderOnly && (order.approvalState === null || !isInQueueOf(deciding, address))) throw orderNotFound()
  assertWaiting(order)
  const shown = await check?.()
  if (decision === 'approve') {
    if (address === null) throw illegalTransition(ERASED, 'erased')
    const { dateOfBirth, sex } = shown ?? {}
    const age = dateOfBirth ? ageOn(dateOfBirth, tx.now.toISOString()) : undefined
    await assertOrderable(tx, await selectItems(tx, orderId), address, { age, sex })
  }
  const why = deciding && whyNot(deciding, decision, address)
  if (why) throw new AppError('PROVIDER_NOT_ALLOWED', why)
  const { id, name, npi } = provider
  const approval: StoredApproval = {
    pay: order.approval?.pay ?? null,
    provider: { id, name, npi },
    at: tx.now.toISOString(),
  }
  await updateApproval(tx, orderId, { ...approval, state, reason: reason ?? null, shown })
  const entry = { objectType: 'order', objectId: orderId, details: { provider: id, npi } }
  await audit.record(tx, [{ ...entry, action: `order.${state}` }])
  if (state === 'refused') await cancel(tx, orderId, reason)
  else await announceApproved(tx, orderId)
  return shownApproval(state, approval, reason ?? null)
}

function assertWaiting({ status, approvalState }: LockedOrder): void {
  if (status !== 'pending' || approvalState !== 'waiting')
    throw illegalTransition('This order does not wait for a provider', approvalState ?? status)
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
