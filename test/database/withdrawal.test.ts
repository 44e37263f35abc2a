import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { sealedVersions } from '../../src/modules/reports/sealed-queries.ts'
import { readBackAll } from '../harness/critical.ts'
import { sinceWritten } from '../harness/days.ts'
import { controlId } from '../harness/disorder.ts'
import { anOrder } from '../harness/orders.ts'
import { signIn, person as user } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf, ULTIMATE } from '../harness/reports.ts'
import { rewriteSealed } from '../harness/sealed-values.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let token: string
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await automatic()
  const made = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'lab', scopes: ['lab', 'review'] }),
  )
  token = made.token
})
afterAll(() => world.stop())

async function lab(body: string | object, type = 'application/hl7-v2', path = '/lab/results') {
  const isText = typeof body === 'string'
  const response = await fetch(`${world.service.url}/operator/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': isText ? type : 'application/json' },
    body: isText ? body : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
  const answer: any = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer
}

const names = {
  glucose: '2345-7^Glucose^LN',
  potassium: '2823-3^Potassium^LN',
  insulin: '27873-9^Insulin^LN',
  sodium: '2951-2^Sodium^LN',
}
type Name = keyof typeof names
const units = { glucose: 'mg/dL', potassium: 'mmol/L', insulin: 'u[IU]/mL', sodium: 'mmol/L' }

interface Row {
  name: Name | string
  value: string
  status?: string
  flag?: string
  type?: string
  unit?: string
}

function oru(kitId: string, rows: Row[], status = 'F'): string {
  const obx = rows.map(({ name, value, status: own = status, flag = '', type = 'NM', unit }, index) => {
    const code = names[name as Name] ?? name
    return `OBX|${index + 1}|${type}|${code}||${value}|${unit ?? units[name as Name] ?? ''}||${flag}|||${own}`
  })
  return [
    `MSH|^~\\&|LAB|X|KITLANE|Y|${sinceWritten('20260402')}120000||ORU^R01|${controlId()}|P|2.5.1`,
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1|${kitId}|ACC-${kitId}|24331-1^Panel^LN|||${sinceWritten('20260401')}083000||||||F|||||||||${sinceWritten('20260402')}110000|||${status}`,
    ...obx,
  ].join('\r')
}

const person = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }

interface Published {
  clinic: TestBusiness
  kitID: string
  customerId: number
  reportId: string
}

/** Creates a business that publishes at once. */
async function automatic(): Promise<TestBusiness> {
  const clinic = await world.business({ panels: [ULTIMATE] })
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
  return clinic
}

async function registered(business = clinic): Promise<Omit<Published, 'reportId'>> {
  const order = anOrder({
    isNotifyReceiver: true,
    kit_types: [{ kitType: ULTIMATE }],
  })
  const { orderId } = (await business.live.post('/create-order', order)).body
  const { kitID } = (await business.live.get(`/orders/${orderId}`)).body.kits[0]
  const email = `${kitID.toLowerCase()}@example.test`
  const { customerId } = (await business.live.post(`/kits/${kitID}/register`, { ...person, email })).body
  return { clinic: business, kitID, customerId }
}

