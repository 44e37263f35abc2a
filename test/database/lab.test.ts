import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OperatorScope } from '../../src/domain/scopes.ts'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import panelData from '../../src/modules/catalogue/data/panels.json' with { type: 'json' }
import { seed } from '../../src/modules/catalogue/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { within } from '../../src/platform/database/tx.ts'
import { readBackAll } from '../harness/critical.ts'
import { sinceWritten } from '../harness/days.ts'
import { controlId } from '../harness/disorder.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const panels: Record<string, { biomarkers: string[] }> = panelData
let world: World
let lab: Operator
beforeAll(async () => {
  world = await sharedWorld()
  lab = await operator(['lab', 'catalogue'])
})
afterAll(() => world.stop())

type Body = Record<string, unknown> | string | undefined
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
type Answered = { status: number; body: any; text: string }
type Operator = (method: string, path: string, body?: Body, type?: string) => Promise<Answered>

async function operator(scopes: OperatorScope[]): Promise<Operator> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'lab', scopes }),
  )
  return async (method, path, body, type = 'application/json') => {
    const response = await fetch(`${world.service.url}/operator/v1${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...(body !== undefined && { 'content-type': type }) },
      body: typeof body === 'string' ? body : body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, text, body: JSON.parse(text) }
  }
}

const person = { firstName: 'Bo', lastName: 'Tester', email: 'bo@example.test', dateOfBirth: '1980-02-29', sex: 'F' }

async function registeredKit(clinic: TestBusiness, changes = {}): Promise<{ kitID: string; customerId: number }> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const { customerId } = (await clinic.live.post(`/kits/${kitID}/register`, { ...person, ...changes })).body
  return { kitID, customerId }
}

async function customer(clinic: TestBusiness, changes = {}): Promise<number> {
  const body = { email: 'ann@example.test', name: 'Ann Example', dateOfBirth: '1975-05-05', gender: 'F', ...changes }
  return (await clinic.live.post('/customer', body)).body.id
}

const reportOf = (clinic: TestBusiness, userId: number, id: string) =>
  clinic.live.get(`/customers/${userId}/reports/${id}`)

describe('adding data for a customer', () => {
  it('keeps a quiz', async () => {
    const clinic = await world.business()
    const userId = await customer(clinic)
    const quiz = {
      type: 'quiz',
      userId,
      quizName: 'sleep',
      date: '2026-03-01',
      quizData: [{ question: 'Hours?', answer: '7' }],
    }
    const { status, body } = await clinic.live.post('/customer/add-data', quiz)
    expect([status, body]).toEqual([
      201,
      { success: true, message: expect.any(String), dataId: expect.stringMatching(/^data_/) },
    ])
    const exported = (await clinic.live.get(`/customers/${userId}/export`)).text
    expect(exported).toContain('Hours?')
    await clinic.live.request('DELETE', `/customers/${userId}`)
    const owner = await world.owner()
    const { rows } = await owner.query('select 1 from customer_data where id = $1', [body.dataId])
    expect(rows).toEqual([])
  })

  it('makes a report of results, says what fits no biomarker, and converts units', async () => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const userId = await customer(clinic, { external_id: 'crm-ann' })
    const { status, body } = await clinic.live.post('/customer/add-data', {
      type: 'test',
      userId: 'crm-ann',
      date: '2026-03-02',
      biomarkerData: [
        { name: 'LDL Cholesterol', result: 97, unit_of_measure: 'mg/dL', range_minimum: null, range_maximum: 99 },
        { name: 'glucose', result: 5.2, unit_of_measure: 'mmol/L' },
        { name: 'Moon Dust', result: 3, unit_of_measure: 'mg/dL' },
        { name: 'hs-CRP', result: '<0.2', unit_of_measure: 'mg/L' },
        { name: 'hdl', result: 60, unit_of_measure: 'furlongs' },
      ],
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ success: true, matched: 3, unmatched: ['Moon Dust', 'hdl'] })
    expect(body.converted).toEqual([expect.objectContaining({ name: 'glucose', from: 'mmol/L', to: 'mg/dL' })])
    const report = (await reportOf(clinic, userId, body.reportId)).body
    const glucose = report.biomarker.find((entry: { id: string }) => entry.id === 'glucose')
    expect(glucose).toMatchObject({ result: 94, rawResult: 5.2, rawText: '5.2', rawUnit: 'mmol/L', unit: 'mg/dL' })
    expect(report.details).toMatchObject({ collectedDate: '2026-03-02T00:00:00.000Z', status: 'published' })
    expect(report.kitID).toBeUndefined()
  })

  it('keeps results that nothing fits, without a report', async () => {
    const clinic = await world.business()
    const userId = await customer(clinic)
    const biomarkerData = [{ name: 'Moon Dust', result: 3, unit_of_measure: 'mg/dL' }]
    const { status, body } = await clinic.live.post('/customer/add-data', {
      type: 'test',
      userId,
      date: '2026-03-02',
      biomarkerData,
    })
    expect([status, body.matched, body.reportId]).toEqual([201, 0, undefined])
    expect(body.dataId).toMatch(/^data_/)
  })

  it('refuses results and files of a day more than one ahead, or before the birth of the person', async () => {
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
    const userId = await customer(clinic, { dateOfBirth: '1980-02-29' })
    const biomarkerData = [{ name: 'glucose', result: 90, unit_of_measure: 'mg/dL' }]
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const send = async (date: string) => {
      const kinds = [
        { type: 'test', biomarkerData },
        { type: 'file', fileBlob: blob(csv), async: true },
      ]
      const sent = kinds.map((kind) => clinic.live.post('/customer/add-data', { ...kind, userId, date }))
      return (await Promise.all(sent)).map(({ status, body }) => [status, body.details?.[0].path])
    }
    for (const date of [
      inDays(2),
      inDays(2).slice(0, 10),
      inDays(1.1),
      '2199-01-01',
      '1980-02-28',
      '1900-01-01T08:00:00Z',
    ]) {
      expect([date, await send(date)]).toEqual([
        date,
        [
          [400, 'date'],
          [400, 'date'],
        ],
      ])
    }
    for (const date of [inDays(1).slice(0, 10), inDays(0.9), '1980-02-29']) {
      expect([date, await send(date)]).toEqual([
        date,
        [
          [201, undefined],
          [202, undefined],
        ],
      ])
    }
  })

  it('for a customer of another business is not found', async () => {
    const clinic = await world.business()
    const other = await world.business()
    const userId = await customer(clinic)
    const quiz = { type: 'quiz', userId, quizName: 'q', date: '2026-03-01', quizData: [{ question: 'a', answer: 'b' }] }
    expect((await other.live.post('/customer/add-data', quiz)).body.code).toBe('CUSTOMER_NOT_FOUND')
  })
})

const csv = [
  'Test,Result,Units,Reference Range,Collected',
  'LDL Cholesterol,97,mg/dL,0-99,2026-03-05',
  'HbA1c,5.4,%,4.0-5.6,2026-03-05',
  'Zorblax,1,mg/dL,,2026-03-05',
].join('\n')
const blob = (text: string, type = 'text/csv') => `data:${type};base64,${Buffer.from(text).toString('base64')}`

describe('a file', () => {
  async function withUploads(): Promise<TestBusiness> {
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      configure(tx, clinic.id, { uploadsEnabled: true, publishing: 'auto' }),
    )
    return clinic
  }

  it('is refused with 403 where uploads are not enabled', async () => {
    const clinic = await world.business()
    const userId = await customer(clinic)
    const { status, body } = await clinic.live.post('/customer/add-data', {
      type: 'file',
      userId,
      date: '2026-03-05',
      fileBlob: blob(csv),
    })
    expect([status, body.code]).toEqual([403, 'FEATURE_NOT_ENABLED'])
  })

  it('is read at once, whatever it calls itself, and makes a report', async () => {
    const clinic = await withUploads()
    const userId = await customer(clinic)
    const upload = {
      type: 'file',
      userId,
      date: '2026-01-01',
      fileBlob: blob(csv, 'application/pdf'),
      fileName: '../../../etc/passwd',
    }
    const { status, body } = await clinic.live.post('/customer/add-data', upload)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'file',
      userId,
      reports: [{ id: expect.stringMatching(/^R/), collectedDate: '2026-03-05T00:00:00.000Z' }],
      totalBiomarkers: 2,
      unmatched: [{ name: 'Zorblax' }],
    })
    const report = (await reportOf(clinic, userId, body.reports[0].id)).body
    expect(report.details.collectedDate).toBe('2026-03-05T00:00:00.000Z')
  })

  it('about a person with another date of birth is kept for a person to look at, and nothing is taken from it', async () => {
    const clinic = await withUploads()
    const userId = await customer(clinic, { dateOfBirth: '1975-05-05' })
    const send = (birth: string) =>
      clinic.live.post('/customer/add-data', {
        type: 'file',
        userId,
        date: '2026-01-01',
        fileBlob: blob(oru('X', birth)),
      })
    expect((await send('19800229')).body).toMatchObject({ needsReview: 'person', reports: [], totalBiomarkers: 0 })
    expect((await send('19750505')).body).toMatchObject({ reports: [{ id: expect.any(String) }], totalBiomarkers: 1 })
  })

  it('with async is read by a job, whose result is the synchronous answer', async () => {
    const clinic = await withUploads()
    const userId = await customer(clinic)
    const upload = { type: 'file', userId, date: '2026-01-01', fileBlob: blob(csv), async: true }
    const accepted = await clinic.live.post('/customer/add-data', upload)
    expect([accepted.status, accepted.body]).toEqual([
      202,
      { jobId: expect.stringMatching(/^job_/), status: 'pending' },
    ])
    const job = () => clinic.live.get(`/customer/add-data/jobs/${accepted.body.jobId}`)
    await expect.poll(async () => (await job()).body.status).toBe('completed')
    expect((await job()).body.result).toMatchObject({
      type: 'file',
      userId,
      totalBiomarkers: 2,
      reports: [{ id: expect.stringMatching(/^R/), collectedDate: '2026-03-05T00:00:00.000Z' }],
    })
    const other = await world.business()
    expect((await other.live.get(`/customer/add-data/jobs/${accepted.body.jobId}`)).body.code).toBe('JOB_NOT_FOUND')
  })

  it('is fetched by its URL from a host that the operator allows, and from no other', async () => {
    const files = createServer((request, response) => {
      if (request.url === '/hangs-up') return void request.socket.destroy()
      response.writeHead(request.url === '/busy' ? 503 : 200).end(csv)
    })
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(files.address() as AddressInfo).port}`
    const other = await ownWorld('has another setting', { uploadHosts: [host] })
    try {
      const clinic = await other.business()
      await other.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
      const userId = await customer(clinic)
      const send = (s3FileUrl: string, async = false) =>
        clinic.live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-01', s3FileUrl, async })
      expect((await send(`http://${host}/lab.csv`)).body).toMatchObject({ totalBiomarkers: 2 })
      expect((await send(`http://${host}/lab.csv`, true)).status).toBe(202)
      for (const url of [
        'https://example.com/lab.csv',
        'http://127.0.0.1:1/lab.csv',
        'file:///etc/passwd',
        'http://169.254.169.254/',
      ]) {
        const { status, body } = await send(url)
        expect([url, status, body.details?.[0]?.path]).toEqual([url, 400, 's3FileUrl'])
      }
      // The same request is good later: its refusal is not one of its contents.
      for (const path of ['/busy', '/hangs-up']) {
        const { status, body, headers } = await send(`http://${host}${path}`)
        expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'PROVIDER_UNAVAILABLE', '10'])
      }
    } finally {
      await other.stop()
      files.close()
    }
    const none = await withUploads()
    const refused = await none.live.post('/customer/add-data', {
      type: 'file',
      userId: await customer(none),
      date: '2026-01-01',
      s3FileUrl: `http://${host}/`,
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('that cannot be read fails with a reason and leaves nothing behind', async () => {
    const clinic = await withUploads()
    const userId = await customer(clinic)
    const send = (fileBlob: string, more = {}) =>
      clinic.live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-01', fileBlob, ...more })
    const broken = await send(blob('\u0001\u0002not a lab file'))
    expect([broken.status, broken.body.code]).toEqual([422, 'FILE_NOT_READABLE'])
    expect((await send('data:text/csv;base64,!!!!aGk=@@')).status).toBe(400)
    expect((await send('data:text/csv,plain')).status).toBe(400)
    expect((await send(blob(csv), { s3FileUrl: 'https://example.com/x' })).status).toBe(400)
    const accepted = await send(blob('\u0001\u0002not a lab file'), { async: true })
    const job = () => clinic.live.get(`/customer/add-data/jobs/${accepted.body.jobId}`)
    await expect.poll(async () => (await job()).body.status).toBe('failed')
    expect((await job()).body.error).toMatchObject({ code: 'UNSUPPORTED_FORMAT', message: expect.any(String) })
    expect((await clinic.live.get(`/customers/${userId}`)).body.reports).toEqual([])
  })
})

