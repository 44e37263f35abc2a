import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseProxy, databaseProxy } from '../../test/harness/database-proxy.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { runKitlane, spawnKitlane } from '../../test/harness/kitlane.ts'
import { CORE } from '../../test/harness/orders.ts'
import { improper, Load } from '../load.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'

import { makeServers, type Server, type Servers } from './servers.ts'

export const faults = ['stop', 'freeze', 'black hole', 'read-only', 'failover', 'restart'] as const
export type Fault = (typeof faults)[number]

export interface Plan {
  seed: number
  rounds: { fault: Fault; seconds: number }[]
  /** The checkout whose service is tested, with its node_modules. */
  checkout: string
  bin: string
  /** How long a round waits for the first order, and then for readiness. */
  patienceMs: number
  /** How long a round waits before the next, at most. */
  restMs?: number
  /** Requests at a time. Default: 16. */
  concurrency?: number
  say(line: string): void
}

export interface Round {
  fault: Fault
  seconds: number
  /** Counted from the end of the outage. Undefined if it took longer than `patienceMs`. */
  firstOrderMs?: number
  readyMs?: number
  /** Whether `/health/ready` answered 503 during the outage. */
  wasUnready: boolean
}

export interface Result {
  rounds: Round[]
  answers: Record<string, number>
  slowestAnswerMs: number
  orders: number
  mostConnections: number
  figures: Figure[]
}

/** Of one process to the database: 10 for requests, 6 for jobs, 3 for LISTEN. */
export const MOST_CONNECTIONS = 19
const CONCURRENCY = 16

