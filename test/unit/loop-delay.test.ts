import { expect, it } from 'vitest'
import { LoopDelay } from '../../src/platform/http/load-shedder.ts'

it('the delay of an event loop that stood still for a whole second is how long it stood still', async () => {
  const delay = new LoopDelay()
  let from = 0
  delay.meanMs()
  const stand = () => {
    const began = performance.now()
    while (performance.now() - began < 1500);
  }
  setTimeout(() => {
    from = performance.now()
    stand()
    // The second of the measure ends between both: the next one has no sample but of standing still, however late the first began.
    setImmediate(stand)
  }, 1000)
  // Asked all the time, as by requests: the loop of a busy machine may stand still again before the test goes on.
  let mean = 0
  await expect.poll(() => (mean = delay.meanMs()), { interval: 20 }).toBeGreaterThan(1000)
  delay.stop()
  expect(mean).toBeLessThan(performance.now() - from + 20)
})