const results = (kitID: string, more = {}) => ({
  kitID,
  collectedDate: sinceWritten('2026-04-01'),
  results: [
    { name: 'LDL Cholesterol', loinc: '13457-7', value: 97, unit: 'mg/dL', rangeLow: 0, rangeHigh: 99 },
    { name: 'Hemoglobin A1c', value: 5.4, unit: '%' },
  ],
  ...more,
})

const oru = (kitID: string, birth = '19800229', status = 'F', ldl = '97') =>
  sinceWritten(
    [
      `MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|${controlId()}|P|2.5.1`,
      `PID|1||X||Tester^Bo||${birth}|F`,
      `OBR|1|${kitID}|ACC77|24331-1^Lipid panel^LN|||20260401083000|||||||||||||||20260402110000|||${status}`,
      `OBX|1|NM|13457-7^LDL Cholesterol^LN||${ldl}|mg/dL|0-99|${Number(ldl) > 99 ? 'H' : 'N'}|||${status}`,
    ].join('\r'),
  )

describe('a message that is acknowledged', () => {
  const hl7 = 'application/hl7-v2'
  const send = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'lab', scopes: ['lab'] }),
    )
    const response = await fetch(`${world.service.url}/operator/v1/lab/results`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': hl7, accept: hl7, ...headers },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
    const text = await response.text()
    const [, msa = [], err = []] = text.split('\r').map((segment) => segment.split('|'))
    return { status: response.status, type: response.headers.get('content-type'), text, msa, err }
  }
  const idOf = (message: string) => message.split('|')[9]

  it('gets MSA in HL7: taken, sent again, waiting, refused and unreadable alike, with the status as ever', async () => {
    const { kitID } = await registeredKit(await world.business())
    const message = oru(kitID)
    for (const accept of [hl7, 'x-application/hl7-v2+er7', `${hl7}, application/json;q=0.5`, hl7]) {
      const taken = await send(message, { accept })
      expect(taken).toMatchObject({ status: 200, msa: ['MSA', 'AA', idOf(message)], err: [''] })
      expect(taken.type).toBe(`${accept.split(',')[0]}; charset=utf-8`)
      expect(taken.text).toMatch(/^MSH\|\^~\\&\|KITLANE\|Y\|LAB\|X\|\d{14}\+0000\|\|ACK\^R01\^ACK\|\w+\|P\|2\.5\.1\|/)
    }
    expect((await send(oru('K0000000000'))).msa[1]).toBe('AA')
    const other = await send(message.replace('ORU^R01', 'ADT^A01').split('OBR')[0] ?? '')
    expect(other).toMatchObject({ status: 422, msa: ['MSA', 'AR', idOf(message), expect.any(String)] })
    expect(other.err[3]).toContain('200^')
    expect(await send('no message')).toMatchObject({ status: 422, msa: ['MSA', 'AR', '', expect.any(String)] })
    const bytes = await send(Buffer.from(message.replace('Tester', 'T\xe9ster'), 'latin1'))
    expect(bytes).toMatchObject({ status: 400, msa: ['MSA', 'AE', idOf(message), expect.stringContaining('MSH-18')] })
    expect(await send(message, { authorization: 'Token no' })).toMatchObject({ status: 401 })
    expect(other.text + bytes.text).not.toContain('Bo')
  })

  it('in enhanced mode gets CA; without an Accept of HL7 the answer is JSON as ever', async () => {
    const { kitID } = await registeredKit(await world.business())
    const message = oru(kitID).replace('|P|2.5.1', '|P|2.5.1|||AL|NE')
    expect((await send(message)).msa).toEqual(['MSA', 'CA', idOf(message)])
    for (const accept of ['*/*', 'application/json', `application/json, ${hl7};q=0.5`])
      expect((await send(message, { accept })).text).toMatch(/^{"reports":/)
  })

  it.each(['application/edi-hl7', 'application/HL7', 'text/hl7; charset=utf-8'])(
    'is read and acknowledged as %s',
    async (type) => {
      const { kitID } = await registeredKit(await world.business())
      const taken = await send(oru(kitID), { 'content-type': type, accept: type })
      expect(taken).toMatchObject({ status: 200, msa: ['MSA', 'AA', expect.any(String)] })
      expect(taken.type).toContain(type.toLowerCase().split(';')[0])
    },
  )

  it('is answered in JSON where HL7 is refused by q=0, whatever else is taken', async () => {
    const { kitID } = await registeredKit(await world.business())
    expect((await send(oru(kitID), { accept: `${hl7};q=0, */*` })).text).toMatch(/^{"reports":/)
  })

  it('without a token is told which header is missing; of another type of body, that this one is not taken', async () => {
    const { kitID } = await registeredKit(await world.business())
    const none = await send(oru(kitID), { authorization: '' })
    expect([none.status, none.msa[1], none.msa[3]]).toEqual([401, 'AR', expect.stringContaining('Authorization')])
    const xml = await send(oru(kitID), { 'content-type': 'application/hl7-v2+xml' })
    expect([xml.status, xml.msa[1]]).toEqual([415, 'AR'])
  })

  it.each([
    ['8859/1', 'latin1'],
    ['UNICODE UTF-8', 'utf8'],
    ['', 'utf8'],
  ] as const)('is read in the character set %j of MSH-18 where Content-Type names none', async (named, encoding) => {
    const { kitID } = await registeredKit(await world.business(), { lastName: 'Tést' })
    const text = oru(kitID).replace('Tester^Bo', 'Tést^Bo').replace('|P|2.5.1', `|P|2.5.1||||||${named}`)
    const bom = encoding === 'utf8' ? '\uFEFF' : ''
    const taken = await send(Buffer.from(bom + text, encoding), { accept: 'application/json' })
    expect(JSON.parse(taken.text).reports).toMatchObject([{ status: 'reported', matched: 1 }])
  })
})

