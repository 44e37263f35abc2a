import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { compute, watchLoop } from '../harness/loop.ts'

it('who holds up the others of this process is found', async () => {
  const watch = watchLoop()
  await delay(10)
  compute(120)
  await delay(10)
  expect(watch.stop()).toBeGreaterThanOrEqual(120)
})

it('waiting, however long, and work in small parts are not', async () => {
  const watch = watchLoop()
  await delay(300)
  // A machine that gives this process no time for a while.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  for (let part = 0; part < 15; part++) {
    compute(10)
    await delay(3)
  }
  expect(watch.stop()).toBeLessThan(100)
})
