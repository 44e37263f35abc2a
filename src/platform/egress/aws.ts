import { Readable } from 'node:stream'
import type { Egress } from './client.ts'
import type { EgressRequest } from './exchange.ts'

interface SignedRequest {
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null | undefined>
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

// As signatures of AWS write a query (RFC 3986).
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

function queryOf({ query = {} }: SignedRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((one) => (one === null || one === undefined ? encoded(name) : `${encoded(name)}=${encoded(one)}`)),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** What an AWS client takes as its `requestHandler`, so that its requests go through the program's one client. */
export function awsRequestHandler(
  egress: Egress,
  limits: Pick<EgressRequest, 'policy' | 'timeoutMs' | 'maxResponseBytes'>,
) {
  return {
    async handle(request: SignedRequest) {
      const { protocol, hostname, port, path, method, headers, body } = request
      const answer = await egress.request({
        ...limits,
        url: `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${queryOf(request)}`,
        method,
        headers,
        ...(body !== undefined && { body }),
      })
      if (answer.truncated) throw new Error('the answer is longer than expected')
      const own = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
      return {
        response: { statusCode: answer.status, headers: Object.fromEntries(own), body: Readable.from([answer.body]) },
      }
    },
  } as never
}
