import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { explain } from '../../src/cli/explain.ts'
import { randomBase62 } from '../../src/domain/ids.ts'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { connect, databaseUrls } from '../../src/platform/database/connect.ts'
import { createClient } from '../../src/platform/database/server.ts'
import { parseDatabaseUrl } from '../../src/platform/database-url.ts'
import { createLogger } from '../../src/platform/log.ts'
import { prepareDatabase, type Service, startService } from '../../src/service/app.ts'
import { usualSettings } from '../../src/settings.ts'
import { caller } from '../harness/caller.ts'
import { dropDatabase } from '../harness/drop-database.ts'
import { anOrder } from '../harness/orders.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { ON_A_BUSY_MACHINE_MS } from '../harness/world.ts'

const log = createLogger({ level: 'silent' })
const template = inject('template')
// The run removes all databases whose names begin with its template's name. Roles are removed here.
const run = `${databaseOf(template)}_${randomBase62(5).toLowerCase()}`
let admin: Client
let isModern: boolean
const logins: string[] = []
const services: Service[] = []
const dataDir = mkdtempSync(join(tmpdir(), 'kitlane-data-'))

beforeAll(async () => {
  admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
  await admin.connect()
  const { rows } = await admin.query(`select current_setting('server_version_num')::int >= 160000 as modern`)
  isModern = rows[0].modern
})
afterAll(async () => {
  for (const service of services) await service.stop()
  for (const login of logins) {
    const { rows } = await admin.query<{ name: string }>(
      `select datname as name from pg_database where datdba = (select oid from pg_roles where rolname = $1)`,
      [login],
    )
    for (const { name } of rows) await dropDatabase(admin, name)
  }
  const { rows } = await admin.query<{ name: string }>(
    `select quote_ident(rolname) as name from pg_roles where rolname like $1 order by rolname like '%\\_app' desc, 1`,
    [`${run}%`],
  )
  // Only the creator of a role may drop it since PostgreSQL 16, besides a superuser.
  for (const { name } of rows) await admin.query(`drop role ${name}`).catch(() => {})
  await admin.end()
  rmSync(dataDir, { recursive: true })
})

/** Creates a login as the README describes, with an empty database. */
async function ownerOf(name: string): Promise<string> {
  const login = `${run}_${name}`
  logins.push(login)
  await admin.query(`create role ${login} login password 'secret' createdb createrole nosuperuser`)
  await admin.query(`grant ${login} to current_user${isModern ? ' with set true' : ''}`)
  await admin.query(`create database ${login} owner ${login}`)
  const url = new URL(withDatabase(template, login).owner)
  url.username = login
  url.password = 'secret'
  return url.href
}

async function startOn(url: string): Promise<{ token: string; call: ReturnType<typeof caller>; service: Service }> {
  const urls = databaseUrls(url)
  await prepareDatabase(urls, log)
  const settings = usualSettings({ port: 0, encryptionKey: Buffer.alloc(32, 1), dataDir })
  const service = await startService({ urls, settings, log, clock: systemClock, maxLoopDelayMs: ON_A_BUSY_MACHINE_MS })
  services.push(service)
  const { liveToken: token } = await service.database.asSystem({ name: 'cli' }, (tx) =>
    onboard(tx, { name: 'Clinic', credits: 10 }),
  )
  return { token, call: caller(service.url, token), service }
}

async function failure(url: string, statements: string): Promise<string | undefined> {
  const client = createClient(url)
  await client.connect()
  try {
    await client.query(statements)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.end()
  }
}

const PERMISSION_DENIED = '42501'

