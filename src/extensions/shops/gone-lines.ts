import { itemOf, type ShopLine, type ShopOrder, wanted } from './rules.ts'
import type { ShopItem } from './schema.ts'

export interface LeftKit {
  kitType: string
  number: string | null
  carrier: string | null
}

export interface LeftLine {
  line: ShopLine
  /** How many of it are gone: in parcels of ours, or fulfilled by the shop before its order was placed here. */
  gone: number
}

/**
 * How many of each line of kits have left, by the kits that have. A product of two kits is gone with its second one; what was
 * not ordered here was fulfilled before.
 */
export function goneLines(order: ShopOrder, items: readonly ShopItem[], kits: readonly LeftKit[]): LeftLine[] {
  const counted = (list: readonly LeftKit[]) => {
    const left = new Map<string, number>()
    for (const { kitType } of list) left.set(kitType, (left.get(kitType) ?? 0) + 1)
    return (kitType: string, each: number, most: number) => {
      const count = Math.min(most, Math.floor((left.get(kitType) ?? 0) / each))
      left.set(kitType, (left.get(kitType) ?? 0) - count * each)
      return count
    }
  }
  const ordered = counted(kits)
  const left = counted(kits.filter(({ number }) => number))
  return wanted(order).flatMap((line) => {
    const { kitType, quantity: each = 1 } = itemOf(line, items) ?? {}
    if (kitType === undefined) return []
    const before = line.quantity - ordered(kitType, each, line.quantity)
    const gone = left(kitType, each, line.quantity - before)
    return gone > 0 ? [{ line, gone: gone + before }] : []
  })
}
