import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is checked field by field
export type Json = Record<string, any>

export type Fault =
  /** Answers with this status, and does nothing. */
  | { status: number; code?: string; text?: string }
  /** Does what was asked, and ends the connection without an answer. */
  | 'lose'
  /** Ends the connection, and does nothing. */
  | 'away'
  /** Does it, and answers after that. */
  | { slowMs: number }
  /** Ends the connection, and does it after that. */
  | { lateMs: number }

export interface Answer {
  status: number
  body: Json | Buffer
}

/** What a request asks for, done by `act`. */
export interface Act<Kind extends string> {
  kind: Kind
  act(): Answer
}

/** Serves on loopback what `served` says, with the faults of each kind. */
export async function faultyServer<Kind extends string>(
  served: (request: IncomingMessage, body: Json) => Act<Kind> | Answer,
  faults: Record<Kind, Fault[]>,
  wrong: (what: string) => void,
) {
  const pending: Promise<unknown>[] = []

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const found = served(request, text ? JSON.parse(text) : {})
    const answer = ({ status, body }: Answer) => {
      const isFile = Buffer.isBuffer(body)
      response.writeHead(status, { 'content-type': isFile ? 'application/octet-stream' : 'application/json' })
      response.end(isFile ? body : status === 204 ? undefined : JSON.stringify(body))
    }
    if (!('act' in found)) return answer(found)
    const fault = faults[found.kind].shift()
    if (fault === undefined) return answer(found.act())
    if (fault === 'away') return void request.socket.destroy()
    if (fault === 'lose') {
      found.act()
      return void request.socket.destroy()
    }
    if ('status' in fault)
      return answer({
        status: fault.status,
        body: { error: { code: fault.code, message: fault.text }, detail: fault.text },
      })
    if ('slowMs' in fault) {
      const done = found.act()
      await delay(fault.slowMs)
      return answer(done)
    }
    request.socket.destroy()
    pending.push(delay(fault.lateMs).then(() => found.act()))
  }

  const server = createServer((request, response) => void handle(request, response).catch((err) => wrong(String(err))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it does after it went away is done. */
    settled: (): Promise<unknown> => Promise.all(pending),
    async stop(): Promise<void> {
      await Promise.all(pending)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
