import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { errorBody } from './error-body.ts'
import { callerRequestId } from './request-id.ts'
import { SECURITY_HEADERS } from './web.ts'

// With the groups before it and its own, an accepted request is answered within a second.
const MAX_WAIT_MS = 200

interface Queue {
  route: string
  /** How long a request would wait for a group; 0 while few wait. */
  waitMs: () => number
}

interface LoadShedderOptions {
  maxWaitMs?: number | undefined
  /** Told of each refusal, by the pattern of its route. */
  refused?(method: string, route: string): void
  /** Whether callers are asked to reconnect. */
  isLeaving?(): boolean
}

/**
 * Refuses requests for which a queue is too long before anything else looks at them: behind Fastify and its hooks a refusal
 * takes twice the time, which those that are let in then lack.
 */
export class LoadShedder {
  readonly #queues = new Map<string, Queue>()
  readonly #underWay = new Map<string, number>()
  readonly #options: LoadShedderOptions
  readonly #maxWaitMs: number
  #count = 0

  constructor(options: LoadShedderOptions = {}) {
    this.#options = options
    this.#maxWaitMs = options.maxWaitMs ?? MAX_WAIT_MS
  }

  /** Requests of this route are refused while its queue is too long. Only its last segment may be a parameter. */
  watch(method: string, route: string, waitMs: Queue['waitMs']): void {
    this.#queues.set(`${method} ${route.replace(/:\w+$/, '')}`, { route, waitMs })
  }

  /** A server whose requests pass this load shedder. */
  createServer(settings: ServerOptions, handle: RequestListener): Server {
    return createServer(settings, (request, response) => {
      const { method = '' } = request
      const queue = this.#queueOf(method, request.url ?? '')
      const caller = callerOf(request)
      if (queue && this.#isLate(queue, caller)) {
        this.#options.refused?.(method, queue.route)
        refuse(request, response, newOpaqueId('req'), this.#options.isLeaving?.())
        return
      }
      this.#add(caller, 1)
      response.on('close', () => this.#add(caller, -1))
      handle(request, response)
    })
  }

  #queueOf(method: string, url: string): Queue | undefined {
    const end = url.indexOf('?')
    const path = end < 0 ? url : url.slice(0, end)
    return (
      this.#queues.get(`${method} ${path}`) ?? this.#queues.get(`${method} ${path.slice(0, path.lastIndexOf('/') + 1)}`)
    )
  }

  #add(caller: string, change: 1 | -1): void {
    const own = (this.#underWay.get(caller) ?? 0) + change
    this.#count += change
    if (own > 0) this.#underWay.set(caller, own)
    else this.#underWay.delete(caller)
  }

  /** A caller that has less than half of its share under way is let in all the same: others have filled the queue. */
  #isLate({ waitMs }: Queue, caller: string): boolean {
    if (waitMs() < this.#maxWaitMs) return false
    const own = this.#underWay.get(caller) ?? 0
    return own >= this.#count / this.#underWay.size / 2
  }
}

/** The caller by what they show, valid or not: nothing is looked up here. */
const callerOf = ({ headers, socket }: IncomingMessage): string =>
  headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''

export const BUSY = new AppError('OVERLOADED', 'The service is busy, try again in a moment')
const [BEFORE_ID = '', AFTER_ID = ''] = JSON.stringify(errorBody(BUSY, '\0')).split(JSON.stringify('\0').slice(1, -1))
const HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'retry-after': '1',
}).flat()

export function refuseBusy(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  // A process that is stopping asks for it.
  refuse(request.raw, reply.raw, request.id, reply.hasHeader('connection'))
}

/** The cheapest refusal: not logged, with no stack, and written in one piece. */
function refuse(request: IncomingMessage, response: ServerResponse, ownId: string, isLast = false): void {
  // Of letters, digits and a few signs: nothing of it is escaped, and a character is a byte.
  const id = callerRequestId(request) ?? ownId
  const body = `${BEFORE_ID}${id}${AFTER_ID}`
  const headers = [...HEADERS, 'x-request-id', id, 'content-length', String(body.length)]
  if (isLast) headers.push('connection', 'close')
  response.writeHead(BUSY.status, headers)
  response.end(body, 'latin1')
}

const RESOLUTION_MS = 10
const WINDOW_MS = 1000

/**
 * How late the event loop is, sampled every 10 ms, but only while somebody asks: each sample wakes the process, a hundred
 * times a second.
 */
export class LoopDelay {
  readonly #samples = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #timer: NodeJS.Timeout | undefined
  #wasAsked = false
  #sinceMs = 0
  #meanMs = 0

  /** The mean of the last second; 0 in the first one after a pause. */
  meanMs(): number {
    this.#wasAsked = true
    if (!this.#timer) {
      this.#samples.enable()
      this.#sinceMs = performance.now()
      this.#timer = setTimeout(() => this.#sum(), WINDOW_MS).unref()
    }
    return this.#meanMs
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#meanMs = 0
    this.#samples.disable()
    this.#samples.reset()
  }

  #sum(): void {
    const now = performance.now()
    // Not one sample: the loop stood still.
    const meanMs = this.#samples.count === 0 ? now - this.#sinceMs : this.#samples.mean / 1e6 - RESOLUTION_MS
    // Below zero where samples that were late are followed by early ones.
    this.#meanMs = Math.max(0, meanMs)
    this.#sinceMs = now
    this.#samples.reset()
    if (!this.#wasAsked) this.stop()
    else this.#timer?.refresh()
    this.#wasAsked = false
  }
}
