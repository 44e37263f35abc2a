import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { readBackAll } from '../harness/critical.ts'
import { sinceWritten } from '../harness/days.ts'
import { controlId, type Told, told } from '../harness/disorder.ts'
import { anOrder } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { FHIR, PDF, readPdf, ULTIMATE } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let token: string
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ panels: [ULTIMATE] })
  await clinic.live.request('PATCH', '/settings', { publishing: 'auto', publishAcknowledged: true })
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  const made = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'lab', scopes: ['lab', 'review'] }),
  )
  token = made.token
})
afterAll(() => world.stop())

async function operator(method: string, path: string, body?: string | object, type = 'application/hl7-v2') {
  const isText = typeof body === 'string'
  const response = await fetch(`${world.service.url}/operator/v1${path}`, {
    method,
    headers: { authorization: `Token ${token}`, ...(body && { 'content-type': isText ? type : 'application/json' }) },
    ...(body && { body: isText ? body : JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
  const answer: any = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer
}
const post = async (body: string | object, type?: string) =>
  (await operator('POST', '/lab/results', typeof body === 'string' ? sinceWritten(body) : body, type)).reports[0]

interface Kit {
  kitID: string
  customerId: number
}

async function registered(): Promise<Kit> {
  const { orderId } = (
    await clinic.live.post('/create-order', anOrder({ isNotifyReceiver: true, kit_types: [{ kitType: ULTIMATE }] }))
  ).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const person = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }
  const { body } = await clinic.live.post(`/kits/${kitID}/register`, {
    ...person,
    email: `${kitID.toLowerCase()}@example.test`,
  })
  return { kitID, customerId: body.customerId }
}

const glucoseRow = (value: string | number, status: string) => ({ value: String(value), status })
/** Sends glucose with a status. `hour`: of the day of MSH-7 and OBR-22. */
const say = (kit: Kit, value: string | number, status: string, hour?: number, more: Partial<Told> = {}) => {
  const time = hour === undefined ? {} : { sent: stamp(hour), reported: stamp(hour) }
  return post(told({ kitId: kit.kitID, rows: [glucoseRow(value, status)], ...time, ...more }))
}
const stamp = (hour: number) => `20260402${String(hour).padStart(2, '0')}0000`

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
async function reportOf({ customerId }: Kit, accept?: string): Promise<any> {
  const { reports } = (await clinic.live.get(`/customers/${customerId}`)).body
  if (reports.length === 0) return undefined
  const response = await clinic.live.get(`/customers/${customerId}/reports/${reports[0].id}`, accept ? { accept } : {})
  return accept ? JSON.parse(response.text) : response.body
}
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
async function shown(kit: Kit, id = 'glucose'): Promise<any> {
  return (await reportOf(kit))?.biomarker.find((one: { id: string }) => one.id === id)
}
const version = async (kit: Kit) => (await reportOf(kit)).details.version

describe('a message that came before', () => {
  it('changes nothing: a withdrawn value does not come back', async () => {
    const kit = await registered()
    const first = told({ kitId: kit.kitID, rows: [glucoseRow(401, 'F')] })
    const { reportID } = await post(first)
    await readBackAll(clinic.live.request, reportID)
    await say(kit, 401, 'W')
    expect(await shown(kit)).toBeUndefined()
    const again = await post(first)
    expect(again).toMatchObject({
      status: 'reported',
      reportID,
      matched: 0,
      reason: expect.stringContaining('came before'),
    })
    expect(await shown(kit)).toBeUndefined()
    expect(await version(kit)).toBe(2)
  })

  it('changes nothing either where it is dated anew and sent in other bytes', async () => {
    const kit = await registered()
    const id = controlId()
    await say(kit, 95, 'F', 9, { id })
    await say(kit, '', 'D', 10)
    const { reason } = await say(kit, 95, 'F', 11, { id })
    expect(reason).toContain('came before')
    expect(await shown(kit)).toBeUndefined()
  })

  it('waits for a person, with the reason, where it says something else under the same control ID', async () => {
    const kit = await registered()
    const id = controlId()
    const { reportID } = await say(kit, 95, 'F', 9, { id })
    const other = await say(kit, 59, 'C', 10, { id })
    expect(other).toMatchObject({ status: 'waiting', messageID: expect.any(String), kitID: kit.kitID })
    expect(other.reason).toContain('same control ID')
    expect(await shown(kit)).toMatchObject({ result: 95 })
    const waiting = (await operator('GET', '/lab/messages?size=250')).find(
      (one: { id: string }) => one.id === other.messageID,
    )
    expect(waiting).toMatchObject({ values: [{ value: '59' }], reason: other.reason })
    await operator('POST', `/lab/messages/${other.messageID}/assign`, { kitID: kit.kitID })
    expect(await shown(kit)).toMatchObject({ result: 59 })
    expect((await reportOf(kit)).id).toBe(reportID)
  })

  it('is another one where another laboratory has the same control ID', async () => {
    const kit = await registered()
    const id = controlId()
    await say(kit, 95, 'F', 9, { id })
    await say(kit, 98, 'F', 10, { id, sender: 'LIS|EAST' })
    expect(await shown(kit)).toMatchObject({ result: 98 })
  })

  it('is known without a control ID, too: as JSON it is the same if all of it is', async () => {
    const kit = await registered()
    const glucose = { name: 'Glucose', loinc: '2345-7', unit: 'mg/dL' }
    const first = { kitID: kit.kitID, results: [{ ...glucose, value: 95 }] }
    await post(first)
    await post({ kitID: kit.kitID, results: [{ ...glucose, status: 'withdrawn' }] })
    await post(first)
    expect(await shown(kit)).toBeUndefined()
    await post({ kitID: kit.kitID, status: 'corrected', results: [{ ...glucose, value: 97 }] })
    expect(await shown(kit)).toMatchObject({ result: 97 })
  })
})

describe('a withdrawn value', () => {
  it('returns by a correction, or by a newer time of the laboratory', async () => {
    const [one, two] = [await registered(), await registered()]
    for (const kit of [one, two]) {
      await say(kit, 95, 'F', 9)
      await say(kit, 95, 'W', 10)
      expect(await shown(kit)).toBeUndefined()
      await say(kit, 96, 'F', 9)
      expect(await shown(kit)).toBeUndefined()
    }
    await say(one, 97, 'C', 11)
    await say(two, 98, 'F', 12)
    expect([await shown(one), await shown(two)]).toMatchObject([{ result: 97 }, { result: 98 }])
  })

  it('does not return by a correction that is older than the withdrawal', async () => {
    const kit = await registered()
    await say(kit, 95, 'F', 9)
    await say(kit, 97, 'W', 11)
    const outcome = await say(kit, 97, 'C', 10)
    expect(outcome).not.toHaveProperty('withdrawn')
  })

  it('that came before its value keeps it off the report', async () => {
    const kit = await registered()
    await post(
      told({ kitId: kit.kitID, rows: [{ value: '140', status: 'F', code: '2951-2^Sodium^LN', unit: 'mmol/L' }] }),
    )
    await say(kit, 95, 'W', 10)
    expect(await say(kit, 95, 'F', 9)).toMatchObject({ superseded: ['Glucose'] })
    expect(await shown(kit)).toBeUndefined()
    await say(kit, 97, 'F', 11)
    expect(await shown(kit)).toMatchObject({ result: 97 })
  })

  it('whose time does not tell whether a final value came after it calls a person: nothing is guessed or lost', async () => {
    const kit = await registered()
    const glucose = { name: 'Glucose', loinc: '2345-7', unit: 'mg/dL' }
    await post({ kitID: kit.kitID, results: [{ ...glucose, value: 95 }] })
    await post({ kitID: kit.kitID, results: [{ ...glucose, status: 'withdrawn' }] })
    await post({ kitID: kit.kitID, results: [{ ...glucose, value: 88 }] })
    const { biomarker, unassessed } = await reportOf(kit)
    expect(biomarker.map(({ id }: { id: string }) => id)).not.toContain('glucose')
    expect(unassessed).toEqual([])
    const { data } = (await clinic.live.get(`/unassessed-results?kitID=${kit.kitID}`)).body
    expect(data).toMatchObject([{ name: 'Glucose', value: '88', code: 'afterWithdrawal' }])
  })
})

describe('the later word of one message', () => {
  it('counts: a value that is deleted further down is not published', async () => {
    const kit = await registered()
    const sodium = { value: '140', status: 'F', code: '2951-2^Sodium^LN', unit: 'mmol/L' }
    await post(told({ kitId: kit.kitID, rows: [glucoseRow(95, 'F'), sodium, glucoseRow('', 'D')] }))
    expect([await shown(kit), await shown(kit, 'sodium')]).toMatchObject([undefined, { result: 140 }])
    expect((await reportOf(kit)).unassessed).toEqual([])
  })

  it('counts also where the value is sent anew after it was deleted', async () => {
    const kit = await registered()
    await say(kit, 90, 'F', 8)
    await post(told({ kitId: kit.kitID, rows: [glucoseRow('', 'D'), glucoseRow(96, 'F')], sent: stamp(9) }))
    expect(await shown(kit)).toMatchObject({ result: 96 })
  })

  it('leaves two final values of one test to a person, as before', async () => {
    const kit = await registered()
    await post(told({ kitId: kit.kitID, rows: [glucoseRow(95, 'F'), glucoseRow(120, 'F')] }))
    expect(await reportOf(kit)).toBeUndefined()
    const { data } = await operator('GET', `/unassessed-results?kitID=${kit.kitID}`)
    expect(data.map(({ value, code }: { value: string; code: string }) => [value, code])).toEqual([
      ['95', 'differentValues'],
      ['120', 'differentValues'],
    ])
  })
})

describe('messages in another order than they were written', () => {
  it.each([
    [
      'a final value stays over a preliminary one',
      [
        ['95', 'F', 9],
        ['59', 'P', 10],
      ],
      95,
    ],
    [
      'a corrected value stays over an older final one',
      [
        ['59', 'C', 10],
        ['95', 'F', 9],
      ],
      59,
    ],
    [
      'a corrected value stays over a preliminary one',
      [
        ['59', 'C', 9],
        ['95', 'P', 10],
      ],
      59,
    ],
    [
      'of two final values the newer one stands',
      [
        ['96', 'F', 10],
        ['95', 'F', 9],
      ],
      96,
    ],
    [
      'of two corrections the newer one stands',
      [
        ['96', 'C', 10],
        ['95', 'C', 9],
      ],
      96,
    ],
    [
      'a preliminary value gives way to the final one that was written before it came',
      [
        ['59', 'P', 8],
        ['95', 'F', 9],
      ],
      95,
    ],
  ] as const)('%s', async (_, messages, expected) => {
    const kit = await registered()
    for (const [value, status, hour] of messages) await say(kit, value, status, hour)
    expect(await shown(kit)).toMatchObject({ result: expected })
    expect(await shown(kit)).not.toHaveProperty('preliminary')
  })

  it('are all kept, and the history says what became of each', async () => {
    const kit = await registered()
    const { reportID } = await say(kit, 59, 'C', 10)
    const late = await say(kit, 95, 'F', 9)
    expect(late).toMatchObject({ status: 'reported', reportID, superseded: ['Glucose'], matched: 0 })
    const { data } = (await clinic.live.get(`/kits/${kit.kitID}/received-documents`)).body
    expect(data).toMatchObject([
      {
        sender: 'LIS|WEST',
        sentDate: sinceWritten('2026-04-02T10:00:00'),
        observations: [{ value: '59', became: 'assessed' }],
      },
      {
        controlID: expect.any(String),
        observations: [
          { value: '95', status: 'final', became: 'superseded', reportedDate: sinceWritten('2026-04-02T09:00:00') },
        ],
      },
    ])
  })

  it('a final value that is newer than a correction, and another, calls a person', async () => {
    const kit = await registered()
    await say(kit, 59, 'C', 9)
    await say(kit, 95, 'F', 10)
    expect(await shown(kit)).toMatchObject({ result: 59 })
    const { data } = (await clinic.live.get(`/unassessed-results?kitID=${kit.kitID}`)).body
    expect(data).toMatchObject([{ value: '95', code: 'afterCorrection' }])
  })

  it.each([
    ['days alone leave the order to the arrival', ['20260402', '20260402'], 96],
    ['an older day is older than a time', ['20260402100000', '20260401'], 95],
    ['zones count', ['20260402120000-0500', '20260402140000+0000'], 95],
    ['a time that lies ahead is not believed', ['20990101000000', '20260402090000'], 96],
    ['a message without a time is as new as its arrival', ['20260402100000', ''], 96],
    ['a time that does not exist is none', ['20260402100000', '20261332250000'], 96],
  ])('%s', async (_, [first = '', second = ''], expected) => {
    const kit = await registered()
    await say(kit, 95, 'F', undefined, { sent: first })
    await say(kit, 96, 'F', undefined, { sent: second })
    expect(await shown(kit)).toMatchObject({ result: expected })
  })

  it('a message that is sent again under a new control ID stays as old as what it reports', async () => {
    const kit = await registered()
    await say(kit, 95, 'F', 9)
    await say(kit, 95, 'W', 10)
    await say(kit, 95, 'F', undefined, { sent: stamp(12), reported: stamp(9) })
    expect(await shown(kit)).toBeUndefined()
  })

  it('stand again where the message that had replaced them is taken off its kit', async () => {
    const kit = await registered()
    const somebody = told({ kitId: kit.kitID, rows: [glucoseRow(88, 'F')], sent: stamp(12), reported: stamp(12) })
    const { messageID } = await post(somebody.replace('Tester^Bo||19800229', 'Else^Some||19410101'))
    const differences = ['name', 'dateOfBirth']
    await operator('POST', `/lab/messages/${messageID}/assign`, { kitID: kit.kitID, differences })
    await say(kit, 96, 'F', 9)
    await operator('POST', `/lab/messages/${messageID}/undo`)
    const { reports } = (await clinic.live.get(`/customers/${kit.customerId}`)).body
    const { body } = await clinic.live.get(`/reports/${reports[0].id}`)
    expect(body.biomarker).toMatchObject([{ id: 'glucose', result: 96 }])
  })

  it('of FHIR count by issued and meta.lastUpdated', async () => {
    const kit = await registered()
    const fhir = (value: number, status: string, issued: string) =>
      JSON.stringify({
        resourceType: 'DiagnosticReport',
        status: 'final',
        identifier: [{ value: kit.kitID }],
        code: { text: 'Panel' },
        effectiveDateTime: '2026-04-01T08:00:00Z',
        contained: [
          {
            resourceType: 'Observation',
            id: 'o1',
            status,
            meta: { lastUpdated: issued },
            code: { coding: [{ system: 'http://loinc.org', code: '2345-7', display: 'Glucose' }] },
            valueQuantity: { value, unit: 'mg/dL', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
          },
        ],
        result: [{ reference: '#o1' }],
      })
    const send = (...said: Parameters<typeof fhir>) => post(fhir(...said), FHIR)
    await send(59, 'corrected', '2026-04-02T10:00:00Z')
    await send(95, 'final', '2026-04-02T09:00:00Z')
    expect(await shown(kit)).toMatchObject({ result: 59 })
    await send(60, 'entered-in-error', '2026-04-02T09:30:00Z')
    expect(await shown(kit)).toMatchObject({ result: 59 })
  })
})

describe('a preliminary value', () => {
  it('is said in JSON and FHIR, on the page and in the PDF of each language, and the report waits for the final one', async () => {
    const kit = await registered()
    const { reportID } = await say(kit, 95, 'P', 9)
    expect(await shown(kit)).toMatchObject({ result: 95, preliminary: true })
    expect((await reportOf(kit)).details.vendorStatus).toBe('partial')
    const bundle = await reportOf(kit, FHIR)
    const resources = bundle.entry.map(({ resource }: { resource: object }) => resource)
    expect(resources.filter((one: { resourceType: string }) => one.resourceType === 'Observation')).toMatchObject([
      { status: 'preliminary' },
    ])
    expect(resources[0]).toMatchObject({ resourceType: 'DiagnosticReport', status: 'preliminary' })
    expect((await clinic.live.get(`/kits?kitID=${kit.kitID}`)).body[0].sampleStatus).toBe('partiallyResulted')
    const pages = recipients(world)
    const [link = ''] = await pages.linksTo(`${kit.kitID.toLowerCase()}@example.test`)
    const { who } = await pages.enter(link, { day: '29', month: '2', year: '1980' })
    const words = { en: 'Preliminary', es: 'Provisional', de: 'Vorläufig', fr: 'Provisoire', ar: 'أولية', ja: '暫定' }
    for (const [language, word] of Object.entries(words)) {
      const { text } = await who.open(`/r/reports/${reportID}?language=${language}`)
      expect(text, language).toContain(word)
      const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF, 'accept-language': language }
      const at = `${world.service.url}/api/v1/customers/${kit.customerId}/reports/${reportID}`
      const pdf = await fetch(at, { headers })
      if (['en', 'es', 'de', 'fr'].includes(language))
        expect((await readPdf(Buffer.from(await pdf.arrayBuffer()))).text, language).toContain(word)
    }
    await say(kit, 97, 'F', 10)
    expect(await shown(kit)).toMatchObject({ result: 97 })
    expect(await shown(kit)).not.toHaveProperty('preliminary')
    const [, , , observation] = (await reportOf(kit, FHIR)).entry
    expect(observation.resource.status).toBe('final')
  })

  it('marks what is calculated from it', async () => {
    const kit = await registered()
    const insulin = { value: '9', status: 'F', code: '20448-7^Insulin^LN', unit: 'u[IU]/mL' }
    await post(told({ kitId: kit.kitID, rows: [glucoseRow(95, 'P'), insulin] }))
    expect(await shown(kit)).toMatchObject({ preliminary: true })
    expect(await shown(kit, 'homa_ir')).toMatchObject({ preliminary: true })
    expect(await shown(kit, 'insulin')).not.toHaveProperty('preliminary')
  })

  it('waits where nobody in the laboratory has verified it (R)', async () => {
    const kit = await registered()
    const insulin = { value: '9', status: 'F', code: '20448-7^Insulin^LN', unit: 'u[IU]/mL' }
    await post(told({ kitId: kit.kitID, rows: [glucoseRow(95, 'R'), insulin] }))
    expect(await shown(kit)).toBeUndefined()
    expect(await shown(kit, 'insulin')).toBeDefined()
  })

  it('is one too where only the request says so', async () => {
    const kit = await registered()
    await say(kit, 95, '', 9, { request: 'P' })
    expect(await shown(kit)).toMatchObject({ preliminary: true })
  })
})

describe('messages in files of a business', () => {
  async function person(): Promise<number> {
    const { body } = await clinic.live.post('/customer', {
      name: 'Bo Tester',
      email: `${controlId().toLowerCase()}@example.test`,
      dateOfBirth: '1980-02-29',
      gender: 'F',
    })
    return body.id
  }
  const upload = async (userId: number, ...messages: string[]) => {
    const fileBlob = `data:text/plain;base64,${Buffer.from(messages.join('\r')).toString('base64')}`
    const sent = { type: 'file', userId, date: '2026-04-01', fileBlob }
    const { status, body } = await clinic.live.post('/customer/add-data', sent)
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const row = (value: string, status: string, hour: number, id?: string) =>
    told({ kitId: 'S1', rows: [glucoseRow(value, status)], sent: stamp(hour), reported: stamp(hour), id })
  const sodium = { value: '140', status: 'F', code: '2951-2^Sodium^LN', unit: 'mmol/L' }
  const shownIn = async (customerId: number, reportId: string) => {
    const { body } = await clinic.live.get(`/customers/${customerId}/reports/${reportId}`)
    const found = body.biomarker.find(({ id }: { id: string }) => id === 'glucose')
    return { result: found?.result, version: body.details.version }
  }

  it('count in the order in which their laboratory wrote them, whatever their order in the file', async () => {
    const id = await person()
    const withdrawn = await upload(id, row('401', 'F', 9), row('', 'W', 10))
    expect(withdrawn.reports).toEqual([])
    const corrected = await upload(id, row('59', 'C', 12), row('95', 'F', 11), row('77', 'P', 13))
    expect(corrected.reports).toHaveLength(1)
    expect(await shownIn(id, corrected.reports[0].id)).toMatchObject({ result: 59 })
  })

  it('that are preliminary make a preliminary report, which the final ones end', async () => {
    const id = await person()
    const [made] = (await upload(id, row('95', 'P', 9))).reports
    const read = async (headers = {}) => (await clinic.live.get(`/customers/${id}/reports/${made.id}`, headers)).body
    expect((await read()).details.vendorStatus).toBe('partial')
    expect((await read({ accept: FHIR })).entry[0].resource).toMatchObject({ status: 'preliminary' })
    await upload(id, row('95', 'F', 10))
    expect((await read()).details.vendorStatus).not.toBe('partial')
    expect((await read({ accept: FHIR })).entry[0].resource.status).not.toBe('preliminary')
  })

  it('that came before make no second report', async () => {
    const id = await person()
    const first = row('95', 'F', 9)
    const { reports } = await upload(id, first)
    const again = await upload(id, first)
    expect(again.reports).toEqual(reports)
    expect(again.notes).toContain('This message came before: nothing has to be done')
    expect((await clinic.live.get(`/customers/${id}`)).body.reports).toHaveLength(1)
  })

  it('change the report of their sample, as a new version: by a correction or a withdrawal, and not by an older value', async () => {
    const id = await person()
    const all = told({ kitId: 'S1', rows: [glucoseRow(95, 'F'), sodium], sent: stamp(9), reported: stamp(9) })
    const { reports } = await upload(id, all)
    const reportId = reports[0].id
    expect((await upload(id, row('97', 'C', 11))).reports).toMatchObject([{ id: reportId }])
    expect(await shownIn(id, reportId)).toEqual({ result: 97, version: 2 })
    await upload(id, row('90', 'F', 10))
    expect(await shownIn(id, reportId)).toEqual({ result: 97, version: 2 })
    await upload(id, row('', 'W', 12))
    expect(await shownIn(id, reportId)).toEqual({ result: undefined, version: 3 })
    expect((await clinic.live.get(`/customers/${id}`)).body.reports).toHaveLength(1)
  })

  it('are read by a person before others where a value is another one, and nothing says that it was corrected', async () => {
    const id = await person()
    const { reports } = await upload(id, row('95', 'F', 9))
    const reportId = reports[0].id
    const statusNow = async () => (await clinic.live.get(`/customers/${id}`)).body.reports[0].status
    expect(await statusNow()).toBe('published')
    await upload(id, row('310', 'F', 11))
    expect(await statusNow()).toBe('inReview')
    expect(await shownIn(id, reportId), 'the value before is still read').toEqual({ result: 95, version: 1 })
    const { checks } = await operator('GET', `/reports/${reportId}`)
    expect(checks).toContainEqual(expect.objectContaining({ code: 'replaced', holds: true }))
  })

  it('with a known control ID and another content wait for a person', async () => {
    const id = await person()
    const { reports } = await upload(id, row('95', 'F', 9, 'SAME'))
    const other = await upload(id, row('59', 'C', 10, 'SAME'))
    expect(other.reports).toEqual([])
    expect(other.unmatched).toMatchObject([{ name: 'Glucose', reason: expect.stringContaining('same control ID') }])
    expect(await shownIn(id, reports[0].id)).toEqual({ result: 95, version: 1 })
  })
})
