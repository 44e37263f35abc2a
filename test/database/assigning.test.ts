import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import type { Caller } from '../harness/caller.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person as signedPerson, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let own: Caller
let lab: Operator
let review: Operator
beforeAll(async () => {
  world = await sharedWorld()
  lab = await operatorWith(world, ['lab', 'review'])
  review = await operatorWith(world, ['review'])
  clinic = await world.business({ credits: 100 })
  await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    configure(tx, clinic.id, { uploadsEnabled: true, publishing: 'auto' }),
  )
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, clinic.id)).live, {
      name: 'reviewer',
      scopes: ['reports:read', 'reports:review', 'customers:read', 'customers:write'],
    }),
  )
  own = world.as(token)
})
afterAll(() => world.stop())

const person = { firstName: 'Jamie', lastName: 'Doe', email: 'jd@example.test', dateOfBirth: '1980-02-03', sex: 'F' }
const GLUCOSE = { name: 'Glucose', value: 91, unit: 'mg/dL' }
const DUST = { name: 'Ferri dust', value: 80, unit: 'ng/mL', rangeText: '15-150', flag: 'N' }

interface Sent {
  kitID: string
  customerId: number
  reportID: string
}

/** Sends results for a new kit, or for this one. */
async function sent(results: object[], kit?: Pick<Sent, 'kitID' | 'customerId'>): Promise<Sent> {
  const { kitID, customerId } = kit ?? (await registered())
  const { status, text, body } = await lab('POST', '/lab/results', { kitID, results })
  expect(status, text).toBe(200)
  return { kitID, customerId, reportID: body.reports[0].reportID }
}

let people = 0
/** Whose values cannot contradict those of an earlier kit. */
const anotherPerson = () => registered(`another${++people}@people.test`)

async function registered(email = person.email, who: Partial<typeof person> = {}) {
  const { orderId } = (await clinic.live.post('/create-order', { ...anOrder(), isNotifyReceiver: true })).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const { customerId } = (await clinic.live.post(`/kits/${kitID}/register`, { ...person, ...who, email })).body
  return { kitID, customerId }
}

const waitingOf = async (kitID: string, state = 'open') =>
  (await review('GET', `/unassessed-results?kitID=${kitID}&state=${state}`)).body.data
const assign = (id: string, body: object) =>
  own.post(`/unassessed-results/${id}/assign`, { reason: 'Read on their site', ...body })
const read = async ({ customerId, reportID }: Sent) =>
  (await clinic.live.get(`/customers/${customerId}/reports/${reportID}`)).body
const marker = (report: { biomarker: { id: string }[] }, id: string) => report.biomarker.find((one) => one.id === id)

