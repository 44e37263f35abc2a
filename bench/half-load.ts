// Measures the latency of an order by second, at half of the highest rate, while everything runs that runs behind orders:
// the search index, seals, webhooks, autovacuum. `npm run bench:half-load -- [--minutes 10] [--rate 800]`.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { plot } from './half-load/plot.ts'
import { type Seen, watch } from './half-load/watch.ts'
import { type Business, load, openEnvironment } from './suite/environment.ts'
import type { Second } from './suite/latencies.ts'
import { newKeys, orderRequests } from './suite/orders.ts'
import type { Arrivals } from './webhooks/receiver.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    businesses: { type: 'string', default: '50' },
    rate: { type: 'string' },
    out: { type: 'string', default: 'coverage' },
  },
})
const CONNECTIONS = 64
const WITH_WEBHOOKS = 5
const LIMIT_MS = 25
const say = (line: string) => console.log(line)

const environment = await openEnvironment()
const receiver = fork(fileURLToPath(new URL('./webhooks/receiver.ts', import.meta.url)))
try {
  const [receiverPort] = await once(receiver, 'message')
  const { urls, superUrl, businesses } = await environment.database('bench_half_load', Number(values.businesses))
  const service = await environment.service(urls)
  for (const business of businesses.slice(0, WITH_WEBHOOKS)) await addEndpoint(service.port, business, receiverPort)
  const requests = orderRequests(businesses)
  const order = { port: service.port, connections: CONNECTIONS, requests }
  await load({ ...order, seconds: 5, keyed: newKeys() })
  const peak = values.rate ? Number(values.rate) * 2 : (await load({ ...order, seconds: 10, keyed: newKeys() })).rate
  say(`${businesses.length} businesses, ${WITH_WEBHOOKS} with webhooks; peak ${Math.round(peak)}/s`)
  const stopWatching = await watch({ superUrl, metrics: `http://127.0.0.1:${service.port}/metrics` })
  const result = await load({ ...order, seconds: Number(values.minutes) * 60, rate: peak / 2, keyed: newKeys() })
  const { seen, loop } = await stopWatching()
  const over = result.bySecond.filter(({ p99 }) => p99 > LIMIT_MS).length
  say(
    `${result.rate.toFixed(0)}/s for ${result.bySecond.length} s: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, ` +
      `max ${result.max.toFixed(0)} ms; seconds with a p99 above ${LIMIT_MS} ms: ${over}`,
  )
  nameStalls(result.bySecond, seen, loop)
  await sayWhatIsLeft(superUrl, receiver)
  await writeFiles(result.bySecond, loop, `Orders at half load, ${Math.round(result.rate)}/s`)
} finally {
  receiver.kill()
  await environment.stop()
}

async function addEndpoint(port: number, { token }: Business, receiverPort: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/hook` }),
  })
  if (answer.status !== 201) throw new Error(await answer.text())
}

/** Says what took long in the slowest seconds, and in all seconds that were too slow. */
function nameStalls(seconds: readonly Second[], seen: readonly Seen[], loop: readonly number[]): void {
  const slow = seconds.map((one, at) => ({ ...one, at })).filter(({ p99 }) => p99 > LIMIT_MS)
  for (const { at, p99, max } of slow.toSorted((a, b) => b.p99 - a.p99).slice(0, 10)) {
    const then = seen.filter((one) => Math.abs(one.at - at - 0.5) < 1).sort((a, b) => b.ms - a.ms)
    say(
      `  second ${at}: p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms; event loop ${loop[at]?.toFixed(0) ?? '?'} ms`,
    )
    for (const { what, ms } of then.slice(0, 4)) say(`    ${ms.toFixed(0)} ms: ${what}`)
  }
  const during = seen.filter((one) => slow.some(({ at }) => Math.abs(one.at - at - 0.5) < 1))
  const kinds = [...Map.groupBy(during, ({ what }) => what)].map(([what, all]) => ({ what, times: all.length }))
  if (kinds.length > 0) say('  seen most often in slow seconds:')
  for (const { what, times } of kinds.toSorted((a, b) => b.times - a.times).slice(0, 8)) say(`    ${times} × ${what}`)
}

/** Says how far the work behind the orders is. */
async function sayWhatIsLeft(superUrl: string, receiver: ChildProcess): Promise<void> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  const { rows } = await client.query(`
    select (select sum(orders) from realm_counters) as orders,
      (select sum(c.orders - coalesce(d.seq, 0)) from realm_counters c left join order_finds_done d using (realm_id)) as "notIndexed",
      (select count(*) from audit_entries e, audit_sealing s where (e.xact, e.id) > (s.xact, s.id)) as "notSealed",
      (select count(*) from webhook_deliveries where status = 'pending') as "notDelivered"`)
  await client.end()
  const { orders, notIndexed, notSealed, notDelivered } = rows[0]
  const arrived = once(receiver, 'message')
  receiver.send('tell')
  const [{ count }] = (await arrived) as [Arrivals]
  say(
    `${orders} orders; left: ${notIndexed} to index, ${notSealed} to seal, ${notDelivered} to deliver of ${count} delivered`,
  )
}

// A second without an answer has no latency: JSON between the processes makes it null.
const shown = (ms: number | null) => ms?.toFixed(2) ?? ''

async function writeFiles(seconds: readonly Second[], loop: readonly number[], title: string): Promise<void> {
  await mkdir(values.out, { recursive: true })
  const lines = seconds.map(({ answers, p50, p99, max }, at) =>
    [at, answers, shown(p50), shown(p99), shown(max), loop[at]?.toFixed(1) ?? ''].join(','),
  )
  await writeFile(`${values.out}/half-load.csv`, `${['second,answers,p50,p99,max,eventLoop', ...lines].join('\n')}\n`)
  await writeFile(`${values.out}/half-load.svg`, plot(seconds, { title, limitMs: LIMIT_MS }))
  say(`by second: ${values.out}/half-load.csv, ${values.out}/half-load.svg`)
}
