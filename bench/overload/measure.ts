// Finds how many orders per second the service takes, then offers a multiple of it and looks how soon it is back to normal.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { openEnvironment } from '../suite/environment.ts'
import { orderRequests } from '../suite/orders.ts'
import type { Flood, Flooded } from './flood.ts'

export interface OverloadPlan {
  seconds: number
  businesses: number
  connections: number
  times: number
  /** The checkout whose service is measured, if not this one. */
  checkout?: string | undefined
  say(line: string): void
}

export interface Overload {
  peak: Flooded
  normal: Flooded
  over: Flooded
  after: Flooded
  /** Of the event loop during and after the flood, in milliseconds. */
  stalls: { p99: number; max: number }
  slowestHealth: number
  /** The second after the flood in which the last request was refused; 0: none. */
  lastRefusal: number
}

const PEAK_SECONDS = 8
const AFTER_SECONDS = 8

export async function measureOverload(plan: OverloadPlan): Promise<Overload> {
  const { seconds, businesses, connections, times, say } = plan
  const environment = await openEnvironment({ checkout: plan.checkout })
  try {
    const made = await environment.database('bench_overload', businesses)
    const service = await environment.service(made.urls)
    const { port } = service
    const origin = `http://127.0.0.1:${port}`
    const requests = orderRequests(made.businesses)
    await flood({ port, connections: 64, seconds: 3, requests })
    // What a fresh database does without statistics is another measure's subject.
    await analyze(made.superUrl)
    const peak = await flood({ port, connections: 64, seconds: PEAK_SECONDS, requests })
    say(`peak, 64 connections: ${inLine(peak)}`)
    const rate = Math.round(peak.goodput)
    const normal = await flood({ port, connections: 64, seconds: AFTER_SECONDS, rate: rate / 3, requests })
    say(`a third of it: ${inLine(normal)}`)
    await loop(origin)
    const live = watchHealth(origin)
    const over = await flood({ port, connections, seconds, rate: rate * times, requests })
    const after = await flood({ port, connections: 64, seconds: AFTER_SECONDS, rate: rate / 3, requests })
    const [slowestHealth, stalls] = [await live.stop(), await loop(origin)]
    say(`${times} times as many, ${connections} connections, ${seconds} s: ${inLine(over)}`)
    say(`  by second: ${over.seconds.map(({ accepted }) => accepted).join(' ')}`)
    say(`a third again, at once: ${inLine(after)}`)
    await service.stop()
    const lastRefusal = after.seconds.findLastIndex(({ refused }) => refused > 0) + 1
    return { peak, normal, over, after, stalls, slowestHealth, lastRefusal }
  } finally {
    await environment.stop()
  }
}

async function analyze(url: string): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query('vacuum analyze')
  await admin.end()
}

async function flood(order: Flood): Promise<Flooded> {
  const child = fork(fileURLToPath(new URL('./flood.ts', import.meta.url)))
  child.send(order)
  const [result] = (await once(child, 'message')) as [Flooded]
  return result
}

/** Of the event loop since the last call, in milliseconds. */
async function loop(origin: string): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  const of = (name: string) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1])
  return { p99: of('p99'), max: of('max') }
}

/** Asks whether the service lives, once a second. */
function watchHealth(origin: string) {
  let slowest = 0
  const timer = setInterval(async () => {
    const since = performance.now()
    const { status } = await fetch(`${origin}/health/live`)
    slowest = status === 200 ? Math.max(slowest, performance.now() - since) : Number.POSITIVE_INFINITY
  }, 1000)
  return {
    async stop() {
      clearInterval(timer)
      return slowest
    },
  }
}

export function ms(value: number): string {
  return `${Math.round(value).toLocaleString('en')} ms`
}

function inLine({ goodput, accepted, refused, statuses, unexpected, unsent }: Flooded): string {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return `${Math.round(goodput)}/s, p50 ${ms(accepted.p50)}, p99 ${ms(accepted.p99)}, refused p99 ${ms(refused.p99)}; ${answers.join(', ')}; ${unexpected} unexpected, ${unsent} unsent`
}
