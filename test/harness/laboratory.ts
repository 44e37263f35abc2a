import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { framed, framesUpTo } from '../../src/platform/mllp-frames.ts'

/**
 * What the stand-in does with a message. lost: taken, without an answer. dropped: neither. bare: taken, without ORC. page: HTML.
 * shut: it lets nobody in. partly: FHIR with an entry too few. revoked: FHIR with a request that has ended.
 * then: received, and accepted on the same line a moment later.
 */
export type Treatment =
  | {
      is:
        | 'accepted'
        | 'refused'
        | 'busy'
        | 'received'
        | 'lost'
        | 'dropped'
        | 'doubled'
        | 'late'
        | 'bare'
        | 'page'
        | 'shut'
        | 'then'
        | 'partly'
        | 'revoked'
      reason?: string
      status?: number
    }
  | { is: 'silent' }

export interface Heard {
  controlId: string
  /** ORC-1: NW, XO or CA. */
  control: string
  placer: string
  text: string
  /** The header of that name. */
  authorization?: string
}

/** A laboratory that takes orders over MLLP and HTTP, as one is known to: it knows a message again by its control ID. */
export interface StandInLaboratory {
  mllp: string
  http: string
  hosts: string[]
  /** Every message, also those that came again. */
  heard: Heard[]
  /** What it was told of its own answers. */
  acknowledged: string[]
  /** Orders by placer number: how often each was placed, and what became of it. */
  orders: Map<string, { placed: number; changed: number; isCanceled: boolean; text: string }>
  /** What it does with the next messages. */
  treats(how: (message: Heard, times: number) => Treatment): void
  stop(): Promise<void>
}

const field = (text: string, segment: string, number: number): string =>
  text
    .split('\r')
    .find((line) => line.startsWith(`${segment}|`))
    ?.split('|')
    [segment === 'MSH' ? number - 1 : number]?.split('^')[0] ?? ''

const DONE: Record<string, string> = { NW: 'OK', XO: 'XR', CA: 'CR' }
const NOT: Record<string, string> = { NW: 'UA', XO: 'UX', CA: 'UC' }

/** ORL^O22 for a message. */
export function answerTo({ controlId, control, placer }: Heard, how: Treatment): string {
  const head = (code: string, text = '') =>
    `MSH|^~\\&|LIS|LAB|KITLANE|K|20261129||ORL^O22^ORL_O22|A${controlId}|P|2.5.1\rMSA|${code}|${controlId}|${text}\r`
  if (how.is === 'refused') return `${head('AE', how.reason)}ORC|${NOT[control]}|${placer}\r`
  if (how.is === 'busy') return `${head('AR')}ERR|||207^Application internal error^HL70357|E\r`
  if (how.is === 'received') return head('CA')
  if (how.is === 'bare' || DONE[control] === undefined) return head('AA')
  return `${head('AA')}ORC|${DONE[control]}|${placer}|F${placer}\r`
}

