import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { findBinaries } from '../../src/platform/database/embedded/binaries.ts'
import { attachEmbedded, openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { dataFolder } from '../../src/platform/database/embedded/folder.ts'
import { launch } from '../../src/platform/database/embedded/launch.ts'
import { stopPostmaster } from '../../src/platform/database/embedded/process.ts'
import {
  copyCheckout,
  eventually,
  freshDataDir,
  isGone,
  isRoot,
  killService,
  nobody,
  query,
  removeFolders,
  setRights,
  startService,
  stopLeftovers,
  temporaryFolder,
} from './embedded.world.ts'

afterEach(stopLeftovers)
afterAll(removeFolders)

describe('the embedded PostgreSQL', () => {
  test('makes a private cluster with a bound role for the service, and keeps the data over a restart', async () => {
    const dataDir = await freshDataDir()
    const first = await openEmbedded({ dataDir })
    await query(first.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
    const [role] = await query(
      first.appUrl,
      'SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user',
    )
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false })
    await expect(query(first.appUrl, 'SELECT * FROM kept')).rejects.toThrow('permission denied')
    const settings = await query(
      first.superUrl,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'data_checksums', 'TimeZone', 'server_encoding')`,
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      data_checksums: 'on',
      TimeZone: 'UTC',
      server_encoding: 'UTF8',
    })
    for (const name of await readdir(dataDir))
      expect([name, (await stat(join(dataDir, name))).mode & 0o077]).toEqual([name, 0])
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    await first.stop()
    expect(await isGone(dataDir)).toBe(true)

    const second = await openEmbedded({ dataDir })
    expect(await query(second.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
    await second.stop()
  })

  test('asks everyone on the machine for a password', async () => {
    const cluster = await openEmbedded({ dataDir: await freshDataDir() })
    for (const url of [cluster.superUrl, cluster.ownerUrl, cluster.appUrl]) {
      const guess = new URL(url)
      guess.password = 'guess'
      await expect(query(guess.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
    }
    await cluster.stop()
  })

  test('logs no submitted value, even of a statement that fails', async () => {
    const dataDir = await freshDataDir()
    const cluster = await openEmbedded({ dataDir })
    await query(cluster.ownerUrl, 'CREATE TABLE people (email text PRIMARY KEY)')
    const insert = `INSERT INTO people VALUES ('ada@example.org')`
    await query(cluster.ownerUrl, insert)
    await expect(query(cluster.ownerUrl, insert)).rejects.toThrow('duplicate key')
    await expect(query(cluster.ownerUrl, `SELECT 'secret-result'::int`)).rejects.toThrow('invalid input syntax')
    await cluster.stop()
    const log = await readFile(dataFolder(dataDir).log, 'utf8')
    expect(log).toContain('ready to accept connections')
    expect(log).not.toMatch(/ada@example|secret-result/)
  })

  test('goes on with the PostgreSQL that a killed service left, with its data', async () => {
    const dataDir = await freshDataDir()
    const killed = await startService(dataDir)
    await query(killed.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
    await killService(killed)

    const next = await openEmbedded({ dataDir })
    expect(next.pid).toBe(killed.postmaster)
    expect(next.ownerUrl).toBe(killed.ownerUrl)
    expect(await query(next.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])

    process.kill(next.pid, 'SIGKILL')
    await eventually('restart of one that was taken over', async () => next.pid !== killed.postmaster)
    expect(await query(next.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
    await next.stop()
    expect(await isGone(dataDir)).toBe(true)
  })

  test('recovers when service and PostgreSQL were both killed', async () => {
    const dataDir = await freshDataDir()
    const killed = await startService(dataDir)
    await query(killed.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
    await killService(killed)
    process.kill(killed.postmaster, 'SIGKILL')
    const next = await openEmbedded({ dataDir })
    expect(await query(next.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
    await next.stop()
  })

  test('comes back at the same address with its data when PostgreSQL is killed four times', async () => {
    const cluster = await openEmbedded({ dataDir: await freshDataDir() })
    await query(cluster.ownerUrl, 'CREATE TABLE kept (id int)')
    for (const round of [1, 2, 3, 4]) {
      await query(cluster.ownerUrl, `INSERT INTO kept VALUES (${round})`)
      const busy = query(cluster.ownerUrl, 'SELECT pg_sleep(20)').catch((error: Error) => error)
      const { pid } = cluster
      process.kill(pid, 'SIGKILL')
      await eventually('a restart', async () => cluster.pid !== pid)
      expect(await busy).toBeInstanceOf(Error)
      expect(await query(cluster.ownerUrl, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: round }])
    }
    await cluster.stop()
  })

  test('never starts beside backends of a killed PostgreSQL, and starts once they are gone', async () => {
    const dataDir = await freshDataDir()
    const cluster = await openEmbedded({ dataDir })
    const { cluster: files, log } = dataFolder(dataDir)
    const held = new Client({ connectionString: cluster.superUrl })
    held.on('error', () => {})
    await held.connect()
    const backend: number = (await held.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
    const { pid } = cluster
    const refusals = async () => (await readFile(log, 'utf8')).split('is still in use').length - 1
    process.kill(backend, 'SIGSTOP')
    try {
      process.kill(pid, 'SIGKILL')
      await eventually('a refusal by the pid file', async () => (await refusals()) > 0)
      await rm(join(files, 'postmaster.pid'), { force: true })
      const before = await refusals()
      await eventually('refusals by shared memory alone', async () => (await refusals()) > before + 1)
      expect(cluster.pid).toBe(pid)
    } finally {
      process.kill(backend, 'SIGCONT')
    }
    await eventually('a restart', async () => cluster.pid !== pid)
    expect(await query(cluster.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await held.end().catch(() => {})
    await cluster.stop()
  })

  test('stops for good on request right after PostgreSQL died', async () => {
    const dataDir = await freshDataDir()
    const cluster = await openEmbedded({ dataDir })
    process.kill(cluster.pid, 'SIGKILL')
    await cluster.stop()
    expect(await isGone(dataDir)).toBe(true)
    const again = await openEmbedded({ dataDir })
    await again.stop()
  })

  test('refuses a second process on the same folder and names the first', async () => {
    const dataDir = await freshDataDir()
    const service = await startService(dataDir)
    const sentence = new RegExp(
      `^Kitlane \\(process ${service.child.pid}, started \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC\\) already uses ${dataDir}\\. ` +
        'Stop it, or choose another folder with --data\\.$',
    )
    await expect(openEmbedded({ dataDir, what: 'kitlane credits grant' })).rejects.toThrow(sentence)
    expect(await attachEmbedded(dataDir)).toMatchObject({ ownerUrl: service.ownerUrl })
    await service.stop()
    expect(await attachEmbedded(dataDir)).toBeUndefined()

    const here = await openEmbedded({ dataDir, what: 'kitlane credits grant' })
    await expect(openEmbedded({ dataDir })).rejects.toThrow(/^kitlane credits grant \(process/)
    await here.stop()
  })

  test('lets exactly one of several simultaneous starters win, on a new folder and after a kill', async () => {
    const dataDir = await freshDataDir()
    for (const _round of ['new', 'after a kill']) {
      const started = await Promise.all([1, 2, 3, 4].map(() => startService(dataDir)))
      const [winner, ...others] = started.filter(({ refusal }) => !refusal)
      expect(others).toEqual([])
      for (const { refusal } of started) if (refusal) expect(refusal).toContain(`(process ${winner?.child.pid}, `)
      if (winner) await killService(winner)
    }
  })

  test('moves a half-made cluster aside and never deletes it', async () => {
    const dataDir = await freshDataDir()
    const { cluster } = dataFolder(dataDir)
    await mkdir(cluster, { recursive: true })
    await writeFile(join(cluster, 'PG_VERSION'), '18\n')
    const lines: string[] = []
    const opened = await openEmbedded({ dataDir, log: (line) => lines.push(line) })
    expect(await query(opened.ownerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await opened.stop()
    const aside = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.broken-'))
    expect(aside).toHaveLength(1)
    expect(await readFile(join(dataDir, aside[0] ?? '', 'PG_VERSION'), 'utf8')).toBe('18\n')
    expect(lines.join('\n')).toContain(aside[0])
  })

  test('does not take the PostgreSQL of the original for that of a copied folder', async () => {
    const originalDir = await freshDataDir()
    const original = await openEmbedded({ dataDir: originalDir })
    const dataDir = await freshDataDir()
    await cp(originalDir, dataDir, { recursive: true, preserveTimestamps: true })
    expect(await attachEmbedded(dataDir)).toBeUndefined()
    const copy = await openEmbedded({ dataDir })
    expect(copy.pid).not.toBe(original.pid)
    await query(copy.ownerUrl, 'CREATE TABLE only_in_copy (id int)')
    await expect(query(original.ownerUrl, 'SELECT * FROM only_in_copy')).rejects.toThrow('does not exist')
    await Promise.all([copy.stop(), original.stop()])
  })

  test('tells the last lines of the log when PostgreSQL does not start', async () => {
    const dataDir = await freshDataDir()
    const cluster = await openEmbedded({ dataDir })
    await cluster.stop()
    await writeFile(join(dataFolder(dataDir).cluster, 'postgresql.conf'), 'no_such_setting_exists = 1\n')
    await expect(openEmbedded({ dataDir })).rejects.toThrow(/no_such_setting_exists[\s\S]*Set DATABASE_URL/)
    await expect(openEmbedded({ dataDir })).rejects.toMatchObject({ name: 'StartError' })
  })

  test('says to set DATABASE_URL where npm installed no PostgreSQL', async () => {
    const checkout = await temporaryFolder()
    await copyCheckout(checkout, { binaries: false })
    const { refusal } = await startService(await freshDataDir(checkout), { checkout })
    expect(refusal).toContain('Set DATABASE_URL')
  })

  test.skipIf(!isRoot)(
    'runs for root from a checkout and a data folder that only root may read (needs root)',
    async () => {
      const checkout = await temporaryFolder()
      await copyCheckout(checkout, { binaries: true })
      await setRights(checkout, 0o700, 0o700, 0o600)
      const dataDir = await freshDataDir(checkout)
      const first = await startService(dataDir, { checkout })
      expect(first.refusal).toBe('')
      await query(first.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
      expect((await stat(dataFolder(dataDir).cluster)).uid).not.toBe(0)
      await killService(first)
      const second = await startService(dataDir, { checkout })
      expect(second.postmaster).toBe(first.postmaster)
      await second.stop()
      const third = await startService(dataDir, { checkout })
      expect(await query(third.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
      await third.stop()
      expect(await isGone(dataDir)).toBe(true)
    },
  )

  test.skipIf(!isRoot)(
    'keeps its data from every account of the machine, also a folder that belonged to `nobody` and was open (needs root)',
    async () => {
      const dataDir = await freshDataDir()
      const folder = dataFolder(dataDir)
      const made = await openEmbedded({ dataDir })
      await query(made.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
      await made.stop()
      const own = (await stat(folder.cluster)).uid
      expect((await stat(folder.cluster)).gid).toBe(own)
      const named = await Promise.all(['/etc/passwd', '/etc/group'].map((file) => readFile(file, 'utf8')))
      const taken = named.flatMap((text) => text.split('\n').map((line) => line.split(':')[2]))
      expect([0, nobody.uid]).not.toContain(own)
      expect(taken).not.toContain(String(own))

      // The state that an older version leaves, also when its service is killed: PostgreSQL still runs as `nobody`.
      for (const name of await readdir(folder.cluster, { recursive: true })) {
        await chown(join(folder.cluster, name), nobody.uid, nobody.gid)
      }
      await chown(folder.cluster, nobody.uid, nobody.gid)
      await chmod(dataDir, 0o755)
      const aside = await temporaryFolder()
      await chmod(aside, 0o755)
      const asNobody = (path: string, how: string) =>
        promisify(execFile)('test', [how, path], { ...nobody, cwd: aside }).then(
          () => true,
          () => false,
        )
      expect(await asNobody(join(folder.cluster, 'base'), '-w'), 'the door that is closed').toBe(false)
      await chmod(join(dataDir, '..'), 0o755)
      expect(await asNobody(join(folder.cluster, 'base'), '-w'), 'the door that was open').toBe(true)

      const again = await openEmbedded({ dataDir })
      expect(await query(again.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
      const owners = await Promise.all(
        (await readdir(folder.cluster, { recursive: true })).map((name) =>
          // Files come and go while PostgreSQL runs.
          stat(join(folder.cluster, name)).then(
            ({ uid }) => uid,
            () => own,
          ),
        ),
      )
      expect([...new Set(owners)]).toEqual([own])
      expect((await readFile(`/proc/${again.pid}/status`, 'utf8')).match(/^Uid:\s+(\d+)/m)?.[1]).toBe(String(own))
      for (const path of [dataDir, folder.cluster, join(folder.cluster, 'base'), folder.credentials]) {
        expect([path, await asNobody(path, '-r'), await asNobody(path, '-w')]).toEqual([path, false, false])
      }
      await again.stop()
    },
  )

  test.skipIf(!isRoot)(
    'takes a PostgreSQL that runs as `nobody` down before it takes its files (needs root)',
    async () => {
      const dataDir = await freshDataDir()
      const { cluster } = dataFolder(dataDir)
      const killed = await startService(dataDir)
      await query(killed.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
      await killService(killed)
      const own = (await stat(cluster)).uid
      // Its files change owner while it runs, as if to the new account.
      expect(await stopPostmaster(cluster, killed.postmaster)).toBe(true)
      for (const name of await readdir(cluster, { recursive: true }))
        await chown(join(cluster, name), nobody.uid, nobody.gid)
      await chown(cluster, nobody.uid, nobody.gid)
      const binaries = await findBinaries(nobody)
      const running = await launch(
        { folder: dataFolder(dataDir), binaries, account: nobody },
        { signal: new AbortController().signal },
      )
      const next = await openEmbedded({ dataDir })
      expect(next.pid).not.toBe(running.pid)
      expect((await stat(cluster)).uid).toBe(own)
      expect(await query(next.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
      await next.stop()
    },
  )

  test.skipIf(!isRoot)('runs for an ordinary user (needs root to become one)', async () => {
    const checkout = await temporaryFolder()
    await copyCheckout(checkout, { binaries: true })
    await setRights(checkout, 0o755, 0o755, 0o644)
    const home = await temporaryFolder()
    await chown(home, nobody.uid, nobody.gid)
    const dataDir = await freshDataDir(home)
    const first = await startService(dataDir, { checkout, user: nobody })
    expect(first.refusal).toBe('')
    await query(first.ownerUrl, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
    await killService(first)
    const second = await startService(dataDir, { checkout, user: nobody })
    expect(second.postmaster).toBe(first.postmaster)
    expect(await query(second.ownerUrl, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
    await second.stop()
    expect(await isGone(dataDir)).toBe(true)
  })
})
