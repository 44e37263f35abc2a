import type { ShopPort } from '../../domain/ports.ts'
import type { Egress } from './client.ts'
import { EgressError } from './errors.ts'

const TIMEOUT_MS = 15_000
// An order of 100 lines with all its parcels is a tenth of it.
const MAX_BYTES = 1024 * 1024

/** Calls shops, at any public address. */
export function shopCaller(egress: Egress): ShopPort {
  return async (call) => {
    const answer = await egress.request({
      ...call,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
      policy: 'public',
    })
    if (answer.truncated) throw new EgressError('TOO_LARGE', { status: answer.status })
    return { status: answer.status, body: answer.body.toString(), retryAfter: answer.headers['retry-after'] }
  }
}
