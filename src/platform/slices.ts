import { setImmediate as nextTurn } from 'node:timers/promises'

// A concurrent request takes about ten turns of the event loop, and waits for one slice at each.
const SLICE_MS = 10

/** Works through a list, and yields to the event loop after every 10 ms. Returning `false` ends it early. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T, index: number) => unknown): Promise<void> {
  let began = performance.now()
  let index = 0
  for (const item of items) {
    if (work(item, index++) === false) return
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
}
