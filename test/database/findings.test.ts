import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReceivedResults } from '../../src/modules/reports/versions/receive.ts'
import { readBackAll } from '../harness/critical.ts'
import { sinceWritten } from '../harness/days.ts'
import { controlId } from '../harness/disorder.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { observationsOf, type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
let lab: Awaited<ReturnType<typeof operatorWith>>
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
  lab = await operatorWith(world, ['lab', 'fulfilment'])
})
afterAll(() => world.stop())

type Entry = Awaited<ReturnType<Reporting['json']>>['biomarker'][number]
const entryOf = ({ biomarker }: { biomarker: Entry[] }, id: string) => biomarker.find((one) => one.id === id)

const presence = (biomarkerId: string, value: 'negative' | 'indeterminate' | 'positive') => ({
  biomarkerId,
  rawResult: value === 'positive' ? 'Detected' : 'Not detected',
  finding: { kind: 'presence' as const, value },
})
const protein = { biomarkerId: 'urine_protein_strip', finding: { kind: 'grade' as const, value: '2+' as const } }
const titre = (value: number): ReceivedResults['results'][number] => ({
  biomarkerId: 'ana_titre',
  value,
  unit: '{titer}',
  rawResult: `1:${value}`,
  labRange: { low: null, high: 80, highExclusive: true },
})

async function newKit() {
  const { body } = await at.clinic.live.post('/create-order', anOrder())
  const [{ kitID }] = (await at.clinic.live.get(`/kits?orderID=${body.orderId}`)).body
  const who = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F', email: `${kitID}@x.test` }
  const { customerId } = (await at.clinic.live.post(`/kits/${kitID}/register`, who)).body
  return { kitID: String(kitID), customerId: Number(customerId) }
}

const oru = (kitID: string, ...obx: string[]) =>
  sinceWritten(
    [
      `MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|${controlId()}|P|2.5.1`,
      'PID|1||X||Tester^Bo||19800229|F',
      `OBR|1|${kitID}|ACC77|24331-1^Panel^LN|||20260401083000|||||||||||||||20260402110000|||F`,
      ...obx,
    ].join('\r'),
  )
const send = async (kitID: string, ...obx: string[]) =>
  (await lab('POST', '/lab/results', oru(kitID, ...obx), { 'content-type': 'application/hl7-v2' })).body.reports[0]

const notified = { person: 'Dr. Reyes', at: '2026-11-20T09:30:00+01:00' }
/** Publishes a report after its critical results were read back. */
async function publishRead(reportID: string) {
  await readBackAll(at.clinic.live.request, reportID)
  expect((await at.clinic.live.post(`/reports/${reportID}/publish`, { notified })).status).toBe(200)
}

