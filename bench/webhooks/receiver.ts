// A receiver in its own process. It answers 200 and reports the arrival times to its parent, by the machine's clock.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Arrivals {
  count: number
  /** The time of the last arrival, by process.hrtime. */
  lastNs: string
  /** The webhook-id and time of each arrival, after `keep`. */
  each: [string, string][]
}

let arrived: Arrivals = { count: 0, lastNs: '0', each: [] }
let keep = false

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    const now = process.hrtime.bigint().toString()
    arrived.count++
    arrived.lastNs = now
    if (keep) arrived.each.push([String(request.headers['webhook-id']), now])
    response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
})
// Longer than any client pool keeps a connection, so that no connection closes during a request.
server.keepAliveTimeout = 60_000

process.on('message', (order: 'forget' | 'keep' | 'tell') => {
  if (order === 'tell') process.send?.(arrived)
  else {
    keep = order === 'keep'
    arrived = { count: 0, lastNs: '0', each: [] }
    process.send?.(arrived)
  }
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
