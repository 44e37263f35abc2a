import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'
import { rotateDataKeys } from '../../src/modules/keys/service.ts'
import { replacePageImages } from '../../src/modules/lab/review/queries.ts'
import { sealedPages } from '../../src/modules/lab/review/sealed-queries.ts'
import { sha256 } from '../../src/platform/crypto.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { readBackAll } from '../harness/critical.ts'
import { filesIntoRows } from '../harness/files.ts'
import { dumpOf, holdSealing, sealAll, writeInClear } from '../harness/in-clear.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let owner: Client
let clinic: TestBusiness
let operator: Operator
beforeAll(async () => {
  world = await ownWorld('looks at every sealed row')
  await holdSealing(world.service.database)
  owner = await world.owner()
  operator = await operatorWith(world, ['lab', 'review'])
  clinic = await world.business()
  const settings = { uploadsEnabled: true, publishing: 'auto' } as const
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, settings))
})
afterAll(() => world.stop())

/** What a dump must not hold: a word or a number for each place that holds something of a person. */
const canaries = {
  quiz: 'Zebrafinch at night',
  added: '91.4375',
  addedUnknown: 'Cormorantin',
  judged: '88.8125',
  corrected: '87.5625',
  unassessedName: 'Ibisglobulin',
  unassessedValue: 'Curlew 13.6875',
  note: 'Dunlin was told of it',
  fileName: 'kestrel-of-heron.hl7',
  fileValue: '97.3125',
  filePerson: 'Lapwing',
  fileUnknown: 'Plovertest',
  dismissed: 'It is about Godwit',
  page: 'turnstone on a page',
  messagePerson: 'Sanderling',
  messageValue: '55.0625',
} as const
const traces = Object.values(canaries)
const inside = (dump: string) => traces.filter((trace) => dump.includes(trace))

const hl7 = (name: string, kit: string, results: string[]) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    `PID|1||77||${name}||19410101|F`,
    `OBR|1|${kit}|A1|P^Panel^L|||20260401083000`,
    ...results,
  ].join('\r')
const obx = (name: string, value: string, flag = 'N') => `OBX|1|NM|X^${name}^L||${value}|mg/dL|70-99|${flag}|||F`

async function succeed(path: string, body: object) {
  const { status, body: answer, text } = await clinic.live.post(path, body)
  expect(status, text).toBeLessThan(300)
  return answer
}

const send = async (body: unknown, headers = {}) => {
  const { status, body: answer, text } = await operator('POST', '/lab/results', body, headers)
  expect(status, text).toBe(200)
  return answer.reports[0]
}

interface Journey {
  customerId: number
  kitID: string
  reportID: string
  /** Everything that shows what the tables hold. */
  reads: [who: 'business' | 'operator', path: string][]
}

/** A person with a report of two versions, and a result that was not judged. */
async function reported(): Promise<Omit<Journey, 'reads'>> {
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
  const { orderId } = await succeed('/create-order', anOrder())
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const person = {
    firstName: 'Bo',
    lastName: 'Tester',
    email: `${kitID}@example.test`,
    dateOfBirth: '1980-02-29',
    sex: 'F',
  }
  const { customerId } = await succeed(`/kits/${kitID}/register`, person)
  const unknown = { name: canaries.unassessedName, value: canaries.unassessedValue, unit: 'U' }
  const glucose = { name: 'Glucose', unit: 'mg/dL' }
  const first = { kitID, results: [{ ...glucose, value: Number(canaries.judged) }, unknown] }
  const { reportID } = await send(first)
  await send({ kitID, status: 'corrected', results: [{ ...glucose, value: Number(canaries.corrected) }] })
  return { customerId, kitID, reportID }
}

