import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Webhook, type WebhookEvent } from '../../client/src/index.ts'
import { callKitlane } from '../harness/in-process.ts'
import { type Outcome, type Running, runKitlane, spawnKitlane } from '../harness/kitlane.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { closedPort, httpReceiver, type Receiver } from '../harness/receivers.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let folder: string
beforeAll(async () => {
  world = await sharedWorld()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-developers-'))
})
afterAll(async () => {
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

let homes = 0
/** The environment of a developer: a configuration of its own, and no database. */
const newHome = () => ({ XDG_CONFIG_HOME: join(folder, `home-${homes++}`) })
const loginFile = ({ XDG_CONFIG_HOME }: { XDG_CONFIG_HOME: string }) => join(XDG_CONFIG_HOME, 'kitlane', 'login.json')
const as = (token: string, url = world.service.url) => ({ ...newHome(), KITLANE_URL: url, KITLANE_TOKEN: token })

async function json(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await callKitlane([...args, '--json'], env, folder)
  expect({ code, stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function refusal(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callKitlane(args, env, folder)
  expect({ code, stdout }, args.join(' ')).toEqual({ code: 1, stdout: '' })
  return stderr
}

describe('kitlane login', () => {
  const logIn = (env: Record<string, string>, token: string, url = world.service.url): Promise<Outcome> =>
    runKitlane(['login', '--url', url], env, folder, `${token}\n`)

  it('keeps address and token where only their owner may read them, and says what the token is for', async () => {
    const clinic = await world.business({ name: 'Acme Clinic' })
    const env = newHome()
    const { code, stdout, stderr } = await logIn(env, clinic.sandboxToken, `${world.service.url}/api/v1/`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Logged in to http:\S+ as Acme Clinic, in the sandbox\.\nThe token may: .*kits:write, .*\n/)
    expect(stdout).not.toContain(clinic.sandboxToken)
    expect((await stat(loginFile(env))).mode & 0o777).toBe(0o600)
    expect((await stat(join(env.XDG_CONFIG_HOME, 'kitlane'))).mode & 0o777).toBe(0o700)
    expect(JSON.parse(await readFile(loginFile(env), 'utf8'))).toEqual({
      url: world.service.url,
      token: clinic.sandboxToken,
    })
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    expect((await json(env, 'orders', 'list')).map(({ orderID }: { orderID: string }) => orderID)).toEqual([orderId])

    await chmod(loginFile(env), 0o640)
    expect(await refusal(env, 'orders', 'list')).toMatch(/^Others on this machine may read .*chmod 600/)
    await chmod(loginFile(env), 0o600)
    const out = await callKitlane(['logout'], env, folder)
    expect(out.stdout).toBe('Logged out. The token stays valid until somebody revokes it.\n')
    await expect(stat(loginFile(env))).rejects.toThrow('ENOENT')
    expect(await refusal(env, 'orders', 'list')).toMatch(/^You are not logged in.*Run kitlane login/)
  })

  it('keeps nothing that does not work, and never prints it', async () => {
    const env = newHome()
    const wrong = await logIn(env, 'kl_test_wrong')
    expect([wrong.code, wrong.stdout]).toEqual([1, ''])
    expect(wrong.stderr).toMatch(/does not accept the token: it is wrong, expired or revoked\./)
    const empty = await logIn(env, '')
    expect(empty.stderr).toMatch(/^The token is empty/)
    const nobody = await logIn(env, 'kl_test_wrong', `http://127.0.0.1:${await closedPort()}`)
    expect(nobody.stderr).toMatch(/^Nothing answers at http:\S+\. Check the address/)
    expect(wrong.stderr + empty.stderr + nobody.stderr).not.toContain('kl_test_wrong')
    await expect(stat(loginFile(env))).rejects.toThrow('ENOENT')
  })

  it('gives way to the environment, and sends a kept token to no other service', async () => {
    const [kept, other] = [await world.business(), await world.business()]
    const env = newHome()
    await logIn(env, kept.sandboxToken)
    const { orderId } = (await other.sandbox.post('/create-order', anOrder())).body
    const token = { KITLANE_TOKEN: other.sandboxToken }
    expect((await json({ ...env, ...token }, 'orders', 'list'))[0].orderID).toBe(orderId)
    expect(await json(env, 'orders', 'list')).toEqual([])
    let asked = 0
    const elsewhere = await httpReceiver((_request, response) => void response.end(String(asked++)))
    const there = { KITLANE_URL: `http://127.0.0.1:${elsewhere.port}` }
    expect(await refusal({ ...env, ...there }, 'orders', 'list')).toMatch(/Set KITLANE_TOKEN too/)
    await elsewhere.stop()
    expect(asked).toBe(0)
  })
})

interface Hook extends Receiver {
  url: string
  received: { body: string; headers: Record<string, string | string[] | undefined> }[]
}

/** A program of a developer's, on this machine. */
async function hook(): Promise<Hook> {
  const received: Hook['received'] = []
  const receiver = await httpReceiver(async (request, response) => {
    const body = await text(request)
    received.push({ body, headers: request.headers })
    response.writeHead(204).end()
  })
  return { ...receiver, received, url: `http://localhost:${receiver.port}/hook` }
}

/** Listens until `work` is done, then ends it as Ctrl-C does. Returns what it printed. */
async function listening(
  env: Record<string, string>,
  args: string[],
  work: (running: Running, secret: string) => Promise<void>,
): Promise<string> {
  const running = spawnKitlane(['listen', ...args], env, folder, { staysOpen: true })
  try {
    const [, secret = ''] = await running.until(/^They are signed with this secret: (whsec_\S+)$/m)
    await work(running, secret)
  } finally {
    running.child.kill('SIGINT')
  }
  const { code, stdout, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

/** What stands before the service, and hangs up on everybody while it is down. */
async function forwarder(isDown: () => boolean): Promise<Receiver> {
  const target = new URL(world.service.url)
  return httpReceiver((incoming, response) => {
    if (isDown()) return void incoming.socket.destroy()
    const { method, url: path, headers } = incoming
    const to = { host: target.hostname, port: target.port, method, path, headers }
    incoming.pipe(request(to, (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))))
  })
}

const verified = (secret: string, { received }: Hook): Promise<WebhookEvent[]> =>
  Promise.all(received.map(({ body, headers }) => new Webhook(secret).verify(body, headers)))
const order = async (clinic: TestBusiness) => (await clinic.sandbox.post('/create-order', anOrder())).body.orderId

describe('kitlane logs tail', () => {
  it('follows the requests of its own token in its own mode, also after an outage, and prints those asked for', async () => {
    const clinic = await world.business()
    let isDown = false
    const proxy = await forwarder(() => isDown)
    const env = as(clinic.sandboxToken, `http://127.0.0.1:${proxy.port}`)
    expect(await refusal(env, 'logs', 'tail', '--status', 'wrong')).toMatch(/must be a status such as 404, or a class/)
    await clinic.sandbox.get('/kits/before')
    // A request is listed a second or two after its answer; from then on it is one of before.
    const isListed = async () => (await clinic.sandbox.get('/request-log?status=404')).body.data.length
    await expect.poll(isListed).toBe(1)
    const running = spawnKitlane(['logs', 'tail', '--status', '4xx', '--method', 'get'], env, folder)
    const inJson = spawnKitlane(['logs', 'tail', '--path', '/orders', '--json'], env, folder)
    await running.until(/^Requests of Clinic .* in the sandbox from now on\. Ctrl-C stops\.$/m)
    await inJson.until(/from now on/, inJson.stderr)
    isDown = true
    await running.until(/does not answer \(NO_ANSWER\)\. Asking again until it does\.$/m)
    const { headers } = await clinic.sandbox.get('/kits/Katharina')
    await clinic.sandbox.get('/kits')
    await clinic.live.get('/kits/nothing')
    await clinic.sandbox.post('/kits/nothing/register', {})
    const id = await order(clinic)
    await clinic.sandbox.get(`/orders/${id}`)
    isDown = false
    await running.until(/answers again\.$/m)
    const last = await clinic.sandbox.get('/orders?size=oops')
    await running.until(new RegExp(`${last.headers.get('x-request-id')}`))
    await inJson.until(new RegExp(`${last.headers.get('x-request-id')}`))
    for (const { child } of [running, inJson]) child.kill('SIGINT')
    const [text, lines] = await Promise.all([running.ended, inJson.ended])
    expect([text.code, text.stderr, lines.code]).toEqual([0, '', 0])
    const shown = text.stdout.split('\n').filter((line) => /^\d\d:/.test(line))
    expect(shown).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d {2}GET {5}\/api\/v1\/kits\/\{kitID\} {2}404 {2}\d+ ms {2}req_\w+ {2}KIT_NOT_FOUND$/,
      ),
      expect.stringMatching(/\/api\/v1\/orders {2}400 {2}\d+ ms {2}req_\w+ {2}VALIDATION_FAILED$/),
    ])
    expect(shown[0]).toContain(headers.get('x-request-id'))
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).path),
    ).toEqual([...[`/api/v1/orders/${id}`, '/api/v1/orders']])
    await proxy.stop()
  })
})