describe('a login that may create roles and databases, and is no superuser,', () => {
  it('installs and runs; a second one on the same server does, too, and neither reads what the other keeps', async () => {
    const [one, two] = [await ownerOf('one'), await ownerOf('two')]
    for (const url of [one, two]) {
      const { call } = await startOn(url)
      expect((await call.post('/create-order', anOrder())).status).toBe(201)
      expect((await call.get('/orders')).body.pagination.total).toBe(1)
      expect(await prepareDatabase(databaseUrls(url), log), 'again').toMatchObject({ applied: [] })
    }
    for (const [mine, other] of [
      [one, two],
      [two, one],
    ] as [string, string][]) {
      const there = new URL(mine)
      there.pathname = new URL(other).pathname
      const roles = ['app', 'system', 'placement', 'reading'].map((kind) => `${new URL(other).username}_${kind}`)
      for (const table of ['orders', 'customers', 'tokens', 'schema_migrations'])
        expect(await failure(there.href, `select from ${table}`)).toBe(PERMISSION_DENIED)
      for (const role of roles) {
        expect(await failure(there.href, `set role ${role}`)).toBe(PERMISSION_DENIED)
        // Before PostgreSQL 16, a role that may create roles may also become any of them.
        if (isModern) expect(await failure(there.href, `grant ${role} to current_user`)).toBe(PERMISSION_DENIED)
      }
    }
  })

  it('two databases of one login install at once', async () => {
    const url = await ownerOf('twice')
    const beside = new URL(url)
    beside.pathname = `${beside.pathname}_beside`
    expect(await failure(url, `create database ${beside.pathname.slice(1)}`)).toBeUndefined()
    await Promise.all([url, beside.href, beside.href].map((each) => prepareDatabase(databaseUrls(each), log)))
    const [first, second] = await Promise.all([startOn(url), startOn(beside.href)])
    for (const { call } of [first, second]) expect((await call.post('/create-order', anOrder())).status).toBe(201)
  })

  it('learns what it lacks where it may make no roles', async () => {
    const url = await ownerOf('plain')
    const login = new URL(url).username
    await admin.query(`alter role ${login} nocreaterole`)
    await expect(prepareDatabase(databaseUrls(url), log)).rejects.toThrow(`alter role ${login} createrole`)
    await admin.query(`alter role ${login} createrole`)
    await prepareDatabase(databaseUrls(url), log)
    // Only creating the roles needs it.
    await admin.query(`alter role ${login} nocreaterole`)
    expect(await prepareDatabase(databaseUrls(url), log)).toMatchObject({ applied: [] })
  })

  it('gets roles of another name where somebody else has those of its own', async () => {
    const url = await ownerOf('late')
    await admin.query(`create role ${new URL(url).username}_app`)
    await admin.query(`create role ${new URL(url).username}_system`)
    const { call, service } = await startOn(url)
    expect((await call.post('/create-order', anOrder())).status).toBe(201)
    const role = await service.database.asSystem({ name: 'cli' }, (tx) => Promise.resolve(tx.roles.app))
    expect(role).not.toBe(`${new URL(url).username}_app`)
  })
})

describe('the URL of the database', () => {
  it('keeps its options beside our own', async () => {
    const url = new URL(await ownerOf('options'))
    url.searchParams.set('options', '-c work_mem=5555kB')
    await prepareDatabase(databaseUrls(url.href), log)
    const { pool, roles } = await connect(databaseUrls(url.href), log)
    const { rows } = await pool.query(`select current_setting('work_mem') as mem, current_user as me`)
    await pool.end()
    expect(rows).toEqual([{ mem: '5555kB', me: roles.app }])
  })

  it('names several hosts, and connections that were lost come back from the one that answers now', async () => {
    const target = new URL(await ownerOf('hosts'))
    const proxies = [await tcpProxy(target), await tcpProxy(target)]
    const list = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = target.href.replace(target.host, list).concat('?target_session_attrs=read-write')
    await proxies[1]?.close()
    await prepareDatabase(databaseUrls(url), log)
    const { pool } = await connect(databaseUrls(url), log)
    // On a busy machine a connection can take longer than the pool waits.
    const answers = () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      )
    const untilAnswered = () => expect.poll(answers).toBe(true)
    await untilAnswered()
    await proxies[1]?.open()
    await proxies[0]?.close()
    await untilAnswered()
    expect(proxies[1]?.entered()).toBeGreaterThan(0)
    await proxies[1]?.close()
    await expect(createClient(url).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await pool.end()
  })

  it('of several hosts the one that may be written is taken, and none where there is none', async () => {
    const target = new URL(await ownerOf('standby'))
    const list = target.href.replace(target.host, `127.0.0.1:1,${target.host}`)
    const read = async (wants: string) => {
      const client = createClient(`${list}?target_session_attrs=${wants}`)
      await client.connect()
      return client.query('select 1').finally(() => client.end())
    }
    for (const wants of ['any', 'read-write', 'primary', 'prefer-standby'])
      expect((await read(wants)).rowCount, wants).toBe(1)
    for (const wants of ['standby', 'read-only'])
      await expect(read(wants), wants).rejects.toThrow(`of 2 hosts 1 answer, and none is ${wants}`)
    await admin.query(`alter role ${target.username} set default_transaction_read_only = on`)
    expect((await read('read-only')).rowCount).toBe(1)
    await expect(read('read-write')).rejects.toMatchObject({ code: '08001' })
  })

  it('is read as libpq reads it, and what is none is distinguished', () => {
    expect(parseDatabaseUrl('postgresql://u:p%40@db-1,db-2:5433/kitlane?target_session_attrs=primary')).toMatchObject({
      hosts: [
        { host: 'db-1', port: 5432 },
        { host: 'db-2', port: 5433 },
      ],
      wants: 'primary',
      url: 'postgresql://u:p%40@db-1/kitlane',
    })
    expect(parseDatabaseUrl('postgres://u@[::1]:5433,db/k')?.hosts).toEqual([
      { host: '::1', port: 5433 },
      { host: 'db', port: 5432 },
    ])
    for (const wrong of ['mysql://db/k', 'db', 'postgres://a,b:x/k', 'postgres://a/k?target_session_attrs=fast'])
      expect(parseDatabaseUrl(wrong), wrong).toBeUndefined()
  })
})

