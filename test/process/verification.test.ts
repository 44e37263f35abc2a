import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyAuditInBatches } from '../../src/modules/audit/verify.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { verifyLedgerInBatches } from '../../src/modules/credits/verify.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { spawnKitlane } from '../harness/kitlane.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realmId: number
let owner: Client
let cli: CommandLine
const actor = { name: 'test' }
// Any number that nothing else takes a lock by.
const HOLD = 20_301_231

beforeAll(async () => {
  world = await ownWorld('breaks the ledger')
  clinic = await world.business({ credits: 100, panels: [CORE] })
  realmId = (await world.service.database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))).live.id
  owner = await world.owner()
  cli = await commandLine(world.urls.owner)
  await writeEntries(40_000)
  await writeTransfers(45_000)
  await owner.query(`reset role;
    create function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${HOLD}); return new; end $$;
    alter table audit_entries no force row level security; alter table credit_transfers no force row level security`)
})
afterAll(async () => {
  await cli.close()
  await world.stop()
})

// One long transaction would hold up the feeds and seals of all databases of the server, and so other tests.
const AT_ONCE = 1000

async function inParts(count: number, write: (part: number) => Promise<unknown>): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) await write(Math.min(left, AT_ONCE))
}

const writeEntries = (count: number) =>
  inParts(count, (part) =>
    owner.query(
      `insert into audit_entries (realm_id, at, actor, action, object_type, object_id)
       select $1, now(), 'test', 'verification.written', 'test', n::text from generate_series(1, $2::int) n`,
      [realmId, part],
    ),
  )

const writeTransfers = (count: number) =>
  inParts(count, (part) =>
    owner.query(
      `with written as (
         insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, actor, at)
         select $1, c.transfers + n, $3, 'grant', 'issued', 'available', 1, b.available + n, 'test', now()
         from realm_counters c, credit_balances b, generate_series(1, $2::int) n where c.realm_id = $1 and b.realm_id = $1),
       counted as (update realm_counters set transfers = transfers + $2 where realm_id = $1)
       update credit_balances set available = available + $2 where realm_id = $1 and kit_type = $3`,
      [realmId, part, CORE],
    ),
  )

/** Runs a command until it has kept some batches of a pass, and kills it there. */
async function killed(command: 'verify-audit' | 'verify-ledger'): Promise<void> {
  const name = command.slice('verify-'.length)
  const read = async () =>
    (
      await owner.query<{ batch: string; ended_at: Date | null }>(
        'select batch, ended_at from verifications where name = $1',
        [name],
      )
    ).rows[0]
  const holder = await world.owner()
  await holder.query(`reset role; select pg_advisory_lock(${HOLD})`)
  // It begins a pass, keeps one batch, and waits with the next one.
  await owner.query(`create trigger hold before update on verifications for each row
    when (new.name = '${name}' and new.batch > ${Number((await read())?.batch ?? 0) + 2}) execute function hold()`)
  const running = spawnKitlane([command], { DATABASE_URL: world.urls.owner }, cli.folder)
  try {
    const waits = `select from pg_locks where locktype = 'advisory' and objid = ${HOLD} and not granted`
    await expect.poll(async () => (await owner.query(waits)).rowCount).toBe(1)
  } finally {
    running.child.kill('SIGKILL')
    await running.ended
    await holder.query(`select pg_advisory_unlock(${HOLD})`)
    await owner.query('drop trigger hold on verifications')
  }
  expect(await read()).toMatchObject({ ended_at: null })
}