describe('kitlane listen', () => {
  it('forwards what happens from now on, signed as webhooks are, and sends the last one again on request', async () => {
    const clinic = await world.business()
    await order(clinic)
    await world.settled()
    const mine = await hook()
    const env = as(clinic.sandboxToken)
    const args = ['--forward', mine.url, '--events', 'order.created,order.canceled']
    let first = ''
    const printed = await listening(env, args, async ({ child }, secret) => {
      first = secret
      const orderID = await order(clinic)
      await expect.poll(() => mine.received.length).toBe(1)
      child.stdin?.write('r\n')
      await expect.poll(() => mine.received.length).toBe(2)
      await clinic.sandbox.post(`/orders/${orderID}/cancel`)
      await expect.poll(() => mine.received.length).toBe(3)
      const events = await verified(secret, mine)
      expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.created', 'order.canceled'])
      expect(events[0]).toEqual(events[1])
      const { data } = (await clinic.sandbox.get('/events?latest=true&type=order.created&size=1')).body
      expect(events[0]).toEqual(data[0])
      expect(data[0].data.orderID).toBe(orderID)
    })
    expect(printed).toMatch(/^\d\d:\d\d:\d\d {2}order\.created +evt_\w+ {2}204 {2}\d+ ms$/m)
    expect(printed).toMatch(/^Stopped\. 3 events were taken by your program\.$/m)
    expect(printed).not.toContain(clinic.sandboxToken)
    // A receiver that knows the secret need not be told again.
    await listening(env, args, async (_running, secret) => expect(secret).toBe(first))
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const own = { ...env, KITLANE_WEBHOOK_SECRET: given }
    await listening(own, args, async (_running, secret) => expect(secret).toBe(given))
    await mine.stop()
  })

  it('goes on after an outage of the service, and loses no event', async () => {
    const clinic = await world.business()
    let isDown = false
    const proxy = await forwarder(() => isDown)
    const mine = await hook()
    const env = as(clinic.sandboxToken, `http://127.0.0.1:${proxy.port}`)
    await listening(env, ['--forward', mine.url], async (running, secret) => {
      isDown = true
      await running.until(/does not answer \(NO_ANSWER\)\. Asking again until it does; no event is lost\.$/m)
      const orderID = await order(clinic)
      isDown = false
      await running.until(/answers again\.$/m)
      await expect.poll(() => mine.received.length).toBeGreaterThan(0)
      const [event] = await verified(secret, mine)
      expect(event?.type === 'order.created' && event.data.orderID).toBe(orderID)
    })
    await proxy.stop()
    await mine.stop()
  })

  it('goes on after the sandbox was reset, and says which events your program did not take', async () => {
    const clinic = await world.business()
    await order(clinic)
    await world.settled()
    const nobody = `http://127.0.0.1:${await closedPort()}/hook`
    const printed = await listening(as(clinic.sandboxToken), ['--forward', nobody], async (running) => {
      await clinic.sandbox.post('/sandbox/reset')
      await order(clinic)
      await running.until(/order\.created +evt_\w+ {2}failed {2}\d+ ms {2}nothing listens there$/m)
    })
    expect(printed).toMatch(/^Stopped\. 0 events were taken by your program, and 1 not\.$/m)
  })

  it('forwards nothing twice after the order of the last event was deleted', async () => {
    const clinic = await world.business()
    await order(clinic)
    await world.settled()
    const mine = await hook()
    await listening(as(clinic.sandboxToken), ['--forward', mine.url], async (_running, secret) => {
      const orders = [await order(clinic), await order(clinic)]
      await expect.poll(() => mine.received.length).toBe(2)
      await clinic.sandbox.request('DELETE', `/sandbox/orders/${orders[1]}`)
      orders.push(await order(clinic))
      await expect.poll(() => mine.received.length).toBe(3)
      const events = await verified(secret, mine)
      expect(events.map((event) => event.type === 'order.created' && event.data.orderID)).toEqual(orders)
    })
    await mine.stop()
  })

  it('refuses live data and other machines', async () => {
    const clinic = await world.business()
    const local = ['listen', '--forward', 'http://localhost:3000/hook']
    expect(await refusal(as(clinic.liveToken), ...local)).toMatch(
      /^This token is for live data .*a sandbox token \(kl_test_…\)/,
    )
    const remote = ['listen', '--forward', 'https://shop.example.com/hook']
    expect(await refusal(as(clinic.sandboxToken), ...remote)).toMatch(
      /^shop\.example\.com is not this machine\. .*--allow-remote/,
    )
    expect(await refusal(as(clinic.sandboxToken), ...local, '--events', 'kit.moved')).toMatch(
      /^--events.*must be some of/,
    )
  })
})

