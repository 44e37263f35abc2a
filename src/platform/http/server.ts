import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/tx.ts'
import type { Egress } from '../egress/client.ts'
import type { Logger } from '../log.ts'
import type { PortsOf } from '../ports/realm-ports.ts'
import { answerLanguage } from './accept.ts'
import { type Cookies, guardApi, guardOperator } from './access.ts'
import type { RecordHealthAccess } from './access-audit.ts'
import type { CallerAddresses } from './address-list.ts'
import { parseJsonBodies, parseTextBodies } from './body.ts'
import type { Authenticate, AuthenticateOperator, NoteUse } from './caller.ts'
import { compressJson } from './compress.ts'
import { publishOpenApi, type Site, serveDocs } from './docs.ts'
import { type Drain, registerDrain } from './drain.ts'
import { errorBody, toAppError } from './error-body.ts'
import { answerInFhir } from './fhir.ts'
import { answerInHl7 } from './hl7.ts'
import { type Hook, registerHooks } from './hooks.ts'
import { BUSY, LoadShedder, LoopDelay, refuseBusy } from './load-shedder.ts'
import { type AnswerMcp, registerMcp } from './mcp.ts'
import type { Metrics } from './metrics.ts'
import { type Monitoring, NO_SCHEMAS, serveMonitoring } from './monitoring.ts'
import { type PagesOptions, registerPages } from './pages.ts'
import { learnMethods, type RecordRefusals, Refusals, refusesCaller } from './refusals.ts'
import { registerRoutes } from './register.ts'
import { callerRequestId, shownRequestId } from './request-id.ts'
import { type KeepRequest, logAccess, logRequests } from './request-log.ts'
import { FHIR_PATH, isFhir, prefixes, type Route } from './route.ts'
import { declares } from './route-errors.ts'
import { registerScim, type ScimEndpoint } from './scim.ts'
import type { SharedCounts } from './shared-counts.ts'
import { registerShares, Shares } from './shares.ts'
import { SECURITY_HEADERS, serveWeb } from './web.ts'

export interface HttpOptions {
  routes: readonly Route[]
  database: Database
  authenticate: Authenticate
  authenticateOperator: AuthenticateOperator
  noteUse: NoteUse
  cookies: Cookies
  portsOf: PortsOf
  egress: Egress
  recordHealthAccess: RecordHealthAccess
  recordRefusals: RecordRefusals
  /** Counts of requests, shared between nodes. */
  counts?: SharedCounts
  clock: Clock
  hooks?: readonly Hook[]
  /** HTML pages, by who acts on them. */
  pages?: readonly Omit<PagesOptions, 'database' | 'portsOf' | 'log' | 'counts'>[]
  /** What identity providers call below /scim/v2. */
  scim?: readonly ScimEndpoint[]
  /** Answers assistants at /mcp. Undefined: not served. */
  mcp?: AnswerMcp | undefined
  /** Undefined: the dashboard is not served. */
  webFolder?: string
  /** Notices when the addresses of callers are those of a proxy. */
  callers?: CallerAddresses | undefined
  log: Logger
  metrics: Metrics
  /** Makes each request a span of a trace. */
  trace?: ((app: FastifyInstance) => void) | undefined
  /** Receives the requests of tokens of businesses. */
  keepRequest?: KeepRequest | undefined
  /** Requests are refused above this mean delay of the event loop (default 1 s) or wait for a group (0.2 s). */
  maxLoopDelayMs?: number | undefined
  /** Undefined: served on a port of its own. */
  monitoring?: Monitoring | undefined
  /** Opens what /docs serves, beside the OpenAPI documents. Undefined: neither is served. */
  docs?: (() => Promise<Site>) | undefined
  checkResponses?: boolean
}

const BODY_LIMIT_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const CONNECTIONS = {
  // Longer than any healthy answer takes, and short enough that slow senders cannot hold connections.
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  maxHeaderSize: MAX_HEADER_BYTES,
  // Longer than load balancers keep theirs, which is a minute as a rule: a request never meets a connection that closes.
  keepAliveTimeout: 72_000,
  // Node looks for connections past their timeouts only every 30 s by default.
  connectionsCheckingInterval: 2000,
}
const MAX_LOOP_DELAY_MS = 1000

