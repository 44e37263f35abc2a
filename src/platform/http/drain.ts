import { EventEmitter, once } from 'node:events'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'

// A turn with nothing to do takes 20 µs.
const QUIET_MS = 0.5
const MOST_TURNS = 200

export interface Drain {
  /** Keeps serving, and asks each caller to reconnect, so that they find another process. */
  leave(): void
  isLeaving(): boolean
  /** For how long no request has been under way. */
  quietMs(): number
  /**
   * Refuses new requests. Returns once the earlier ones are answered and callers had `lingerMs` to be refused: a refused
   * caller goes elsewhere, but a connection that nobody accepts is reset. With `keepsPort`, where a supervisor holds the port,
   * nobody is refused: new connections wait for the next process.
   */
  empty(options: { lingerMs: number; timeoutMs: number; keepsPort?: boolean }): Promise<void>
}

/**
 * Returns right after a turn of the event loop that had nothing to do. The kernel resets connections that wait to be accepted
 * when their port closes; in such a turn everybody who connected before was accepted.
 */
async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const since = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    if (turns > 0 && performance.now() - since < QUIET_MS) return
  }
}

/** Drains connections, so that the end of the process resets none. */
export function registerDrain(app: FastifyInstance): Drain {
  let stage: 'serving' | 'leaving' | 'refusing' = 'serving'
  let underWay = 0
  let quietSince = performance.now()
  const ended = new EventEmitter()
  const onClose = () => {
    underWay--
    quietSince = performance.now()
    if (underWay === 0) ended.emit('all')
  }
  app.server.on('request', (_request, response) => {
    underWay++
    // A response closes once.
    response.on('close', onClose)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (stage === 'serving') return done()
    reply.header('connection', 'close')
    if (stage === 'leaving' || request.url.startsWith('/health')) return done()
    done(new AppError('OVERLOADED', 'The service is stopping, try again in a moment'))
  })
  return {
    leave() {
      stage = 'leaving'
    },
    isLeaving: () => stage !== 'serving',
    quietMs: () => (underWay > 0 ? 0 : performance.now() - quietSince),
    async empty({ lingerMs, timeoutMs, keepsPort = false }) {
      if (keepsPort) stopListening()
      else stage = 'refusing'
      const late = delay(timeoutMs, undefined, { ref: false })
      await Promise.race([untilIdle(), late])
      await delay(lingerMs)
      await quietTurn()
      if (!keepsPort) stopListening()
      await quietTurn()
      await Promise.race([untilIdle(), late])
      // A caller that is still sending a body would otherwise hold the process forever.
      if (underWay > 0) app.server.closeAllConnections()
    },
  }

  /** Not http's own `close`, which resets connections whose request has not been read yet: those get their answer. */
  function stopListening(): void {
    NetServer.prototype.close.call(app.server)
  }

  async function untilIdle(): Promise<void> {
    while (underWay > 0) await once(ended, 'all')
  }
}
