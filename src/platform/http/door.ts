import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { errorBody } from './error-body.ts'
import type { GroupCommit } from './group-commit.ts'
import { shownRequestId } from './request-id.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

// With the groups before it and its own, an accepted request is answered within a second.
const MAX_WAIT_MS = 200

/** How long a request would wait for a group; 0 while few wait. */
type Wait = () => number

/** Refuses requests for which a queue is too long, before their token is looked up or their body is parsed. */
export class Door {
  readonly #queues = new Map<GroupCommit, Wait>()
  readonly #underWay = new Map<string, number>()
  readonly #maxWaitMs: number
  readonly #refused: () => void
  #count = 0

  constructor(maxWaitMs = MAX_WAIT_MS, refused = () => {}) {
    this.#maxWaitMs = maxWaitMs
    this.#refused = refused
  }

  /** Requests of this group are refused while its queue is too long. */
  watch(group: GroupCommit, waitMs: Wait): void {
    this.#queues.set(group, waitMs)
  }

  register(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#isLate(request)) {
        this.#refused()
        refuseBusy(request, reply)
        return
      }
      this.#add(request, 1)
      request.isAdmitted = true
      done()
    })
    app.addHook('onResponse', (request, _reply, done) => {
      if (request.isAdmitted) this.#add(request, -1)
      done()
    })
  }

  #add(request: FastifyRequest, change: 1 | -1): void {
    const caller = callerOf(request)
    const own = (this.#underWay.get(caller) ?? 0) + change
    this.#count += change
    if (own > 0) this.#underWay.set(caller, own)
    else this.#underWay.delete(caller)
  }

  /** A caller that has less than half of its share under way is let in all the same: others have filled the queue. */
  #isLate(request: FastifyRequest): boolean {
    const group = request.routeOptions.config.route?.groupCommit?.group
    const waitMs = group && this.#queues.get(group)
    if (!waitMs || waitMs() < this.#maxWaitMs) return false
    const own = this.#underWay.get(callerOf(request)) ?? 0
    return own >= this.#count / this.#underWay.size / 2
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as under way. */
    isAdmitted?: boolean
  }
}

/** Whoever it is by what they show, valid or not: nothing is looked up here. */
const callerOf = ({ headers, ip }: FastifyRequest): string => headers.authorization ?? headers.cookie ?? ip

const BUSY = new AppError('OVERLOADED', 'The service is busy, try again in a moment')
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorBody(BUSY, '\0')).split(JSON.stringify('\0').slice(1, -1))
const HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '1' },
}).flat()

/** The cheapest refusal: not logged, with no stack, and written in one piece past the hooks that shape other answers. */
export function refuseBusy(request: FastifyRequest, reply: FastifyReply): void {
  // Of letters, digits and a few signs: nothing of it is escaped, and a character is a byte.
  const id = shownRequestId(request)
  const body = `${BEFORE_ID}${id}${AFTER_ID}`
  const headers = [...HEADERS, 'x-request-id', id, 'content-length', String(body.length)]
  // A process that is stopping asks for it.
  if (reply.hasHeader('connection')) headers.push('connection', 'close')
  reply.hijack()
  reply.raw.writeHead(BUSY.status, headers)
  reply.raw.end(body, 'latin1')
}