describe('results that are entered by hand', () => {
  it('have a form for each panel, whose every name and unit is understood when they are sent in', async () => {
    const clinic = await world.business({ panels: Object.keys(panels) })
    for (const [kitType, panel] of Object.entries(panels)) {
      const { orderId } = (await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType }] }))).body
      const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
      expect((await clinic.live.post(`/kits/${kitID}/register`, person)).status).toBe(200)
      const { status, body: form } = await lab('GET', `/lab/kits/${kitID.toLowerCase()}/form`)
      expect(status).toBe(200)
      expect(form).toMatchObject({ kitID, kitType, panelName: expect.any(String), sampleStatus: 'awaitingCollection' })
      expect(form.biomarkers).toHaveLength(panel.biomarkers.length)
      const results = form.biomarkers.map((biomarker: object) => ({ ...biomarker, value: 1 }))
      const sent = await lab('POST', '/lab/results', { kitID, results })
      expect(sent.body.reports[0]).toMatchObject({ kitID })
      // One is no value that all of them may have; that it is refused as a value says that its name and unit were known.
      const unknown = sent.body.reports[0].unmatched.filter(({ code }: { code: string }) => code !== 'implausible')
      expect(unknown).toEqual([])
    }
  })

  it('have no form where there is no such kit', async () => {
    expect(await lab('GET', '/lab/kits/K000000000/form')).toMatchObject({
      status: 404,
      body: { code: 'KIT_NOT_FOUND' },
    })
  })
})

