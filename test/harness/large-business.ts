import { Client, Pool } from 'pg'
import { inject } from 'vitest'
import { Multiplier } from '../../bench/growth/multiply.ts'
import { makeTemplates, type Template } from '../../bench/growth/templates.ts'
import { vaultWith } from '../../bench/reports/keys.ts'
import { countChanges } from '../../src/modules/insights/numbers/service.ts'
import type { Vault } from '../../src/platform/sealing/vault.ts'
import { createIsolationFixtures, type IsolationFixtures } from './isolation-fixtures.ts'
import type { TestBusiness, World } from './world.ts'

// What a business sets up: its orders are more every day, and these are not.
const KEPT = (
  'webhook_endpoints payment_methods shops shop_items plans consent_texts reminder_rules top_ups top_up_terms ' +
  'sso_connections sso_domains support_accesses receipt_counters data_requests'
).split(' ')

// The orders of a copy, which has one of everything else that comes from orders.
const ORDERS_OF_COPY = 23
const BUSINESSES = 50
const FEW = 1000

const superUrlOf = ({ urls }: World): string =>
  Object.assign(new URL(inject('superUrl')), { pathname: new URL(urls.owner).pathname }).href

/** Connects as the superuser, who alone may copy without triggers and have statements explained. */
export async function connectSuper(world: World): Promise<Client> {
  const client = new Client({ connectionString: superUrlOf(world) })
  await client.connect()
  return client
}

/**
 * A business with so many orders among 50, made by set: copies of what the fixtures made, which itself is the newest. The
 * others share `others` orders.
 */
export async function makeLargeBusiness(
  world: World,
  orders: number,
  others = 0,
): Promise<{ fixtures: IsolationFixtures; business: TestBusiness }> {
  const large = await world.business({ name: 'Large', credits: 1000 })
  for (let n = 2; n <= BUSINESSES; n++) await world.business({ name: `Small ${n}` })
  const fixtures = await createIsolationFixtures(world, large, 'live')
  const admin = await connectSuper(world)
  const pool = new Pool({ connectionString: superUrlOf(world), max: 1 })
  // It ends the pool.
  const vault = vaultWith(pool, world.encryptionKey.toString('base64'))
  try {
    const kinds = others > 0 ? await templatesOf(world, admin) : []
    await multiply(admin, vault, fixtures, { copies: Math.ceil(orders / ORDERS_OF_COPY), others, kinds })
    await countAll(world)
    await admin.query('vacuum analyze counted_kits, counted_credits, counted_upto')
  } finally {
    await vault.close()
    await admin.end()
  }
  return { fixtures, business: large }
}

/** The job that counts may be at it, which a statement waits for only some seconds. */
async function countAll({ service: { database } }: World): Promise<void> {
  for (;;) {
    try {
      return await countChanges(database, { name: 'test' }, new AbortController().signal, { isAll: true })
    } catch (err) {
      if (!(err instanceof Error && /lock timeout/.test(err.message))) throw err
    }
  }
}

const templatesOf = ({ urls, service, encryptionKey }: World, admin: Client): Promise<Template[]> =>
  makeTemplates(['delivered', 'placed'], { urls, port: Number(new URL(service.url).port), admin, encryptionKey })

// What is older than ten days is done, as with any business: kits are reported, deliveries delivered, and nothing waits.
const NEW_DAYS = 10
const DAYS = 730
const DONE = [
  `with as_this as (select * from kits where id = $2),
   done as (
     update kits k set kit_status = t.kit_status, sample_status = t.sample_status, report_status = t.report_status, progress = t.progress
     from as_this t where k.realm_id = $1 and k.kit_status = 'preparing' returning 1)
   insert into tallies (realm_id, name, key, amount)
   select $1, 'kit', tally_key(kit_status, sample_status, report_status, progress, replaced_by), (select count(*) from done) from as_this`,
  `update webhook_deliveries set status = 'delivered', due_at = null, finished_at = now() - interval '10 days' where realm_id = $1 and status = 'pending' and $2 <> ''`,
  `update unassessed_results set closed_at = received_at, closed_by = 'lab', outcome = 'dismissed'
   where realm_id = $1 and closed_at is null and $2 <> ''`,
  `update upload_reviews set closed_at = received_at, state = 'dismissed' where realm_id = $1 and closed_at is null and $2 <> ''`,
  `update critical_results set acknowledged_at = raised_at, acknowledged_by = 'lab', due_at = null
   where realm_id = $1 and acknowledged_at is null and $2 <> ''`,
  `update shop_orders set status = 'skipped', due_at = null where realm_id = $1 and status = 'waiting' and $2 <> ''`,
  `delete from personal_links where realm_id = $1 and $2 <> ''`,
  `delete from shop_deliveries where realm_id = $1 and $2 <> ''`,
]

