import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { type Actor, type Database, type Realm, type Tx, within } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import { type PortsOf, type RealmPorts, realmPorts } from '../ports/realm-ports.ts'
import { authorize, authorizeOperator } from './access.ts'
import { type RecordTouch, type Touching, touchOf } from './access-audit.ts'
import { ErrorBody } from './error-body.ts'
import { startCollector, type Together } from './group-commit.ts'
import { freeKey, type IdempotencyKey, isStored, keepAnswer, once, readKey } from './idempotency.ts'
import { onceForOperator } from './operator-idempotency.ts'
import type { OperatorRoute } from './operator-route.ts'
import { originOf, shownRequestId } from './request-id.ts'
import type { Access, Document, Input, Route } from './route.ts'
import { validate } from './validate.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

export interface RegisterOptions {
  routes: readonly Route[]
  database: Database
  portsOf: PortsOf
  recordTouch: RecordTouch
  log: Logger
  /** Tests check every answer against its schema; a mismatch is a 500. */
  checkResponses: boolean
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Puts route values on Fastify: authorise, validate, open the realm's transaction, answer. */
export function registerRoutes(api: FastifyInstance, options: RegisterOptions): void {
  const collectors = new Map<Together, Collector>()
  for (const { together } of options.routes) {
    if (together && !collectors.has(together.group)) {
      collectors.set(together.group, startCollector(options.database, together.group, options.log))
    }
  }
  for (const route of options.routes) {
    const run = async (request: FastifyRequest, reply: FastifyReply) => {
      const access = authorize(route, request.access)
      const input = await validate(route, { params: request.params, query: request.query, body: request.body })
      const answer = await perform(route, input, access, request, { ...options, collectors })
      if ('document' in answer) {
        return sendDocument(
          reply,
          answer,
          realmPorts(options.database, options.portsOf, access.realm, actorOf(access, request)),
        )
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
    recordTouch,
    checkResponses,
  }: Pick<RegisterOptions, 'database' | 'recordTouch' | 'checkResponses'> & { routes: readonly OperatorRoute[] },
): void {
  for (const route of routes) {
    api.route({
      method: route.method,
      url: route.path,
      schema: openApiSchema(route),
      ...(route.bodyLimitBytes && { bodyLimit: route.bodyLimitBytes }),
      async handler(request, reply) {
        const access = authorizeOperator(route, request.operator)
        const input = await validate(route, { params: request.params, query: request.query, body: request.body })
        const actor = { name: access.actor, ...originOf(request) }
        const key = readKey(request)
        const prepared = await route.prepare?.(input, access)
        const answer = await database.asSystem(actor, async (tx) => {
          const work = async () => {
            const answer = await route.handler({ ...input, tx, access, prepared })
            await noteTouch(tx, route, input, answer, recordTouch)
            return 'document' in answer ? answer : toWire(answer)
          }
          if (!key) return work()
          const place = { ...key, callerId: access.callerId }
          return onceForOperator(tx, place, work, (err) => refusalToWire(err, shownRequestId(request)))
        })
        if ('document' in answer) return sendDocument(reply, answer)
        if (checkResponses && answer.status < 400) checkAnswer(route, answer)
        return reply.code(answer.status).headers(answer.headers).type(JSON_TYPE).send(answer.body)
      },
    })
  }
}

function sendDocument(reply: FastifyReply, { document, headers = {} }: Document, beyond?: RealmPorts): FastifyReply {
  const { contentType, body } = document
  const isParts = typeof body === 'function'
  if (isParts && !beyond) throw new Error('a document in parts needs a realm')
  const sent = isParts && beyond ? Readable.from(body(beyond)) : body
  return reply.code(200).headers(headers).type(contentType).send(sent)
}

/** Whoever sees or changes health data is in the audit, in the transaction that answers. */
async function noteTouch(
  tx: Parameters<RecordTouch>[0],
  route: Touching & { id: string },
  { params }: Input<unknown, unknown, unknown>,
  answer: { body: unknown } | Document,
  record: RecordTouch,
): Promise<void> {
  const seen =
    'document' in answer ? { body: undefined, contentType: answer.document.contentType } : { body: answer.body }
  const touch = touchOf(route, { id: route.id, params, ...seen })
  if (touch) await record(tx, touch)
}

const actorOf = (access: Access, request: FastifyRequest): Actor => ({
  name: access.actor,
  ...originOf(request),
})

type Collector = ReturnType<typeof startCollector>

async function perform(
  route: Route,
  input: Input<unknown, unknown, unknown>,
  access: Access,
  request: FastifyRequest,
  options: RegisterOptions & { collectors: ReadonlyMap<Together, Collector> },
): Promise<WireAnswer | Document> {
  const key = readKey(request)
  const realm = route.realm?.(input, access) ?? access.realm
  const actor = actorOf(access, request)
  const alone = () => performAlone(route, input, access, request, { ...options, key, realm, actor })
  const asked = route.together?.asked(input, access)
  const collector = route.together && options.collectors.get(route.together.group)
  if (!collector || asked === undefined) return alone()
  const aloneInJson = async () => {
    const answer = await alone()
    if ('document' in answer) throw new Error(`${route.id} answers a group with a document`)
    return answer
  }
  return collector.add({ realm, actor, asked, key, requestId: shownRequestId(request), alone: aloneInJson })
}

interface Alone extends RegisterOptions {
  key: IdempotencyKey | undefined
  realm: Realm
  actor: Actor
}

/** One request in a transaction of its own. */
async function performAlone(
  route: Route,
  input: Input<unknown, unknown, unknown>,
  access: Access,
  request: FastifyRequest,
  { database, portsOf, recordTouch, key, realm, actor }: Alone,
): Promise<WireAnswer | Document> {
  const open = <T>(work: (tx: Tx) => Promise<T>) =>
    route.system ? database.asSystem(actor, (tx) => work(within(tx, realm))) : database.inRealm(realm, actor, work)
  const answer = await open(async (tx) => {
    const work = async () => {
      const accept = request.headers.accept ?? ''
      const answer = await route.handler({ ...input, tx, access, accept, idempotencyKey: key?.key })
      if (!('after' in answer)) await noteTouch(tx, route, input, answer, recordTouch)
      return 'after' in answer || 'document' in answer ? answer : toWire(answer)
    }
    return key ? once(tx, key, work, (err) => refusalToWire(err, shownRequestId(request)), route.secret) : work()
  })
  if ('document' in answer || !('after' in answer)) return answer
  const beyond = realmPorts(database, portsOf, realm, actor)
  const keep = (kept: WireAnswer) => key && beyond.open((tx) => keepAnswer(tx, key.key, kept))
  try {
    const answered = toWire(await answer.after(beyond, realmPorts(database, portsOf, access.twin, actor)))
    await keep(answered)
    return answered
  } catch (err) {
    // A failure (5xx) leaves the key claimed: what was begun may still come true, and whoever ends it keeps the answer.
    if (err instanceof AppError && isStored(err)) await keep(refusalToWire(err, shownRequestId(request)))
    else if (err instanceof AppError && err.status < 500 && key) await beyond.open((tx) => freeKey(tx, key.key))
    throw err
  }
}

export function checkAnswer(route: Pick<Route, 'id' | 'responses'>, answer: WireAnswer): void {
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

type Documented = Omit<Route, 'scope' | 'handler' | 'realm' | 'system'> & { scope?: string | readonly string[] }

/** What the OpenAPI document says of a route, and how it is told who calls. */
export function openApiSchema(
  route: Documented,
  security: Record<string, string[]>[] = [{ token: [] }, { session: [] }],
) {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, route.scope && `Scope: \`${[route.scope].flat().join('` or `')}\`.`]
      .filter(Boolean)
      .join('\n\n'),
    deprecated: route.deprecated !== undefined,
    security,
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
