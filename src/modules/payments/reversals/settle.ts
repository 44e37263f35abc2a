import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import { selectReversal, updateSettled, type WaitingRow } from './queries.ts'

/**
 * Notes what a person decided about credits that were spent before their payment was given back.
 * @throws BUSINESS_NOT_FOUND, REVERSAL_NOT_FOUND, ILLEGAL_TRANSITION where none wait
 */
export async function settleWaiting(
  tx: SystemTx,
  { businessId, id, reason }: { businessId: string; id: string; reason: string },
): Promise<WaitingRow> {
  const { id: business } = await businesses.find(tx, businessId)
  const find = async () => {
    const found = await selectReversal(tx, business, id)
    if (!found) throw new AppError('REVERSAL_NOT_FOUND', sentence('There is no such refund or dispute'))
    return found
  }
  const { realm, paymentId, creditsWaiting } = await find()
  const own = within(tx, realm)
  if ((await updateSettled(own, id, reason)) === 0)
    throw new AppError('ILLEGAL_TRANSITION', sentence('No credits of this refund or dispute wait'), {
      extra: { current: 'settled', allowed: [] },
    })
  const details = { reversal: id, creditsWaiting, reason }
  await audit.record(own, [{ action: 'payment.credits_settled', objectType: 'payment', objectId: paymentId, details }])
  return find()
}
