import { sentence } from '@kitlane/display/sentence'
import { normalizeId } from '@kitlane/display/short-id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { publishReviewedReport } from '../../src/modules/reports/versions/publish.ts'
import { type ReceivedResults, receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { sinceWritten, yearsBefore } from '../harness/days.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const CORE = 'ED1NL4E3L'
const ULTIMATE = 'ULTIMATE_METABOLIC_HORMONE_THYROID_EASY_DRAW'
const lab = { name: 'token:lab' }

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

const recipient = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.com',
  address: { street1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
}
const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.com', dateOfBirth: '1985-03-10', sex: 'F' }

async function newKit(clinic: TestBusiness, kitType = CORE): Promise<string> {
  const { body } = await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType }] })
  const kits = await clinic.live.get(`/kits?orderID=${body.orderId}`)
  return kits.body[0].kitID
}

async function registered(clinic: TestBusiness, person: object = {}, kitType = CORE) {
  const kitId = await newKit(clinic, kitType)
  const { status, body, text } = await clinic.live.post(`/kits/${kitId}/register`, { ...ada, ...person })
  expect(status, text).toBe(200)
  return { kitId, customerId: Number(body.customerId) }
}

async function inLive<T>(clinic: TestBusiness, work: Parameters<typeof world.service.database.inRealm<T>>[2]) {
  const { live } = await world.service.database.asSystem({ name: 'cli' }, (tx) => realmsOf(tx, clinic.id))
  return world.service.database.inRealm(live, lab, work)
}

async function receive(clinic: TestBusiness, input: ReceivedResults): Promise<string> {
  return (await inLive(clinic, (tx) => receiveResults(tx, input))).reportId
}

const auto = (clinic: TestBusiness) => clinic.live.request('PATCH', '/settings', { publishing: 'auto' })

const kitRecord = async (clinic: TestBusiness, kitId: string) => (await clinic.live.get(`/kits?kitID=${kitId}`)).body[0]

const read = (clinic: TestBusiness, customer: number | string, reportId: string, query = '') =>
  clinic.live.get(`/customers/${customer}/reports/${reportId}${query}`)

interface Answer {
  biomarker: { id: string }[]
  unassessed: { biomarker: string }[]
}
const marker = (report: Answer, id: string) => report.biomarker.find((entry) => entry.id === id)
const unassessed = (report: Answer, id: string) => report.unassessed.find(({ biomarker }) => biomarker === id)

const hba1c = (value: number) => ({ biomarkerId: 'hba1c', value, unit: '%' })

