import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    configure(tx, clinic.id, { uploadsEnabled: true, publishing: 'auto' }),
  )
})
afterAll(() => world.stop())

let customers = 0
async function customer(more: object = {}): Promise<number> {
  const email = `nora${++customers}@example.test`
  return (await clinic.live.post('/customer', { email, name: 'Nora Valle', gender: 'F', ...more })).body.id
}

/** Uploads a table for a new customer, with the day that the business gives. */
async function upload(lines: string[], { date = '2026-03-20', of = {} }: { date?: string; of?: object } = {}) {
  const content = Buffer.from(lines.join('\n')).toString('base64')
  const fileBlob = `data:text/csv;base64,${content}`
  return clinic.live.post('/customer/add-data', { type: 'file', userId: await customer(of), date, fileBlob })
}
const dated = (...days: string[]) => [
  'Test,Result,Unit,Range,Collected',
  ...days.map(
    (day, index) => `${['Glucose', 'Sodium'][index]},${[95, 140][index]},${['mg/dL', 'mmol/L'][index]},,${day}`,
  ),
]
const daysOf = ({ body }: { body: { reports: { collectedDate: string }[] } }) =>
  body.reports.map(({ collectedDate }) => collectedDate.slice(0, 10))

describe('the day of collection in a file', () => {
  it.each([['03/04/2026'], ['31/31/2026'], ['2026-03-99'], ['spring 2026']])(
    'that has no certain meaning keeps the file for a person: %s',
    async (day) => {
      const { status, body } = await upload(dated(day))
      expect(status).toBe(201)
      expect(body).toMatchObject({ needsReview: 'date', reports: [], totalBiomarkers: 0 })
      expect(body.notes).toEqual([expect.stringMatching(/day of collection/)])
      const { body: waiting } = await clinic.live.get(`/uploads/${body.docId}`)
      expect(waiting).toMatchObject({
        needsReview: 'date',
        state: 'waiting',
        candidates: [{ biomarker: 'glucose', value: '95' }],
      })
    },
  )

  it('counts where the day that was given with the file is one of its meanings', async () => {
    expect(daysOf(await upload(dated('03/04/2026'), { date: '2026-04-03' }))).toEqual(['2026-04-03'])
    expect(daysOf(await upload(dated('03/04/2026'), { date: '2026-03-04' }))).toEqual(['2026-03-04'])
    expect(daysOf(await upload(dated('2026-03'), { date: '2026-03-20' }))).toEqual(['2026-03-20'])
  })

  it('never becomes one and the same of two different ones', async () => {
    const { body } = await upload(dated('03/04/2026', '05/06/2026'), { date: '2026-04-03' })
    expect(body).toMatchObject({ needsReview: 'date', reports: [] })
  })

  it('is read with the name of its month in other languages', async () => {
    for (const day of ['15. März 2026', '15 mars 2026', '15 de marzo de 2026', '15 mar 2026', '15. marts 2026']) {
      expect([day, daysOf(await upload(dated(day)))]).toEqual([day, ['2026-03-15']])
    }
    expect(daysOf(await upload(dated('7 août 2025')))).toEqual(['2025-08-07'])
    expect(daysOf(await upload(dated('07 ene 2026')))).toEqual(['2026-01-07'])
  })

  it('that is still to come, or before the birth of the person, keeps the file for a person', async () => {
    expect((await upload(dated('2062-01-01'))).body).toMatchObject({ needsReview: 'date', reports: [] })
    expect((await upload(dated('1975-06-05'), { of: { dateOfBirth: '1975-06-06' } })).body.needsReview).toBe('date')
    expect(daysOf(await upload(dated('1975-06-06'), { of: { dateOfBirth: '1975-06-06' } }))).toEqual(['1975-06-06'])
  })
})

