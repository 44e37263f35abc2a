import { EventEmitter, once } from 'node:events'
import { Server as NetServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'

export interface Drain {
  /** Keeps serving, and asks each caller to reconnect, so that they find another process. */
  leave(): void
  /**
   * Refuses new requests. Returns once the earlier ones are answered and callers had `lingerMs` to be refused: a refused
   * caller goes elsewhere, but a connection that nobody accepts is reset.
   */
  empty(options: { lingerMs: number; timeoutMs: number }): Promise<void>
}

/** Drains connections, so that the end of the process resets none. */
export function registerDrain(app: FastifyInstance): Drain {
  let stage: 'serving' | 'leaving' | 'refusing' = 'serving'
  let underWay = 0
  const ended = new EventEmitter()
  app.server.on('request', (_request, response) => {
    underWay++
    response.once('close', () => {
      underWay--
      if (underWay === 0) ended.emit('all')
    })
  })
  app.addHook('onRequest', async (request, reply) => {
    if (stage === 'serving') return
    reply.header('connection', 'close')
    if (stage === 'leaving' || request.url.startsWith('/health')) return
    throw new AppError('OVERLOADED', 'The service is stopping, try again in a moment')
  })
  return {
    leave() {
      stage = 'leaving'
    },
    async empty({ lingerMs, timeoutMs }) {
      stage = 'refusing'
      const late = delay(timeoutMs, undefined, { ref: false })
      await Promise.race([untilIdle(), late])
      await delay(lingerMs)
      // Not http's own `close`, which resets connections whose request has not been read yet: those get their refusal.
      NetServer.prototype.close.call(app.server)
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.race([untilIdle(), late])
      // A caller that is still sending a body would otherwise hold the process forever.
      if (underWay > 0) app.server.closeAllConnections()
    },
  }

  async function untilIdle(): Promise<void> {
    while (underWay > 0) await once(ended, 'all')
  }
}