describe('results of a laboratory', () => {
  it('as JSON make the report of their kit, in review; published, the customer reads it', async () => {
    const clinic = await world.business()
    const { kitID, customerId } = await registeredKit(clinic)
    expect((await lab('POST', '/samples/receive', { kitID, accession: `A-${kitID}` })).body.sampleStatus).toBe(
      'received',
    )
    const { status, body } = await lab('POST', '/lab/results', {
      ...results(kitID),
      kitID: undefined,
      accession: `A-${kitID}`,
    })
    expect(status).toBe(200)
    expect(body.reports).toEqual([expect.objectContaining({ status: 'reported', kitID, matched: 2, unmatched: [] })])
    const { reportID } = body.reports[0]
    expect((await reportOf(clinic, customerId, reportID)).status).toBe(404)
    expect((await lab('GET', '/reports?size=250')).body.map((one: { reportID: string }) => one.reportID)).toContain(
      reportID,
    )
    expect((await lab('GET', `/reports/${reportID}`)).body.biomarker.length).toBeGreaterThanOrEqual(2)
    expect((await lab('POST', `/reports/${reportID}/publish`)).body).toEqual({ reportID, status: 'published' })
    expect((await reportOf(clinic, customerId, reportID)).status).toBe(200)
  })

  it('come to their kit by the number of its second order to a laboratory, in every format', async () => {
    const clinic = await world.business()
    const forms: ((number: string) => [Record<string, unknown> | string, string?])[] = [
      (number) => [{ ...results(number), kitID: undefined, accession: number }],
      (number) => [
        JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: [
            {
              resource: {
                resourceType: 'Observation',
                id: 'o',
                status: 'final',
                code: { coding: [{ system: 'http://loinc.org', code: '13457-7' }], text: 'LDL' },
                valueQuantity: { value: 97, unit: 'mg/dL' },
              },
            },
            {
              resource: {
                resourceType: 'DiagnosticReport',
                id: 'd',
                status: 'final',
                code: { text: 'Lipids' },
                effectiveDateTime: '2026-04-01',
                basedOn: [{ identifier: { value: number } }],
                result: [{ reference: 'Observation/o' }],
              },
            },
          ],
        }),
        'application/fhir+json',
      ],
      (number) => [
        `MSH|^~\\&|L|L|||20260402||ORU^R01|${number}|P|2.5.1\rPID|1\rOBR|1|${number}||24331-1^Lipid panel^LN|||20260401\rOBX|1|NM|13457-7^LDL^LN||97|mg/dL|||||F\r`,
        'application/hl7-v2',
      ],
    ]
    for (const form of forms) {
      const { kitID } = await registeredKit(clinic)
      await lab('POST', '/samples/receive', { kitID })
      const { status, body, text } = await lab('POST', '/lab/results', ...form(`${kitID}-2`))
      expect(status, text).toBe(200)
      expect(body.reports, text).toEqual([expect.objectContaining({ status: 'reported', kitID })])
    }
  })

  it('are published in the version that was read: where the laboratory has sent another since, nothing is', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    const send = async (value: number) => {
      const glucose = { name: 'Glucose', value, unit: 'mg/dL' }
      return (await lab('POST', '/lab/results', { kitID, status: 'corrected', results: [glucose] })).body.reports[0]
    }
    const { reportID } = await send(90)
    await send(250)
    const changed = { status: 409, body: { code: 'REPORT_CHANGED', version: 2 } }
    expect(await lab('POST', `/reports/${reportID}/publish`, { version: 1 })).toMatchObject(changed)
    expect(await clinic.live.post(`/reports/${reportID}/publish`, { version: 1 })).toMatchObject(changed)
    expect((await clinic.live.get(`/reports/${reportID}`)).body.status).toBe('inReview')
    expect((await lab('POST', `/reports/${reportID}/publish`, { version: 2 })).status).toBe(200)
  })

  it('are published only once what came while they were read, and waits for a person, was read too', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    const send = async (name: string, value: number) =>
      (await lab('POST', '/lab/results', { kitID, results: [{ name, value, unit: 'mg/dL' }] })).body.reports[0]
    const { reportID } = await send('Glucose', 90)
    await send('Moon Dust', 3)
    const { version, unassessed } = (await lab('GET', `/reports/${reportID}`)).body
    const seen = unassessed.map(({ id }: { id: string }) => id)
    expect(seen).toEqual([expect.any(String)])
    const publish = (body: Record<string, unknown>) => lab('POST', `/reports/${reportID}/publish`, body)
    expect(await publish({ version, seen: [] })).toMatchObject({ status: 409, body: { code: 'REPORT_CHANGED' } })
    const { data } = (await clinic.live.get('/unassessed-results')).body
    expect(data).toMatchObject([{ id: seen[0], name: 'Moon Dust', state: 'open' }])
    expect((await publish({ version, seen })).status).toBe(200)
  })

  it('as HL7 v2 are partial, final and corrected versions of one report, the old ones readable', async () => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const { kitID, customerId } = await registeredKit(clinic)
    const send = (status: string, ldl: string) =>
      lab('POST', '/lab/results', oru(kitID, '19800229', status, ldl), 'application/hl7-v2')
    const first = (await send('P', '97')).body.reports[0]
    expect(first.status).toBe('reported')
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].sampleStatus).toBe('partiallyResulted')
    await send('F', '97')
    expect((await send('C', '130')).body.reports[0].reportID).toBe(first.reportID)
    const report = (await reportOf(clinic, customerId, first.reportID)).body
    expect(report.details).toMatchObject({ vendorStatus: 'corrected', version: 3 })
    const ldl = (body: { biomarker: { id: string; result: number }[] }) =>
      body.biomarker.find(({ id }) => id === 'ldl')?.result
    expect(ldl(report)).toBe(130)
    expect(ldl((await clinic.live.get(`/customers/${customerId}/reports/${first.reportID}?version=1`)).body)).toBe(97)
  })

  it('as FHIR are taken too', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    const observation = {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '13457-7', display: 'LDL Cholesterol' }] },
      valueQuantity: { value: 97, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
    }
    const report = {
      resourceType: 'DiagnosticReport',
      status: 'final',
      identifier: [{ value: kitID }],
      code: { text: 'Lipids' },
      effectiveDateTime: sinceWritten('2026-04-01T08:00:00Z'),
      contained: [{ ...observation, id: 'o1' }],
      result: [{ reference: '#o1' }],
    }
    const { status, body } = await lab('POST', '/lab/results', JSON.stringify(report), 'application/fhir+json')
    expect(status).toBe(200)
    expect(body.reports[0]).toMatchObject({ status: 'reported', kitID, matched: 1 })
  })

  it('never go on a kit of a person with another date of birth: they wait until a person says whose they are', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    const right = await registeredKit(clinic, { email: 'cy@example.test', dateOfBirth: '1991-09-09' })
    const message = oru(kitID, '19910909')
    const sent = await lab('POST', '/lab/results', message, 'text/plain')
    const [taken] = sent.body.reports
    expect(taken).toMatchObject({ status: 'waiting', reason: expect.stringContaining('date of birth') })
    const again = await lab('POST', '/lab/results', message, 'text/plain')
    expect(again.body.reports[0].messageID).toBe(taken.messageID)
    await lab('POST', '/samples/receive', { kitID: right.kitID })
    const queue = (await lab('GET', '/lab/messages?size=250')).body
    const waiting = queue.find((one: { id: string }) => one.id === taken.messageID)
    expect(waiting.suggestions).toEqual([{ kitID: right.kitID, reason: expect.any(String) }])
    const assigned = await lab('POST', `/lab/messages/${taken.messageID}/assign`, { kitID: right.kitID })
    expect(assigned.body).toMatchObject({ status: 'reported', kitID: right.kitID })
    expect((await lab('POST', `/lab/messages/${taken.messageID}/assign`, { kitID })).body.code).toBe(
      'MESSAGE_NOT_FOUND',
    )
    expect((await clinic.live.get(`/kits?kitID=${kitID}`)).body[0].status).toBe('notStarted')
  })

  it('of another person are assigned only if what differs was seen, and undoing withdraws all that it made', async () => {
    const clinic = await world.business()
    const { kitID, customerId } = await registeredKit(clinic)
    await lab('POST', '/samples/receive', { kitID })
    const patient = { name: 'Ivo Beispiel', dateOfBirth: '1971-03-03', sex: 'M' }
    const potassium = { name: 'Potassium', value: 7.4, unit: 'mmol/L', flag: 'HH' }
    const dust = { name: 'Moon dust', value: 3, unit: 'mg/dL', flag: 'HH' }
    const { body } = await lab('POST', '/lab/results', { kitID, patient, results: [potassium, dust] })
    const path = `/lab/messages/${body.reports[0].messageID}`
    const compared = (await lab('GET', `${path}/kits/${kitID}`)).body
    expect(compared).toMatchObject({
      patient,
      person: { name: 'Bo Tester', dateOfBirth: '1980-02-29', sex: 'F' },
      differences: ['name', 'dateOfBirth', 'sex'],
    })
    const blind = await lab('POST', `${path}/assign`, { kitID, differences: ['name'] })
    expect([blind.status, blind.body.code, blind.body.differences]).toEqual([
      409,
      'PERSON_DIFFERS',
      ['dateOfBirth', 'sex'],
    ])
    expect(blind.text).not.toContain('Ivo')
    const { differences } = compared
    expect((await lab('POST', `${path}/assign`, { kitID, differences })).body.status).toBe('reported')
    expect((await clinic.live.get('/critical-results')).body.data).toHaveLength(2)
    const undone = await lab('POST', `${path}/undo`)
    expect([undone.status, undone.body.kitID]).toEqual([200, kitID])
    const { kit } = (await clinic.live.get(`/kits/${kitID}`)).body
    expect([kit.sampleStatus, kit.status]).toEqual(['received', 'notStarted'])
    expect((await clinic.live.get('/critical-results')).body.data).toEqual([])
    expect((await clinic.live.get(`/unassessed-results?kitID=${kitID}`)).body.data).toEqual([])
    expect((await lab('GET', '/lab/messages?size=250')).body.map(({ id }: { id: string }) => id)).toContain(
      body.reports[0].messageID,
    )
    // Its own results come later, as if nothing had been there.
    const own = { kitID, results: [{ name: 'Potassium', value: 4.1, unit: 'mmol/L' }] }
    const { reportID } = (await lab('POST', '/lab/results', own)).body.reports[0]
    await clinic.live.post(`/reports/${reportID}/publish`)
    const report = (await reportOf(clinic, customerId, reportID)).body
    expect(report.biomarker.map(({ id, result }: { id: string; result: number }) => [id, result])).toEqual([
      ['potassium', 4.1],
    ])
    expect((await lab('POST', `${path}/undo`)).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('of another person, once assigned, are read by a reviewer before they are published, though the report was', async () => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const { kitID } = await registeredKit(clinic)
    await lab('POST', '/samples/receive', { kitID })
    const own = { kitID, results: [{ name: 'Potassium', value: 4.1, unit: 'mmol/L' }] }
    const { reportID } = (await lab('POST', '/lab/results', own)).body.reports[0]
    const statusNow = async () => (await clinic.live.get(`/reports/${reportID}`)).body.status
    expect(await statusNow()).toBe('published')
    const patient = { name: 'Ivo Beispiel', dateOfBirth: '1971-03-03', sex: 'M' }
    const sodium = { name: 'Sodium', value: 139, unit: 'mmol/L' }
    const { body } = await lab('POST', '/lab/results', { kitID, patient, results: [sodium] })
    const differences = ['name', 'dateOfBirth', 'sex']
    await lab('POST', `/lab/messages/${body.reports[0].messageID}/assign`, { kitID, differences })
    expect(await statusNow()).toBe('inReview')
  })

  it('that were assigned by mistake leave a published report in a new version, and what came before and after stays', async () => {
    const clinic = await world.business()
    const { kitID, customerId } = await registeredKit(clinic)
    const send = (results: object[], patient = {}) => lab('POST', '/lab/results', { kitID, results, patient })
    const glucose = (value: number) => ({ name: 'Glucose', value, unit: 'mg/dL' })
    const sodium = { name: 'Sodium', value: 140, unit: 'mmol/L' }
    const { reportID } = (await send([glucose(91)])).body.reports[0]
    await clinic.live.post(`/reports/${reportID}/publish`)
    const other = { name: 'Ivo Beispiel', dateOfBirth: '1971-03-03' }
    const potassium = { name: 'Potassium', value: 4.4, unit: 'mmol/L' }
    const [{ messageID }] = (await send([glucose(160), potassium], other)).body.reports
    await lab('POST', `/lab/messages/${messageID}/assign`, { kitID, differences: ['name', 'dateOfBirth'] })
    expect((await clinic.live.post(`/reports/${reportID}/publish`)).status).toBe(200)
    await send([sodium])
    expect((await lab('POST', `/lab/messages/${messageID}/undo`)).status).toBe(200)
    const report = (await reportOf(clinic, customerId, reportID)).body
    const values = report.biomarker.map(({ id, result }: { id: string; result: number }) => [id, result])
    expect(Object.fromEntries(values)).toEqual({ glucose: 91, sodium: 140 })
    expect(report.details.withdrawn).toMatchObject([{ label: 'Potassium', reason: expect.stringContaining('mistake') }])
    await world.settled()
    const events = (await clinic.live.get('/events?type=result.withdrawn')).body.data
    expect(events.at(-1).data).toMatchObject({ reportID, status: 'published' })
  })

  it('of an unknown number wait, and can be discarded', async () => {
    const { body } = await lab('POST', '/lab/results', {
      ...results('K000000000'),
      kitID: undefined,
      accession: 'of-nobody',
    })
    const [{ messageID, status }] = body.reports
    expect(status).toBe('waiting')
    expect((await lab('POST', `/lab/messages/${messageID}/discard`)).status).toBe(200)
    expect((await lab('GET', '/lab/messages?size=250')).body.map((one: { id: string }) => one.id)).not.toContain(
      messageID,
    )
  })

  it('flagged as critical are said, and wait also in a hemolysed sample, with their value', async () => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const { kitID, customerId } = await registeredKit(clinic)
    const potassium = { name: 'Potassium', value: 6.9, unit: 'mmol/L', flag: 'HH' }
    const { body } = await lab('POST', '/lab/results', { kitID, specimenErrors: ['HEMOLYSIS'], results: [potassium] })
    expect(body.reports[0].critical).toEqual(['potassium'])
    const { reportID } = body.reports[0]
    expect((await reportOf(clinic, customerId, reportID)).status).toBe(404)
    const raised = (await clinic.live.get('/critical-results')).body.data
    expect(raised).toMatchObject([{ kitID, value: '6.9', unit: 'mmol/L' }])
  })

  it('with a critical one are reviewed before older reports, and the list says how many', async () => {
    const clinic = await world.business()
    const reviews = async () => (await lab('GET', '/reports?size=250')).body
    const send = async (value: number, flag: string) => {
      const { kitID } = await registeredKit(clinic)
      const potassium = { name: 'Potassium', value, unit: 'mmol/L', flag }
      return (await lab('POST', '/lab/results', { kitID, results: [potassium] })).body.reports[0].reportID
    }
    const older = [await send(4, 'N'), await send(5.3, 'H')]
    const critical = [await send(6.9, 'HH'), await send(2.1, 'LL')]
    const listed = (await reviews()).filter((one: { reportID: string }) =>
      [...older, ...critical].includes(one.reportID),
    )
    expect(listed.map((one: { reportID: string; critical: number }) => [one.reportID, one.critical])).toEqual([
      ...critical.map((id) => [id, 1]),
      ...older.map((id) => [id, 0]),
    ])
    expect((await reviews())[0].critical).toBeGreaterThan(0)
  })

  it.each([
    ['4548-4^Hemoglobin A1c^LN', '5.7', '%', '<5.7', 'H', 'hba1c'],
    ['13457-7^LDL Cholesterol^LN', '100', 'mg/dL', '<100', 'H', 'ldl'],
    ['2571-8^Triglycerides^LN', '150', 'mg/dL', '<150', 'H', 'triglycerides'],
    ['98979-8^eGFR^LN', '59', 'mL/min/1.73m2', '>59', 'L', 'egfr'],
    ['2276-4^Ferritin^LN', '14.6', 'ng/mL', '15-150', 'L', 'ferritin'],
    ['2823-3^Potassium^LN', '5.24', 'mmol/L', '3.5-5.2', 'H', 'potassium'],
    ['2345-7^Glucose^LN', '5.52', 'mmol/L', '3.9-5.5', 'H', 'glucose'],
    ['2345-7^Glucose^LN', '95', 'mg/dL', '', 'H', 'glucose'],
    ['2345-7^Glucose^LN', '104', 'mg/dL', '', 'N', 'glucose'],
    ['3016-3^TSH^LN', '0.004', 'mIU/L', '0.45-4.5', 'LL', 'tsh'],
    ['2823-3^Potassium^LN', '4.1', 'mmol/L', '', 'AA', 'potassium'],
  ])("%s %s %s of %s keep the laboratory's flag", async (code, value, unit, range, flag, id) => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
    const { kitID, customerId } = await registeredKit(clinic)
    const [msh, pid, obr] = oru(kitID).split('\r')
    const obx = `OBX|1|NM|${code}||${value}|${unit}|${range}|${flag}|||F`
    const sent = await lab('POST', '/lab/results', [msh, pid, obr, obx].join('\r'), 'application/hl7-v2')
    const [taken] = sent.body.reports
    expect(taken, JSON.stringify(sent.body)).toMatchObject({ status: 'reported', matched: 1 })
    await readBackAll(clinic.live.request, taken.reportID)
    const { biomarker } = (await reportOf(clinic, customerId, taken.reportID)).body
    const entry = biomarker.find((one: { id: string }) => one.id === id)
    expect(entry).toMatchObject({ interpretation: flag, labFlag: flag })
    expect(flag === 'N' ? ['optimal', 'good'] : ['fair', 'poor']).toContain(entry.state)
    if (unit !== 'mmol/L' || id !== 'glucose') expect(String(entry.result)).toBe(value)
  })

  it('come back with a sample whose rejection is undone, until a replacement is sent', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    await lab('POST', '/samples/receive', { kitID })
    expect((await lab('POST', '/samples/undo-rejection', { kitID })).body.code).toBe('ILLEGAL_TRANSITION')
    const potassium = { name: 'Potassium', value: 7.4, unit: 'mmol/L', flag: 'HH' }
    const { reportID } = (await lab('POST', '/lab/results', { kitID, results: [potassium] })).body.reports[0]
    await lab('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    expect((await clinic.live.get(`/reports/${reportID}`)).body.status).toBe('rejected')
    expect((await clinic.live.get('/critical-results')).body.data).toEqual([])
    const undone = await lab('POST', '/samples/undo-rejection', { kitID })
    expect([undone.status, undone.body.status]).toEqual([200, 'inReview'])
    expect((await clinic.live.get(`/reports/${reportID}`)).body.status).toBe('inReview')
    expect((await clinic.live.get('/critical-results')).body.data).toMatchObject([{ reportID }])
    await lab('POST', '/samples/reject', { kitID, reason: 'clotted' })
    await clinic.live.post(`/kits/${kitID}/replacement`, { reason: 'Clotted' })
    expect((await lab('POST', '/samples/undo-rejection', { kitID })).body).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      error: expect.stringContaining('in its place'),
    })
  })

  it.each([
    ['that was not received', undefined, ['registered', 'awaitingCollection', 'notStarted']],
    ['that its carrier lost', 'deliveryException', ['collected', 'deliveryException', 'notStarted']],
    ['of which some results were corrected', 'corrected', ['collected', 'partiallyResulted', 'inReview']],
  ])('leave a sample %s where it was before its rejection, once that is undone', async (_, before, states) => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    if (before === 'deliveryException')
      for (const to of ['sampleInTransit', 'deliveryException'] as const)
        await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
          moveKit(within(tx, (await realmsOf(tx, clinic.id)).live), kitID, to, { reason: 'Lost in Ohio' }),
        )
    if (before === 'corrected')
      for (const value of [91.3, 93.1])
        await lab('POST', '/lab/results', {
          kitID,
          results: [{ name: 'Glucose', value, unit: 'mg/dL', status: value > 92 ? 'corrected' : 'final' }],
        })
    const kitNow = async () => (await clinic.live.get(`/kits?kitID=${kitID}`)).body[0]
    const { lastUpdatedDate: _then, ...stood } = await kitNow()
    expect([stood.kitStatus, stood.sampleStatus, stood.status]).toEqual(states)
    await lab('POST', '/samples/reject', { kitID, reason: 'qns' })
    expect((await kitNow()).sampleStatus).toBe('rejected')
    expect((await lab('POST', '/samples/undo-rejection', { kitID })).status).toBe(200)
    expect(await kitNow()).toMatchObject(stood)
  })

  it('end with the rejection of their sample, which says why', async () => {
    const clinic = await world.business()
    const { kitID } = await registeredKit(clinic)
    const rejected = await lab('POST', '/samples/reject', { kitID, reason: 'qns' })
    expect(rejected.body).toMatchObject({
      sampleStatus: 'rejected',
      status: 'rejected',
      exceptionReason: 'Quantity not sufficient',
    })
  })

  it('for a rejected sample wait, call somebody if they are critical, and count once the rejection is taken back', async () => {
    const clinic = await world.business()
    const { kitID, customerId } = await registeredKit(clinic)
    const glucose = { name: 'Glucose', value: 91.3, unit: 'mg/dL' }
    const sodium = { name: 'Sodium', value: 140, unit: 'mmol/L' }
    const { reportID } = (await lab('POST', '/lab/results', { kitID, results: [glucose, sodium] })).body.reports[0]
    await lab('POST', '/samples/reject', { kitID, reason: 'qns' })
    const withdrawn = { kitID, results: [{ name: 'Glucose', unit: 'mg/dL', status: 'withdrawn' }] }
    const critical = { kitID, results: [{ name: 'Potassium', value: 8.8, unit: 'mmol/L', flag: 'HH' }] }
    const sent = await lab('POST', '/lab/results', withdrawn)
    const { messageID, ...first } = sent.body.reports[0]
    expect(first, sent.text).toMatchObject({ status: 'waiting', kitID, reason: expect.stringContaining('rejected') })
    const second = (await lab('POST', '/lab/results', critical)).body.reports[0]
    expect(second).toMatchObject({ status: 'waiting', critical: ['potassium'] })
    expect((await clinic.live.get('/critical-results')).body.data).toMatchObject([{ reportID, kitID, value: '8.8' }])
    const waiting = async () =>
      (await lab('GET', '/lab/messages?size=250')).body.filter((one: { kitID?: string }) => one.kitID === kitID)
    expect(await waiting()).toMatchObject([{ id: second.messageID }, { id: messageID }])
    expect((await waiting())[0].readyForKitID).toBeUndefined()
    expect((await lab('POST', `/lab/messages/${messageID}/assign`, { kitID })).body.code).toBe('ILLEGAL_TRANSITION')
    const undone = await lab('POST', '/samples/undo-rejection', { kitID })
    expect([undone.status, undone.body.status]).toEqual([200, 'inReview'])
    expect(await waiting()).toEqual([])
    expect((await clinic.live.get('/critical-results')).body.data).toMatchObject([{ reportID, kitID, value: '8.8' }])
    await readBackAll(clinic.live.request, reportID)
    const notified = { person: 'Dr. Reyes', at: '2026-11-20' }
    expect((await clinic.live.post(`/reports/${reportID}/publish`, { notified })).status).toBe(200)
    const report = (await reportOf(clinic, customerId, reportID)).body
    expect(report.biomarker.map(({ id }: { id: string }) => id).toSorted()).toEqual(['potassium', 'sodium'])
  })

  it('that come in the moment in which their person is erased wait, as the queue says', async () => {
    const clinic = await world.business()
    const { kitID, customerId } = await registeredKit(clinic)
    const owner = await world.owner()
    await owner.query('begin')
    await owner.query('select 1 from kits where id = $1 for update', [kitID])
    const sending = lab('POST', '/lab/results', results(kitID))
    const waits = 'select from pg_locks where not granted'
    await expect.poll(async () => (await owner.query(waits)).rowCount).toBeGreaterThan(0)
    await owner.query(
      'update kits set customer_id = null, registration = null, sealed = null, registered_hash = null, birth_hash = null where id = $1',
      [kitID],
    )
    await owner.query('commit')
    const raced = await sending
    expect([raced.status, raced.body.reports?.[0]], raced.text).toMatchObject([200, { status: 'waiting', kitID }])
    await clinic.live.request('DELETE', `/customers/${customerId}`)
    const { messageID } = (await lab('POST', '/lab/results', results(kitID))).body.reports[0]
    const queue = (await lab('GET', '/lab/messages?size=250')).body
    const reason = queue.find((one: { id: string }) => one.id === messageID)?.reason
    expect(reason).toContain('was erased')
  })
})

