// Finds how many orders per second the service takes, then offers three times as many for a minute and looks how soon
// it is back to normal. `npm run bench:overload [-- --seconds 60 --json <file>]`
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measureOverload, ms } from './overload/measure.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    businesses: { type: 'string', default: '20' },
    connections: { type: 'string', default: '2000' },
    times: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})
const [seconds, businesses, connections, times] = [
  values.seconds,
  values.businesses,
  values.connections,
  values.times,
].map(Number) as [number, number, number, number]
const say = (line: string) => console.log(line)

const measured = await measureOverload({ seconds, businesses, connections, times, say })
const { peak, over, stalls, slowestHealth, lastRefusal } = measured
const found: [string, string, string, boolean][] = [
  ['answers other than 2xx, 429 and 503 with Retry-After', `${over.unexpected}`, '0', over.unexpected === 0],
  ['p99 of what was accepted', `${ms(over.accepted.p99)}`, '≤ 1,000 ms', over.accepted.p99 <= 1000],
  ['goodput ÷ peak', (over.goodput / peak.goodput).toFixed(2), '≥ 0.8', over.goodput >= 0.8 * peak.goodput],
  ['event loop, p99', ms(stalls.p99), '≤ 200 ms', stalls.p99 <= 200],
  ['last refusal after it', `second ${lastRefusal}`, '≤ 5', lastRefusal <= 5],
  ['slowest /health/live', ms(slowestHealth), '', true],
]
say('| three times the capacity | measured | aim | |\n|---|---|---|---|')
for (const [name, figure, aim, isMet] of found) say(`| ${name} | ${figure} | ${aim} | ${isMet ? '' : 'missed'} |`)
if (values.json) {
  await writeFile(values.json, `${JSON.stringify(measured, null, 2)}\n`)
}
