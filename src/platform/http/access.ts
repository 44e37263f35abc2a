import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { parseToken } from '../tokens.ts'
import type {
  Access,
  Authenticate,
  AuthenticateOperator,
  MayLackProof,
  NoteUse,
  OperatorAccess,
  SignedIn,
} from './caller.ts'
import { type Counted, RequestCounts } from './request-counts.ts'
import type { Input, Route, RouteOf } from './route.ts'
import { type CookiePolicy, callOf, readRealm, refuseCrossSite, type Sessions } from './session-cookie.ts'
import type { SharedCounts } from './shared-counts.ts'

// For callers without a valid token, by address: enough for a mistyped configuration, little for guessing.
export const ANONYMOUS_PER_MINUTE = 600
const OPERATOR_PER_MINUTE = 6000

declare module 'fastify' {
  interface FastifyRequest {
    access?: Access
    operator?: OperatorAccess
    signedIn?: SignedIn
    /** The token may not be used from this address. */
    isElsewhere?: boolean
    rawBody?: Buffer
    fingerprint?: Buffer
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

const SCHEME = /^(?:token|bearer)(?: ([^ ]*))?$/i

function readToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (!header) throw unauthorized('The Authorization header is missing. Send: Authorization: Token <token>')
  const given = SCHEME.exec(header)
  if (!given) throw unauthorized('The Authorization scheme must be Token or Bearer, followed by one token')
  return given[1] ?? ''
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

type Found<A> = A | undefined | Promise<A | undefined>

interface Ways<A> {
  byToken(token: string): Found<A>
  /** Called with every valid token, once the request has it. @throws ADDRESS_NOT_ALLOWED */
  admit?(request: FastifyRequest, access: A): void
  byCookie(cookie: string, request: FastifyRequest): Promise<A | undefined>
}

/** Calls `known` with what was found: at once for a cached token, which is nearly every request. */
function identify<A>(
  request: FastifyRequest,
  policy: CookiePolicy,
  ways: Ways<A>,
  known: (request: FastifyRequest, access: A) => void,
): undefined | Promise<void> {
  const cookie = request.cookies[policy.name]
  if (cookie !== undefined)
    return identifySession(request, policy, ways, cookie).then((access) => known(request, access))
  const found = ways.byToken(readToken(request))
  if (found instanceof Promise) return found.then((access) => admit(valid(access)))
  admit(valid(found))

  function admit(access: A): void {
    known(request, access)
    ways.admit?.(request, access)
  }
}

/** Checks the address that a token is used from, and notes the use. @throws ADDRESS_NOT_ALLOWED */
const admission =
  (noteUse: NoteUse) =>
  (request: FastifyRequest, { callerId, addresses }: Access | OperatorAccess): void => {
    if (addresses && !addresses.includes(request.ip)) {
      request.isElsewhere = true
      throw new AppError('ADDRESS_NOT_ALLOWED', 'This token may not be used from your address')
    }
    noteUse(callerId)
  }

function valid<A>(access: A | undefined): A {
  if (!access) throw unauthorized('The token is unknown, revoked or expired')
  return access
}

async function identifySession<A>(
  request: FastifyRequest,
  policy: CookiePolicy,
  ways: Ways<A>,
  cookie: string,
): Promise<A> {
  if (request.headers.authorization) {
    throw new AppError('VALIDATION_FAILED', 'Send a token or the cookie of a session, not both')
  }
  refuseCrossSite(request, policy, true)
  const access = await ways.byCookie(cookie, request)
  if (!access) throw unauthorized('The session has ended: sign in again', 'Cookie')
  return access
}

/** What was found by a token, or the refusal of a token of the other kind. */
function orRefuseOther<A>(found: Found<A>, token: string, wanted: 'operator' | 'business'): Found<A> {
  if (found instanceof Promise) return found.then((access) => access ?? refuseOther(token, wanted))
  return found ?? refuseOther(token, wanted)
}

/** Lets the audit name the signed-in user whose request is refused. */
function knowing(request: FastifyRequest, sessions: Sessions, cookie: string) {
  return async (err: unknown): Promise<never> => {
    if (err instanceof AppError) request.signedIn = await sessions.find(cookie, callOf(request))
    throw err
  }
}

/** On every answer below /api: who calls, and how much they may still call. `countedAs`: which requests are counted together. */
export function guardApi(
  api: FastifyInstance,
  {
    authenticate,
    noteUse,
    counts,
    countedAs = 'api',
  }: { authenticate: Authenticate; noteUse: NoteUse; counts?: SharedCounts | undefined; countedAs?: string },
  { sessions, policy }: Cookies,
): void {
  const signedIn: Ways<SignedIn> = {
    byToken() {
      throw unauthorized('This is about your own account: sign in first', 'Cookie')
    },
    byCookie: (cookie, request) => sessions.find(cookie, callOf(request)),
  }
  const inRealm: Ways<Access> = {
    byToken: (token) => orRefuseOther(authenticate(token), token, 'business'),
    admit: admission(noteUse),
    async byCookie(cookie, request) {
      const call = callOf(request)
      return sessions.enter(cookie, readRealm(request), call).catch(knowing(request, sessions, cookie))
    },
  }
  guard(api, new RequestCounts(countedAs, counts), (request) => {
    const { config } = request.routeOptions
    const audience = config.public ? 'anyone' : config.route?.audience
    if (audience === 'anyone') return refuseCrossSite(request, policy, false)
    if (audience === 'account') return identify(request, policy, signedIn, keepSignedIn)
    return identify(request, policy, inRealm, keepAccess)
  })
}

function keepSignedIn(request: FastifyRequest, signedIn: SignedIn): void {
  request.signedIn = signedIn
}

function keepAccess(request: FastifyRequest, access: Access): void {
  request.access = access
}

function keepOperator(request: FastifyRequest, operator: OperatorAccess): void {
  request.operator = operator
}

/** The same for the operator's machines and staff below /operator. */
export function guardOperator(
  api: FastifyInstance,
  {
    authenticate,
    noteUse,
    counts,
  }: { authenticate: AuthenticateOperator; noteUse: NoteUse; counts?: SharedCounts | undefined },
  { sessions, policy }: Cookies,
): void {
  const ways: Ways<OperatorAccess> = {
    byToken: (token) => orRefuseOther(authenticate(token), token, 'operator'),
    admit: admission(noteUse),
    byCookie: (cookie, request) => sessions.operate(cookie, callOf(request)).catch(knowing(request, sessions, cookie)),
  }
  guard(api, new RequestCounts('operator', counts), (request) => identify(request, policy, ways, keepOperator))
}

/** Refused requests count towards the limit too. An unknown path stays a 404. */
function guard(api: FastifyInstance, counts: RequestCounts, admit: (request: FastifyRequest) => unknown): void {
  api.addHook('onRequest', (request, reply, done) => {
    const finish = (refusal?: unknown) => {
      if (refusal !== undefined && !(refusal instanceof AppError)) return done(refusal as Error)
      const max = maxOf(request)
      const end = (counted: Counted) =>
        done(limit(reply, counted, max) ?? (request.is404 ? undefined : (refusal as Error | undefined)))
      const counted = counts.add(counterOf(request), max)
      if (counted instanceof Promise) counted.then(end, done)
      else end(counted)
    }
    let admitting: unknown
    try {
      admitting = admit(request)
    } catch (err) {
      return finish(err)
    }
    if (admitting instanceof Promise) admitting.then(() => finish(), finish)
    else finish()
  })
}

// A stolen token that is used elsewhere does not use up what its owner may send.
const counterOf = ({ access, operator, signedIn, ip, isElsewhere }: FastifyRequest): string =>
  (isElsewhere ? undefined : ((access ?? operator)?.countedAs ?? signedIn?.sessionId)) ?? `ip:${ip}`

const maxOf = ({ access, operator, signedIn, isElsewhere }: FastifyRequest): number =>
  isElsewhere
    ? ANONYMOUS_PER_MINUTE
    : (access?.rateLimitPerMinute ?? (operator || signedIn ? OPERATOR_PER_MINUTE : ANONYMOUS_PER_MINUTE))

/** Says in the answer how many requests were counted. Returns the refusal of one too many. */
export function limit(reply: FastifyReply, { count, secondsLeft }: Counted, max: number): AppError | undefined {
  reply.header('ratelimit-policy', `"default";q=${max};w=60`)
  reply.header('ratelimit', `"default";r=${Math.max(0, max - count)};t=${secondsLeft}`)
  if (count <= max) return undefined
  reply.header('retry-after', String(secondsLeft))
  return new AppError('RATE_LIMITED', `More than ${max} requests in a minute; try again in ${secondsLeft} s`)
}

/** The refusal of a caller who lacks a scope. */
export const lacks = (callerId: string, scope: string) =>
  new AppError(
    'FORBIDDEN',
    callerId.startsWith('usr_') ? `Your role does not allow this (${scope})` : `This token lacks the scope ${scope}`,
  )

/** Refuses a session that must first prove again who uses it. @throws REAUTHENTICATION_REQUIRED */
export function requireProof({ proofs }: MayLackProof): void {
  if (proofs === undefined) return
  throw new AppError('REAUTHENTICATION_REQUIRED', 'Confirm first that it is you: this was more than 10 minutes ago', {
    extra: { by: proofs },
  })
}

/** The same where the route asks for it. @throws REAUTHENTICATION_REQUIRED */
export function requireProofFor(
  { needsProof }: Pick<RouteOf<'business' | 'operator' | 'account'>, 'needsProof'>,
  caller: MayLackProof,
  request: FastifyRequest,
  input: Input<unknown, unknown, unknown>,
): void {
  if (caller.proofs === undefined || !needsProof) return
  if (needsProof === true || needsProof(input, request.headers.accept ?? '')) requireProof(caller)
}