describe('kitlane trigger', () => {
  it('plays every scenario that it lists, and causes the event that it names', async () => {
    const clinic = await world.business()
    const env = as(clinic.sandboxToken)
    const list: { name: string; event?: string }[] = await json(env, 'trigger', '--list')
    expect(list.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['journey', 'critical', 'paymentFailed', 'shipped']),
    )
    for (const { name, event } of list) {
      const played = await json(env, 'trigger', event ?? name)
      expect(played.scenario, name).toBe(name)
      for (const { done } of played.steps) expect(done, name).toMatch(/^[A-Z].*\.$/)
      if (!event) continue
      await world.settled()
      const { data } = (await clinic.sandbox.get(`/events?latest=true&type=${event}`)).body
      expect(data.length, name).toBeGreaterThan(0)
    }
  })

  it('says what it did on the whole way of a kit, and with which IDs', async () => {
    const clinic = await world.business()
    const { code, stdout } = await callKitlane(['trigger', 'journey'], as(clinic.sandboxToken), folder)
    expect(code).toBe(0)
    const [, kitID, reportID] = /^IDs: order O\w+, kit (K\w+), customer \d+, report (R\w+)$/m.exec(stdout) ?? []
    expect(stdout).toContain('The laboratory has received the sample.')
    const { kit } = (await clinic.sandbox.get(`/kits/${kitID}`)).body
    expect(kit.status).toBe('published')
    const { reports } = (await clinic.sandbox.get(`/customers/${kit.customerID}`)).body
    expect(reports[0].id).toBe(reportID)
  })

  it('charges nothing where a card is declined, and leaves the attached card as it was', async () => {
    const clinic = await world.business()
    await clinic.sandbox.post('/payment-methods', { id: 'pm_card_visa' })
    const before = (await clinic.sandbox.get('/payment-methods')).body
    const { steps } = await json(as(clinic.sandboxToken), 'trigger', 'paymentFailed')
    expect(steps[0].done).toMatch(/^The order was refused with PAYMENT_FAILED: the card ending in 0002 was declined\.$/)
    expect((await clinic.sandbox.get('/payment-methods')).body).toEqual(before)
    expect((await clinic.sandbox.get('/orders')).body.data).toEqual([])
  })

  it('refuses live data and scenarios that there are not', async () => {
    const clinic = await world.business()
    expect(await refusal(as(clinic.liveToken), 'trigger', 'shipped')).toMatch(/^This token is for live data/)
    expect(await refusal(as(clinic.sandboxToken), 'trigger', 'exploded')).toMatch(
      /^There is no scenario exploded\..*--list/,
    )
  })
})

