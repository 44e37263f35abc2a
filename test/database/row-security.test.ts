import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIsolationFixtures } from '../harness/isolation-fixtures.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
let owner: Client
/** Those that the program may read. */
let tables: string[]
let unreadable: string[]
/** Two live realms and a sandbox, each with objects of every kind. */
let a: number
let b: number
let sandbox: number

beforeAll(async () => {
  world = await ownWorld('switches row security of tables')
  const [first, second] = [await world.business(), await world.business()]
  a = (await createIsolationFixtures(world, first, 'live')).realm.id
  b = (await createIsolationFixtures(world, second, 'live')).realm.id
  sandbox = (await createIsolationFixtures(world, first, 'sandbox')).realm.id
  owner = await world.owner()
  await owner.query('reset role')
  const all = await protectedTables()
  tables = all.filter(({ readable }) => readable).map(({ name }) => name)
  unreadable = all.filter(({ readable }) => !readable).map(({ name }) => name)
})
afterAll(() => world.stop())

async function protectedTables(): Promise<{ name: string; readable: boolean }[]> {
  const { rows } = await owner.query<{ name: string; readable: boolean }>(`
    select c.relname as name, has_table_privilege('kitlane_app', c.oid, 'select') as readable from pg_class c join pg_attribute t on t.attrelid = c.oid
    where t.attname = 'realm_id' and not t.attisdropped and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
      and not c.relispartition order by 1`)
  return rows
}

// Only an owner makes and drops partitions, and nodes run without the owner's credentials. One writes rows: it deletes lists of
// an archived month. What they may do is checked in them, and in test/database/audit-partitions.test.ts.
const ofTheOwner = [
  'kitlane_add_audit_month',
  'kitlane_assert_archived',
  'kitlane_begin_audit_month',
  'kitlane_delete_audit_lists',
  'kitlane_drop_audit_month',
]

/** What the tables with rows of realms lack. */
async function unprotected(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; enabled: boolean; forced: boolean; policies: number }>(`
    select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      (select count(*)::int from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname
        and p.permissive = 'PERMISSIVE' and p.roles @> '{kitlane_app}' and p.cmd in ('ALL', 'INSERT')
        and p.with_check = '(realm_id = kitlane_realm())' and coalesce(p.qual, p.with_check) = p.with_check) as policies
    from pg_class c join pg_attribute t on t.attrelid = c.oid
    where t.attname = 'realm_id' and not t.attisdropped and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`)
  return rows
    .filter(({ enabled, forced, policies }) => !enabled || !forced || policies !== 1)
    .map(({ name, ...state }) => `${name}: ${JSON.stringify(state)}`)
}

/** Policies that would let the program see rows of any realm. */
async function openPolicies(): Promise<string[]> {
  const { rows } = await owner.query<{ policy: string }>(`
    select tablename || '.' || policyname as policy from pg_policies
    where schemaname = 'public' and permissive = 'PERMISSIVE' and (roles && '{kitlane_app,public}')
      and coalesce(qual, with_check) not in ('(realm_id = kitlane_realm())', '(id = kitlane_realm())')
      and tablename <> 'businesses'`)
  return rows.map(({ policy }) => policy)
}

/** Runs as the program, with or without a realm, and rolls back. */
async function asApp<T>(realm: number | undefined, work: () => Promise<T>): Promise<T> {
  await owner.query('begin; set local role kitlane_app')
  try {
    if (realm !== undefined) await owner.query(`set local kitlane.realm = '${realm}'`)
    return await work()
  } finally {
    await owner.query('rollback')
  }
}

