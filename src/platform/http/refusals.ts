import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../clock.ts'
import type { Realm } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import { originOf } from './request-id.ts'
import { networkOf } from './shared-counts.ts'

/** Refused attempts of one kind: without a credential, with an unknown one, or with one that does not allow this. */
interface Refusal {
  /** Present if the credential is of a business. */
  realm?: Realm | undefined
  actor: string
  requestId: string
  callerRequestId?: string
  ip: string
  code: string
  route: string
  /** How many more like it there were since the last entry, from the same network. */
  more: number
}

export type RecordRefusals = (refusals: readonly Refusal[]) => Promise<void>

const WINDOW_MS = 60_000
// Kinds that are distinguished in a window; the rest count as one kind. So nobody can fill the disk: about 200 rows a
// minute at most, with the counts of repeated attempts.
const KINDS = 100

/**
 * Records refused attempts: the first of its kind at once, repeats as a count when the minute is over. Nothing that was
 * sent is kept, since a refused credential may be a valid one with a typing mistake.
 */
export class Refusals {
  readonly #kinds = new Map<string, Refusal>()
  readonly #record: RecordRefusals
  readonly #clock: Clock
  readonly #log: Logger
  #endsAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: { record: RecordRefusals; clock: Clock; log: Logger }) {
    this.#record = options.record
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Waits for the entry of the first of its kind. The refusal stays the same if the database is down. */
  async add(request: FastifyRequest, error: AppError): Promise<void> {
    if (this.#clock.now().getTime() >= this.#endsAt) await this.flush()
    const refusal = refusalOf(request, error)
    const { actor, code, route, ip, realm } = refusal
    const own = [actor, code, route, networkOf(ip), realm?.id].join(' ')
    const kind = this.#kinds.has(own) || this.#kinds.size < KINDS ? own : 'others'
    const known = this.#kinds.get(kind)
    if (known) {
      known.more++
      return
    }
    const first = kind === own ? refusal : { ...refusal, realm: undefined, actor: 'anonymous', route: '*' }
    this.#kinds.set(kind, { ...first })
    this.#timer ??= setTimeout(() => void this.flush(), WINDOW_MS).unref()
    await this.#write([first])
  }

  /** Writes how many more there were of each kind, and starts a new count. */
  async flush(): Promise<void> {
    const repeated = [...this.#kinds.values()].filter(({ more }) => more > 0)
    this.#kinds.clear()
    this.#endsAt = this.#clock.now().getTime() + WINDOW_MS
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (repeated.length > 0) await this.#write(repeated)
  }

  async #write(refusals: readonly Refusal[]): Promise<void> {
    try {
      await this.#record(refusals)
    } catch (err) {
      this.#log.error({ err }, 'a refused attempt could not be written to the audit')
    }
  }
}

function refusalOf(request: FastifyRequest, { code }: AppError): Refusal {
  const { access, operator, signedIn } = request
  const actor = access?.actor ?? operator?.actor ?? (signedIn ? `user:${signedIn.userId}` : 'anonymous')
  const route = `${request.method} ${request.routeOptions.url ?? '*'}`
  return { ...originOf(request), ...(access && { realm: access.realm }), actor, code, route, more: 0 }
}

// The one asks for a feature that is off; the other is answered by a proof, and the request is sent again.
const REFUSE_NOBODY = new Set(['FEATURE_NOT_ENABLED', 'REAUTHENTICATION_REQUIRED'])

/** Whether an error refuses the caller rather than the request. A failed sign-in has its own entry. */
export function refusesCaller({ routeOptions }: FastifyRequest, { status, code }: AppError): boolean {
  if (code === 'CROSS_SITE') return true
  const isForAnyone = routeOptions.config?.public || routeOptions.config?.route?.audience === 'anyone'
  return (status === 401 || status === 403) && !REFUSE_NOBODY.has(code) && !isForAnyone
}

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
