import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Random } from '../random.ts'

export interface FaultyReceiver {
  url: string
  /** Verifies signatures. Set when the endpoint is created. */
  secret: string
  /** How often each webhook-id was accepted. */
  accepted: Map<string, number>
  requests: number
  /** How often each fault was injected. */
  faults: Record<string, number>
  /** Violations: these must stay 0. */
  forged: number
  changedBodies: number
  staleTimestamps: number
  stop(): Promise<void>
}

// By chance one webhook in 150,000 would fail ten times and be given up, as designed. This limit prevents it.
const MOST_FAULTS = 7
const TOLERANCE_S = 5

/** Fails three requests in ten. If `forgetful`, it answers 200 to one webhook in a hundred and drops it. */
export async function faultyReceiver(random: Random, forgetful: boolean): Promise<FaultyReceiver> {
  const failed = new Map<string, number>()
  const bodies = new Map<string, string>()

  function receive(request: IncomingMessage, response: ServerResponse, text: string): void {
    const id = String(request.headers['webhook-id'])
    self.requests++
    try {
      new Webhook(self.secret).verify(text, request.headers as Record<string, string>)
    } catch {
      self.forged++
    }
    if (Math.abs(Date.now() / 1000 - Number(request.headers['webhook-timestamp'])) > TOLERANCE_S) self.staleTimestamps++
    const hash = createHash('sha256').update(text).digest('base64')
    if ((bodies.get(id) ?? hash) !== hash) self.changedBodies++
    bodies.set(id, hash)
    const before = failed.get(id) ?? 0
    if (random.fraction() < 0.3 && before < MOST_FAULTS) {
      failed.set(id, before + 1)
      fail(request, response)
      return
    }
    if (!forgetful || random.fraction() > 0.01) self.accepted.set(id, (self.accepted.get(id) ?? 0) + 1)
    response.writeHead(200).end('ok')
  }

  function fail(request: IncomingMessage, response: ServerResponse): void {
    const dice = random.fraction()
    const fault = dice < 0.55 ? '500' : dice < 0.95 ? 'reset' : dice < 0.995 ? 'slow 503' : 'no answer'
    self.faults[fault] = (self.faults[fault] ?? 0) + 1
    if (fault === '500') response.writeHead(500).end('not now')
    if (fault === 'reset') request.socket.resetAndDestroy()
    if (fault === 'slow 503') setTimeout(() => response.writeHead(503).end('too much'), random.between(200, 1500))
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => receive(request, response, Buffer.concat(chunks).toString()))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: FaultyReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret: '',
    accepted: new Map(),
    requests: 0,
    faults: {},
    forged: 0,
    changedBodies: 0,
    staleTimestamps: 0,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return self
}
