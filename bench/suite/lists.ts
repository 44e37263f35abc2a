import { Client, Pool } from 'pg'
import { CARDIO } from '../../test/harness/orders.ts'
import { Multiplier } from '../growth/multiply.ts'
import { KINDS, makeTemplates } from '../growth/templates.ts'
import { vaultWith } from '../reports/keys.ts'
import type { Environment } from './environment.ts'
import type { Pace } from './placement.ts'
import { spread } from './spread.ts'

const SIZE = 50
const SLICES = 100

const yearAgo = new Date(Date.now() - 365 * 86_400_000).toISOString()

/** The lists and the filters that are measured on each. */
const lists: { path: string; filters: string[] }[] = [
  {
    path: '/orders',
    filters: [
      '',
      'status=canceled',
      'kitStatus=preparing',
      'sampleStatus=received',
      `sku=${CARDIO}`,
      `orderDateEnd=${yearAgo}`,
      `registrationDateStart=${yearAgo}`,
      'registeredTo=person7@example.test',
      'externalID=person77-order',
      'status=created&kitStatus=inTransit',
    ],
  },
  {
    path: '/kits',
    filters: ['', 'kitStatus=delivered', 'sampleStatus=received', 'kitStatus=registered&sampleStatus=received'],
  },
  { path: '/customers', filters: [''] },
  { path: '/credits/transactions', filters: [''] },
]

export interface ListResult {
  orders: number
  smallOrders: number
  businesses: number
  pages: {
    list: string
    filter: string
    page: string
    smallMs: number
    bigMs: number
    ratio: number
    total: number
    firstMs?: number
  }[]
  worst: { list: string; filter: string; page: string; ratio: number }
}

/** Measures list pages of a business with very many orders against one with 10,000, on the same service. */
export async function measureLists(
  environment: Environment,
  { orders, businesses, samples, say }: { orders: number; businesses: number; samples: number } & Pick<Pace, 'say'>,
): Promise<ListResult> {
  const smallOrders = 10_000
  const made = await environment.database('bench_lists', 2)
  const [big, small] = made.businesses
  if (!big || !small) throw new Error('the bench has no businesses')
  const admin = new Client({ connectionString: made.superUrl })
  await admin.connect()
  const service = await environment.service(made.urls)
  const pool = new Pool({ connectionString: made.superUrl, max: 1 })
  const vault = vaultWith(pool, environment.encryptionKey.toString('base64'))
  const { encryptionKey } = environment
  const templates = await makeTemplates(KINDS, { urls: made.urls, port: service.port, admin, encryptionKey })
  const multiplier = await Multiplier.open(admin, vault, templates)
  const started = performance.now()
  await multiplier.withoutIndexes(async () => {
    await fill(multiplier, big.realmId, orders)
    await fill(multiplier, small.realmId, smallOrders)
  })
  say(`  made ${orders.toLocaleString('en')} orders in ${Math.round((performance.now() - started) / 1000)} s`)
  await vault.close()
  await others(admin, businesses - 2)
  await admin.query('vacuum analyze')
  await admin.end()
  const get = async (token: string, path: string) => {
    const started = performance.now()
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
      headers: { authorization: `Token ${token}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return { ms: performance.now() - started, text, total: answer.headers.get('x-total-count') }
  }
  const totalOf = ({ text, total }: { text: string; total: string | null }): number =>
    total === null ? JSON.parse(text).pagination.total : Number(total)

  const pages: ListResult['pages'] = []
  for (const { path, filters } of lists) {
    for (const filter of filters) {
      const at = (page: number) => `${path}?${filter}${filter && '&'}page=${page}&size=${SIZE}`
      const first = await get(big.token, at(0))
      const totals = { big: totalOf(first), small: totalOf(await get(small.token, at(0))) }
      const lastPage = (total: number) => Math.max(0, Math.ceil(total / SIZE) - 1)
      const places: [string, (total: number) => number][] = [
        ['first', () => 0],
        ['middle', (total) => Math.floor(lastPage(total) / 2)],
        ['last', lastPage],
      ]
      for (const [name, place] of places) {
        const times = { big: [] as number[], small: [] as number[] }
        for (let n = -2; n < samples; n++) {
          const one = await get(small.token, at(place(totals.small)))
          const other = await get(big.token, at(place(totals.big)))
          if (n < 0) continue
          times.small.push(one.ms)
          times.big.push(other.ms)
        }
        const [smallMs, bigMs] = [spread(times.small).median, spread(times.big).median]
        const counted = { total: totals.big, ...(name === 'first' && { firstMs: first.ms }) }
        pages.push({ list: path, filter, page: name, smallMs, bigMs, ratio: bigMs / smallMs, ...counted })
        say(
          `  ${path}?${filter} ${name} page of ${totals.big}: ${bigMs.toFixed(1)} ms, of ${totals.small}: ${smallMs.toFixed(1)} ms`,
        )
      }
    }
  }
  await service.stop()
  const worst = pages.toSorted((a, b) => b.ratio - a.ratio)[0]
  if (!worst) throw new Error('no page was measured')
  const { list, filter, page, ratio } = worst
  return { orders, smallOrders, businesses, pages, worst: { list, filter, page, ratio } }
}

/** In slices, so that orders of all kinds stand between each other. */
async function fill(multiplier: Multiplier, realmId: number, orders: number): Promise<void> {
  const of = Math.round(orders / KINDS.length)
  const slice = Math.ceil(of / SLICES)
  for (let after = 0; after < of; after += slice)
    for (const kind of KINDS) await multiplier.copy(kind, realmId, Math.min(slice, of - after), { after, of })
}

/** Adds other businesses with a few rows each. */
async function others(admin: Client, count: number): Promise<void> {
  await admin.query(`
    set session_replication_role = replica;
    insert into businesses (id, name, created_at) select 'biz_bench' || n, 'Other ' || n, now() from generate_series(1, ${count}) n;
    insert into realms (business_id, mode) select id, 'live' from businesses where id like 'biz_bench%';
    insert into realm_counters (realm_id, orders) select id, 10 from realms where business_id like 'biz_bench%';
    insert into orders (realm_id, id, seq, status, sku, quantity, email, notify, payment_method, payment_status, created_at)
      select r.id, 'O' || n, n, 'created', 'ED1NL4E3L', 1, 'person', false, 'credits', 'paid', now()
      from realms r, generate_series(1, 10) n where r.business_id like 'biz_bench%'`)
}