/** Its answer; on a busy machine it may tell how far it is. */
async function answer(...command: string[]) {
  const { code, stdout } = await cli.run(...command, '--json')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

/**
 * Seals all entries. A seal covers what no transaction of the server can still precede, in whatever database it is: on a
 * server that others use, the newest entries wait for those.
 */
const sealed = () =>
  expect
    .poll(async () => {
      while (await world.service.database.asSystem(actor, sealEntries));
      const open = 'select from audit_entries e, audit_sealing s where (e.xact, e.id) > (s.xact, s.id) limit 1'
      return (await owner.query(open)).rowCount
    })
    .toBe(0)

/** Stops a whole pass after its first batch. */
async function interrupted(verify: typeof verifyAuditInBatches | typeof verifyLedgerInBatches): Promise<void> {
  const stop = new AbortController()
  const options = { which: 'whole' as const, signal: stop.signal, show: () => stop.abort() }
  expect(await verify(world.service.database, actor, options)).toMatchObject({ isOver: false })
}

/** Changes a row past the program, looks, and puts it back. */
async function changed<T>(change: string, back: string, look: () => Promise<T>): Promise<T> {
  expect((await owner.query(change)).rowCount).toBe(1)
  try {
    return await look()
  } finally {
    await owner.query(back)
  }
}

describe('kitlane verify-audit', () => {
  const entry = (which: 'asc' | 'desc') =>
    `where id = (select id from audit_entries where action = 'verification.written' order by id ${which} limit 1)`
  const tampered = <T>(which: 'asc' | 'desc', look: () => Promise<T>) =>
    changed(
      `update audit_entries set actor = 'other' ${entry(which)}`,
      `update audit_entries set actor = 'test' ${entry(which)}`,
      look,
    )

  it('goes on where it was killed, and then reads what is new as well', async () => {
    await killed('verify-audit')
    await writeEntries(10)
    await sealed()
    const outcome = await answer('verify-audit')
    expect(outcome).toMatchObject({ intact: true, continued: expect.any(String) })
    expect(outcome.sealed).toBe(outcome.entries)
    expect(outcome.entries).toBeGreaterThanOrEqual(40_010)
    expect(await answer('verify-audit')).toEqual({
      entries: outcome.entries,
      sealed: outcome.entries,
      intact: true,
      asFarAs: { known: 'seals' },
    })
  })

  it('finds an entry that was changed behind where it was interrupted', async () => {
    await sealed()
    await interrupted(verifyAuditInBatches)
    await tampered('desc', async () => {
      expect(await cli.run('verify-audit')).toMatchObject({ code: 1, stdout: expect.stringContaining('was changed') })
    })
  })

  it('finds one that was changed before that place when it begins from the start', async () => {
    await interrupted(verifyAuditInBatches)
    await tampered('asc', async () => {
      expect(await cli.run('verify-audit')).toMatchObject({ code: 0, stdout: expect.stringContaining('--from-start') })
      expect(await cli.run('verify-audit', '--from-start')).toMatchObject({ code: 1 })
    })
    // What was broken is read as a whole again.
    expect(await answer('verify-audit')).not.toHaveProperty('continued')
  })

  it('finds an entry that was put in among those that it has read, on the next whole pass', async () => {
    await interrupted(verifyAuditInBatches)
    await changed(
      `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, xact)
       values (${realmId}, now(), 'forged', 'nothing.done', 'x', 'x', 1)`,
      `delete from audit_entries where actor = 'forged'`,
      async () => {
        expect(await cli.run('verify-audit', '--from-start')).toMatchObject({
          code: 1,
          stdout: expect.stringContaining('put in'),
        })
      },
    )
  })

  it('at night reads what is new, and all of it when a week is over', async () => {
    const { database } = world.service
    const atNight = (dueAfterMs: number) => verifyAuditInBatches(database, actor, { which: { dueAfterMs } })
    await sealed()
    expect(await verifyAuditInBatches(database, actor, { which: 'whole' })).toMatchObject({ intact: true })
    await writeEntries(20)
    await sealed()
    await tampered('desc', async () => expect(await atNight(3_600_000)).toMatchObject({ intact: false }))
    expect(await atNight(3_600_000)).toMatchObject({ intact: true })
    await tampered('asc', async () => {
      expect(await atNight(3_600_000)).toMatchObject({ intact: true })
      expect(await atNight(0)).toMatchObject({ intact: false, brokenAt: expect.stringContaining('was changed') })
    })
  })
})

describe('kitlane verify-ledger', () => {
  const transfer = (which: 'asc' | 'desc') =>
    `where realm_id = ${realmId} and seq = (select seq from credit_transfers where realm_id = ${realmId} and actor = 'test'
       order by seq ${which} limit 1)`
  const tampered = <T>(which: 'asc' | 'desc', look: () => Promise<T>) =>
    changed(
      `update credit_transfers set amount = amount + 1 ${transfer(which)}`,
      `update credit_transfers set amount = amount - 1 ${transfer(which)}`,
      look,
    )
  const place = async () => {
    const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'credits' }))
    expect(status).toBe(201)
    return body.orderId as string
  }

  it('goes on where it was killed, while orders are placed', async () => {
    await place()
    await killed('verify-ledger')
    const [outcome] = await Promise.all([cli.json('verify-ledger'), place(), place(), place()])
    expect(outcome).toMatchObject({ ok: true, continued: expect.any(String) })
    expect(await answer('verify-ledger')).not.toHaveProperty('continued')
  })

  it('finds a transfer that was changed behind where it was interrupted, and one before it from the start', async () => {
    await interrupted(verifyLedgerInBatches)
    await tampered('desc', async () => expect(await cli.run('verify-ledger')).toMatchObject({ code: 1 }))
    expect(await answer('verify-ledger')).toMatchObject({ ok: true })
    await interrupted(verifyLedgerInBatches)
    await tampered('asc', async () => {
      expect(await cli.run('verify-ledger')).toMatchObject({ code: 0, stdout: expect.stringContaining('--from-start') })
      expect(await cli.run('verify-ledger', '--from-start')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('WRONG'),
      })
    })
    expect(await answer('verify-ledger')).toMatchObject({ ok: true })
  })

  it('at night finds what is wrong with new orders and transfers, and with old ones when a week is over', async () => {
    const { database } = world.service
    const atNight = (dueAfterMs: number) => verifyLedgerInBatches(database, actor, { which: { dueAfterMs } })
    const old = await place()
    expect(await verifyLedgerInBatches(database, actor, { which: 'whole' })).toMatchObject({ ok: true })
    const fresh = await place()
    const wrong = (orderId: string, look: () => Promise<unknown>) =>
      changed(
        `update credit_transfers set amount = amount + 1 where order_id = '${orderId}'`,
        `update credit_transfers set amount = amount - 1 where order_id = '${orderId}'`,
        look,
      )
    await wrong(fresh, async () =>
      expect(await atNight(3_600_000)).toMatchObject({
        ok: false,
        orders: [{ orderId: fresh, taken: 2, expected: 1 }],
      }),
    )
    expect(await atNight(3_600_000)).toMatchObject({ ok: true })
    await wrong(old, async () => {
      expect(await atNight(3_600_000)).toMatchObject({ ok: true })
      expect(await atNight(0)).toMatchObject({ ok: false, orders: [{ orderId: old }] })
    })
  })
})
