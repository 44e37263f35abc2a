import { availableParallelism } from 'node:os'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { FAILS_TOO_AFTER_MS } from '../database/timeouts.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { type Gate, openGate } from '../gate.ts'
import { preferred } from './accept.ts'
import type { Route } from './route.ts'

/** A longer body is parsed and checked in slices, and its request is heavy: this many bytes take about 2 ms at once. */
export const LONG_BODY_BYTES = 64 * 1024
// A page of more entries reads and writes as much as a small export.
const LONG_PAGE = 100

declare module 'fastify' {
  interface FastifyRequest {
    /** Gives back the place of a heavy request, once. */
    leaveShare?: () => void
  }
}

const refusal = (tooMany: 'own' | 'all') =>
  tooMany === 'own'
    ? new AppError('RATE_LIMITED', 'Too many of your requests wait already; try again when they are answered', {
        extra: { retryAfterSeconds: 1 },
      })
    : new AppError('OVERLOADED', 'The service is busy, try again in a moment')

type Classed = Pick<Route, 'documents'>

/**
 * How much a request may take of the service at once. A heavy one (a long body, a long page, a document) has one of two
 * places, any other that does not join a group one of four: they leave connections of the database to the groups.
 * Businesses take turns.
 */
export class Shares {
  readonly #heavy: Gate
  // More than one busy caller has under way.
  readonly #light = openGate({ maxAtOnce: 4, maxWaitingEach: 256, maxWaiting: 2000, refusal })

  /** `heavyAtOnce`: one where service and database share two cores. */
  constructor(heavyAtOnce = availableParallelism() > 2 ? 2 : 1) {
    this.#heavy = openGate({ maxAtOnce: heavyAtOnce, maxWaitingEach: 8, maxWaiting: 200, refusal })
  }

  /** Waits for the place of a request with a long body, which keeps it until its work is done. @throws RATE_LIMITED, OVERLOADED */
  async enterWithLongBody(request: FastifyRequest): Promise<void> {
    request.leaveShare = await this.#heavy.enter(ownerOf(request))
  }

  /** Does the work of a request when it is its turn. @throws RATE_LIMITED, OVERLOADED */
  async run<T>(route: Classed, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const gate = isHeavy(route, request) ? this.#heavy : this.#light
    const leave = request.leaveShare ?? (await gate.enter(ownerOf(request)))
    try {
      return await work()
    } catch (err) {
      // The next ones would each wait for a connection, too.
      if (isUnavailable(err)) gate.refuse(FAILS_TOO_AFTER_MS)
      throw err
    } finally {
      leave()
    }
  }

  /** Makes each part of a document when it is its business's turn. A slow reader holds no place. */
  async *inTurn<T>(request: FastifyRequest, parts: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = parts[Symbol.asyncIterator]()
    for (;;) {
      const leave = await this.#heavy.wait(ownerOf(request))
      const part = await iterator.next().finally(leave)
      if (part.done) return
      yield part.value
    }
  }
}

/** Gives back the place of a long body that was refused before its work began. */
export function registerShares(app: FastifyInstance): void {
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.leaveShare?.()
    done()
  })
}

const ownerOf = ({ access, operator, signedIn, ip }: FastifyRequest): string =>
  access?.realm.businessId ?? operator?.callerId ?? signedIn?.userId ?? ip

function isHeavy({ documents = [] }: Classed, { headers, query }: FastifyRequest): boolean {
  if (preferred(headers.accept ?? '', ['application/json', ...documents]) !== 'application/json') return true
  return Number((query as { size?: unknown }).size) > LONG_PAGE
}
