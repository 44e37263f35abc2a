import { setTimeout as after } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LoopDelay } from '../../src/platform/http/loop-delay.ts'

it('the delay of an event loop that stood still for a whole second is how long it stood still', async () => {
  const delay = new LoopDelay()
  let stoodMs = 0
  delay.meanMs()
  // In the same turn of the loop as the end of its second: no sample is taken before the next one is over.
  setTimeout(() => {
    delay.meanMs()
    const from = performance.now()
    while (performance.now() - from < 1500);
    stoodMs = performance.now() - from
  }, 1000)
  while (stoodMs === 0) await after(20)
  await after(20)
  const mean = delay.meanMs()
  delay.stop()
  expect(mean).toBeGreaterThan(1000)
  expect(mean).toBeLessThan(stoodMs + 1000)
})