const count = async (table: string, where = 'true') =>
  (await owner.query<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`)).rows[0]?.n

/** The SQLSTATE that a statement fails with, in a realm. */
const failure = (realm: number, statement: string): Promise<string | undefined> =>
  asApp(realm, () =>
    owner.query(statement).then(
      () => undefined,
      (err: { code?: string }) => err.code,
    ),
  )

const PERMISSION_DENIED = '42501'

describe('row-level security', () => {
  it('is on, also for the owner, with a check on what is written, at every table with rows of realms', async () => {
    expect(tables.length).toBeGreaterThan(15)
    // Records of erased people: anyone who serves a business writes them and never reads them.
    expect(unreadable).toEqual(['kept_records'])
    expect(await unprotected()).toEqual([])
    expect(await openPolicies()).toEqual([])
  })

  it('missing at a table is found', async () => {
    await owner.query('begin')
    try {
      await owner.query('create table half_made (realm_id integer not null, x text)')
      expect(await unprotected()).toEqual([expect.stringContaining('half_made')])
      await owner.query("select kitlane_protect('half_made', 'select')")
      expect(await unprotected()).toEqual([])
      await owner.query('create policy open on half_made for select to kitlane_app using (true)')
      expect(await openPolicies()).toEqual(['half_made.open'])
    } finally {
      await owner.query('rollback')
    }
  })

  it('binds the program: its roles are neither superuser nor BYPASSRLS and own nothing', async () => {
    const { rows } = await owner.query(`
      select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        (select count(*)::int from pg_class where relowner = r.oid and relkind in ('r', 'p', 'v', 'm') and relnamespace = 'public'::regnamespace) as owned
      from pg_roles r where rolname in ('kitlane_app', 'kitlane_system') order by 1`)
    const harmless = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, owned: 0 }
    expect(rows).toEqual([
      { rolname: 'kitlane_app', ...harmless },
      { rolname: 'kitlane_system', ...harmless },
    ])
    const role = await world.service.database.inRealm(
      { id: a, businessId: '', mode: 'live' },
      { name: 'system' },
      async (tx) => (await tx.client.query<{ me: string }>('select current_user as me')).rows[0]?.me,
    )
    const { rows: inherits } = await owner.query(
      `select pg_has_role($1, 'kitlane_system', 'usage') as system, (select rolsuper or rolbypassrls from pg_roles where rolname = $1) as unsafe`,
      [role],
    )
    expect(inherits).toEqual([{ system: false, unsafe: false }])
  })

  it('no function runs with the rights of its owner, and no view passes the policies', async () => {
    const { rows } = await owner.query(`
      select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
      union all select relname from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace
        and not coalesce(reloptions @> '{security_invoker=true}', false)`)
    expect(rows.map(({ name }) => name).sort()).toEqual(ofTheOwner)
  })

  it('shows nothing where no realm is set', async () => {
    await asApp(undefined, async () => {
      for (const table of [...tables, 'realms', 'businesses']) expect([table, await count(table)]).toEqual([table, 0])
    })
  })

  it('shows the rows of one realm only', async () => {
    let shown = 0
    for (const realm of [a, b]) {
      await asApp(realm, async () => {
        for (const table of tables) {
          expect([table, await count(table, `realm_id <> ${realm}`)]).toEqual([table, 0])
          shown += (await count(table)) ?? 0
        }
        expect(await count('realms')).toBe(1)
        expect(await count('businesses')).toBe(1)
      })
    }
    expect(shown).toBeGreaterThan(50)
  })

  it('refuses a row with the realm of another', async () => {
    const { rows } = await owner.query<{ table: string }>(
      `
      select c.relname as "table" from pg_class c
      where c.relname = any($1) and has_table_privilege('kitlane_app', c.oid, 'insert')`,
      [tables],
    )
    expect(rows.length).toBeGreaterThan(10)
    for (const { table } of rows) {
      const { rows: columns } = await owner.query<{ name: string; always: boolean }>(
        `select attname as name, attidentity = 'a' or attgenerated <> '' as always from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
        [table],
      )
      const taken = columns.filter(({ always }) => !always).map(({ name }) => `"${name}"`)
      // A row of A moved to B: everything about it is valid except the realm.
      const values = taken.map((name) => (name === '"realm_id"' ? String(b) : name))
      const statement = `insert into ${table} (${taken}) select ${values} from ${table} limit 1`
      if ((await asApp(a, () => count(table))) === 0) continue
      expect([table, await failure(a, statement)]).toEqual([table, PERMISSION_DENIED])
      const moved = await failure(a, `update ${table} set realm_id = ${b}`)
      expect([table, moved]).toEqual([table, PERMISSION_DENIED])
    }
  })

  it('reaches no row of another realm by update or delete', async () => {
    for (const table of ['orders', 'kits', 'customers', 'reports']) {
      await asApp(sandbox, async () => {
        expect((await owner.query(`delete from ${table} where realm_id <> ${sandbox}`)).rowCount).toBe(0)
        expect((await owner.query(`update ${table} set id = id where realm_id <> ${sandbox}`)).rowCount).toBe(0)
      })
    }
  })
})

describe('what the program cannot do', () => {
  it.each(['orders', 'kits', 'customers', 'events'])('delete live %s', async (table) => {
    await asApp(a, async () => {
      expect(await count(table)).toBeGreaterThan(0)
      expect((await owner.query(`delete from ${table}`)).rowCount).toBe(0)
    })
  })

  it.each(['audit_entries', 'credit_transfers'])('change or delete %s, in any mode or role', async (table) => {
    for (const realm of [a, sandbox]) {
      expect(await asApp(realm, () => count(table))).toBeGreaterThan(0)
      expect(await failure(realm, `update ${table} set actor = 'x'`)).toBe(PERMISSION_DENIED)
      expect(await failure(realm, `delete from ${table}`)).toBe(PERMISSION_DENIED)
      expect(await failure(realm, `truncate ${table}`)).toBe(PERMISSION_DENIED)
      expect(await failure(realm, `set local role kitlane_system; delete from ${table}`)).toBe(PERMISSION_DENIED)
    }
  })

  it('read passwords, or raise its own limits', async () => {
    expect(await failure(a, 'select * from users')).toBe(PERMISSION_DENIED)
    expect(await failure(a, 'update realms set rate_limit_per_minute = 1000000')).toBe(PERMISSION_DENIED)
    expect(await failure(a, "update realms set mode = 'sandbox'")).toBe(PERMISSION_DENIED)
    expect(await failure(a, 'alter table orders disable row level security')).toBe(PERMISSION_DENIED)
  })
})
