import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { grace, recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let operator: Operator
let at: ReturnType<typeof recipients>

beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  operator = await operatorWith(world, ['lab', 'fulfilment', 'review', 'audit'])
  clinic = await world.business({ credits: 100 })
})
afterAll(() => world.stop())

const set = (change: object) => clinic.live.request('PATCH', '/settings', change)

async function registered() {
  const kitID = await at.newKit(clinic)
  const dateOfBirth = `${grace.year}-${grace.month}-0${grace.day}`
  const who = { firstName: 'Grace', lastName: 'Hopper', email: at.newEmail(), dateOfBirth, sex: 'F' }
  const { status, body, text } = await clinic.live.post(`/kits/${kitID}/register`, who)
  expect(status, text).toBe(200)
  return { kitID, customerID: Number(body.customerId) }
}

let last = 0
interface Line {
  code: string
  value: number | string
  unit?: string
  range?: string
  flag?: string
  status?: string
  notes?: string[]
}
const ldl = (value: number, more: Partial<Line> = {}): Line => ({
  code: '13457-7^LDL^LN',
  value,
  unit: 'mg/dL',
  ...more,
})
const potassium = (value: number, more: Partial<Line> = {}): Line => ({
  code: '2823-3^Potassium^LN',
  value,
  unit: 'mmol/L',
  ...more,
})
const dust = (value: number | string, more: Partial<Line> = {}): Line => ({ code: '99999-9^Moon Dust', value, ...more })

