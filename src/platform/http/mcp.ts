import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { type Cookies, guardApi } from './access.ts'
import type { Access, Authenticate, NoteUse } from './caller.ts'
import { compressJson } from './compress.ts'
import { originOfDashboard } from './session-cookie.ts'
import type { SharedCounts } from './shared-counts.ts'

/** Where the service speaks the Model Context Protocol (Streamable HTTP). */
const MCP_PATH = '/mcp'

/** One message of an assistant's application. */
export interface McpCall {
  message: Request
  /** Its JSON, as it was read. */
  body: unknown
  /** Of its token. */
  access: Access
  /** What its address asks for. */
  choices: { personalData: boolean; readOnly: boolean }
  /** Performs a request of the API in this process, with the token and the address of the caller. */
  perform(request: Request): Promise<Response>
}

/** Answers a message, with one JSON text or none. */
export type AnswerMcp = (call: McpCall) => Promise<Response>

export interface McpOptions {
  answer: AnswerMcp
  authenticate: Authenticate
  noteUse: NoteUse
  counts?: SharedCounts | undefined
  cookies: Cookies
}

/**
 * Serves POST /mcp for tokens of businesses, without sessions. The requests that it performs take the same way
 * through routes, guard, request log and audit as those of programs; its own are counted apart from them.
 */
export async function registerMcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  await app.register(async (scope) => {
    // Before the guard: a page of another site learns nothing, not even whether it guessed a token.
    scope.addHook('onRequest', (request, reply, done) => {
      reply.header('cache-control', 'no-store')
      done(refusalOf(request, options.cookies))
    })
    guardApi(scope, { ...options, countedAs: 'mcp' }, options.cookies)
    scope.addHook('onSend', (_request, reply, payload, done) => {
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer')
      done(null, payload)
    })
    compressJson(scope)
    scope.post(MCP_PATH, async (request, reply) => {
      const { access, body } = request
      if (!access) throw new AppError('INTERNAL', 'Internal server error')
      const choices = readChoices(request.query as Record<string, unknown>)
      // Batches left the protocol in 2025; one could hold a hundred calls behind one count.
      if (Array.isArray(body)) throw new AppError('VALIDATION_FAILED', 'Send one message at a time, not a list of them')
      // The performed request takes its own place, and would wait for this one.
      request.leaveShare?.()
      const answer = await options.answer({
        message: messageOf(request),
        body,
        access,
        choices,
        perform: (incoming) => perform(app, request, incoming),
      })
      reply.code(answer.status).headers(Object.fromEntries(answer.headers))
      return reply.send(await answer.text())
    })
  })
}

/** A page that DNS led here has its own address as origin; programs have none. */
function refusalOf(request: FastifyRequest, { policy }: Cookies): AppError | undefined {
  const { origin, authorization } = request.headers
  if (origin !== undefined && origin !== originOfDashboard(request, policy)) {
    return new AppError('CROSS_SITE', 'A page of another site may not call this address; programs send no Origin')
  }
  if (authorization) return undefined
  return new AppError('UNAUTHORIZED', 'Send Authorization: Bearer <token>, with a token of a business')
}

/** A word that is not known would leave out what the person wanted to be so. @throws VALIDATION_FAILED */
function readChoices(query: Record<string, unknown>): McpCall['choices'] {
  const { personalData = 'false', readOnly = 'false', ...others } = query
  const given = [personalData, readOnly]
  if (Object.keys(others).length > 0 || given.some((one) => one !== 'true' && one !== 'false')) {
    throw new AppError('VALIDATION_FAILED', 'The address takes personalData and readOnly, each true or false')
  }
  return { personalData: personalData === 'true', readOnly: readOnly === 'true' }
}

function messageOf({ headers, method }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return new Request(`http://localhost${MCP_PATH}`, { method, headers: Object.fromEntries(given) })
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

async function perform(
  app: FastifyInstance,
  { headers, ip, host }: FastifyRequest,
  incoming: Request,
): Promise<Response> {
  const { pathname, search } = new URL(incoming.url)
  const method = METHODS.find((one) => one === incoming.method)
  const own = headers['x-request-id']
  const answer = await app.inject({
    ...(method && { method }),
    url: pathname + search,
    remoteAddress: ip,
    headers: {
      ...Object.fromEntries(incoming.headers),
      ...(headers.authorization && { authorization: headers.authorization }),
      ...(typeof own === 'string' && { 'x-request-id': own }),
      host,
      'user-agent': 'kitlane-mcp',
    },
    ...(incoming.body && { payload: await incoming.text() }),
  })
  const shown = Object.entries(answer.headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  return new Response(answer.statusCode === 204 ? null : answer.payload, {
    status: answer.statusCode,
    headers: Object.fromEntries(shown),
  })
}
