import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import {
  FIRST_RELEASE_STEP,
  kindOf,
  LAST_STEP_CHECKSUM,
  readMigrations,
} from '../../src/platform/database/migrations.ts'
import { anOrder } from '../harness/orders.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { cloned, ownWorld, type TestBusiness, type World } from '../harness/world.ts'

interface Rule {
  sentence: string
  breaks(sql: string, isInBatches: boolean): boolean
  broken: string
}

/** Tables that a file makes an index of and does not make itself, while it holds their locks. */
function lockedForIndex(sql: string): string[] {
  const made = new Set([...sql.matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)].map(([, table]) => table))
  return [
    ...sql.matchAll(/\bcreate (?:unique )?index (concurrently )?(?:if not exists )?\w+ on (?:only )?(\w+)/gi),
  ].flatMap(([, isConcurrent, table = '']) => (isConcurrent || made.has(table) ? [] : [table]))
}

/** Changes that break the processes of the previous version, or that block all others. */
const rules: Rule[] = [
  {
    sentence: 'nothing is removed or renamed that the version before reads or writes',
    breaks: (sql) => /\b(drop (table|column|function|view|type|schema)|rename (to|column)|truncate)\b/i.test(sql),
    broken: 'alter table kits drop column live;',
  },
  {
    sentence: 'no column changes its type or begins to refuse null',
    breaks: (sql) => /\balter (column )?"?\w+"? (set data )?type\b|\bset not null\b/i.test(sql),
    broken: 'alter table kits alter column note type text;',
  },
  {
    sentence: 'a new column takes null or has a default',
    breaks: (sql) =>
      [...sql.matchAll(/\badd column (?:if not exists )?[^,;]*/gi)].some(
        ([added]) => /\bnot null\b/i.test(added) && !/\b(default|generated)\b/i.test(added),
      ),
    broken: 'alter table kits add column note text not null;',
  },
  {
    sentence: 'a constraint on an existing table begins as "not valid"',
    breaks: (sql) =>
      [...sql.matchAll(/\balter table [^;]*?\badd (constraint|check|foreign key|unique)\b[^;]*/gi)].some(
        ([added]) => !/\bnot valid\b/i.test(added),
      ),
    broken: 'alter table kits add check (seq > 0);',
  },
  {
    sentence: 'existing rows are changed in batches',
    breaks: (sql, isInBatches) => !isInBatches && /^\s*(update|delete from)\b/im.test(sql),
    broken: 'update kits set live = true;',
  },
  {
    // With 2 million rows nobody could write for seconds.
    sentence: 'an index of an existing table is built concurrently, in a separate file',
    breaks: (sql) => lockedForIndex(sql).length > 0,
    broken: 'create index kits_seq on kits (seq);',
  },
]

/** Removes comments, and the bodies of functions, which run later. */
const statements = (sql: string): string => sql.replaceAll(/--.*$/gm, '').replaceAll(/\bas \$(\w*)\$.*?\$\1\$/gs, '')

/** A migration that must break a rule states the reason: `-- Against the rule: <the rule>, because …`. */
const broken = (name: string, sql: string, isInBatches: boolean): string[] =>
  rules
    .filter(
      ({ sentence, breaks }) =>
        breaks(statements(sql), isInBatches) && !sql.includes(`-- Against the rule: ${sentence}, because `),
    )
    .map(({ sentence }) => `${name}: ${sentence}`)

describe('the rules of migrations', () => {
  it('hold for every migration since the first release', async () => {
    const later = (await readMigrations()).filter(({ version }) => version > FIRST_RELEASE_STEP)
    expect(later.flatMap(({ name, sql, inBatches }) => broken(name, sql, inBatches))).toEqual([])
  })

  it('are each broken by what they are about, and are those of docs/migrations.md', async () => {
    const words = await readFile(new URL('../../docs/migrations.md', import.meta.url), 'utf8')
    for (const { sentence, broken: example } of rules) {
      expect(broken('0000', example, false)).toEqual([`0000: ${sentence}`])
      expect(words.toLowerCase()).toContain(sentence.toLowerCase())
    }
  })
})

