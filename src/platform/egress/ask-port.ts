import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'

export interface AskedPort {
  host: string
  port: number
  isTls: boolean
  message: Buffer
  timeoutMs: number
}

/**
 * Sends bytes to a port of this installation's own, and reads until `read` has its answer. Over TLS any certificate does: it has the
 * name that others call, so nothing secret may be sent.
 */
export async function askOwnPort<T>(asked: AskedPort, read: (bytes: Buffer) => T | undefined): Promise<T> {
  const { host, port, isTls, message, timeoutMs } = asked
  const socket = isTls ? connectTls({ host, port, rejectUnauthorized: false }) : connectPlain({ host, port })
  try {
    return await new Promise<T>((resolve, reject) => {
      const refuse = () => reject(new Error('no answer'))
      socket.setTimeout(timeoutMs, refuse)
      socket.on('error', reject).on('close', refuse)
      socket.on('data', (bytes) => {
        const answer = read(bytes)
        if (answer !== undefined) resolve(answer)
      })
      socket.write(message)
    })
  } finally {
    socket.destroy()
  }
}
