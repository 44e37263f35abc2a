import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook as Peer } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packPython } from '../../deploy/python-archive.ts'
import manifest from '../../package.json' with { type: 'json' }
import { PYTHON_MODELS } from '../../src/cli/python/resources.ts'
import { thinKeys } from '../../src/modules/webhooks/rules.ts'
import { onPath } from '../harness/client-package.ts'
import { aRow, CORE, recipient } from '../harness/orders.ts'
import { installingPython, installPythonClient, python, runPython } from '../harness/python.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { root, trackedFiles } from '../harness/sources.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const run = promisify(execFile)
const [pyright] = onPath('pyright')
let world: World
let clinic: TestBusiness
let folder: string
const peers: Receiver[] = []

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 1000 })
  folder = await mkdtemp(join(tmpdir(), 'kitlane-python-'))
})
afterAll(async () => {
  await Promise.all(peers.map((peer) => peer.stop()))
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

const head = `
import json, os, sys
from kitlane import Kitlane, KitlaneError, Webhook, WebhookError
given = json.loads(os.environ["GIVEN"])
def answer(value): json.dump(value, sys.stdout)
def client(**options): return Kitlane(os.environ["KITLANE_TOKEN"], os.environ["KITLANE_URL"], **{"retry_delay": 0.01, **options})
def caught(call):
    try: call()
    except KitlaneError as err: return [err.code, err.status, err.attempts]
`
/** What a program says with \`answer\`. */
async function says(code: string, { url = world.service.url, given = {} as unknown } = {}): Promise<unknown> {
  const env = { KITLANE_URL: url, KITLANE_TOKEN: clinic.liveToken, GIVEN: JSON.stringify(given) }
  const { stdout, stderr } = await runPython(['-W', 'error', '-c', head + code], env)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

const readmeBlocks = async () => {
  const readme = await readFile(join(root, 'client-python/README.md'), 'utf8')
  return Array.from(readme.matchAll(/^```python\n(.*?)^```/gms), ([, code = '']) => code)
}

const order = { recipient, kit_types: [{ kitType: CORE }], paymentMethod: 'credits' }
const countOrders = async () => (await clinic.live.get('/orders?size=1')).body.pagination.total

interface Sent {
  method: string | undefined
  url: string | undefined
  body: string
  key: string | string[] | undefined
}

/** A peer that answers each request with the next step, and passes it on to the service after the last. */
async function against(...steps: (RequestListener | 'loses the answer')[]): Promise<{ url: string; sent: Sent[] }> {
  const sent: Sent[] = []
  const peer = await httpReceiver(async (request, response) => {
    const { method, url, headers } = request
    const body = await text(request)
    sent.push({ method, url, body, key: headers['idempotency-key'] })
    const step = steps.shift()
    if (typeof step === 'function') return void step(request, response)
    const passed = Object.entries(headers).filter(([name]) => /^(authorization|content-type|idempotency)/.test(name))
    const init = { method: method ?? '', headers: Object.fromEntries(passed) as Record<string, string> }
    const answer = await fetch(`${world.service.url}${url}`, { ...init, ...(body && { body }) })
    const bytes = await answer.bytes()
    if (step) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes)
  })
  peers.push(peer)
  return { url: `http://127.0.0.1:${peer.port}`, sent }
}
const cut: RequestListener = (request) => request.socket.destroy()
const refuses =
  (status: number, headers: Record<string, string> = { 'retry-after': '0' }): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end('{"message":"No","code":"OVERLOADED"}')
const page: RequestListener = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
const moved: RequestListener = (_, response) => response.writeHead(301, { location: 'https://kits.example.com/' }).end()
const never: RequestListener = () => {}
const half: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"orderID":')
  response.socket?.destroySoon()
}

describe.skipIf(!python)('the Python client; skipped where there is no Python 3.9 or newer', () => {
  it('places an order once through a network that refuses, cuts off and loses the answer', async () => {
    const before = await countOrders()
    const { url, sent } = await against(refuses(503), cut, 'loses the answer')
    const said = await says('answer(client().orders.create(given))', { url, given: order })
    expect(said).toMatchObject({ orderId: expect.stringMatching(/^O/) })
    expect(await countOrders()).toBe(before + 1)
    expect([sent.length, new Set(sent.map(({ key }) => key)).size, sent[0]?.key]).toEqual([4, 1, expect.any(String)])
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
  })

  it('gives up with the key that the write may be sent again with, asks nothing twice that would take a minute, and names what is no answer of Kitlane', async () => {
    const before = await countOrders()
    const { url, sent } = await against(
      'loses the answer',
      refuses(503, { 'retry-after': '120' }),
      half,
      page,
      moved,
      never,
    )
    const said = await says(
      `
try: client().orders.create(given, max_retries=0)
except KitlaneError as err: first = err
k = client()
answer([first.code, caught(k.tokens.verify), caught(k.tokens.verify), caught(k.tokens.verify),
  caught(lambda: k.tokens.verify(timeout=0.1, max_retries=0)),
  k.orders.create(given, idempotency_key=first.idempotency_key)["orderId"]])`,
      { url, given: order },
    )
    const [code, asked, paged, redirected, late, orderId] = said as unknown[]
    expect([code, asked, paged]).toEqual(['NO_ANSWER', ['OVERLOADED', 503, 1], ['UNEXPECTED_ANSWER', 200, 2]])
    expect([redirected, late]).toEqual([
      ['UNEXPECTED_ANSWER', 301, 1],
      ['TIMED_OUT', null, 1],
    ])
    expect(orderId).toMatch(/^O/)
    expect(await countOrders()).toBe(before + 1)
    expect(sent.filter(({ method }) => method === 'GET').every(({ key }) => key === undefined)).toBe(true)
  })

  it('goes through all pages of each kind, waits for a job, and reads its rows', async () => {
    for (let n = 0; n < 2; n++)
      await clinic.live.post('/customer', { name: 'Ada Example', email: `a${n}@example.test` })
    const said = await says(
      `
k = client()
made = k.orders.create({"bulkUploadData": given})
progress = []
job = k.bulk_order_jobs.wait_for(made["jobId"], on_progress=lambda now: progress.append(now["progress"]))
rows = [row["row"] for row in k.bulk_order_jobs.get(made["jobId"], size=10)]
orders = [order["orderID"] for order in k.orders.list(size=5)]
pages = [len(page) for page in k.customers.list(size=1).pages()]
answer({"job": [job["status"], job["succeeded"], progress[-1]], "rows": rows, "orders": len(set(orders)), "pages": pages,
  "first": len(k.customers.list().first())})`,
      { given: Array.from({ length: 21 }, () => aRow()) },
    )
    expect(said).toEqual({
      job: ['completed', 21, 100],
      rows: Array.from({ length: 21 }, (_, row) => row),
      orders: await countOrders(),
      pages: [1, 1],
      first: 2,
    })
    await world.settled()
    const feed = await says('k = client(); answer([event["id"] for event in k.events.list(size=3)])')
    expect(feed).toEqual((await clinic.live.get('/events?size=250')).body.data.map(({ id }: { id: string }) => id))
  })

  it('raises what the service refused, with its code, status and request, and shows nobody the token', async () => {
    const said = await says(`
k = client()
seen = []
watched = client(on_request=lambda sent: seen.append(repr(sent)), on_response=lambda one: seen.append(one.status))
def of(call):
    try: call()
    except KitlaneError as err: return [err.code, err.status, len(err.request_id) > 0, repr(err) + repr(k) + str(vars(err))]
    except ValueError as err: return str(err)
answer([of(lambda: watched.orders.get("O00000000")), of(lambda: k.orders.get("..")), of(lambda: Kitlane("a b", "http://127.0.0.1")),
  of(lambda: Kitlane("a", "kits.example.com")), seen])`)
    const [missing, dots, token, address, seen] = said as [unknown[], ...unknown[]]
    expect(missing.slice(0, 3)).toEqual(['ORDER_NOT_FOUND', 404, true])
    expect([dots, token, address]).toEqual([
      'id is missing',
      'token is missing, or has characters that no token has',
      'base_url is no address such as https://kits.example.com',
    ])
    expect(seen).toEqual([expect.stringContaining('SentRequest'), 404])
    expect(JSON.stringify(said)).not.toContain(clinic.liveToken)
  })

  it('refuses an option that it does not know, of the client and of a call', async () => {
    const said = await says(`
def refused(call):
    try: call()
    except TypeError as err: return str(err)
answer([refused(lambda: client(retries=1)), refused(lambda: client().request("GET", "/x", retries=1))])`)
    expect(said).toEqual([expect.stringContaining('retries'), expect.stringContaining('retries')])
  })

  it('types webhooks so that thin ones fit: it promises no field that only full ones have', async () => {
    const required = (await says(`
from kitlane import models
events = [one.__forward_arg__ for one in models.WebhookEvent.__args__]
answer({one: sorted(getattr(models, one + "Data").__required_keys__) for one in events})`)) as Record<string, string[]>
    expect(required.KitUpdatedEvent).toEqual(expect.arrayContaining(['kitID', 'status', 'sequence']))
    const missing = Object.entries(required).flatMap(([event, keys]) =>
      keys.filter((key) => !thinKeys.has(key)).map((key) => `${event} ${key}`),
    )
    expect(missing).toEqual([])
  })

  it('accepts webhooks that another implementation signed, and no changed, old or future one', async () => {
    const [secret, other] = [7, 9].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
      string,
      string,
    ]
    const body = '{"type":"credits.low","data":{"note":"µ≥"}}'
    const signed = (by: string, ageSeconds = 0, id = 'evt_1') => {
      const at = new Date(Date.now() - ageSeconds * 1000)
      const signature = new Peer(by).sign(id, at, body)
      return {
        'Webhook-Id': 'evt_1',
        'Webhook-Timestamp': String(Math.floor(+at / 1000)),
        'Webhook-Signature': signature,
      }
    }
    const { 'Webhook-Id': _, ...without } = signed(secret)
    const cases = [
      [secret, body, signed(secret)],
      [[other, secret], body, signed(secret)],
      [secret, body.replace('low', 'high'), signed(secret)],
      [other, body, signed(secret)],
      [secret, body, signed(secret, 0, 'evt_2')],
      [secret, body, signed(secret, 400)],
      [secret, body, signed(secret, -400)],
      [secret, body, without],
    ]
    const said = (await says(
      `
def of(secret, body, headers):
    try: return Webhook(secret).verify(body.encode(), headers)["id"]
    except WebhookError as err: return err.reason
answer([[of(*case) for case in given[0]], Webhook(given[1]).sign(given[2])])`,
      { given: [cases, secret, body] },
    )) as [string[], Record<string, string>]
    const wrong = Array(3).fill('SIGNATURE_WRONG')
    expect(said[0]).toEqual(['evt_1', 'evt_1', ...wrong, 'TOO_OLD', 'TOO_NEW', 'HEADERS_MISSING'])
    expect(new Peer(secret).verify(body, said[1])).toEqual(JSON.parse(body))
  })

  it('every example of its README runs against a service', async () => {
    const blocks = await readmeBlocks()
    expect(blocks.length).toBeGreaterThan(8)
    const file = join(folder, 'readme.py')
    await writeFile(file, blocks.join('\n'))
    const env = { KITLANE_URL: world.service.url, KITLANE_TOKEN: clinic.sandboxToken }
    const { code, stdout, stderr } = await runPython(['-W', 'error', file], env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('completed 20')
  })

  it.skipIf(!pyright)('its types accept its README and the examples; skipped without pyright', async () => {
    const settings = { extraPaths: [join(root, 'client-python')], pythonVersion: '3.9', typeCheckingMode: 'standard' }
    const names = ['examples/batch/batch.py', 'examples/receivers/receiver.py', 'client-python/kitlane']
    const include = [join(folder, 'readme.py'), ...names.map((name) => join(root, name))]
    await writeFile(join(folder, 'readme.py'), (await readmeBlocks()).join('\n'))
    await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify({ ...settings, include }))
    const checked = await run(pyright ?? '', ['--project', folder], { cwd: folder }).catch((err) => err)
    expect(checked.stdout).toMatch(/^0 errors/m)
  })

  it('its files are small: none above 300 kB', async () => {
    const of = join(root, 'client-python/kitlane')
    const names = (await readdir(of)).filter((name) => name.endsWith('.py'))
    expect(names.length).toBeGreaterThan(8)
    for (const name of names) expect((await stat(join(of, name))).size, name).toBeLessThan(300_000)
  })
})

