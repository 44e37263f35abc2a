// The baseline: undici and a signature, without database or checks. The order is JSON on the command line.

import { Webhook } from 'standardwebhooks'
import { Agent } from 'undici'

export interface BareOrder {
  origins: string[]
  count: number
  concurrency: number
  connections: number
  body: string
  secret: string
}

const { origins, count, concurrency, connections, body, secret }: BareOrder = JSON.parse(process.argv[2] ?? '')
const agent = new Agent({ connections, pipelining: 1 })
const started = process.hrtime.bigint()
let next = 0

async function work(): Promise<void> {
  for (let n = next++; n < count; n = next++) {
    const id = `evt_${n}`
    const now = new Date()
    const { body: answer } = await agent.request({
      origin: origins[n % origins.length],
      path: `/hook/${n}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'bare',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      },
      body,
    })
    await answer.bytes()
  }
}

await Promise.all(Array.from({ length: concurrency }, work))
process.send?.(Number(process.hrtime.bigint() - started) / 1e6)
await agent.close()
process.disconnect()