describe('the person whom a file names', () => {
  const named = (name: string, born = '') => ['Patient,DOB,Test,Result,Unit', `${name},${born},Glucose,95,mg/dL`]
  const notesOf = async (lines: string[], of = {}) => {
    const { body } = await upload(lines, { of })
    expect([body.needsReview, body.totalBiomarkers]).toEqual([undefined, 1])
    const [{ id }] = body.reports
    const { status } = await clinic.live.get(`/customers/${body.userId}/reports/${id}`)
    return [status, ...body.unmatched.map(({ reason }: { reason: string }) => reason)]
  }
  const held = [404, 'The file names somebody else than this customer: see that it is the same person']

  it('by another name keeps the report from being published, however well the date of birth fits', async () => {
    expect(await notesOf(named('Otto Berg'))).toEqual(held)
    expect(await notesOf(named('Otto Berg'), { dateOfBirth: '1975-06-06' })).toEqual(held)
    expect(await notesOf(named('Otto Berg', '1975-06-06'), { dateOfBirth: '1975-06-06' })).toEqual(held)
  })

  it.each(['VALLE NORA', 'Mrs Nora Valle-Berg', 'N. Valle', 'nora', ''])(
    'may be written in another way: "%s"',
    async (name) => {
      expect(await notesOf(named(name))).toEqual([200])
    },
  )
})

describe('a flag of the laboratory that is not known here', () => {
  it('keeps the report from being published until a person has read it, and gives no other reason', async () => {
    const lines = (flag: string) => ['Test,Result,Unit,Range,Flag', `Potassium,4.4,mmol/L,3.5-5.1,${flag}`]
    const statusOf = async (flag: string) => {
      const { body } = await upload(lines(flag))
      const path = `/customers/${body.userId}/reports/${body.reports[0].id}`
      const { status } = await clinic.live.get(path)
      if (status === 404) await clinic.live.post(`/reports/${body.reports[0].id}/publish`)
      const { biomarker } = (await clinic.live.get(path)).body
      return [status, biomarker[0].state, biomarker[0].note]
    }
    const note = 'The laboratory marked it "CX7", which is not known here: a person must read it.'
    expect(await statusOf('CX7')).toEqual([404, 'unknown', note])
    expect(await statusOf('N')).toEqual([200, 'good', undefined])
  })
})