describe('a result that waits', () => {
  it('that a person assigns to a biomarker is judged in a new version, as if it had been understood', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    const { status, body } = await assign(id, { biomarker: 'ferritin' })
    expect([status, body]).toEqual([200, { id, state: 'closed', reportID: at.reportID, version: 2 }])
    const report = await read(at)
    expect(marker(report, 'ferritin')).toMatchObject({ result: 80, unit: 'ng/mL', rawText: '80', labFlag: 'N' })
    expect(marker(report, 'ferritin')).not.toMatchObject({ state: 'unknown' })
    expect(marker(report, 'glucose')).toMatchObject({ result: 91 })
    expect(report.unassessed).toEqual([])
    expect(report.details).toMatchObject({ version: 2, reason: expect.stringContaining('a person assigned it') })
    const first = await clinic.live.get(`/customers/${at.customerId}/reports/${at.reportID}?version=1`)
    expect(first.body.unassessed).toMatchObject([{ name: 'Ferri dust', value: '80', id }])
  })

  it('shows who assigned it, to what and why, and the audit has it without a value', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    await assign(id, { biomarker: 'ferritin' })
    const [closed] = await waitingOf(at.kitID, 'closed')
    expect(closed).toMatchObject({ outcome: 'assigned', assigned: 'ferritin', note: 'Read on their site' })
    expect(closed.closedBy).toMatch(/\w/)
    const admin = (await signIn(world, await signedPerson(world, 'business-admin', clinic))).in(clinic)
    const { body } = await admin.get(`/audit?action=unassessed_result.assigned&objectID=${id}`)
    expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
      { biomarker: 'ferritin', reportId: at.reportID, version: 2 },
    ])
  })

  it.each([
    ['a unit that cannot be converted', { ...DUST, unit: 'furlong' }, { biomarker: 'ferritin' }, 'cannot be converted'],
    ['no unit, and none is stated', { ...DUST, unit: '' }, { biomarker: 'ferritin' }, 'No unit was sent'],
    ['another unit than was sent', DUST, { biomarker: 'ferritin', unit: 'ug/L' }, 'cannot be replaced'],
    ['a value that cannot be right', { ...DUST, value: 900_000 }, { biomarker: 'ferritin' }, 'cannot be right'],
    ['a biomarker that is not in the catalogue', DUST, { biomarker: 'moon' }, 'no such biomarker'],
    ['a biomarker that the report has', DUST, { biomarker: 'glucose' }, 'has a result of this biomarker'],
    ['other digits than were sent', { ...DUST, value: '8,2' }, { biomarker: 'ferritin', value: 8.3 }, 'other digits'],
    ['a sign that was not sent', DUST, { biomarker: 'ferritin', value: '<80' }, 'sign'],
    ['a word for a number', { ...DUST, value: 'plenty' }, { biomarker: 'ferritin' }, 'Say the number'],
    ['a number that could be two', { ...DUST, value: '1,250' }, { biomarker: 'ferritin' }, 'Say the number'],
  ])('is not assigned with %s, and the refusal says so', async (_, result, body, words) => {
    const at = await sent([GLUCOSE, result])
    const [{ id }] = await waitingOf(at.kitID)
    const refused = await assign(id, body)
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(refused.text).toContain(words)
    expect(await waitingOf(at.kitID)).toHaveLength(1)
    expect((await read(at)).details.version).toBe(1)
  })

  it.each([
    ['6,2', 6.2, 6.2],
    ['↑ 112', 112, 112],
    ['139*', 139, 139],
    ["1'250", 1250, 1250],
    ['1,250', '1.25', 1.25],
  ])(
    'whose value %s is no plain number keeps it as sent, and counts as the number that the person says',
    async (...[value, stated, result]) => {
      const at = await sent([GLUCOSE, { name: 'Ferri dust', value, unit: 'ng/mL' }], await anotherPerson())
      const [{ id }] = await waitingOf(at.kitID)
      const { status, text } = await assign(id, { biomarker: 'ferritin', value: stated })
      expect(status, text).toBe(200)
      expect(marker(await read(at), 'ferritin')).toMatchObject({ result, rawText: value })
    },
  )

  it('without a unit counts in the one that the person says', async () => {
    const at = await sent([GLUCOSE, { ...DUST, unit: '' }], await anotherPerson())
    const [{ id }] = await waitingOf(at.kitID)
    expect((await assign(id, { biomarker: 'ferritin', unit: 'ng/mL' })).status).toBe(200)
    expect(marker(await read(at), 'ferritin')).toMatchObject({ result: 80 })
  })

  it('alone makes the report of its kit', async () => {
    const kit = await registered()
    await sent([DUST], kit)
    const [{ id }] = await waitingOf(kit.kitID)
    const { body } = await assign(id, { biomarker: 'ferritin' })
    expect(body).toMatchObject({ version: 1, reportID: expect.any(String) })
    expect(marker(await read({ ...kit, reportID: body.reportID }), 'ferritin')).toMatchObject({ result: 80 })
  })

  it('that was critical leaves its report in review, for a person who tells somebody', async () => {
    const at = await sent([GLUCOSE, { ...DUST, value: 4000, flag: 'HH' }])
    const [{ id }] = await waitingOf(at.kitID)
    expect((await assign(id, { biomarker: 'ferritin' })).status).toBe(200)
    expect((await clinic.live.get(`/customers/${at.customerId}/reports/${at.reportID}`)).status).toBe(404)
    const publish = await own.post(`/reports/${at.reportID}/publish`, {})
    expect(publish.body.code).toBe('CRITICAL_NOT_NOTIFIED')
  })

  it('of data that a business added stands in its report, which comes about with it where there was none', async () => {
    const { id: userId } = (await clinic.live.post('/customer', { email: 'ann@example.test', name: 'Ann Doe' })).body
    const add = (biomarkerData: object[]) =>
      clinic.live.post('/customer/add-data', { type: 'test', userId, date: '2026-01-05', biomarkerData })
    const dust = { name: 'Ferri dust', result: 80, unit_of_measure: 'ng/mL' }
    const made = (await add([{ name: 'Glucose', result: 91, unit_of_measure: 'mg/dL' }, dust])).body
    const waiting = async () =>
      (await own.get('/unassessed-results?size=250')).body.data.filter(
        ({ customerID }: { customerID: number }) => customerID === userId,
      )
    const [{ id, reportID }] = await waiting()
    expect(reportID).toBe(made.reportId)
    expect((await assign(id, { biomarker: 'ferritin' })).body).toMatchObject({ reportID, version: 2 })
    const amended = (await clinic.live.get(`/customers/${userId}/reports/${reportID}`)).body
    expect(amended.biomarker.map((one: { id: string }) => one.id).sort()).toEqual(['ferritin', 'glucose'])
    expect(
      (await add([dust, { ...dust, name: 'Tee ess aitch', result: 2.1, unit_of_measure: 'mIU/L' }])).body,
    ).not.toHaveProperty('reportId')
    const alone = await waiting()
    const first = (await assign(alone[0].id, { biomarker: 'ferritin' })).body
    const second = (await assign(alone[1].id, { biomarker: 'tsh' })).body
    expect([first.version, second.version, second.reportID]).toEqual([1, 2, first.reportID])
    const { details } = (await clinic.live.get(`/customers/${userId}/reports/${first.reportID}`)).body
    expect(details.collectedDate).toContain('2026-01-05')
  })

  it('that was assigned and comes again with another value leaves the report at once, and the new one waits', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    await assign(id, { biomarker: 'ferritin' })
    await sent([GLUCOSE, DUST], at)
    expect(marker(await read(at), 'ferritin')).toMatchObject({ result: 80 })
    expect(await waitingOf(at.kitID)).toEqual([])
    await sent([{ ...DUST, value: 8 }], at)
    const report = await read(at)
    expect(marker(report, 'ferritin')).toBeUndefined()
    expect(report.details.withdrawn).toMatchObject([{ biomarker: 'ferritin' }])
    expect(await waitingOf(at.kitID)).toMatchObject([{ name: 'Ferri dust', value: '8' }])
    expect(report.unassessed).toMatchObject([{ value: '8' }])
  })

  it('that was assigned and is withdrawn by the name that it was sent under leaves the report at once', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    await assign(id, { biomarker: 'ferritin' })
    const { body } = await lab('POST', '/lab/results', {
      kitID: at.kitID,
      results: [{ name: 'Ferri dust', unit: '', status: 'withdrawn' }],
    })
    expect(body.reports[0]).toMatchObject({ status: 'reported', withdrawn: ['ferritin'] })
    expect(marker(await read(at), 'ferritin')).toBeUndefined()
  })

  it('is dismissed with a reason, once, and stays in its report', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    const dismiss = () => review('POST', `/unassessed-results/${id}/dismiss`, { reason: 'A header of the page' })
    expect((await dismiss()).body).toEqual({ id, state: 'closed' })
    expect((await dismiss()).body.code).toBe('RESULT_NOT_FOUND')
    expect((await assign(id, { biomarker: 'ferritin' })).body.code).toBe('RESULT_NOT_FOUND')
    expect(await waitingOf(at.kitID, 'closed')).toMatchObject([
      { outcome: 'dismissed', note: 'A header of the page', closedBy: expect.stringContaining('operator:') },
    ])
    expect((await read(at)).unassessed).toHaveLength(1)
    expect((await read(at)).details.version).toBe(1)
  })

  it('is assigned by a reviewer of the operator, too, and not by others', async () => {
    const at = await sent([GLUCOSE, DUST])
    const [{ id }] = await waitingOf(at.kitID)
    const body = { biomarker: 'ferritin', reason: 'They said so' }
    const other = await world.business()
    expect((await other.live.post(`/unassessed-results/${id}/assign`, body)).status).toBeGreaterThanOrEqual(403)
    expect((await review('POST', `/unassessed-results/${id}/assign`, body)).body).toMatchObject({ version: 2 })
  })

  it('gives its name to the catalogue, so that the next one is understood', async () => {
    const catalogue = await operatorWith(world, ['catalogue'])
    const at = await sent([GLUCOSE, { ...DUST, name: 'Eisenspeicherwert' }])
    const [{ id }] = await waitingOf(at.kitID)
    const add = (biomarker: string, of = id) =>
      catalogue('POST', `/unassessed-results/${of}/alias`, { biomarker, reason: 'Their name for it' })
    const added = await add('ferritin')
    expect(added.body).toMatchObject({ biomarker: 'ferritin', alias: 'Eisenspeicherwert' })
    expect((await add('ferritin')).body).toEqual(added.body)
    expect((await add('tsh')).body.code).toBe('VALIDATION_FAILED')
    expect((await review('POST', `/unassessed-results/${id}/alias`, { biomarker: 'tsh', reason: 'x' })).status).toBe(
      403,
    )
    const next = await sent([GLUCOSE, { ...DUST, name: 'Eisenspeicherwert' }])
    expect(marker(await read(next), 'ferritin')).toMatchObject({ result: 80 })
    const urine = await sent([GLUCOSE, { ...DUST, name: 'Urine ferri dust' }])
    const [{ id: other }] = await waitingOf(urine.kitID)
    expect((await add('ferritin', other)).text).toContain('another specimen')
  })

  it('is in FHIR with its value as text, the reason and no verdict', async () => {
    const at = await sent([GLUCOSE, { ...DUST, value: '1:320', unit: '', flag: 'H' }])
    const { text } = await clinic.live.get(`/customers/${at.customerId}/reports/${at.reportID}`, { accept: FHIR })
    const { entry } = JSON.parse(text)
    const found = entry.find(({ resource }: { resource: { code?: { text?: string } } }) =>
      resource.code?.text?.startsWith('Ferri'),
    )
    expect(found.resource).toMatchObject({
      status: 'final',
      valueString: '1:320',
      referenceRange: [{ text: '15-150' }],
      note: [{ text: 'Not assessed: The result is not a plain number.' }, { text: "The laboratory's flag: H" }],
    })
    expect(found.resource).not.toHaveProperty('interpretation')
    expect(entry[0].resource.result).toContainEqual({ reference: found.fullUrl })
  })

  it('is listed as it was sent: other names, code, status, specimen, line and place', async () => {
    const { kitID } = await registered()
    const message = [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||X||Doe^Jamie||19800203|F',
      `OBR|1|${kitID}|A1|P^Iron panel^L|||20260401083000|||||||||||||||20260402110000|||F`,
      "OBX|1|ST|FD^Ferri dust^L^9999-9^Iron dust^LN||1'250|ng/mL|15-150|H|||C",
      'SPM|1|||SER^Serum^HL70487',
    ].join('\r')
    await lab('POST', '/lab/results', message, { 'content-type': 'text/plain' })
    expect(await waitingOf(kitID)).toMatchObject([
      {
        name: 'Ferri dust',
        alsoCalled: ['Iron dust'],
        loinc: '9999-9',
        value: "1'250",
        unit: 'ng/mL',
        range: '15-150',
        flag: 'H',
        status: 'corrected',
        specimen: expect.stringContaining('Serum'),
        section: expect.stringContaining('Iron panel'),
        position: expect.stringContaining('line 4'),
        line: expect.stringContaining('OBX|1|ST'),
        collectedDate: expect.stringContaining('2026-04-01'),
      },
    ])
  })

  it('says of its document that what was counted is assessed, waiting or dismissed, whatever a person does', async () => {
    const rows = [GLUCOSE, DUST, { ...DUST, name: 'Moon dust' }, { ...DUST, name: 'Star dust' }]
    const { kitID } = await registered()
    const gone = { name: 'Sodium', unit: '', status: 'withdrawn' }
    const { body } = await lab('POST', '/lab/results', { kitID, results: [...rows, gone] })
    expect(body.reports[0].lines).toEqual({ counted: 5, assessed: 1, waiting: 3, dismissed: 1 })
    const waiting = await waitingOf(kitID)
    expect(waiting.map(({ document }: { document: object }) => document)).toMatchObject(
      Array(3).fill({ counted: 5, assessed: 1, waiting: 3, dismissed: 1 }),
    )
    const named = (name: string) => waiting.find((one: { name: string }) => one.name === name).id
    await assign(named('Ferri dust'), { biomarker: 'ferritin' })
    await own.post(`/unassessed-results/${named('Moon dust')}/dismiss`, { reason: 'Not ours' })
    expect((await waitingOf(kitID))[0].document).toMatchObject({ counted: 5, assessed: 2, waiting: 1, dismissed: 2 })
  })

  it('stands in its document with all others as they were sent, matched or not', async () => {
    const { kitID } = await sent([GLUCOSE, { ...DUST, value: '6,2' }])
    const [{ document }] = await waitingOf(kitID)
    const path = `/received-documents/${document.id}`
    const { body } = await own.get(path)
    expect(body).toMatchObject({ ...document, kitID, format: 'json' })
    expect(body.observations).toMatchObject([
      { name: 'Glucose', value: '91', unit: 'mg/dL', status: 'final', position: 'results.0', became: 'assessed' },
      { name: 'Ferri dust', value: '6,2', range: '15-150', flag: 'N', became: 'unknownName' },
    ])
    expect((await review('GET', path)).body.observations).toHaveLength(2)
    const other = await world.business()
    expect((await other.live.get(path)).status).toBeGreaterThanOrEqual(403)
    const owner = await world.owner()
    const { rows: stored } = await owner.query('select sealed from received_documents where id = $1', [document.id])
    expect(stored[0].sealed.toString('latin1')).not.toMatch(/Ferri|6,2/)
  })

  it('in a file that takes a result back waits, for the person who sees whether an earlier report shows it', async () => {
    const { id: userId } = (await clinic.live.post('/customer', { email: 'bo@example.test', name: 'Bo Doe' })).body
    const csv = ['Test,Result,Unit,Status', 'Glucose,91,mg/dL,final', 'Sodium,140,mmol/L,withdrawn'].join('\n')
    const fileBlob = `data:text/csv;base64,${Buffer.from(csv).toString('base64')}`
    const { body } = await clinic.live.post('/customer/add-data', {
      type: 'file',
      userId,
      date: '2026-01-01',
      fileBlob,
    })
    expect(body.lines).toEqual({ counted: 2, assessed: 1, waiting: 1, dismissed: 0 })
    const all = (await own.get('/unassessed-results?size=250')).body.data
    expect(all.filter((one: { customerID: number }) => one.customerID === userId)).toMatchObject([
      { name: 'Sodium', value: '140', code: 'withdrawn', reason: expect.stringContaining('took it back') },
    ])
  })
})

