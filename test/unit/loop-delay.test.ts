import { expect, it } from 'vitest'
import { LoopDelay } from '../../src/platform/http/loop-delay.ts'

it('the delay of an event loop that stood still for a whole second is how long it stood still', async () => {
  const delay = new LoopDelay()
  let from = 0
  delay.meanMs()
  // In the same turn of the loop as the end of its second: no sample is taken before the next one is over.
  setTimeout(() => {
    delay.meanMs()
    from = performance.now()
    while (performance.now() - from < 1500);
  }, 1000)
  // Asked all the time, as by requests: the loop of a busy machine may stand still again before the test goes on.
  let mean = 0
  await expect.poll(() => (mean = delay.meanMs()), { interval: 20 }).toBeGreaterThan(1000)
  delay.stop()
  expect(mean).toBeLessThan(performance.now() - from + 20)
})
