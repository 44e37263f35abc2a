import { createClient, type KitlaneClient } from '../../client/src/index.ts'

export interface Reply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
  body: any
}

export interface Caller {
  token: string | undefined
  /** The published typed client with this caller's token. */
  client: KitlaneClient
  /** A request as any HTTP client would send it; `path` is below /api/v1, or begins with /fhir/. */
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
}

/** What a signed-in browser sends. `realm` is `<businessId>/live` or `<businessId>/sandbox`. */
export interface BrowserSession {
  /** `name=value` */
  cookie: string
  realm?: string
}

/**
 * Creates a caller below /api/v1 or another prefix, with a token, a session or neither. `address` is that of the caller, for a
 * service that trusts 127.0.0.1 as a proxy.
 */
export function caller(
  baseUrl: string,
  token?: string,
  { session, prefix = '/api/v1', address }: { session?: BrowserSession; prefix?: string; address?: string } = {},
): Caller {
  const request: Caller['request'] = async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl + (path.startsWith('/fhir/') ? path : prefix + path), {
      method,
      headers: {
        ...(token && { authorization: `Token ${token}` }),
        ...(session && { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }),
        ...(session?.realm && { 'kitlane-realm': session.realm }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(address && { 'x-forwarded-for': address }),
        ...headers,
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text }
  }
  return {
    token,
    client: createClient({ baseUrl, token: token ?? '' }),
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
  }
}