describe('the catalogue', () => {
  it('is changed by a new version with a reason; a report that is there keeps the ranges that it was judged by', async () => {
    const clinic = await world.business()
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const { kitID, customerId } = await registeredKit(clinic)
    const send = async (kit: string) =>
      (await lab('POST', '/lab/results', { kitID: kit, results: [{ name: 'iron', value: 60, unit: 'ug/dL' }] })).body
        .reports[0].reportID
    const before = await send(kitID)
    const count = (await lab('GET', '/biomarkers/iron/versions')).body.length
    const reference = { source: 'laboratory director', M: { low: 50, high: 300 }, F: { low: 50, high: 300 } }
    const edited = await lab('PATCH', '/biomarkers/iron', {
      reason: 'New method',
      change: { reference, optimal: undefined },
    })
    expect(edited.body).toMatchObject({ version: count + 1, reason: 'New method' })
    const listed = (await lab('GET', '/biomarkers/iron/versions')).body
    expect([listed.length, listed[0].version]).toEqual([count + 1, count + 1])
    const next = await registeredKit(clinic, { email: 'dee@example.test' })
    const after = await send(next.kitID)
    const rangeOf = async (userId: number, id: string) =>
      (await reportOf(clinic, userId, id)).body.biomarker.find((entry: { id: string }) => entry.id === 'iron').ranges
        .inRange
    expect(await rangeOf(next.customerId, after)).toEqual([50, 300])
    expect(await rangeOf(customerId, before)).not.toEqual([50, 300])
    await world.service.database.asSystem({ name: 'cli' }, seed)
    expect((await lab('GET', '/biomarkers/iron/versions')).body[0].reason).toBe('New method')
    expect((await lab('PATCH', '/biomarkers/iron', { reason: 'x', change: { decimals: 99 } })).status).toBe(400)
    expect((await lab('PATCH', '/biomarkers/nothing', { reason: 'x', change: {} })).status).toBe(404)
    // The catalogue is the installation's, and other files judge by it.
    await (await world.owner()).query(`reset role; delete from biomarkers where id = 'iron' and version > ${count}`)
  })

  it('takes what a release corrects as a new version, and once', async () => {
    await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
      await seed(tx)
      await tx.run(sql`update biomarkers set definition = definition || '{"decimals": 6}' where id = 'zinc'`)
    })
    const before = (await lab('GET', '/biomarkers/zinc/versions')).body.length
    await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
      await seed(tx)
      await seed(tx)
    })
    const versions = (await lab('GET', '/biomarkers/zinc/versions')).body
    expect([versions.length, versions[0].version]).toEqual([before + 1, before + 1])
    expect(versions[0].definition.decimals).not.toBe(6)
  })
})

