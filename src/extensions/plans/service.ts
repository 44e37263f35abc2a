import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import * as audit from '../../modules/audit/service.ts'
import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import { priceBook } from '../../modules/catalogue/prices.ts'
import type { Erased, PersonToErase } from '../../modules/define-module.ts'
import type { NewEvent } from '../../modules/events/service.ts'
import * as events from '../../modules/events/service.ts'
import { notOrderableError } from '../../modules/orders/decision.ts'
import { type OrderRequest, requestOf } from '../../modules/orders/request.ts'
import { maybeFindMethod } from '../../modules/payments/methods.ts'
import { methodUnknown } from '../../modules/payments/rules.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import {
  insertPlan,
  type OccurrenceRow,
  type PlanFilter,
  type PlanRow,
  selectOccurrences,
  selectPage,
  selectPlan,
  selectPlansFor,
  updatePlan,
} from './queries.ts'
import { dueAt, nextDate, problemOfNext, realTime, upcoming } from './rules.ts'
import type { CreatePlan, Plan, PlanDetail } from './schema.ts'

/** The plan that a body asks for, not yet kept. @throws VALIDATION_FAILED for a first date in the past or too far ahead */
export function planOf(tx: Tx, body: CreatePlan): PlanRow {
  const { orders, paymentMethod, flag } = requestOf(body)
  const [order] = orders
  if (!order) throw new Error('a plan without an order passed validation')
  const problem = problemOfNext(body.firstDate, tx.now)
  if (problem) refuse([{ message: problem, path: 'firstDate' }])
  return {
    id: newOpaqueId('plan'),
    status: 'active',
    endedBy: null,
    every: body.every,
    countedFrom: body.firstDate,
    nextIndex: 0,
    times: body.times ?? null,
    placed: 0,
    dueAt: dueAt(body.firstDate),
    paymentId: null,
    passedMs: 0,
    items: order.items,
    notify: order.notify,
    paymentMethod: paymentMethod ?? null,
    flag: flag ?? null,
    externalId: order.externalId ?? null,
    externalTags: order.externalTags,
    createdAt: tx.now,
    recipient: order.recipient,
  }
}

/** The order that a plan asks for at each of its dates. Nobody is sent anything once the person was erased. */
export function orderOf({ recipient, items, externalId, externalTags, notify, ...plan }: PlanRow): OrderRequest {
  if (!recipient) throw new Error(`plan ${plan.id} has no recipient`)
  return {
    orders: [{ recipient, items, externalId: externalId ?? undefined, externalTags, notify }],
    isBulk: false,
    paymentMethod: plan.paymentMethod ?? undefined,
    flag: plan.flag ?? undefined,
  }
}

/** @throws KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED */
export async function checkOrderable(tx: Tx, plan: PlanRow, addressField?: string): Promise<void> {
  const refusal = notOrderableError({ ...orderOf(plan), addressField }, await priceBook(tx))
  if (refusal) throw refusal
}

/** The value, or nothing where the database has null. */
const given = <T>(value: T | null): T | undefined => value ?? undefined

function toPlan(row: PlanRow): Plan {
  const { recipient } = row
  const hasNext = row.status !== 'ended'
  const isRetried = row.status === 'active' && row.dueAt !== null && !row.paymentId
  const wasDue = realTime(row, dueAt(nextDate(row)))
  return {
    planID: row.id,
    status: row.status,
    endedBy: given(row.endedBy),
    createdDate: row.createdAt.toISOString(),
    every: row.every,
    nextDate: hasNext ? nextDate(row) : undefined,
    retryDate: isRetried && row.dueAt && row.dueAt > wasDue ? row.dueAt.toISOString() : undefined,
    times: given(row.times),
    placed: row.placed,
    items: row.items.map(({ kitType, quantity }) => ({ kitType: publicKitType(kitType), quantity })),
    recipientEmail: recipient?.email,
    recipientFirstName: recipient?.firstName,
    recipientLastName: recipient?.lastName,
    recipientName: recipient ? `${recipient.firstName} ${recipient.lastName}` : undefined,
    recipientPhone: recipient?.phone,
    recipientAddress: recipient?.address,
    paymentMethod: given(row.paymentMethod),
    purchase_with_attached_payment: given(row.flag),
    isNotifyReceiver: row.notify,
    externalID: given(row.externalId),
    externalTags: row.externalTags,
  }
}

function toDetail(row: PlanRow, occurrences: readonly OccurrenceRow[]): PlanDetail {
  return {
    ...toPlan(row),
    upcomingDates: row.status === 'ended' ? [] : upcoming(row),
    occurrences: occurrences.map(({ orderId, code, reason, at, ...occurrence }) => ({
      ...occurrence,
      orderId: given(orderId),
      code: given(code),
      reason: given(reason),
      changedDate: at.toISOString(),
    })),
  }
}