async function multiply(
  admin: Client,
  vault: Vault,
  { realm, canaries, objects }: IsolationFixtures,
  { copies, others, kinds }: { copies: number; others: number; kinds: readonly Template[] },
): Promise<void> {
  const { rows } = await admin.query('select to_jsonb(c) as counters from realm_counters c where realm_id = $1', [
    realm.id,
  ])
  const zeros = Object.fromEntries(Object.keys(rows[0].counters).map((name) => [name, 0]))
  const recent: Template = { kind: 'recent', realmId: realm.id, since: '0', counters: zeros, marks: canaries }
  const before = DONE.map((text) => ({ text, values: [realm.id, objects.kit[0]] }))
  const templates = [recent, { ...recent, kind: 'done', before }, ...kinds]
  const multiplier = await Multiplier.open(admin, vault, templates, {
    preserved: KEPT,
    fixed: ['webhook_deliveries.finished_at'],
  })
  const numbered = await admin.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'seq' and a.attidentity = ''
     where c.relname = any($1)`,
    [multiplier.tables],
  )
  const isNew = (of: number) => Math.ceil((of * NEW_DAYS) / DAYS)
  const copyAll = async () => {
    await multiplier.copy('done', realm.id, copies - isNew(copies), { of: copies })
    await multiplier.copy('recent', realm.id, isNew(copies), { after: copies - isNew(copies), of: copies })
    const small = await admin.query<{ id: number }>(
      `select id from realms where mode = 'live' and id <> $1 and business_id in (select id from businesses where name like 'Small%')`,
      [realm.id],
    )
    const of = Math.ceil(others / small.rows.length)
    for (const { id } of others > 0 ? small.rows : []) {
      await multiplier.copy('delivered', id, of - isNew(of), { of })
      await multiplier.copy('placed', id, isNew(of), { after: of - isNew(of), of })
    }
  }
  // The copies come before the fixtures, whose numbers make room for them.
  for (const { name } of numbered.rows)
    await admin.query(`update ${name} set seq = -seq where realm_id = $1`, [realm.id])
  await (copies < FEW ? copyAll() : multiplier.withoutIndexes(copyAll))
  for (const { name } of numbered.rows)
    await admin.query(
      `update ${name} set seq = m.max - seq from (select max(seq) from ${name} where realm_id = $1) m where realm_id = $1 and seq < 0`,
      [realm.id],
    )
  await admin.query(
    'update credit_balances set available = available * $2, reserved = reserved * $2 where realm_id = $1',
    [realm.id, copies + 1],
  )
  await admin.query(`
    truncate counted_kits, counted_credits, counted_upto;
    update deliveries_tallied set since = '-infinity';
    delete from tallies where name = 'delivery';
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'delivery', endpoint_id, count(*) from webhook_deliveries group by 1, 3;
    update order_finds_done set words_until = 0;
    update audit_readers set xact = e.xact, id = e.id, floor = e.id from (select xact, id from audit_entries order by xact desc, id desc limit 1) e;
    update audit_sealing set xact = e.xact, id = e.id from (select xact, id from audit_entries order by xact desc, id desc limit 1) e`)
  // Nothing changes what the planner knows of the tables while the tests run.
  const { rows: tables } = await admin.query(
    `select oid::regclass as name, current_database() as database from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { name } of tables) await admin.query(`alter table ${name} set (autovacuum_enabled = false)`)
  // A table of some thousand rows is cheap to read whole: with this it chooses as for one four times as large.
  if (copies < FEW) await admin.query(`alter database ${tables[0].database} set random_page_cost = 1.1`)
  await admin.query('vacuum analyze')
}
