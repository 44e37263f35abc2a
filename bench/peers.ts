// Compares Kitlane with shops that others run: `npm run bench:peers [-- --postgres 15] [--seconds 4] [--rounds 2]`. It
// installs them by npm, once, in the system's temporary folder. See docs/performance.md for what more they do.
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { PEERS_FOLDER } from './peers/install.ts'
import { startMedusa } from './peers/medusa.ts'
import type { Shop } from './peers/shop.ts'
import { startVendure } from './peers/vendure.ts'
import { isPostgresVersion } from './suite/cluster.ts'
import { load, openEnvironment } from './suite/environment.ts'
import { newKeys, orderRequests } from './suite/orders.ts'
import { costInWords, sideOf } from './suite/side.ts'
import { inWords, ratio, spread } from './suite/spread.ts'

const CONNECTIONS = [1, 8, 16]
// The shops' compilers need this long to be as fast as they get.
const WARM_UP_SECONDS = 12

const { values } = parseArgs({
  options: {
    postgres: { type: 'string', default: '18' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
  },
})
const { postgres } = values
if (!isPostgresVersion(postgres)) throw new Error('--postgres is 15 (of Debian) or 18 (the embedded one)')
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]
const say = (line: string) => console.log(line)

const environment = await openEnvironment({ postgres })
const shops: Shop[] = []
const stopShops = () => Promise.all(shops.map((shop) => shop.stop()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stopShops())
try {
  const own = await environment.database('bench_peers', 1)
  const service = await environment.service(own.urls)
  const kitlane: Shop = { name: 'Kitlane', ...service, requests: orderRequests(own.businesses) }
  for (const [name, start] of [['vendure', startVendure] as const, ['medusa', startMedusa] as const]) {
    say(`Starting ${name}; the first time it is installed in ${PEERS_FOLDER}`)
    try {
      shops.push(await start(await environment.emptyDatabase(`bench_${name}`)))
    } catch (err) {
      say(`  left out: ${err instanceof Error ? err.message : err}`)
    }
  }
  for (const shop of [kitlane, ...shops]) await place(shop, 16, WARM_UP_SECONDS)
  const rows: string[][] = []
  for (const connections of CONNECTIONS) {
    const measured = new Map([kitlane, ...shops].map((shop) => [shop, [] as Awaited<ReturnType<typeof load>>[]]))
    for (let round = 0; round < rounds; round++) {
      for (const [shop, results] of measured) results.push(await place(shop, connections, seconds))
    }
    const ours = (measured.get(kitlane) ?? []).map(({ rate }) => rate)
    for (const [shop, results] of measured) {
      const side = sideOf(results)
      const theirs = results.map(({ rate }) => rate)
      const refused = results.reduce((sum, { failures }) => sum + failures, 0)
      const p99 = side.p99Ms ? `, p99 ${inWords(side.p99Ms)} ms` : ''
      say(`  ${shop.name}, ${connections} connection(s): ${inWords(side.rate)}/s${p99}`)
      say(`    an order: ${costInWords(side)}${refused > 0 ? `; ${refused} refused` : ''}`)
      if (shop === kitlane) continue
      say(`    Kitlane ÷ ${shop.name}: ${inWords(ratio(ours, theirs), 1)}`)
      const rate = `${shop.name}: ${inWords(side.rate)} (ratio ${inWords(ratio(ours, theirs), 1)})`
      rows.push([`orders per second, ${connections} connection(s)`, inWords(spread(ours)), rate])
    }
  }
  const at = new Date().toISOString()
  const text = JSON.stringify({ at, postgres, seconds, rounds, rows }, null, 2)
  await writeFile(new URL('./peers.json', import.meta.url), `${text}\n`)
} finally {
  await stopShops()
  await environment.stop()
}

function place({ port, pid, requests, name }: Shop, connections: number, seconds: number) {
  const keyed = name === 'Kitlane' ? { keyed: newKeys() } : {}
  const watched = { service: pid, postmaster: environment.pid() }
  return load({ port, connections, seconds, requests, watched, ...keyed }, { refusals: name !== 'Kitlane' })
}