async function published(rows: Row[]): Promise<Published> {
  const at = await registered()
  const { reports } = await lab(oru(at.kitID, rows))
  expect(reports[0].status, JSON.stringify(reports)).toBe('reported')
  await readBackAll(at.clinic.live.request, reports[0].reportID)
  return { ...at, reportId: reports[0].reportID }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
async function ask(at: string): Promise<any> {
  const headers = { authorization: `Token ${token}` }
  return (await fetch(`${world.service.url}/operator/v1${at}`, { headers })).json()
}
const assign = async (messageID: string, kitID: string) =>
  await lab({ kitID }, undefined, `/lab/messages/${messageID}/assign`)
const stillWaits = async (messageID: string) =>
  (await ask('/lab/messages?size=250')).some(({ id }: { id: string }) => id === messageID)
const unassessedOf = async (kitID: string) => (await ask(`/unassessed-results?kitID=${kitID}`)).data
const reactive: Row = { name: 'HIV', value: 'Detected', flag: 'AA', type: 'ST' }

const path = ({ customerId, reportId }: Published) => `/customers/${customerId}/reports/${reportId}`
const read = async (at: Published, query = '') => (await at.clinic.live.get(path(at) + query)).body
const ids = (report: { biomarker: { id: string }[] }) => report.biomarker.map(({ id }) => id)
const marker = (report: { biomarker: { id: string }[] }, id: string) => report.biomarker.find((one) => one.id === id)

const wrong: Row[] = [
  { name: 'glucose', value: '401', flag: 'HH' },
  { name: 'insulin', value: '9' },
  { name: 'potassium', value: '7.9', flag: 'HH' },
  { name: 'sodium', value: '140' },
]

async function eventsOf(kitId: string, type = 'report.published') {
  const owner = await world.owner()
  const told = 'select data from events where kit_id = $1 and type = $2 order by position'
  const { rows } = await owner.query(told, [kitId, type])
  return rows.map(({ data }) => data)
}

describe('a result that the laboratory takes back', () => {
  it.each([
    ['wrong, by OBX-11 W', { name: 'glucose', value: '401', status: 'W' }],
    ['deleted, by OBX-11 D', { name: 'glucose', value: '', status: 'D' }],
    ['not obtained, by OBX-11 X', { name: 'glucose', value: '', status: 'X' }],
    ['replaced by a text', { name: 'glucose', value: 'BROKEN TUBE', type: 'ST' }],
    ['replaced by a text in a correction', { name: 'glucose', value: 'DO NOT REPORT', type: 'TX', status: 'C' }],
    ['replaced by a value that cannot be used', { name: 'glucose', value: '90', unit: 'furlong' }],
    ['replaced by a number that could be two', { name: 'glucose', value: '5,300', type: 'ST' }],
  ])('as %s leaves the published report at once, with all that was computed from it', async (_, row) => {
    const at = await published(wrong)
    expect(ids(await read(at))).toEqual(expect.arrayContaining(['glucose', 'homa_ir', 'potassium']))
    const { reports } = await lab(oru(at.kitID, [row]))
    expect(reports[0]).toMatchObject({ status: 'reported', reportID: at.reportId, withdrawn: ['glucose'] })
    const response = await at.clinic.live.get(path(at))
    const report = response.body
    expect(report.details).toMatchObject({ version: 2, vendorStatus: 'corrected' })
    expect(ids(report)).toEqual(expect.not.arrayContaining(['glucose', 'homa_ir']))
    expect(ids(report)).toEqual(expect.arrayContaining(['insulin', 'sodium']))
    expect(response.text).not.toMatch(/\b401\b/)
    expect(report.details.withdrawn).toMatchObject([
      { biomarker: 'glucose', version: 2, reason: expect.stringContaining('laboratory') },
      { biomarker: 'homa_ir', reason: 'It was computed from a result that was withdrawn.' },
    ])
    const metabolic = ({ axes }: { axes: { axis: string; result: number | null }[] }) =>
      axes.find(({ axis }) => axis === 'metabolic')?.result ?? null
    expect(metabolic(report)).toBeNull()
  })

  it('is said to the business by report.published with the new version and what it took back', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    const [before, after] = await eventsOf(at.kitID)
    expect(before).toMatchObject({ version: 1 })
    expect(before).not.toHaveProperty('withdrawn')
    expect(after).toMatchObject({ reportID: at.reportId, version: 2, withdrawn: ['glucose', 'homa_ir'] })
  })

  it('is said to the business by result.withdrawn, too, with the reason, also while the report is in review', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    const [told, ...others] = await eventsOf(at.kitID, 'result.withdrawn')
    expect(others).toEqual([])
    expect(told).toMatchObject({
      reportID: at.reportId,
      kitID: at.kitID,
      customerID: at.customerId,
      version: 2,
      status: 'published',
      results: [
        { biomarker: 'glucose', reason: 'The laboratory took this result back because it was wrong.' },
        { biomarker: 'homa_ir', reason: 'It was computed from a result that was withdrawn.' },
      ],
    })
    expect(JSON.stringify(told)).not.toMatch(/\b401\b/)
    await world.settled()
    const heard = (await at.clinic.live.get('/events?type=result.withdrawn')).body.data
    expect(heard.filter(({ data }: { data: { kitID: string } }) => data.kitID === at.kitID)).toMatchObject([
      { data: told },
    ])
    const reviewed = await registered(await automatic())
    await reviewed.clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
    await lab(oru(reviewed.kitID, wrong))
    await lab(oru(reviewed.kitID, [{ name: 'potassium', value: '7.9', status: 'D' }]))
    expect(await eventsOf(reviewed.kitID)).toEqual([])
    expect(await eventsOf(reviewed.kitID, 'result.withdrawn')).toMatchObject([
      { status: 'inReview', results: [{ biomarker: 'potassium' }] },
    ])
  })

  it('and what a correction changes is sent with the new version, by biomarker', async () => {
    const at = await published(wrong)
    const rows = [
      { name: 'glucose', value: '90', status: 'C' },
      { name: '3016-3^TSH^LN', value: '2.1', unit: 'mIU/L' },
    ]
    await lab(oru(at.kitID, rows))
    const [, after] = await eventsOf(at.kitID)
    expect(after).toMatchObject({ version: 2, corrected: ['glucose', 'homa_ir'], added: ['tsh'] })
    expect(after).not.toHaveProperty('withdrawn')
    expect(await eventsOf(at.kitID, 'result.withdrawn')).toEqual([])
  })

  it('stays readable in the old version, marked as withdrawn in every format', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    const old = await read(at, '?version=1')
    expect(marker(old, 'glucose')).toMatchObject({
      result: 401,
      withdrawn: { version: 2 },
      note: expect.stringContaining('do not rely on this value'),
    })
    expect(marker(old, 'potassium')).not.toHaveProperty('withdrawn')
    const { text } = await at.clinic.live.get(`${path(at)}?version=1`, { accept: FHIR })
    const inError = JSON.parse(text).entry.filter(
      ({ resource }: { resource: { status?: string } }) => resource.status === 'entered-in-error',
    )
    expect(inError).toHaveLength(2)
    const newest = await at.clinic.live.get(path(at), { accept: FHIR })
    // A random identifier may contain these digits.
    expect(newest.text).not.toMatch(/\b401\b/)
    expect(JSON.parse(newest.text).entry[0].resource.conclusion).toContain('was withdrawn on')
    const headers = { authorization: `Token ${at.clinic.liveToken}`, accept: PDF }
    const pdf = await fetch(`${world.service.url}/api/v1${path(at)}`, { headers })
    const page = (await readPdf(Buffer.from(await pdf.arrayBuffer()))).text
    expect(page).toContain('was withdrawn on')
    expect(page).not.toMatch(/\b401\b/)
  })

  it('is said in plain words on the page of the person, who does not see the value any more', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    const pages = recipients(world)
    const [link = ''] = await pages.linksTo(`${at.kitID.toLowerCase()}@example.test`)
    const { who } = await pages.enter(link, { day: '29', month: '2', year: '1980' })
    const { text } = await who.open(`/r/reports/${at.reportId}`)
    expect(text).toMatch(
      /Glucose \(fasting\) was withdrawn on .* The laboratory took this result back because it was wrong/,
    )
    expect(text).toContain('Do not rely on the value that was shown before')
    expect(text).not.toMatch(/\b401\b/)
    const old = (await who.open(`/r/reports/${at.reportId}?version=1`)).text
    expect(old).toContain('do not rely on this value')
    expect(old).not.toMatch(/talk to a doctor today Glucose/)
  })

  it('is told in Spanish on a page, in a PDF and in a dashboard in Spanish, and why there is a new version', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    const said = ['Glucosa (en ayunas)', 'El laboratorio retiró este resultado porque era incorrecto.']
    const computed = 'Se calculó a partir de un resultado que se retiró.'
    const why = 'El laboratorio retiró un resultado'
    const pages = recipients(world)
    const [link = ''] = await pages.linksTo(`${at.kitID.toLowerCase()}@example.test`)
    const { who } = await pages.enter(link, { day: '29', month: '2', year: '1980' })
    const { text: page } = await who.open(`/r/reports/${at.reportId}?language=es`)
    const headers = { authorization: `Token ${at.clinic.liveToken}`, accept: PDF, 'accept-language': 'es' }
    const pdf = await fetch(`${world.service.url}/api/v1${path(at)}`, { headers })
    const { text: drawn } = await readPdf(Buffer.from(await pdf.arrayBuffer()))
    for (const text of [page, drawn]) {
      for (const one of [...said, computed, why]) expect(text).toContain(one)
      expect(text).not.toMatch(/was wrong|withdrew|was computed/)
    }
    const { in: of } = await signIn(world, await user(world, 'business-admin', at.clinic))
    const { body } = await of(at.clinic).get(`/reports/${at.reportId}`, { 'accept-language': 'es' })
    expect(body.details).toMatchObject({ reason: why, withdrawn: [{ reason: said[1] }, { reason: computed }] })
    const german = await who.open(`/r/reports/${at.reportId}?language=de`)
    expect(german.html).toContain('Das Labor hat ein Ergebnis zurückgezogen')
  })

  it('is shown as it stands where release 0.1.0 kept sentences', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    await rewriteSealed(world.service.database, sealedVersions, at.reportId, (content) => ({
      ...content,
      reason: content.reason && 'Somebody typed this.',
      reasonKept: null,
      withdrawn: content.withdrawn.map(({ reasonKept: _, ...one }) => one),
      suggestions: content.suggestions.map(({ textKept: _, ...one }) => one),
    }))
    const { in: of } = await signIn(world, await user(world, 'business-admin', at.clinic))
    const read = async (language: string) =>
      (await of(at.clinic).get(`/reports/${at.reportId}`, { 'accept-language': language })).body
    expect((await read('es')).details.reason).toBe('Somebody typed this.')
    expect((await read('en')).details.withdrawn).toMatchObject([
      { reason: 'The laboratory took this result back because it was wrong.' },
      { reason: 'It was computed from a result that was withdrawn.' },
    ])
  })

  it('does not come back with what is sent later, and a new value takes its place', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    await lab(oru(at.kitID, [{ name: 'sodium', value: '141' }]))
    const third = await read(at)
    expect(ids(third)).not.toContain('glucose')
    expect(third.details.withdrawn).toMatchObject([{ biomarker: 'glucose', version: 2 }, { biomarker: 'homa_ir' }])
    await lab(oru(at.kitID, [{ name: 'glucose', value: '90' }], 'C'))
    const fourth = await read(at)
    expect(marker(fourth, 'glucose')).toMatchObject({ result: 90 })
    expect(marker(fourth, 'glucose')).not.toHaveProperty('withdrawn')
    expect(ids(fourth)).toContain('homa_ir')
    expect(fourth.details).not.toHaveProperty('withdrawn')
  })

  it('together with its correction in one message is corrected, not withdrawn', async () => {
    const at = await published(wrong)
    const rows = [
      { name: 'glucose', value: '401', status: 'W' },
      { name: 'glucose', value: '90', status: 'C' },
    ]
    const { reports } = await lab(oru(at.kitID, rows))
    expect(reports[0]).not.toHaveProperty('withdrawn')
    expect(marker(await read(at), 'glucose')).toMatchObject({ result: 90 })
  })

  it('twice is taken once: the same message again makes no new version', async () => {
    const at = await published(wrong)
    const message = oru(at.kitID, [{ name: 'glucose', value: '401', status: 'D' }])
    await lab(message)
    expect((await lab(message)).reports[0]).toMatchObject({ status: 'reported', reportID: at.reportId })
    expect((await read(at)).details.version).toBe(2)
  })

  it('leaves at once also where something critical that nobody could judge comes with it', async () => {
    const at = await published(wrong)
    const { reports } = await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }, reactive]))
    expect(reports[0]).toMatchObject({ status: 'reported', withdrawn: ['glucose'] })
    const report = await read(at)
    expect(report.details.version).toBe(2)
    expect(ids(report)).not.toContain('glucose')
    expect(report.unassessed).toEqual([])
    expect(await unassessedOf(at.kitID)).toMatchObject([{ name: 'HIV', critical: true, state: 'open' }])
  })

  it('is not listed among what waits, and takes what was kept under its name with it', async () => {
    const at = await published([...wrong.filter(({ name }) => name !== 'glucose'), reactive])
    expect(await unassessedOf(at.kitID)).toHaveLength(1)
    const rows = [
      { ...reactive, status: 'W' },
      { name: 'potassium', value: '7.9', status: 'W' },
    ]
    await lab(oru(at.kitID, rows))
    expect(await unassessedOf(at.kitID)).toEqual([])
    expect((await read(at)).unassessed).toEqual([])
  })

  it('by JSON leaves the report too', async () => {
    const at = await published(wrong)
    const results = [{ name: 'Potassium', unit: 'mmol/L', status: 'withdrawn' }]
    expect((await lab({ kitID: at.kitID, results })).reports[0].withdrawn).toEqual(['potassium'])
    expect(ids(await read(at))).not.toContain('potassium')
  })
})

