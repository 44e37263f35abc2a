import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { addClockAdvance, selectClockAdvance } from '../businesses/queries.ts'
import * as kits from '../kits/pass-time-queries.ts'
import * as links from '../links/pass-time-queries.ts'
import { passTime as passTopUpTime } from '../payments/top-ups/queries.ts'
import * as plans from '../plans/pass-time-queries.ts'
import { PLACE_PLANS_JOB } from '../plans/place.ts'
import * as portal from '../portal/pass-time-queries.ts'
import * as dataRequests from '../privacy/requests/pass-time-queries.ts'
import * as reminders from '../reminders/pass-time-queries.ts'
import { REMIND_JOB } from '../reminders/send.ts'
import * as criticals from '../reports/critical/pass-time-queries.ts'
import { TELL_CRITICAL_JOB } from '../reports/critical/raise.ts'
import * as shops from '../shops/pass-time-queries.ts'
import { SHOPS_JOB } from '../shops/place.ts'
import * as webhooks from '../webhooks/pass-time-queries.ts'
import { notifyDeliveries } from '../webhooks/queries.ts'
import { durationOf } from './duration-rules.ts'
import type { Advanced, SandboxClock } from './schema.ts'

/** How far the clock of this sandbox was advanced in all. */
export const clock = async (tx: Tx): Promise<SandboxClock> => ({ total: durationOf(await selectClockAdvance(tx)) })

/**
 * Lets `ms` milliseconds pass in this sandbox: each room moves its deadlines, and the dates that an age is counted from, back by
 * so much. What became due is done at once by whoever does it always. Events, audit, credits, tokens and reports stay.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<Advanced> {
  // First: it refuses live, and lets one advance wait for another.
  const total = await addClockAdvance(tx, ms)
  // In one order, kits first as everybody locks them: two transactions at once do not deadlock.
  const due = {
    ...(await kits.passTime(tx, ms)),
    ...(await criticals.passTime(tx, ms)),
    ...(await links.passTime(tx, ms)),
    ...(await portal.passTime(tx, ms)),
    ...(await webhooks.passTime(tx, ms)),
    ...(await plans.passTime(tx, ms)),
    ...(await shops.passTime(tx, ms)),
  }
  await dataRequests.passTime(tx, ms)
  await reminders.passTime(tx, ms)
  await passTopUpTime(tx, ms)
  await notifyDeliveries(tx)
  await tx.enqueue(TELL_CRITICAL_JOB, {})
  await tx.enqueue(REMIND_JOB, {})
  await tx.enqueue(PLACE_PLANS_JOB, {})
  await tx.enqueue(SHOPS_JOB, {})
  const answer = { advanced: durationOf(ms), total: durationOf(total) }
  await audit.record(tx, [
    {
      action: 'sandbox.clock_advanced',
      objectType: 'business',
      objectId: tx.realm.businessId,
      details: answer,
    },
  ])
  return { ...answer, due }
}
