// The load generator. It runs in its own process and uses plain sockets, with one request at a time on each.
import { connect, type Socket } from 'node:net'

export interface Load {
  port: number
  connections: number
  seconds: number
  /** Requests per second over all connections, whatever the answers. Without it each answer triggers a request. */
  rate?: number
  requests: Template[]
  /** Sends each request with a unique Idempotency-Key that starts with this prefix. */
  keyed?: string
}

/** A request without its Host and Idempotency-Key. */
export interface Template {
  method: string
  path: string
  token?: string
  body?: string
}

export interface LoadResult {
  /** Answers per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  max: number
  failures: number
  /** The text of the first refusal. */
  refusal?: string
}

const EXPECTED = /^HTTP\/1\.1 2/

class Connection {
  readonly #socket: Socket
  #received: Buffer[] = []
  #missing = -1
  #since = 0
  #answered: ((ok: boolean, ms: number, text: string) => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Connection(socket)))
      socket.on('error', reject)
    })
  }

  /** `since`: when the request was due. */
  send(request: string, since: number, answered: (ok: boolean, ms: number, text: string) => void): void {
    this.#since = since
    this.#answered = answered
    this.#socket.write(request)
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk)
    if (this.#missing < 0) {
      const whole = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
      this.#received = [whole]
      const end = whole.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = whole.toString('latin1', 0, end)
      const length = /\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined) throw new Error(`an answer without its length: ${head}`)
      this.#missing = end + 4 + Number(length) - whole.length
    } else this.#missing -= chunk.length
    if (this.#missing > 0) return
    const first = this.#received[0]?.toString('latin1', 0, 16) ?? ''
    const ok = EXPECTED.test(first)
    const text = ok ? '' : Buffer.concat(this.#received).toString()
    this.#received = []
    this.#missing = -1
    this.#answered?.(ok, performance.now() - this.#since, text)
  }

  close(): void {
    this.#socket.destroy()
  }
}

function prepare({ method, path, token, body }: Template): { head: string; rest: string } {
  const length =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const auth = token ? `authorization: Token ${token}\r\n` : ''
  return { head: `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${auth}${length}`, rest: `\r\n${body ?? ''}` }
}

async function run({ port, connections, seconds, rate, requests, keyed }: Load): Promise<LoadResult> {
  const prepared = requests.map(prepare)
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const latencies: number[] = []
  let failures = 0
  let refusal: string | undefined
  let sent = 0
  const started = performance.now()
  const end = started + seconds * 1000

  const next = () => {
    const { head, rest } = prepared[sent % prepared.length] ?? { head: '', rest: '' }
    sent++
    return keyed ? `${head}idempotency-key: ${keyed}-${sent}\r\n${rest}` : head + rest
  }
  const note = (ok: boolean, ms: number, text: string) => {
    if (ok) return latencies.push(ms)
    failures++
    refusal ??= text.slice(0, 2000)
  }

  if (rate === undefined) {
    await Promise.all(
      opened.map(
        (connection) =>
          new Promise<void>((resolve) => {
            const go = () => {
              const now = performance.now()
              if (now >= end) return resolve()
              connection.send(next(), now, (ok, ms, text) => {
                note(ok, ms, text)
                go()
              })
            }
            go()
          }),
      ),
    )
  } else await atRate(rate, opened, end, next, note)
  const elapsed = (performance.now() - started) / 1000
  for (const connection of opened) connection.close()
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { rate: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), max: at(1), failures, refusal }
}

/** Sends each request when it is due, or when a connection becomes free. Latency counts from the due time. */
function atRate(
  rate: number,
  connections: Connection[],
  end: number,
  next: () => string,
  note: (ok: boolean, ms: number, text: string) => void,
): Promise<void> {
  const free = [...connections]
  const due: number[] = []
  const gap = 1000 / rate
  let time = performance.now()
  return new Promise((resolve) => {
    const flush = () => {
      while (due.length > 0) {
        const connection = free.pop()
        if (!connection) return
        connection.send(next(), due.shift() ?? 0, (ok, ms, text) => {
          note(ok, ms, text)
          free.push(connection)
          flush()
        })
      }
    }
    const tick = () => {
      const now = performance.now()
      if (now >= end) {
        due.length = 0
        return free.length === connections.length ? resolve() : void setTimeout(tick, 5)
      }
      for (; time <= now; time += gap) due.push(time)
      flush()
      setTimeout(tick, 1)
    }
    tick()
  })
}

process.on('message', async (load: Load) => {
  const result = await run(load)
  process.send?.(result, () => process.disconnect())
})
