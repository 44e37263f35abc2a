/**
 * The same items in turns of their owners: the first of each, in order of arrival, then the second of each, and so on.
 * A backlog of one owner holds up another's next item by one turn.
 */
export function* inTurns<T>(items: readonly T[], ownerOf: (item: T) => unknown): Generator<T> {
  const queues = [...Map.groupBy(items, ownerOf).values()]
  const longest = queues.reduce((most, { length }) => Math.max(most, length), 0)
  for (let turn = 0; turn < longest; turn++) {
    for (const queue of queues) {
      const item = queue[turn]
      if (item !== undefined) yield item
    }
  }
}
