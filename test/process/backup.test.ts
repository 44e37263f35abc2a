import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from '../../src/platform/backup/archive.ts'
import type { Head } from '../../src/platform/backup/manifest.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type EmbeddedCluster, openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { callKitlane } from '../harness/in-process.ts'
import type { Outcome } from '../harness/kitlane.ts'
import { anOrder } from '../harness/orders.ts'
import { type S3StandIn, startS3 } from '../harness/s3-stand-in.ts'
import { waitUntil } from '../harness/wait.ts'
import { ON_A_BUSY_MACHINE_MS, ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const CONTENT = 'the content of a file '.repeat(1000)

let world: World
let clinic: TestBusiness
let folder: string
let file: string
let key: string
let made: { location: string; bytes: number; rows: number; tables: number; files: number }
let feed: string[]
let target: EmbeddedCluster

const keys = () => ({ ENCRYPTION_KEY: world.encryptionKey.toString('hex'), BACKUP_KEY: key })
const kitlane = (args: string[], env: Record<string, string> = {}) => callKitlane(args, { ...keys(), ...env }, folder)
/** On the database of the world. */
const onWorld = (args: string[], env: Record<string, string> = {}) =>
  kitlane([...args, '--json'], { DATABASE_URL: world.urls.owner, ...env })
const into = (database: string, args: string[], env: Record<string, string> = {}) =>
  kitlane(['restore', ...args], { DATABASE_URL: urlOf(database), ...env })

beforeAll(async () => {
  world = await ownWorld('dumps the database')
  folder = await mkdtemp(join(tmpdir(), 'kitlane-backup-'))
  key = await generateX25519Identity()
  // Another cluster: its transactions are counted from another number, and on Debian's PostgreSQL 15 it is a newer version.
  target = await openEmbedded({ dataDir: join(folder, 'cluster') })
  clinic = await world.business({ credits: 1000 })
  for (let n = 0; n < 12; n++) await order(clinic.live)
  await order(clinic.sandbox)
  feed = await waitUntil(async () => {
    const ids = await events(clinic.live)
    return ids.length === 12 && ids
  })
  await mkdir(join(folder, 'data/files/live'), { recursive: true })
  await writeFile(join(folder, 'data/files/live/one.txt'), CONTENT)
  await writeFile(join(folder, 'data/files/empty'), '')
  await emptyDatabase('refusing')
  const { code, stdout, stderr } = await onWorld(['backup', `${folder}/kept/`])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  made = JSON.parse(stdout)
  file = made.location
})
afterAll(async () => {
  await world?.stop()
  await target?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function order(of: Caller): Promise<void> {
  expect((await of.post('/create-order', anOrder())).status).toBe(201)
}

async function events(of: Caller): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const { body } = await of.get(`/events?size=250${ids.length > 0 ? `&after=${ids.at(-1)}` : ''}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.hasMore) return ids
  }
}

const urlOf = (database: string) => target.ownerUrl.replace(/\/kitlane$/, `/${database}`)

async function asSuper(database: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: target.superUrl.replace(/\/postgres$/, `/${database}`) })
  await client.connect()
  try {
    return (await client.query(text)).rows ?? []
  } finally {
    await client.end()
  }
}

async function emptyDatabase(name: string): Promise<string> {
  await asSuper('postgres', `create database ${name} owner kitlane_owner`)
  return name
}

const tablesIn = async (database: string) =>
  (await asSuper(database, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).length

const sentence = ({ code, stdout, stderr }: Outcome) => {
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).not.toMatch(/^\s+at /m)
  return stderr
}

describe('a backup that was made while the service ran', () => {
  let restored: Service | undefined
  afterAll(() => restored?.stop({ atOnce: true }))

  it('is restored into an empty server, which proves that everything is there', async () => {
    await emptyDatabase('whole')
    const outcome = await into('whole', [file, '--data', join(folder, 'restored'), '--json'])
    expect(outcome.stderr).toBe('')
    const { ok, proofs } = JSON.parse(outcome.stdout)
    expect(proofs.filter((one: { ok: boolean }) => !one.ok)).toEqual([])
    expect(ok).toBe(true)
    const found = Object.fromEntries(proofs.map((one: { what: string; found: string }) => [one.what, one.found]))
    expect(found).toMatchObject({
      tables: String(made.tables),
      rows: String(made.rows),
      'the ledger adds up': 'yes',
      'the audit is intact': 'yes',
      'orders, by their list': '13',
    })
    expect(await readFile(join(folder, 'restored/files/live/one.txt'), 'utf8')).toBe(CONTENT)
    expect(await readFile(join(folder, 'restored/files/empty'), 'utf8')).toBe('')
  })

  it('goes on there: nobody misses an event, new orders are counted, and what waited is done', async () => {
    const urls = { owner: urlOf('whole'), app: urlOf('whole'), direct: urlOf('whole'), asOwner: true }
    const log = createLogger({ level: 'silent' })
    restored = await startService({
      urls,
      settings: world.settings,
      log,
      clock: systemClock,
      maxLoopDelayMs: ON_A_BUSY_MACHINE_MS,
    })
    const live = caller(restored.url, clinic.liveToken)
    expect(await events(live)).toEqual(feed)
    for (let n = 0; n < 3; n++) await order(live)
    await expect.poll(() => events(live)).toHaveLength(15)
    expect((await events(live)).slice(0, 12)).toEqual(feed)
    expect((await live.get('/orders?size=1')).body.pagination.total).toBe(15)
    const before = await clinic.live.get('/kits')
    const after = await live.get('/kits')
    expect(after.body.slice(3)).toEqual(before.body)
  })
})

describe('files that FILES_URL keeps in a bucket', () => {
  let s3: S3StandIn
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.stop())
  const filesAt = (prefix: string) => {
    const { region, endpoint = '', credentials } = s3.place.s3
    return {
      FILES_URL: `s3://kitlane-files/${prefix}`,
      FILES_ENDPOINT_URL: endpoint,
      FILES_REGION: region,
      FILES_ACCESS_KEY_ID: credentials.accessKeyId,
      FILES_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    }
  }
  const keysAt = (prefix: string) => [...s3.objects.keys()].filter((key) => key.startsWith(`${prefix}/`)).sort()

  it('are in the backup, and a restore puts them into the bucket that it is given', async () => {
    for (let n = 0; n < 10; n++)
      s3.objects.set(`one/2031-01-01/${n}`, { body: Buffer.from(`file ${n}`), at: new Date() })
    const { stdout, stderr } = await onWorld(['backup', `${folder}/with-bucket`], filesAt('one'))
    expect(stderr).toBe('')
    const { location, files } = JSON.parse(stdout)
    expect(files).toBe(10)
    await emptyDatabase('bucket')
    expect(sentence(await into('bucket', [location], filesAt('one')))).toMatch(
      /s3:\/\/kitlane-files\/one\/ is not empty/,
    )
    expect(await tablesIn('bucket')).toBe(0)
    const { code } = await into('bucket', [location, '--json'], filesAt('two'))
    expect([code, keysAt('two')]).toEqual([0, keysAt('one').map((key) => key.replace('one/', 'two/'))])
    expect(s3.objects.get('two/2031-01-01/7')?.body.toString()).toBe('file 7')
  })

  it('are not left behind by a restore that fails', async () => {
    const copy = join(folder, 'cut-in-its-files')
    const whole = await readFile(`${folder}/with-bucket`)
    await writeFile(copy, whole.subarray(0, whole.length - 100))
    expect(sentence(await into('refusing', [copy], filesAt('three')))).toMatch(/damaged/)
    expect(keysAt('three')).toEqual([])
  })
})

