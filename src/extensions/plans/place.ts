import * as audit from '../../modules/audit/service.ts'
import * as emails from '../../modules/emails/service.ts'
import { planOrderFailed } from '../../modules/emails/templates.ts'
import type { NewEvent } from '../../modules/events/service.ts'
import * as events from '../../modules/events/service.ts'
import type { OrderOutcome } from '../../modules/orders/answer.ts'
import { settlePayment } from '../../modules/orders/payment/settle.ts'
import { LOOK_AGAIN_MS, type OneOutcome, placeOne, withoutJob } from '../../modules/orders/place-one.ts'
import { mergeLines, recipientOf } from '../../modules/orders/request.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as queries from './queries.ts'
import { dueAt, missedAt, nextDate, passedAt, planTime, problemOfNext, RETRIES, RETRY_MS, realTime } from './rules.ts'
import type { ChangePlan } from './schema.ts'
import { checkOrderable, endPlan, illegal, lockPlan, orderOf } from './service.ts'

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION, KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED, VALIDATION_FAILED */
export async function change(tx: Tx, id: string, body: ChangePlan): Promise<void> {
  const plan = await lockPlan(tx, id)
  const fields = Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (fields.length === 0) refuse([{ message: 'Send what is to change' }])
  if (body.recipient && body.address) refuse([{ message: 'Send either recipient or address', path: 'address' }])
  const changed = await withNext(tx, { ...plan, ...changedFields(plan, body) }, body)
  if (body.kit_types || body.recipient || body.address) await checkOrderable(tx, changed, body.address && 'address')
  await queries.updatePlan(tx, changed)
  await audit.record(tx, [{ action: 'plan.changed', objectType: 'plan', objectId: id, details: { fields } }])
}

function changedFields(plan: queries.PlanRow, { recipient, address, kit_types }: ChangePlan): Partial<queries.PlanRow> {
  const whom = recipient ? recipientOf(recipient) : plan.recipient
  return {
    recipient: whom && address ? { ...whom, address } : whom,
    items: kit_types ? mergeLines(kit_types) : plan.items,
  }
}

/** The plan with the dates that were asked for. A date that could not be placed and is left behind is skipped. */
async function withNext(
  tx: Tx,
  plan: queries.PlanRow,
  { every, nextDate: wantedDate }: ChangePlan,
): Promise<queries.PlanRow> {
  const next = nextDate(plan)
  if (wantedDate !== undefined && wantedDate !== next) {
    const problem = problemOfNext(wantedDate, planTime(plan, tx.now), await queries.selectLastDate(tx, plan.id))
    if (problem) refuse([{ message: problem, path: 'nextDate' }])
    if (await queries.selectOccurrence(tx, plan.id, next)) await queries.insertSkipped(tx, plan.id, [next], 'requested')
    return scheduled({ ...plan, every: every ?? plan.every, countedFrom: wantedDate, nextIndex: 0 })
  }
  // Counted from the next date: those after it have the new distance.
  return every ? { ...plan, every, countedFrom: next, nextIndex: 0 } : plan
}

/** The plan with the time when its next order is due; never while it is paused. */
const scheduled = (plan: queries.PlanRow): queries.PlanRow => ({
  ...plan,
  dueAt: plan.status === 'active' ? realTime(plan, dueAt(nextDate(plan))) : null,
})

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function pause(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  if (plan.status === 'paused') throw illegal('The plan is paused already', plan)
  await queries.updatePlan(tx, { ...plan, status: 'paused', dueAt: null })
  await audit.record(tx, [{ action: 'plan.paused', objectType: 'plan', objectId: id }])
}

/** Goes on with the first date from today on; those before it are skipped. @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function resume(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  if (plan.status === 'active') throw illegal('The plan is not paused', plan)
  const { dates, index } = passedAt(plan, planTime(plan, tx.now))
  await queries.insertSkipped(tx, id, dates, 'paused')
  await queries.updatePlan(tx, scheduled({ ...plan, status: 'active', nextIndex: index }))
  await audit.record(tx, [{ action: 'plan.resumed', objectType: 'plan', objectId: id }])
}

/** Leaves the next date out. It does not count as one of `times`. @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function skip(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  const date = nextDate(plan)
  await queries.insertSkipped(tx, id, [date], 'requested')
  await queries.updatePlan(tx, scheduled({ ...plan, nextIndex: plan.nextIndex + 1 }))
  await audit.record(tx, [{ action: 'plan.skipped', objectType: 'plan', objectId: id, details: { date } }])
}

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function end(tx: Tx, id: string): Promise<void> {
  await endPlan(tx, await lockPlan(tx, id), 'stopped')
}

/** The job that places what is due. */
export const PLACE_PLANS_JOB = 'plans.place'

