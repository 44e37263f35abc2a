import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Checks } from '../database/heartbeat.ts'

/** What a failed check means, for the person who reads the answer. */
const problems: Record<keyof Checks | 'started', string> = {
  started: 'The process is starting or stopping.',
  database: 'The database does not answer.',
  writes: 'The database takes no changes: it is read-only, a standby, out of reach, or its disk is full.',
  clock:
    'The clock of this machine is more than a minute off the clock of the database, or that is not known. Set it right.',
  workers: 'No worker was heard of for a minute: nothing is sent and no job runs. Start one.',
}

export interface HealthOptions {
  /** False while starting and stopping. */
  isReady: () => boolean
  check(): Promise<Checks>
  /** Who sees why it is not ready; everyone if absent. */
  isTrusted?: (request: FastifyRequest) => boolean
}

const nothing: Checks = { database: false, writes: false, clock: false, workers: false }

/** `/health/live`: the process answers. `/health/ready`: it may be given work. */
export function registerHealth(app: FastifyInstance, { isReady, check, isTrusted = () => true }: HealthOptions): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (request, reply) => {
    const started = isReady()
    const checks = { started, ...(started ? await check() : nothing) }
    const failed = started
      ? (Object.keys(problems) as (keyof typeof problems)[]).filter((name) => !checks[name])
      : (['started'] as const)
    const ready = failed.length === 0
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      ...(isTrusted(request) && { checks, ...(!ready && { problems: failed.map((name) => problems[name]) }) }),
    })
  })
}
