import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { caller } from '../harness/caller.ts'
import { type Running, runKitlane, spawnKitlane } from '../harness/kitlane.ts'
import { anOrder } from '../harness/orders.ts'

let folder: string
let data: string
const started: Running[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-start-'))
  data = join(folder, 'data')
})
afterEach(async () => {
  for (const { child, ended } of started.splice(0)) {
    child.kill('SIGTERM')
    await ended
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function start(...args: string[]): Promise<Running & { url: string }> {
  const running = spawnKitlane(['start', '--port', '0', ...args], { LOG_LEVEL: 'warn' }, folder)
  started.push(running)
  const [, url = ''] = await running.until(/^Kitlane is ready on (http:\S+)$/m)
  return { ...running, url }
}

/** Runs a command while another process may use the data folder. */
const run = (...args: string[]) => runKitlane([...args, '--data', data], {}, folder)
const readDemo = async () => JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))

// One story on one data folder, so that the cluster is created once.
/** The last that a service was asked before its end. */
let lastRequest: string

test('kitlane start --demo brings its own database, a business, a login, and an order that went all the way', async () => {
  const first = await start('--demo', '--data', data)
  const demo = await readDemo()
  expect(demo).toEqual({
    baseUrl: first.url,
    business: { id: expect.stringMatching(/^biz_/), name: 'Demo Clinic' },
    liveToken: expect.stringMatching(/^kl_live_/),
    sandboxToken: expect.stringMatching(/^kl_test_/),
    dashboard: { url: `${first.url}/app/`, email: 'admin@demo.kitlane.invalid', password: expect.any(String) },
    companiesUntil: expect.stringMatching(/Z$/),
  })
  for (const name of ['demo.json', 'encryption.key']) {
    expect((await stat(join(data, name))).mode & 0o777, name).toBe(0o600)
  }
  await first.until(/curl -H/)
  for (const secret of [demo.liveToken, demo.sandboxToken, demo.dashboard.password]) {
    expect(first.stdout()).toContain(secret)
  }

  // One login serves both the operator and the business.
  const { email, password } = demo.dashboard
  const session = await caller(first.url).post('/session', { email, password })
  expect(session.body.memberships).toEqual([
    { role: 'operator-admin' },
    { role: 'business-admin', business: demo.business },
    ...['Harbor Health (demo)', 'Juniper Wellness (demo)'].map((name) => ({
      role: 'business-admin',
      business: { id: expect.stringMatching(/^biz_/), name },
    })),
  ])
  const sandbox = caller(first.url, demo.sandboxToken)
  expect((await sandbox.get('/verify-token')).body).toMatchObject({ message: 'OK', business: demo.business })
  expect((await caller(first.url, demo.liveToken).get('/settings')).body.uploadsEnabled).toBe(true)
  const { body: orders } = await sandbox.get('/orders')
  expect(orders.data).toHaveLength(1)
  expect(orders.data[0].kits[0].status).toBe('published')
  expect((await sandbox.get('/uploads')).body.data).toMatchObject([{ needsReview: 'unmatched' }])
  expect((await sandbox.get('/plans')).body.data).toMatchObject([{ status: 'active', placed: 0 }])
  // The bundler took the call that finds out whether a path can be decoded for one without effects.
  expect(await sandbox.get('/orders/%ff')).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } })

  const live = caller(first.url, demo.liveToken)
  const byCard = await live.post('/create-order', anOrder({ purchase_with_attached_payment: true }))
  expect(byCard.status).toBe(201)
  expect((await live.get(`/orders/${byCard.body.orderId}`)).body.payment).toMatchObject({
    method: 'card',
    status: 'paid',
  })
  expect((await live.get('/payment-methods')).body).toMatchObject([{ id: 'pm_card_visa', attached: true }])
  // A removed card does not come back with the next start.
  await live.request('DELETE', '/payment-methods/pm_card_visa')

  const made = await run('business', 'create', '--name', 'Beside', '--credits', '2', '--json')
  expect(made, 'a command joins the database of the running service').toMatchObject({ code: 0, stderr: '' })
  const { liveToken } = JSON.parse(made.stdout)
  expect((await caller(first.url, liveToken).get('/credits')).body).toContainEqual({ type: 'ED1NL4E3L', credits: 2 })

  lastRequest = (await live.get('/credits')).headers.get('x-request-id') ?? ''
  first.child.kill('SIGTERM')
  // A process that has not ended by itself after 25 s ends with 1.
  expect((await first.ended).code).toBe(0)

  const listed = await run('business', 'list', '--json')
  expect(listed, 'a command runs the database itself while the service is down').toMatchObject({ code: 0 })
  expect(JSON.parse(listed.stdout)).toHaveLength(4)
})

