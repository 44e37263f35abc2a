// A concurrent request takes about ten turns of the event loop, and waits for one slice at each.
const SLICE_MS = 2

const waiting: (() => void)[] = []

/** Waits for a turn of the event loop in which no other long work has its slice. */
function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(serve)
  })
}

/** One slice a turn: ten callers with long work hold up the others by one slice, not by ten. */
function serve(): void {
  waiting[0]?.()
  // Its slice runs before the next turn begins.
  setImmediate(() => {
    waiting.shift()
    if (waiting.length > 0) serve()
  })
}

/** Works through a list, and yields to the event loop after every 2 ms. Returning `false` ends it early. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T, index: number) => unknown): Promise<void> {
  let began = performance.now()
  let index = 0
  for (const item of items) {
    if (work(item, index++) === false) return
    if (performance.now() - began < SLICE_MS) continue
    await nextSlice()
    began = performance.now()
  }
}

/** Converts a list in slices. */
export async function mapInSlices<T, R>(items: readonly T[], convert: (item: T, index: number) => R): Promise<R[]> {
  const converted: R[] = []
  await inSlices(items, (item, index) => void converted.push(convert(item, index)))
  return converted
}