describe('publishing', () => {
  test('a report is unseen until it is published, and nobody can tell it from one that does not exist', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { kitId, customerId } = await registered(clinic)
    const reportId = await receive(clinic, { kitId, results: [hba1c(5.2)] })
    expect(await kitRecord(clinic, kitId)).toMatchObject({ status: 'inReview', customerID: customerId })
    const stranger = await world.business({ panels: 'all' })
    const other = await registered(stranger)
    const hidden = await read(clinic, customerId, reportId)
    const published = await receive(stranger, { kitId: other.kitId, results: [hba1c(5.2)] })
    await inLive(stranger, (tx) => publishReviewedReport(tx, published))
    const answers = [
      hidden,
      await read(clinic, customerId, 'R000000000'),
      await read(clinic, customerId, published),
      await read(clinic, other.customerId, published),
      await read(stranger, customerId, published),
      await clinic.sandbox.get(`/customers/${customerId}/reports/${reportId}`),
    ]
    for (const answer of answers) {
      const { requestId: _, ...body } = answer.body
      const { requestId: __, ...expected } = hidden.body
      expect(answer.status).toBe(404)
      expect(body).toEqual(expected)
    }
    expect(hidden.body.code).toBe('REPORT_NOT_FOUND')
  })

  test('publishing shows it in the report and the kit, says so once in the events, and works once', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { kitId, customerId } = await registered(clinic)
    const reportId = await receive(clinic, { kitId, results: [hba1c(5.2)] })
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    expect((await read(clinic, customerId, reportId)).body).toMatchObject({ id: reportId, kitID: kitId })
    expect(await kitRecord(clinic, kitId)).toMatchObject({ status: 'published' })
    const again = inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    await expect(again).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION', extra: { current: 'published' } })
    const unknown = inLive(clinic, (tx) => publishReviewedReport(tx, 'R000000000'))
    await expect(unknown).rejects.toMatchObject({ code: 'REPORT_NOT_FOUND' })
    expect(await eventsOf(kitId, 'report.published')).toMatchObject([
      { reportID: reportId, kitID: kitId, customerID: customerId, publishedDate: expect.any(String), version: 1 },
    ])
  })

  test('two people who publish a report at once publish it once', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { kitId } = await registered(clinic)
    const reportId = await receive(clinic, { kitId, results: [hba1c(5.2)] })
    const tries = await Promise.allSettled(
      [1, 2, 3].map(() => inLive(clinic, (tx) => publishReviewedReport(tx, reportId))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await eventsOf(kitId, 'report.published')).toHaveLength(1)
  })

  test('under auto-publish a report can be read at once', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic, { external_id: 'crm-7' })
    const reportId = await receive(clinic, { kitId, results: [hba1c(5.2)] })
    expect(await kitRecord(clinic, kitId)).toMatchObject({ status: 'published', sampleStatus: 'partiallyResulted' })
    expect((await read(clinic, customerId, reportId.toLowerCase())).status).toBe(200)
    expect((await read(clinic, 'crm-7', normalizeId(reportId))).body.id).toBe(reportId)
    expect(await eventsOf(kitId, 'report.published')).toHaveLength(1)
  })

  async function eventsOf(kitId: string, type: string) {
    const owner = await world.owner()
    const { rows } = await owner.query('select data from events where kit_id = $1 and type = $2', [kitId, type])
    return rows.map((row) => row.data)
  }
})

describe('versions', () => {
  test('results that come later complete the report, and the old version stays readable', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic)
    const first = await receive(clinic, {
      kitId,
      results: [hba1c(5.2)],
      partial: true,
      collectedDate: sinceWritten('2026-01-02'),
    })
    const second = await receive(clinic, {
      kitId,
      results: [{ biomarkerId: 'tsh', value: 2, unit: 'mIU/L' }],
      partial: false,
    })
    expect(second).toBe(first)
    expect(await kitRecord(clinic, kitId)).toMatchObject({ sampleStatus: 'resulted', status: 'published' })
    const newest = (await read(clinic, customerId, first)).body
    expect(newest.details).toMatchObject({ version: 2, latestVersion: 2, vendorStatus: 'final' })
    expect(newest.details).toMatchObject({
      collectedDate: sinceWritten('2026-01-02T00:00:00.000Z'),
      collectedPrecision: 'day',
    })
    expect(marker(newest, 'hba1c')).toMatchObject({ result: 5.2 })
    expect(marker(newest, 'tsh')).toMatchObject({ result: 2 })
    const old = (await read(clinic, customerId, first, '?version=1')).body
    expect(old.details.version).toBe(1)
    expect(marker(old, 'tsh')).toBeUndefined()
    expect((await read(clinic, customerId, first, '?version=3')).status).toBe(404)
    expect((await read(clinic, customerId, first, '?version=0')).status).toBe(400)
  })

  test('a correction of a published report reaches its reader without another review', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { kitId, customerId } = await registered(clinic)
    const results = [
      { biomarkerId: 'glucose', value: 90, unit: 'mg/dL' },
      { biomarkerId: 'insulin', value: 9, unit: 'uIU/mL', fasting: true },
    ]
    const reportId = await receive(clinic, { kitId, results, partial: false })
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    await receive(clinic, {
      kitId,
      results: [{ biomarkerId: 'glucose', value: 180, unit: 'mg/dL' }],
      reason: sentence('mix-up'),
    })
    const { body } = await read(clinic, customerId, reportId)
    expect(body.details).toMatchObject({ version: 2, vendorStatus: 'corrected', reason: 'mix-up' })
    expect(marker(body, 'glucose')).toMatchObject({ result: 180, historic: [{ result: 180 }] })
    expect(marker(body, 'insulin')).toMatchObject({ result: 9 })
    expect(marker(body, 'homa_ir')).toMatchObject({ result: 4 })
    const { body: old } = await read(clinic, customerId, reportId, '?version=1')
    expect(marker(old, 'homa_ir')).toMatchObject({ result: 2, historic: [{ result: 2 }] })
    expect(await kitRecord(clinic, kitId)).toMatchObject({ sampleStatus: 'resulted', status: 'published' })
  })
})

