import { afterAll, beforeAll, expect, test } from 'vitest'
import { sinceWritten } from '../harness/days.ts'
import { operatorWith } from '../harness/operator.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let lab: Awaited<ReturnType<typeof operatorWith>>
let at: ReturnType<typeof recipients>

beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  clinic = await world.business({ name: 'Harbor Clinic', credits: 100 })
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
  lab = await operatorWith(world, ['lab', 'catalogue'])
  // One laboratory, one maker: its director vouches for the intervals.
  const edited = await lab('PATCH', '/biomarkers/fsh', { reason: 'One maker', change: { flags: ['phase_dependent'] } })
  expect(edited.status).toBe(200)
})
afterAll(() => world.stop())

let count = 0
async function send(note: string) {
  const kitID = await at.newKit(clinic)
  const { email } = await at.register(kitID)
  const message = [
    `MSH|^~\\&|LAB|X|KITLANE|Y|20261102120000||ORU^R01|P${++count}|P|2.5.1`,
    'PID|1||X||O’Hara <b>^Grace||19561209|F',
    `OBR|1|${kitID}|A${kitID}|24331-1^Panel^LN|||20261101083000|||||||||||||||20261102110000|||F`,
    'OBX|1|NM|15067-2^FSH^LN||9|m[IU]/mL|||||F',
    `NTE|1||${note}`,
  ].join('\r')
  const sent = await lab('POST', '/lab/results', sinceWritten(message), { 'content-type': 'application/hl7-v2' })
  const { reportID } = sent.body.reports[0]
  const customerID = await at.customerOf(clinic, email)
  return { email, reportID, path: `/customers/${customerID}/reports/${reportID}` }
}

test('a phase that the laboratory states judges a hormone, and JSON, FHIR, page and PDF say so in every language', async () => {
  const { email, reportID, path } = await send('Luteal phase')
  const { biomarker } = (await clinic.live.get(path)).body
  expect(biomarker).toMatchObject([
    {
      id: 'fsh',
      phases: ['luteal'],
      interpretation: 'H',
      referenceIntervals: expect.arrayContaining([
        expect.objectContaining({ band: 'reference', basis: 'phase', appliesTo: { phase: 'luteal' } }),
      ]),
    },
  ])
  const fhir = JSON.parse((await clinic.live.get(path, { accept: FHIR })).text)
  expect(JSON.stringify(fhir)).toContain('Judged for the luteal phase, as the laboratory says.')

  const [link = ''] = await at.linksTo(email)
  const { who } = await at.enter(link)
  const words = {
    en: 'for the luteal phase, as the laboratory says',
    de: 'für die Lutealphase, wie das Labor angibt',
    es: 'para la fase lútea, según indica el laboratorio',
    fr: 'pour la phase lutéale, comme l’indique le laboratoire',
    ar: 'للطور الأصفري، كما يذكر المختبر',
    ja: '黄体期に応じた範囲',
  }
  for (const [language, said] of Object.entries(words)) {
    expect((await who.open(`/r/reports/${reportID}?language=${language}`)).text, language).toContain(said)
    // Letters of Arabic and Japanese are not in the font of the PDF.
    if (['ar', 'ja'].includes(language)) continue
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const pdf = await fetch(`${world.service.url}/api/v1${path}?language=${language}`, { headers })
    const { text } = await readPdf(Buffer.from(await pdf.arrayBuffer()))
    expect(text, language).toContain(said.slice(1))
  }
})

test('without a phase, and by a day of the cycle, it has no verdict', async () => {
  const { path } = await send('Cycle day 21')
  const { biomarker } = (await clinic.live.get(path)).body
  expect(biomarker).toMatchObject([{ id: 'fsh', state: 'unknown', said: { comment: 'Cycle day 21' } }])
  expect(biomarker[0].note).toContain('phase of the cycle, which is not known')
  expect(biomarker[0]).not.toHaveProperty('phases')
})