export async function standInLaboratory(): Promise<StandInLaboratory> {
  const heard: Heard[] = []
  const acknowledged: string[] = []
  const orders: StandInLaboratory['orders'] = new Map()
  const times = new Map<string, number>()
  const decided = new Map<string, Treatment>()
  let treat: (message: Heard, times: number) => Treatment = () => ({ is: 'accepted' })
  const take = (text: string): { message: Heard; how: Treatment } => {
    const message: Heard = {
      controlId: field(text, 'MSH', 10),
      control: field(text, 'ORC', 1),
      placer: field(text, 'ORC', 2),
      text,
    }
    heard.push(message)
    const count = (times.get(message.controlId) ?? 0) + 1
    times.set(message.controlId, count)
    const how = treat(message, count)
    const isTaken = ['accepted', 'received', 'lost', 'doubled', 'late', 'bare', 'then'].includes(how.is)
    if (isTaken && !decided.has(message.controlId)) {
      decided.set(message.controlId, how)
      const order = orders.get(message.placer) ?? { placed: 0, changed: 0, isCanceled: false, text }
      if (message.control === 'NW') order.placed += 1
      if (message.control === 'XO') Object.assign(order, { changed: order.changed + 1, text })
      if (message.control === 'CA') order.isCanceled = true
      orders.set(message.placer, order)
    }
    return { message, how }
  }
  const sockets = new Set<Socket>()
  const mllp = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const frames = framesUpTo(1_000_000)
    socket.on('data', async (bytes) => {
      for (const one of frames.read(bytes)) {
        if (/\rMSA\|/.test(String(one))) {
          acknowledged.push(String(one))
          continue
        }
        const { message, how } = take(one.toString())
        if (how.is === 'silent') return
        if (how.is === 'lost' || how.is === 'dropped') return socket.destroy()
        if (how.is === 'page') return socket.end(framed('Sign in'))
        if (how.is === 'late') await delay(300)
        if (how.is === 'then') {
          socket.write(framed(answerTo(message, { is: 'received' })))
          await delay(200)
          socket.write(framed(answerTo(message, { is: 'accepted' }).replace('|P|2.5.1', '|P|2.5.1|||AL|NE')))
          continue
        }
        const answer = framed(answerTo(message, how))
        // An acknowledgement of an earlier message, which came late, says nothing of this one.
        if (how.is === 'doubled')
          socket.write(framed(answerTo({ ...message, controlId: 'earlier' }, { is: 'refused' })))
        socket.write(how.is === 'doubled' ? Buffer.concat([answer, answer]) : answer)
      }
    })
  })
  const http = createHttpServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const part of request) text += String(part)
    const isFhir = String(request.headers['content-type']).includes('fhir')
    if (!isFhir) {
      const { message, how } = take(text)
      if (how.is === 'lost') return response.destroy()
      if (how.is === 'shut') return response.writeHead(how.status ?? 401).end()
      return response
        .writeHead(how.is === 'received' ? 202 : 200)
        .end(how.is === 'received' ? '' : answerTo(message, how))
    }
    const bundle = JSON.parse(text)
    const order = bundle.entry.at(-1).resource
    const placer = order.identifier[0].value
    const control = order.status === 'revoked' ? 'CA' : orders.has(placer) ? 'XO' : 'NW'
    const controlId = `${placer}.${control}`
    const { authorization } = request.headers
    const message: Heard = { controlId, control, placer, text, ...(authorization && { authorization }) }
    heard.push(message)
    const count = (times.get(controlId) ?? 0) + 1
    times.set(controlId, count)
    const how = treat(message, count)
    if (how.is === 'refused') {
      const issue = [{ severity: 'error', code: 'invalid', diagnostics: how.reason }]
      return response.writeHead(422).end(JSON.stringify({ resourceType: 'OperationOutcome', issue }))
    }
    if (how.is === 'busy') return response.writeHead(503).end()
    if (how.is === 'shut') return response.writeHead(how.status ?? 401).end()
    if (how.is === 'dropped') return response.destroy()
    if (how.is === 'page') return response.end('<html>Sign in</html>')
    const known = orders.get(placer) ?? { placed: 0, changed: 0, isCanceled: false, text }
    orders.set(placer, { ...known, placed: 1, isCanceled: control === 'CA', text })
    if (how.is === 'lost') return response.destroy()
    // Each server counts its resources, this one from 1.
    const answered = (at: number) => ({
      status: '201 Created',
      location: `${bundle.entry[at].resource.resourceType}/1/_history/1`,
    })
    const entry: { response?: unknown }[] = bundle.entry.map((_: unknown, at: number) => ({ response: answered(at) }))
    const identifier = [...order.identifier, { system: 'urn:of-the-laboratory', value: `f-${placer}` }]
    const status = how.is === 'revoked' ? 'revoked' : order.status
    Object.assign(entry.at(-1) ?? {}, { resource: { resourceType: 'ServiceRequest', id: '1', status, identifier } })
    if (how.is === 'partly') entry.pop()
    if (how.is === 'bare') for (const one of entry) one.response = {}
    response.end(JSON.stringify({ resourceType: 'Bundle', type: 'transaction-response', entry }))
  })
  await new Promise<void>((resolve) => mllp.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port
  const hosts = [`127.0.0.1:${portOf(mllp)}`, `127.0.0.1:${portOf(http)}`]
  return {
    mllp: `mllp://${hosts[0]}`,
    http: `http://${hosts[1]}/orders`,
    hosts,
    heard,
    acknowledged,
    orders,
    treats(how) {
      treat = how
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      http.closeAllConnections()
      await Promise.all([mllp, http].map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
