import { publicKitType } from '../../modules/catalogue/kit-type.ts'
import type { OccurrenceRow } from './occurrence-queries.ts'
import type { PlanRow } from './queries.ts'
import { dueAt, nextDate, realTime, upcoming } from './rules.ts'
import type { Plan, PlanDetail } from './schema.ts'

/** The value, or nothing where the database has null. */
const given = <T>(value: T | null): T | undefined => value ?? undefined

export function toPlan(row: PlanRow): Plan {
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

export function toDetail(row: PlanRow, occurrences: readonly OccurrenceRow[]): PlanDetail {
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
