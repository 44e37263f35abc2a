import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Webhook } from '../../client/src/index.ts'
import { onPath } from '../harness/client-package.ts'
import { anOrder, aRow, CORE } from '../harness/orders.ts'
import { python, runPython } from '../harness/python.ts'
import { root } from '../harness/sources.ts'
import { waitUntil } from '../harness/wait.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const run = promisify(execFile)
let world: World
let folder: string
/** A project of somebody else's: the examples, and the client. `client-package.test.ts` installs it as it is published. */
let project: string
const running = new Set<ChildProcess>()
const [go] = onPath('go')

beforeAll(async () => {
  world = await sharedWorld()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-examples-'))
  project = join(folder, 'project')
  await cp(join(root, 'examples'), project, { recursive: true })
  const client = join(project, 'node_modules/@kitlane/client')
  await mkdir(client, { recursive: true })
  await writeFile(join(client, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
  const source = pathToFileURL(join(root, 'client/src/index.ts'))
  await writeFile(join(client, 'index.js'), `export * from ${JSON.stringify(source)}`)
})
afterAll(async () => {
  for (const child of running) child.kill()
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const env = (more: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: folder,
  GOCACHE: join(tmpdir(), 'kitlane-go-cache'),
  PYTHONPATH: join(root, 'client-python'),
  PYTHONDONTWRITEBYTECODE: '1',
  ...more,
})

interface Program {
  url: string
  stop(): Promise<void>
}

/** Starts an example that listens; `stop` ends it without a warning, as a crash would. */
async function listening([program = '', ...args]: string[], more: Record<string, string>): Promise<Program> {
  const child = spawn(program, args, { cwd: project, env: env(more), stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await waitUntil(async () => said.includes('Listening on ') || child.exitCode !== null)
  const url = /Listening on (\S+)/.exec(said)?.[1] ?? ''
  return {
    url,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      running.delete(child)
    },
  }
}

const lines = async (path: string) =>
  (await readFile(path, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as { id: string; type: string; data: { orderID?: string } }]
      } catch {
        return []
      }
    })

describe('a receiver of webhooks', () => {
  /** Go compiles first, so that what is stopped is the program. */
  const compiled = async () => {
    const binary = join(folder, 'receiver-go')
    const child = spawn(go ?? '', ['build', '-o', binary, 'receivers/receiver.go'], { cwd: project, env: env({}) })
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
    return [binary]
  }
  const receivers: [string, string | undefined, () => Promise<string[]>][] = [
    ['Node', process.execPath, async () => [process.execPath, 'receivers/receiver.mjs']],
    ['Python', python, async () => [python ?? '', 'receivers/receiver.py']],
    ['Go', go, compiled],
  ]

  for (const [language, isThere, command] of receivers) {
    it.skipIf(!isThere)(
      `in ${language} keeps each event once, also over a crash, and refuses what is not signed; skipped without ${language}`,
      async () => {
        const program = await command()
        const inbox = join(folder, `inbox-${language}.jsonl`)
        const clinic = await world.business()
        const secret = `whsec_${Buffer.from(language.padEnd(32, '.')).toString('base64')}`
        const settings = (both: string) => ({ KITLANE_WEBHOOK_SECRET: both, INBOX: inbox, PORT: '0' })
        // The service makes the secret, and knows the address first: so it starts with another one.
        const first = await listening(program, settings(secret))
        const made = await clinic.live.post('/webhooks', { url: first.url, events: ['order.created'] })
        expect(made.status).toBe(201)
        await first.stop()
        const port = new URL(first.url).port
        const both = `${secret} ${made.body.secret}`
        const second = await listening(program, { ...settings(both), PORT: port })

        const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
        await expect.poll(async () => (await lines(inbox)).map(({ data }) => data.orderID)).toEqual([orderId])
        const [event] = await lines(inbox)
        expect(event).toMatchObject({ type: 'order.created', id: expect.stringMatching(/^\S+$/) })

        const body = JSON.stringify({ type: 'order.created', timestamp: new Date().toISOString(), data: {} })
        const send = async (at: string, headers: Record<string, string>, sent = body) =>
          (await fetch(at, { method: 'POST', headers, body: sent })).status
        const own = new Webhook(secret)
        const { id = '' } = event ?? {}
        expect(await send(second.url, await own.sign(body, { id }))).toBe(204)
        expect(await send(second.url, await own.sign(body), `${body} `)).toBe(400)
        expect(await send(second.url, await new Webhook(`whsec_${btoa('another')}`).sign(body))).toBe(400)
        expect(await send(second.url, await own.sign(body, { at: new Date(Date.now() - 400_000) }))).toBe(400)
        expect(await send(second.url, {})).toBe(400)

        // A crash in the middle of a line.
        await second.stop()
        await appendFile(inbox, '{"id":"evt_torn","ty')
        const third = await listening(program, { ...settings(both), PORT: port })
        expect(await send(third.url, await own.sign(body, { id }))).toBe(204)
        expect(await send(third.url, await own.sign(body, { id: 'evt_torn' }))).toBe(204)
        expect((await lines(inbox)).map((one) => one.id)).toEqual([id, 'evt_torn'])
        await third.stop()
      },
    )
  }
})

describe('the poller', () => {
  it('appends every event once and goes on from the last line of its file, also from one that a crash tore', async () => {
    const clinic = await world.business()
    const file = join(folder, 'events.jsonl')
    const poll = async () => {
      const settings = { KITLANE_URL: world.service.url, KITLANE_TOKEN: clinic.liveToken, EVENTS_FILE: file }
      const options = { cwd: project, env: env(settings), stdio: 'inherit' as const }
      const child = spawn(process.execPath, ['poller/poller.mjs', '--once'], options)
      expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
      return (await lines(file)).map(({ id }) => id)
    }
    const feed = async (): Promise<string[]> => {
      await world.settled()
      return (await clinic.live.get('/events?size=250')).body.data.map(({ id }: { id: string }) => id)
    }
    await clinic.live.post('/create-order', { bulkUploadData: Array.from({ length: 60 }, () => aRow()) })
    await expect.poll(async () => (await feed()).length).toBe(61)
    const first = await feed()
    expect(await poll()).toEqual(first)
    await clinic.live.post('/create-order', anOrder())
    const second = await feed()
    await appendFile(file, '{"id":"ev')
    expect(await poll()).toEqual(second)
    expect(await poll()).toEqual(second)
  })
})

describe('the shop', () => {
  const form = {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.test',
    kitType: CORE,
    street2: '',
    street1: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
  }
  async function says(clinic: TestBusiness, code: string, given: object): Promise<unknown> {
    const settings = { KITLANE_URL: world.service.url, KITLANE_TOKEN: clinic.liveToken, GIVEN: JSON.stringify(given) }
    const program = `
      const { findKit, findOrder, listKits, placeOrder } = await import('./shop/lib/orders.js')
      const { receive, tell } = await import('./shop/lib/webhook.js')
      const { money } = await import('./shop/lib/money.js')
      const given = JSON.parse(process.env.GIVEN)
      const formOf = (fields) => { const form = new FormData(); for (const entry of Object.entries(fields)) form.append(...entry); return form }
      ${code}`
    const options = { cwd: project, env: env({ ...settings, KITLANE_WEBHOOK_SECRET: SECRET }) }
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], options)
    return JSON.parse(stdout)
  }
  const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

  it('orders once however often a form is sent, shows the order to who has its ID, and says what to correct', async () => {
    const clinic = await world.business({ credits: 1 })
    const [id, mistaken, unpaid] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const said = (await says(
      clinic,
      `
      const [form, wrong, next] = given
      const answers = []
      for (const one of [wrong, form, form, next, { ...form, id: 'my own' }]) answers.push(await placeOrder(formOf(one)))
      const kit = await findKit(form.kitType)
      console.log(JSON.stringify({ answers, order: await findOrder(form.id), none: (await findOrder('..')) ?? null,
        price: money(kit.price), kits: (await listKits()).length }))`,
      [
        { ...form, id },
        { ...form, id: mistaken, email: 'no address' },
        { ...form, id: unpaid },
      ],
    )) as { answers: Record<string, string>[]; order: { externalID: string }; none: null; price: string; kits: number }
    const [wrong, first, again, broke, ownId] = said.answers
    expect(wrong).toMatchObject({ problem: expect.stringContaining('check your'), given: { email: 'no address' } })
    expect(wrong?.id).not.toBe(mistaken)
    expect([first, again]).toEqual([{ placed: id }, { placed: id }])
    // The credit was the only one.
    expect(broke).toMatchObject({ problem: 'We cannot send kits now.', id: unpaid })
    expect(ownId).toMatchObject({ problem: 'Please send the form again.' })
    expect([said.order.externalID, said.none]).toEqual([id, null])
    expect(said.price).toMatch(/^\$[\d,]+\.\d\d$/)
    expect(said.kits).toBeGreaterThan(1)
    expect((await clinic.live.get('/orders')).body.data).toHaveLength(1)
  })

  it('hears of each event once, and refuses what Kitlane did not sign', async () => {
    const clinic = await world.business()
    const data = { externalID: 'order-7', kitStatus: 'delivered' }
    const body = JSON.stringify({ type: 'kit.updated', timestamp: new Date().toISOString(), data })
    const headers = await new Webhook(SECRET).sign(body, { id: 'evt_7' })
    const said = await says(
      clinic,
      `
      const [body, headers] = given
      const heard = []
      const send = async (text) => (await receive(new Request('http://shop/webhook', { method: 'POST', body: text, headers }), (event) => heard.push(tell(event)))).status
      console.log(JSON.stringify([await send(body), await send(body), await send(body + ' '), heard]))`,
      [body, headers],
    )
    expect(said).toEqual([204, 204, 400, ['Order order-7: the kit is delivered']])
  })
})