describe('the operator API', () => {
  it('takes operator tokens only, and only for what their scopes allow', async () => {
    const clinic = await world.business()
    const call = (token: string) =>
      fetch(`${world.service.url}/operator/v1/lab/messages`, { headers: { authorization: `Token ${token}` } })
    expect((await call(clinic.liveToken)).status).toBe(403)
    const fulfilment = await operator(['fulfilment'])
    const { status, body } = await fulfilment('GET', '/lab/messages')
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'x', scopes: ['lab'] }),
    )
    expect((await world.as(token).get('/orders')).status).toBe(403)
  })

  it('shows e-mails that were kept, as they were rendered', async () => {
    const clinic = await world.business()
    await clinic.live.post('/create-order', anOrder({ isNotifyReceiver: true }))
    const mail = await operator(['mail'])
    const listed = await mail('GET', `/emails?businessID=${clinic.id}`)
    expect(listed.body.data).toEqual([expect.objectContaining({ mode: 'live', to: 'ada@example.test' })])
    const { body } = await mail('GET', `/emails/${listed.body.data[0].id}`)
    expect(body.text).toContain(clinic.name)
    expect((await mail('GET', '/emails/mail_of_nobody')).body.code).toBe('EMAIL_NOT_FOUND')
    expect((await lab('GET', '/emails')).status).toBe(403)
  })

  it('never touches a sandbox kit', async () => {
    const clinic = await world.business()
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    const { kitID } = (await clinic.sandbox.get(`/orders/${orderId}`)).body.kits[0]
    expect((await lab('POST', '/samples/receive', { kitID })).body.code).toBe('KIT_NOT_FOUND')
    expect((await lab('POST', '/lab/results', results(kitID))).body.reports[0].status).toBe('waiting')
  })
})
