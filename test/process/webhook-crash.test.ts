import { expect, it } from 'vitest'
import { isRight } from '../../prove/record.ts'
import { type Plan, run } from '../../prove/webhooks/run.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const plan: Plan = {
  seed,
  events: 200,
  kills: 2,
  injectFaults: false,
  databaseUrl: process.env.TEST_DATABASE_URL,
  say: () => {},
}

// The short form: the gate runs `npm run prove:webhooks` with 400 events and 3 kills; its own length is 10,000 and 20.
it(`every webhook arrives, though the receiver fails and the worker is killed (seed ${seed})`, async () => {
  const { figures, leasedForMs } = await run(plan)
  expect(figures.filter((figure) => !isRight(figure))).toEqual([])
  // All arrived, so that others took over what a killed worker had claimed: free again after 8 s at the latest.
  expect(Math.max(...leasedForMs)).toBeLessThanOrEqual(8000)
})

it(`a receiver that says 200 and forgets is found out (seed ${seed})`, async () => {
  const { figures } = await run({ ...plan, events: 400, kills: 0, injectFaults: true })
  const wrong = figures.filter((figure) => !isRight(figure)).map(({ name }) => name)
  expect(wrong).toContain('events that never arrived')
})