describe('bringing the schema up to date', () => {
  let url: string
  let owner: Client
  beforeAll(async () => {
    const template = inject('template')
    const name = `${databaseOf(template)}_${randomBase62(6).toLowerCase()}`
    const admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
    await admin.connect()
    await cloned(admin, name, databaseOf(template))
    await admin.end()
    url = withDatabase(template, name).owner
    owner = new Client({ connectionString: url })
    await owner.connect()
  })
  afterAll(() => owner.end())

  const made = (version: number, name: string, sql: string) => ({
    version,
    name,
    sql,
    checksum: name,
    ...kindOf(sql),
  })
  /** With two files that no release has: one locks a table, the other changes its rows. */
  const withTwoMore = async () => [
    ...(await readMigrations()),
    made(9998, '9998_column.sql', 'alter table kits add column if not exists tested integer;'),
    made(9999, '9999_fill.sql', '-- In batches: for a test.\nupdate kits set tested = 1 where tested is null;'),
  ]
  const back = () =>
    owner.query(`alter table kits drop column if exists tested; delete from schema_migrations where version > 9000`)

  /** As a database of before the first release has them. */
  const steps = (newest: number) =>
    owner.query(
      `delete from schema_migrations where version <= ${FIRST_RELEASE_STEP};
       insert into schema_migrations (version, name, checksum)
       select n, 'step', case n when ${FIRST_RELEASE_STEP} then '${LAST_STEP_CHECKSUM}' else 'of a step' end from generate_series(1, ${newest}) n`,
    )

  it('goes on from the last step before the first release, and refuses to from an earlier one, with what to do', async () => {
    const { rows: before } = await owner.query('select * from schema_migrations')
    try {
      await owner.query('delete from schema_migrations')
      await steps(FIRST_RELEASE_STEP - 1)
      await expect(migrate(url)).rejects.toThrow(
        /at schema version 187, from before the first release.*with commit ce162131/,
      )
      await steps(FIRST_RELEASE_STEP)
      const later = (await readMigrations()).filter(({ version }) => version > FIRST_RELEASE_STEP)
      const newer = made(9999, '9999_tested.sql', 'create table tested_more (n int);')
      await owner.query(
        `insert into schema_migrations (version, name, checksum)
         select * from json_to_recordset($1) as m (version integer, name text, checksum text)`,
        [JSON.stringify(later)],
      )
      expect((await migrate(url, { migrations: [...(await readMigrations()), newer] })).applied).toEqual([newer.name])
    } finally {
      await owner.query('drop table if exists tested_more; delete from schema_migrations')
      await owner.query(
        'insert into schema_migrations select * from json_populate_recordset(null::schema_migrations, $1)',
        [JSON.stringify(before)],
      )
    }
  })

  it('waits for a transaction that holds a table, lets others pass meanwhile, and says who it is', async () => {
    await back()
    const migrations = await withTwoMore()
    const holder = new Client({ connectionString: url, application_name: 'a long report' })
    await holder.connect()
    await holder.query('begin; lock table kits in row exclusive mode')
    const messages: string[] = []
    const migrated = migrate(url, { migrations, say: (sentence) => messages.push(sentence) })
    await expect.poll(() => messages.length).toBeGreaterThan(0)
    expect(messages[0]).toMatch(/^Migration 9998_column\.sql waits for a lock.*a long report/)
    // All others queue behind a lock that is waited for: here for at most 2 s.
    await owner
      .query(`set statement_timeout = '5s'; lock table kits in row exclusive mode; reset statement_timeout`)
      .catch((error) => {
        expect(error.message).not.toContain('timeout')
      })
    await holder.query('commit')
    await holder.end()
    expect((await migrated).applied).toEqual(['9998_column.sql', '9999_fill.sql'])
    await back()
  })

  it('gives up with a sentence where a table stays held, and changes nothing', async () => {
    await back()
    const migrations = await withTwoMore()
    const holder = new Client({ connectionString: url, application_name: 'a longer report' })
    await holder.connect()
    await holder.query('begin; lock table kits in row exclusive mode')
    await expect(migrate(url, { migrations, waitMs: 0 })).rejects.toThrow(
      /could not lock a table.*a longer report.*Nothing was changed/,
    )
    await holder.end()
    const { rows } = await owner.query('select max(version) as version from schema_migrations')
    expect(rows[0].version).toBeLessThan(9998)
    expect((await migrate(url, { migrations })).applied.length).toBe(2)
    await back()
  })

  it('builds an index while others write, can be stopped, and goes on where it was', async () => {
    const sql = `-- Concurrently: for a test.\ncreate index concurrently if not exists kits_tested on kits (seq);`
    const migrations = [...(await readMigrations()), made(9999, '9999_tested.sql', sql)]
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; lock table kits in row exclusive mode')
    const stopped = migrate(url, { migrations }).then(
      () => 'done',
      () => 'stopped',
    )
    const building = async () =>
      (
        await owner.query(`select pid from pg_stat_activity
          where datname = current_database() and application_name = 'kitlane-migrate' and query ilike 'create index concurrently%'`)
      ).rows
    await expect.poll(async () => (await building()).length).toBe(1)
    await owner.query(`set statement_timeout = '2s'; update kits set seq = seq where false; reset statement_timeout`)
    for (const { pid } of await building()) await owner.query('select pg_terminate_backend($1)', [pid])
    expect(await stopped).toBe('stopped')
    await holder.query('commit')
    await holder.end()
    const isValid = async () =>
      (await owner.query(`select indisvalid from pg_index where indexrelid = to_regclass('kits_tested')`)).rows[0]
    expect((await isValid())?.indisvalid).not.toBe(true)
    expect((await migrate(url, { migrations })).applied).toEqual(['9999_tested.sql'])
    expect(await isValid()).toEqual({ indisvalid: true })
    await owner.query('drop index kits_tested; delete from schema_migrations where version = 9999')
  })

  it.each([
    ['a file', 'create table tested_more (n int); update tested set n = 20 where n = 2;', '2'],
    [
      'a file in batches',
      '-- In batches: for a test.\nupdate tested set n = n * 10 where n = (select min(n) from tested where n < 10);',
      '2',
    ],
  ])('applies %s that was killed in the middle as if it had not been', async (_, sql, held) => {
    await owner.query(
      'drop table if exists tested, tested_more; create table tested as select n from generate_series(1, 3) n',
    )
    const migrations = [...(await readMigrations()), made(9999, '9999_tested.sql', sql)]
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from tested where n = $1 for update', [held])
    const stopped = migrate(url, { migrations }).then(
      () => 'done',
      () => 'stopped',
    )
    const waiting = async () =>
      (
        await owner.query(`select pid from pg_stat_activity where datname = current_database()
          and application_name = 'kitlane-migrate' and wait_event_type = 'Lock'`)
      ).rows
    await expect.poll(async () => (await waiting()).length).toBe(1)
    for (const { pid } of await waiting()) await owner.query('select pg_terminate_backend($1)', [pid])
    expect(await stopped).toBe('stopped')
    await holder.query('commit')
    await holder.end()
    const numbers = async () => (await owner.query('select n from tested order by n')).rows.map(({ n }) => n)
    const isInBatches = kindOf(sql).inBatches
    expect(await numbers()).toEqual(isInBatches ? [2, 3, 10] : [1, 2, 3])
    expect((await owner.query(`select to_regclass('tested_more') as made`)).rows).toEqual([{ made: null }])
    expect((await migrate(url, { migrations })).applied).toEqual(['9999_tested.sql'])
    expect(await numbers()).toEqual(isInBatches ? [10, 20, 30] : [1, 3, 20])
    await owner.query('drop table if exists tested, tested_more; delete from schema_migrations where version = 9999')
  })

  it('lets one process do it while others wait, and says so', async () => {
    await back()
    await owner.query('begin; select pg_advisory_xact_lock(704553201)')
    const messages: string[] = []
    const migrations = await withTwoMore()
    const both = Promise.all([1, 2].map(() => migrate(url, { migrations, say: (sentence) => messages.push(sentence) })))
    await expect.poll(() => messages.length).toBe(2)
    await owner.query('commit')
    expect((await both).flatMap(({ applied }) => applied).toSorted()).toEqual(['9998_column.sql', '9999_fill.sql'])
    await back()
  })
})