describe.skipIf(!python)('the batch; skipped without Python', () => {
  const order = async (clinic: TestBusiness, args: string[]) => {
    const settings = { KITLANE_URL: world.service.url, KITLANE_TOKEN: clinic.liveToken }
    return runPython([join(project, 'batch/batch.py'), ...args], settings, folder)
  }
  const count = async (clinic: TestBusiness) => (await clinic.live.get('/orders?size=1')).body.pagination.total

  it('says what its rows would cost, orders each once however often it runs, and writes what became of each', async () => {
    const clinic = await world.business()
    const [orders, results] = [join(project, 'batch/orders.csv'), join(folder, 'results.csv')]
    const dry = await order(clinic, [orders, results, '--dry-run'])
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.stdout).toContain('2 credits of ED1NL4E3L; 98 would be left')
    expect(await count(clinic)).toBe(0)

    const first = await order(clinic, [orders, results])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toContain('3 ordered, 0 failed')
    const written = await readFile(results, 'utf8')
    expect(written.trim().split(/\r?\n/)).toEqual([
      'external_id,order,problem',
      ...['001', '002', '003'].map((n) => expect.stringMatching(new RegExp(`^study-7-${n},O\\w+,$`))),
    ])
    const again = await order(clinic, [orders, results])
    expect(again.stdout).toContain('3 rows, 3 of them ordered before')
    expect(await readFile(results, 'utf8')).toBe(written)
    expect(await count(clinic)).toBe(3)
  })

  it('waits for a job that another run began, follows its own, and orders only what is new', async () => {
    const clinic = await world.business()
    const rows = Array.from({ length: 45 }, (_, n) => aRow({ external_id: `row-${n}` }))
    await clinic.live.post('/create-order', { bulkUploadData: rows.slice(0, 21) })
    const [orders, results] = [join(folder, 'many.csv'), join(folder, 'many-results.csv')]
    const table = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    await writeFile(orders, table.map((cells) => cells.join(',')).join('\n'))
    const { code, stdout, stderr } = await order(clinic, [orders, results])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('45 rows, 21 of them ordered before')
    expect(stdout).toContain('100 %')
    expect(await count(clinic)).toBe(45)
    expect((await readFile(results, 'utf8')).trim().split('\n')).toHaveLength(46)
  })

  it('orders nothing where a row is wrong or an external_id is missing, and names the row', async () => {
    const clinic = await world.business()
    const [orders, results] = [join(folder, 'wrong.csv'), join(folder, 'wrong-results.csv')]
    const header = 'external_id,kit_type,first_name,last_name,email,street1,city,state,zip'
    const row = (id: string, email: string) => `${id},ED1NL4E3L,Ada,Example,${email},1 Main Street,Springfield,IL,62701`
    await writeFile(orders, [header, row('a', 'ada@example.test'), row('b', 'no address')].join('\n'))
    const wrong = await order(clinic, [orders, results])
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/^b: .+\nNothing was ordered\. Correct these rows\.\n$/)
    await writeFile(orders, [header, row('', 'ada@example.test')].join('\n'))
    expect((await order(clinic, [orders, results])).stderr).toMatch(/^Each row needs an external_id of its own/)
    expect(await count(clinic)).toBe(0)
  })
})
