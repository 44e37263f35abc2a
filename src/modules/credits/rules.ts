export interface Line {
  kitType: string
  quantity: number
}

/** Credits needed by kit type: one for each kit. */
export function needed(lines: Iterable<Line>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { kitType, quantity } of lines) sums.set(kitType, (sums.get(kitType) ?? 0) + quantity)
  return sums
}

/** True when every type is covered; credits are per kit type and never stand in for one another. */
export function covers(available: (kitType: string) => number, demand: ReadonlyMap<string, number>): boolean {
  for (const [kitType, amount] of demand) if (available(kitType) < amount) return false
  return true
}