test('a second start changes nothing and prints the same, and a killed service starts again', async () => {
  const before = await readDemo()
  const second = await start('--demo', '--data', data)
  await second.until(/curl -H/)
  expect(second.stdout()).toContain(before.dashboard.password)
  expect(await readDemo()).toEqual({
    ...before,
    baseUrl: second.url,
    dashboard: { ...before.dashboard, url: `${second.url}/app/` },
  })
  expect((await caller(second.url, before.liveToken).get('/payment-methods')).body).toEqual([])
  const logged = await caller(second.url, before.liveToken).get(`/request-log?requestID=${lastRequest}`)
  expect(logged.body.data, 'what came just before the end is in the log of requests').toHaveLength(1)
  const refused = await run('start', '--port', '0')
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^Kitlane \(process \d+.*already uses/)

  second.child.kill('SIGKILL')
  await second.ended
  const third = await start('--demo', '--data', data)
  const { body: orders } = await caller(third.url, before.sandboxToken).get('/orders')
  expect(orders.pagination.total).toBe(1)
  await rm(join(data, 'demo.json'))
  third.child.kill('SIGINT')
  expect((await third.ended).code).toBe(0)

  const fourth = await start('--demo', '--data', data)
  await fourth.until(/demo\.json is gone/)
  fourth.child.kill('SIGTERM')
  expect((await fourth.ended).code).toBe(0)
})

test('a start that cannot work says why in a sentence and how to go on', async () => {
  const busy = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const address = busy.address()
  const port = String(typeof address === 'object' && address?.port)
  const taken = await runKitlane(['start', '--port', port, '--data', join(folder, 'other')], {}, folder)
  busy.close()
  expect(taken.code).toBe(1)
  expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is in use by another program.`)
  expect(taken.stderr).toContain('--port')

  const cases: [string[], Record<string, string>, RegExp][] = [
    [['--port', 'eighty'], {}, /--port must be a whole number/],
    [['--color'], {}, /^Unknown option '--color'\./],
    [[], { KITLANE_PORT: '1' }, /KITLANE_PORT is not a setting of Kitlane/],
    [[], { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [[], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, /^The database cannot be used: nothing answers there/],
  ]
  await Promise.all(
    cases.map(async ([args, env, sentence]) => {
      const outcome = await runKitlane(['start', ...args], env, folder)
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
      expect(outcome.stderr).not.toMatch(/^\s+at /m)
    }),
  )
  await writeFile(join(folder, '.env'), 'PROT=8080\n')
  const misspelt = await run('start')
  await rm(join(folder, '.env'))
  expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringContaining('PROT in .env is not a setting') })
})

test('npm start is kitlane start --demo, and kitlane is the command line of a checkout', async () => {
  const { scripts, bin } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect([scripts.start, bin.kitlane]).toEqual(['node bin/kitlane.js start --demo', 'bin/kitlane.js'])
  const help = await run('start', '--help')
  expect(help.code).toBe(0)
  for (const option of ['--port', '--host', '--data', '--role', '--demo']) expect(help.stdout).toContain(option)
})