/** A person of whom every table holds something. */
async function journey(): Promise<Journey> {
  const { customerId, kitID, reportID } = await reported()
  const about = { userId: customerId, date: '2026-01-15' }
  const quizData = [{ question: 'When do you sleep?', answer: canaries.quiz }]
  await succeed('/customer/add-data', { ...about, type: 'quiz', quizName: 'sleep', quizData })
  const biomarkerData = [
    { name: 'glucose', result: Number(canaries.added), unit_of_measure: 'mg/dL' },
    { name: canaries.addedUnknown, result: 3, unit_of_measure: 'mg/dL' },
  ]
  const { reportId: added } = await succeed('/customer/add-data', { ...about, type: 'test', biomarkerData })
  const waiting = await operator('GET', `/unassessed-results?kitID=${kitID}`)
  await operator('POST', `/unassessed-results/${waiting.body.data[0].id}/close`, { note: canaries.note })
  const file = (message: string, more = {}) => {
    const fileBlob = `data:text/plain;base64,${Buffer.from(message).toString('base64')}`
    return succeed('/customer/add-data', { ...about, type: 'file', fileBlob, fileName: canaries.fileName, ...more })
  }
  const other = hl7(`${canaries.filePerson}^Dora`, 'X', [obx('Glucose', canaries.fileValue)])
  await clinic.live.request('PATCH', `/customers/${customerId}`, { dateOfBirth: '1980-02-29' })
  const [open, dismissed] = [await file(other), await file(other)]
  expect([open.needsReview, dismissed.needsReview]).toEqual(['person', 'person'])
  await succeed(`/uploads/${dismissed.docId}/dismiss`, { reason: canaries.dismissed })
  const { live } = await world.service.database.asSystem({ name: 'cli' }, (tx) => realmsOf(tx, clinic.id))
  const { service } = world
  const { files, ...ports } = realmPorts(service.database, service.portsOf, live, { name: 'cli' })
  const page = { number: 1, file: await files.keep(sealedPages, [open.docId, 1], Buffer.from(canaries.page)) }
  await ports.open((tx) => replacePageImages(tx, open.docId, [page]))
  const own = hl7('', 'X', [obx('Glucose', '90'), obx(canaries.fileUnknown, '4')]).replace('19410101', '19800229')
  const job = await file(own, { async: true })
  const jobPath = `/customer/add-data/jobs/${job.jobId}`
  await expect.poll(async () => (await clinic.live.get(jobPath)).body.status).toBe('completed')
  const message = hl7(`${canaries.messagePerson}^Nell`, 'NOBODY', [obx('Glucose', canaries.messageValue, 'HH')])
  expect(await send(message, { 'content-type': 'text/plain' })).toMatchObject({ status: 'waiting' })
  const ofReport = `/customers/${customerId}/reports/${reportID}`
  return {
    customerId,
    kitID,
    reportID,
    reads: [
      ['business', ofReport],
      ['business', `${ofReport}?version=1`],
      ['business', `/customers/${customerId}/reports/${added}`],
      ['business', `/reports/${reportID}`],
      ['business', '/reports'],
      ['business', '/unassessed-results?state=open'],
      ['business', '/unassessed-results?state=closed'],
      ['operator', '/unassessed-results?state=closed'],
      ['business', '/uploads'],
      ['business', '/uploads?state=dismissed'],
      ['operator', '/uploads'],
      ['business', `/uploads/${open.docId}`],
      ['business', `/uploads/${dismissed.docId}`],
      ['business', `/uploads/${open.docId}/file`],
      ['business', `/uploads/${open.docId}/pages/1`],
      ['business', jobPath],
      ['operator', '/lab/messages'],
      ['operator', '/reports'],
    ],
  }
}

const answersOf = ({ reads }: Journey) =>
  Promise.all(
    reads.map(async ([who, path]) => {
      const { status, body, text } = await (who === 'business' ? clinic.live.get(path) : operator('GET', path))
      expect(status, `${path} ${text}`).toBe(200)
      return [path, path.startsWith('/unassessed-results') ? body.data.map(asBefore) : body]
    }),
  )

/** Versions before did not keep how something was sent that they could not judge. */
const asBefore = (one: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(one).filter(([name]) => !keptSince.includes(name)))
const keptSince = ['alsoCalled', 'status', 'specimen', 'section', 'line', 'collectedDate']

/** The export without the time and the entries of the audit, which say that it was read. */
async function exportOf({ customerId }: Journey) {
  const { exportedDate: _, auditEntries: __, ...rest } = (await clinic.live.get(`/customers/${customerId}/export`)).body
  return rest
}