describe('history', () => {
  test("a value's history holds all published reports of the customer, oldest first, and no others", async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const newer = await registered(clinic)
    const older = await registered(clinic, { email: 'ADA@example.com' })
    const other = await registered(clinic, { email: 'grace@example.com' })
    expect(older.customerId).toBe(newer.customerId)
    await receive(clinic, { kitId: other.kitId, results: [hba1c(9)] })
    const first = await receive(clinic, {
      kitId: newer.kitId,
      results: [hba1c(5.4)],
      collectedDate: sinceWritten('2026-06-01'),
    })
    await receive(clinic, { kitId: older.kitId, results: [hba1c(5.9)], collectedDate: sinceWritten('2026-02-01') })
    await clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
    const unseen = await registered(clinic)
    await receive(clinic, { kitId: unseen.kitId, results: [hba1c(7)], collectedDate: sinceWritten('2026-07-01') })
    const { body } = await read(clinic, newer.customerId, first)
    expect(marker(body, 'hba1c')).toMatchObject({
      result: 5.4,
      historic: [
        { result: 5.9, timestamp: sinceWritten('2026-02-01T00:00:00.000Z') },
        { result: 5.4, timestamp: sinceWritten('2026-06-01T00:00:00.000Z') },
      ],
    })
  })

  test('two samples of one day stand in the order in which they were taken, each with its time', async () => {
    const clinic = await world.business()
    await world.service.database.asSystem(lab, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
    await auto(clinic)
    const { body: person } = await clinic.live.post('/customer', { name: 'Ada Byron', email: 'day@example.com' })
    const take = async (time: string, value: number) => {
      const message = [
        `MSH|^~\\&|LAB|L|K|K|20260115210000-0500||ORU^R01|${value}|P|2.5`,
        'PID|1||X||Byron^Ada',
        `OBR|1||F${value}|PANEL|||${time}|||||||||||||||20260115200000-0500`,
        `OBX|1|NM|2345-7^Glucose^LN||${value}|mg/dL|70-99|N|||F`,
      ].join('\r')
      const fileBlob = `data:text/plain;base64,${Buffer.from(message).toString('base64')}`
      const sent = { type: 'file', userId: person.id, date: '2026-01-15', fileBlob }
      const { status, body, text } = await clinic.live.post('/customer/add-data', sent)
      expect(status, text).toBe(201)
      return body.reports[0]
    }
    const late = await take('20260115103000-0500', 95)
    const early = await take('20260115083000-0500', 90)
    expect(early.collectedDate).toBe('2026-01-15T13:30:00.000Z')
    const { body } = await read(clinic, person.id, late.id)
    expect(body.details).toMatchObject({
      ...{ collectedDate: '2026-01-15T15:30:00.000Z', collectedPrecision: 'time' },
      ...{ resultedDate: '2026-01-16T01:00:00.000Z', resultedPrecision: 'time' },
    })
    expect(marker(body, 'glucose')).toMatchObject({
      historic: [
        { result: 90, timestamp: early.collectedDate },
        { result: 95, timestamp: late.collectedDate },
      ],
    })
  })

  test('an axis has its history too', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const scores = []
    for (const [collectedDate, glucose] of [
      [sinceWritten('2026-02-01'), 95],
      [sinceWritten('2026-06-01'), 105],
    ] as const) {
      const { kitId, customerId } = await registered(clinic)
      const results = [
        hba1c(5),
        { biomarkerId: 'glucose', value: glucose, unit: 'mg/dL' },
        { biomarkerId: 'insulin', value: 4, unit: 'uIU/mL', labRange: { low: 2.6, high: 24.9 } },
      ]
      const reportId = await receive(clinic, { kitId, results, collectedDate })
      const { body } = await read(clinic, customerId, reportId)
      scores.push(body.axes.find(({ axis }: { axis: string }) => axis === 'metabolic'))
    }
    const [before, after] = scores
    expect(before.result).toBeGreaterThan(after.result)
    expect(after.historic.map(({ result }: { result: number }) => result)).toEqual([before.result, after.result])
  })
})

