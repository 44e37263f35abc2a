import type { TimelineItem } from '../kits/timeline.ts'
import type { Happened } from './order-page-schema.ts'

interface OfKit {
  kitId: string
  items: readonly TimelineItem[]
}

const ofOrder = { 'order.updated': 'addressCorrected', 'order.canceled': 'orderCanceled' } as const

/** What happened to an order and its kits, newest first. What happened to several kits at once, in the same way, is told once. */
export function happenedOf(
  kits: readonly OfKit[],
  events: readonly { type: string; at: Date }[],
  { createdDate }: { createdDate: string },
): Happened[] {
  const told = kits.flatMap(({ kitId, items }) =>
    items
      .filter(({ type }) => type !== 'orderPlaced')
      .map(({ type, at, by, reason, report }) => ({ kitId, what: { type, at, by, reason, report } })),
  )
  const groups = Map.groupBy(told, ({ what }) => JSON.stringify(what))
  const ofKits = [...groups.values()].flatMap((group): Happened[] => {
    const [first] = group
    if (!first) return []
    return [{ ...first.what, kits: group.length, ...(group.length === 1 && { kitID: first.kitId }) }]
  })
  const ofIt = events.flatMap(({ type, at }): Happened[] => {
    const word = ofOrder[type as keyof typeof ofOrder]
    return word ? [{ type: word, at: at.toISOString() }] : []
  })
  // Of what happened at the same moment, the later step is above the earlier one.
  return [{ type: 'orderPlaced', at: createdDate } satisfies Happened, ...ofIt, ...ofKits]
    .map((one, index) => ({ one, index }))
    .sort((a, b) => Date.parse(b.one.at) - Date.parse(a.one.at) || b.index - a.index)
    .map(({ one }) => one)
}