describe('a result that FHIR takes back', () => {
  const observation = (status: string, value?: number) => ({
    resourceType: 'Observation',
    id: 'o1',
    status,
    code: { coding: [{ system: 'http://loinc.org', code: '2345-7', display: 'Glucose' }] },
    ...(value !== undefined && {
      valueQuantity: { value, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
    }),
  })
  const report = (kitID: string, status: string, contained: object[]) =>
    JSON.stringify({
      resourceType: 'DiagnosticReport',
      status,
      identifier: [{ value: kitID }],
      code: { text: 'Panel' },
      effectiveDateTime: sinceWritten('2026-04-01T08:00:00Z'),
      contained,
      result: contained.map(() => ({ reference: '#o1' })),
    })

  it.each([
    ['an Observation entered in error', 'amended', [observation('entered-in-error', 401)]],
    ['a cancelled Observation', 'amended', [observation('cancelled')]],
    ['a report entered in error', 'entered-in-error', [observation('final', 401)]],
  ])('as %s leaves the published report at once', async (_, status, contained) => {
    const at = await published(wrong)
    const { reports } = await lab(report(at.kitID, status, [...contained]), 'application/fhir+json')
    expect(reports[0]).toMatchObject({ status: 'reported', withdrawn: ['glucose'] })
    expect(ids(await read(at))).toEqual(expect.not.arrayContaining(['glucose', 'homa_ir']))
  })

  it('as a whole report without its results waits for a person, who takes everything back', async () => {
    const at = await published(wrong)
    const { reports } = await lab(report(at.kitID, 'entered-in-error', []), 'application/fhir+json')
    expect(reports[0]).toMatchObject({ status: 'waiting', reason: expect.stringContaining('cannot be told') })
    expect((await read(at)).details.version).toBe(1)
    await lab({ kitID: at.kitID }, undefined, `/lab/messages/${reports[0].messageID}/assign`)
    expect(ids(await read(at))).toEqual([])
  })
})

describe('a withdrawal that could mean several things', () => {
  it('of an unknown name waits for a person; what is certain leaves at once', async () => {
    const at = await published(wrong)
    const rows = [
      { name: 'potassium', value: '7.9', status: 'W' },
      { name: 'L77^Sugar thing^99LAB', value: '401', status: 'W' },
    ]
    const { reports } = await lab(oru(at.kitID, rows))
    expect(reports[0]).toMatchObject({ status: 'reported', withdrawn: ['potassium'] })
    expect(reports[0]).toMatchObject({
      messageID: expect.any(String),
      reason: expect.stringContaining('cannot be told'),
    })
    expect(ids(await read(at))).toContain('glucose')
    expect(ids(await read(at))).not.toContain('potassium')
  })

  it('of another value than the report shows waits: the messages may have overtaken one another', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: '90' }], 'C'))
    const { reports } = await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }]))
    expect(reports[0]).toMatchObject({ status: 'waiting', messageID: expect.any(String) })
    expect(marker(await read(at), 'glucose')).toMatchObject({ result: 90 })
    await lab({ kitID: at.kitID }, undefined, `/lab/messages/${reports[0].messageID}/assign`)
    expect(ids(await read(at))).not.toContain('glucose')
  })

  it('of another value waits also where the numbers have decimal commas', async () => {
    const at = await published([{ name: 'glucose', value: '5,1', unit: 'mmol/L' }])
    const taking = (value: string) => lab(oru(at.kitID, [{ name: 'glucose', value, unit: 'mmol/L', status: 'W' }]))
    expect((await taking('5,3')).reports[0]).toMatchObject({ status: 'waiting', messageID: expect.any(String) })
    expect((await taking('5,1')).reports[0]).toMatchObject({ status: 'reported', withdrawn: ['glucose'] })
  })

  it('waits, and what else came with it is kept', async () => {
    const at = await published(wrong)
    const { reports } = await lab(oru(at.kitID, [{ name: 'glucose', value: '400', status: 'W' }, reactive]))
    expect(reports[0]).toMatchObject({ status: 'waiting', messageID: expect.any(String) })
    expect(await unassessedOf(at.kitID)).toMatchObject([{ name: 'HIV', critical: true }])
  })

  it('of what the kit does not have yet waits until it has it, also when a person puts it on the kit', async () => {
    const at = await registered()
    const { reports } = await lab(oru(at.kitID, [{ name: 'glucose', value: '401', status: 'W' }, reactive]))
    const { status, messageID } = reports[0]
    expect([status, await stillWaits(messageID)]).toEqual(['waiting', true])
    await assign(messageID, at.kitID)
    expect(await stillWaits(messageID)).toBe(true)
    expect(await unassessedOf(at.kitID)).toMatchObject([{ name: 'HIV' }])
    await lab(oru(at.kitID, wrong))
    expect(await assign(messageID, at.kitID)).toMatchObject({ status: 'reported', withdrawn: ['glucose'] })
    expect(await stillWaits(messageID)).toBe(false)
  })

  it('of a result that is still to come, or of another specimen, takes nothing back', async () => {
    const at = await published(wrong)
    await lab(
      oru(at.kitID, [
        { name: 'glucose', value: '', status: 'I' },
        { name: 'sodium', value: '140' },
      ]),
    )
    await lab(
      oru(at.kitID, [
        { name: '2349-9^Glucose, urine^LN', value: '', status: 'X' },
        { name: 'sodium', value: '140' },
      ]),
    )
    expect(ids(await read(at))).toContain('glucose')
  })
})

