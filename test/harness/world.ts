import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { inject } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import starterPanels from '../../src/modules/catalogue/data/panels.json' with { type: 'json' }
import { grant } from '../../src/modules/credits/service.ts'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { within } from '../../src/platform/database/tx.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service/app.ts'
import { type GivenSettings, type Settings, usualSettings } from '../../src/settings.ts'
import { type Caller, caller } from './caller.ts'
import type { DatabaseProxy } from './database-proxy.ts'
import { aheadMs } from './days.ts'
import { dropDatabase } from './drop-database.ts'
import { CARDIO, CORE } from './orders.ts'
import { connectOwner } from './owner.ts'
import { databaseOf, withDatabase } from './urls.ts'

export interface TestBusiness {
  id: string
  name: string
  liveToken: string
  sandboxToken: string
  live: Caller
  sandbox: Caller
}

export interface World {
  service: Service
  urls: DatabaseUrls
  encryptionKey: Buffer
  /** For another service on the same database. */
  settings: Settings
  /** The folder of the files. */
  files: string
  /** The lines that the service logged. */
  logged: string[]
  /**
   * Creates a business with two panels, CORE and CARDIO, or the given ones, and `credits` of each in live (default 100). `all`:
   * those of a new installation, whatever other files added.
   */
  business(options?: { name?: string; credits?: number; panels?: 'all' | string[] }): Promise<TestBusiness>
  /** Gives a business live credits, as the operator does. */
  grant(business: TestBusiness, kitType: string, amount: number): Promise<void>
  /** Calls without a token, or with any other one. */
  anonymous: Caller
  as(token: string): Caller
  /** A connection of `connectOwner`, which `stop` ends. */
  owner(): Promise<Client>
  /** Waits until the feed shows each event, and each audit entry can be sealed: an open transaction in any database of the
   * server holds back what is newer. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const cli = { name: 'cli' }

// Of two seconds each.
const CONNECTION_TRIES = 30
// PostgreSQL refuses to copy a database in use: by its own workers, or by a connection that is just closing.
const IN_USE = '55006'
const COPY_TRIES = 100

async function asAdmin(template: DatabaseUrls, work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
  await admin.connect()
  await work(admin)
  await admin.end()
}

/** Copies the migrated template. */
export async function cloned(admin: Client, name: string, template: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await admin.query(`create database ${name} template ${template} strategy file_copy`)
      return
    } catch (err) {
      if (tries === COPY_TRIES || !(err instanceof DatabaseError && err.code === IN_USE)) throw err
      await delay(100)
    }
  }
}

/** A service in the process of the test sheds no load below this delay: the test computes there, too. */
export const ON_A_BUSY_MACHINE_MS = 60_000

let shared: Promise<World> | undefined

/** What all businesses of an installation share: rows that a file leaves here would change what the next one sees. */
const common = [
  'biomarkers',
  'catalogue_texts',
  'default_consent_texts',
  'laboratories',
  'layout_templates',
  'range_signatures',
]

/** Copies those rows. The answer puts them back. */
async function keepCommon(urls: DatabaseUrls): Promise<() => Promise<void>> {
  const client = await connectOwner(urls.owner)
  const each = (statement: (table: string) => string) => client.query(common.map(statement).join(';'))
  await client.query('reset role')
  await each((table) => `create temp table kept_${table} as select * from ${table}`)
  return async () => {
    await each(
      (table) => `delete from ${table} t where t::text not in (select k::text from kept_${table} k);
        insert into ${table} select * from kept_${table} k where k::text not in (select t::text from ${table} t)`,
    )
    await client.end()
  }
}

/**
 * The one world of this worker: its files share the service and the database, and each makes businesses and people of its own.
 * What `stop` ends is what this file opened. It trusts the addresses that a test forwards.
 */
export async function sharedWorld(): Promise<World> {
  shared ??= ownWorld('is shared by many', { trustedProxies: ['127.0.0.1'] })
  // The next file tries again.
  shared.catch(() => {
    shared = undefined
  })
  const world = await shared
  world.logged.length = 0
  const restore = await keepCommon(world.urls)
  const clients: Client[] = []
  // Callers without a token are counted by address: the files before it leave a file its whole limit.
  const address = `2001:db8::${randomBytes(4)
    .toString('hex')
    .replace(/....(?=.)/, '$&:')}`
  const as = (token?: string) => caller(world.service.url, token, { address })
  return {
    ...world,
    as,
    anonymous: as(),
    async owner() {
      const client = await world.owner()
      clients.push(client)
      return client
    },
    async stop() {
      await Promise.all(clients.map((client) => client.end()))
      await restore()
    },
  }
}

