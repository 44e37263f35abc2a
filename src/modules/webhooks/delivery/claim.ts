import type { SystemTx } from '../../../platform/database/tx.ts'
import { type Claimed, type ClaimOptions, claimOrdinary } from './claim-queries.ts'
import { claimPaced, lockPaced } from './paced-queries.ts'

// Endpoints with an order or a limit get at least so many, however much is due for the others.
const PACED_SHARE = 64

/** Claims what is due. Most installations have no endpoint with an order or a limit, and pay one small statement for them. */
export async function claimDeliveries(tx: SystemTx, options: ClaimOptions): Promise<Claimed[]> {
  const [paced, ordinary] = await Promise.all([lockPaced(tx, options), claimOrdinary(tx, options)])
  if (paced.length === 0) return ordinary
  const limit = Math.max(options.limit - ordinary.length, PACED_SHARE)
  return [...ordinary, ...(await claimPaced(tx, paced, { ...options, limit }))]
}
