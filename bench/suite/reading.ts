import { anOrder } from '../../test/harness/orders.ts'
import { type Environment, load } from './environment.ts'
import type { Pace } from './placement.ts'
import { ratio, type Spread, spread } from './spread.ts'

export interface Reading {
  ours: Spread
  bare: Spread
  ratio: Spread
  bodyBytes: number
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
  const over = async (port: number) =>
    (await load({ port, connections: 64, seconds, requests: [{ method: 'GET', path, token }] })).rate
  const ours: number[] = []
  const theirs: number[] = []
  for (let number = 0; number <= rounds; number++) {
    const rates = { ours: await over(service.port), bare: await over(bare.port) }
    if (number === 0) continue
    ours.push(rates.ours)
    theirs.push(rates.bare)
    say(`  one order, round ${number}: ${Math.round(rates.ours)}/s, bare Fastify ${Math.round(rates.bare)}/s`)
  }
  await Promise.all([service.stop(), bare.stop()])
  return { ours: spread(ours), bare: spread(theirs), ratio: ratio(ours, theirs), bodyBytes: Buffer.byteLength(body) }
}