describe('a published report', () => {
  test('has the fields of the contract', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic)
    const values = { glucose: 110, hba1c: 5.9, insulin: 6 }
    const ranges = { insulin: { low: 2.6, high: 24.9 } }
    const results = Object.entries(values).map(([biomarkerId, value]) => ({
      biomarkerId,
      value,
      unit: '',
      ...(biomarkerId in ranges && { labRange: ranges.insulin }),
    }))
    for (const result of results) result.unit = { glucose: 'mg/dL', hba1c: '%' }[result.biomarkerId] ?? 'u[IU]/mL'
    const { body } = await read(clinic, customerId, await receive(clinic, { kitId, results }))
    const parts = ['id', 'kitID', 'axes', 'axesNotScored', 'biomarker', 'unassessed', 'suggestions', 'details']
    expect(Object.keys(body)).toEqual(expect.arrayContaining([...parts, 'labParamsError', 'wearable', 'actionsState']))
    const axis = ['axis', 'category', 'result', 'range', 'historic']
    expect(Object.keys(body.axes[0])).toEqual(expect.arrayContaining(axis))
    const fields = [
      ...['id', 'loinc', 'label', 'shortLabel', 'simpleLabel', 'category', 'type', 'result', 'rawResult', 'unit'],
      ...['targetType', 'nonNumerical', 'nonUpperRanged', 'ranges', 'labRange', 'state', 'deviationScore'],
      ...['commonAlternativeUnits', 'conversionEnabled', 'historic', 'rawText', 'rawUnit', 'interpretation'],
      ...['referenceIntervals', 'alternativeUnits'],
    ]
    const entry = body.biomarker.find(({ id }: { id: string }) => id === 'glucose')
    expect(Object.keys(entry)).toEqual(expect.arrayContaining(fields))
    expect(Object.keys(entry.category)).toEqual(expect.arrayContaining(['name', 'weight']))
    expect(Object.keys(entry.ranges)).toEqual(['optimal', 'good', 'fair', 'inRange'])
    const timestamp = expect.stringMatching(/T00:00:00\.000Z$/)
    expect(entry.historic).toEqual([{ result: 110, rawResult: 110, timestamp, kitType: CORE }])
    expect(Object.keys(body.suggestions[0])).toEqual(expect.arrayContaining(['text', 'category', 'biomarkers']))
    expect(body.details).toMatchObject({ resultedDate: timestamp, status: 'published', version: 1 })
    expect(body.labParamsError).toEqual([])
  })

  test('has numbers, lists and texts where clients read such, and the richer forms beside them', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic, {}, ULTIMATE)
    const results = [
      { biomarkerId: 'glucose', value: 6.1, unit: 'mmol/L', rawResult: '6.10', labRange: { low: 3.9, high: 5.5 } },
      { biomarkerId: 'hba1c', value: 5.5, unit: '%' },
      { biomarkerId: 'insulin', value: 6, unit: 'uIU/mL', fasting: true, labRange: { low: 2.6, high: 24.9 } },
      { biomarkerId: 'uric_acid', value: 5, unit: 'mg/dL' },
      { biomarkerId: 'hdl', value: 61, unit: 'mg/dL', labFlag: 'N' },
      { biomarkerId: 'ldl', value: 97, unit: 'mg/dL' },
      { biomarkerId: 'hs_crp', value: 0.3, unit: 'mg/L', comparator: '<' as const, rawResult: '< 0.3' },
      { biomarkerId: 'ferritin', value: 20, unit: 'furlongs', labFlag: 'L', labRange: { low: 15, high: 150 } },
    ]
    const reportId = await receive(clinic, { kitId, results, labErrors: ['DELAYED_SAMPLE_DELIVERY'] })
    const { body } = await read(clinic, customerId, reportId)
    expect(marker(body, 'glucose')).toMatchObject({
      result: 110,
      rawResult: 6.1,
      rawText: '6.10',
      rawUnit: 'mmol/L',
      nonNumerical: false,
      nonUpperRanged: false,
      ranges: { optimal: [70, 90], good: [70, 99], fair: [63, 106], inRange: [70, 99] },
      labRange: '70-99',
      commonAlternativeUnits: ['mmol/L', 'g/L'],
      alternativeUnits: [
        { unit: 'mmol/L', factor: expect.any(Number), offset: 0 },
        { unit: 'g/L', factor: 0.01, offset: 0 },
      ],
      referenceIntervals: expect.arrayContaining([
        {
          band: 'reference',
          low: { value: 70, sign: '>=' },
          high: { value: 99, sign: '<=' },
          basis: 'lab',
          source: expect.any(String),
          appliesTo: expect.any(Object),
          version: expect.any(String),
        },
      ]),
    })
    expect(marker(body, 'hdl')).toMatchObject({
      nonUpperRanged: true,
      ranges: { inRange: [expect.any(Number)] },
      labFlag: 'N',
    })
    expect(marker(body, 'hdl')).toHaveProperty('labRange', '')
    expect(marker(body, 'ldl')).toMatchObject({ nonUpperRanged: false, ranges: { inRange: [0, 99] } })
    expect(marker(body, 'hs_crp')).toMatchObject({ result: 0.3, rawResult: 0.3, rawText: '< 0.3', comparator: '<' })
    expect(marker(body, 'ferritin')).toBeUndefined()
    expect(body.unassessed).toEqual([
      {
        name: 'Ferritin',
        value: '20',
        unit: 'furlongs',
        range: '',
        flag: 'L',
        biomarker: 'ferritin',
        critical: false,
        reason: expect.stringContaining('unit'),
      },
    ])
    expect(body.labParamsError).toEqual(['Delayed Sample Delivery'])
    const metabolic = body.axes.find(({ axis }: { axis: string }) => axis === 'metabolic')
    expect(metabolic).toMatchObject({ result: expect.any(Number), range: expect.stringMatching(/^(good|fair|poor)$/) })
    expect(metabolic.historic).toEqual([{ result: metabolic.result, timestamp: expect.any(String), kitType: ULTIMATE }])
    expect(body.axesNotScored).toContainEqual(
      expect.objectContaining({ axis: 'thyroid', category: 'Thyroid Health', reason: expect.any(String) }),
    )
    for (const { result, ranges } of body.biomarker) {
      expect(typeof result).toBe('number')
      expect(Object.values(ranges).flat().every(Number.isFinite)).toBe(true)
    }
  })
})

