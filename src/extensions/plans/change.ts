import * as audit from '../../modules/audit/service.ts'
import { mergeLines, recipientOf } from '../../modules/orders/request.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import { insertSkipped, selectLastDate, selectOccurrence } from './occurrence-queries.ts'
import { type PlanRow, updatePlan } from './queries.ts'
import { dueAt, nextDate, passedAt, planTime, problemOfNext, realTime } from './rules.ts'
import type { ChangePlan } from './schema.ts'
import { checkOrderable, endPlan, illegal, lockPlan } from './service.ts'

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION, KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED, VALIDATION_FAILED */
export async function change(tx: Tx, id: string, body: ChangePlan): Promise<void> {
  const plan = await lockPlan(tx, id)
  const fields = Object.entries(body).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  if (fields.length === 0) refuse([{ message: 'Send what is to change' }])
  if (body.recipient && body.address) refuse([{ message: 'Send either recipient or address', path: 'address' }])
  const changed = await withNext(tx, { ...plan, ...changedFields(plan, body) }, body)
  if (body.kit_types || body.recipient || body.address) await checkOrderable(tx, changed)
  await updatePlan(tx, changed)
  await audit.record(tx, [{ action: 'plan.changed', objectType: 'plan', objectId: id, details: { fields } }])
}

function changedFields(plan: PlanRow, { recipient, address, kit_types }: ChangePlan): Partial<PlanRow> {
  const whom = recipient ? recipientOf(recipient) : plan.recipient
  return {
    recipient: whom && address ? { ...whom, address } : whom,
    items: kit_types ? mergeLines(kit_types) : plan.items,
  }
}

/** The plan with the dates that were asked for. A date that could not be placed and is left behind is skipped. */
async function withNext(tx: Tx, plan: PlanRow, { every, nextDate: wantedDate }: ChangePlan): Promise<PlanRow> {
  const next = nextDate(plan)
  if (wantedDate !== undefined && wantedDate !== next) {
    const problem = problemOfNext(wantedDate, planTime(plan, tx.now), await selectLastDate(tx, plan.id))
    if (problem) refuse([{ message: problem, path: 'nextDate' }])
    if (await selectOccurrence(tx, plan.id, next)) await insertSkipped(tx, plan.id, [next], 'requested')
    return scheduled({ ...plan, every: every ?? plan.every, countedFrom: wantedDate, nextIndex: 0 })
  }
  // Counted from the next date: those after it have the new distance.
  return every ? { ...plan, every, countedFrom: next, nextIndex: 0 } : plan
}

/** The plan with the time when its next order is due; never while it is paused. */
export const scheduled = (plan: PlanRow): PlanRow => ({
  ...plan,
  dueAt: plan.status === 'active' ? realTime(plan, dueAt(nextDate(plan))) : null,
})

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function pause(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  if (plan.status === 'paused') throw illegal('The plan is paused already', plan)
  await updatePlan(tx, { ...plan, status: 'paused', dueAt: null })
  await audit.record(tx, [{ action: 'plan.paused', objectType: 'plan', objectId: id }])
}

/** Goes on with the first date from today on; those before it are skipped. @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function resume(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  if (plan.status === 'active') throw illegal('The plan is not paused', plan)
  const { dates, index } = passedAt(plan, planTime(plan, tx.now))
  await insertSkipped(tx, id, dates, 'paused')
  await updatePlan(tx, scheduled({ ...plan, status: 'active', nextIndex: index }))
  await audit.record(tx, [{ action: 'plan.resumed', objectType: 'plan', objectId: id }])
}

/** Leaves the next date out. It does not count as one of `times`. @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function skip(tx: Tx, id: string): Promise<void> {
  const plan = await lockPlan(tx, id)
  const date = nextDate(plan)
  await insertSkipped(tx, id, [date], 'requested')
  await updatePlan(tx, scheduled({ ...plan, nextIndex: plan.nextIndex + 1 }))
  await audit.record(tx, [{ action: 'plan.skipped', objectType: 'plan', objectId: id, details: { date } }])
}

/** @throws PLAN_NOT_FOUND, ILLEGAL_TRANSITION */
export async function end(tx: Tx, id: string): Promise<void> {
  await endPlan(tx, await lockPlan(tx, id), 'stopped')
}
