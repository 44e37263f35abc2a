import { readFileSync } from 'node:fs'
import { anOrder } from '../../test/harness/orders.ts'
import { type Environment, load, type Running } from './environment.ts'
import type { Pace } from './placement.ts'
import { ratio, type Spread, spread } from './spread.ts'

export interface Reading {
  ours: Spread
  bare: Spread
  ratio: Spread
  /** Of the process that answers, in microseconds a request: what remains comparable on a busy machine. */
  cpuUs: { ours: Spread; bare: Spread; ratio: Spread }
  bodyBytes: number
}

interface Round {
  rate: number
  cpuUs: number
}

/** Measures GET of one order against plain Fastify that answers the same body. */
export async function measureReading(environment: Environment, { rounds, seconds, say }: Pace): Promise<Reading> {
  const { urls, businesses } = await environment.database('bench_reading', 1)
  const token = businesses[0]?.token ?? ''
  const service = await environment.service(urls)
  const origin = `http://127.0.0.1:${service.port}/api/v1`
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const order = JSON.stringify(anOrder({ paymentMethod: 'credits' }))
  const made = await fetch(`${origin}/create-order`, { method: 'POST', headers, body: order })
  const { orderId } = (await made.json()) as { orderId: string }
  const path = `/api/v1/orders/${orderId}`
  const body = await (await fetch(`${origin}/orders/${orderId}`, { headers })).text()
  const bare = await environment.program('./bare.ts', { body })
  const over = async ({ port, pid }: Running): Promise<Round> => {
    const before = spentUs(pid)
    const { rate } = await load({ port, connections: 64, seconds, requests: [{ method: 'GET', path, token }] })
    return { rate, cpuUs: (spentUs(pid) - before) / (rate * seconds) }
  }
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let number = 0; number <= rounds; number++) {
    const [own, other] = [await over(service), await over(bare)]
    if (number === 0) continue
    ours.push(own)
    theirs.push(other)
    say(`  one order, round ${number}: ${inOneLine(own)}; bare Fastify ${inOneLine(other)}`)
  }
  await Promise.all([service.stop(), bare.stop()])
  const rates = [ours, theirs].map((rounds) => rounds.map(({ rate }) => rate)) as [number[], number[]]
  const costs = [ours, theirs].map((rounds) => rounds.map(({ cpuUs }) => cpuUs)) as [number[], number[]]
  return {
    ours: spread(rates[0]),
    bare: spread(rates[1]),
    ratio: ratio(...rates),
    cpuUs: { ours: spread(costs[0]), bare: spread(costs[1]), ratio: ratio(costs[1], costs[0]) },
    bodyBytes: Buffer.byteLength(body),
  }
}

const inOneLine = ({ rate, cpuUs }: Round) => `${Math.round(rate)}/s with ${cpuUs.toFixed(1)} µs of CPU each`

const TICK_US = 10_000

/** The CPU time of a process since it started: user and system, fields 14 and 15 of /proc/PID/stat. */
function spentUs(pid: number): number {
  const [, rest = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}