describe('judging', () => {
  test('an entry says what came, what it became, what it was judged by and the verdict', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic)
    const results = [
      { biomarkerId: 'glucose', value: 6.1, unit: 'mmol/L', rawResult: '6.10', labRange: { low: 3.9, high: 5.5 } },
    ]
    const { body } = await read(clinic, customerId, await receive(clinic, { kitId, results }))
    expect(body.biomarker).toHaveLength(1)
    expect(body.biomarker[0]).toMatchObject({
      id: 'glucose',
      loinc: expect.any(String),
      category: { name: 'Metabolic Health', weight: 1 },
      type: 'measured',
      result: 110,
      rawText: '6.10',
      unit: 'mg/dL',
      rawUnit: 'mmol/L',
      labRange: '70-99',
      ranges: { inRange: [70, 99] },
      state: 'poor',
      interpretation: 'H',
      deviationScore: 0.75,
      conversionEnabled: true,
    })
    const [{ unit, factor, offset }] = body.biomarker[0].alternativeUnits
    expect(unit).toBe('mmol/L')
    expect(110 * factor + offset).toBeCloseTo(6.106, 3)
    expect(body.suggestions).toEqual([
      {
        text: 'Glucose is outside its reference interval. Discuss this result with a clinician.',
        category: 'Metabolic Health',
        biomarkers: ['glucose'],
      },
    ])
  })

  test('an unknown unit and an impossible value are kept as they came and never judged', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic)
    const results = [
      { biomarkerId: 'ldl', value: 3.1, unit: 'furlongs' },
      { biomarkerId: 'glucose', value: 9000, unit: 'mg/dL' },
    ]
    const reportId = await receive(clinic, { kitId, results })
    // A value that cannot be is seen by a person first.
    expect((await read(clinic, customerId, reportId)).status).toBe(404)
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    const { body } = await read(clinic, customerId, reportId)
    expect(body.biomarker).toEqual([])
    expect(unassessed(body, 'ldl')).toMatchObject({
      value: '3.1',
      unit: 'furlongs',
      reason: expect.stringContaining('unit'),
    })
    expect(unassessed(body, 'glucose')).toMatchObject({ value: '9000', unit: 'mg/dL' })
    expect(body.axes).toEqual([])
  })

  test('hemolysis warns of what it may spoil, hides nothing and waits for a person', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic, {}, ULTIMATE)
    const results = [
      { biomarkerId: 'potassium', value: 5.9, unit: 'mmol/L' },
      { biomarkerId: 'iron', value: 90, unit: 'ug/dL' },
      { biomarkerId: 'sodium', value: 140, unit: 'mmol/L' },
    ]
    const reportId = await receive(clinic, { kitId, results, labErrors: ['HEMOLYSIS', 'QNS'] })
    expect((await read(clinic, customerId, reportId)).status).toBe(404)
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    const { body } = await read(clinic, customerId, reportId)
    expect(body.labParamsError).toEqual(['Hemolysis', 'QNS'])
    expect(marker(body, 'potassium')).toMatchObject({ result: 5.9, note: expect.stringContaining('care') })
    expect(marker(body, 'iron')).toMatchObject({ result: 90, note: expect.stringContaining('care') })
    expect(marker(body, 'sodium')).not.toHaveProperty('note')
  })

  test('a result that nothing judges says why', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const { kitId, customerId } = await registered(clinic, {}, ULTIMATE)
    const results = [
      { biomarkerId: 'estradiol', value: 90, unit: 'pg/mL' },
      { biomarkerId: 'tsh', value: 4, unit: 'mIU/L', comparator: '<' as const },
    ]
    const { body } = await read(clinic, customerId, await receive(clinic, { kitId, results }))
    expect(marker(body, 'estradiol')).toMatchObject({
      state: 'unknown',
      note: expect.stringContaining('differ between makers'),
    })
    expect(marker(body, 'tsh')).toMatchObject({ rawText: '<4', state: 'unknown', note: expect.any(String) })
  })

  test('sex and age at collection decide the ranges', async () => {
    const clinic = await world.business({ panels: 'all' })
    await auto(clinic)
    const ranges = []
    for (const [sex, email] of [
      ['F', 'f@example.com'],
      ['M', 'm@example.com'],
    ]) {
      const dateOfBirth = yearsBefore(41, sinceWritten('2026-03-10'))
      const { kitId, customerId } = await registered(clinic, { sex, email, dateOfBirth })
      const results = [
        { biomarkerId: 'ferritin', value: 20, unit: 'ng/mL' },
        { biomarkerId: 'creatinine', value: 1, unit: 'mg/dL' },
      ]
      const reportId = await receive(clinic, { kitId, results, collectedDate: sinceWritten('2026-03-09') })
      const { body } = await read(clinic, customerId, reportId)
      ranges.push(marker(body, 'ferritin'))
      // CKD-EPI 2021 at 40, the day before the 41st birthday.
      expect(marker(body, 'egfr')).toMatchObject({ result: sex === 'F' ? 73 : 98 })
    }
    expect(ranges[0]).not.toMatchObject({ ranges: (ranges[1] as unknown as { ranges: object }).ranges })
  })
})

