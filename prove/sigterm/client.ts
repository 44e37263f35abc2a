import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { anOrder, aRow } from '../../test/harness/orders.ts'
import type { Random } from '../random.ts'

const ROWS = 40
const RETRY_MS = 50

export interface Clients {
  /** The client's key to the order's ID. */
  placed: Map<string, string>
  bulkRows: number
  /** How often each outcome came; those that must not come begin with `BAD`. */
  outcomes: Map<string, number>
  /** How many connections were closed without an error. */
  closed: number
  /** Requests without an answer yet. */
  underWay(): number
  /** From now on the service stops: what is sent later may be refused. */
  stopping(): void
  /** It runs again. */
  running(): void
  stop(): Promise<void>
}

/** Clients on connections that stay open: orders, bulk orders and lists, each change with its key until it is done. */
export function startClients(url: string, token: string, connections: number, random: Random): Clients {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const known = new WeakSet<Socket>()
  let over = false
  let stops = false
  let underWay = 0
  let next = 0
  const self: Clients = {
    placed: new Map(),
    bulkRows: 0,
    outcomes: new Map(),
    closed: 0,
    underWay: () => underWay,
    stopping: () => {
      stops = true
    },
    running: () => {
      stops = false
    },
    async stop() {
      over = true
      await working
      agent.destroy()
    },
  }
  const count = (what: string) => self.outcomes.set(what, (self.outcomes.get(what) ?? 0) + 1)

  function watch(socket: Socket): void {
    if (known.has(socket)) return
    known.add(socket)
    socket.on('close', (hadError) => {
      if (!hadError) self.closed++
    })
  }

  async function send(method: string, path: string, body?: unknown, key?: string): Promise<unknown> {
    const sentBefore = !stops
    let own: ClientRequest | undefined
    underWay++
    try {
      const { response, content } = await new Promise<{ response: IncomingMessage; content: string }>(
        (resolve, reject) => {
          const headers = {
            authorization: `Token ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...(key && { 'idempotency-key': key }),
          }
          const sent = request(`${url}/api/v1${path}`, { method, headers, agent }, (answer) =>
            text(answer).then((content) => resolve({ response: answer, content }), reject),
          )
          own = sent
          sent.on('socket', watch).on('error', reject)
          sent.end(body === undefined ? undefined : JSON.stringify(body))
        },
      )
      const status = response.statusCode ?? 0
      const answer = JSON.parse(content)
      const isRefusal = status === 503 && response.headers['retry-after'] !== undefined
      if (isRefusal && sentBefore && /is stopping/.test(answer.message))
        count('BAD: refused, though sent before the signal')
      else if (status >= 300 && !isRefusal) count(`BAD: ${status} ${answer.code}`)
      else count(isRefusal ? '503 with Retry-After' : String(status))
      return status < 300 ? answer : undefined
    } catch (err) {
      const { code, message } = err as NodeJS.ErrnoException
      // Nobody accepted a new connection that ends so: the port closed while it waited for that.
      const isNew = !sentBefore && own?.reusedSocket === false
      if (isNew && code === 'ECONNREFUSED') count('connection refused')
      else if (isNew && code === 'ECONNRESET') count('new connection reset')
      else count(`BAD: ${code ?? message}, sent ${sentBefore ? 'before' : 'after'} the signal`)

      return undefined
    } finally {
      underWay--
    }
  }

  async function until(path: string, body: unknown, key: string): Promise<unknown> {
    for (;;) {
      const answer = await send('POST', path, body, key)
      if (answer) return answer
      await delay(RETRY_MS)
    }
  }

  async function work(): Promise<void> {
    while (!over) {
      const dice = random.fraction()
      const key = `order-${next++}`
      if (dice < 0.7) {
        const { orderId } = (await until('/create-order', anOrder({ externalID: key }), key)) as { orderId: string }
        self.placed.set(key, orderId)
      } else if (dice < 0.72) {
        const bulkUploadData = Array.from({ length: ROWS }, (_, row) => aRow({ external_id: `${key}-${row}` }))
        await until('/create-order', { bulkUploadData }, key)
        self.bulkRows += ROWS
      } else if (!(await send('GET', dice < 0.9 ? '/orders?page=0&size=20' : '/kits?page=0&size=20')))
        await delay(RETRY_MS)
      await delay(20 * random.fraction())
    }
  }
  const working = Promise.all(Array.from({ length: connections }, work))
  return self
}