describe('TLS to the database', () => {
  const own = fileURLToPath(new URL('../samples/tls/test-only.crt', import.meta.url))
  let target: URL
  let secured: Awaited<ReturnType<typeof tcpProxy>>
  let plain: Awaited<ReturnType<typeof tcpProxy>>
  beforeAll(async () => {
    target = new URL(await ownerOf('tls'))
    secured = await tcpProxy(target, overTls)
    plain = await tcpProxy(target, withoutTls)
  })
  afterAll(() => Promise.all([secured.close(), plain.close()]))

  const reach = async (host: string, { port }: { port: number }, query: string): Promise<string> => {
    try {
      const client = createClient(target.href.replace(target.host, `${host}:${port}`).concat(`?${query}`))
      await client.connect()
      await client.end()
      return 'connected'
    } catch (error) {
      return explain(error)
    }
  }

  it('means what libpq means by each sslmode', async () => {
    const root = `sslrootcert=${encodeURIComponent(own)}`
    expect(await reach('127.0.0.1', secured, 'sslmode=require'), 'encrypted, unchecked').toBe('connected')
    expect(await reach('127.0.0.1', secured, `sslmode=verify-ca&${root}`), 'of that authority').toBe('connected')
    expect(await reach('127.0.0.1', secured, `sslmode=require&${root}`)).toBe('connected')
    expect(await reach('localhost', secured, `sslmode=verify-full&${root}`)).toBe('connected')
    expect(secured.entered()).toBe(4)
  })

  it('that fails says what to do', async () => {
    const root = `sslrootcert=${encodeURIComponent(own)}`
    expect(await reach('localhost', secured, 'sslmode=verify-full')).toContain('sslrootcert=')
    expect(await reach('127.0.0.1', secured, `sslmode=verify-full&${root}`)).toContain('another host name')
    expect(await reach('127.0.0.1', plain, 'sslmode=require')).toContain('sslmode=disable')
    expect(await reach('127.0.0.1', secured, 'sslmode=verify-ca')).toContain('sslrootcert=')
    expect(await reach('127.0.0.1', secured, 'sslmode=require&sslrootcert=/not/there')).toContain('cannot be read')
  })
})

const overTls = (socket: Socket, onward: Socket) => {
  socket.once('data', () => {
    socket.write('S')
    const secure = new TLSSocket(socket, {
      isServer: true,
      key: readFileSync(new URL('../samples/tls/test-only.key', import.meta.url)),
      cert: readFileSync(new URL('../samples/tls/test-only.crt', import.meta.url)),
    })
    secure.on('error', () => {})
    secure.pipe(onward).pipe(secure)
  })
}

const straight = (socket: Socket, onward: Socket) => void socket.pipe(onward).pipe(socket)

const withoutTls = (socket: Socket) => void socket.once('data', () => socket.write('N'))

/** Starts a proxy that can be closed: it then refuses new connections and cuts the open ones. */
async function tcpProxy(target: URL, between: (socket: Socket, onward: Socket) => void = straight) {
  const open = new Set<Socket>()
  let entered = 0
  const servers: Server[] = []
  const serve = (port: number) => {
    const server = createServer((socket) => {
      entered++
      const onward = connectTo(Number(target.port), target.hostname)
      for (const each of [socket, onward]) {
        open.add(each)
        each.on('error', () => {}).on('close', () => open.delete(each))
      }
      between(socket, onward)
    }).listen(port, '127.0.0.1')
    servers.unshift(server)
    return once(server, 'listening')
  }
  await serve(0)
  const { port } = (servers[0] as Server).address() as AddressInfo
  return {
    port,
    entered: () => entered,
    open: () => serve(port),
    async close() {
      const [server] = servers
      if (!server?.listening) return
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
