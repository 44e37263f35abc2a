import { setImmediate as nextTurn } from 'node:timers/promises'

// A neighbour's request waits for one slice at each of its turns of the event loop, about ten.
const SLICE_MS = 10

/** Works through a list, and lets the event loop turn whenever that has taken 10 ms. `false` ends it early. */
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