/**
 * Starts a service on a clone of the migrated template, for tests that the shared world does not serve. `_why` completes the
 * sentence "the test …": it sets the clock, stops the service, looks at every row of the database.
 */
export async function ownWorld(
  _why: string,
  given: GivenSettings = {},
  {
    proxy,
    ...more
  }: Partial<Pick<ServiceOptions, 'clock' | 'maxLoopDelayMs' | 'modules'>> & { proxy?: DatabaseProxy } = {},
): Promise<World> {
  // Most tests are about something else than second factors. Those about them start with the default.
  const { encryptionKey = randomBytes(32) } = given
  const dataDir = await mkdtemp(join(tmpdir(), 'kitlane-data-'))
  const settings = usualSettings({
    dataDir,
    port: 0,
    allowLoopbackWebhooks: true,
    secondFactor: 'optional',
    stopDelaySeconds: 0,
    // A busy machine is slow, which tests about something else do not look for in the log.
    slowStatementMs: 0,
    ...given,
    encryptionKey,
  })
  if (aheadMs > 0) more.clock ??= { now: () => new Date(Date.now() + aheadMs) }
  const template = inject('template')
  const name = `${databaseOf(template)}_${randomBase62(6).toLowerCase()}`
  await connecting(() => asAdmin(template, (admin) => cloned(admin, name, databaseOf(template))))
  const urls = withDatabase(template, name)
  // Entries are dated by the test's clock. Otherwise the database corrects what is far from its own.
  if (more.clock) {
    const client = await connectOwner(urls.owner)
    await client
      .query('reset role; alter table audit_entries disable trigger audit_entries_now')
      .finally(() => client.end())
  }
  const logged: string[] = []
  const log = createLogger({ level: 'info', stream: { write: (line) => void logged.push(line) } })
  const options: ServiceOptions = {
    urls: proxy ? { ...urls, app: proxy.url(urls.app), direct: proxy.url(urls.direct) } : urls,
    settings,
    log,
    checkResponses: true,
    maxLoopDelayMs: ON_A_BUSY_MACHINE_MS,
    ...more,
  }
  const service = await connecting(() => startService(options))
  const as = (token?: string) => caller(service.url, token)
  const clients: Client[] = []
  const owner = async () => {
    const client = await connectOwner(urls.owner)
    clients.push(client)
    return client
  }
  return {
    service,
    urls,
    encryptionKey,
    settings,
    files: join(dataDir, 'files'),
    logged,
    as,
    anonymous: as(),
    async business({ name = `Clinic ${randomBase62(6)}`, credits = 100, panels = [CORE, CARDIO] } = {}) {
      const made = await service.database.asSystem(cli, (tx) =>
        onboard(tx, { name, credits, panels: panels === 'all' ? Object.keys(starterPanels) : panels }),
      )
      const { business, liveToken, sandboxToken } = made
      return { ...business, liveToken, sandboxToken, live: as(liveToken), sandbox: as(sandboxToken) }
    },
    grant: (business, kitType, amount) =>
      service.database.asSystem(cli, async (tx) => {
        const { live } = await realmsOf(tx, business.id)
        await grant(within(tx, live), [{ kitType, amount }])
      }),
    owner,
    async settled() {
      const client = await connectOwner(urls.owner)
      const { rows } = await client.query('select pg_current_xact_id()::text as xact')
      while ((await client.query('select where $1::xid8 >= kitlane_settled()', [rows[0].xact])).rowCount)
        await delay(10)
      await client.end()
    },
    async stop() {
      await service.stop({ atOnce: true })
      await Promise.all(clients.map((client) => client.end()))
      await asAdmin(template, (admin) => dropDatabase(admin, name))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** On a busy machine a first connection takes longer than a request waits for one. Nothing was sent on it. */
export async function connecting<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (err) {
      if (
        tries === CONNECTION_TRIES ||
        !(
          err instanceof Error &&
          /connection timeout|timeout expired|timeout exceeded when trying to connect/.test(err.message)
        )
      )
        throw err
    }
  }
}
