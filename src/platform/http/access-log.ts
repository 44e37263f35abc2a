import type { FastifyInstance } from 'fastify'
import type { Logger } from '../log.ts'
import { callerRequestId } from './request-id.ts'

/** Logs one line for each answer. The route is a pattern: paths and queries hold identifiers, links and names. */
export function logAccess(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        statusCode: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        requestId: request.id,
        callerRequestId: callerRequestId(request),
        realmId: request.access?.realm.id,
      },
      'request answered',
    )
    done()
  })
}