describe('a result that is no number', () => {
  test('is judged and said in JSON, FHIR and PDF, with what was expected and what was found before', async () => {
    const made = await at.report([presence('nitrite_strip', 'positive'), protein, titre(320)], { partial: false })
    const shown = await at.json(made)
    expect(entryOf(shown, 'nitrite_strip')).toMatchObject({
      kind: 'presence',
      value: 'Positive',
      nonNumerical: true,
      rawText: 'Detected',
      state: 'poor',
      interpretation: 'A',
      expected: { values: ['negative'], source: 'catalogue' },
    })
    expect(entryOf(shown, 'nitrite_strip')).not.toHaveProperty('result')
    expect(entryOf(shown, 'urine_protein_strip')).toMatchObject({ kind: 'grade', value: '2+', interpretation: 'A' })
    expect(entryOf(shown, 'ana_titre')).toMatchObject({
      kind: 'titre',
      value: '1:320',
      result: 320,
      nonNumerical: false,
      state: 'poor',
      interpretation: 'H',
      labRange: '<80',
    })
    expect(shown.unassessed).toEqual([])
    const byId = (id: string, bundle: Awaited<ReturnType<Reporting['bundle']>>) =>
      observationsOf(bundle).find(({ code }) => code.coding.some((coding) => coding.code === id))
    const fhir = await at.bundle(made)
    expect(byId('nitrite_strip', fhir)).toMatchObject({
      valueCodeableConcept: { coding: [{ system: 'urn:kitlane:finding', code: 'positive' }], text: 'Positive' },
      interpretation: [{ coding: [{ code: 'A' }] }],
      referenceRange: [{ text: 'Negative' }],
      note: [{ text: 'As the laboratory gave it: Detected' }],
    })
    expect(byId('ana_titre', fhir)).toMatchObject({
      valueRatio: { numerator: { value: 1 }, denominator: { value: 320 } },
      referenceRange: [{ text: '< 1:80' }, {}, {}],
    })
    const { text } = await at.pdfOf(made)
    for (const words of ['Positive', 'Not as expected', 'Expected Negative', '1:320', '< 1:80', '2+', 'Trace'])
      expect(text).toContain(words)
    await at.receive({ kitId: made.kitId, results: [presence('nitrite_strip', 'negative')], corrected: true })
    const next = await at.json(made)
    expect(entryOf(next, 'nitrite_strip')).toMatchObject({ value: 'Negative', state: 'good', interpretation: 'N' })
    expect(next.details.changes).toMatchObject([
      { before: { finding: { value: 'positive' } }, after: { finding: { value: 'negative' } } },
    ])
    expect(entryOf(next, 'nitrite_strip')?.historicFindings).toMatchObject([{ value: 'Negative' }])
    expect(entryOf(next, 'ana_titre')?.historic).toMatchObject([{ result: 320 }])
    expect((await at.pdfOf(made)).text).toContain('Positive → Negative')
  })

  test('is on the page of the person, with a picture of its steps and what is normal', async () => {
    const people = recipients(world)
    const kitId = await people.newKit(at.clinic, 'live', { isNotifyReceiver: true })
    const { email } = await people.register(kitId)
    const { reportId } = await at.receive({ kitId, results: [presence('nitrite_strip', 'positive'), protein] })
    const [link = ''] = await people.linksTo(email)
    const { who } = await people.enter(link)
    const page = await who.open(`/r/reports/${reportId}`)
    for (const words of ['Positive', 'Not as expected', 'Normal: Negative or Trace']) expect(page.text).toContain(words)
    expect(page.html).toMatch(/class="step step-here"[^>]*>2\+</)
    expect(page.html).not.toMatch(/\sstyle=|\son\w+=|<script(?! type="module" src="\/r\/page\.js"><\/script>)/)
  })

  test('has no part in a score, and does not lower the coverage of one', async () => {
    const results = [
      { biomarkerId: 'creatinine', value: 0.8, unit: 'mg/dL' },
      { biomarkerId: 'bun', value: 14, unit: 'mg/dL' },
    ]
    const kidney = async (more: ReceivedResults['results']) => {
      const { axes, axesNotScored } = await at.json(await at.report([...results, ...more]))
      return [...axes, ...axesNotScored].find(({ axis }) => axis === 'kidney')
    }
    const [plain, beside] = [await kidney([]), await kidney([protein])]
    expect(beside?.coverage).toBe(plain?.coverage)
  })

  test('comes in by HL7 as text, code, structured number or titre; an unknown word waits for a person', async () => {
    const { kitID, customerId } = await newKit()
    const sent = await send(
      kitID,
      'OBX|1|ST|32710-6^Nitrite, urine^LN||Not Detected||Not Detected|N|||F',
      'OBX|2|CWE|5196-1^HBsAg^LN||131194007^Non-Reactive^SCT||Non-Reactive||||F',
      'OBX|3|SN|5048-4^ANA Titer^LN||^1^:^320||<1:80|H|||F',
      'OBX|4|ST|20454-5^Protein, urine^LN||+++||Neg|A|||F',
      'OBX|5|ST|56888-1^HIV Ag/Ab^LN||See separate letter||Non-Reactive||||F',
    )
    expect(sent).toMatchObject({ status: 'reported', matched: 4, unmatched: [{ code: 'unknownWord' }] })
    expect((await at.clinic.live.get(`/customers/${customerId}/reports/${sent.reportID}`)).status).toBe(404)
    await publishRead(sent.reportID)
    const { body } = await at.clinic.live.get(`/customers/${customerId}/reports/${sent.reportID}`)
    const said = body.biomarker.map(({ id, value, interpretation }: Entry) => [id, value, interpretation])
    expect(said.toSorted()).toEqual([
      ['ana_titre', '1:320', 'H'],
      ['hbsag', 'Negative', 'N'],
      ['nitrite_strip', 'Negative', 'N'],
      ['urine_protein_strip', '3+', 'A'],
    ])
    expect(body.unassessed).toMatchObject([{ name: 'HIV Ag/Ab', code: 'unknownWord' }])
  })

  test('leaves the report when the laboratory takes it back, and comes from the sandbox as it was asked for', async () => {
    const { kitID, customerId } = await newKit()
    const detected = 'OBX|1|ST|32710-6^Nitrite, urine^LN||Detected||Not Detected|A|||'
    const sent = await send(kitID, `${detected}F`, 'OBX|2|ST|20454-5^Protein, urine^LN||Trace||Neg-Trace||||F')
    await send(kitID, `${detected}W`)
    const { body } = await at.clinic.live.get(`/customers/${customerId}/reports/${sent.reportID}`)
    expect(body.biomarker.map(({ id, state }: Entry) => [id, state])).toEqual([['urine_protein_strip', 'good']])
    expect(body.details.withdrawn).toMatchObject([{ biomarker: 'nitrite_strip' }])

    await at.clinic.sandbox.request('PATCH', '/settings', { publishing: 'auto' })
    const { body: order } = await at.clinic.sandbox.post('/create-order', anOrder())
    const [kit] = (await at.clinic.sandbox.get(`/kits?orderID=${order.orderId}`)).body
    const advance = (results: object[]) =>
      at.clinic.sandbox.post(`/sandbox/kits/${kit.kitID}/advance`, { status: 'reportReady', results })
    expect((await advance([{ biomarker: 'glucose', result: 'Positive' }])).status).toBe(400)
    const ready = await advance([
      { biomarker: 'Nitrite, urine', result: 'Detected' },
      { biomarker: 'ana_titre', result: '<1:40' },
    ])
    expect(ready.status, ready.text).toBe(200)
    const [{ customerID }] = (await at.clinic.sandbox.get(`/kits?kitID=${kit.kitID}`)).body
    const [{ id: reportId }] = (await at.clinic.sandbox.get(`/customers/${customerID}`)).body.reports
    const path = `/customers/${customerID}/reports/${reportId}`
    const made = (await at.clinic.sandbox.get(path)).body
    expect(entryOf(made, 'nitrite_strip')).toMatchObject({ value: 'Positive', rawText: 'Detected' })
    expect(entryOf(made, 'ana_titre')).toMatchObject({ value: '< 1:40', result: 40, comparator: '<' })
  })
})

