import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import type { NewEvent } from '../../modules/events/service.ts'
import type { PlanRow } from './queries.ts'
import { nextDate } from './rules.ts'

export const planCreated = (plan: PlanRow): NewEvent => ({
  type: 'plan.created',
  data: {
    planID: plan.id,
    createdDate: plan.createdAt.toISOString(),
    nextDate: nextDate(plan),
    items: plan.items.map(({ kitType, quantity }) => ({ kitType: publicKitType(kitType), quantity })),
  },
})

/** `retryAt`: when it is tried again; without one the date is skipped. */
export const orderFailed = (
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

export const planEnded = (plan: PlanRow, now: Date): NewEvent => ({
  type: 'plan.ended',
  data: {
    planID: plan.id,
    endedBy: plan.endedBy,
    endedDate: now.toISOString(),
  },
})
