import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { constantTimeEqual } from '../crypto.ts'
import type { Checks } from '../database/heartbeat.ts'
import { errorBody, toAppError } from './error-body.ts'
import type { Metrics } from './metrics.ts'
import { learnMethods } from './refusals.ts'

const noCompiler = () => {
  throw new Error('Zod validates requests, and no route has a JSON schema for Fastify.')
}
/** Fastify would load ajv and fast-json-stringify: 0.1 s of CPU and 17 MB at each start. */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } }

/** What a failed check means, for the person who reads the answer. */
const problems: Record<keyof Checks | 'started', string> = {
  started: 'The process is starting or stopping.',
  database: 'The database does not answer.',
  writes: 'The database takes no changes: it is read-only, a standby, out of reach, or its disk is full.',
  clock:
    'The clock of this machine is more than a minute off the clock of the database, or that is not known. Set it right.',
  workers: 'No worker was heard of for a minute: nothing is sent and no job runs. Start one.',
}

interface HealthOptions {
  /** False while starting and stopping. */
  isReady: () => boolean
  check(): Promise<Checks>
  /** Who sees why it is not ready; everyone if absent. */
  isTrusted?: (request: FastifyRequest) => boolean
}

const nothing: Checks = { database: false, writes: false, clock: false, workers: false }

/** `/health/live`: the process answers. `/health/ready`: it may be given work. */
function registerHealth(app: FastifyInstance, { isReady, check, isTrusted = () => true }: HealthOptions): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (request, reply) => {
    const started = isReady()
    const checks = { started, ...(started ? await check() : nothing) }
    const failed = started
      ? (Object.keys(problems) as (keyof typeof problems)[]).filter((name) => !checks[name])
      : (['started'] as const)
    const ready = failed.length === 0
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      ...(isTrusted(request) && { checks, ...(!ready && { problems: failed.map((name) => problems[name]) }) }),
    })
  })
}

export interface Monitoring extends HealthOptions {
  metrics: Metrics
  /** The token that lets a caller see more than whether the service is up. */
  token?: string | undefined
}

/** Serves `/metrics` and `/health` beside the other routes. Without a token, only callers on this machine see figures. */
export function serveMonitoring(app: FastifyInstance, monitoring: Monitoring): void {
  serve(app, monitoring, refuseOthers)
}

/** Serves them on a port of their own, which the network protects. */
export function buildMonitoring(monitoring: Monitoring): FastifyInstance {
  const app = fastify({ schemaController: NO_SCHEMAS, requestTimeout: 10_000, forceCloseConnections: true })
  app.setErrorHandler((err, request, reply) => {
    const error = toAppError(err)
    return reply.code(error.status).send(errorBody(error, request.id))
  })
  app.setNotFoundHandler(learnMethods(app, 'Here are /metrics, /health/live and /health/ready'))
  serve(app, monitoring, () => {})
  return app
}

/** @throws UNAUTHORIZED, FORBIDDEN */
type Refuse = (request: FastifyRequest) => void

function serve(app: FastifyInstance, { token, metrics, ...health }: Monitoring, refuseWithoutToken: Refuse): void {
  const refuse = token === undefined ? refuseWithoutToken : refuseWithout(token)
  // A load balancer has no token: it learns whether the service is ready, but not why.
  registerHealth(app, { ...health, isTrusted: (request) => token === undefined || holds(request, token) })
  app.get('/metrics', async (request, reply) => {
    refuse(request)
    return reply.type(metrics.contentType).send(await metrics.text())
  })
}

function holds({ headers }: FastifyRequest, token: string): boolean {
  const [scheme = '', given = ''] = (headers.authorization ?? '').split(' ')
  return ['bearer', 'token'].includes(scheme.toLowerCase()) && constantTimeEqual(given, token)
}

const refuseWithout =
  (token: string): Refuse =>
  (request) => {
    if (holds(request, token)) return
    throw new AppError(
      'UNAUTHORIZED',
      'Metrics take the token of the setting METRICS_TOKEN: Authorization: Bearer <token>',
    )
  }

/** A proxy on this machine names its caller in a header. */
const refuseOthers: Refuse = ({ socket, headers }) => {
  const isHere = /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
  if (isHere && !headers['x-forwarded-for'] && !headers.forwarded) return
  throw new AppError(
    'FORBIDDEN',
    'Metrics are shown to callers on this machine. Set METRICS_TOKEN to let others read them, or METRICS_PORT for a port of their own',
  )
}