/** A laboratory's message for a kit. */
async function send(
  kitID: string,
  lines: Line[],
  { name = 'Hopper^Grace', beside = [] as string[], order = [] as string[] } = {},
) {
  last += 1
  const born = `${grace.year}${grace.month}0${grace.day}`
  const now = new Date(Date.now() - 60_000 + last * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  const [pid, obr] = [
    name === 'Hopper^Grace' ? `PID|1||X||${name}||${born}|F` : `PID|1||X||${name}||19700101|M`,
    `OBR|1|${kitID}|A${kitID}|24331-1^Panel^LN|||20261128083000|||||||||||||||${now}|||F`,
  ]
  const message = [
    `MSH|^~\\&|LAB|X|KITLANE|Y|${now}||ORU^R01|BY${last}|P|2.5.1`,
    pid,
    obr,
    ...order,
    ...lines.flatMap(({ code, value, unit = '', range = '', flag = '', status = 'F', notes = [] }, index) => [
      `OBX|${index + 1}|${typeof value === 'number' ? 'NM' : 'ST'}|${code}||${value}|${unit}|${range}|${flag}|||${status}`,
      ...notes.map((note) => `NTE|1||${note}`),
    ]),
    ...beside,
  ].join('\r')
  const { body, text } = await operator('POST', '/lab/results', message, { 'content-type': 'application/hl7-v2' })
  expect(body.reports, text).toHaveLength(1)
  return body.reports[0]
}

const statusOf = async (reportID: string) => (await clinic.live.get(`/reports/${reportID}`)).body.status
const read = (customerID: number, reportID: string, query = '') =>
  clinic.live.get(`/customers/${customerID}/reports/${reportID}${query}`)
const until = () => new Date(Date.now() + 86_400_000).toISOString()
const hold = (reportID: string) =>
  operator('POST', `/reports/${reportID}/hold`, { reason: 'A call', untilDate: until() })

describe('an acknowledgement', () => {
  beforeEach(() => set({ publishing: 'auto', publishAcknowledged: true }))

  /** Puts a message of somebody else on a kit, as a person who saw the differences. */
  async function assign(kitID: string, lines: Line[]) {
    const { messageID } = await send(kitID, lines, { name: 'Quite^Other' })
    const differences = ['name', 'dateOfBirth', 'sex']
    const { body, text } = await operator('POST', `/lab/messages/${messageID}/assign`, { kitID, differences })
    expect(body.reportID, text).toBeDefined()
    return body.reportID
  }

  it('publishes a report that waited for nothing else', async () => {
    const { kitID } = await registered()
    const { reportID } = await send(kitID, [ldl(97.31), potassium(7.9)])
    expect(await statusOf(reportID)).toBe('inReview')
    await readBackAll(clinic.live.request, reportID)
    expect(await statusOf(reportID)).toBe('published')
  })

  it('publishes nothing of a message about somebody else, neither as the first version nor behind one that is read', async () => {
    const first = await registered()
    const reportID = await assign(first.kitID, [ldl(144.4), potassium(7.9)])
    await readBackAll(clinic.live.request, reportID)
    expect((await read(first.customerID, reportID)).status).toBe(404)
    // Nor does a later message of the right person, or its acknowledgement.
    await send(first.kitID, [{ code: '2345-7^Glucose^LN', value: 401, unit: 'mg/dL' }])
    await readBackAll(clinic.live.request, reportID)
    await send(first.kitID, [{ code: '2085-9^HDL^LN', value: 55.13, unit: 'mg/dL' }])
    expect(await statusOf(reportID)).toBe('inReview')
    const second = await registered()
    expect((await send(second.kitID, [ldl(97.31)])).status).toBe('reported')
    const other = await assign(second.kitID, [potassium(7.9)])
    await readBackAll(clinic.live.request, other)
    const { body } = await read(second.customerID, other)
    expect(body.biomarker.map(({ id }: { id: string }) => id)).toEqual(['ldl'])
  })

  it.each<[string, Line[], Parameters<typeof send>[2]]>([
    ['haemolysis', [potassium(7.9, { notes: ['Specimen is grossly hemolyzed'] })], {}],
    ['annulled', [ldl(97.31), potassium(7.9)], { order: ['NTE|1||Sample mislabeled, results must not be used'] }],
    ['partAboveWhole', [ldl(190), { code: '2093-3^Cholesterol^LN', value: 150, unit: 'mg/dL' }, potassium(7.9)], {}],
  ])('publishes nothing that the check %s holds', async (code, lines, more) => {
    const { kitID } = await registered()
    const first = await send(kitID, lines)
    const reportID = (await send(kitID, lines, more)).reportID ?? first.reportID
    const { checks } = (await operator('GET', `/reports/${reportID}`)).body
    expect(checks).toEqual(expect.arrayContaining([expect.objectContaining({ code, holds: true })]))
    await readBackAll(clinic.live.request, reportID)
    expect(await statusOf(reportID)).toBe('inReview')
  })

  it('publishes nothing of what replaced a value without a word, also after more came', async () => {
    const { kitID, customerID } = await registered()
    const { reportID } = await send(kitID, [ldl(97.31)])
    await send(kitID, [ldl(143.7), potassium(7.9)])
    await readBackAll(clinic.live.request, reportID)
    await send(kitID, [{ code: '2085-9^HDL^LN', value: 55.13, unit: 'mg/dL' }])
    const { body } = await read(customerID, reportID)
    expect(body.details.version).toBe(1)
    expect(await statusOf(reportID)).toBe('inReview')
  })

  it('publishes nothing after the rejection of the sample was undone, nor a later message what a reviewer holds', async () => {
    const { kitID } = await registered()
    const { reportID } = await send(kitID, [ldl(97.31), potassium(7.9)])
    await operator('POST', '/samples/reject', { kitID, reason: 'clotted' })
    await operator('POST', '/samples/undo-rejection', { kitID })
    await readBackAll(clinic.live.request, reportID)
    expect(await statusOf(reportID)).toBe('inReview')
    const held = await registered()
    const one = await send(held.kitID, [ldl(97.31), potassium(7.9)])
    expect((await hold(one.reportID)).status).toBe(200)
    await send(held.kitID, [potassium(4.1, { status: 'C' })])
    expect(await statusOf(one.reportID)).toBe('inReview')
  })
})

it('a report is published by what is listed here, and by nothing else', () => {
  const root = new URL('../../src/', import.meta.url)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const calls = /\b(publishReviewedReport|publishIfWaiting|announceVersion|announceReport|markReportPublished)\(/
  const found = files.filter((path) => {
    const lines = readFileSync(new URL(path, root), 'utf8').split('\n')
    return lines.some((line) => calls.test(line) && !/function /.test(line))
  })
  const byAPerson = [
    'cli/demo-company.ts',
    'cli/report.ts',
    'modules/reports/routes.ts',
    'modules/reports/versions/publish.ts',
  ]
  // By `publishesItself`, or by the mark that it left; the other three keep what is published published.
  const byItself = ['from-data', 'receive'].map((name) => `modules/reports/versions/${name}.ts`)
  const stays = ['amend', 'rejudge', 'take-back'].map((name) => `modules/reports/versions/${name}.ts`)
  const all = [...byAPerson, ...byItself, ...stays, 'modules/reports/critical/service.ts']
  expect(found.toSorted()).toEqual(all.toSorted())
})

describe('a reviewer who holds a report while another publishes it', () => {
  it('wins or loses: never do both succeed', async () => {
    await set({ publishing: 'manual' })
    for (let round = 0; round < 8; round++) {
      const { kitID } = await registered()
      const { reportID } = await send(kitID, [ldl(97.31)])
      const both = await Promise.all([operator('POST', `/reports/${reportID}/publish`, {}), hold(reportID)])
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    }
  })
})

describe('a published version', () => {
  beforeEach(() => set({ publishing: 'manual', publishAcknowledged: false }))

  const rest: Line[] = [
    { code: '2085-9^HDL^LN', value: 55.13, unit: 'mg/dL' },
    { code: '2571-8^Triglycerides^LN', value: 121.7, unit: 'mg/dL' },
  ]
  async function published(more: Line[] = []) {
    const { kitID, customerID } = await registered()
    const { reportID } = await send(kitID, [ldl(97.31), ...rest, ...more])
    expect((await clinic.live.post(`/reports/${reportID}/publish`)).status).toBe(200)
    return { kitID, customerID, reportID }
  }
  type Story = Awaited<ReturnType<typeof published>>

  /** All that readers get of a report, as text; without the times of the answers. */
  async function everything({ customerID, reportID }: Story): Promise<string> {
    const path = `/customers/${customerID}/reports/${reportID}`
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const [json, first, fhir, pdf] = await Promise.all([
      clinic.live.get(path),
      clinic.live.get(`${path}?version=1`),
      clinic.live.get(path, { accept: FHIR }),
      fetch(`${world.service.url}/api/v1${path}`, { headers }),
    ])
    expect([json.status, first.status, fhir.status, pdf.status]).toEqual([200, 200, 200, 200])
    return [json.text, first.text, fhir.text, (await readPdf(Buffer.from(await pdf.arrayBuffer()))).text].join(' ')
  }
  const waiting = async (kitID: string) => (await clinic.live.get(`/unassessed-results?kitID=${kitID}`)).body.data
  const eventsOf = async (type: string, kitID: string) => {
    await world.settled()
    const { data } = (await clinic.live.get(`/events?size=250&type=${type}`)).body
    return data.map((event: { data: object }) => event.data).filter((one: { kitID: string }) => one.kitID === kitID)
  }

  it('does not change by what comes later and cannot be judged: it waits, and comes with the next version', async () => {
    const story = await published()
    await send(story.kitID, [dust(12.345)])
    await send(story.kitID, [{ code: '99998-1^Star Dust', value: 67.89, flag: 'HH' }])
    expect(await everything(story)).not.toMatch(/12\.345|67\.89|Dust/)
    expect(await waiting(story.kitID)).toMatchObject([{ name: 'Star Dust' }, { name: 'Moon Dust' }])
    await send(story.kitID, [{ code: '2345-7^Glucose^LN', value: 91.3, unit: 'mg/dL' }])
    const { body } = await read(story.customerID, story.reportID)
    expect([body.details.version, body.unassessed.map(({ value }: { value: string }) => value)]).toEqual([
      2,
      ['12.345'],
    ])
    expect((await read(story.customerID, story.reportID, '?version=1')).text).not.toContain('12.345')
    expect(await everything(story)).not.toContain('67.89')
  })

  it('says with an event, a new version and a mark on the old one that what could not be judged was taken back', async () => {
    const story = await published([dust(12.345)])
    expect(await everything(story)).toContain('12.345')
    await send(story.kitID, [dust(12.345, { status: 'W' })])
    const { body } = await read(story.customerID, story.reportID)
    expect(body).toMatchObject({ unassessed: [], details: { version: 2, vendorStatus: 'corrected' } })
    expect(body.details.withdrawn).toMatchObject([{ label: 'Moon Dust' }])
    const first = (await read(story.customerID, story.reportID, '?version=1')).body
    expect(first.unassessed).toMatchObject([{ value: '12.345', reason: expect.stringContaining('do not rely') }])
    const [event, ...others] = await eventsOf('result.withdrawn', story.kitID)
    expect(others).toEqual([])
    expect(event.results).toMatchObject([{ biomarker: first.unassessed[0].id }])
    expect(await eventsOf('report.published', story.kitID)).toMatchObject([{ version: 1 }, { version: 2 }])
  })

  it('forgets without a sign what is taken back before anybody could read it', async () => {
    const story = await published()
    await send(story.kitID, [dust(12.345)])
    await send(story.kitID, [dust(12.345, { status: 'W' })])
    expect(await waiting(story.kitID)).toEqual([])
    expect((await read(story.customerID, story.reportID)).body.details.version).toBe(1)
    expect(await eventsOf('result.withdrawn', story.kitID)).toEqual([])
  })

  it('is followed by none with a value whose own note forbids its use, whoever reads it', async () => {
    const story = await published()
    await send(story.kitID, [ldl(143.7, { status: 'C', notes: ['Sample mislabeled, results must not be used'] })])
    const { body } = await read(story.customerID, story.reportID)
    expect([body.details.version, body.unassessed]).toEqual([2, []])
    expect(body.details.withdrawn).toMatchObject([{ biomarker: 'ldl' }, { biomarker: 'ldl_hdl_ratio' }])
    expect(await everything(story)).not.toMatch(/143[.,]7/)
    expect(await waiting(story.kitID)).toMatchObject([{ code: 'annulled', value: '143.7' }])
    // Nor one that a reviewer has seen with the report.
    const other = await registered()
    const { reportID } = await send(other.kitID, [
      ...rest,
      ldl(143.7, { notes: ['LDL cholesterol is invalid and must not be used'] }),
    ])
    expect((await operator('GET', `/reports/${reportID}`)).text).toContain('143.7')
    expect((await clinic.live.post(`/reports/${reportID}/publish`)).status).toBe(200)
    const seen = await everything({ ...other, reportID })
    expect(seen).not.toMatch(/143[.,]7/)
    expect((await read(other.customerID, reportID)).body.unassessed).toMatchObject([{ code: 'annulled', value: '' }])
  })

  it('is corrected by a result that is, also in the JSON of a laboratory that has more to send', async () => {
    const { kitID, customerID } = await registered()
    const post = (body: object) => operator('POST', '/lab/results', { kitID, ...body })
    const [one] = (await post({ results: [{ name: 'LDL Cholesterol', value: 97.31, unit: 'mg/dL' }] })).body.reports
    expect((await clinic.live.post(`/reports/${one.reportID}/publish`)).status).toBe(200)
    await post({ results: [{ name: 'LDL Cholesterol', value: 143.7, unit: 'mg/dL', status: 'corrected' }] })
    const { details } = (await read(customerID, one.reportID)).body
    expect(details).toMatchObject({ version: 2, vendorStatus: 'corrected', reason: 'Corrected by the laboratory' })
    const all = await everything({ kitID, customerID, reportID: one.reportID })
    expect(all).toContain('Corrected laboratory report')
    expect(all).toMatch(/"resourceType":"DiagnosticReport"[^{}]*?"status":"corrected"|"status":"corrected"/)
  })

  it('is marked in the export of the data, too, while a later one waits', async () => {
    const story = await published()
    await send(story.kitID, [ldl(143.7)])
    expect((await read(story.customerID, story.reportID)).body.labParamsError).toEqual(['Later Version In Review'])
    const { reports } = (await clinic.live.get(`/customers/${story.customerID}/export`)).body
    expect(reports[0].versions.map((one: { labParamsError: string[] }) => one.labParamsError)).toEqual([
      ['Later Version In Review'],
      [],
    ])
  })
})
