import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../database/tx.ts'
import { answerLanguage } from './accept.ts'
import { requireProofFor } from './access.ts'
import type { AccountAnswer, Answers } from './answer.ts'
import type { SignedIn } from './caller.ts'
import type { Outcome, Serving } from './perform.ts'
import { originOf } from './request-id.ts'
import type { RouteOf } from './route.ts'
import { type CookiePolicy, originOfDashboard } from './session-cookie.ts'
import { validate } from './validate.ts'
import { toWire } from './wire.ts'

/** For the signed-in user, about their own account. */
export async function performAccount(
  route: RouteOf<'account'>,
  request: FastifyRequest,
  serving: Serving,
  reply: FastifyReply,
): Promise<Outcome> {
  const { signedIn: session } = request
  if (!session) throw new AppError('INTERNAL', 'Internal server error')
  const input = await validate(route, request)
  requireProofFor(route, session, request, input)
  const answer = await route.handler({ ...input, ...contextOf(request, serving, session), session })
  return withCookies(answer, request, reply, serving.cookiePolicy)
}

/** For a caller who shows nothing. */
export async function performAnyone(
  route: RouteOf<'anyone'>,
  request: FastifyRequest,
  serving: Serving,
  reply: FastifyReply,
): Promise<Outcome> {
  const input = await validate(route, request)
  const answer = await route.handler({ ...input, ...contextOf(request, serving) })
  return withCookies(answer, request, reply, serving.cookiePolicy)
}

function contextOf(request: FastifyRequest, { database, cookiePolicy, egress }: Serving, session?: SignedIn) {
  const actor = { name: session ? `user:${session.userId}` : 'anonymous', ...originOf(request) }
  return {
    open: <T>(work: (tx: SystemTx) => Promise<T>) => database.asSystem(actor, work),
    egress,
    ip: request.ip,
    cookie: request.cookies[cookiePolicy.name],
    device: request.cookies[cookiePolicy.deviceName],
    userAgent: request.headers['user-agent'],
    origin: originOfDashboard(request, cookiePolicy),
  }
}

function withCookies(
  answer: AccountAnswer<Answers>,
  request: FastifyRequest,
  reply: FastifyReply,
  policy: CookiePolicy,
): Outcome {
  const { name, deviceName, options } = policy
  if (answer.cookie) {
    const { value, expiresAt, device } = answer.cookie
    reply.setCookie(name, value, { ...options, expires: expiresAt })
    reply.setCookie(deviceName, device.value, { ...options, expires: device.expiresAt })
  }
  if (answer.cookie === null) reply.clearCookie(name, options)
  return toWire(answer, answerLanguage(request))
}