it.skipIf(!installingPython)(
  'pip installs the Python client without the internet; skipped where pip, setuptools or wheel is missing',
  async () => {
    const installed = await installPythonClient(installingPython ?? '', folder)
    expect((await readdir(join(installed, 'kitlane'))).sort()).toContain('py.typed')
    const program =
      'import kitlane, importlib.metadata as m; print(kitlane.__file__, m.version("kitlane"), m.requires("kitlane"))'
    const { stdout } = await run(installingPython ?? '', ['-c', program], {
      env: { PYTHONPATH: installed },
      cwd: folder,
    })
    expect(stdout).toBe(`${join(installed, 'kitlane/__init__.py')} ${manifest.version} None\n`)
  },
)

it('the Python client of a release holds all its sources and nothing else, and the same bytes each time', async () => {
  const [one, other] = [await mkdtemp(join(folder, 'one-')), await mkdtemp(join(folder, 'other-'))]
  const [path, again] = [await packPython(one), await packPython(other)]
  expect(await readFile(path)).toEqual(await readFile(again))
  const { stdout } = await run('tar', ['--list', '--gzip', '--file', path])
  const top = `kitlane-python-${manifest.version}`
  const kept = trackedFiles().filter((path) => path.startsWith('client-python/'))
  expect(stdout.trim().split('\n')).toEqual(
    [...kept, ...PYTHON_MODELS].map((path) => path.replace('client-python', top)).toSorted(),
  )
})