describe('kitlane clock', () => {
  it('lets time pass in the sandbox, and says how much in all and what became due', async () => {
    const clinic = await world.business({ name: 'Tide Clinic' })
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    const [{ kitID }] = (await clinic.sandbox.get(`/kits?orderID=${orderId}`)).body
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'delivered' })
    const env = as(clinic.sandboxToken)
    const { code, stdout } = await callKitlane(['clock', 'advance', 'P15D'], env, folder)
    const said = 'Advanced the sandbox of Tide Clinic by P15D, P15D in all.\n1  kit became late\n'
    expect({ code, stdout }).toEqual({ code: 0, stdout: said })
    expect(await json(env, 'clock', 'advance', 'PT1H')).toMatchObject({ advanced: 'PT1H', total: 'P15DT1H' })
    expect(await json(env, 'clock', 'show')).toEqual({ total: 'P15DT1H' })
  })

  it('refuses live data, a duration that is missing, and one of months', async () => {
    const clinic = await world.business()
    expect(await refusal(as(clinic.liveToken), 'clock', 'advance', 'P1D')).toMatch(/^This token is for live data/)
    const env = as(clinic.sandboxToken)
    expect(await refusal(env, 'clock', 'advance')).toContain('For example: kitlane clock advance P3D')
    expect(await refusal(env, 'clock', 'advance', 'P1M')).toMatch(/weeks, days, hours, minutes and seconds/)
  })
})