describe('a finding that is never published without a person', () => {
  const reactive = 'OBX|1|CWE|56888-1^HIV Ag/Ab^LN||11214006^Reactive^SCT||Non-Reactive|A|||F'
  test('keeps its report in review, and is published once somebody read it back, with who was notified', async () => {
    const { kitID, customerId } = await newKit()
    const sent = await send(kitID, reactive)
    expect(sent.critical).toEqual(['hiv_ag_ab'])
    const path = `/customers/${customerId}/reports/${sent.reportID}`
    expect((await at.clinic.live.get(path)).status).toBe(404)
    const publish = (body: object) => at.clinic.live.post(`/reports/${sent.reportID}/publish`, body)
    expect((await publish({})).body.code).toBe('CRITICAL_NOT_NOTIFIED')
    expect((await publish({ notified })).body.code).toBe('CRITICAL_NOT_ACKNOWLEDGED')
    await readBackAll(at.clinic.live.request, sent.reportID)
    expect(entryOf((await at.clinic.live.get(path)).body, 'hiv_ag_ab')).toMatchObject({
      value: 'Positive',
      rawText: 'Reactive',
      interpretation: 'AA',
      labFlag: 'A',
      holdsReport: true,
    })
  })

  test('is one too where code and text contradict each other: a person is called, and both are shown', async () => {
    const { kitID, customerId } = await newKit()
    const sent = await send(
      kitID,
      'OBX|1|CWE|56888-1^HIV Ag/Ab^LN||10828004^Negative^SCT||||||F',
      'OBX|2|NM|2345-7^Glucose^LN||88|mg/dL|70-99|N|||F',
    )
    expect(sent.unmatched).toMatchObject([{ code: 'codeContradictsText', critical: true }])
    const path = `/customers/${customerId}/reports/${sent.reportID}`
    expect((await at.clinic.live.get(path)).status).toBe(404)
    const { data } = (await at.clinic.live.get(`/critical-results?reportID=${sent.reportID}`)).body
    expect(data).toMatchObject([{ name: 'HIV Ag/Ab', value: 'Negative / Positive (10828004)' }])
    await publishRead(sent.reportID)
    expect((await at.clinic.live.get(path)).body.unassessed).toMatchObject([
      { value: 'Negative / Positive (10828004)' },
    ])
  })

  test('puts a published report into review again; the others follow their business', async () => {
    const { kitID, customerId } = await newKit()
    const first = await send(kitID, 'OBX|1|ST|56888-1^HIV Ag/Ab^LN||Non-Reactive||Non-Reactive|N|||F')
    const path = `/customers/${customerId}/reports/${first.reportID}`
    expect((await at.clinic.live.get(path)).status).toBe(200)
    await send(kitID, reactive.replace(/F$/, 'C'))
    const { labParamsError, ...standing } = (await at.clinic.live.get(path)).body
    expect([standing.details.version, labParamsError]).toEqual([1, ['Later Version In Review']])
    expect(entryOf(standing, 'hiv_ag_ab')).toMatchObject({ value: 'Negative' })
    await readBackAll(at.clinic.live.request, first.reportID)
    const later = await send(kitID, 'OBX|1|ST|32710-6^Nitrite, urine^LN||Detected||Not Detected|A|||F')
    expect(later.status).toBe('reported')
    const { body } = await at.clinic.live.get(path)
    expect(body.details.version).toBe(3)
    expect(entryOf(body, 'hiv_ag_ab')).toMatchObject({ value: 'Positive' })
  })
})
