import { promises as dns } from 'node:dns'
import { type Agent, DecoratorHandler, type Dispatcher } from 'undici'
import type { Logger } from '../log.ts'
import type { Answer, Resolver } from './addresses.ts'
import { createEgressAgent } from './agent.ts'
import { EgressError, toEgressError } from './errors.ts'
import type { EgressRequest, EgressResponse } from './exchange.ts'
import { type Exchange, exchange, type Line } from './exchange.ts'
import { checkUrl, hostnameOf, isLoopbackHost, type Policy, type UrlRules } from './url.ts'

type FetchLimits = Pick<EgressRequest, 'policy' | 'timeoutMs' | 'maxResponseBytes'>
type SdkFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

const BODYLESS = new Set([204, 205, 304])

/** The part of `fetch` that SDKs use: a URL, plain headers, text or bytes. An answer over the limit throws: a truncated one would be misread. */
function fetchThrough(request: (input: EgressRequest) => Promise<EgressResponse>, limits: FetchLimits): SdkFetch {
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

export interface Egress {
  /** @throws EgressError */
  request(input: EgressRequest): Promise<EgressResponse>
  /** The same client in the form of `fetch`, for libraries. */
  fetchWith(limits: FetchLimits): SdkFetch
  /** The same over a port without HTTP. @throws EgressError */
  exchange(input: Exchange): Promise<Line>
  /** Aborts all running requests. */
  close(): Promise<void>
}

export interface EgressOptions extends UrlRules {
  resolver?: Resolver
  /** Concurrent connections to one origin, 256 by default. More requests wait here within their own time limit. */
  connectionsPerOrigin?: number
  log: Logger
}

const NAMED_CONNECTIONS = 32

const here: Answer[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Queries the name servers without the thread pool: otherwise four slow names would block all file access and DNS of the
 * program. Ignores /etc/hosts and search domains, which are not for names that strangers enter.
 */
function createPublicResolver(): Resolver {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
  return async (hostname) => {
    if (isLoopbackHost(hostname)) return here
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const answers: Answer[] = []
    if (v4.status === 'fulfilled') answers.push(...v4.value.map((address): Answer => ({ address, family: 4 })))
    if (v6.status === 'fulfilled') answers.push(...v6.value.map((address): Answer => ({ address, family: 6 })))
    if (answers.length === 0 && v4.status === 'rejected') throw v4.reason
    return answers
  }
}

/** Resolves as the machine does, with /etc/hosts: for hosts that the operator configured. */
const resolveAsMachine: Resolver = async (hostname) => {
  const answers = await dns.lookup(hostname, { all: true })
  return answers.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** The only HTTP client of the program. Nothing else opens a connection to an address that somebody entered. */
export function createEgress(options: EgressOptions): Egress {
  const { allowLoopback, allowedPorts, resolver, connectionsPerOrigin = 256, log } = options
  const shared = { resolve: resolver ?? resolveAsMachine, connectionsPerOrigin: NAMED_CONNECTIONS }
  const agents = {
    public: createEgressAgent({
      resolve: resolver ?? createPublicResolver(),
      mayBeHere: (hostname) => allowLoopback && isLoopbackHost(hostname),
      connectionsPerOrigin,
    }),
    named: createEgressAgent({ ...shared, mayBeHere: () => false }),
    namedHere: createEgressAgent({ ...shared, mayBeHere: () => true }),
  }
  const doorOf = (policy: Policy): Agent => {
    if (policy === 'public') return agents.public
    return policy.loopback ? agents.namedHere : agents.named
  }

  async function request(input: EgressRequest): Promise<EgressResponse> {
    const problem = checkUrl(input.url, { allowLoopback, allowedPorts }, input.policy)
    if (problem) throw new EgressError('REFUSED_URL')
    try {
      return await send(doorOf(input.policy), input)
    } catch (err) {
      if (err instanceof EgressError && err.code === 'REFUSED_ADDRESS') {
        log.warn({ host: hostnameOf(new URL(input.url)), code: err.code }, 'an outgoing request was refused')
      }
      throw err
    }
  }

  return {
    request,
    fetchWith: (limits) => fetchThrough(request, limits),
    exchange: (input) => exchange(input, shared.resolve),
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy(new EgressError('CLOSED'))))
    },
  }
}

/** Sends nothing over this dispatcher unless `mayBegin` says so when a connection is there. */
const beginningIf = (dispatcher: Dispatcher, mayBegin: () => boolean): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => dispatch(options, new Asking(handler, mayBegin)))

class Asking extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #mayBegin: () => boolean

  constructor(handler: Dispatcher.DispatchHandler, mayBegin: () => boolean) {
    super(handler)
    this.#handler = handler
    this.#mayBegin = mayBegin
  }

  /** The request is written as soon as this returns. */
  onRequestStart(...given: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>): void {
    if (!this.#mayBegin()) throw new EgressError('NOT_SENT')
    this.#handler.onRequestStart?.(...given)
  }
}

async function send(agent: Agent, input: EgressRequest): Promise<EgressResponse> {
  const started = performance.now()
  const url = new URL(input.url)
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new EgressError('TIMEOUT')), input.timeoutMs)
  const signal = input.signal ? AbortSignal.any([timeout.signal, input.signal]) : timeout.signal
  let status: number | undefined
  try {
    const sent = (input.mayBegin ? beginningIf(agent, input.mayBegin) : agent).request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: input.method,
      headers: { 'user-agent': 'Kitlane', 'accept-encoding': 'identity', ...input.headers },
      body: input.body,
      signal,
    })
    // undici checks the signal only once it is connected; DNS and handshake can take much longer.
    const response = await Promise.race([sent, whenAborted(signal)])
    status = response.statusCode
    const { body, truncated } = await readUpTo(response.body, input.maxResponseBytes)
    return { status, headers: response.headers, body, truncated, durationMs: Math.round(performance.now() - started) }
  } catch (err) {
    if (timeout.signal.aborted) throw new EgressError('TIMEOUT', { status })
    // The owner of the signal knows the reason.
    if (input.signal?.aborted) throw input.signal.reason
    throw toEgressError(err, status)
  } finally {
    clearTimeout(timer)
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // If the answer won the race, nobody awaits this promise.
  aborted.catch(() => {})
  return aborted
}

/** Leaving the loop early destroys the stream, and so the connection. */
async function readUpTo(stream: AsyncIterable<Buffer>, limit: number): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > limit) return { body: Buffer.concat(chunks).subarray(0, limit), truncated: true }
  }
  return { body: Buffer.concat(chunks), truncated: false }
}
