import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { AuthenticateOperator, OperatorAccess, OperatorRoute } from './operator-route.ts'
import type { Access, Authenticate, Route } from './route.ts'

const WINDOW_SECONDS = 60
// For callers without a valid token, by address: enough for a mistyped configuration, little for guessing.
const ANONYMOUS_PER_MINUTE = 600
const OPERATOR_PER_MINUTE = 6000

declare module 'fastify' {
  interface FastifyRequest {
    access?: Access
    operator?: OperatorAccess
    rawBody?: Buffer
  }
}

const unauthorized = (why: string) =>
  new AppError('UNAUTHORIZED', 'Business session is required', { details: [{ message: why, path: 'Authorization' }] })

function readToken(request: FastifyRequest): string | AppError {
  const header = request.headers.authorization
  if (!header) return unauthorized('The Authorization header is missing. Send: Authorization: Token <token>')
  const [scheme = '', token = '', ...rest] = header.split(' ')
  if (!['token', 'bearer'].includes(scheme.toLowerCase()) || rest.length > 0) {
    return unauthorized('The Authorization scheme must be Token or Bearer, followed by one token')
  }
  return token
}

async function identify<A>(
  request: FastifyRequest,
  authenticate: (token: string) => Promise<A | undefined>,
): Promise<A | AppError> {
  const token = readToken(request)
  if (token instanceof AppError) return token
  return (await authenticate(token)) ?? unauthorized('The token is unknown, revoked or expired')
}

/** On every answer below /api: who calls, and how much they may still call. */
export function guardApi(api: FastifyInstance, authenticate: Authenticate): void {
  guard(api, authenticate, (request, access) => {
    request.access = access
  })
}

/** The same for the operator's machines and staff below /operator. */
export function guardOperator(api: FastifyInstance, authenticate: AuthenticateOperator): void {
  guard(api, authenticate, (request, access) => {
    request.operator = access
  })
}

function guard<A>(
  api: FastifyInstance,
  authenticate: (token: string) => Promise<A | undefined>,
  admit: (request: FastifyRequest, access: A) => void,
): void {
  const limiter = api.createRateLimit({
    timeWindow: WINDOW_SECONDS * 1000,
    keyGenerator: ({ access, operator, ip }) => access?.tokenId ?? operator?.tokenId ?? `ip:${ip}`,
    max: ({ access, operator }) =>
      access?.rateLimitPerMinute ?? (operator ? OPERATOR_PER_MINUTE : ANONYMOUS_PER_MINUTE),
  })
  api.addHook('onRequest', async (request, reply) => {
    const isPublic = request.routeOptions.config.public === true
    const access = isPublic ? undefined : await identify(request, authenticate)
    if (access && !(access instanceof AppError)) admit(request, access)
    await limit(request, reply, limiter)
    if (access instanceof AppError && !request.is404) throw access
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

/** @throws SANDBOX_TOKEN_REQUIRED, FORBIDDEN */
export function authorize(route: Route, access: Access | undefined): Access {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  if (route.only === 'sandbox' && access.realm.mode !== 'sandbox') {
    throw new AppError('SANDBOX_TOKEN_REQUIRED', 'This endpoint needs a sandbox token')
  }
  if (route.scope && !access.scopes.has(route.scope)) {
    throw new AppError('FORBIDDEN', `This token lacks the scope ${route.scope}`)
  }
  return access
}

/** @throws FORBIDDEN */
export function authorizeOperator(route: OperatorRoute, access: OperatorAccess | undefined): OperatorAccess {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  if (!access.scopes.has(route.scope)) throw new AppError('FORBIDDEN', `This token lacks the scope ${route.scope}`)
  return access
}