/** Writes all that is sealed as the version before did: the results of a report were rows of their own. */
async function backInClear(): Promise<Record<string, number>> {
  const { database, portsOf } = world.service
  await filesIntoRows(database, portsOf('live').fileStore)
  const written: Record<string, number> = {}
  for (const table of sealedTablesOf(modules)) {
    const { table: name, column = 'sealed' } = table.declaration
    if (!ours.includes(name)) continue
    const rows = await writeInClear(world.service.database, table)
    written[`${name}.${column}`] = rows.length
    if (name === 'report_versions') for (const row of rows) await writeResults(row)
  }
  await owner.query('update reports set is_critical = null')
  return written
}

const writeResults = ({ realmId, key, value }: Awaited<ReturnType<typeof writeInClear>>[number]) =>
  owner.query(
    `insert into report_results (realm_id, report_id, version, biomarker_id, position, value, judged)
     select $1, $2, $3, e.judged->>'id', e.position, (e.judged->>'result')::float8, e.judged
     from jsonb_array_elements($4::jsonb) with ordinality as e(judged, position)`,
    [realmId, ...key, JSON.stringify(value.entries)],
  )

const ours = [
  ...['report_versions', 'unassessed_results', 'customer_data', 'documents', 'file_jobs', 'upload_reviews'],
  ...['upload_pages', 'lab_messages'],
]

/** Messages that ended are empty: there is nothing of them to seal. */
async function closeMessages() {
  for (const { id } of (await operator('GET', '/lab/messages')).body) {
    expect((await operator('POST', `/lab/messages/${id}/discard`)).status).toBe(200)
  }
}

/** A row of the version before does not say where its results come from. */
const withoutOrigin = (answers: unknown): unknown =>
  JSON.parse(JSON.stringify(answers, (key, value) => (key === 'origin' || key === 'laboratory' ? undefined : value)))