describe('a report with what could not be assessed', () => {
  it('has it in the PDF and on the page of the person, as it was sent and with the reason', async () => {
    const { kitID, customerId } = await registered('eve@example.test')
    const at = await sent([GLUCOSE, { ...DUST, value: '1:320', flag: 'H' }], { kitID, customerId })
    const path = `/api/v1/customers/${customerId}/reports/${at.reportID}`
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const ask = () => fetch(world.service.url + path, { headers })
    let pdf = await ask()
    // On a busy machine a document may take longer to be drawn than its request is given.
    while (pdf.status === 503) pdf = await ask()
    expect(pdf.status).toBe(200)
    const { text: printed } = await readPdf(Buffer.from(await pdf.arrayBuffer()))
    expect(printed).toMatch(
      /Not assessed .*Ferri dust 1:320 ng\/mL \(range 15-150, flag H\) The result is not a plain number/,
    )
    const pages = recipients(world)
    const [link = ''] = await pages.linksTo('eve@example.test')
    const { who } = await pages.enter(link, { day: '3', month: '2', year: '1980' })
    const { text } = await who.open(`/r/reports/${at.reportID}`)
    expect(text).toMatch(/What could not be judged .* Ferri dust 1:320 ng\/mL .*The result is not a plain number/)
  })
})

