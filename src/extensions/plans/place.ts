import * as audit from '../../modules/audit/service.ts'
import * as emails from '../../modules/emails/service.ts'
import { planOrderFailed } from '../../modules/emails/templates.ts'
import type { NewEvent } from '../../modules/events/service.ts'
import * as events from '../../modules/events/service.ts'
import type { OrderOutcome } from '../../modules/orders/answer.ts'
import { settlePayment } from '../../modules/orders/payment/settle.ts'
import { LOOK_AGAIN_MS, type OneOutcome, placeOne, withoutJob } from '../../modules/orders/place-one.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { scheduled } from './change.ts'
import { insertSkipped, selectOccurrence, upsertAttempt } from './occurrence-queries.ts'
import { type PlanRow, selectPlan, updatePlan } from './queries.ts'
import { missedAt, nextDate, planTime, RETRIES, RETRY_MS } from './rules.ts'
import { endPlan, orderOf } from './service.ts'

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
  const found = await selectPlan(tx, planId, 'update')
  if (!found?.dueAt || found.dueAt > tx.now) return undefined
  if (found.paymentId) return found.paymentId
  const plan = await skipMissed(tx, found)
  const ordered = await placeOne(tx, orderOf(plan))
  if (ordered.kind === 'charging') {
    await upsertAttempt(tx, planId, { date: nextDate(plan), status: 'placing' })
    const dueAt = new Date(tx.now.getTime() + LOOK_AGAIN_MS)
    await updatePlan(tx, { ...plan, paymentId: ordered.paymentId, dueAt })
    return ordered.paymentId
  }
  await record(tx, plan, ordered)
  return undefined
}

/** Of several dates that are due only the latest is placed: nobody wants three boxes at once. */
async function skipMissed(tx: Tx, plan: PlanRow): Promise<PlanRow> {
  const { dates, index } = missedAt(plan, planTime(plan, tx.now))
  await insertSkipped(tx, plan.id, dates, 'missed')
  return { ...plan, nextIndex: index }
}

async function recordCharge(tx: Tx, planId: string, paymentId: string, outcome: OrderOutcome): Promise<void> {
  const plan = await selectPlan(tx, planId, 'update')
  // Another worker was faster.
  if (plan?.paymentId !== paymentId) return
  await record(tx, { ...plan, paymentId: null }, withoutJob(outcome))
}

async function record(tx: Tx, plan: PlanRow, outcome: OneOutcome): Promise<void> {
  if (outcome.kind === 'placed') await recordPlaced(tx, plan, outcome.orderIds[0])
  else await recordFailed(tx, plan, outcome.kind === 'declined' ? 'PAYMENT_FAILED' : outcome.code)
}

async function recordPlaced(tx: Tx, plan: PlanRow, orderId: string | undefined): Promise<void> {
  const date = nextDate(plan)
  await upsertAttempt(tx, plan.id, { date, status: 'placed', orderId })
  await audit.record(tx, [
    { action: 'plan.order_placed', objectType: 'plan', objectId: plan.id, details: { date, orderId } },
  ])
  const next = scheduled({ ...plan, placed: plan.placed + 1, nextIndex: plan.nextIndex + 1 })
  if (next.status === 'active' && next.placed === next.times) await endPlan(tx, next, 'completed')
  else await updatePlan(tx, next)
}

/** `retryAt`: when it is tried again; without one the date is skipped. */
const orderFailed = (
  plan: PlanRow,
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
async function recordFailed(tx: Tx, plan: PlanRow, code: string): Promise<void> {
  const date = nextDate(plan)
  await upsertAttempt(tx, plan.id, { date, status: 'failed', code })
  const attempts = (await selectOccurrence(tx, plan.id, date))?.attempts ?? 1
  const retryAt = attempts <= RETRIES ? new Date(tx.now.getTime() + RETRY_MS) : undefined
  if (!retryAt) await insertSkipped(tx, plan.id, [date], 'failed')
  const next = retryAt ? { ...plan, dueAt: retryAt } : scheduled({ ...plan, nextIndex: plan.nextIndex + 1 })
  // A plan that was ended meanwhile is not tried again.
  await updatePlan(tx, plan.status === 'active' ? next : { ...plan, dueAt: null })
  await events.record(tx, [orderFailed(plan, { date, code, attempts, retryAt })])
  if (attempts === 1 || !retryAt) {
    await emails.queue(tx, [{ content: planOrderFailed(plan.id, date, code, retryAt !== undefined), to: 'business' }])
  }
  await audit.record(tx, [
    { action: 'plan.order_failed', objectType: 'plan', objectId: plan.id, details: { date, code, attempts } },
  ])
}
