import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Database } from '../database/tx.ts'
import type { Cookies } from './access.ts'
import type { AccountRoute, SignedIn } from './account-route.ts'
import { checkAnswer, JSON_TYPE, openApiSchema } from './register.ts'
import { originOf } from './request-id.ts'
import { validate } from './validate.ts'
import { toWire } from './wire.ts'

// What a public route is given in place of a session: it never looks.
const nobody: SignedIn = { sessionId: '', userId: '' }

export interface RegisterAccountOptions {
  routes: readonly AccountRoute[]
  cookies: Cookies
  database: Database
  checkResponses: boolean
}

/** Puts the account's route values on Fastify, and the session's cookie on their answers. */
export function registerAccountRoutes(api: FastifyInstance, options: RegisterAccountOptions): void {
  const { routes, cookies, database, checkResponses } = options
  const { name, deviceName, options: policy } = cookies.policy
  for (const route of routes) {
    const isPublic = route.access === 'public'
    api.route({
      method: route.method,
      url: route.path,
      schema: openApiSchema(route, isPublic ? [] : [{ session: [] }]),
      config: isPublic ? { public: true } : { account: true },
      ...(route.bodyLimitBytes && { bodyLimit: route.bodyLimitBytes }),
      async handler(request, reply) {
        const { signedIn: session = nobody } = request
        if (!isPublic && session === nobody) throw new AppError('INTERNAL', 'Internal server error')
        const input = await validate(route, { params: request.params, query: request.query, body: request.body })
        const actor = {
          name: isPublic ? 'anonymous' : `user:${session.userId}`,
          ...originOf(request),
        }
        const answer = await route.handler({
          ...input,
          open: (work) => database.asSystem(actor, work),
          ip: request.ip,
          cookie: request.cookies[name],
          device: request.cookies[deviceName],
          session,
        })
        if (answer.cookie) {
          const { value, expiresAt, device } = answer.cookie
          reply.setCookie(name, value, { ...policy, expires: expiresAt })
          reply.setCookie(deviceName, device.value, { ...policy, expires: device.expiresAt })
        }
        if (answer.cookie === null) reply.clearCookie(name, policy)
        if (answer.status === 204) return reply.code(204).send()
        const wire = toWire(answer)
        if (checkResponses) checkAnswer(route, wire)
        return reply.code(wire.status).headers(wire.headers).type(JSON_TYPE).send(wire.body)
      },
    })
  }
}