describe('a process of an earlier version on this schema', () => {
  let world: World
  let clinic: TestBusiness
  let owner: Client
  beforeAll(async () => {
    world = await ownWorld('changes the schema')
    clinic = await world.business()
    owner = await world.owner()
  })
  afterAll(() => world.stop())

  /** Writes kits like versions before 0014, which have no `live`. */
  const writeKits = (orderId: string, mode: string, from: number, count: number) =>
    owner.query(
      `insert into kits (realm_id, id, seq, order_id, kit_type, kit_status, sample_status, report_status, progress, created_at, updated_at)
       select o.realm_id, 'K' || n, n, o.id, o.sku, 'preparing', 'awaitingCollection', 'notStarted', '{}', now(), now()
       from orders o join realms r on r.id = o.realm_id, generate_series($3::int, $4::int) n where o.id = $1 and r.mode = $2`,
      [orderId, mode, from, from + count - 1],
    )
  const liveKits = async (from: number, to: number) =>
    (await owner.query(`select count(*)::int as n from kits where live and seq between $1 and $2`, [from, to])).rows[0]
      .n

  it('writes paid kits that the pack queue shows, and none of the sandbox', async () => {
    const live = (await clinic.live.post('/create-order', anOrder())).body.orderId
    const sandbox = (await clinic.sandbox.post('/create-order', anOrder())).body.orderId
    expect((await writeKits(live, 'live', 7_000_000, 3)).rowCount).toBe(3)
    expect((await writeKits(sandbox, 'sandbox', 8_000_000, 3)).rowCount).toBe(3)
    expect([await liveKits(7_000_000, 7_000_002), await liveKits(8_000_000, 8_000_002)]).toEqual([3, 0])
  })
})
