import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyAudit } from '../../src/modules/audit/verify.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { onceUnlocked, partitionsAhead } from '../harness/audit-owner.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realmId: number
let owner: Client
const actor = { name: 'test' }

beforeAll(async () => {
  world = await ownWorld('moves partitions')
  clinic = await world.business()
  realmId = (await world.service.database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))).live.id
  owner = await world.owner()
})
afterAll(() => world.stop())

/** Where the audit of an order was written. */
async function partitionOf(orderId: string): Promise<string> {
  const { rows } = await owner.query(
    'select tableoid::regclass::text as part from audit_entries where realm_id = $1 and object_id = $2',
    [realmId, orderId],
  )
  expect(rows).toHaveLength(1)
  return rows[0].part
}

async function place(): Promise<string> {
  const { status, body } = await clinic.live.post('/create-order', anOrder())
  expect(status).toBe(201)
  return body.orderId
}

const partitions = async (): Promise<string[]> =>
  (
    await owner.query(
      `select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit_entries'::regclass order by 1`,
    )
  ).rows.map(({ part }) => part)

const intact = async () => {
  const { database } = world.service
  const { rows } = await owner.query('select count(*)::int as entries from audit_entries')
  await expect
    .poll(async () => {
      while (await database.asSystem(actor, sealEntries));
      const { sealed } = await database.asSystem(actor, verifyAudit)
      return sealed
    })
    .toBeGreaterThanOrEqual(rows[0].entries)
  return (await database.asSystem(actor, verifyAudit)).intact
}

const month = (later: number) => {
  const now = world.service.database.now()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + later, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '_')
}

describe('the audit', () => {
  it('has partitions for this month and the next two, and new entries go into that of this month', async () => {
    const before = await place()
    // Two workers may do it at once.
    const { database } = world.service
    await partitionsAhead(database)
    await Promise.all([1, 2, 3].map(() => partitionsAhead(database)))
    expect(await partitions()).toEqual([
      ...[0, 1, 2].map((later) => `audit_entries_${month(later)}`),
      'audit_entries_before',
      'audit_entries_rest',
    ])
    const after = await place()
    expect(await partitionOf(before)).toMatch(/^audit_entries_(before|\d{4}_\d\d)$/)
    expect(await partitionOf(after)).toBe(`audit_entries_${month(0)}`)
    expect(await intact()).toBe(true)
  })

  it('gets its partitions while orders are placed, and no order waits for long or fails', async () => {
    const orders: string[] = []
    let stop = false
    const placing = (async () => {
      while (!stop) orders.push(await place())
    })()
    for (let later = 3; later < 12; later++)
      await onceUnlocked(() =>
        world.service.database.asSystem(actor, (tx) =>
          tx.client.query('select kitlane_add_audit_month($1::date)', [`${month(later).replace('_', '-')}-01`]),
        ),
      )
    stop = true
    await placing
    expect(orders.length).toBeGreaterThan(0)
    for (const order of orders) expect(await partitionOf(order)).toBe(`audit_entries_${month(0)}`)
    expect(await partitions()).toHaveLength(14)
  })

  it('is read by ID in one partition, and the newest first without sorting', async () => {
    const { rows } = await owner.query(`explain (format json) select * from audit_entries where id = 5`)
    expect(JSON.stringify(rows)).toContain('audit_entries_before')
    expect(JSON.stringify(rows)).not.toMatch(/audit_entries_(rest|\d{4})/)
    const list = await owner.query(
      `explain (format json) select * from audit_entries where realm_id = ${realmId} order by id desc limit 10`,
    )
    expect(JSON.stringify(list.rows)).not.toMatch(/"Node Type": "Sort"/)
  })

  it('never makes an order fail for want of a partition', async () => {
    // Far behind all partitions, as after years in which no worker ran.
    await owner.query(`reset role; select setval('audit_entries_id_seq', kitlane_audit_from('2099-01-01'), false)`)
    await owner.query('set role kitlane_system')
    const order = await place()
    expect(await partitionOf(order)).toBe('audit_entries_rest')
    await partitionsAhead(world.service.database)
    expect(await intact()).toBe(true)
  })
})

it('partitions are changed by nobody past the audit, and read by the role for dumps only', async () => {
  for (const part of await partitions()) {
    for (const role of ['kitlane_app', 'kitlane_placement', 'kitlane_reading', 'kitlane_system']) {
      const { rows } = await owner.query('select has_table_privilege($1, $2::regclass, $3) as may', [
        role,
        part,
        role === 'kitlane_system' ? 'insert, update, delete, truncate' : 'select, insert, update, delete',
      ])
      expect([part, role, rows[0].may]).toEqual([part, role, false])
    }
  }
})
