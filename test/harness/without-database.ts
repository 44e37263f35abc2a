import type { FastifyInstance } from 'fastify'
import { systemClock } from '../../src/platform/clock.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { createProcessContext } from '../../src/platform/database/process-context.ts'
import { Database } from '../../src/platform/database/tx.ts'
import { createMetrics } from '../../src/platform/http/metrics.ts'
import { buildHttp, type HttpOptions } from '../../src/platform/http/server.ts'
import { cookiePolicy, type Sessions } from '../../src/platform/http/session-cookie.ts'
import { createLogger } from '../../src/platform/log.ts'
import { usualSettings } from '../../src/settings.ts'

/** The HTTP edge with nothing behind it: for what reaches no database. */
export async function withoutDatabase<T>(
  { log = createLogger({ level: 'silent' }), ...options }: Partial<HttpOptions> & Pick<HttpOptions, 'routes'>,
  use: (app: FastifyInstance) => Promise<T>,
): Promise<T> {
  const pool = createPool({ url: 'postgres://127.0.0.1:1/none', max: 1, log })
  const database = new Database({
    pool,
    clock: systemClock,
    context: createProcessContext({
      secretsKey: undefined,
      urlProblem: () => undefined,
      settings: usualSettings(),
      modules: [],
    }),
    vault: {
      of: () => unreachable(),
      ofAll: () => unreachable(),
      warm: () => undefined,
      withoutWaiting: () => unreachable(),
      forget: () => undefined,
      hashIn: () => unreachable(),
      renew: () => unreachable(),
      secrets: () => unreachable(),
      rewrap: () => unreachable(),
      close: async () => {},
    },
    pooled: false,
    roles: { app: '', system: '', placement: '', reading: '' },
    enqueue: async () => '',
  })
  const { app } = await buildHttp({
    cookies: { sessions: nobody, policy: cookiePolicy(undefined) },
    database,
    log,
    authenticate: async () => undefined,
    authenticateOperator: async () => undefined,
    noteUse: () => undefined,
    portsOf: () => unreachable(),
    egress: { request: unreachable, fetchWith: unreachable, exchange: unreachable, close: unreachable },
    recordHealthAccess: () => unreachable(),
    recordRefusals: () => unreachable(),
    metrics: createMetrics(),
    clock: systemClock,
    ...options,
  })
  try {
    await app.ready()
    return await use(app)
  } finally {
    await app.close()
    await pool.end()
  }
}

const nobody: Sessions = {
  enter: async () => undefined,
  operate: async () => undefined,
  find: async () => undefined,
}

function unreachable(): never {
  throw new Error('there is nothing behind this edge')
}
