import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * How the way to the database is: `open`; `gone`: nothing listens; `broken`: accepts and hangs up; `silent`: takes
 * everything and answers nothing, as a machine without power does; `renewed`: as `open`, but what was silent stays so,
 * as where another machine answers at that address now.
 */
export type ProxyMode = 'open' | 'gone' | 'broken' | 'silent' | 'renewed'

export interface DatabaseProxy {
  /** The same database, by way of this proxy. */
  url(databaseUrl: string): string
  setMode(mode: ProxyMode): Promise<void>
  /** Leads new connections to another server, and ends those there are. */
  redirect(host: string, port: number): void
  /** The next transaction that holds this text is committed, and the connection breaks before anybody is told. */
  cutAtCommitOf(text: string): void
  /** Connections at the server now, the most there were at once, and how often one was asked for. */
  count(): { now: number; most: number; asked: number }
  close(): Promise<void>
}

interface Pair {
  client: Socket
  server?: Socket
  isForgotten?: boolean
}

/** A TCP proxy in front of a database server, which can do to it what networks and power cuts do. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl)
  let to = { host: target.hostname, port: Number(target.port || 5432) }
  let mode: ProxyMode = 'open'
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
  return {
    url(text) {
      const url = new URL(text)
      url.hostname = '127.0.0.1'
      url.port = String(port)
      return url.href
    },
    async setMode(next) {
      mode = next
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
      mode = 'gone'
      for (const pair of pairs) endPair(pair)
      if (listener.listening) await new Promise((resolve) => listener.close(resolve))
    },
  }
}