export interface Http {
  app: FastifyInstance
  drain: Drain
}

/** The HTTP edge: everything between a socket and a route's handler. */
export async function buildHttp(options: HttpOptions): Promise<Http> {
  const { database, log, metrics, checkResponses = false, docs } = options
  const shedder = new LoadShedder({
    maxWaitMs: options.maxLoopDelayMs,
    refused: (method, route) => metrics.countShed(method, route),
    isLeaving: () => drain.isLeaving(),
  })
  const app = fastify({
    schemaController: NO_SCHEMAS,
    serverFactory: (handle) => shedder.createServer(CONNECTIONS, handle),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.database.context.settings.trustedProxies ?? false,
    forceCloseConnections: 'idle',
    // Fastify's 503 has another shape than ours: see drain.ts.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => newOpaqueId('req'),
    // In effect no limit: the router would answer 414 without any hook. The routes' schemas refuse what is too long.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    rewriteUrl: (request) => decodable(withoutSlash(request.url ?? '/')),
    clientErrorHandler(err, socket) {
      if (err.code === 'ECONNRESET' || !socket.writable) return
      // A browser opens connections ahead. It would take an answer to nothing for that of the request that it sends next.
      if (socket.bytesRead === 0) return void socket.destroy()
      const error = new AppError('VALIDATION_FAILED', 'The request is not well-formed HTTP')
      const id = newOpaqueId('req')
      const body = JSON.stringify(errorBody(error, id))
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nx-request-id: ${id}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  })
  const shares = new Shares()
  parseJsonBodies(app, shares)
  registerShares(app)

  // Hooks take a callback: with a promise for each of them, a request waits for a dozen turns of the queue.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', shownRequestId(request))
    done()
  })
  if (options.callers) noteCallers(app, options.callers)
  options.trace?.(app)
  const drain = registerDrain(app)
  // After the rate limit, whose headers are on every answer.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding']
    if (!encoding || encoding === 'identity') return done()
    done(new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding'))
  })
  const refusals = new Refusals({ record: options.recordRefusals, clock: options.clock, log })
  app.addHook('onClose', () => refusals.flush())
  app.setErrorHandler(async (thrown, request, reply) => {
    const { route } = request.routeOptions.config
    const err = checkResponses && route ? refuseUndeclared(route, thrown) : thrown
    const error = toAppError(err)
    metrics.countError(error.code)
    request.refusedWith = error.code
    if (refusesCaller(request, error)) await refusals.add(request, error)
    if (error.status >= 500) {
      const ids = { requestId: request.id, callerRequestId: callerRequestId(request) }
      // Of an outage the refusal says what it is, with what was thrown as its cause.
      log.error({ err: error.status === 503 ? error : err, ...ids, route: routeOf(request) }, 'request failed')
    }
    // Fastify closes the connection, and the sender of the rest of the body would read a broken pipe, not the answer. Left open,
    // what still comes is thrown away, for at most REQUEST_TIMEOUT_MS.
    if (error.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
    if (error.status === 503 || error.code === 'IDEMPOTENCY_CONFLICT') {
      reply.header('retry-after', error.code === 'PROVIDER_UNAVAILABLE' ? '10' : '1')
    }
    const wait = error.extra.retryAfterSeconds
    if (typeof wait === 'number') reply.header('retry-after', String(wait))
    return reply.code(error.status).send(errorBody(error, shownRequestId(request), answerLanguage(request)))
  })
  const unrouted = learnMethods(app, 'There is no such route; the documentation lists them all')
  app.setNotFoundHandler(unrouted)

  const { maxLoopDelayMs = MAX_LOOP_DELAY_MS } = options
  const loopDelay = new LoopDelay()
  app.addHook('onRequest', (request, reply, done) => {
    const isWatch = request.url.startsWith('/health') || request.url === '/metrics'
    if (isWatch || loopDelay.meanMs() <= maxLoopDelayMs) return done()
    // Refused by the error handler, which costs more and acknowledges in HL7: senders of messages read nothing else.
    if (request.routeOptions.config.route?.acknowledgesHl7) return done(BUSY)
    metrics.countError('OVERLOADED')
    refuseBusy(request, reply)
  })
  app.addHook('onClose', () => loopDelay.stop())
  await app.register(cookie)
  metrics.measure(app)
  if (options.database.context.settings.accessLog) logAccess(app, log)
  if (options.monitoring) serveMonitoring(app, options.monitoring)
  await registerHooks(app, options.hooks ?? [], options.counts)
  for (const pages of options.pages ?? []) {
    await registerPages(app, { ...pages, database, portsOf: options.portsOf, log, counts: options.counts })
  }
  if (options.scim)
    await registerScim(app, { endpoints: options.scim, database, refusals, log, counts: options.counts, unrouted })
  if (options.mcp) await registerMcp(app, { ...options, answer: options.mcp })
  if (options.webFolder) await serveWeb(app, options.webFolder)
  if (docs) {
    publishOpenApi(app)
    serveDocs(app, docs)
  }
  const register = (api: FastifyInstance, prefix: string) => {
    const { portsOf, egress, recordHealthAccess, cookies } = options
    const routes = routesBelow(options.routes, prefix)
    const serving = { database, portsOf, egress, recordHealthAccess, cookiePolicy: cookies.policy, shares }
    api.addHook('onSend', (_request, reply, payload, done) => {
      reply.header('cache-control', 'no-store')
      done(null, payload)
    })
    compressJson(api)
    registerRoutes(api, { routes, log, checkResponses, shedder, ...serving })
    api.setNotFoundHandler(unrouted)
  }
  // One guard for both: a token's requests are counted together.
  await app.register(async (scope) => {
    guardApi(scope, options, options.cookies)
    if (options.keepRequest) logRequests(scope, options.clock, options.keepRequest)
    await scope.register(async (api) => register(api, prefixes.business), { prefix: prefixes.business })
    await scope.register(
      async (api) => {
        answerInFhir(api)
        register(api, FHIR_PATH)
      },
      { prefix: FHIR_PATH },
    )
  })
  await app.register(
    async (api) => {
      parseTextBodies(api)
      answerInHl7(api, () => options.clock.now())
      const { authenticateOperator: authenticate, noteUse, counts } = options
      guardOperator(api, { authenticate, noteUse, counts }, options.cookies)
      register(api, prefixes.operator)
    },
    { prefix: prefixes.operator },
  )
  return { app, drain }
}

