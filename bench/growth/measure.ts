import { Client } from 'pg'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { purgeRealmKeys } from '../../src/platform/http/realm-keys.ts'
import { openDatabase } from '../../src/service/open.ts'
import { type Business, load } from '../suite/environment.ts'
import { newKeys, orderRequests } from '../suite/orders.ts'
import { spread } from '../suite/spread.ts'

export interface Side {
  name: string
  port: number
  urls: DatabaseUrls
  superUrl: string
  /** The first one has the most orders. */
  businesses: Business[]
}

export interface Figure {
  what: string
  unit: string
  value: number
}

const SAMPLES = 15
const SIZE = 50

/** Measures what a business notices, in turns on all sides: intake, lists, search and retention. */
export async function measure(sides: readonly Side[]): Promise<Figure[][]> {
  const figures: Figure[][] = sides.map(() => [])
  const parts = [pages, intake, retention]
  for (const part of parts) {
    for (const [index, side] of sides.entries()) figures[index]?.push(...(await part(side)))
  }
  return figures
}

async function get({ port, businesses: [largest] }: Side, path: string) {
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: { authorization: `Token ${largest?.token}` },
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`)
  const total = answer.headers.get('x-total-count')
  return { ms: performance.now() - started, total: Number(total ?? JSON.parse(text).pagination?.total ?? 0) }
}

async function pages(side: Side): Promise<Figure[]> {
  const figures: Figure[] = []
  const note = (what: string, value: number) => figures.push({ what, unit: 'ms', value })
  for (const list of [
    '/orders?',
    '/orders?status=canceled',
    '/orders?kitStatus=preparing',
    '/kits?',
    '/credits/transactions?',
  ]) {
    const path = `${list}${list.endsWith('?') ? '' : '&'}size=${SIZE}&page=`
    const first = await get(side, `${path}0`)
    if (!list.endsWith('?')) note(`${list}, counted for the first time`, first.ms)
    note(`${list}, first page`, await median(side, `${path}0`))
    note(`${list}, middle page`, await median(side, `${path}${Math.floor(first.total / SIZE / 2)}`))
  }
  for (const [what, text] of [
    ['a name', 'name77'],
    ['an e-mail', 'person77'],
    ['nobody', 'nobody'],
  ])
    note(`search for ${what}`, await median(side, `/search?q=${text}`))
  note('overview', await median(side, '/overview'))
  return figures
}

async function median(side: Side, path: string): Promise<number> {
  const times: number[] = []
  for (let n = -2; n < SAMPLES; n++) {
    const { ms } = await get(side, path)
    if (n >= 0) times.push(ms)
  }
  return spread(times).median
}

async function intake({ port, businesses }: Side): Promise<Figure[]> {
  const requests = orderRequests(businesses.slice(0, 50))
  const order = { port, connections: 64, requests }
  await load({ ...order, seconds: 3, keyed: newKeys() })
  const { rate, p50, p99 } = await load({ ...order, seconds: 8, keyed: newKeys() })
  return [
    { what: 'orders of 50 businesses', unit: '/s', value: rate },
    { what: 'orders, p50', unit: 'ms', value: p50 },
    { what: 'orders, p99', unit: 'ms', value: p99 },
  ]
}

/** Deletes a thousand expired keys at a time, and vacuums the tables of an order. */
async function retention({ urls, superUrl }: Side): Promise<Figure[]> {
  const opened = await openDatabase(urls)
  const times: number[] = []
  for (let n = 0; n < 5; n++) {
    const started = performance.now()
    await opened.database.asSystem({ name: 'bench' }, (tx) => purgeRealmKeys(tx, 1000))
    times.push(performance.now() - started)
  }
  await opened.close()
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  const started = performance.now()
  await client.query('vacuum (skip_locked) idempotency_keys')
  const vacuum = performance.now() - started
  await client.end()
  return [
    { what: '1,000 expired keys deleted', unit: 'ms', value: spread(times).median },
    { what: 'their table vacuumed', unit: 'ms', value: vacuum },
  ]
}
