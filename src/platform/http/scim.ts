import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Database, SystemTx } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import { toAppError } from './error-body.ts'
import { type AnswerUnrouted, type Refusals, refusesCaller } from './refusals.ts'
import { RequestCounts } from './request-counts.ts'
import { originOf } from './request-id.ts'
import type { SharedCounts } from './shared-counts.ts'

/** A request of an identity provider (RFC 7644). */
export interface ScimRequest {
  /** The bearer token, not checked yet. */
  token: string
  params: Readonly<Record<string, string | undefined>>
  query: Readonly<Record<string, string | undefined>>
  body: unknown
}

export type ScimAnswer =
  | { status: 200; body: object }
  | { status: 201; body: object; location: string }
  | { status: 204 }

export interface ScimEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /scim/v2. */
  path: string
  /** In one transaction; it checks the token first. */
  handler(tx: SystemTx, request: ScimRequest): Promise<ScimAnswer>
}

export interface ScimOptions {
  endpoints: readonly ScimEndpoint[]
  database: Database
  refusals: Refusals
  unrouted: AnswerUnrouted
  counts?: SharedCounts | undefined
  log: Logger
}

const MEDIA_TYPE = 'application/scim+json; charset=utf-8'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
// A group of 5,000 with the IDs and names of its members.
const BODY_LIMIT_BYTES = 1024 * 1024
// From one address. A provider that sends all its users at once sends some hundred a minute.
const PER_MINUTE = 3000

/** Puts SCIM on Fastify: its media type, its form of errors, one transaction for each request. */
export async function registerScim(app: FastifyInstance, options: ScimOptions): Promise<void> {
  await app.register(
    async (scope) => {
      const parse = scope.getDefaultJsonParser('error', 'error')
      scope.addContentTypeParser('application/scim+json', { parseAs: 'string' }, (request, body: string, done) =>
        body === '' ? done(null, undefined) : parse(request, body, done),
      )
      const counts = new RequestCounts('scim', options.counts)
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if ((await counts.add(request.ip, PER_MINUTE)).count > PER_MINUTE)
          throw new AppError('RATE_LIMITED', 'Too many requests in a minute')
      })
      scope.setErrorHandler((err, request, reply) => refuse(err, request, reply, options))
      scope.setNotFoundHandler(options.unrouted)
      for (const { method, path, handler } of options.endpoints) {
        scope.route({
          method,
          url: path,
          bodyLimit: BODY_LIMIT_BYTES,
          handler: async (request, reply) => {
            const read = readRequest(request)
            const actor = { name: 'scim', ...originOf(request) }
            return send(reply, await options.database.asSystem(actor, (tx) => handler(tx, read)))
          },
        })
      }
    },
    { prefix: '/scim/v2' },
  )
}

/** @throws UNAUTHORIZED */
function readRequest(request: FastifyRequest): ScimRequest {
  const [, token] = /^bearer ([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined) throw new AppError('UNAUTHORIZED', 'Send Authorization: Bearer <token>')
  const texts = (given: unknown): Record<string, string | undefined> =>
    Object.fromEntries(
      Object.entries((given ?? {}) as Record<string, unknown>).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : undefined,
      ]),
    )
  return { token, params: texts(request.params), query: texts(request.query), body: request.body }
}

function send(reply: FastifyReply, answer: ScimAnswer): FastifyReply {
  reply.code(answer.status)
  if (answer.status === 204) return reply.send()
  if (answer.status === 201) reply.header('location', answer.location)
  return reply.type(MEDIA_TYPE).send(JSON.stringify(answer.body))
}

async function refuse(err: unknown, request: FastifyRequest, reply: FastifyReply, { refusals, log }: ScimOptions) {
  const error = toAppError(err)
  if (refusesCaller(request, error)) await refusals.add(request, error)
  if (error.status >= 500) {
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
    log.error({ err, requestId: request.id, route }, 'a SCIM request failed')
  }
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  if (error.status === 429 || error.status === 503) reply.header('retry-after', '60')
  const { scimType } = error.extra
  const isSyntax = error.status === 400 && scimType === undefined
  return reply
    .code(error.status)
    .type(MEDIA_TYPE)
    .send(
      JSON.stringify({
        schemas: [ERROR_SCHEMA],
        status: String(error.status),
        ...(isSyntax && { scimType: 'invalidSyntax' }),
        ...(scimType !== undefined && { scimType }),
        detail: error.message,
      }),
    )
}
