import { compareKit, type Shown } from '../lab-orders/compare.ts'
import { pagesOf, SIZE } from './check-orders.ts'
import type { WorldClient } from './client.ts'
import { kitsOf, type Lived, type LivedKit } from './model.ts'
import type { Stack } from './stack.ts'

const EVERY = 5

/** Compares the orders that Kitlane says it gave the laboratory with the book of the laboratory, and both with what happened. */
export async function checkLab(stack: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  const listed: Shown[] = await pagesOf(
    async (page) => (await client.operator('GET', `/lab-orders?size=${SIZE}&page=${page}`)).body.data,
  )
  const shown = new Map(listed.map((one) => [one.kitID, one]))
  if (shown.size !== listed.length) wrong.push('the list of orders to laboratories repeats some')
  const book = Map.groupBy(stack.laboratory.orders, ([, { kitId }]) => kitId)
  const said = await lastSaid(stack, client)
  let index = 0
  for (const lived of lives.filter(({ plan }) => plan.mode === 'live')) {
    for (const kit of kitsOf(lived)) {
      const one = shown.get(kit.id)
      const orders = new Map(book.get(kit.id))
      shown.delete(kit.id)
      book.delete(kit.id)
      const problems = problemsOf(lived, kit, one, orders)
      if (one?.state !== said.get(kit.id)) problems.push(`the feed says ${said.get(kit.id)}`)
      if (one && index++ % EVERY === 0) {
        const { body } = await client.business(lived.realm, 'GET', `/kits/${kit.id}/lab-order`)
        if (body.state !== one.state || body.placerNumber !== one.placerNumber)
          problems.push(`its business sees ${JSON.stringify(body)}`)
      }
      if (problems.length > 0)
        wrong.push(
          `${lived.plan.name}, ${kit.stage}: its order to the laboratory: ${problems.join(', ')}: ${JSON.stringify([one, ...orders])}`,
        )
    }
  }
  for (const kitId of shown.keys()) wrong.push(`an order to a laboratory of ${kitId}, which nobody registered`)
  for (const kitId of book.keys()) wrong.push(`the laboratory has an order of ${kitId}, which nobody registered`)
  if (stack.laboratory.changedTexts > 0)
    wrong.push(`${stack.laboratory.changedTexts} messages came again as another text`)
  return wrong
}

/** By kit: the state that its business heard of last. */
async function lastSaid(stack: Stack, client: WorldClient): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  for (const { name } of stack.realms.values()) {
    let after: string | undefined
    for (let hasMore = true; hasMore; ) {
      const path = `/events?size=${SIZE}&type=lab_order.updated${after ? `&after=${after}` : ''}`
      const { body } = await client.business(name, 'GET', path)
      for (const { id, data } of body.data) {
        after = id
        said.set(data.kitID, data.state)
      }
      hasMore = body.hasMore
    }
  }
  return said
}

function problemsOf(
  { plan, born }: Lived,
  kit: LivedKit,
  shown: Shown | undefined,
  orders: Parameters<typeof compareKit>[2],
): string[] {
  if (!kit.isOrdered) return shown || orders.size > 0 ? ['nobody wanted it'] : []
  if (!shown) return ['lost']
  const isErased = kit.stage === 'erased' && !kit.isComplete
  const isEnded = kit.stage === 'rejected' || isErased
  const hasResults = ['reported', 'published', 'corrected'].includes(kit.stage)
  // Of a recalled sample that has results none is rejected.
  const isWanted = kit.stage !== 'withdrawn' && (kit.recall === undefined || hasResults)
  if (!kit.isComplete && !isEnded) {
    const known = { kitID: kit.id, line: plan.line, dateOfBirth: born, isWanted, hasResults }
    return compareKit(known, shown, orders)
  }
  const standing = [...orders].filter(([, { isOver }]) => isOver === undefined)
  const problems: string[] = []
  if (standing.length > 1 || [...orders.values()].some(({ placedBy }) => placedBy.length > 1)) problems.push('doubled')
  if (kit.isComplete && shown.state !== 'completed') problems.push('not completed')
  if (kit.isComplete && standing[0]?.[0] !== shown.placerNumber) problems.push('of another number')
  // What the laboratory had is closed with the sample; what it never took, or takes back, is canceled.
  const isClosed = shown.state === 'closed' || shown.state === 'canceled' || shown.attention === 'cancelRefused'
  if (isEnded && !isClosed) problems.push('not ended')
  if (shown.state === 'canceled' && standing.length > 0) problems.push('it stands')
  return problems
}