describe('a message about somebody else', () => {
  it('waits where the name is another one, though the date of birth is the same: a twin has it, too', async () => {
    const { kitID } = await registered()
    const post = async (name: string) => {
      const patient = { name, dateOfBirth: person.dateOfBirth }
      return (await lab('POST', '/lab/results', { kitID, patient, results: [GLUCOSE] })).body.reports[0]
    }
    expect(await post('Robin Roe')).toMatchObject({ status: 'waiting', reason: expect.stringContaining('The name') })
    expect(await post('Doe, Jamie Q.')).toMatchObject({ status: 'reported' })
  })

  /** Registers a kit for a person and sends a message of HL7 about it. */
  async function told(who: Partial<typeof person>, { pid = '', header = 'P', accession = 'A1' } = {}) {
    const { kitID } = await registered(`${Math.random()}@example.test`, who)
    const message = [
      `MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|${kitID}|${header}|2.5.1`,
      `PID|1||${pid || 'X||Doe^Jamie||19800203|F'}`,
      `OBR|1|${kitID}|${accession === 'A1' ? kitID : accession}|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F`,
      'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
    ].join('\r')
    const { body } = await lab('POST', '/lab/results', message, { 'content-type': 'application/hl7-v2' })
    return body.reports[0]
  }

  it.each([
    ['the other sex', 'X||Doe^Jamie||19800203|M', 'The sex'],
    ['a birth a hundred years before', 'X||Doe^Jamie||18800203|F', 'The date of birth'],
    ['another year of birth and no day', 'X||Doe^Jamie||1981|F', 'The date of birth'],
    ['another month of birth and no day', 'X||Doe^Jamie||198003|F', 'The date of birth'],
    ['the baby of the person', 'X||DOE^BABY OF JAMIE||19800203|F', 'The name'],
    ['a person who has died', `X||Doe^Jamie||19800203|F${'|'.repeat(22)}Y`, 'has died'],
  ])('waits where it names %s', async (_, pid, reason) => {
    expect(await told({}, { pid })).toMatchObject({ status: 'waiting', reason: expect.stringContaining(reason) })
  })

  it.each([
    ['the year of birth', 'X||Doe^Jamie||1980|F'],
    ['the month of birth', 'X||Doe^Jamie||19800200|F'],
    ['no sex', 'X||Doe^Jamie||19800203|U'],
  ])('counts where it says only %s, which fits', async (_, pid) => {
    expect(await told({}, { pid })).toMatchObject({ status: 'reported' })
  })

  it('waits where its numbers are those of two kits, also the one of the person', async () => {
    const { kitID } = await registered('other@example.test')
    const reason = expect.stringContaining('several kits')
    expect(await told({}, { pid: `${kitID}||Doe^Jamie||19800203|F` })).toMatchObject({ status: 'waiting', reason })
    expect(await told({}, { accession: kitID })).toMatchObject({ status: 'waiting', reason })
    expect(
      (
        await operatorWith(world, ['lab', 'fulfilment']).then((who) =>
          who('POST', '/samples/receive', { kitID, accession: `ACC-${kitID}` }),
        )
      ).status,
    ).toBe(200)
    expect(await told({}, { accession: `ACC-${kitID}` })).toMatchObject({ status: 'waiting', reason })
  })

  it.each(['T', 'D'])('waits where it is marked as no production message: %s', async (header) => {
    expect(await told({}, { header })).toMatchObject({ status: 'waiting', reason: expect.stringContaining('MSH-11') })
  })

  it.each([
    ['Jürgen', 'Müller', 'MUELLER^JUERGEN'],
    ['Jan', 'Weiß', 'WEISS^JAN'],
    ['Łukasz', 'Nowak', 'NOWAK^LUKASZ'],
    ['Søren', 'Bo', 'BO^SOREN'],
    ['Søren', 'Ågård', 'AAGAARD^SOEREN'],
    ['Đorđe', 'Ilić', 'ILIC^DJORDJE'],
    ['Işıl', 'Ay', 'AY^ISIL'],
    ['Mary', "O'Brien", 'OBRIEN^MARY'],
    ['Mary', 'O’Brien', 'O BRIEN^MARY'],
    ['Omar', 'Al-Salem', 'ALSALEM^OMAR'],
  ])('counts for %s %s as laboratories write the name: %s', async (firstName, lastName, name) => {
    const pid = `X||${name}||19800203|F`
    expect(await told({ firstName, lastName }, { pid })).toMatchObject({ status: 'reported' })
  })

  it('in a file that says the other sex waits for a person, too', async () => {
    const who = { email: 'sex@example.test', name: 'Jamie Doe', dateOfBirth: '1980-02-03', gender: 'F' }
    const { id: userId } = (await clinic.live.post('/customer', who)).body
    const message = [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|77|P|2.5.1',
      'PID|1||X||Doe^Jamie||19800203|M',
      'OBR|1||A1|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F',
      'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
    ].join('\r')
    const fileBlob = `data:application/octet-stream;base64,${Buffer.from(message).toString('base64')}`
    const sentFile = { type: 'file', userId, date: '2026-11-01', fileBlob }
    const { body } = await clinic.live.post('/customer/add-data', sentFile)
    expect(body.needsReview ?? body.review, JSON.stringify(body)).toBeTruthy()
  })
})

