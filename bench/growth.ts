// Makes very many orders by set and measures bytes, intake, lists, search and retention, beside a database of 10,000 orders:
// `npm run bench:growth -- --orders 20000000 --businesses 3000 [--kinds placed=94,twoKits=3,canceled=3] [--only sizes]`.
import { parseArgs } from 'node:util'
import { Client, Pool } from 'pg'
import { type Figure, measure, type Side } from './growth/measure.ts'
import { Multiplier } from './growth/multiply.ts'
import { sayColumns, saySizes } from './growth/sizes.ts'
import { KINDS, type Kind, makeTemplates } from './growth/templates.ts'
import { vaultWith } from './reports/keys.ts'
import { openEnvironment } from './suite/environment.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '200000' },
    businesses: { type: 'string', default: '50' },
    kinds: { type: 'string', default: 'placed=94,twoKits=3,canceled=3' },
    // Indexes that are made again afterwards are smaller than those of orders that arrive one after the other.
    indexes: { type: 'string', default: 'rebuilt' },
    only: { type: 'string' },
  },
})
const SMALL = 10_000
// Of all orders, those of the largest business.
const LARGEST = 0.1
const say = (line: string) => console.log(line)
const started = performance.now()
const since = () => `${Math.round((performance.now() - started) / 1000)} s`

const shares = values.kinds.split(',').map((part) => {
  const [kind, weight] = part.split('=')
  const known = KINDS.find((one) => one === kind)
  if (!known) throw new Error(`--kinds takes ${KINDS.join(', ')}`)
  return { kind: known, weight: Number(weight ?? 1) }
})
const weights = shares.reduce((sum, { weight }) => sum + weight, 0)

const environment = await openEnvironment()
try {
  const big = await made('big', { orders: Number(values.orders), count: Number(values.businesses), largest: LARGEST })
  if (values.only !== 'sizes') {
    const small = await made('small', { orders: SMALL, count: 50, largest: 1 })
    const [ofSmall = [], ofBig = []] = await measure([small, big])
    compare(ofSmall, ofBig)
  }
} finally {
  await environment.stop()
}

/** A database with so many orders, and a service on it. `largest`: the share of the first business. */
async function made(
  name: string,
  { orders, count, largest }: { orders: number; count: number; largest: number },
): Promise<Side> {
  const { urls, superUrl, businesses } = await environment.database(`bench_growth_${name}`, count)
  const { port } = await environment.service(urls)
  const admin = new Client({ connectionString: superUrl })
  // If a statement fails, the server is stopped before this connection is.
  admin.on('error', () => {})
  await admin.connect()
  const templates = await makeTemplates(
    shares.map(({ kind }) => kind),
    { urls, port, admin, encryptionKey: environment.encryptionKey },
  )
  const pool = new Pool({ connectionString: superUrl, max: 1 })
  const vault = vaultWith(pool, environment.encryptionKey.toString('base64'))
  const multiplier = await Multiplier.open(admin, vault, templates)
  say(`${name}: ${multiplier.tables.length} tables have rows of an order: ${multiplier.tables.join(', ')}`)
  const copyAll = async () => {
    for (const [index, { realmId }] of businesses.entries()) {
      const first = count === 1 ? orders : Math.round(orders * largest)
      const wanted = index === 0 ? first : Math.round((orders - first) / (count - 1))
      for (const share of split(wanted)) await multiplier.copy(share.kind, realmId, share.count)
      if (index % 100 === 0) say(`  business ${index + 1} of ${count} after ${since()}`)
    }
    say(`  rows after ${since()}`)
  }
  const isRebuilt = values.indexes === 'rebuilt' && orders > SMALL
  await (isRebuilt ? multiplier.withoutIndexes(copyAll) : copyAll())
  await vault.close()
  say(`  rows and indexes after ${since()}`)
  await admin.query('vacuum analyze')
  // The copies are sealed in other benchmarks.
  await admin.query(
    'update audit_sealing set xact = e.xact, id = e.id from (select xact, id from audit_entries order by xact desc, id desc limit 1) e',
  )
  const total = Number((await admin.query('select sum(orders) from realm_counters')).rows[0].sum)
  say(`${name}: ${total.toLocaleString('en')} orders of ${count} businesses, made and vacuumed after ${since()}`)
  if (name === 'big') {
    const options = { orders: total, tables: multiplier.tables, say }
    await saySizes(admin, options)
    await sayColumns(admin, options)
  }
  await admin.end()
  return { name, port, urls, superUrl, businesses }
}

function split(wanted: number): { kind: Kind; count: number }[] {
  return shares
    .map(({ kind, weight }) => ({ kind, count: Math.round((wanted * weight) / weights) }))
    .filter(({ count }) => count > 0)
}

function compare(small: readonly Figure[], big: readonly Figure[]): void {
  say(
    `| | ${SMALL.toLocaleString('en')} orders | ${Number(values.orders).toLocaleString('en')} orders | ratio |\n|---|---|---|---|`,
  )
  for (const [index, { what, unit, value }] of small.entries()) {
    const other = big[index]?.value ?? Number.NaN
    const show = (number: number) => (unit === '/s' ? `${Math.round(number)}/s` : `${number.toFixed(1)} ms`)
    say(`| ${what} | ${show(value)} | ${show(other)} | ${(other / value).toFixed(2)} |`)
  }
}
