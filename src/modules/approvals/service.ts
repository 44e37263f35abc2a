import type { Place } from '@kitlane/display/postal-address'
import { ageOn } from '../../domain/age.ts'
import { AppError } from '../../domain/errors.ts'
import { inSavepoint, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import { recordHealthAccess } from '../audit/access-audit.ts'
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
import { findProvider, list } from './providers.ts'
import {
  countWaiting,
  type ProviderRow,
  selectFacts,
  selectPeople,
  selectProviderByEmail,
  selectProviders,
  selectQuizzes,
  selectRealmOfOrder,
  selectWaiting,
  type WaitingFacts,
  type WaitingPerson,
  type WaitingRow,
} from './queries.ts'
import { type Deciding, isInQueueOf, isSamePerson, mayApprove, whyNot } from './rules.ts'
import type { ApprovalInput, ApprovalQuery, Provider, WaitingOrder } from './schema.ts'

/** Pays an order that was approved. */
export const PAY_JOB = 'approvals.pay'

/** Whether somebody is signed in for the queue alone: they see of it what their licences reach. */
const isProviderOnly = (access: OperatorAccess): boolean =>
  isPerson(access) && [...access.scopes].every((scope) => scope === 'approvals')

const maybeOwnProvider = async (tx: SystemTx, access: OperatorAccess): Promise<ProviderRow | undefined> => {
  const user = isPerson(access) ? await selectUser(tx, access.callerId) : undefined
  return user && selectProviderByEmail(tx, user.email)
}

/** The queue that a caller sees. `own`: the provider with their e-mail. */
async function queueFor(tx: SystemTx, access: OperatorAccess, filter?: Parameters<typeof selectWaiting>[1]) {
  const own = await maybeOwnProvider(tx, access)
  const waiting = await selectWaiting(tx, filter)
  const isOwn = ({ recipient }: WaitingRow) => isInQueueOf(own, recipient.address)
  return { own, waiting: isProviderOnly(access) ? waiting.filter(isOwn) : waiting }
}

/** How many orders wait in the queue that a caller sees. */
export const countToApprove = async (tx: SystemTx, access: OperatorAccess): Promise<number> =>
  isProviderOnly(access) ? (await queueFor(tx, access)).waiting.length : countWaiting(tx)

export async function listProvidersFor(tx: SystemTx, access: OperatorAccess): Promise<Provider[]> {
  const all = await list(tx)
  if (!isProviderOnly(access)) return all
  const own = await maybeOwnProvider(tx, access)
  return all.filter(({ id }) => id === own?.id)
}

/** A page of the orders that wait for a provider. */
export async function listWaiting(
  tx: SystemTx,
  { page, size, businessID }: ApprovalQuery,
  access: OperatorAccess,
): Promise<{ total: number; orders: WaitingOrder[] }> {
  const { own, waiting } = await queueFor(tx, access, { businessIds: businessID })
  const rows = waiting.slice(page * size, (page + 1) * size)
  return { total: waiting.length, orders: await shownOrders(tx, rows, await peopleOf(tx, rows), own) }
}

/** One of them, with what the person answered, for those who decide. @throws ORDER_NOT_FOUND */
export async function findWaiting(tx: SystemTx, orderId: string, access: OperatorAccess): Promise<WaitingOrder> {
  const { own, waiting } = await queueFor(tx, access, { orderId })
  const people = await peopleOf(tx, waiting)
  const [order] = await shownOrders(tx, waiting, people, own)
  const realm = await selectRealmOfOrder(tx, orderId)
  if (!order || !realm) throw orderNotFound()
  const person = order.mayApprove || !isPerson(access) ? people.get(orderId) : undefined
  if (!person) return order
  const of = within(tx, realm)
  const quizzes = await selectQuizzes(of, person.customerId)
  const answers = quizzes.flatMap(({ date, payload: { quizName: quiz, quizData } }) =>
    quizData.map(({ question, answer }) => ({
      quiz,
      date,
      question,
      answer: [answer]
        .flat()
        .map((one) => yesOrNo.get(one) ?? one)
        .join(', '),
    })),
  )
  const read = {
    verb: 'read',
    object: 'customer',
    ids: [String(person.customerId)],
    details: { operation: 'getApproval' },
  } as const
  await recordHealthAccess(of, read)
  return { ...order, answers }
}

const yesOrNo = new Map<unknown, string>([
  [true, 'Yes'],
  [false, 'No'],
])

/** The customers who are the recipients of orders, by these. */
async function peopleOf(tx: SystemTx, rows: readonly WaitingRow[]): Promise<Map<string, WaitingPerson>> {
  const recipients = new Map(rows.map(({ orderId, recipient }) => [orderId, recipient]))
  const people = await selectPeople(tx, rows)
  const isRecipient = (person: WaitingPerson) => {
    const recipient = recipients.get(person.orderId)
    return recipient !== undefined && isSamePerson(recipient, person)
  }
  return new Map(people.filter(isRecipient).map((person) => [person.orderId, person]))
}

async function shownOrders(
  tx: SystemTx,
  rows: readonly WaitingRow[],
  people: ReadonlyMap<string, WaitingPerson>,
  own: ProviderRow | undefined,
): Promise<WaitingOrder[]> {
  const providers = await selectProviders(tx)
  const facts = await selectFacts(tx, rows)
  const kitTypes = [...facts.values()].flatMap(({ items }) => items.map(({ kitType }) => kitType))
  const names = await selectPanelNames(tx, [...new Set(kitTypes)])
  const rules = await selectPanelRules(tx, [...new Set(kitTypes)])
  const today = tx.now.toISOString()
  return rows.flatMap(({ orderId, createdAt, recipient: { firstName, lastName, address } }): WaitingOrder[] => {
    const order = facts.get(orderId)
    if (!order) return []
    const recipientName = [firstName, lastName].filter(Boolean).join(' ')
    const { dateOfBirth, gender } = people.get(orderId) ?? {}
    return [
      {
        orderID: orderId,
        business: { id: order.businessId, name: order.businessName },
        items: order.items.map(({ kitType, quantity }) => ({
          kitType: publicKitType(kitType),
          panelName: names.get(kitType) ?? publicKitType(kitType),
          quantity,
        })),
        ...(recipientName && { recipientName }),
        ...(address && { country: address.country, state: address.state }),
        ...(dateOfBirth && { age: ageOn(dateOfBirth, today) }),
        ...(gender && { sex: gender }),
        createdDate: createdAt.toISOString(),
        mayApprove: own !== undefined && mayApprove(own, address) && !refusalOf(rules, order.items, address),
        hasProvider: address === null || providers.some((provider) => mayApprove(provider, address)),
      },
    ]
  })
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
  const asked = { decision, reason, isProviderOnly: isProviderOnly(access) }
  return decideAs(within(system, realm), orderId, provider, asked)
}

/** Who decides in a sandbox, wherever the recipient lives: nobody is licensed there. */
const MOCK: DecidingProvider = { id: 'sandbox', name: 'Jane Sandbox, MD', npi: '1234567893' }

/** Approves or refuses an order of a sandbox, in place of a provider. @throws ORDER_NOT_FOUND, ORDER_NOT_ALLOWED, ILLEGAL_TRANSITION */
export const decideInSandbox = (tx: Tx, orderId: string, decision: 'approve' | 'refuse'): Promise<Decided> =>
  decideAs(tx, orderId, MOCK, { decision, reason: decision === 'refuse' ? 'Refused in the sandbox' : undefined })

type Decided = NonNullable<Order['approval']>
type DecidingProvider = Pick<ProviderRow, 'id' | 'name' | 'npi'> & Partial<Deciding>
type Asked = Pick<ApprovalInput, 'decision' | 'reason'> & { isProviderOnly?: boolean }

async function decideAs(
  tx: Tx,
  orderId: string,
  provider: DecidingProvider,
  { decision, reason, isProviderOnly = false }: Asked,
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
  if (decision === 'approve') await assertOrderable(tx, orderId, address)
  const why = deciding && whyNot(deciding, decision, address)
  if (why) throw new AppError('PROVIDER_NOT_ALLOWED', why)
  const { id, name, npi } = provider
  const approval: StoredApproval = {
    pay: order.approval?.pay ?? null,
    provider: { id, name, npi },
    at: tx.now.toISOString(),
  }
  await updateApproval(tx, orderId, { ...approval, state, reason: reason ?? null })
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

type Rules = Awaited<ReturnType<typeof selectPanelRules>>

/** Why what was ordered could not be ordered now: a panel may be offered in fewer places than it was. */
function refusalOf(rules: Rules, items: WaitingFacts['items'], address: Place | null): string | undefined {
  const quantities = new Map(items.map(({ kitType, quantity }) => [kitType, quantity]))
  for (const { kitType, ...of } of address ? rules : []) {
    const quantity = quantities.get(kitType)
    const [refusal] = address && quantity ? refusalsOf(of, { address, quantity }) : []
    if (refusal) return orderRefusalSentence(refusal, publicKitType(kitType), of)
  }
  return undefined
}

/** @throws ILLEGAL_TRANSITION, ORDER_NOT_ALLOWED */
async function assertOrderable(tx: Tx, orderId: string, address: Place | null): Promise<void> {
  if (address === null) throw illegalTransition('The person of this order was erased: refuse it', 'erased')
  const items = await selectItems(tx, orderId)
  const kitTypes = items.map(({ kitType }) => kitType)
  const why = refusalOf(await selectPanelRules(tx, kitTypes), items, address)
  if (why) throw new AppError('ORDER_NOT_ALLOWED', why)
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
