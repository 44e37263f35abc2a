import type { IncomingMessage, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { httpReceiver, type Receiver } from '../../test/harness/receivers.ts'
import type { Random } from '../random.ts'

export interface Received {
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: as a receiver without types reads it
  data: any
  text: string
  times: number
}

/** An endpoint of a realm: it fails two requests in ten, and keeps what it accepted by webhook-id. */
export interface RealmReceiver {
  url: string
  secret: string
  accepted: Map<string, Received>
  /** Signatures that do not verify, and timestamps that are not fresh. */
  breaches: string[]
  /** Bodies that changed between attempts, by webhook-id: the data of both. An erasure may do that. */
  changed: Map<string, Received['data'][]>
  stop(): Promise<void>
}

const FRESH_S = 300
// More would come near the failures after which a delivery waits for hours.
const MOST_FAULTS = 4

export async function realmReceiver(random: Random): Promise<RealmReceiver> {
  const failed = new Map<string, number>()
  const bodies = new Map<string, string>()
  const receive = (request: IncomingMessage, response: ServerResponse, text: string) => {
    const id = String(request.headers['webhook-id'])
    try {
      new Webhook(self.secret).verify(text, request.headers as Record<string, string>)
    } catch {
      self.breaches.push(`the signature of ${id} does not verify`)
    }
    if (Math.abs(Date.now() / 1000 - Number(request.headers['webhook-timestamp'])) > FRESH_S)
      self.breaches.push(`the timestamp of ${id} is not fresh`)
    const first = bodies.get(id) ?? text
    bodies.set(id, first)
    if (first !== text)
      self.changed.set(
        id,
        [first, text].map((body) => JSON.parse(body).data),
      )
    const times = failed.get(id) ?? 0
    if (times < MOST_FAULTS && random.fraction() < 0.2) {
      failed.set(id, times + 1)
      if (random.fraction() < 0.5) response.writeHead(500).end('not now')
      else request.socket.resetAndDestroy()
      return
    }
    const { type, data } = JSON.parse(text)
    const before = self.accepted.get(id)
    self.accepted.set(id, { type, data, text, times: (before?.times ?? 0) + 1 })
    response.writeHead(200).end()
  }
  const receiver: Receiver = await httpReceiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => receive(request, response, Buffer.concat(chunks).toString()))
  })
  const self: RealmReceiver = {
    url: `http://127.0.0.1:${receiver.port}/hook`,
    secret: '',
    accepted: new Map(),
    breaches: [],
    changed: new Map(),
    stop: () => receiver.stop(),
  }
  return self
}