describe('a remark that is not known', () => {
  const SENTENCE = 'The porter whistled in the corridor'
  const remarked = (laboratory: string, comment = SENTENCE, result: object = GLUCOSE) => [
    { results: [{ ...result, comment }], origin: { laboratories: [{ name: laboratory }], specimens: [], notes: [] } },
  ]
  /** The code of what waits of a new kit, or what it was taken for. */
  async function became([body]: object[], kit?: { kitID: string; customerId: number }) {
    const { kitID, customerId } = kit ?? (await registered())
    const { status, text } = await lab('POST', '/lab/results', { kitID, ...body })
    expect(status, text).toBe(200)
    const [waiting] = await waitingOf(kitID)
    return { kitID, customerId, waiting, code: waiting?.code ?? 'result' }
  }
  const passes = async (mode = 'live') => (await lab('GET', `/passed-remarks?mode=${mode}&size=250`)).body.data
  /** Sends it, and lets it pass beside what the reader took it for. */
  async function letPass(body: object[], input: object = {}) {
    const at = await became(body)
    expect(at.code).toBe('unknownRemark')
    const { status, text } = await assign(at.waiting.id, { biomarker: at.waiting.suggestions[0], ...input })
    expect(status, text).toBe(200)
    return at
  }

  it('passes next time in the same words of the same laboratory beside the same biomarker, and nowhere else', async () => {
    expect((await letPass(remarked('Lab A'))).waiting).toMatchObject({ remarks: [SENTENCE] })
    expect((await became(remarked('Lab A', ` ${SENTENCE.replace(' ', '  ')}. `))).code).toBe('result')
    expect((await became(remarked('Lab A', `${SENTENCE}. Measured on Cobas.`))).code).toBe('result')
    for (const other of [
      remarked('Lab B'),
      remarked('Lab A', 'The porter never whistled in the corridor'),
      remarked('Lab A', `${SENTENCE}. Two kettles sang in the yard.`),
      remarked('Lab A', `${SENTENCE}?`),
      remarked('Lab A', SENTENCE, { name: 'Sodium', value: 140, unit: 'mmol/L' }),
    ])
      expect((await became(other)).code).toBe('unknownRemark')
    expect((await became(remarked('Lab A', `${SENTENCE}. Sample mislabeled, do not use.`))).code).toBe('annulled')
  })

  it('of another business waits, and so does one in its sandbox', async () => {
    await letPass(remarked('Lab R'))
    const other = await world.business({ credits: 5 })
    const { orderId } = (await other.live.post('/create-order', anOrder())).body
    const { kitID } = (await other.live.get(`/orders/${orderId}`)).body.kits[0]
    const { customerId } = (await other.live.post(`/kits/${kitID}/register`, person)).body
    expect((await became(remarked('Lab R'), { kitID, customerId })).code).toBe('unknownRemark')
    expect(await passes('sandbox')).toEqual([])
  })

  it('in a file passes in the next file of the same laboratory, and in none that names no laboratory', async () => {
    const uploaded = async (content: string, email: string) => {
      const who = { email, name: 'Jamie Doe', dateOfBirth: '1980-02-03', gender: 'F' }
      const { id: userId } = (await clinic.live.post('/customer', who)).body
      const fileBlob = `data:application/octet-stream;base64,${Buffer.from(content).toString('base64')}`
      const { status, text } = await clinic.live.post('/customer/add-data', {
        type: 'file',
        userId,
        date: '2026-11-01',
        fileBlob,
      })
      expect(status, text).toBe(201)
      return (await review('GET', `/unassessed-results?customerID=${userId}`)).body.data
    }
    const message = (control: string, laboratory: string) =>
      [
        `MSH|^~\\&|LAB|${laboratory}|KITLANE|Y|20261102120000||ORU^R01|${control}|P|2.5.1`,
        'PID|1||X||Doe^Jamie||19800203|F',
        'OBR|1||A1|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F',
        'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
        'OBX|2|NM|2951-2^Sodium^LN||140|mmol/L|136-145||||F',
        `NTE|1|L|${SENTENCE}`,
      ].join('\r')
    const rows = ['Test,Result,Unit,Comment', 'Glucose,91,mg/dL,', `Sodium,140,mmol/L,${SENTENCE}`].join('\n')
    // A program that many laboratories use names none of them.
    for (const [content, isRemembered, at] of [
      [message('u1', 'Lab U'), true, 1],
      [rows, false, 2],
      [message('u5', ''), false, 3],
    ] as const) {
      const [waiting] = await uploaded(content, `u-${at}@example.test`)
      expect([waiting.code, waiting.remarks]).toEqual(['unknownRemark', isRemembered ? [SENTENCE] : undefined])
      expect((await assign(waiting.id, { biomarker: 'sodium' })).status).toBe(200)
    }
    expect(await uploaded(message('u2', 'Lab U'), 'u2@example.test')).toEqual([])
    expect(await uploaded(message('u3', 'Lab V'), 'u3@example.test')).toHaveLength(1)
    expect(await uploaded(rows, 'u4@example.test')).toHaveLength(1)
    expect(await uploaded(message('u6', ''), 'u6@example.test')).toHaveLength(1)
  })

  it('waits again once the operator removes it, which the audit has without its words', async () => {
    await letPass(remarked('Lab C'))
    const entry = (await passes()).find(({ laboratory }: { laboratory: string }) => laboratory.endsWith('Lab C'))
    expect(entry).toMatchObject({ sentence: SENTENCE, biomarker: 'glucose', business: { id: clinic.id }, mode: 'live' })
    expect((await lab('POST', `/passed-remarks/${entry.id}/remove`)).status).toBe(200)
    expect((await lab('POST', `/passed-remarks/${entry.id}/remove`)).status).toBe(404)
    expect((await became(remarked('Lab C'))).code).toBe('unknownRemark')
    const admin = (await signIn(world, await signedPerson(world, 'business-admin', clinic))).in(clinic)
    const { body } = await admin.get(`/audit?action=passed_remark.removed&objectID=${entry.id}`)
    expect(body.data).toHaveLength(1)
    expect(JSON.stringify(body.data)).not.toContain('porter')
  })

  it('is looked at each time if it has a digit, a title or the name of the person, or the reviewer says so', async () => {
    for (const [at, words] of [
      'The porter whistled twice in corridor 7',
      'The porter told Dr. Weber in the corridor',
      'The porter knows Jamie from the corridor',
    ].entries()) {
      const message = (control: number, kitID: string) =>
        [
          `MSH|^~\\&|LAB|Lab D|KITLANE|Y|20261102120000||ORU^R01|${at}${control}|P|2.5.1`,
          'PID|1||X||Doe^Jamie||19800203|F',
          `OBR|1||${kitID}|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F`,
          'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
          `NTE|1|L|${words}`,
        ].join('\r')
      for (const control of [1, 2]) {
        const { kitID } = await registered()
        const taken = await lab('POST', '/lab/results', message(control, kitID), { 'content-type': 'text/plain' })
        expect(taken.status, taken.text).toBe(200)
        const [waiting] = await waitingOf(kitID)
        expect([words, waiting?.code, waiting?.remarks]).toEqual([words, 'unknownRemark', undefined])
        expect((await assign(waiting.id, { biomarker: 'glucose' })).status).toBe(200)
      }
    }
    await letPass(remarked('Lab D'), { remember: false })
    expect((await became(remarked('Lab D'))).code).toBe('unknownRemark')
  })

  it('on a whole request passes beside each result that a reviewer let pass, and is forgotten with its person', async () => {
    const message = (control: string, kitID: string) =>
      [
        `MSH|^~\\&|LAB|Lab E|KITLANE|Y|20261102120000||ORU^R01|${control}|P|2.5.1`,
        `OBR|1||${kitID}|P^Panel^L|||20261101083000|||||||||||||||20261102110000|||F`,
        `NTE|1|L|${SENTENCE}.`,
        'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99||||F',
        'OBX|2|NM|2951-2^Sodium^LN||140|mmol/L|136-145||||F',
      ].join('\r')
    const told = async (control: string) => {
      const kit = await registered(`${control}@example.test`)
      await lab('POST', '/lab/results', message(control, kit.kitID), { 'content-type': 'text/plain' })
      return { ...kit, waiting: await waitingOf(kit.kitID) }
    }
    const first = await told('e1')
    expect(first.waiting.map(({ code }: { code: string }) => code)).toEqual(['unknownRemark', 'unknownRemark'])
    for (const { id, suggestions } of first.waiting) {
      expect((await assign(id, { biomarker: suggestions[0] })).status).toBe(200)
    }
    expect((await told('e2')).waiting).toEqual([])
    expect((await clinic.live.request('DELETE', `/customers/${first.customerId}`)).status).toBe(200)
    expect((await told('e3')).waiting).toHaveLength(2)
  })
})
