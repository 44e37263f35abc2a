import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Database } from '../database/tx.ts'
import { type EffectsOf, outside } from '../effects/outside.ts'
import { AppError } from '../errors.ts'
import { authorize, authorizeOperator } from './access.ts'
import { ErrorBody } from './error-body.ts'
import { freeKey, isStored, keepAnswer, once, readKey } from './idempotency.ts'
import type { OperatorRoute } from './operator-route.ts'
import type { Access, Document, Input, Route } from './route.ts'
import { validate } from './validate.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

export interface RegisterOptions {
  routes: readonly Route[]
  database: Database
  effectsOf: EffectsOf
  /** Tests check every answer against its schema; a mismatch is a 500. */
  checkResponses: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Puts route values on Fastify: authorise, validate, open the realm's transaction, answer. */
export function registerRoutes(api: FastifyInstance, options: RegisterOptions): void {
  for (const route of options.routes) {
    const run = async (request: FastifyRequest, reply: FastifyReply) => {
      const access = authorize(route, request.access)
      const input = validate(route, { params: request.params, query: request.query, body: request.body })
      const answer = await perform(route, input, access, request, options)
      if ('document' in answer) {
        const { contentType, body } = answer.document
        return reply
          .code(200)
          .headers(answer.headers ?? {})
          .type(contentType)
          .send(body)
      }
      if (options.checkResponses && answer.status < 400) checkAnswer(route, answer)
      return reply.code(answer.status).headers(answer.headers).type(JSON_TYPE).send(answer.body)
    }
    api.route({
      method: route.method,
      url: route.path,
      schema: openApiSchema(route),
      ...(route.bodyLimitBytes && { bodyLimit: route.bodyLimitBytes }),
      ...(route.deprecated && { onRequest: deprecation(route) }),
      handler: run,
    })
  }
}

/** Puts the operator's route values on Fastify: one transaction over all realms each. */
export function registerOperatorRoutes(
  api: FastifyInstance,
  {
    routes,
    database,
    checkResponses,
  }: { routes: readonly OperatorRoute[]; database: Database; checkResponses: boolean },
): void {
  for (const route of routes) {
    api.route({
      method: route.method,
      url: route.path,
      schema: openApiSchema(route),
      ...(route.bodyLimitBytes && { bodyLimit: route.bodyLimitBytes }),
      async handler(request, reply) {
        const access = authorizeOperator(route, request.operator)
        const input = validate(route, { params: request.params, query: request.query, body: request.body })
        const actor = { name: `operator:${access.tokenId}`, requestId: request.id, ip: request.ip }
        const answer = toWire(await database.asSystem(actor, (tx) => route.handler({ ...input, tx, access })))
        if (checkResponses) checkAnswer(route, answer)
        return reply.code(answer.status).headers(answer.headers).type(JSON_TYPE).send(answer.body)
      },
    })
  }
}

async function perform(
  route: Route,
  input: Input<unknown, unknown, unknown>,
  access: Access,
  request: FastifyRequest,
  { database, effectsOf }: RegisterOptions,
): Promise<WireAnswer | Document> {
  const key = readKey(request)
  const realm = route.realm?.(input, access) ?? access.realm
  const actor = { name: `token:${access.tokenId}`, requestId: request.id, ip: request.ip }
  const answer = await database.inRealm(realm, actor, async (tx) => {
    const work = async () => {
      const accept = request.headers.accept ?? ''
      const answer = await route.handler({ ...input, tx, access, accept, idempotencyKey: key?.key })
      return 'after' in answer || 'document' in answer ? answer : toWire(answer)
    }
    return key ? once(tx, key, work, (err) => refusalToWire(err, request.id)) : work()
  })
  if ('document' in answer || !('after' in answer)) return answer
  const beyond = outside(database, effectsOf, realm, actor)
  const keep = (kept: WireAnswer) => key && beyond.open((tx) => keepAnswer(tx, key.key, kept))
  try {
    const answered = toWire(await answer.after(beyond))
    await keep(answered)
    return answered
  } catch (err) {
    // A failure (5xx) leaves the key claimed: what was begun may still come true, and whoever ends it keeps the answer.
    if (err instanceof AppError && isStored(err)) await keep(refusalToWire(err, request.id))
    else if (err instanceof AppError && err.status < 500 && key) await beyond.open((tx) => freeKey(tx, key.key))
    throw err
  }
}

function checkAnswer(route: Pick<Route, 'id' | 'responses'>, answer: WireAnswer): void {
  const schema = route.responses[answer.status]
  if (!schema) throw new Error(`${route.id} answers an undocumented ${answer.status}`)
  const result = schema.safeParse(JSON.parse(answer.body))
  if (!result.success) throw new Error(`${route.id} answers against its schema: ${result.error.message}`)
}

function deprecation(route: Route) {
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    if (route.deprecated) reply.headers(deprecationHeaders(route.deprecated))
  }
}

/** RFC 9745 and RFC 8594. */
export function deprecationHeaders(deprecated: NonNullable<Route['deprecated']>): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(deprecated.since) / 1000)}`,
    sunset: new Date(deprecated.sunset).toUTCString(),
    link: `<${deprecated.successor}>; rel="successor-version"`,
  }
}

type Documented = Omit<Route, 'scope' | 'handler' | 'realm'> & { scope?: string }

function openApiSchema(route: Documented) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, route.scope && `Scope: \`${route.scope}\`.`].filter(Boolean).join('\n\n'),
    deprecated: route.deprecated !== undefined,
    security: [{ token: [] }],
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(route.body && { body: route.body }),
    response: { ...route.responses, ...documentsOf(route), '4xx': ErrorBody, '5xx': ErrorBody },
  }
}

function documentsOf({ responses, documents }: Documented) {
  if (!documents) return {}
  const others = documents.map((type) => [type, { schema: z.string().meta({ format: 'binary' }) }])
  return { 200: { content: { 'application/json': { schema: responses[200] }, ...Object.fromEntries(others) } } }
}
