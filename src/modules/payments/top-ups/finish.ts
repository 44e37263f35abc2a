import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import * as credits from '../../credits/service.ts'
import { noticeOnce } from '../notices.ts'
import { lockCeiling, selectTopUps, type TopUp, upsertTopUp } from './queries.ts'

// A bank that declines for want of money often accepts the same day; three tries are what card networks tolerate lightly.
const TRIES = 3
const RETRY_MS = 3_600_000

/** Whether that many failures, one after another, switch a top-up off. */
const switchesOff = (failures: number): boolean => failures >= TRIES

/** When a top-up is tried again after a decline. */
const retryAt = (now: Date): Date => new Date(now.getTime() + RETRY_MS)

/** Notes a failed try: the next one comes later, and after three the top-up is off and the administrators are told. */
export async function failTopUp(tx: Tx, topUp: TopUp, reason: string): Promise<void> {
  const failures = topUp.failures + 1
  if (!switchesOff(failures)) {
    return upsertTopUp(tx, { ...topUp, failures, paymentId: null, retryAt: retryAt(tx.now) })
  }
  await switchOff(tx, { ...topUp, failures, paymentId: null }, reason)
}

/** Switches top-ups off, of one kit type or all: the money of a purchase went back. A purchase under way is still settled. */
export async function switchTopUpsOff(tx: Tx, reason: 'disputed' | 'refunded', kitType?: string): Promise<void> {
  await lockCeiling(tx)
  for (const topUp of await selectTopUps(tx))
    if (topUp.isOn && (kitType === undefined || topUp.kitType === kitType)) await switchOff(tx, topUp, reason)
}

async function switchOff(tx: Tx, topUp: TopUp, reason: string): Promise<void> {
  const { kitType } = topUp
  await upsertTopUp(tx, { ...topUp, retryAt: null, isOn: false, offReason: reason })
  await credits.setTopUpBelow(tx, kitType, null)
  await audit.record(tx, [
    { action: 'top_up.switched_off', objectType: 'credits', objectId: kitType, details: { reason } },
  ])
  const type = publicKitType(kitType)
  await noticeOnce(tx, 'top_up_off', `${type} ${tx.now.toISOString()}`, { kitType: type, reason })
}