describe('a sample that turns out to be spoilt', () => {
  it('takes a published report back to a person, also when the message names another test only', async () => {
    const at = await published(wrong)
    const body = {
      kitID: at.kitID,
      specimenErrors: ['HEMOLYSIS'],
      results: [{ name: 'Sodium', value: 140, unit: 'mmol/L' }],
    }
    await lab(body)
    const response = await at.clinic.live.get(path(at))
    expect(response.status).toBe(404)
    expect(response.text).not.toContain('7.9')
  })

  it('takes it back also where the message has words on hemolysis in place of another result', async () => {
    const at = await published(wrong)
    await lab(oru(at.kitID, [{ name: 'glucose', value: 'HEMOLYZED', type: 'ST' }]))
    expect((await at.clinic.live.get(path(at))).status).toBe(404)
  })
})

describe('what was read and counts no more', () => {
  const lipids = [
    { name: 'LDL Cholesterol', value: 97.31, unit: 'mg/dL' },
    { name: 'HDL Cholesterol', value: 55.13, unit: 'mg/dL' },
    { name: 'Triglycerides', value: 121.7, unit: 'mg/dL' },
    { name: 'Potassium', value: 4.1, unit: 'mmol/L' },
  ]
  const send = (kitID: string, more: object) => lab({ kitID, ...more })
  const address = ({ kitID }: Published) => `${kitID.toLowerCase()}@example.test`
  const told = async (at: Published) =>
    (await recipients(world).emailsTo(address(at))).filter(({ kind }) => kind === 'report_corrected')

  async function read1(): Promise<Published> {
    const at = await registered(await automatic())
    const { reports } = await send(at.kitID, { results: lipids })
    await at.clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
    const [{ reportID: reportId }] = reports
    expect((await at.clinic.live.get(path({ ...at, reportId }))).status, JSON.stringify(reports)).toBe(200)
    return { ...at, reportId }
  }
  const replaced = { results: [{ name: 'LDL Cholesterol', value: 143.77, unit: 'mg/dL' }] }
  const hdlGone = { results: [{ name: 'HDL Cholesterol', unit: 'mg/dL', status: 'withdrawn' }] }

  it('is said to its person and its business once, also where a later version waits', async () => {
    const at = await read1()
    await send(at.kitID, replaced)
    expect((await at.clinic.live.get(path(at))).status).toBe(200)
    expect(await eventsOf(at.kitID, 'result.withdrawn')).toEqual([])
    await send(at.kitID, hdlGone)
    expect((await at.clinic.live.get(path(at))).body.error).toContain('cannot be read for now')
    const events = await eventsOf(at.kitID, 'result.withdrawn')
    expect(events).toMatchObject([{ version: 3, status: 'inReview', results: [{ biomarker: 'hdl' }, {}, {}] }])
    expect(await told(at)).toHaveLength(1)
    await send(at.kitID, { results: [{ name: 'Sodium', value: 140, unit: 'mmol/L' }] })
    expect(await eventsOf(at.kitID, 'result.withdrawn')).toEqual(events)
    expect(await told(at)).toHaveLength(1)
  })

  it('is said of all of it where the sample is in doubt', async () => {
    const at = await read1()
    await send(at.kitID, { specimenErrors: ['HEMOLYSIS'], results: [{ name: 'Sodium', value: 140, unit: 'mmol/L' }] })
    expect((await at.clinic.live.get(path(at))).status).toBe(404)
    const [event, ...others] = await eventsOf(at.kitID, 'result.withdrawn')
    expect(others).toEqual([])
    expect(event.results.map(({ biomarker }: { biomarker: string }) => biomarker)).toEqual(
      expect.arrayContaining(['ldl', 'hdl', 'triglycerides']),
    )
    expect(await told(at)).toHaveLength(1)
  })

  it('is read nowhere once it turns out to be the result of another person, though it replaced one', async () => {
    const at = await read1()
    const other = { name: 'Ivo Beispiel', dateOfBirth: '1971-03-03' }
    const theirs = { results: [{ name: 'LDL Cholesterol', value: 144.4, unit: 'mg/dL', status: 'corrected' }] }
    const [{ messageID }] = (await send(at.kitID, { patient: other, ...theirs })).reports
    const assign = async () => {
      await lab({ kitID: at.kitID, differences: ['name', 'dateOfBirth'] }, '', `/lab/messages/${messageID}/assign`)
      expect((await at.clinic.live.post(`/reports/${at.reportId}/publish`)).status).toBe(200)
    }
    await assign()
    expect(marker(await read(at), 'ldl')).toMatchObject({ rawText: '144.4' })
    await lab({}, '', `/lab/messages/${messageID}/undo`)
    const report = await read(at)
    expect(report.details).toMatchObject({ version: 3, versions: [1, 3], latestVersion: 3 })
    expect(marker(report, 'ldl')).toMatchObject({ rawText: '97.31' })
    const events = await eventsOf(at.kitID, 'result.withdrawn')
    expect(events).toHaveLength(1)
    expect(events[0].results.map(({ biomarker }: { biomarker: string }) => biomarker)).toContain('ldl')
    expect((await at.clinic.live.get(`${path(at)}?version=2`)).status).toBe(404)
    const everywhere = [
      (await at.clinic.live.get(path(at))).text,
      (await at.clinic.live.get(path(at), { accept: FHIR })).text,
    ]
    for (const text of everywhere) expect(text).not.toContain('144.4')
    expect((await told(at)).length).toBe(2)
    // Where a later version waits, the report is hidden, and that is said.
    await assign()
    const sent = await send(at.kitID, { results: [{ name: 'Potassium', value: 5.7, unit: 'mmol/L' }] })
    expect((await read(at)).labParamsError, JSON.stringify(sent)).toEqual(['Later Version In Review'])
    await lab({}, '', `/lab/messages/${messageID}/undo`)
    expect((await at.clinic.live.get(path(at))).status).toBe(404)
    expect(await eventsOf(at.kitID, 'result.withdrawn')).toHaveLength(2)
    expect(await told(at)).toHaveLength(4)
  })
})
