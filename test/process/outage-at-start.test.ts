import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts'
import { type Running, runKitlane, spawnKitlane } from '../harness/kitlane.ts'
import { ownWorld, type World } from '../harness/world.ts'

const encryptionKey = Buffer.alloc(32, 5)

let world: World
let proxy: DatabaseProxy
let folder: string

const settings = () => ({
  DATABASE_URL: proxy.url(world.urls.owner),
  ENCRYPTION_KEY: encryptionKey.toString('base64'),
  LOG_LEVEL: 'warn',
  FILES_URL: world.files,
})
const start = ['start', '--port', '0', '--role', 'worker']

/** Waits until the starting service has opened so many connections in all. */
async function connections(running: Running, many: number): Promise<void> {
  const before = proxy.count().asked
  let isOver = false
  void running.ended.then(() => {
    isOver = true
  })
  while (proxy.count().asked < before + many && !isOver) await delay(1)
}

beforeAll(async () => {
  world = await ownWorld('has a key of its own', { encryptionKey })
  proxy = await databaseProxy(world.urls.owner)
  folder = await mkdtemp(join(tmpdir(), 'kitlane-start-'))
})
afterAll(async () => {
  await proxy.close()
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('a service that is starting while the database goes away', () => {
  for (const many of [2, 5, 8, 11]) {
    it(`begins again once it is back: its connection ${many} breaks`, async () => {
      const running = spawnKitlane(start, settings(), folder)
      await connections(running, many)
      await proxy.setMode('broken')
      await delay(100)
      await proxy.setMode('renewed')
      await running.until(/Kitlane is ready on/)
      running.child.kill('SIGTERM')
      expect((await running.ended).code).toBe(0)
    })
  }

  it('begins again where it goes away before it says that a step was done', async () => {
    const running = spawnKitlane(start, settings(), folder)
    proxy.cutAtCommitOf('insert into panels')
    await running.until(/the database went away/)
    await running.until(/Kitlane is ready on/)
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
  })

  for (const [table, more] of [
    ['panels', []],
    ['businesses', ['--demo']],
  ] as const) {
    it(`begins again while another process holds what it needs: ${table}`, async () => {
      const holder = new Client({ connectionString: world.urls.owner })
      await holder.connect()
      await holder.query(`begin; lock table ${table}`)
      const running = spawnKitlane([...start, ...more], settings(), folder)
      await running.until(/the database went away or was busy/)
      await holder.end()
      await running.until(/Kitlane is ready on/)
      running.child.kill('SIGTERM')
      expect((await running.ended).code).toBe(0)
    })
  }

  it('ends at once on request', async () => {
    const running = spawnKitlane(start, settings(), folder)
    await connections(running, 2)
    await proxy.setMode('gone')
    await running.until(/the database went away/)
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    await proxy.setMode('open')
  })

  it('says which setting to look at where the database was never there', async () => {
    await proxy.setMode('gone')
    const { code, stderr } = await runKitlane(start, settings(), folder)
    await proxy.setMode('open')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The database cannot be used: nothing answers there (ECONNREFUSED). Check DATABASE_URL.\n',
    })
  })

  it('says that the database does not answer where it takes connections and is silent', async () => {
    await proxy.setMode('silent')
    const { code, stderr } = await runKitlane(['business', 'list'], settings(), folder)
    await proxy.setMode('open')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'The database cannot be used: it did not answer in time. Check that it runs and is not overloaded, then try again.\n',
    })
  })

  it('lets a command wait for it for ten seconds', async () => {
    await proxy.setMode('silent')
    const running = spawnKitlane(['business', 'list'], settings(), folder)
    // The second connection is asked for when the first one was given up.
    await connections(running, 2)
    await proxy.setMode('renewed')
    const { code, stderr } = await running.ended
    await proxy.setMode('open')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('tells who typed a command to look whether it was done', async () => {
    proxy.cutAtCommitOf('Harbor Clinic')
    const { code, stderr } = await runKitlane(['business', 'create', '--name', 'Harbor Clinic'], settings(), folder)
    expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
      code: 1,
      stderr: 'The database went away before it confirmed this. Look whether it was before you run it again.',
    })
  })
})
