import type { FastifyInstance } from 'fastify'
import { isOwnId } from '../../domain/ids.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { callerRequestId } from './request-id.ts'
import { SIMULATED } from './simulate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code that the request was refused with. */
    refusedWith?: string
  }
}

/** What is kept of a request that was made with a token of a business: nothing that its caller chose, but for their own ID of it. */
export interface AnsweredRequest {
  realmId: number
  tokenId: string
  /** When it came. */
  at: Date
  method: string
  /** `/api/v1/orders/{id}`; null: there is no such route. */
  route: string | null
  /** The same with the IDs that are Kitlane's own; null where it has none. */
  path: string | null
  status: number
  code: string | null
  durationMs: number
  requestId: string
  callerRequestId: string | null
  /** Answered with what was kept under its Idempotency-Key. */
  isReplayed: boolean
  /** What `Kitlane-Simulate` made of it. */
  simulated: string | null
}

/** Is given each request that was answered. */
export interface RequestListener {
  /** Takes no time of the next request: what it writes, it writes later. */
  keep(request: AnsweredRequest): void
  /** Called once, before the process ends. */
  flush(): Promise<void>
}

export type KeepRequest = RequestListener['keep']

interface Pattern {
  route: string
  /** What stands before each parameter, and its name. */
  parts: readonly { before: string; name: string }[]
  end: string
}

const patterns = new Map<string, Pattern>()

function patternOf(url: string): Pattern {
  const known = patterns.get(url)
  if (known) return known
  const pieces = url.split(/:(\w+)/)
  const parts = pieces.flatMap((before, at) =>
    at % 2 === 0 && at + 1 < pieces.length ? [{ before, name: pieces[at + 1] ?? '' }] : [],
  )
  const pattern = { route: url.replace(/:(\w+)/g, '{$1}'), parts, end: pieces.at(-1) ?? '' }
  patterns.set(url, pattern)
  return pattern
}

/** The path as it is kept: a parameter that is no ID of Kitlane's may be anything, such as a name, and stays `{name}`. */
export function loggedPath(url: string, params: unknown): { route: string; path: string | null } {
  const { route, parts, end } = patternOf(url)
  let hasId = false
  let path = ''
  for (const { before, name } of parts) {
    const value = (params as Record<string, unknown>)[name]
    const isLoggedId = typeof value === 'string' && isOwnId(value)
    hasId ||= isLoggedId
    path += `${before}${isLoggedId ? value : `{${name}}`}`
  }
  return { route, path: hasId ? path + end : null }
}

const nowhere = { route: null, path: null }

/** Hands on each request that was made with a token of a business, once it is answered. */
export function logRequests(api: FastifyInstance, clock: Clock, keep: KeepRequest): void {
  api.addHook('onResponse', (request, reply, done) => {
    const { access } = request
    const { url = '', config } = request.routeOptions
    // People who are signed in use the dashboard: what that asks for is not their program's.
    if (!access?.actor.startsWith('token:') || config.route?.unlogged) return done()
    const { elapsedTime } = reply
    const simulated = reply.getHeader(SIMULATED)
    keep({
      realmId: access.realm.id,
      tokenId: access.callerId,
      method: request.method,
      status: reply.statusCode,
      ...(config.route ? loggedPath(url, request.params) : nowhere),
      at: new Date(clock.now().getTime() - elapsedTime),
      code: request.refusedWith ?? null,
      durationMs: Math.round(elapsedTime),
      requestId: request.id,
      callerRequestId: callerRequestId(request) ?? null,
      isReplayed: reply.hasHeader('idempotent-replayed'),
      simulated: typeof simulated === 'string' ? simulated : null,
    })
    done()
  })
}

/** Logs one line for each answer. The route is a pattern: paths and queries hold identifiers, links and names. */
export function logAccess(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        statusCode: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        requestId: request.id,
        callerRequestId: callerRequestId(request),
        realmId: request.access?.realm.id,
      },
      'request answered',
    )
    done()
  })
}
