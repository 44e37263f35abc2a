import { EgressError } from './errors.ts'
import type { EgressRequest, EgressResponse } from './request.ts'

export type FetchLimits = Pick<EgressRequest, 'policy' | 'timeoutMs' | 'maxResponseBytes'>
export type SdkFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

const BODYLESS = new Set([204, 205, 304])

/** The part of `fetch` that SDKs use: a URL, plain headers, text or bytes. An answer over the limit throws: a truncated one would be misread. */
export function fetchThrough(
  request: (input: EgressRequest) => Promise<EgressResponse>,
  limits: FetchLimits,
): SdkFetch {
  return async (url, init = {}) => {
    if (url instanceof Request) throw new TypeError('this fetch takes a URL')
    const { status, headers, body, truncated } = await request({
      ...limits,
      url: String(url),
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      body: bodyOf(init.body),
      signal: init.signal ?? undefined,
    })
    if (truncated) throw new EgressError('TOO_LARGE', { status })
    if (status < 200 || status > 599) throw new EgressError('PROTOCOL', { status })
    return new Response(BODYLESS.has(status) ? null : new Uint8Array(body), { status, headers: pairs(headers) })
  }
}

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  throw new TypeError('this fetch sends texts and bytes')
}

function pairs(headers: EgressResponse['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
  )
}