describe('a restore', () => {
  it('refuses a database that is not empty, and changes nothing in it', async () => {
    await emptyDatabase('used')
    await asSuper('used', 'create table notes (text text)')
    expect(sentence(await into('used', [file]))).toMatch(/not empty: it has public\.notes.* another database/)
    expect(await tablesIn('used')).toBe(1)
    expect(sentence(await onWorld(['restore', file]))).toMatch(/not empty/)
  })

  it.each([
    [
      'another BACKUP_KEY',
      async () => ({ BACKUP_KEY: await generateX25519Identity() }),
      /encrypted for another key\. Set BACKUP_KEY/,
    ],
    [
      'a public BACKUP_KEY',
      async () => ({ BACKUP_KEY: await identityToRecipient(key) }),
      /opens none\. Set BACKUP_KEY to its secret key/,
    ],
    ['no BACKUP_KEY', async () => ({ BACKUP_KEY: '' }), /key of the backup is missing\. Set BACKUP_KEY/],
    [
      'ENCRYPTION_KEY as BACKUP_KEY',
      async () => ({ BACKUP_KEY: keys().ENCRYPTION_KEY }),
      /BACKUP_KEY must be a key of age/,
    ],
    [
      'another ENCRYPTION_KEY',
      async () => ({ ENCRYPTION_KEY: '0'.repeat(64) }),
      /another encryption key.*Set ENCRYPTION_KEY to that key/,
    ],
  ])('refuses %s with a sentence', async (_what, env, words) => {
    const outcome = await into('refusing', [file, '--data', join(folder, 'nothing')], await env())
    expect(sentence(outcome)).toMatch(words)
    expect(await tablesIn('refusing')).toBe(0)
  })

  it.each([
    [
      'changed',
      (bytes: Buffer) => bytes.with(Math.floor(bytes.length / 2), (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1),
    ],
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100_000)],
    ['cut in its beginning', (bytes: Buffer) => bytes.subarray(0, 100)],
  ])('refuses a file that was %s, and leaves the database empty', async (_what, damage) => {
    const copy = join(folder, 'damaged')
    await writeFile(copy, damage(await readFile(file)))
    expect(sentence(await into('refusing', [copy, '--data', join(folder, 'nothing')]))).toMatch(
      /damaged.*Copy it again/,
    )
    expect(sentence(await kitlane(['restore', '--check', copy]))).toMatch(/damaged.*Copy it again/)
    expect(await tablesIn('refusing')).toBe(0)
  })

  /** A database in which a statement runs when the rows are there, and row-level security does not hide them yet. */
  async function disturbed(database: string, statement: string): Promise<string> {
    await emptyDatabase(database)
    await asSuper(
      database,
      `create schema fault; grant usage on schema fault to public;
       create function fault.disturb() returns event_trigger language plpgsql as $$ begin
         if exists (select from pg_class where oid = to_regclass('public.kits') and not relforcerowsecurity) then
           ${statement};
         end if;
       end $$;
       create event trigger disturb on ddl_command_end when tag in ('CREATE INDEX') execute function fault.disturb()`,
    )
    return database
  }

  it('is right although rows lie in another order than in the backup: short ones may take the room that is left', async () => {
    const moved = `update public.kits set kit_type = kit_type where ctid = (select min(ctid) from public.kits)`
    const database = await disturbed('moved', moved)
    const { code, stderr } = await into(database, [file, '--data', join(folder, 'moved'), '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('finds one value that is another, names its table, and keeps nothing', async () => {
    const changed = `update public.kits set kit_type = 'ED14KY98G' where ctid = (select min(ctid) from public.kits)`
    const database = await disturbed('changed', changed)
    expect(sentence(await into(database, [file, '--data', join(folder, 'changed')]))).toMatch(
      /not what the backup holds \(tables with the same rows, all but kits\)/,
    )
    expect(await tablesIn(database)).toBe(0)
  })

  it('finds that the protection of a table was lost, and keeps nothing', async () => {
    const database = await disturbed('unprotected', 'alter table public.kits disable row level security')
    expect(sentence(await into(database, [file, '--data', join(folder, 'lost')]))).toMatch(
      /not what the backup holds \(tables with forced row-level security/,
    )
    expect(await tablesIn(database)).toBe(0)
  })
})

describe('a backup that somebody else made', () => {
  /** The archive with its entries changed, encrypted with the public key, as anyone who has that one can. */
  async function rewritten(
    name: string,
    change: (entry: string, content: Buffer) => Buffer | undefined,
  ): Promise<string> {
    const known = { publicKey: await identityToRecipient(key), secretKey: key }
    const path = join(folder, name)
    const write = async (bytes: Readable) => writeFile(path, bytes)
    await writeArchive({ ...known, secretKey: undefined }, write, async (writer) => {
      for await (const { name: entry, content } of readArchive(known, createReadStream(file), file)) {
        const chunks: Buffer[] = []
        for await (const chunk of content) chunks.push(chunk)
        const changed = change(entry, Buffer.concat(chunks))
        if (changed) await writer.add(entry, changed)
      }
    })
    return path
  }
  const headWith = (change: (head: Head) => void) => (entry: string, content: Buffer) => {
    if (entry !== 'head.json') return content
    const head = JSON.parse(content.toString())
    change(head)
    return Buffer.from(JSON.stringify(head))
  }
  const unsigned =
    (change: (entry: string, content: Buffer) => Buffer | undefined) => (entry: string, content: Buffer) =>
      entry.includes('signature') ? undefined : change(entry, content)
  const same = (_entry: string, content: Buffer) => content
  const refusedIn = async (path: string, ...flags: string[]) => {
    const words = sentence(await into('refusing', [path, '--data', join(folder, 'nothing'), ...flags]))
    expect(await tablesIn('refusing')).toBe(0)
    return words
  }

  it('or a release that did not sign, is restored with a word of consent only, and --check says so', async () => {
    const path = await rewritten('unsigned', unsigned(same))
    expect(await refusedIn(path)).toMatch(/has no signature\. Anyone who has the public key.*add --allow-unsigned/)
    expect(JSON.parse((await kitlane(['restore', '--check', path, '--json'])).stdout).signature).toBe('none')
    expect(JSON.parse((await kitlane(['restore', '--check', file, '--json'])).stdout).signature).toBe('valid')
    await emptyDatabase('consented')
    const { code, stderr } = await into('consented', [
      path,
      '--data',
      join(folder, 'consented'),
      '--allow-unsigned',
      '--json',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it.each([
    ['its head', headWith((head) => head.roles.push('x'))],
    [
      'its manifest',
      (entry: string, content: Buffer) =>
        entry === 'manifest.json' ? Buffer.from(JSON.stringify(JSON.parse(content.toString()))) : content,
    ],
    [
      'its last signature, which is gone,',
      (entry: string, content: Buffer) => (entry.startsWith('manifest.sig') ? undefined : content),
    ],
    [
      'a signature of another key',
      (entry: string, content: Buffer) =>
        entry.includes('signature')
          ? Buffer.from(JSON.stringify({ ...JSON.parse(content.toString()), key: randomBytes(81).toString('base64') }))
          : content,
    ],
  ])('is refused by %s', async (_what, change) => {
    const path = await rewritten('other-signature', change)
    expect(await refusedIn(path)).toMatch(/has (no signature|a signature that was not made with this encryption key)/)
    const { signature } = JSON.parse((await kitlane(['restore', '--check', path, '--json'])).stdout)
    expect(signature).not.toBe('valid')
  })

  const attack = `FOR VALUES FROM ('900000000000000') TO ('900000000000001'); create table stolen as select 1`
  it.each([
    [
      'SQL in the bound of a partition',
      headWith((head) => head.partitions.push({ name: 'audit_entries_9', parent: 'audit_entries', bound: attack })),
    ],
    [
      'SQL in the name of a partition',
      headWith((head) =>
        head.partitions.push({ name: 'audit_entries_"; x', parent: 'audit_entries', bound: 'DEFAULT' }),
      ),
    ],
    [
      'a function in a bound',
      headWith((head) =>
        head.partitions.push({
          name: 'audit_entries_9',
          parent: 'audit_entries',
          bound: `FOR VALUES FROM (pg_sleep(1)) TO ('9')`,
        }),
      ),
    ],
    [
      'a partition of another table',
      headWith((head) => head.partitions.push({ name: 'pg_authid_9', parent: 'pg_authid', bound: 'DEFAULT' })),
    ],
    [
      'rows for a table of PostgreSQL',
      headWith((head) => head.tables.push({ name: 'pg_authid', columns: ['rolname'] })),
    ],
    ['a column that is none', headWith((head) => head.tables[0]?.columns.push("id) from program 'id' --"))],
    ['migrations that are left out', headWith((head) => head.migrations.splice(-1))],
  ])('with %s is refused also with consent, and nothing of it runs', async (_what, change) => {
    const path = await rewritten('hostile', unsigned(change))
    expect(await refusedIn(path, '--allow-unsigned')).toMatch(/what no backup of Kitlane has|does not have|damaged/)
  })
})

describe('a backup', () => {
  it('is read to its end by --check, and holds no key', async () => {
    const { code, stdout } = await kitlane(['restore', '--check', file, '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ whole: true, rows: made.rows, files: 2 })])
  })

  it('is recorded in the audit and listed, and a failure too', async () => {
    const failed = await onWorld(['backup', `${file}/below/a-file`])
    expect(sentence(failed)).toMatch(/cannot be written.*Name another place/)
    const { kept, made: attempts } = JSON.parse((await onWorld(['backups', `${folder}/kept`])).stdout)
    expect(kept).toEqual([expect.objectContaining({ location: file, bytes: made.bytes })])
    expect(attempts.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true, true])
    const owner = await world.owner()
    const { rows } = await owner.query(`select details from audit_entries where action = 'backup.made'`)
    expect(rows).toContainEqual({ details: expect.objectContaining({ location: file }) })
  })

  it('is made by a process that has the public key alone', async () => {
    const { code, stdout } = await onWorld(['backup', `${folder}/by-public-key`], {
      BACKUP_KEY: await identityToRecipient(key),
    })
    expect(code).toBe(0)
    expect((await kitlane(['restore', '--check', JSON.parse(stdout).location])).code).toBe(0)
  })
})

// The harness owns databases of PostgreSQL 15 as a superuser, who passes row-level security: dump.test.ts has an owner there.
const isSuper = process.env.TEST_DATABASE_URL !== undefined

describe('the owner of the database, from whom row-level security hides every row', () => {
  it.skipIf(isSuper)('gets a sentence instead of an empty table', async () => {
    const owner = await world.owner()
    await owner.query('reset role')
    for (const table of ['orders', 'businesses', 'events'])
      await expect(owner.query(`copy (select * from ${table}) to stdout`)).rejects.toThrow(
        /hides every row from the owner/,
      )
    await owner.query('set role kitlane_system')
  })

  it('has a policy that says so on every protected table, and the role for dumps may read every table', async () => {
    const owner = await world.owner()
    const { rows } = await owner.query(`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and (not has_table_privilege('kitlane_system', c.oid, 'select')
          or c.relrowsecurity and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'not_the_owner'))`)
    expect(rows).toEqual([])
  })
})
