import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modules } from '../../src/modules/index.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { recipients } from '../harness/recipients.ts'
import { timeColumns } from '../harness/time-columns.ts'
import { visitor } from '../harness/visitor.ts'
import { ownWorld, type World } from '../harness/world.ts'

const ADVANCE_MS = 3 * 86_400_000
let world: World
let owner: Client
let sandbox: IsolationFixtures

beforeAll(async () => {
  world = await ownWorld('looks at every row of the database')
  owner = await world.owner()
  const clinic = await world.business()
  sandbox = await createIsolationFixtures(world, clinic, 'sandbox')
  const at = recipients(world)
  const kitId = await at.newKit(clinic, 'sandbox')
  const { email } = await at.register(kitId)
  const posted = await at.newKit(clinic, 'sandbox')
  await at.register(posted)
  await owner.query('update kits set posted_at = now() where id = $1', [posted])
  await clinic.sandbox.post('/reminders', { rules: [{ stage: 'retest', afterDays: 1000 }] })
  await owner.query(
    `insert into reminders (realm_id, kit_id, stage, number, sent_at, to_person, stop_hash)
     select realm_id, id, 'retest', 1, now(), true, '\\x00' from kits where id = $1`,
    [posted],
  )
  const drafted = await at.newKit(clinic, 'sandbox')
  await at.fillIn(visitor(world.service.url), drafted, { email: at.newEmail() })
  await clinic.sandbox.post(`/sandbox/kits/${kitId}/scenario`, { scenario: 'published' })
  const [link = ''] = await at.linksTo(email)
  const { who } = await at.enter(link)
  const { body: page } = await clinic.sandbox.get(`/kits/${kitId}`)
  await who.submit(await who.open(`/r/reports/${page.reportID}/share`), { forWhom: 'Dr. Jones', days: '7' })
  await clinic.sandbox.post(`/webhooks/${sandbox.objects.webhook[0]}/rotate-secret`)
})
afterAll(() => world.stop())

async function columns(): Promise<{ table: string; column: string; ofRealm: boolean }[]> {
  const { rows } = await owner.query(`
    select c.relname as table, a.attname as column, exists (
      select from pg_attribute r where r.attrelid = c.oid and r.attname = 'realm_id' and not r.attisdropped) as "ofRealm"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.atttypid = 'timestamptz'::regtype and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p')
      and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1, 2`)
  return rows
}

/** The times of each column in the sandbox, in milliseconds. */
async function times(): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  for (const { table, column, ofRealm } of await columns()) {
    if (!ofRealm) continue
    const { rows } = await owner.query(
      `select (extract(epoch from ${column}) * 1000)::float8 as ms from ${table} where realm_id = $1 and ${column} is not null`,
      [sandbox.realm.id],
    )
    found.set(
      `${table}.${column}`,
      rows.map(({ ms }) => ms),
    )
  }
  return found
}

describe('every time that the database keeps', () => {
  it('is declared to move with the clock of a sandbox or to stay, with a reason', async () => {
    const kept = (await columns()).map(({ table, column }) => `${table}.${column}`)
    expect(Object.keys(timeColumns).toSorted()).toEqual(kept.toSorted())
    const withoutRealm = (await columns()).filter(({ ofRealm }) => !ofRealm)
    expect(withoutRealm.filter(({ table, column }) => timeColumns[`${table}.${column}`]?.is === 'moves')).toEqual([])
  })

  it('moves, or stays, as it is declared', async () => {
    await owner.query(
      `insert into undelivered_kits (realm_id, kit_id, order_id, live, outcome, state, is_here, since, changed_at, link_hash, link_expires_at)
       select realm_id, id, order_id, live, 'lost', 'needsNewKit', false, now(), now(), '\\x01', now() + interval '30 days'
       from kits where realm_id = $1 limit 1`,
      [sandbox.realm.id],
    )
    await owner.query(
      `insert into held_samples (realm_id, kit_id, order_id, live, state, causes, since, changed_at, discard_at, clock, stability_days,
         ended_by, acknowledged_at)
       select realm_id, id, order_id, live, 'released', '{notRegistered}', now(), now(), now() + interval '9 days', 'receipt', 7,
         'mended', now()
       from kits where realm_id = $1 limit 1`,
      [sandbox.realm.id],
    )
    // Far from now, so that no job acts on them. No delivery is sent: the endpoint of the fixtures is disabled.
    for (const [column, table] of [
      ['failing_since', 'webhook_endpoints'],
      ['due_at', 'critical_results'],
      ['opened_at', 'report_shares'],
      ['due_at', 'plans'],
      ['due_at', 'shop_orders'],
      ['tell_due_at', 'shop_orders'],
      ['old_secret_until', 'shops'],
    ]) {
      await owner.query(`update ${table} set ${column} = now() + interval '10 days' where realm_id = $1`, [
        sandbox.realm.id,
      ])
    }
    const before = await times()
    const advanced = await sandbox.caller.post('/sandbox/clock', { advance: 'P3D' })
    expect(advanced.status, advanced.text).toBe(200)
    const after = await times()
    const wrong: string[] = []
    const unproved: string[] = []
    for (const [name, values] of before) {
      const now = after.get(name) ?? []
      const has = (ms: number) => now.some((one) => Math.abs(one - ms) < 1)
      if (timeColumns[name]?.is === 'moves') {
        if (values.length === 0) unproved.push(name)
        else if (!values.some((ms) => has(ms - ADVANCE_MS))) wrong.push(`${name} stayed`)
      } else if (!values.every(has)) wrong.push(`${name} moved`)
    }
    expect(wrong).toEqual([])
    expect(unproved).toEqual([])
  })
})