describe('kitlane orders', () => {
  const ada = ['--first-name', 'Ada', '--last-name', 'Example', '--email', 'ada@example.test']
  const home = ['--street1', '1 Main Street', '--city', 'Springfield', '--state', 'IL', '--zip', '62701']
  const create = ['orders', 'create', '--kit-type', CORE, ...ada, ...home]

  it('says what an order would cost, places it once for each key, and shows it', async () => {
    const clinic = await world.business()
    const env = as(clinic.sandboxToken)
    const quote = await callKitlane([...create, '--quantity', '2', '--dry-run'], env, folder)
    expect(quote.stdout).toBe(
      `Would place an order of 2 kits. Nothing was placed.\n${CORE}: 2 needed, 1000 there, 998 left after it.\n`,
    )
    expect((await clinic.sandbox.get('/orders')).body.data).toEqual([])
    const keyed = [...create, '--quantity', '2', '--external-id', 'shop-7', '--idempotency-key', 'shop-order-7']
    const made = await json(env, ...keyed)
    expect(await json(env, ...keyed)).toEqual(made)
    const [listed] = await json(env, 'orders', 'list', '--status', 'created')
    expect(listed).toMatchObject({ orderID: made.orderId, externalID: 'shop-7', quantity: 2 })
    const shown = await callKitlane(['orders', 'show', made.orderId], env, folder)
    expect(shown.stdout).toMatch(new RegExp(`^Order ${made.orderId} \\(shop-7\\): preparing, paid, by credits`))
    expect(shown.stdout.match(/^K\w+ +ED1NL4E3L +preparing/gm)).toHaveLength(2)
  })

  it('asks before an order costs money, and names what is missing or wrong', async () => {
    const clinic = await world.business()
    const live = as(clinic.liveToken)
    expect(await refusal(live, ...create)).toMatch(/costs money, and kits are shipped\. Add --live to place it/)
    expect((await json(live, ...create, '--live')).orderId).toMatch(/^O/)
    const env = as(clinic.sandboxToken)
    expect(await refusal(env, 'orders', 'create', '--kit-type', CORE, ...ada)).toMatch(
      /^--street1, --city, --state, --zip are missing\./,
    )
    expect(await refusal(env, ...create, '--payment-method', 'pm_unknown')).toMatch(
      /\n\(PAYMENT_METHOD_NOT_FOUND, request \w+\)$/m,
    )
    expect(await refusal(env, 'orders', 'show', 'O00000000')).toMatch(/^There is no such order/)
    expect(await refusal(env, 'orders', 'show')).toMatch(/^<order> is missing\./)
  })
})
