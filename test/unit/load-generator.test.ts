import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Connection } from '../../bench/suite/http-connection.ts'
import { requestSource } from '../../bench/suite/http-requests.ts'
import { Latencies } from '../../bench/suite/latencies.ts'

describe('the load generator', () => {
  it('gives each request a key of its own and changes nothing else', () => {
    const templates = ['a', 'b', 'c'].map((body) => ({ method: 'POST', path: '/orders', token: 't', body }))
    const next = requestSource(templates, { keyed: 'run', inFlight: 2 })
    const sent = Array.from({ length: 20 }, () => next().toString())
    expect(new Set(sent.map((text) => /idempotency-key: (.+)\r\n/.exec(text)?.[1])).size).toBe(20)
    expect(sent[18]).toBe(
      'POST /orders HTTP/1.1\r\nhost: bench\r\nauthorization: Token t\r\ncontent-type: application/json\r\n' +
        'content-length: 1\r\nidempotency-key: run-000000019\r\n\r\na',
    )
  })

  it('leaves a request alone while it may still be on its way', () => {
    const next = requestSource([{ method: 'POST', path: '/orders', body: '{}' }], { keyed: 'run', inFlight: 4 })
    const first = next()
    const text = first.toString()
    for (let n = 1; n < 4; n++) next()
    expect(first.toString()).toBe(text)
  })

  it('sums up latencies by second', () => {
    const latencies = new Latencies()
    for (let n = 0; n < 100_000; n++) latencies.note(n / 50, n % 100)
    expect(latencies.count).toBe(100_000)
    expect(latencies.summary()).toEqual({ p50: 50, p99: 99, max: 99 })
    expect(latencies.bySecond(2000).map(({ answers }) => answers)).toEqual([50_000, 50_000])
  })
})

describe('a connection of the load generator', () => {
  const ends: (() => void)[] = []
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  /** `write` answers each request. */
  async function connected(write: (socket: Socket) => void): Promise<Connection> {
    const server = createServer((socket) => socket.on('data', () => write(socket))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const connection = await Connection.open((server.address() as { port: number }).port)
    ends.push(
      () => connection.close(),
      () => server.close(),
    )
    return connection
  }

  const answerOf = (connection: Connection) =>
    new Promise((resolve) => connection.send(Buffer.from('GET /'), (ok, text) => resolve({ ok, text })))

  it('takes an answer in several pieces, one after the other', async () => {
    const pieces = ['HTTP/1.1 200 OK\r\nContent-', 'Length: 5\r\n\r\n', 'he', 'llo']
    const connection = await connected(async (socket) => {
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise(setImmediate)
      }
    })
    expect(await answerOf(connection)).toEqual({ ok: true, text: '' })
    expect(await answerOf(connection)).toEqual({ ok: true, text: '' })
  })

  it('hands out the text of a refusal', async () => {
    const refusal = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\nwait'
    const connection = await connected((socket) => socket.write(refusal))
    expect(await answerOf(connection)).toEqual({ ok: false, text: refusal })
  })
})