/**
 * Places the order of a plan that is due. What decides and what places stand in one transaction that locks the plan, so a date
 * gets one order, however many workers come and whenever they die. A card is charged between two transactions: a worker
 * that comes after a crash finds the payment at the plan and settles that one.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function placeDue(ports: RealmPorts, planId: string): Promise<void> {
  const paymentId = await ports.open((tx) => placeNext(tx, planId))
  if (paymentId === undefined) return
  const outcome = await settlePayment(ports, paymentId)
  await ports.open((tx) => recordCharge(tx, planId, paymentId, outcome))
}

/** Returns the payment to settle, where a card pays. */
async function placeNext(tx: Tx, planId: string): Promise<string | undefined> {
  const found = await queries.selectPlan(tx, planId, 'update')
  if (!found?.dueAt || found.dueAt > tx.now) return undefined
  if (found.paymentId) return found.paymentId
  const plan = await skipMissed(tx, found)
  const ordered = await placeOne(tx, orderOf(plan))
  if (ordered.kind === 'charging') {
    await queries.upsertAttempt(tx, planId, { date: nextDate(plan), status: 'placing' })
    const dueAt = new Date(tx.now.getTime() + LOOK_AGAIN_MS)
    await queries.updatePlan(tx, { ...plan, paymentId: ordered.paymentId, dueAt })
    return ordered.paymentId
  }
  await record(tx, plan, ordered)
  return undefined
}

/** Of several dates that are due only the latest is placed: nobody wants three boxes at once. */
async function skipMissed(tx: Tx, plan: queries.PlanRow): Promise<queries.PlanRow> {
  const { dates, index } = missedAt(plan, planTime(plan, tx.now))
  await queries.insertSkipped(tx, plan.id, dates, 'missed')
  return { ...plan, nextIndex: index }
}

async function recordCharge(tx: Tx, planId: string, paymentId: string, outcome: OrderOutcome): Promise<void> {
  const plan = await queries.selectPlan(tx, planId, 'update')
  // Another worker was faster.
  if (plan?.paymentId !== paymentId) return
  await record(tx, { ...plan, paymentId: null }, withoutJob(outcome))
}

async function record(tx: Tx, plan: queries.PlanRow, outcome: OneOutcome): Promise<void> {
  if (outcome.kind === 'placed') await recordPlaced(tx, plan, outcome.orderIds[0])
  else await recordFailed(tx, plan, outcome.kind === 'declined' ? 'PAYMENT_FAILED' : outcome.code)
}

async function recordPlaced(tx: Tx, plan: queries.PlanRow, orderId: string | undefined): Promise<void> {
  const date = nextDate(plan)
  await queries.upsertAttempt(tx, plan.id, { date, status: 'placed', orderId })
  await audit.record(tx, [
    { action: 'plan.order_placed', objectType: 'plan', objectId: plan.id, details: { date, orderId } },
  ])
  const next = scheduled({ ...plan, placed: plan.placed + 1, nextIndex: plan.nextIndex + 1 })
  if (next.status === 'active' && next.placed === next.times) await endPlan(tx, next, 'completed')
  else await queries.updatePlan(tx, next)
}

/** `retryAt`: when it is tried again; without one the date is skipped. */
const orderFailed = (
  plan: queries.PlanRow,
  { date, code, attempts, retryAt }: { date: string; code: string; attempts: number; retryAt: Date | undefined },
): NewEvent => ({
  type: 'plan.order_failed',
  data: {
    planID: plan.id,
    date,
    code,
    attempts,
    retryDate: retryAt?.toISOString(),
  },
})

/** The date is tried again daily; after the last time it is skipped. */
async function recordFailed(tx: Tx, plan: queries.PlanRow, code: string): Promise<void> {
  const date = nextDate(plan)
  await queries.upsertAttempt(tx, plan.id, { date, status: 'failed', code })
  const attempts = (await queries.selectOccurrence(tx, plan.id, date))?.attempts ?? 1
  const retryAt = attempts <= RETRIES ? new Date(tx.now.getTime() + RETRY_MS) : undefined
  if (!retryAt) await queries.insertSkipped(tx, plan.id, [date], 'failed')
  const next = retryAt ? { ...plan, dueAt: retryAt } : scheduled({ ...plan, nextIndex: plan.nextIndex + 1 })
  // A plan that was ended meanwhile is not tried again.
  await queries.updatePlan(tx, plan.status === 'active' ? next : { ...plan, dueAt: null })
  await events.record(tx, [orderFailed(plan, { date, code, attempts, retryAt })])
  if (attempts === 1 || !retryAt) {
    await emails.queue(tx, [{ content: planOrderFailed(plan.id, date, code, retryAt !== undefined), to: 'business' }])
  }
  await audit.record(tx, [
    { action: 'plan.order_failed', objectType: 'plan', objectId: plan.id, details: { date, code, attempts } },
  ])
}
