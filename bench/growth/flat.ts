// What bench/flat.ts runs: GETs of businesses, the operator, FHIR and people tested, each as the role that answers it. Two
// fifths of the orders are of one business of 50.
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { caller } from '../../test/harness/caller.ts'
import type { IsolationFixtures } from '../../test/harness/isolation-fixtures.ts'
import { connectSuper, makeLargeBusiness } from '../../test/harness/large-business.ts'
import { person, signIn } from '../../test/harness/people.ts'
import { recipients } from '../../test/harness/recipients.ts'
import { asOf, gets, headersOf, RouteRequests } from '../../test/harness/route-requests.ts'
import { ON_A_BUSY_MACHINE_MS, ownWorld, type TestBusiness, type World } from '../../test/harness/world.ts'
import { spread } from '../suite/spread.ts'

const SMALL = 10_000
const LARGE = Number(process.env.FLAT)
const SHARE = 0.4
const ONLY = new RegExp(process.env.ONLY ?? '')
const MOST_RATIO = 1.5
const MOST_MS = 250
// What differs by less is noise.
const LEAST_MS = 3
const FEW_SAMPLES = 3
const SAMPLES = 9

interface Side {
  world: World
  api: Service
  fixtures: IsolationFixtures
  business: TestBusiness
  operator: string
  requests: RouteRequests
}

interface Row {
  name: string
  query: string
  status: number
  small: number
  large: number
  /** The first time, with nothing counted yet. */
  first: number
}

const rows: Row[] = []
let small: Side
let large: Side

beforeAll(async () => {
  small = await made(SMALL)
  large = await made(LARGE)
})
afterAll(async () => {
  for (const side of [small, large]) {
    await side?.api.stop({ atOnce: true })
    await side?.world.stop()
  }
})

async function made(orders: number): Promise<Side> {
  const started = performance.now()
  const say = (what: string) =>
    console.log(`${orders} orders: ${what} after ${Math.round((performance.now() - started) / 1000)} s`)
  const world = await ownWorld('measures very many orders')
  const first = Math.round(orders * SHARE)
  const { fixtures, business } = await makeLargeBusiness(world, first, orders - first)
  const admin = await connectSuper(world)
  await admin.query('update realms set rate_limit_per_minute = 1000000')
  const { rows: sizes } = await admin.query(
    `select (select count(*) from orders) as orders, pg_size_pretty(pg_database_size(current_database())) as size`,
  )
  await admin.end()
  say(`${sizes[0].orders} made, ${sizes[0].size}`)
  const operator = (await signIn(world, await person(world, 'operator-admin'))).cookie
  const settings = { ...world.settings, role: 'api' as const }
  const log = createLogger({ level: 'silent' })
  const api = await startService({ urls: world.urls, log, settings, maxLoopDelayMs: ON_A_BUSY_MACHINE_MS })
  // Nobody works beside what is measured.
  await world.service.stop({ atOnce: true })
  return { world: { ...world, service: api }, api, fixtures, business, operator, requests: new RouteRequests(fixtures) }
}

/** Asks both in turns: the first time counts for itself, and what looks slower is asked more often. */
async function compare(name: string, query: string, ask: (side: Side) => Promise<number>): Promise<void> {
  const times: Record<'small' | 'large', number[]> = { small: [], large: [] }
  let status = 0
  const timed = async (side: Side) => {
    const started = performance.now()
    status = Math.max(status, await ask(side))
    return performance.now() - started
  }
  await timed(small)
  const first = await timed(large)
  const medians = () => ({ small: spread(times.small).median, large: spread(times.large).median })
  for (let n = 0; n < SAMPLES; n++) {
    if (n === FEW_SAMPLES && !isSlow(medians())) break
    times.small.push(await timed(small))
    times.large.push(await timed(large))
  }
  rows.push({ name, query, status, first, ...medians() })
}

const isSlow = (one: Pick<Row, 'small' | 'large'>): boolean =>
  one.large > MOST_MS || (one.large > MOST_RATIO * one.small && one.large - one.small > LEAST_MS)

async function get(side: Side, as: ReturnType<typeof asOf>, path: string) {
  const answer = await fetch(side.api.url + path, { headers: headersOf(as, side.fixtures, side.operator) })
  const text = await answer.text()
  return { status: answer.status, body: answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text }
}

it('every GET takes as long with very many orders as with 10,000', async () => {
  for (const route of gets) {
    const as = asOf(route)
    const queries = [small, large].map(({ requests }) => requests.queriesOf(route))
    for (const [index, query] of (queries[1] ?? []).entries()) {
      const ask = async (side: Side) => {
        const path = side.requests.pathOf(route)
        const own = queries[side === small ? 0 : 1]?.[index]
        const { status, body } = await get(side, as, own ? `${path}?${own}` : path)
        side.requests.learn(path, body)
        return status
      }
      if (ONLY.test(route.id)) await compare(route.id, query.replace(/canary\w+/gi, '…'), ask)
      // What it shows is asked for by the routes below it.
      else if (index === 0) await Promise.all([small, large].map(ask))
    }
  }
})

it.skipIf(process.env.ONLY)('every page of a person takes as long, too', async () => {
  const opened = new Map<Side, { open(path: string): Promise<{ status: number }>; kit: string; report: string }>()
  for (const side of [small, large]) {
    const people = recipients(side.world)
    const clinic = { ...side.business, live: caller(side.api.url, side.business.liveToken) }
    const kit = await people.newKit(clinic)
    const { email } = await people.register(kit)
    const report = await people.report(clinic, kit, { ldl: 97 })
    await people.release(clinic, report)
    const [link = ''] = await people.linksTo(email)
    const { who } = await people.enter(link)
    opened.set(side, { open: (path) => who.open(path), kit, report })
  }
  for (const path of ['/r', '/r/reports/:report', '/r/reports/:report/pdf', '/r/kits/:kit/consent', '/r/new'])
    await compare(path, '', async (side) => {
      const one = opened.get(side)
      if (!one) throw new Error('a side is missing')
      return (await one.open(path.replace(':report', one.report).replace(':kit', one.kit))).status
    })
})

it('says what does not', async () => {
  const ms = (value: number) => value.toFixed(1)
  const line = (one: Row) =>
    `| ${one.name}${one.query && `?${one.query}`} | ${one.status} | ${ms(one.small)} | ${ms(one.large)} | ${(one.large / one.small).toFixed(2)} | ${ms(one.first)} |`
  const slow = rows.filter(isSlow).toSorted((a, b) => b.large / b.small - a.large / a.small)
  const ratios = spread(rows.map((one) => one.large / one.small))
  console.log(
    `| request | status | ${SMALL} | ${LARGE} | ratio | first |\n|---|---|---|---|---|---|\n${slow.map(line).join('\n')}`,
  )
  console.log(
    `${rows.length} requests of ${new Set(rows.map(({ name }) => name)).size} routes; ratio ${JSON.stringify(ratios)}`,
  )
  await writeFile(new URL('../flat.json', import.meta.url), `${JSON.stringify(rows, null, 1)}\n`)
  expect(slow.map(({ name, query }) => `${name}?${query}`)).toEqual([])
})
