import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { databaseIsSlow } from './patience.ts'

/**
 * How connections behave. `open`: forwarded. `gone`: refused. `broken`: accepted and closed. `silent`: accepted without
 * any answer, like a machine that lost its power. `renewed`: like `open`, but silent connections stay
 * silent, as if another machine had taken over the address.
 */
export type ProxyMode = 'open' | 'gone' | 'broken' | 'silent' | 'renewed'

export interface DatabaseProxy {
  /** The URL of the same database through this proxy. */
  url(databaseUrl: string): string
  setMode(mode: ProxyMode): Promise<void>
  /** Sends new connections to another server and closes the existing ones. */
  redirect(host: string, port: number): void
  /** From now on new connections are refused with this SQLSTATE, and the existing ones end; `setMode` ends that. */
  refuse(state: string): void
  /** The next transaction whose statements hold this text commits, but its connection breaks before the answer. */
  cutAtCommitOf(text: string): void
  /** Connections to the server now, their peak, and how many clients have connected in all. */
  count(): { now: number; most: number; asked: number }
  close(): Promise<void>
}

interface Pair {
  client: Socket
  server?: Socket
  isForgotten?: boolean
}

/** Starts a TCP proxy in front of a database server that can simulate network faults and power cuts. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  let to = { host: target.hostname, port: Number(target.port || 5432) }
  let mode: ProxyMode = 'open'
  let refusedWith: string | undefined
  let marked: string | undefined
  let most = 0
  let asked = 0
  const pairs = new Set<Pair>()
  const connected = new Set<Socket>()

  const listener = createServer((client) => {
    asked++
    if (mode === 'broken') {
      client.destroy()
      return
    }
    if (refusedWith !== undefined) {
      const refusal = refusalOf(refusedWith)
      client.on('error', () => {}).once('data', () => client.end(refusal))
      return
    }
    const pair: Pair = { client }
    pairs.add(pair)
    client.on('error', () => {}).on('close', () => clientLeft(pair))
    if (mode === 'open' || mode === 'renewed') connectToServer(pair)
  })

  function connectToServer(pair: Pair): void {
    const { client } = pair
    const server = connect(to)
    pair.server = server
    server.on('connect', () => {
      connected.add(server)
      most = Math.max(most, connected.size)
    })
    let isMarked = false
    let isCut = false
    server
      .on('error', () => {})
      .on('close', () => {
        connected.delete(server)
        client.destroy()
      })
    client.on('data', (bytes: Buffer) => {
      if (marked !== undefined && bytes.includes(marked)) {
        marked = undefined
        isMarked = true
      }
      isCut ||= isMarked && bytes.includes('commit\0')
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (!isCut) client.write(bytes)
      else if (bytes.includes('COMMIT\0')) endPair(pair)
    })
  }

  function clientLeft(pair: Pair): void {
    pairs.delete(pair)
    pair.server?.destroy()
  }

  function endPair(pair: Pair): void {
    pair.client.destroy()
    pair.server?.destroy()
  }

  async function listen(port: number): Promise<number> {
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    const address = listener.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  }

  const port = await listen(0)
  databaseIsSlow(false)
  return {
    url(text) {
      const url = new URL(text)
      url.hostname = '127.0.0.1'
      url.port = String(port)
      return url.href
    },
    refuse(state) {
      refusedWith = state
      for (const pair of pairs) endPair(pair)
    },
    async setMode(next) {
      mode = next
      refusedWith = undefined
      if (next === 'gone' || next === 'broken') for (const pair of pairs) endPair(pair)
      if (next === 'gone') listener.close()
      else if (!listener.listening) await listen(port)
      for (const pair of pairs) {
        const { client, server } = pair
        if (pair.isForgotten) continue
        if (next === 'renewed') {
          pair.isForgotten = true
          server?.destroy()
        } else if (next === 'silent') {
          client.pause()
          server?.pause()
        } else if (next === 'open' && server) {
          client.resume()
          server.resume()
        } else if (next === 'open') client.destroy()
      }
    },
    redirect(host, toPort) {
      to = { host, port: toPort }
      for (const pair of pairs) endPair(pair)
    },
    cutAtCommitOf(text) {
      marked = text
    },
    count: () => ({ now: connected.size, most, asked }),
    async close() {
      databaseIsSlow(true)
      mode = 'gone'
      for (const pair of pairs) endPair(pair)
      if (listener.listening) await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/** The message by which a server ends a connection. https://www.postgresql.org/docs/current/protocol-error-fields.html */
function refusalOf(state: string): Buffer {
  const fields = [...['SFATAL', 'VFATAL', `C${state}`, 'Mrefused'].map((field) => `${field}\0`), '\0'].join('')
  const message = Buffer.alloc(5 + fields.length)
  message.write('E')
  message.writeInt32BE(4 + fields.length, 1)
  message.write(fields, 5)
  return message
}
