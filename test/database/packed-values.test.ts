import { sql } from 'kysely'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openData, storedText } from '../../src/modules/events/sealed-queries.ts'
import { rotateDataKeys, sealOldRows } from '../../src/modules/keys/service.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { CORE } from '../harness/orders.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let owner: Client
let clinic: TestBusiness
let receiver: Receiver
let packsAtFirst = false
const received = new Map<string, Set<string>>()
beforeAll(async () => {
  world = await ownWorld('changes what is packed')
  owner = await world.owner()
  packsAtFirst = (await owner.query('select from packing')).rowCount === 1
  // A process of the version before lives: first, so that no job of this one decides otherwise meanwhile.
  await owner.query(`insert into process_beats (id, works, beat_at) values ('before', false, clock_timestamp())`)
  await owner.query('reset role; delete from packing; set role kitlane_system')
  clinic = await world.business()
  receiver = await httpReceiver((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      received.set(id, new Set([...(received.get(id) ?? []), Buffer.concat(pieces).toString()]))
      response.end()
    })
  })
  await forget()
})
afterAll(async () => {
  await receiver.stop()
  await world.stop()
})

const actor = { name: 'test' }
const system = <T>(work: (tx: SystemTx) => Promise<T>) => world.service.database.asSystem(actor, work)
/** What the process knows of keys, and of packing, is read again. */
const forget = () => system(async (tx) => tx.vault.forget())
const pack = () => sealOldRows(world.service.database, actor, new AbortController().signal)

/** Orders a kit in the sandbox, and has its report made. Returns what reads it. */
async function complete(): Promise<{ kitId: string; reads: string[] }> {
  const { sandbox } = clinic
  const succeed = async (path: string, body: object) => {
    const answer = await sandbox.post(path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const recipient = { first_name: 'Ada', last_name: 'Example', email: 'ada@example.test' }
  const address = { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }
  const { orderId } = await succeed('/create-order', {
    recipient: { ...recipient, address },
    paymentMethod: 'credits',
    kit_types: [{ kitType: CORE, quantity: 1 }],
  })
  const [{ kitID: kitId }] = (await sandbox.get(`/kits?orderID=${orderId}`)).body
  await succeed(`/sandbox/kits/${kitId}/advance`, { status: 'kitDelivered' })
  const person = { firstName: 'Ada', lastName: 'Example', email: recipient.email, dateOfBirth: '1985-03-10', sex: 'F' }
  await succeed(`/kits/${kitId}/register`, person)
  await succeed(`/sandbox/kits/${kitId}/advance`, { status: 'reportReady' })
  const { rows } = await owner.query('select id from reports where kit_id = $1', [kitId])
  return { kitId, reads: [`/kits/${kitId}`, `/reports/${rows[0].id}`] }
}

/** How many values of these tables are sealed as they are (1) and packed (2), and how many bytes they have. */
async function forms(ids: readonly string[]) {
  const { rows } = await owner.query<{ form: number; count: number; bytes: number }>(
    `select get_byte(v, 0) as form, count(*)::int, sum(octet_length(v) + coalesce(pg_column_size(data), 0))::int as bytes from (
       select sealed as v, data from events where kit_id = any($1) union all
       select v.sealed, null from report_versions v join reports using (realm_id) where kit_id = any($1) and report_id = id union all
       select v.sealed_summary, null from report_versions v join reports using (realm_id) where kit_id = any($1) and report_id = id) x
     where v is not null group by 1 order by 1`,
    [ids],
  )
  return Object.fromEntries(rows.map(({ form, ...rest }) => [form, rest]))
}

const seen = async (reads: readonly string[]) => {
  await world.settled()
  return Promise.all(
    [...reads, '/events?size=250'].map(async (path) => {
      const { status, body, text } = await clinic.sandbox.get(path)
      expect(status, text).toBe(200)
      return body
    }),
  )
}

/** The bytes that webhooks send as data. */
const texts = () =>
  system(async (tx) => {
    const rows = await tx.rows(sql<{ realmId: number; id: string; data: string }>`
      select realm_id as "realmId", id, ${storedText('e')} as data from events e order by id`)
    return (await openData(tx, rows)).map(({ id, data }) => [id, data])
  })

describe('what events and reports say', () => {
  let before: { kitId: string; reads: string[] }

  it('is not packed while a process lives that cannot read it', async () => {
    before = await complete()
    await pack()
    await forget()
    expect(Object.keys(await forms([before.kitId]))).toEqual(['1'])
  })

  it('is packed once no such process lives, row by row, and reads to the byte as before', async () => {
    const [shown, sent, long] = [await seen(before.reads), await texts(), await forms([before.kitId])]
    await owner.query(`update process_beats set beat_at = beat_at - interval '10 minutes' where id = 'before'`)
    await pack()
    // All processes know it by then.
    await owner.query(`reset role; update packing set since = since - interval '1 minute'; set role kitlane_system`)
    await forget()
    const packed = async () => {
      await pack()
      return Object.keys(await forms([before.kitId]))
    }
    await expect.poll(packed).toEqual(['2'])
    const short = await forms([before.kitId])
    expect(short[2]?.count).toBe(long[1]?.count)
    expect(short[2]?.bytes).toBeLessThan((long[1]?.bytes ?? 0) / 4)
    expect(await texts()).toEqual(sent)
    expect(await seen(before.reads)).toEqual(shown)
  })

  it('is written packed from then on, also by a process that begins later, and sent in webhooks as in the feed', async () => {
    await clinic.sandbox.post('/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` })
    const after = await complete()
    expect(Object.keys(await forms([after.kitId]))).toEqual(['2'])
    await world.settled()
    const { data } = (await clinic.sandbox.get('/events?size=250&type=kit.updated')).body
    const own = data.filter((event: { data: { kitID: string } }) => event.data.kitID === after.kitId)
    await expect.poll(() => own.every(({ id }: { id: string }) => received.has(id))).toBe(true)
    for (const { id, type, timestamp, data } of own) {
      expect([...(received.get(id) ?? [])].map((body) => JSON.parse(body))).toEqual([{ type, timestamp, data }])
    }
  })

  it('stays packed when the keys of all realms are replaced', async () => {
    const shown = await seen(before.reads)
    const store = world.service.portsOf('live').fileStore
    await rotateDataKeys(world.service.database, actor, { knownAfterMs: 0, store })
    expect(Object.keys(await forms([before.kitId]))).toEqual(['2'])
    expect(await seen(before.reads)).toEqual(shown)
  })
})

it('a process says that it reads packed values, and a new installation packs from the first order on', async () => {
  const { rows } = await owner.query(`select bool_and(reads_packed) as all from process_beats where id <> 'before'`)
  expect(rows[0].all).toBe(true)
  expect(packsAtFirst).toBe(true)
})
