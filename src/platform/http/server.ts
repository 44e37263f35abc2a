import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import type { PortsOf } from '../ports/realm-ports.ts'
import { type Cookies, guardApi, guardOperator } from './access.ts'
import type { RecordHealthAccess } from './access-audit.ts'
import { parseJsonBodies, parseTextBodies } from './body.ts'
import type { Authenticate, AuthenticateOperator } from './caller.ts'
import { type Drain, registerDrain } from './drain.ts'
import { errorBody, toAppError } from './error-body.ts'
import { type Hook, registerHooks } from './hooks.ts'
import type { Metrics } from './metrics.ts'
import { type Monitoring, serveMonitoring } from './monitoring.ts'
import { publishOpenApi, registerOpenApi } from './openapi.ts'
import { type PagesOptions, registerPages } from './pages.ts'
import { type RecordRefusals, Refusals, refusesCaller } from './refusals.ts'
import { registerRoutes } from './register.ts'
import { callerRequestId, shownRequestId } from './request-id.ts'
import { prefixes, type Route } from './route.ts'
import { refuseUndeclared } from './route-errors.ts'
import { serveWeb } from './web.ts'

export interface HttpOptions {
  routes: readonly Route[]
  database: Database
  authenticate: Authenticate
  authenticateOperator: AuthenticateOperator
  cookies: Cookies
  portsOf: PortsOf
  recordHealthAccess: RecordHealthAccess
  recordRefusals: RecordRefusals
  clock: Clock
  hooks?: readonly Hook[]
  /** HTML pages without a script. Undefined: not served. */
  pages?: Omit<PagesOptions, 'database' | 'log'>
  /** Undefined: the dashboard is not served. */
  webFolder?: string
  /** Addresses or networks whose X-Forwarded-For is believed. */
  trustedProxies?: string[]
  log: Logger
  metrics: Metrics
  /** The mean delay of the event loop above which requests are refused; default 1 s. */
  maxLoopDelayMs?: number | undefined
  /** Undefined: served on a port of its own. */
  monitoring?: Monitoring | undefined
  /** Whether /docs and openapi.json are served. */
  docs?: boolean
  checkResponses?: boolean
}

const BODY_LIMIT_BYTES = 256 * 1024
// Longer than any healthy answer takes, and short enough that slow senders cannot hold connections.
const REQUEST_TIMEOUT_MS = 30_000
const MAX_HEADER_BYTES = 16 * 1024
const MAX_LOOP_DELAY_MS = 1000

// Helmet's default without upgrade-insecure-requests. Helmet would build this text for each request: 3 % of an order's time.
const SECURITY_POLICY =
  "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';" +
  "img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'"

export interface Http {
  app: FastifyInstance
  drain: Drain
}

/** The HTTP edge: everything between a socket and a route's handler. */
export async function buildHttp(options: HttpOptions): Promise<Http> {
  const { database, log, checkResponses = false, docs = true } = options
  const app = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustedProxies ?? false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node looks for connections past their timeouts only every 30 s unless told otherwise.
    http: { headersTimeout: 10_000, maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 2000 },
    forceCloseConnections: 'idle',
    // Fastify's 503 has another shape than ours: see drain.ts.
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: () => newOpaqueId('req'),
    // In effect no limit: the router would answer 414 without any hook. The routes' schemas refuse what is too long.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    rewriteUrl: (request) => decodable(request.url ?? '/'),
    clientErrorHandler(err, socket) {
      if (err.code === 'ECONNRESET' || !socket.writable) return
      const error = new AppError('VALIDATION_FAILED', 'The request is not well-formed HTTP')
      const id = newOpaqueId('req')
      const body = JSON.stringify(errorBody(error, id))
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nx-request-id: ${id}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  })
  // Routes validate themselves, path, query and body at once; Fastify's schemas serve the documentation.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  parseJsonBodies(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', shownRequestId(request))
  })
  const drain = registerDrain(app)
  // After the rate limit, whose headers are on every answer.
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding']
    if (encoding && encoding !== 'identity') {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body without Content-Encoding')
    }
  })
  const refusals = new Refusals({ record: options.recordRefusals, clock: options.clock, log })
  app.addHook('onClose', () => refusals.flush())
  app.setErrorHandler(async (thrown, request, reply) => {
    const { route } = request.routeOptions.config
    const err = checkResponses && route ? refuseUndeclared(route, thrown) : thrown
    const error = toAppError(err)
    if (refusesCaller(request, error)) await refusals.add(request, error)
    if (error.status >= 500) {
      const ids = { requestId: request.id, callerRequestId: callerRequestId(request) }
      log.error({ err, ...ids, route: routeOf(request) }, 'request failed')
    }
    if (error.status === 503 || error.code === 'IDEMPOTENCY_CONFLICT') reply.header('retry-after', '1')
    const wait = error.extra.retryAfterSeconds
    if (typeof wait === 'number') reply.header('retry-after', String(wait))
    return reply.code(error.status).send(errorBody(error, shownRequestId(request)))
  })
  app.setNotFoundHandler(notFound)

  await app.register(helmet, { contentSecurityPolicy: false })
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.setHeader('content-security-policy', SECURITY_POLICY)
  })
  await app.register(underPressure, {
    maxEventLoopDelay: options.maxLoopDelayMs ?? MAX_LOOP_DELAY_MS,
    pressureHandler: (request) => {
      if (request.url.startsWith('/health')) return
      throw new AppError('OVERLOADED', 'The service is busy, try again in a moment')
    },
  })
  await app.register(cookie)
  await app.register(rateLimit, { global: false, cache: 50_000 })
  await registerOpenApi(app, { docs })
  options.metrics.measure(app)
  if (options.monitoring) serveMonitoring(app, options.monitoring)
  await registerHooks(app, options.hooks ?? [])
  if (options.pages) await registerPages(app, { ...options.pages, database, log })
  if (options.webFolder) await serveWeb(app, options.webFolder)
  const register = (api: FastifyInstance, prefix: string) => {
    const { portsOf, recordHealthAccess, cookies } = options
    const routes = options.routes.filter(({ audience }) => prefixes[audience] === prefix)
    const serving = { database, portsOf, recordHealthAccess, cookiePolicy: cookies.policy }
    api.addHook('onSend', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })
    registerRoutes(api, { routes, log, checkResponses, ...serving })
    api.setNotFoundHandler(notFound)
  }
  await app.register(
    async (api) => {
      guardApi(api, options.authenticate, options.cookies)
      if (docs) publishOpenApi(api)
      register(api, prefixes.business)
    },
    { prefix: prefixes.business },
  )
  await app.register(
    async (api) => {
      parseTextBodies(api)
      guardOperator(api, options.authenticateOperator, options.cookies)
      register(api, prefixes.operator)
    },
    { prefix: prefixes.operator },
  )
  return { app, drain }
}

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

function notFound(): never {
  throw new AppError('ROUTE_NOT_FOUND', 'There is no such route; the documentation lists them all')
}

function routeOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'unknown'}`
}
