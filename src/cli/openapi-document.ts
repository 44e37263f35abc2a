import type { FastifyInstance } from 'fastify'
import { routes } from '../modules/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createPool } from '../platform/database/pool.ts'
import { createProcessContext } from '../platform/database/process-context.ts'
import { Database } from '../platform/database/tx.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import { buildHttp, type HttpOptions } from '../platform/http/server.ts'
import { cookiePolicy, type Sessions } from '../platform/http/session-cookie.ts'
import { createLogger } from '../platform/log.ts'

/** The text of openapi.json. */
export const openApiDocument = (): Promise<string> =>
  withoutDatabase({ routes }, async (app) => `${JSON.stringify(app.swagger(), null, 2)}\n`)

/** The HTTP edge with nothing behind it: for what reaches no database. */
export async function withoutDatabase<T>(
  { log = createLogger({ level: 'silent' }), ...options }: Partial<HttpOptions> & Pick<HttpOptions, 'routes'>,
  use: (app: FastifyInstance) => Promise<T>,
): Promise<T> {
  const database = new Database({
    pool: createPool({ url: 'postgres://127.0.0.1:1/none', max: 1, log }),
    clock: systemClock,
    context: createProcessContext({ encryptionKey: undefined, urlProblem: () => undefined }),
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
    portsOf: () => unreachable(),
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
    await database.close()
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
