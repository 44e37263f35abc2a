import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileStore } from '../../src/domain/file-store.ts'
import { writeNumbersNightly } from '../../src/extensions/nightly-numbers/jobs.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { s3Store } from '../../src/platform/files/s3-store.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { type S3StandIn, startS3 } from '../harness/s3-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const clock = manualClock(new Date('2026-03-02T08:00:00.000Z'))
const log = createLogger({ level: 'silent' })
let world: World
let clinic: TestBusiness
let operator: Operator
let s3: S3StandIn
let store: FileStore

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  clinic = await world.business({ name: 'Harbor Clinic', credits: 5 })
  operator = await operatorWith(world, ['fulfilment'])
  s3 = await startS3()
  store = s3Store({ ...s3.place.s3, loopback: true, egress: createEgress({ allowLoopback: true, log }) })
})
afterAll(async () => {
  await world?.stop()
  await s3?.stop()
})

/** What the worker does each night. */
async function night(): Promise<void> {
  const { database } = world.service
  const context = { database, portsOf: () => ({ numbers: store }), actor: { name: 'job:numbers.write-nightly' }, log }
  await writeNumbersNightly.handler(
    { ...context, run: { signal: new AbortController().signal } } as unknown as JobContext,
    {},
  )
}

const prefix = () => s3.place.s3.prefix
const names = () => [...s3.objects.keys()].map((key) => key.slice(prefix().length)).sort()
const bytesOf = (name: string): Buffer => s3.objects.get(prefix() + name)?.body ?? Buffer.alloc(0)
const rowsOf = (name: string) => {
  const bytes = bytesOf(`${name}.parquet`)
  return parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  })
}
const linesOf = (name: string) =>
  gunzipSync(bytesOf(`${name}.csv.gz`))
    .toString()
    .trim()
    .split('\r\n')

async function ordered(quantity: number): Promise<string[]> {
  const { body } = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity }] }))
  const { kits } = (await clinic.live.get(`/orders/${body.orderId}`)).body
  return kits.map(({ kitID }: { kitID: string }) => kitID)
}

it('each kit is in the file of the day of its last change, as Parquet and as CSV, with nothing of its person', async () => {
  const [first = '', second = ''] = await ordered(2)
  clock.advance(24 * HOUR_MS)
  await clinic.sandbox.post('/create-order', anOrder())
  const shipment = { kitID: first, carrier: 'UPS', outboundTrackingNumber: '1Z999AA10144444444' }
  expect((await operator('POST', '/fulfilment/shipments', shipment)).status).toBe(200)
  clock.advance(24 * HOUR_MS)
  await night()

  const day = (date: string) =>
    ['credits', 'kits'].flatMap((name) => ['csv.gz', 'parquet'].map((end) => `${name}/${date}.${end}`))
  expect(names()).toEqual([...day('2026-03-02'), ...day('2026-03-03')].sort())
  const [before, after] = [await rowsOf('kits/2026-03-02'), await rowsOf('kits/2026-03-03')]
  expect(before.map(({ kitID }) => kitID)).toEqual([second])
  expect(after).toEqual([
    expect.objectContaining({
      kitID: first,
      businessID: clinic.id,
      business: 'Harbor Clinic',
      kitType: CORE,
      kitStatus: 'inTransit',
      outboundCarrier: 'UPS',
      returnCarrier: null,
      orderedDate: new Date('2026-03-02T08:00:00.000Z'),
      shippedDate: new Date('2026-03-03T08:00:00.000Z'),
      deliveredDate: null,
    }),
  ])
  const [head = '', line = '', ...rest] = linesOf('kits/2026-03-03')
  expect(rest).toEqual([])
  expect(head.split(',')).toEqual(Object.keys(after[0] ?? {}))
  expect(line).toContain(`${first},`)
  expect(line).toContain(',2026-03-03T08:00:00.000Z,')
  const words = Object.values<unknown>(anOrder()).filter((value) => typeof value === 'string')
  for (const text of [line, head]) {
    for (const word of words.filter(({ length }) => length > 5)) expect(text).not.toContain(word)
  }
})

it('each transfer of credits is in the file of its day, once', async () => {
  const credits = await rowsOf('credits/2026-03-02')
  const core = credits.filter(({ kitType }) => kitType === CORE)
  expect(core.map(({ kind, amount, availableAfter }) => [kind, amount, availableAfter])).toEqual([
    ['grant', 5, 5],
    ['order', 2, 3],
  ])
  expect(credits.map(({ number }) => number)).toEqual(credits.map((_, index) => index + 1))
  expect(linesOf('credits/2026-03-03')).toHaveLength(1)
  expect(await rowsOf('credits/2026-03-03')).toEqual([])
})

it('a night that was missed is made up for, and no day is written twice', async () => {
  const [kit = ''] = await ordered(1)
  clock.advance(48 * HOUR_MS)
  s3.isDown = true
  await expect(night()).rejects.toThrow(/s3:/)
  s3.isDown = false
  const written = s3.objects.get(`${prefix()}kits/2026-03-02.parquet`)
  await night()
  expect(names().filter((name) => name.startsWith('kits/') && name.endsWith('.parquet'))).toEqual(
    ['02', '03', '04', '05'].map((day) => `kits/2026-03-${day}.parquet`),
  )
  expect((await rowsOf('kits/2026-03-04')).map(({ kitID }) => kitID)).toEqual([kit])
  expect(s3.objects.get(`${prefix()}kits/2026-03-02.parquet`)).toBe(written)
})

it('a file says the types of its columns also on a day without rows', async () => {
  const bytes = bytesOf('kits/2026-03-05.parquet')
  const { schema, num_rows } = parquetMetadata(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
  )
  expect(num_rows).toBe(0n)
  expect(schema.find(({ name }) => name === 'shippedDate')).toMatchObject({
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
  })
  expect(schema.find(({ name }) => name === 'kitID')).toMatchObject({ type: 'BYTE_ARRAY', converted_type: 'UTF8' })
})