/** The error as it was thrown; if the route does not declare that refusal, a failure that says so. */
function refuseUndeclared(route: Route, thrown: unknown): unknown {
  const { status, code } = toAppError(thrown)
  if (declares(route, { status, code })) return thrown
  return new AppError('INTERNAL', `${route.id} refuses with an undeclared ${status} ${code}`, { cause: thrown })
}

/** Notes every request but those of monitoring, which come from beside the service. */
function noteCallers(app: FastifyInstance, callers: CallerAddresses): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.url.startsWith('/health') && !request.url.startsWith('/metrics')) callers.note(request)
    done()
  })
}

/** The routes of a part of the address, each with the rest of its path. */
const routesBelow = (routes: readonly Route[], prefix: string): Route[] =>
  prefix === FHIR_PATH
    ? routes.filter(isFhir).map((route) => ({ ...route, path: route.path.slice(FHIR_PATH.length) }))
    : routes.filter((route) => !isFhir(route) && prefixes[route.audience] === prefix)

const ENDS_WITH_SLASH = /^(\/(?:api|operator)\/v1\/[^?]*[^/?])\/(?=\?|$)/

/** Clients of frameworks whose addresses end with a slash mean the same route. */
const withoutSlash = (url: string): string => url.replace(ENDS_WITH_SLASH, '$1')

/** A path that is not percent-encoded UTF-8 is taken literally: it matches no route and becomes a 404. */
function decodable(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'unknown'}`
}
