import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'

interface KnownPath {
  pattern: RegExp
  methods: Set<string>
}

/** Answers a request that no route takes: 405 if the path takes other methods, else 404. */
export type AnswerUnrouted = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/**
 * Learns which methods each path takes, from all routes that are added afterwards. `OPTIONS` of a known path is answered
 * with them; without the headers of CORS, so a page of another site still may not call.
 */
export function learnMethods(app: FastifyInstance, notFound: string): AnswerUnrouted {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    paths.set(url, known)
    for (const one of [method].flat()) known.methods.add(one)
  })
  const methodsOf = (path: string): string[] => {
    const methods = [...paths.values()].flatMap((known) => (known.pattern.test(path) ? [...known.methods] : []))
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])].sort()
  }
  return (request, reply) => {
    const methods = methodsOf(request.url.split('?', 1)[0] ?? '')
    if (methods.length === 0) throw new AppError('ROUTE_NOT_FOUND', notFound)
    reply.header('allow', methods.join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${methods.join(', ')}, not ${request.method}`)
  }
}

/** The paths of a route: `:name` stands for one segment, which may be empty, `*` for the rest. */
function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:\w+|\*$/g, (part) => (part === '*' ? '.*' : '[^/]*'))}$`)
}
