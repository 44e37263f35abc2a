import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../database/tx.ts'

export interface HealthOptions {
  database: Database
  /** False while stopping: the load balancer looks elsewhere. */
  isReady: () => boolean
  /** Who is told why it is not ready; everybody when absent. */
  isTrusted?: (request: FastifyRequest) => boolean
}

/** `/health/live`: the process answers. `/health/ready`: it may be given work (started, database there, not stopping). */
export function registerHealth(
  app: FastifyInstance,
  { database, isReady, isTrusted = () => true }: HealthOptions,
): void {
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'live' }))
  app.get('/health/ready', { schema: { hide: true } }, async (request, reply) => {
    const started = isReady()
    const databaseAnswers = started && (await database.isAlive())
    const ready = started && databaseAnswers
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      ...(isTrusted(request) && { checks: { started, database: databaseAnswers } }),
    })
  })
}
