import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { parseToken } from '../tokens.ts'
import type { Access, Authenticate, AuthenticateOperator, OperatorAccess, SignedIn } from './caller.ts'
import type { Route, RouteOf } from './route.ts'
import { type CookiePolicy, callOf, readRealm, refuseCrossSite, type Sessions } from './session-cookie.ts'

const WINDOW_SECONDS = 60
// For callers without a valid token, by address: enough for a mistyped configuration, little for guessing.
const ANONYMOUS_PER_MINUTE = 600
const OPERATOR_PER_MINUTE = 6000

declare module 'fastify' {
  interface FastifyRequest {
    access?: Access
    operator?: OperatorAccess
    signedIn?: SignedIn
    rawBody?: Buffer
  }
  interface FastifyContextConfig {
    /** Absent for an unknown path, and for one that is served without a route value. */
    route?: Route
    /** Reachable without a token or a session. */
    public?: boolean
  }
}

/** How a session is recognised. */
export interface Cookies {
  sessions: Sessions
  policy: CookiePolicy
}

const unauthorized = (why: string, path = 'Authorization') =>
  new AppError('UNAUTHORIZED', 'Business session is required', { details: [{ message: why, path }] })

function readToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (!header) throw unauthorized('The Authorization header is missing. Send: Authorization: Token <token>')
  const [scheme = '', token = '', ...rest] = header.split(' ')
  if (!['token', 'bearer'].includes(scheme.toLowerCase()) || rest.length > 0) {
    throw unauthorized('The Authorization scheme must be Token or Bearer, followed by one token')
  }
  return token
}

/** Reads the token's prefix only, so the answer does not reveal whether the token is valid. @throws FORBIDDEN */
function refuseOther(token: string, wanted: 'operator' | 'business'): undefined {
  const kind = parseToken(token)?.kind
  if (kind === undefined || (kind === 'operator') === (wanted === 'operator')) return undefined
  const sentence =
    wanted === 'operator'
      ? 'This is a token of a business. Routes below /operator/v1 need a token of the operator (kl_oper_…)'
      : 'This is a token of the operator. Routes below /api/v1 need a token of a business (kl_live_… or kl_test_…)'
  throw new AppError('FORBIDDEN', sentence)
}

interface Ways<A> {
  byToken(token: string): Promise<A | undefined>
  byCookie(cookie: string, request: FastifyRequest): Promise<A | undefined>
}

async function identify<A>(request: FastifyRequest, policy: CookiePolicy, ways: Ways<A>): Promise<A> {
  const cookie = request.cookies[policy.name]
  if (cookie === undefined) {
    const access = await ways.byToken(readToken(request))
    if (!access) throw unauthorized('The token is unknown, revoked or expired')
    return access
  }
  if (request.headers.authorization) {
    throw new AppError('VALIDATION_FAILED', 'Send a token or the cookie of a session, not both')
  }
  refuseCrossSite(request, policy, true)
  const access = await ways.byCookie(cookie, request)
  if (!access) throw unauthorized('The session has ended: sign in again', 'Cookie')
  return access
}

/** Lets the audit name the signed-in user whose request is refused. */
function knowing(request: FastifyRequest, sessions: Sessions, cookie: string) {
  return async (err: unknown): Promise<never> => {
    if (err instanceof AppError) request.signedIn = await sessions.find(cookie, callOf(request))
    throw err
  }
}

/** On every answer below /api: who calls, and how much they may still call. */
export function guardApi(api: FastifyInstance, authenticate: Authenticate, { sessions, policy }: Cookies): void {
  guard(api, async (request) => {
    const { config } = request.routeOptions
    const audience = config.public ? 'anyone' : config.route?.audience
    if (audience === 'anyone') return refuseCrossSite(request, policy, false)
    if (audience === 'account') {
      request.signedIn = await identify(request, policy, {
        byToken: async () => {
          throw unauthorized('This is about your own account: sign in first', 'Cookie')
        },
        byCookie: (cookie) => sessions.find(cookie, callOf(request)),
      })
      return
    }
    request.access = await identify(request, policy, {
      byToken: async (token) => (await authenticate(token)) ?? refuseOther(token, 'business'),
      byCookie: async (cookie) => {
        const call = callOf(request)
        return sessions.enter(cookie, readRealm(request), call).catch(knowing(request, sessions, cookie))
      },
    })
  })
}

/** The same for the operator's machines and staff below /operator. */
export function guardOperator(
  api: FastifyInstance,
  authenticate: AuthenticateOperator,
  { sessions, policy }: Cookies,
): void {
  guard(api, async (request) => {
    request.operator = await identify(request, policy, {
      byToken: async (token) => (await authenticate(token)) ?? refuseOther(token, 'operator'),
      byCookie: (cookie) => sessions.operate(cookie, callOf(request)).catch(knowing(request, sessions, cookie)),
    })
  })
}

/** Refused requests count towards the limit too. An unknown path stays a 404. */
function guard(api: FastifyInstance, admit: (request: FastifyRequest) => Promise<void>): void {
  const limiter = api.createRateLimit({
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: ({ access, operator, signedIn, ip }) =>
      (access ?? operator)?.countedAs ?? signedIn?.sessionId ?? `ip:${ip}`,
    max: ({ access, operator, signedIn }) =>
      access?.rateLimitPerMinute ?? (operator || signedIn ? OPERATOR_PER_MINUTE : ANONYMOUS_PER_MINUTE),
  })
  api.addHook('onRequest', async (request, reply) => {
    const refusal = await admit(request).then(
      () => undefined,
      (err: unknown) => {
        if (err instanceof AppError) return err
        throw err
      },
    )
    await limit(request, reply, limiter)
    if (refusal && !request.is404) throw refusal
  })
}

async function limit(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: ReturnType<FastifyInstance['createRateLimit']>,
): Promise<void> {
  const state = await limiter(request)
  if (state.isAllowed) return
  reply.header('ratelimit-policy', `"default";q=${state.max};w=${WINDOW_SECONDS}`)
  reply.header('ratelimit', `"default";r=${Math.max(0, state.remaining)};t=${state.ttlInSeconds}`)
  if (!state.isExceeded) return
  reply.header('retry-after', String(state.ttlInSeconds))
  throw new AppError(
    'RATE_LIMITED',
    `More than ${state.max} requests in a minute; try again in ${state.ttlInSeconds} s`,
  )
}

const lacks = (callerId: string, scope: string) =>
  new AppError(
    'FORBIDDEN',
    callerId.startsWith('usr_') ? `Your role does not allow this (${scope})` : `This token lacks the scope ${scope}`,
  )

/** @throws SANDBOX_TOKEN_REQUIRED, FORBIDDEN */
export function authorize(route: RouteOf<'business'>, access: Access | undefined): Access {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  if (route.mode === 'sandbox' && access.realm.mode !== 'sandbox') {
    throw new AppError('SANDBOX_TOKEN_REQUIRED', 'This endpoint needs a sandbox token')
  }
  if (route.scope && !access.scopes.has(route.scope)) throw lacks(access.callerId, route.scope)
  return access
}

/** @throws FORBIDDEN */
export function authorizeOperator(route: RouteOf<'operator'>, access: OperatorAccess | undefined): OperatorAccess {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  const wanted = [route.scope ?? []].flat()
  if (wanted.length > 0 && !wanted.some((scope) => access.scopes.has(scope))) {
    throw lacks(access.callerId, wanted.join(' or '))
  }
  return access
}