// Tables that the fixtures leave empty: each gets a row, by a value that no job writes.
const ROWS = [
  `insert into order_finds (realm_id, term, order_id) values ($1, -1, 'none')`,
  `insert into order_finds_done (realm_id, seq) values ($1, -1) on conflict (realm_id) do update set seq = -1`,
  `insert into order_lines (realm_id, order_id, kit_type, quantity) select realm_id, id, 'none', 1 from orders where realm_id = $1`,
  `insert into payment_notices (realm_id, kind, subject, facts, created_at) values ($1, 'none', 'none', '{}', now())`,
  `insert into receipt_counters (realm_id, kind, year, last) values ($1, 'none', 1, 1)`,
  `insert into idempotency_keys (realm_id, key, fingerprint, created_at) values ($1, 'none', '\\x00', now())`,
]

const rowsByTable = async (tables: readonly string[]) => {
  const found = new Map<string, Set<string>>()
  for (const table of tables) {
    const { rows } = await owner.query(`select md5(t::text) as row from ${table} t where realm_id = $1`, [
      sandbox.realm.id,
    ])
    found.set(table, new Set(rows.map(({ row }) => row)))
  }
  return found
}

/** These tables, and those whose rows are deleted with theirs. */
async function withReferring(tables: readonly string[]): Promise<Set<string>> {
  const { rows } = await owner.query(
    `
    with recursive gone as (
      select unnest($1::text[])::regclass::oid as id
      union select f.conrelid from pg_constraint f join gone g on f.confrelid = g.id and f.contype = 'f' and f.confdeltype = 'c')
    select id::regclass::text as table from gone`,
    [tables],
  )
  return new Set(rows.map(({ table }) => table))
}

describe('a reset of a sandbox', () => {
  it('removes the rows of every table that does not say why they stay', async () => {
    const { rows } = await owner.query(`
      select c.relname as table from pg_class c join pg_attribute a on a.attrelid = c.oid
      where a.attname = 'realm_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace = 'public'::regnamespace`)
    const tables: string[] = rows.map(({ table }) => table)
    const declared = modules.flatMap(({ tables = {} }) =>
      Object.entries(tables).flatMap(([name, { staysInReset }]) => (staysInReset === undefined ? [] : [name])),
    )
    expect(
      declared.filter((name) => !tables.includes(name)),
      'has no rows of a sandbox',
    ).toEqual([])
    for (const row of ROWS) await owner.query(row, [sandbox.realm.id])
    const before = await rowsByTable(tables)
    const reset = await sandbox.caller.post('/sandbox/reset')
    expect(reset.status, reset.text).toBe(200)
    const after = await rowsByTable(tables)
    const stays = (table: string) => [...(before.get(table) ?? [])].some((row) => after.get(table)?.has(row))
    const gone = await withReferring(tables.filter((table) => before.get(table)?.size && !stays(table)))
    const forgotten = tables.filter((table) => !declared.includes(table) && (stays(table) || !gone.has(table)))
    expect(
      forgotten,
      'rows stay: delete them in `sandbox.reset` of the module, or say in its table why they stay (`staysInReset`). ' +
        'No row was there: make one in the fixtures',
    ).toEqual([])
  })
})