describe('a message of a laboratory', () => {
  const lines = ({ order = 'A1', filler = 'F1', day = '20260227' } = {}) => [
    `OBR|1|${order}|${filler}|24323-8^Panel^LN|||${day}`,
    'OBX|1|NM|2345-7^Glucose^LN||95|mg/dL|70-99|N|||F',
  ]
  const head = ['MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301||ORU^R01|1|P|2.5.1', 'PID|1||W12||VALLE^NORA||19750606|F']
  let token: string
  beforeAll(async () => {
    ;({ token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'lab', scopes: ['lab'] }),
    ))
  })

  async function operator(path: string, body: string | Buffer, type = 'application/hl7-v2') {
    const response = await fetch(`${world.service.url}/operator/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': type },
      body,
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
    return { status: response.status, body: (await response.json()) as any }
  }
  const send = async (...segments: string[]) =>
    (await operator('/lab/results', [...head, ...segments].join('\r'))).body.reports[0]

  async function kit(accession?: string): Promise<string> {
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
    const person = { firstName: 'Nora', lastName: 'Valle', dateOfBirth: '1975-06-06', sex: 'F' }
    await clinic.live.post(`/kits/${kitID}/register`, { ...person, email: 'nora@example.test' })
    if (accession) await operator('/samples/receive', JSON.stringify({ kitID, accession }), 'application/json')
    return kitID
  }

  it('whose day of collection is still to come waits in the queue with that reason', async () => {
    const kitID = await kit()
    const reason =
      'The day of collection is still to come, or before the birth of the person: ask the laboratory for the right one'
    const early = await send(...lines({ order: kitID, day: '20991231' }))
    expect(early).toMatchObject({ status: 'waiting', reason, messageID: expect.any(String) })
    expect(await send(...lines({ order: kitID }))).toMatchObject({ status: 'reported', kitID })
  })

  it('goes to the kit whose number any of its requests has, and waits where they have those of two', async () => {
    const first = await kit('WL-1')
    await kit('WL-2')
    expect(await send(...lines({ filler: 'X9' }), ...lines({ filler: 'WL-1' }))).toMatchObject({ kitID: first })
    const both = await send(...lines({ filler: 'WL-1' }), ...lines({ filler: 'WL-2' }))
    expect(both).toMatchObject({
      status: 'waiting',
      reason: 'Its requests have the numbers of several kits: say which one it is of',
    })
  })

  it('puts nothing on a kit that stands under another number than the kit, or one mistyped', async () => {
    const kitID = await kit()
    const other = `${kitID.slice(0, 9)}${kitID.endsWith('7') ? '8' : '7'}`
    const sample = (number: string) => `SPM|1|${number}||SER`
    for (const [index, second] of [
      lines({ order: other }),
      lines({ filler: other }),
      [...lines(), sample('26-99999')],
    ].entries()) {
      const [header = '', person = ''] = head
      const first = [header.replace('|1|P|', `|N${index}|P|`), person, ...lines({ order: kitID }), sample(kitID)]
      const { reports } = (await operator('/lab/results', [...first, ...second].join('\r'))).body
      expect(reports, `${index}`).toMatchObject([{ status: 'reported', kitID }, { status: 'waiting' }])
      expect(reports[1].kitID).toBeUndefined()
    }
  })

  it('waits where samples of it are of another kit than its report, in FHIR', async () => {
    const [mine, theirs] = [await kit(), await kit()]
    const sample = (id: string, value: string, system = 'identifier') => ({
      resourceType: 'Specimen',
      id,
      ...(system === 'identifier' ? { identifier: [{ value }] } : { accessionIdentifier: { value } }),
    })
    const result = (id: string, code: string, value: number, specimen: string) => ({
      ...{ resourceType: 'Observation', id, status: 'final', specimen: { reference: `#${specimen}` } },
      code: { coding: [{ system: 'http://loinc.org', code }] },
      valueQuantity: { value, unit: 'mg/dL' },
    })
    const bundle = (one: string, two: string, identifier?: string, system?: string) => ({
      ...{
        resourceType: 'DiagnosticReport',
        status: 'final',
        code: { text: 'Lipids' },
        effectiveDateTime: '2026-02-27',
      },
      ...(identifier && { identifier: [{ value: identifier }] }),
      contained: [
        ...[sample('s1', one, system), sample('s2', two, system)],
        ...[result('a', '13457-7', 91, 's1'), result('b', '2571-8', 140, 's2')],
      ],
      result: [{ reference: '#a' }, { reference: '#b' }],
    })
    const sent = async (document: object) =>
      (await operator('/lab/results', JSON.stringify(document), 'application/fhir+json')).body.reports
    for (const document of [
      bundle(mine, theirs),
      bundle(mine, theirs, undefined, 'accession'),
      bundle(mine, theirs, mine),
      bundle(theirs, theirs, mine),
      bundle(mine, `${mine.slice(0, 9)}${mine.endsWith('7') ? '8' : '7'}`),
    ]) {
      const reports = await sent(document)
      expect(reports).toMatchObject([{ status: 'waiting' }])
      expect(reports[0].reason).toContain('several kits')
    }
    expect(await sent(bundle(mine, mine, mine))).toMatchObject([{ status: 'reported', kitID: mine, matched: 2 }])
  })

  it('is read in the character set that it is said to have, and refused in another one', async () => {
    const iron = 'OBX|1|NM|2276-4^Ferritin^LN||55|µg/L|15-150|N|||F'
    const [request = ''] = lines({ order: await kit() })
    const text = [...head, request, iron].join('\r')
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect((await operator('/lab/results', utf16)).body.reports).toMatchObject([{ matched: 1, unmatched: [] }])
    const latin = Buffer.from(text.replace('|1|P|', '|2|P|'), 'latin1')
    const western = await operator('/lab/results', latin, 'text/plain; charset=iso-8859-1')
    expect(western.body.reports).toMatchObject([{ matched: 1, unmatched: [] }])
    for (const type of ['text/plain', 'text/plain; charset=klingon']) {
      const { status, body } = await operator('/lab/results', latin, type)
      expect([status, body.message]).toEqual([400, expect.stringMatching(/not UTF-8, nor in the charset/)])
    }
  })
})
