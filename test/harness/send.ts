import { Agent, request } from 'node:http'
import pLimit from 'p-limit'

export interface Sent {
  method: string
  /** Sent exactly as given, without normalisation. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface Received {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Sends requests exactly as given, where `fetch` would normalise or refuse them. */
export function sender(baseUrl: string): { send(sent: Sent): Promise<Received>; close(): void } {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = ({ method, path, headers, body }: Sent) =>
    new Promise<Received>((resolve, reject) => {
      const untold = body === undefined || headers?.['transfer-encoding'] !== undefined
      const length = untold ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const sending = request({ hostname, port, method, path, agent, headers: { ...length, ...headers } })
      sending.on('error', reject)
      sending.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      sending.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** Runs `work` on every item with limited concurrency and keeps the order. */
export function each<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  atOnce = 8,
): Promise<R[]> {
  return pLimit(atOnce).map(items, work)
}
