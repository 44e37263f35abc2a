import type { Actor, GroupTx, Queries, Realm } from '../../platform/database/tx.ts'
import type { Together, TogetherVerdict } from '../../platform/http/group-commit.ts'
import { answerOf } from './answer.ts'
import { decide, type Left, leftOf, type Verdict } from './decision.ts'
import { type Books, type Placement, startPlacing } from './placement.ts'
import type { OrderRequest } from './request.ts'
import { openTerms, type TermsOf } from './terms.ts'

export interface Request {
  realm: Realm
  actor: Actor
  request: OrderRequest
}

export interface Placed {
  orderIds: string[]
  pending: boolean
}

export interface Intake {
  /** One for each request: what was decided, and the orders where it is placed. */
  verdicts: { verdict: Verdict; placed?: Placed }[]
  /** Queued, and still to be awaited. */
  writes: Promise<unknown>[]
}

/**
 * Decides requests of any realms in order of arrival, each by itself with what those before it have left, and places those
 * that can be placed now. One request is a group of one: there is no other way in.
 */
export async function takeIn(
  tx: Queries,
  requests: readonly Request[],
  { termsOf, books }: { termsOf: TermsOf; books: Books },
): Promise<Intake> {
  const lefts = new Map<number, Left>()
  const leftIn = (realmId: number) => {
    const left = lefts.get(realmId) ?? leftOf((kitType) => books.balances.find(realmId, kitType))
    lefts.set(realmId, left)
    return left
  }
  const placements: Placement[] = []
  const decided = requests.map(({ realm, actor, request }) => {
    const terms = termsOf(realm.id)
    const verdict = decide(request, terms, leftIn(realm.id))
    if (verdict.kind !== 'place') return { verdict, from: 0, count: 0 }
    const { price } = terms.prices
    const payment = verdict.method === 'credits' ? { method: verdict.method } : { method: verdict.method, price }
    const from = placements.length
    placements.push(...request.orders.map((order) => ({ realm, actor, order, payment })))
    return { verdict, from, count: request.orders.length }
  })
  const { ids, writes } = await startPlacing(tx, placements, books)
  const verdicts = decided.map(({ verdict, from, count }) =>
    verdict.kind === 'place'
      ? { verdict, placed: { orderIds: ids.slice(from, from + count), pending: verdict.method === 'later' } }
      : { verdict },
  )
  return { verdicts, writes }
}

/** A request in a group, with the headers of its answer. */
export interface GroupedRequest {
  request: OrderRequest
  headers: Record<string, string>
}

/** Placing orders for callers of all businesses together (docs/placement.md). */
export const intake: Together<GroupedRequest> = {
  role: 'placement',
  async open(tx: GroupTx, members) {
    const terms = await openTerms(
      tx,
      members.map(({ realm, asked }) => ({ realm, request: asked.request })),
    )
    return async (fresh) => {
      const requests = fresh.map(({ realm, actor, asked }) => ({ realm, actor, request: asked.request }))
      const { verdicts, writes } = await takeIn(tx, requests, terms)
      const answers = verdicts.map(({ verdict, placed }, index): TogetherVerdict => {
        const member = fresh[index]
        if (verdict.kind === 'refuse') return { refusal: verdict.error }
        if (!placed || !member) return 'apart'
        const { request, headers } = member.asked
        return { answer: { ...answerOf({ kind: 'placed', ...placed }, request.isBulk), headers } }
      })
      return { verdicts: answers, writes }
    }
  },
}
