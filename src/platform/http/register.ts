import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Logger } from '../log.ts'
import { deprecationHeaders } from './deprecation.ts'
import { type GroupCommit, type StartedGroupCommit, startGroupCommit } from './group-commit.ts'
import type { LoadShedder } from './load-shedder.ts'
import type { Outcome, Serving } from './perform.ts'
import { performAccount, performAnyone } from './perform-account.ts'
import { performBusiness } from './perform-business.ts'
import { performOperator } from './perform-operator.ts'
import type { Route } from './route.ts'
import { declares } from './route-errors.ts'
import { simulate, simulationOf } from './simulate.ts'
import type { WireAnswer } from './wire.ts'

export interface RegisterOptions extends Omit<Serving, 'groupOf'> {
  routes: readonly Route[]
  log: Logger
  shedder: LoadShedder
  /** Tests check that every answer is one that its route declares; another is a 500. */
  checkResponses: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Registers routes with Fastify: authorise, validate, open a transaction, run the handler, answer. */
export function registerRoutes(
  api: FastifyInstance,
  { routes, log, checkResponses, shedder, ...options }: RegisterOptions,
): void {
  const groups = new Map<GroupCommit, StartedGroupCommit>()
  const groupOf = (group: GroupCommit) => {
    const started = groups.get(group) ?? startGroupCommit(options.database, group, log)
    groups.set(group, started)
    return started
  }
  const serving = { ...options, groupOf }
  for (const route of routes) {
    const { deprecated } = route
    const group = route.groupCommit?.group
    if (group) shedder.watch(route.method, `${api.prefix}${route.path}`, () => groups.get(group)?.waitMs() ?? 0)
    api.route({
      method: route.method,
      url: route.path,
      config: { route },
      ...(route.bodyLimitBytes && { bodyLimit: route.bodyLimitBytes }),
      ...(deprecated && { onRequest: async (_request, reply) => void reply.headers(deprecationHeaders(deprecated)) }),
      async handler(request, reply) {
        const answer = async () => {
          const outcome = await perform(route, request, serving, reply)
          if (checkResponses && !('document' in outcome)) checkAnswer(route, outcome)
          // One that was kept under an Idempotency-Key, or in a group.
          if (!('document' in outcome) && outcome.status >= 400) request.refusedWith = JSON.parse(outcome.body).code
          return send(reply, outcome)
        }
        const isOfToken = route.audience === 'business' || route.audience === 'operator'
        const simulation = isOfToken ? simulationOf(request) : undefined
        return simulation ? simulate(simulation, { request, reply, answer }) : answer()
      },
    })
  }
}

function perform(route: Route, request: FastifyRequest, serving: Serving, reply: FastifyReply): Promise<Outcome> {
  switch (route.audience) {
    case 'business':
      return performBusiness(route, request, serving)
    case 'operator':
      return performOperator(route, request, serving)
    case 'account':
      return performAccount(route, request, serving, reply)
    case 'anyone':
      return performAnyone(route, request, serving, reply)
  }
}

function send(reply: FastifyReply, outcome: Outcome): FastifyReply {
  reply.code(outcome.status).headers(outcome.headers ?? {})
  if ('document' in outcome) return reply.type(outcome.document.contentType).send(outcome.document.body)
  return outcome.status === 204 ? reply.send() : reply.type(JSON_TYPE).send(outcome.body)
}

/** A refusal here is one that was kept under an Idempotency-Key, or in a group; others are thrown (`server.ts`). */
function checkAnswer(route: Route, { status, body }: WireAnswer): void {
  if (status >= 400) {
    const { code } = JSON.parse(body)
    if (declares(route, { status, code })) return
    throw new AppError('INTERNAL', `${route.id} refuses with an undeclared ${status} ${code}`)
  }
  const schema = route.answers[status]
  if (!schema) throw new Error(`${route.id} answers an undeclared ${status}`)
  const result = schema.safeParse(status === 204 ? undefined : JSON.parse(body))
  if (!result.success) throw new Error(`${route.id} answers against its schema: ${result.error.message}`)
}
