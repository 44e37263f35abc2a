import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as businesses from '../businesses/service.ts'
import { putSecondFactorRequired, selectSecondFactorRequired } from './sign-in-policy-queries.ts'

export interface SignInPolicy {
  secondFactorRequired: boolean
}

/** What a business demands of its members when they sign in. */
export const findSignInPolicy = async (tx: SystemTx & Tx): Promise<SignInPolicy> => ({
  secondFactorRequired: (await selectSecondFactorRequired(tx, tx.realm.businessId)) ?? false,
})

/** Changes it; it counts at the next request of each member. */
export async function changeSignInPolicy(tx: SystemTx & Tx, change: SignInPolicy): Promise<SignInPolicy> {
  const { businessId } = tx.realm
  await putSecondFactorRequired(tx, businessId, change.secondFactorRequired)
  const { live } = await businesses.realmsOf(tx, businessId)
  const entry = {
    action: 'sign_in_policy.changed' as const,
    objectType: 'business',
    objectId: businessId,
    details: { ...change },
  }
  await audit.record(within(tx, live), [entry])
  return change
}