const planCreated = (plan: PlanRow): NewEvent => ({
  type: 'plan.created',
  data: {
    planID: plan.id,
    createdDate: plan.createdAt.toISOString(),
    nextDate: nextDate(plan),
    items: plan.items.map(({ kitType, quantity }) => ({ kitType: publicKitType(kitType), quantity })),
  },
})

const planEnded = (plan: PlanRow, now: Date): NewEvent => ({
  type: 'plan.ended',
  data: {
    planID: plan.id,
    endedBy: plan.endedBy,
    endedDate: now.toISOString(),
  },
})

/** @throws KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED, PAYMENT_METHOD_NOT_FOUND, VALIDATION_FAILED */
export async function create(tx: Tx, body: CreatePlan): Promise<PlanDetail> {
  const plan = planOf(tx, body)
  await checkOrderable(tx, plan)
  if (plan.paymentMethod?.startsWith('pm_') && !(await maybeFindMethod(tx, plan.paymentMethod))) throw methodUnknown()
  await insertPlan(tx, plan)
  await events.record(tx, [planCreated(plan)])
  await audit.record(tx, [{ action: 'plan.created', objectType: 'plan', objectId: plan.id }])
  return toDetail(plan, [])
}

/** @throws PLAN_NOT_FOUND */
export async function find(tx: Tx, id: string): Promise<PlanDetail> {
  const plan = await selectPlan(tx, id)
  if (!plan) throw planNotFound()
  return toDetail(plan, await selectOccurrences(tx, id))
}

export async function list(
  tx: Tx,
  filter: PlanFilter,
  place: Parameters<typeof selectPage>[2],
): Promise<{ total: number; plans: Plan[] }> {
  const { total, rows } = await selectPage(tx, filter, place)
  return { total, plans: rows.map(toPlan) }
}

/** The plans that send kits to an e-mail address. */
export const plansFor = async (tx: Tx, email: string): Promise<Plan[]> => (await selectPlansFor(tx, email)).map(toPlan)

/**
 * A plan to change, locked until the transaction ends. @throws PLAN_NOT_FOUND; ILLEGAL_TRANSITION where it has ended, or while
 * its card is being charged
 */
export async function lockPlan(tx: Tx, id: string): Promise<PlanRow> {
  const plan = await selectPlan(tx, id, 'update')
  if (!plan) throw planNotFound()
  if (plan.status === 'ended') throw illegal('The plan has ended: make another one', plan)
  if (plan.paymentId) throw illegal('The card of the next order is being charged: try again in a minute', plan)
  return plan
}

/** Ends a plan that is locked. Nothing is placed any more, and no event names its recipient. */
export async function endPlan(tx: Tx, plan: PlanRow, endedBy: NonNullable<PlanRow['endedBy']>): Promise<void> {
  // A payment under way is still recorded.
  const ended: PlanRow = { ...plan, status: 'ended', endedBy, dueAt: plan.paymentId ? plan.dueAt : null }
  await updatePlan(tx, ended)
  await events.record(tx, [planEnded(ended, tx.now)])
  await audit.record(tx, [{ action: 'plan.ended', objectType: 'plan', objectId: plan.id, details: { endedBy } }])
}

const planNotFound = (): AppError => new AppError('PLAN_NOT_FOUND', 'There is no such plan')

export const illegal = (message: string, { status }: PlanRow): AppError =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current: status, allowed: [] } })

/**
 * Ends the plans that send kits to a person, and empties them: those for their e-mail address, and those for their name that
 * made an order of one of their kits.
 */
export async function erasePlans(tx: Tx, { email, name, externalId, kitOrderIds }: PersonToErase): Promise<Erased> {
  const found = await selectPlansFor(tx, email, kitOrderIds, 'update')
  const theirs = found.filter(
    ({ recipient }) =>
      recipient !== null &&
      (isSame(recipient.email, email) || isSame(`${recipient.firstName} ${recipient.lastName}`, name)),
  )
  for (const plan of theirs) {
    // The business's own number of a plan stays, unless it is the person's.
    const ownId = plan.externalId === externalId ? null : plan.externalId
    const emptied = { ...plan, recipient: null, externalId: ownId }
    if (plan.status === 'ended') await updatePlan(tx, emptied)
    else await endPlan(tx, emptied, 'erased')
  }
  return {
    counts: { plans: theirs.length },
    records: theirs.map(({ recipient }) => ({ ...recipient })),
    underHold: theirs.map(({ id, recipient, createdAt }) => ({
      source: 'plan',
      recordedAt: createdAt,
      record: { plan: id, recipient },
    })),
  }
}

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
