import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/tx.ts'

/** `/health/live`: the process answers. `/health/ready`: it may be given work (started, database there, not stopping). */
export function registerHealth(
  app: FastifyInstance,
  { database, isReady }: { database: Database; isReady: () => boolean },
): void {
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'live' }))
  app.get('/health/ready', { schema: { hide: true } }, async (_request, reply) => {
    const started = isReady()
    const databaseAnswers = started && (await database.isAlive())
    const ready = started && databaseAnswers
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', checks: { started, database: databaseAnswers } })
  })
}
