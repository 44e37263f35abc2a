import { settled, type Tx } from '../../platform/database/tx.ts'
import type { GroupCommit, MemberOutcome } from '../../platform/http/group-commit.ts'
import type { ChargeStarted } from '../payments/start.ts'
import { answerOf, type OrderOutcome } from './answer.ts'
import { acceptJob } from './bulk/accept.ts'
import { decideRequests } from './decision.ts'
import { payRequestByCard } from './payment/pay-request.ts'
import { placeDecided } from './placement.ts'
import type { PlacementLocks } from './placement-locks.ts'
import type { OrderRequest } from './request.ts'
import { lockTerms } from './terms.ts'

/** A request in a group, with the headers of its answer. */
export interface GroupedRequest {
  request: OrderRequest
  headers: Record<string, string>
}

/** Orders of all businesses that arrive at the same time, in one transaction (docs/placement.md). */
export const orderGroup: GroupCommit<GroupedRequest, PlacementLocks> = {
  role: 'placement',
  weightOf: ({ request }) => request.orders.length,
  inOrder: true,
  async open(tx, members, ahead) {
    const realmRequests = members.map(({ realm, input: { request } }) => ({ realm, request }))
    const terms = await lockTerms(tx, realmRequests, ahead)
    return async (fresh) => {
      const claimed = settled(fresh.length > 0 ? terms.locks.claim(tx) : [])
      // It may fail while e-mails are still being queued: the caller that awaits the writes gets the error.
      claimed.catch(() => undefined)
      const requests = fresh.map(({ realm, actor, input }) => ({ realm, actor, ...input }))
      const decided = decideRequests(requests, terms)
      const placing = placeDecided(tx, decided, terms)
      // A lost claim makes what comes after it fail, too: it is the reason.
      const { results, writes } = await placing.catch((err) => claimed.then(() => Promise.reject(err)))
      const outcomes = results.map(({ request, headers, decision, placed }): MemberOutcome => {
        if (decision.kind === 'refuse') return { refusal: decision.error }
        return placed ? { answer: { ...answerOf(placed, request.isBulk), headers } } : 'alone'
      })
      return { outcomes, writes: [claimed, ...writes], leaves: terms.locks }
    }
  },
}

/**
 * Decides once how the whole request is paid and places all of it, or nothing; 20 rows or more become a job. It is a
 * group of one. `idempotencyKey` is the caller's, whose answer waits where a card has to be charged first.
 * @throws KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED, NOT_ENOUGH_CREDITS, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED
 */
export async function createOrders(
  tx: Tx,
  request: OrderRequest,
  idempotencyKey?: string,
): Promise<OrderOutcome | ChargeStarted> {
  const { realm, actor } = tx
  const requests = [{ realm, actor, request }]
  const terms = await lockTerms(tx, requests)
  const decided = decideRequests(requests, terms)
  const { results, writes } = await placeDecided(tx, decided, terms)
  await Promise.all(writes)
  const [result] = results
  if (!result) throw new Error('a request got no decision')
  const { decision, placed } = result
  const { prices } = terms.of(realm.id)
  if (placed) return placed
  if (decision.kind === 'refuse') throw decision.error
  if (decision.kind === 'charge') return payRequestByCard(tx, request, { decision, prices, idempotencyKey })
  const { method } = decision
  const payment = method === 'credits' ? { method, balances: terms.locks.balances } : { method }
  return acceptJob(tx, request.orders, { payment, prices: prices.units })
}
