import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { publicKitType } from '../../catalogue/kit-type.ts'
import * as credits from '../../credits/service.ts'
import { requestTopUps } from '../../credits/top-up-request.ts'
import { noticeOnce } from '../notices.ts'
import { lockCeiling, selectTopUpForUpdate, selectTopUps, type TopUp, upsertTopUp } from './queries.ts'
import { retryAt, switchesOff } from './rules.ts'

/** The top-up that made a payment, locked; undefined where it no longer waits for it. */
export async function lockTopUpOf(tx: Tx, paymentId: string, kitType: string): Promise<TopUp | undefined> {
  const topUp = await selectTopUpForUpdate(tx, kitType)
  return topUp?.paymentId === paymentId ? topUp : undefined
}

/** Ends one purchase of a top-up. Paid: another may follow, at once if the balance is still low. Declined: see `failTopUp`. */
export async function finishTopUp(
  tx: Tx,
  topUp: TopUp,
  result: { balance: number } | { declined: string },
): Promise<void> {
  if ('declined' in result) return failTopUp(tx, topUp, result.declined)
  await upsertTopUp(tx, { ...topUp, paymentId: null, failures: 0, retryAt: null })
  const { kitType, below, isOn } = topUp
  if (isOn && result.balance < below) await requestTopUps(tx, [{ realm: tx.realm, kitType }])
}

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
