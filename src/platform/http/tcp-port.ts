import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import type { Logger } from '../log.ts'

export type { Socket } from 'node:net'

/** A port beside that of HTTP. */
export interface PortListener {
  port: number
  /** Lets each connection finish what is under way, and closes. */
  stop(): Promise<void>
}

/** What becomes of a connection. */
export interface Attended {
  /** Settles when it has ended, and never fails. */
  done: Promise<void>
  /** Asks it to end. */
  leave(): void
}

interface PortOptions {
  port: number
  host: string
  /** In PEM. Undefined: without TLS. */
  tls: { cert: string; key: string } | undefined
  maxConnections: number
  /** Connections of others are hung up on unread. */
  isAllowed(address: string): boolean
  attend(socket: Socket): Attended
  log: Logger
}

const STOP_MS = 5000
const HANDSHAKE_MS = 10_000

export async function openPort({ tls, port, host, log, ...options }: PortOptions): Promise<PortListener> {
  const attended = new Map<Socket, Attended>()
  const accept = (socket: Socket) => {
    const one = options.attend(socket)
    attended.set(socket, one)
    void one.done.finally(() => attended.delete(socket))
  }
  const server: Server = tls
    ? createTlsServer({ ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, accept)
    : createServer(accept)
  // Also those whose handshake has not ended.
  const sockets = new Set<Socket>()
  server.prependListener('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    if (!options.isAllowed(socket.remoteAddress ?? '')) socket.destroy()
  })
  server.maxConnections = options.maxConnections
  server.on('drop', () => log.warn({ port }, 'a connection was refused, since there are too many'))
  server.listen({ port, host })
  await once(server, 'listening')
  server.on('error', (err) => log.error({ err, port }, 'a port cannot accept a connection'))
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const { leave } of attended.values()) leave()
      await Promise.race([closed, delay(STOP_MS, undefined, { ref: false })])
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
