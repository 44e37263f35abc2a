import { createClient, type KitlaneClient } from './client.ts'
import { List } from './list.ts'
import { type Resources, routes } from './resources.gen.ts'
import type { CallOptions, WaitOptions } from './shapes.ts'
import { createTransport, type Transport, type TransportOptions } from './transport.ts'
import { waitFor } from './waiting.ts'

export interface KitlaneOptions extends TransportOptions {
  /** `kl_live_…` or `kl_test_…`, or a token of the operator. */
  token: string
  /** Where Kitlane runs, e.g. `https://kits.example.com`. */
  baseUrl: string
  /** Sent with every request. */
  headers?: Record<string, string>
}

/** The API of one installation, as one token may use it. */
export interface Kitlane extends Resources {
  /** Every route by its path, e.g. for CSV and PDF: `kitlane.api.GET('/api/v1/orders', …)`. */
  readonly api: KitlaneClient
}

type Ask = (method: string, path: string, init: object) => Promise<{ data: unknown; response: Response }>

class WithMethods {
  constructor({ token, baseUrl, headers, ...options }: KitlaneOptions) {
    // A message of `fetch` about such a token would show it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token is missing, or has characters that no token has')
    if (!URL.canParse(baseUrl)) throw new TypeError('baseUrl is no address such as https://kits.example.com')
    const transport = createTransport(options)
    const api = createClient({ baseUrl, token, ...(headers && { headers }), fetch: (request) => transport(request) })
    Object.assign(this, methodsOf(routes, api.request as Ask, transport), { api })
  }
}

/** `new Kitlane({ token, baseUrl })` */
export const Kitlane = WithMethods as unknown as new (options: KitlaneOptions) => Kitlane

type Table = { readonly [name: string]: string | Table }

const methodsOf = (table: Table, ask: Ask, transport: Transport, base = '/api/v1'): object =>
  Object.fromEntries(
    Object.entries(table).map(([name, route]) => [
      name,
      typeof route === 'string'
        ? methodOf(route, ask, transport, base)
        : methodsOf(route, ask, transport, name === 'operator' ? '/operator/v1' : base),
    ]),
  )

/** The method of one line of the table: parameters of the path, then body or query if it takes one, then options. */
function methodOf(route: string, ask: Ask, transport: Transport, base: string): (...args: unknown[]) => unknown {
  const [verb = '', below = '', input] = route.split(' ')
  const isList = verb === 'LIST' || verb === 'FEED'
  const path = base + below
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  return (...args) => {
    const params = Object.fromEntries(names.map((name, i) => [name, pathValue(name, args[i])]))
    const rest = args.slice(names.length)
    const given = input || isList ? rest.shift() : undefined
    const options = (rest[0] ?? {}) as CallOptions & { query?: object }
    const send = (query: object | undefined = options.query) => {
      const { idempotencyKey, headers } = options
      return ask(methods[verb] ?? verb.toLowerCase(), path, {
        params: { path: params, query },
        ...(input === 'body' && { body: given }),
        headers: { ...headers, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
        ...(verb === 'FILE' && { parseAs: 'blob' }),
        fetch: (request: Request) => transport(request, options),
      })
    }
    const read = async (query?: object) => (await send(query)).data
    if (isList) return new List(send, { ...(given as object) }, verb === 'FEED')
    if (verb === 'WAIT') return waitFor(read as () => Promise<{ status: string }>, options as WaitOptions<unknown>)
    return read(input === 'query' ? (given as object) : undefined)
  }
}

const methods: Record<string, string> = { LIST: 'get', FEED: 'get', FILE: 'get', WAIT: 'get' }

/** An empty value, or dots, would make another address: that of the list, or one above it. */
function pathValue(name: string, value: unknown): string | number {
  if ((typeof value === 'string' && !/^\.{0,2}$/.test(value)) || typeof value === 'number') return value
  throw new TypeError(`${name} is missing`)
}
