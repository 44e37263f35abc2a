import type { Caller } from '../../test/harness/caller.ts'
import type { Figure } from '../record.ts'
import { type FaultyLaboratory, type PlacedOrder, REASONS } from './laboratory.ts'
import type { Kit } from './run.ts'

/** What Kitlane says of the order of a kit. */
export interface Shown {
  kitID: string
  placerNumber: string
  fillerNumber?: string
  state: string
  pending?: string
  attention?: string
  reason?: string
  laboratory?: { name: string }
}

const wrongs = {
  lost: 'orders lost: the laboratory has none, and did not refuse it',
  doubled: 'orders doubled',
  unwanted: 'canceled orders that stand, and nobody was told',
  disagreeing: 'orders whose state is not that of the laboratory',
  outdated: 'orders whose date of birth is not the one registered last, and nobody was told',
  unexplained: 'orders that wait for a person without the reason of the laboratory',
  unfinished: 'orders left half-way',
} as const
type Wrong = keyof typeof wrongs

/** Compares each kit with the laboratory. */
export async function compare(
  kits: readonly Kit[],
  { operator, laboratory }: { operator: Caller; laboratory: FaultyLaboratory },
): Promise<Figure[]> {
  const counts = Object.fromEntries(Object.keys(wrongs).map((name) => [name, 0])) as Record<Wrong, number>
  const ofKit = Map.groupBy(laboratory.orders, ([, { kitId }]) => kitId)
  const shown: Shown[] = []
  for (const kit of kits) {
    const reply = await operator.get(`/lab-orders/${kit.kitID}`)
    const said: Shown = reply.status === 200 ? reply.body : { kitID: kit.kitID, state: 'missing', placerNumber: '' }
    shown.push(said)
    for (const wrong of compareKit(kit, said, new Map(ofKit.get(kit.kitID)))) {
      counts[wrong]++
      console.log(`  ${wrong}: ${JSON.stringify({ kit, said, orders: ofKit.get(kit.kitID) })}`)
    }
  }
  const number = (what: (one: Shown) => boolean) => shown.filter(what).length
  return [
    { name: 'kits', actual: kits.length },
    { name: 'orders at the laboratory', actual: laboratory.orders.size },
    { name: 'messages sent', actual: laboratory.messages },
    { name: 'messages that came again', actual: laboratory.repeated, expected: 1, atLeast: true },
    { name: 'orders refused', actual: number(({ state }) => state === 'refused') },
    { name: 'orders canceled', actual: number(({ state }) => state === 'canceled') },
    { name: 'cancellations refused', actual: number(({ attention }) => attention === 'cancelRefused') },
    { name: 'orders placed anew', actual: kits.filter(({ isAgreedAgain }) => isAgreedAgain).length },
    { name: 'corrections of a date of birth', actual: kits.reduce((sum, { corrections }) => sum + corrections, 0) },
    ...Object.entries(laboratory.faults).map(([name, actual]) => ({ name: `answers ${name}`, actual })),
    ...Object.entries(wrongs).map(([wrong, name]) => ({ name, actual: counts[wrong as Wrong], expected: 0 })),
    { name: 'messages that came again as another text', actual: laboratory.changedTexts, expected: 0 },
    { name: 'cancellations of orders that never arrived', actual: laboratory.unknownOrders },
  ]
}

/** What is wrong with the order of a kit that has not all of its results yet. */
export function compareKit(
  kit: Pick<Kit, 'kitID' | 'line' | 'dateOfBirth' | 'isWanted'> & { hasResults?: boolean },
  said: Shown,
  orders: ReadonlyMap<string, PlacedOrder>,
): Wrong[] {
  const standing = [...orders].filter(([, { isOver }]) => isOver === undefined)
  const [[placer, order] = []] = standing
  const last = orders.get(said.placerNumber)
  const { state, attention, reason } = said
  const found: Wrong[] = []
  // Taken back before the laboratory answered, and then not canceled: nobody but the laboratory knows whether it stands.
  const isAsked = state === 'sent' && (attention === 'cancelRefused' || attention === 'changeRefused')
  if (said.pending || (['queued', 'unrouted', 'sent'].includes(state) && !isAsked)) found.push('unfinished')
  if (standing.length > 1 || [...orders.values()].some(({ placedBy }) => placedBy.length > 1)) found.push('doubled')
  if (!order) {
    if (kit.isWanted && last?.isOver !== 'refused') found.push('lost')
    if (!isAsked && state !== (kit.isWanted ? 'refused' : 'canceled')) found.push('disagreeing')
    if (state === 'refused' && (attention !== 'refused' || reason !== REASONS.NW)) found.push('unexplained')
    return found
  }
  if (!kit.isWanted && !(order.refusedCancel && attention === 'cancelRefused')) found.push('unwanted')
  const isSame = placer === said.placerNumber && said.laboratory?.name === `Laboratory ${order.line}`
  // Results that come before the answer are the answer, without the number of the laboratory.
  const isNumbered = said.fillerNumber === `F${placer}` || (kit.hasResults && said.fillerNumber === undefined)
  const isKnown = order.line === kit.line && isNumbered
  if (!isAsked && (state !== 'accepted' || !isSame || !isKnown)) found.push('disagreeing')
  // Wanted again while it could not be canceled, it stands for whom it was ordered: a person agrees on it with the laboratory.
  const isTold =
    (order.refusedChange && attention === 'changeRefused') || (order.refusedCancel && attention === 'cancelRefused')
  if (kit.isWanted && kit.dateOfBirth !== order.dateOfBirth && !isTold) found.push('outdated')
  if (attention && reason !== (attention === 'cancelRefused' ? REASONS.CA : REASONS.XO)) found.push('unexplained')
  if (order.refusedChange && !attention) found.push('unexplained')
  return found
}
