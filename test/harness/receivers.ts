import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

export interface Receiver {
  port: number
  /** Connections accepted since the start. */
  accepted(): number
  /** Connections open now. */
  open(): number
  stop(): Promise<void>
}

async function serve(server: Server, host: string, port: number): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket: Socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    open: () => sockets.size,
    stop() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Starts an HTTP server with this listener. */
export const httpReceiver = (listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Receiver> =>
  serve(createServer(listener), host, port)

/** Starts a TCP server with this listener. */
export const tcpReceiver = (listener: (socket: Socket) => void, host = '127.0.0.1', port = 0): Promise<Receiver> =>
  serve(createTcpServer(listener), host, port)

/** Servers that must never get a connection, but answer one normally. They use one port on both loopback addresses. */
export async function canaries(): Promise<{ port: number; accepted(): number; stop(): Promise<void> }> {
  const answer = (_request: IncomingMessage, response: ServerResponse) => void response.end('canary')
  for (let attempt = 1; ; attempt++) {
    const v4 = await httpReceiver(answer)
    try {
      const v6 = await httpReceiver(answer, '::1', v4.port)
      return {
        port: v4.port,
        accepted: () => v4.accepted() + v6.accepted(),
        stop: async () => void (await Promise.all([v4.stop(), v6.stop()])),
      }
    } catch (err) {
      await v4.stop()
      if (attempt === 10) throw err
    }
  }
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const receiver = await tcpReceiver(() => {})
  await receiver.stop()
  return receiver.port
}