/** Injects one database fault after another under load, then checks the data. */
export async function run(plan: Plan): Promise<Result> {
  const servers = await makeServers(plan.bin)
  const proxy = await databaseProxy(servers.primary.url)
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-outage-service-'))
  const service = await startService(plan.checkout, proxy.url(servers.primary.url), servers.primary.url, folder)
  try {
    const random = randomOf(plan.seed)
    const load = new Load({
      url: service.url,
      token: service.token,
      concurrency: plan.concurrency ?? CONCURRENCY,
      random,
    })
    await load.nextOrder(60_000)
    const rounds: Round[] = []
    let serving = servers.primary
    for (const { fault, seconds } of plan.rounds) {
      if (fault === 'failover') await servers.synchronize()
      const unready = service.watchUnready()
      const back = await injectFault(fault, seconds * 1000 * (0.9 + 0.2 * random.fraction()), {
        servers,
        serving,
        proxy,
      })
      serving = back
      const wasUnready = unready.seen()
      const ready = service.untilReady(plan.patienceMs)
      const firstOrderMs = await load.nextOrder(plan.patienceMs)
      const round = { fault, seconds, firstOrderMs, readyMs: await ready, wasUnready }
      plan.say(inWords(round))
      rounds.push(round)
      if (!service.isAlive()) plan.say('the service has exited')
      // The next outage starts only when the service has recovered.
      await load.nextOrder(plan.patienceMs)
      await delay((plan.restMs ?? 0) * random.fraction())
    }
    await load.finish(plan.patienceMs)
    const wasAlive = service.isAlive()
    const most = proxy.count().most
    // The service is stopped first: it may hold every connection.
    await service.end()
    const figures = [...(await countFaults(serving, load)), ...(await service.verify(serving.url))]
    return {
      rounds,
      answers: load.answers.orders,
      slowestAnswerMs: Math.round(load.slowestAnswerMs),
      orders: load.acknowledged.length,
      mostConnections: most,
      figures: [
        ...figures,
        { name: 'services that exited', actual: wasAlive ? 0 : 1, expected: 0 },
        { name: `connections above ${MOST_CONNECTIONS}`, actual: Math.max(0, most - MOST_CONNECTIONS), expected: 0 },
        {
          name: 'outages after which no order was placed',
          actual: rounds.filter((r) => r.firstOrderMs === undefined).length,
          expected: 0,
        },
        {
          name: 'outages after which the service did not become ready',
          actual: rounds.filter((r) => r.readyMs === undefined).length,
          expected: 0,
        },
        {
          name: 'requests without an answer',
          actual: improper(load.answers),
          expected: 0,
        },
      ],
    }
  } finally {
    await service.end()
    await proxy.close()
    await servers.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Topology {
  servers: Servers
  serving: Server
  proxy: DatabaseProxy
}

/** Makes the database unavailable for `ms`. Returns the server that is the primary afterwards. */
async function injectFault(fault: Fault, ms: number, { servers, serving, proxy }: Topology): Promise<Server> {
  if (fault === 'stop') {
    await serving.kill()
    await delay(ms)
    await serving.start()
  } else if (fault === 'restart') {
    await serving.restart()
  } else if (fault === 'freeze') {
    serving.signal('SIGSTOP')
    await delay(ms)
    serving.signal('SIGCONT')
  } else if (fault === 'black hole') {
    await proxy.setMode('silent')
    await delay(ms)
    await proxy.setMode('renewed')
  } else if (fault === 'read-only') {
    const db = await serving.connect()
    await db.query('alter system set default_transaction_read_only = on')
    await db.query('select pg_reload_conf()')
    await delay(ms)
    await db.query('set default_transaction_read_only = off')
    await db.query('alter system reset default_transaction_read_only')
    await db.query('select pg_reload_conf()')
    await db.end()
  } else {
    await serving.kill()
    await delay(ms)
    await servers.standby.promote()
    proxy.redirect('127.0.0.1', servers.standby.port)
    return servers.standby
  }
  return serving
}

/** Checks that every acknowledged order exists once, under the ID of its acknowledgement. */
async function countFaults(server: Server, load: Load): Promise<Figure[]> {
  const db = await server.connect()
  const fromAcknowledged = `from jsonb_to_recordset($1::jsonb) as t(key text, "orderId" text)`
  const given = [JSON.stringify(load.acknowledged)]
  const number = async (text: string, values: unknown[] = []) => Number((await db.query(text, values)).rows[0].n)
  const found: Figure[] = [
    {
      name: 'acknowledged orders that are lost',
      actual: await number(
        `select count(*) n ${fromAcknowledged} where not exists (select from orders o where o.external_id = t.key and o.id = t."orderId")`,
        given,
      ),
      expected: 0,
    },
    {
      name: 'duplicate orders',
      actual: await number('select count(*) n from (select 1 from orders group by external_id having count(*) > 1) d'),
      expected: 0,
    },
    {
      name: 'credits spent without an order',
      actual: await number(
        `select coalesce(sum(case when t.to_account = 'spent' then t.amount else 0 end), 0) - (select count(*) from orders) n from credit_transfers t`,
      ),
      expected: 0,
    },
    { name: 'orders that were never acknowledged', actual: load.begun - load.acknowledged.length, expected: 0 },
  ]
  await db.end()
  return found
}

async function startService(checkout: string, databaseUrl: string, directUrl: string, folder: string) {
  const launcher = join(checkout, 'bin', 'kitlane.js')
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const env = { LOG_LEVEL: 'fatal', ENCRYPTION_KEY: randomBytes(32).toString('base64') }
  const running = spawnKitlane(
    ['start', '--port', port, '--data', folder],
    { ...env, DATABASE_URL: databaseUrl },
    folder,
    {
      launcher,
    },
  )
  let over = false
  void running.ended.then(() => {
    over = true
  })
  await running.until(/^Kitlane is ready/m)
  const made = await runKitlane(
    ['business', 'create', '--name', 'Outage', '--panels', CORE, '--credits', '900000', '--json'],
    { ...env, DATABASE_URL: directUrl },
    folder,
    { launcher },
  )
  if (made.code !== 0) throw new Error(made.stderr)
  await runKitlane(
    ['business', 'set', '--business', 'Outage', 'rateLimitPerMinute=1000000'],
    { ...env, DATABASE_URL: directUrl },
    folder,
    { launcher },
  )
  const status = async () => {
    const answer = await Promise.race([
      fetch(`${url}/health/ready`).catch(() => undefined),
      delay(3000, undefined, { ref: false }),
    ])
    return answer?.status
  }
  return {
    url,
    token: JSON.parse(made.stdout).liveToken as string,
    isAlive: () => !over,
    /** What the commands that verify say of the data. */
    verify: (direct: string): Promise<Figure[]> =>
      Promise.all(
        ['verify-ledger', 'verify-audit'].map(async (command) => {
          const { code } = await runKitlane([command], { ...env, DATABASE_URL: direct }, folder, { launcher })
          return { name: `exit code of kitlane ${command}`, actual: code ?? -1, expected: 0 }
        }),
      ),
    /** Watches from now on whether readiness is ever refused. */
    watchUnready() {
      let seen = false
      let watching = true
      void (async () => {
        for (; watching && !seen; await delay(100)) seen ||= (await status()) === 503
      })()
      return {
        seen() {
          watching = false
          return seen
        },
      }
    },
    async untilReady(withinMs: number): Promise<number | undefined> {
      const since = performance.now()
      for (; performance.now() - since < withinMs; await delay(50)) {
        if ((await status()) === 200) return performance.now() - since
      }
      return undefined
    },
    async end() {
      running.child.kill('SIGTERM')
      await Promise.race([running.ended, delay(30_000)])
      running.child.kill('SIGKILL')
    },
  }
}

const seconds = (ms: number | undefined) => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`)

function inWords({ fault, seconds: length, firstOrderMs, readyMs, wasUnready }: Round): string {
  return `${fault}, ${length} s: first order after ${seconds(firstOrderMs)}, ready after ${seconds(readyMs)}${wasUnready ? '' : ', not reported by /health/ready'}`
}
