import { ageOn } from '../../domain/age.ts'
import { sha256 } from '../../platform/crypto.ts'
import { type Queries, type SystemTx, within } from '../../platform/database/tx.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import { recordHealthAccess } from '../audit/access-audit.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { selectPanelNames, selectPanelRules } from '../catalogue/queries.ts'
import { isPerson } from '../identity/grants.ts'
import { selectUser } from '../identity/user-queries.ts'
import { refusalOf } from '../orders/decision.ts'
import { orderNotFound } from '../orders/lock.ts'
import { list } from './providers.ts'
import {
  countWaiting,
  type ProviderRow,
  type RecipientOfOrder,
  selectFacts,
  selectPeople,
  selectProviderByEmail,
  selectProviders,
  selectQuizzes,
  selectRealmOfOrder,
  selectWaiting,
  type WaitingPerson,
  type WaitingRow,
} from './queries.ts'
import { ERASED, isInQueueOf, isSamePerson, mayApprove } from './rules.ts'
import type { ApprovalQuery, Provider, WaitingOrder } from './schema.ts'

/** Whether somebody is signed in for the queue alone: they see of it what their licences reach. */
export const isProviderOnly = (access: OperatorAccess): boolean =>
  isPerson(access) && [...access.scopes].every((scope) => scope === 'approvals')

export const maybeOwnProvider = async (tx: SystemTx, access: OperatorAccess): Promise<ProviderRow | undefined> => {
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

/** About how many orders of the queue that a caller sees somebody has to decide. */
export const countToApprove = async (tx: SystemTx, access: OperatorAccess): Promise<number> =>
  isProviderOnly(access)
    ? (await queueFor(tx, access, { isReal: true })).waiting.length
    : countWaiting(tx, { isReal: true })

export async function listProvidersFor(tx: SystemTx, access: OperatorAccess): Promise<Provider[]> {
  const all = await list(tx)
  if (!isProviderOnly(access)) return all
  const own = await maybeOwnProvider(tx, access)
  return all.filter(({ id }) => id === own?.id)
}

/**
 * A page of the orders that wait for a provider. Recipients beside it are opened only to see where they live, for a provider who sees
 * no other state.
 */
export async function listWaiting(
  tx: SystemTx,
  { page, size, businessID }: ApprovalQuery,
  access: OperatorAccess,
): Promise<{ total: number; orders: WaitingOrder[] }> {
  const [businessIds, part] = [businessID, { skip: page * size, size }]
  const isFiltered = isProviderOnly(access)
  const { own, waiting } = await queueFor(tx, access, isFiltered ? { businessIds } : { businessIds, part })
  const rows = isFiltered ? waiting.slice(part.skip, part.skip + size) : waiting
  const total = isFiltered ? waiting.length : await countWaiting(tx, { businessIds })
  return { total, orders: await shownOrders(tx, rows, await peopleOf(tx, rows), own) }
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
export async function peopleOf(tx: Queries, rows: readonly RecipientOfOrder[]): Promise<Map<string, WaitingPerson>> {
  const recipients = new Map(rows.map(({ orderId, recipient }) => [orderId, recipient]))
  const people = await selectPeople(tx, rows)
  const isRecipient = (person: WaitingPerson) => {
    const recipient = recipients.get(person.orderId)
    return recipient !== undefined && isSamePerson(recipient, person)
  }
  return new Map(people.filter(isRecipient).map((person) => [person.orderId, person]))
}

export async function shownOrders(
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
  return rows.flatMap(({ orderId, createdAt, recipient: { firstName, lastName, address } }): WaitingOrder[] => {
    const order = facts.get(orderId)
    if (!order) return []
    const recipientName = [firstName, lastName].filter(Boolean).join(' ')
    const { dateOfBirth, gender, quizzes } = people.get(orderId) ?? {}
    const age = dateOfBirth ? ageOn(dateOfBirth, tx.now.toISOString()) : undefined
    const sex = gender === 'X' ? undefined : (gender ?? undefined)
    const whyNot = address === null ? ERASED : refusalOf(rules, order.items, address, { age, sex })
    const { country, state } = address ?? {}
    const seen = [order.businessId, order.items, recipientName, country, state, dateOfBirth, gender, quizzes]
    return [
      {
        orderID: orderId,
        version: sha256(JSON.stringify(seen)).toString('hex').slice(0, 32),
        business: { id: order.businessId, name: order.businessName },
        items: order.items.map(({ kitType, quantity }) => ({
          kitType: publicKitType(kitType),
          panelName: names.get(kitType) ?? publicKitType(kitType),
          quantity,
        })),
        ...(recipientName && { recipientName }),
        ...(address && { country, state }),
        ...(age !== undefined && { age }),
        ...(gender && { sex: gender }),
        createdDate: createdAt.toISOString(),
        mayApprove: own !== undefined && mayApprove(own, address) && !whyNot,
        ...(whyNot && { whyNot }),
        hasProvider: address === null || providers.some((provider) => mayApprove(provider, address)),
      },
    ]
  })
}