describe('receiving', () => {
  test('a report of eighty markers takes as many statements as one of two', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { body: catalogue } = await clinic.live.get('/biomarkers')
    const all: ReceivedResults['results'] = catalogue.map(
      ({ id, unit, plausible }: { id: string; unit: string; plausible: { min: number } }) => ({
        biomarkerId: id,
        unit,
        value: plausible.min,
      }),
    )
    const counts = []
    const few = all.filter(({ biomarkerId }) => ['glucose', 'ldl'].includes(biomarkerId))
    for (const results of [all.slice(0, 2), few, all]) {
      const { kitId } = await registered(clinic, {}, ULTIMATE)
      let statements = 0
      await inLive(clinic, (tx) => {
        const counted = <A extends unknown[], T>(send: (...args: A) => T) => {
          return (...args: A): T => {
            statements++
            return send(...args)
          }
        }
        const { rows, maybeRow, row, run } = tx
        const counting = { ...tx, run: counted(run), rows: counted(rows) as typeof rows }
        const single = { maybeRow: counted(maybeRow) as typeof maybeRow, row: counted(row) as typeof row }
        return receiveResults({ ...counting, ...single }, { kitId, results })
      })
      counts.push(statements)
    }
    expect(all.length).toBeGreaterThan(80)
    // Many of them are critical, and are told together.
    expect(counts[1]).toBe(counts[2])
    // One of them asks whether the kit's box never arrived, one whether its sample is on hold, one whether it was recalled, one whether an
    // authority wants to be told anything, one whom a provider approved it for, and one notes that an acknowledgement publishes it.
    expect(counts[0]).toBeLessThanOrEqual(22)
    expect(counts[1]).toBeLessThan(29)
  })

  test('results of a kit without a person, of a rejected sample and of no kit are refused', async () => {
    const clinic = await world.business({ panels: 'all' })
    const unregistered = await newKit(clinic)
    const results = [hba1c(5.2)]
    await expect(receive(clinic, { kitId: unregistered, results })).rejects.toMatchObject({
      code: 'ILLEGAL_TRANSITION',
    })
    const { kitId, customerId } = await registered(clinic)
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'sampleRejected', { reason: 'clotted' }))
    await expect(receive(clinic, { kitId, results })).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' })
    await expect(receive(clinic, { kitId: 'K000000000', results })).rejects.toMatchObject({ code: 'KIT_NOT_FOUND' })
    expect((await clinic.live.get(`/customers/${customerId}`)).body.reports).toEqual([])
  })

  test('an unknown biomarker or the same one twice refuses all of it', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { kitId } = await registered(clinic)
    const results = [hba1c(5.2), hba1c(5.3), { biomarkerId: 'phlogiston', value: 1, unit: '%' }]
    await expect(receive(clinic, { kitId, results })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'results.1' }, { path: 'results.2' }],
    })
    expect(await kitRecord(clinic, kitId)).toMatchObject({ status: 'notStarted' })
  })
})
