import { accountRoutes, operatorRoutes, routes } from '../modules/index.ts'
import { systemClock } from '../platform/clock.ts'
import { createPool } from '../platform/database/pool.ts'
import { createProcessContext } from '../platform/database/process-context.ts'
import { Database } from '../platform/database/tx.ts'
import { createMetrics } from '../platform/http/metrics.ts'
import { buildHttp } from '../platform/http/server.ts'
import { cookiePolicy, type Sessions } from '../platform/http/session-cookie.ts'
import { createLogger } from '../platform/log.ts'

/** Generates openapi.json, without a database. */
export async function openApiDocument(): Promise<string> {
  const log = createLogger({ level: 'silent' })
  const database = new Database({
    pool: createPool({ url: 'postgres://127.0.0.1:1/none', max: 1, log }),
    clock: systemClock,
    context: createProcessContext({ encryptionKey: undefined, urlProblem: () => undefined }),
    pooled: false,
    roles: { app: '', system: '', placement: '', reading: '' },
    enqueue: async () => '',
  })
  const { app } = await buildHttp({
    routes,
    operatorRoutes,
    accountRoutes,
    cookies: { sessions: nobody, policy: cookiePolicy(undefined) },
    database,
    log,
    authenticate: async () => undefined,
    authenticateOperator: async () => undefined,
    portsOf: () => unreachable(),
    recordTouch: () => unreachable(),
    recordRefusals: () => unreachable(),
    metrics: createMetrics(),
    clock: systemClock,
  })
  await app.ready()
  const document = JSON.stringify(app.swagger(), null, 2)
  await app.close()
  await database.close()
  return `${document}\n`
}

const nobody: Sessions = {
  enter: async () => undefined,
  operate: async () => undefined,
  find: async () => undefined,
}

function unreachable(): never {
  throw new Error('the document reaches nothing')
}
