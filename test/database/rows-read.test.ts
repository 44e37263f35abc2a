import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs, routes } from '../../src/modules/index.ts'
import { deleteFinished } from '../../src/modules/webhooks/delivery/claim-queries.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { purgeRealmKeys } from '../../src/platform/http/realm-keys.ts'
import type { Route } from '../../src/platform/http/route.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { createLogger } from '../../src/platform/log.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { type Opened, openDatabase } from '../../src/service/open.ts'
import { caller } from '../harness/caller.ts'
import { callsOf, own } from '../harness/calls.ts'
import { samples } from '../harness/generate.ts'
import type { IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { connectSuper, makeLargeBusiness } from '../harness/large-business.ts'
import { endConnections } from '../harness/owner.ts'
import { person, signIn } from '../harness/people.ts'
import { readsMore } from '../harness/reads-more.ts'
import { recipients } from '../harness/recipients.ts'
import { type As, asOf, gets, headersOf, RouteRequests } from '../harness/route-requests.ts'
import { explainAll, listen, marked, type Ran, type Scan } from '../harness/statements.ts'
import { databaseOf } from '../harness/urls.ts'
import { ON_A_BUSY_MACHINE_MS, ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// What `npm run prove:plans` sets. The planner chooses as for more from some thousand orders on.
const ORDERS = Number(process.env.PLANS ?? 5000)
// Orders of a week, for which the bounds below leave no room: orders are spread over two years.
const WEEK = ORDERS > 17_000 ? ORDERS / 104 : 0
// A table of fewer rows is read whole by any plan.
const GROWN = 1000
// Two pages of 100 with what belongs to each row. More is told in reads-more.ts.
const MOST = 1000
const REMOVED_OF_KEPT = 20
const TRIES = 5

let world: World
let large: IsolationFixtures
let business: TestBusiness
let api: Service
let opened: Opened
let operator: string
/** The tables that grew, with their rows. */
let grown: ReadonlyMap<string, number>
let heard: Ran[] = []
let stopListening: (() => void) | undefined

beforeAll(async () => {
  world = await ownWorld('has statements explained, in a database with very many orders')
  ;({ fixtures: large, business } = await makeLargeBusiness(world, ORDERS))
  const admin = await connectSuper(world)
  try {
    const { rows } = await admin.query(
      `select c.relname as name, c.reltuples as rows from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples >= $1
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'realm_id')`,
      [GROWN],
    )
    grown = new Map(rows.map(({ name, rows }) => [name, rows]))
    await admin.query('update realms set rate_limit_per_minute = 1000000')
    await explainAll(admin, databaseOf(world.urls))
    await endConnections(admin)
  } finally {
    await admin.end()
  }
  operator = (await signIn(world, await person(world, 'operator-admin'))).cookie
  stopListening = listen((ran) => heard.push(ran))
  const urls = marked(world.urls)
  const log = createLogger({ level: 'silent' })
  api = await startService({
    urls,
    log,
    settings: { ...world.settings, role: 'api' },
    maxLoopDelayMs: ON_A_BUSY_MACHINE_MS,
  })
  opened = await openDatabase(urls, { settings: world.settings })
  // Nobody works beside what is measured.
  await world.service.stop({ atOnce: true })
  world = { ...world, service: api }
})
afterAll(async () => {
  stopListening?.()
  await opened?.close()
  await api?.stop({ atOnce: true })
  await world?.stop()
})

const sumOf = (scans: readonly Scan[]) => Math.round(scans.reduce((sum, { read }) => sum + read, 0))

/** What is wrong with what a request or a job read of tables that grow. */
function wrongIn(name: string, ran: readonly Ran[]): string[] {
  const { tables = [], times = 0 } = readsMore[name] ?? {}
  // A partition of the audit is the audit.
  const allowed = ({ table }: Scan) => tables.find((one) => table === one || table.startsWith(`${one}_`))
  const all = ran.flatMap(({ text, scans }) =>
    scans.filter(({ table }) => grown.has(table)).map((scan) => ({ text, ...scan })),
  )
  const counted = all.filter((scan) => !allowed(scan))
  const more = [...Map.groupBy(all, allowed)].flatMap(([table, scans]) => {
    const most = scans.toSorted((a, b) => b.read - a.read)[0]
    const rows =
      times * [...new Set(scans.map((scan) => scan.table))].reduce((sum, one) => sum + (grown.get(one) ?? 0), 0)
    const read = sumOf(scans)
    return table && read > rows
      ? [`reads ${read} rows of ${table}, and may ${Math.round(rows)}: ${most?.text.slice(0, 600)}`]
      : []
  })
  const wrong = counted.flatMap(({ text, table, how, read, kept }) => {
    const where = `${table}: ${text.slice(0, 600)}`
    if (how === 'Seq Scan') return [`reads all of ${where}`]
    const removed = read - kept
    return removed > MOST && removed > REMOVED_OF_KEPT * kept ? [`reads ${read} rows for ${kept} of ${where}`] : []
  })
  const sum = sumOf(counted)
  const [most] = counted.toSorted((a, b) => b.read - a.read)
  if (sum > MOST && wrong.length === 0)
    wrong.push(`reads ${sum} rows, most of ${most?.table}: ${most?.text.slice(0, 600)}`)
  return [...new Set([...wrong, ...more])].map((one) => `${name} ${one}`)
}

const asked: { route: Route; query: string; status: number; ran: Ran[] }[] = []
const requests = () => new RouteRequests(large)

async function ask(route: Route, path: string, as: As, body?: unknown) {
  heard = []
  const response = await fetch(api.url + path, {
    method: route.method,
    headers: {
      ...headersOf(as, large, operator),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  asked.push({ route, query: path.split('?')[1] ?? '', status: response.status, ran: heard })
  return {
    status: response.status,
    body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  }
}

const wrongInAll = (which: (route: Route) => boolean): string[] => [
  ...new Set(asked.filter(({ route }) => which(route)).flatMap(({ route, ran }) => wrongIn(route.id, ran))),
]

it('each list, search, count and page of every audience reads what it shows, however many orders a business has', async () => {
  const made = requests()
  for (const route of gets) {
    for (const query of made.queriesOf(route)) {
      const path = made.pathOf(route)
      const again = () => ask(route, query ? `${path}?${query}` : path, asOf(route))
      let answer = await again()
      // A PDF has so many seconds to be drawn, which a busy machine may not give it.
      for (let tries = 1; answer.status >= 500 && tries < TRIES; tries++) answer = await again()
      made.learn(path, answer.body)
    }
  }
  expect(wrongInAll(({ method }) => method === 'GET')).toEqual([])
  // Otherwise it would prove nothing of these.
  const unanswered = gets.filter(({ id }) => asked.every(({ route, status }) => route.id !== id || status >= 300))
  expect(unanswered.map(({ id }) => id).toSorted()).toEqual(NOT_ANSWERED)
})

// Of the sandbox only, or of what no copy has: a message that waits, a sample on hold, an order to a laboratory, a consent to text messages, the bytes of a
// file, a box that came back, one in stock, an order that waits for a provider, what labels cost, a notice to an authority.
const NOT_ANSWERED = [
  ...[
    'compareLabMessage',
    'getApproval',
    'getHeldSample',
    'getHeldSampleOfAll',
    'getLabOrder',
    'getLabOrderOfAll',
    'getLabelCosts',
    'getLabelDocument',
    'getNotice',
    'getRecall',
    'getRequisition',
    'getSandboxClock',
    'getStockBox',
    'getTextConsent',
  ],
  ...['getUndeliveredKit', 'getUndeliveredKitOfAll'],
  ...[
    'getUploadFileOfAll',
    'getUploadPage',
    'getUploadPageOfAll',
    'listKitsOfRecall',
    'listSandboxKits',
    'listSandboxScenarios',
  ],
  'traceLotOfAll',
]

// A part of a table that is read whole to count it is read once, and not in each of the steps that find a range of dates.
it.each([
  ['kits of some days', () => `/kits?createdDateStart=${day(40)}&createdDateEnd=${day(39)}&size=10`, 1.5 * ORDERS],
  ['the overview', () => '/overview', 900 + 3 * WEEK],
  ['orders to an address', () => '/orders?email=nobody@example.test', 50],
  ['everything that changed since before the first order', () => '/orders?updatedSince=2000-01-01&size=10', 50],
  ['kits that changed since before the first', () => '/kits?updatedSince=2000-01-01&size=10', 50],
  ['a search that finds nobody', () => '/search?q=nobody', 50],
  // 300 kits with their orders, or the days that are counted; and the credits of the day with which 28 days begin.
  ['how far kits came', () => '/numbers/funnel', 700],
  ['how long their steps took', () => '/numbers/turnaround', 700],
  ['how many were rejected', () => '/numbers/rejections', 700],
  ['how many promises were kept', () => '/numbers/promises', 700],
  ['the credits used', () => '/numbers/credits', 300 + WEEK],
])(
  'for %s the database reads what is shown, and not all orders, kits and transfers of the business',
  async (_what, path, bound) => {
    heard = []
    const answer = await fetch(`${api.url}/api/v1${path()}`, {
      headers: { authorization: `Token ${large.caller.token}` },
    })
    expect(answer.status).toBe(200)
    const scans = heard.flatMap((ran) => ran.scans)
    expect(sumOf(scans.filter(({ table }) => ['orders', 'kits', 'credit_transfers'].includes(table)))).toBeLessThan(
      bound,
    )
  },
)

const day = (ago: number) => new Date(Date.now() - ago * 24 * 3600 * 1000).toISOString().slice(0, 10)

it.each([
  ['idempotency_keys', purgeRealmKeys],
  ['webhook_deliveries', (tx: SystemTx, limit: number) => deleteFinished(tx, tx.now, limit)],
])(
  'what ends in %s is found by its age and deleted where it stands, not looked up by random keys',
  async (name, purge) => {
    const admin = await connectSuper(world)
    await admin.query(
      `insert into idempotency_keys (realm_id, key, fingerprint, created_at)
       select $1, $2 || n, '', now() - interval '3 days' from generate_series(1, 100) n`,
      [large.realm.id, name],
    )
    await admin.end()
    heard = []
    expect(await opened.database.asSystem({ name: 'test' }, (tx) => purge(tx, 100))).toBe(100)
    const scans = heard.flatMap((ran) => ran.scans).filter(({ table }) => table === name)
    expect(scans.map(({ index }) => index)).not.toContain(`${name}_pkey`)
    expect(sumOf(scans)).toBeLessThanOrEqual(200)
  },
)

it('each change reads what it changes, however many orders a business has', async () => {
  const made = requests()
  const last = ({ id, method }: Route) => Number(method === 'DELETE') + 2 * Number(/erase|signOut|endO/i.test(id))
  const { objects } = large
  const hints = {
    kitID: objects.kit[0],
    orderID: objects.order[0],
    reportID: objects.report[0],
    customerID: objects.customer[0],
  }
  for (const route of routes.filter(({ method }) => method !== 'GET').toSorted((a, b) => last(a) - last(b))) {
    if (route.audience === 'business') {
      for (const { path, body, byAdmin } of callsOf(route, own(large)))
        await ask(route, `/api/v1${path}`, byAdmin ? 'admin' : 'token', body)
    } else {
      for (const body of route.body ? samples(route.body, hints) : [undefined])
        await ask(route, made.pathOf(route), asOf(route), body)
    }
  }
  expect(wrongInAll(({ method }) => method !== 'GET')).toEqual([])
  expect(asked.filter(({ route, status }) => route.method !== 'GET' && status < 300).length).toBeGreaterThan(60)
})

it('the pages of a person read what is theirs, however many orders the business has', async () => {
  const people = recipients(world)
  const live = caller(api.url, business.liveToken)
  const clinic = { ...business, live }
  const kit = await people.newKit(clinic)
  heard = []
  const { email } = await people.register(kit)
  const registering = heard
  const report = await people.report(clinic, kit, { ldl: 97 })
  await people.release(clinic, report)
  const [link = ''] = await people.linksTo(email)
  heard = []
  const { who } = await people.enter(link)
  for (const path of ['/r', `/r/reports/${report}`, `/r/reports/${report}/pdf`, `/r/kits/${kit}/consent`, '/r/new']) {
    // As above, for the PDF.
    await expect.poll(async () => (await who.open(path)).status, { message: path }).toBeLessThan(400)
  }
  expect(wrongIn('pages', [...registering, ...heard])).toEqual([])
})

it('each job of a schedule reads what is new or due, however many orders there are', async () => {
  const wrong: string[] = []
  const scheduled = jobs.filter(({ cron }) => cron)
  // The first round does what the tests before left to do.
  for (const [round, job] of [...scheduled, ...scheduled].entries()) {
    heard = []
    const isSecond = round >= scheduled.length
    const actor = { name: `job:${job.name}` }
    const log = createLogger({ level: 'silent' })
    const { database, portsOf } = opened
    // What works in batches ends after a few.
    const run = { id: '', name: job.name, attempt: 1, last: true, signal: AbortSignal.timeout(1500), log }
    const realm: JobContext['realmPorts'] = (of) => realmPorts(database, portsOf, of, actor)
    await job.handler({ database, actor, portsOf, log, run, realmPorts: realm }, {}).catch((err) => {
      if (!run.signal.aborted) throw err
    })
    wrong.push(...(isSecond ? wrongIn(job.name, heard) : []))
  }
  expect(wrong).toEqual([])
})

it('what reads more is there, and says why', () => {
  const names = new Set([...routes.map(({ id }) => id), ...jobs.map(({ name }) => name)])
  expect(Object.keys(readsMore).filter((name) => !names.has(name))).toEqual([])
})