describe('what laboratories and businesses send about people', () => {
  it('is not in the database in clear, and a row of the version before reads the same until the job seals it', async () => {
    const person = await journey()
    const [answers, exported] = [await answersOf(person), await exportOf(person)]
    for (const trace of traces) expect(JSON.stringify([answers, exported]), trace).toContain(trace)
    expect(inside(await dumpOf(world.service.database))).toEqual([])
    expect((await owner.query('select 1 from report_results')).rows).toEqual([])

    const written = await backInClear()
    for (const [name, rows] of Object.entries(written)) expect(rows, name).toBeGreaterThan(0)
    expect(inside(await dumpOf(world.service.database))).toEqual(traces)
    expect(withoutOrigin([await answersOf(person), await exportOf(person)])).toEqual(withoutOrigin([answers, exported]))

    expect(Object.values(await sealAll(world.service.database)).filter((left) => left > 0)).toEqual([])
    await holdSealing(world.service.database)
    expect(inside(await dumpOf(world.service.database))).toEqual([])
    expect((await owner.query('select 1 from report_results')).rows).toEqual([])
    expect(withoutOrigin([await answersOf(person), await exportOf(person)])).toEqual(withoutOrigin([answers, exported]))

    await closeMessages()
    const actor = { name: 'test' }
    const store = world.service.portsOf('live').fileStore
    const { destroyed } = await rotateDataKeys(world.service.database, actor, { knownAfterMs: 0, store })
    expect(destroyed).toBeGreaterThan(0)
    const [rotated] = [await answersOf(person)]
    const others = (all: typeof answers) => withoutOrigin(all.filter(([path]) => path !== '/lab/messages'))
    expect(others(rotated)).toEqual(others(answers))
  })

  it('of the version before is found by its name, its flag and its date of birth', async () => {
    const { kitID } = await reported()
    const unknown = { kitID, results: [{ name: 'Ruffprotein', value: 'Detected', unit: '', flag: 'A' }] }
    await send(unknown)
    const waiting = async () => (await operator('GET', `/unassessed-results?kitID=${kitID}`)).body.data
    const [before] = await waiting()
    await backInClear()
    await send({ ...unknown, messageID: 'another' })
    const now = await waiting()
    expect(now.map(({ name }: { name: string }) => name)).toEqual(['Ruffprotein', canaries.unassessedName])
    expect(now[0].id).not.toBe(before.id)

    const born = { dateOfBirth: '1933-03-03' }
    const nurse = await clinic.live.post('/customer', { email: 'nell@example.test', name: 'Nell Phalarope', ...born })
    const message = hl7('Phalarope^Nell', 'NOWHERE', [obx('Glucose', '91')]).replace('19410101', '19330303')
    const { messageID } = await send(message, { 'content-type': 'text/plain' })
    expect((await send(message, { 'content-type': 'text/plain' })).messageID).toBe(messageID)
    await backInClear()
    const print = sha256(`0\n${message}`)
    await owner.query('update lab_messages set fingerprint = $2 where id = $1', [messageID, print])
    expect((await send(message, { 'content-type': 'text/plain' })).messageID).toBe(messageID)
    const urgent = (await operator('GET', '/lab/messages')).body
    expect(urgent.map(({ critical }: { critical: number }) => critical)).toEqual(
      urgent.map(({ critical }: { critical: number }) => critical).toSorted((a: number, b: number) => b - a),
    )
    await clinic.live.request('DELETE', `/customers/${nurse.body.id}`)
    const { rows } = await owner.query('select status, parsed from lab_messages where id = $1', [messageID])
    expect(rows).toEqual([{ status: 'discarded', parsed: {} }])
  })

  it('with a critical result comes first in review, also when the job has sealed it', async () => {
    const reviewed = await world.business()
    const reports: string[] = []
    for (const value of [90, 700]) {
      const { orderId } = (await reviewed.live.post('/create-order', anOrder())).body
      const { kitID } = (await reviewed.live.get(`/orders/${orderId}`)).body.kits[0]
      const who = {
        firstName: 'Jo',
        lastName: 'Tester',
        email: `${kitID}@example.test`,
        dateOfBirth: '1980-02-29',
        sex: 'F',
      }
      await reviewed.live.post(`/kits/${kitID}/register`, who)
      const flag = value > 400 ? { flag: 'HH' } : {}
      reports.push((await send({ kitID, results: [{ name: 'Glucose', unit: 'mg/dL', value, ...flag }] })).reportID)
    }
    const inReview = async () => {
      const listed = (await operator('GET', '/reports?size=250')).body as { reportID: string; critical: number }[]
      return listed
        .filter(({ reportID }) => reports.includes(reportID))
        .map(({ reportID, critical }) => [reportID, critical])
    }
    const [usual, critical] = reports
    const expected = [
      [critical, 1],
      [usual, 0],
    ]
    expect(await inReview()).toEqual(expected)
    await backInClear()
    expect(await inReview()).toEqual(expected)
    await sealAll(world.service.database)
    await holdSealing(world.service.database)
    expect(await inReview()).toEqual(expected)
    const notified = { person: 'the person', at: '2026-11-20' }
    await readBackAll(operator, critical ?? '')
    await operator('POST', `/reports/${critical}/publish`, { notified })
    const { rows } = await owner.query('select is_critical from reports where id = $1', [critical])
    expect(rows).toEqual([{ is_critical: null }])
  })
})

describe('a process of the version before', () => {
  it('writes no version of a report whose results it cannot read, and nothing in clear into a sealed row', async () => {
    const { reportID } = await reported()
    const version = (number: number) =>
      owner.query(
        `insert into report_versions (realm_id, report_id, version, score_version, axes, suggestions, lab_errors, created_at)
         select realm_id, id, $2, '1', '[]', '[]', '[]', now() from reports where id = $1`,
        [reportID, number],
      )
    await expect(version(3)).rejects.toThrow('too old to read the earlier versions of report')
    await backInClear()
    expect((await version(3)).rowCount).toBe(1)
    await sealAll(world.service.database)
    await holdSealing(world.service.database)
    await expect(owner.query(`update unassessed_results set note = 'x'`)).rejects.toThrow('unassessed_results_sealed')
  })
})

describe('a sealed value', () => {
  it('cannot be put on another row', async () => {
    const [one, other] = [await reported(), await reported()]
    await owner.query(
      `update report_versions v set sealed = o.sealed from report_versions o
       where v.report_id = $1 and o.report_id = $2 and o.version = v.version`,
      [one.reportID, other.reportID],
    )
    const statusOf = async ({ customerId, reportID }: Omit<Journey, 'reads'>) =>
      (await clinic.live.get(`/customers/${customerId}/reports/${reportID}`)).status
    expect([await statusOf(one), await statusOf(other)]).toEqual([500, 200])
  })
})
