import type { WorldClient } from './client.ts'
import { kitsOf, type Lived } from './model.ts'
import type { WorldPlan } from './plan.ts'
import type { Stack } from './stack.ts'

const states = ['unrouted', 'queued', 'sent', 'accepted', 'refused', 'canceled', 'completed', 'closed']

/** What a world has lived through, by kind. */
export async function figuresOf(
  stack: Stack,
  client: WorldClient,
  plan: WorldPlan,
  lives: readonly Lived[],
): Promise<Record<string, number>> {
  const kits = lives.flatMap(kitsOf)
  const boxes = lives.flatMap((one) => one.boxes)
  const count = (is: (kit: (typeof kits)[number]) => unknown) => kits.filter(is).length
  const figures: Record<string, number> = {
    people: lives.length,
    'people registered': lives.filter(({ customerId }) => customerId !== undefined).length,
    orders: lives.reduce((sum, { orders }) => sum + orders.length, 0),
    kits: kits.length,
    'boxes that did not arrive': count(({ trouble }) => trouble),
    'boxes sent again': lives.filter(({ plan: { trouble }, ...one }) => trouble?.remedy === 'again' && one.parcels > 1)
      .length,
    'sealed boxes': boxes.length,
    'sealed boxes on kits': boxes.filter(({ state }) => state === 'bound').length,
    'retail kits claimed': lives
      .filter(({ plan: { box } }) => box === 'retail')
      .flatMap(kitsOf)
      .filter(({ serial, isRegistered }) => serial && isRegistered).length,
    'samples on hold': count(({ hold }) => hold),
    'holds mended': count(({ hold }) => hold?.state === 'released'),
    'holds discarded': count(({ hold }) => hold?.state === 'discarded'),
    'recalled kits': count(({ recall }) => recall),
    'recalled kits whose people were told': count(({ recall }) => recall?.done.includes('told')),
    replacements: count(({ replacementFor }) => replacementFor),
  }
  for (const state of states) {
    const { body } = await client.operator('GET', `/lab-orders?size=1&state=${state}`)
    figures[`orders to laboratories ${state}`] = body.pagination.total
  }
  const { messages, repeated, faults } = stack.laboratory
  return {
    ...figures,
    'messages to laboratories': messages,
    'of them again': repeated,
    'faults of laboratories': Object.values(faults).reduce((sum, one) => sum + one, 0),
    'faults of the service': plan.faults.length,
  }
}
