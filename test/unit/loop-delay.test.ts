import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LoopDelay } from '../../src/platform/http/loop-delay.ts'

it('a loop that stands still is seen while requests come, and no longer measured once they do not', async () => {
  const loop = new LoopDelay()
  try {
    expect(loop.meanMs()).toBe(0)
    // Stands still without computing.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100)
    loop.meanMs()
    await delay(10)
    expect(loop.meanMs()).toBeGreaterThan(300)
    // Two seconds without a request end it: the first answer after a pause knows nothing yet.
    await delay(2500)
    expect(loop.meanMs()).toBe(0)
  } finally {
    loop.stop()
  }
})
