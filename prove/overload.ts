// Proves that load beyond the capacity is shed and the rest is served well: npm run prove:overload -- [--seconds n] [--seed n]
// [--inject-fault]. --inject-fault takes the load shedder away (src/platform/http/load-shedder.ts), which the figures must show. It measures
// with the parts of bench:overload; docs/performance.md compares the figures.
import { parseArgs } from 'node:util'
import { measureOverload } from '../bench/overload/measure.ts'
import { checkoutWith } from './broken-checkout.ts'
import { type Figure, record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '2000' },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
console.log('nothing in it is random: no seed')
const broken = values['inject-fault']
  ? await checkoutWith({
      file: 'src/platform/http/load-shedder.ts',
      from: 'if (waitMs() < this.#maxWaitMs) return false',
      to: 'if (waitMs() >= 0) return false',
    })
  : undefined
try {
  const { peak, over, after, stalls, slowestHealth, lastRefusal } = await measureOverload({
    seconds: Number(values.seconds),
    businesses: 20,
    connections: Number(values.connections),
    times: 3,
    checkout: broken?.folder,
    say: console.log,
  })
  const ms = { atMost: true, unit: 'ms' }
  const figures: Figure[] = [
    { name: 'goodput ÷ peak', actual: round(over.goodput / peak.goodput, 2), expected: 0.8, atLeast: true },
    { name: 'p99 of what was accepted', actual: round(over.accepted.p99), expected: 1000, ...ms },
    { name: 'answers other than 2xx, 429 and 503 with Retry-After', actual: over.unexpected, expected: 0 },
    { name: 'event loop, p99', actual: round(stalls.p99), expected: 200, ...ms },
    { name: 'last second after it with a refusal', actual: lastRefusal, expected: 5, atMost: true },
    { name: 'answers other than those afterwards', actual: after.unexpected, expected: 0 },
    { name: 'peak', actual: round(peak.goodput), unit: 'orders/s' },
    { name: 'slowest /health/live', actual: round(slowestHealth), unit: 'ms' },
  ]
  report(figures)
  if (values.record) record('overload', { promises: ['R18'], figures, mistake: broken && 'no load shedder' })
} finally {
  await broken?.remove()
}

function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
