import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violationsOf } from '@kitlane/lab-reader/elr/validate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { DEMO_COMPANIES } from '../../src/modules/businesses/queries.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { correctRegistrations } from '../../src/modules/kits/correct.ts'
import { lockKit } from '../../src/modules/kits/move.ts'
import { claim, sendNotices } from '../../src/modules/notifiable/jobs.ts'
import { selectPlaces } from '../../src/modules/notifiable/queries.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { readBackAll } from '../harness/critical.ts'
import { type StandInLaboratory, standInLaboratory } from '../harness/laboratory.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, recipient } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let authority: StandInLaboratory
let folder: string
let aheadMs = 0
/** Where nothing listens. */
const NOBODY = '127.0.0.1:1'
beforeAll(async () => {
  authority = await standInLaboratory()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-notices-'))
  const labOrders = { at: 'never' as const, hosts: [...authority.hosts, NOBODY], folder }
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  world = await ownWorld('sets the clock, and has authorities of its own', { labOrders }, { clock })
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ credits: 1000 })
  await saved('/notifiable-settings/sender', sender)
  await saved('/notifiable-settings/rules', rule())
})
afterAll(async () => {
  await world.stop()
  await authority.stop()
  await rm(folder, { recursive: true })
})
beforeEach(() => authority.treats(() => ({ is: 'bare' })))

const oid = (last: number) => `2.16.840.1.113883.3.9999.${last}`
const sender = {
  application: { name: 'KITLANE', id: oid(1) },
  facility: { name: 'Kits Inc', id: '11D1111111', kind: 'CLIA' },
  ordering: { name: 'Kits Inc', street: '1 Main St', city: 'Austin', state: 'TX', zip: '78701', phone: '+15125550100' },
  provider: { name: 'Jane Doe, MD', npi: '1234567893' },
}
const rule = (changes: Record<string, unknown> = {}) => ({
  condition: 'Chlamydia',
  biomarkers: ['chlamydia'],
  answer: { kind: 'positive' },
  country: 'US',
  withinHours: 24,
  source: 'A test',
  isActive: true,
  signedBy: 'Dr. Reyes',
  ...changes,
})
async function saved(path: string, body: unknown): Promise<string> {
  const answer = await operator('POST', path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.id
}
/** An authority of a state, so that no test has those of another. */
const authorityOf = (state: string, transport: unknown = { kind: 'mllp', url: authority.mllp }, changes = {}) =>
  saved('/notifiable-settings/authorities', {
    ...{
      name: `Health of ${state}`,
      country: 'US',
      states: [state],
      transport,
      acknowledges: true,
      processing: 'P',
      ...changes,
    },
    ...{ application: { name: `${state}.ELR`, id: oid(2) }, facility: { name: state, id: oid(3) } },
  })

let serial = 0
async function registered(state: string, changes: Record<string, unknown> = {}, order = anOrder()): Promise<string> {
  const { body } = await clinic.live.post('/create-order', order)
  const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const address = { addressLine1: '2 Elm St', city: 'Town', state, country: 'US' }
  const who = {
    firstName: 'Zoe',
    lastName: 'Canary',
    email: `told${++serial}@people.test`,
    dateOfBirth: '1980-02-03',
    sex: 'F',
  }
  const answer = await clinic.live.post(`/kits/${kitID}/register`, {
    ...who,
    phone: '+15125550111',
    ...address,
    ...changes,
  })
  expect(answer.status, answer.text).toBe(200)
  return kitID
}

/** By the clock of the test. */
const today = () => new Date(Date.now() + aheadMs).toISOString().slice(0, 10)
const stampOf = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`
// A laboratory says of one sample each time when it was taken.
const taken = stampOf(new Date(Date.now() - 86_400_000))
/** A laboratory's message with one answer. */
const oru = (kitID: string, value: string, { status = 'F', code = '43304-5', comment, ...of }: Changes = {}) => {
  const at = new Date(Date.now() + aheadMs)
  const name = of.name ?? (code === '43304-5' ? 'Chlamydia trachomatis NAAT' : 'Neisseria gonorrhoeae NAAT')
  return [
    `MSH|^~\\&|LIS|LAB|K|K|${stampOf(at)}||ORU^R01^ORU_R01|M${++serial}|P|2.5.1`,
    of.patient ?? 'PID|1||P1||Canary^Zoe||19800203|F',
    `OBR|1|${kitID}||${code}^${name}^LN|||${taken}|||||||${taken}||||||||${stampOf(at)}|||${status}`,
    `OBX|1|CWE|${code}^${name}^LN||${value}||||||${status}|||${taken}|||||||||North Lab^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^45D0000001|9 Road^^Dallas^TX^75201`,
    ...(comment ? [`NTE|1|L|${comment}`] : []),
    `SPM|1|S${kitID}||${of.spm ?? 'UR^Urine^HL70487'}|||||||||||||${taken}|${taken}`,
  ].join('\r')
}
const POSITIVE = '260373001^Detected^SCT'
const NEGATIVE = '260415000^Not detected^SCT'

type Changes = {
  status?: string
  code?: string
  name?: string
  patient?: string
  comment?: string
  spm?: string
  text?: string
}
async function received(kitID: string, value: string, changes: Changes = {}) {
  const answer = await operator('POST', '/lab/results', changes.text ?? oru(kitID, value, changes), {
    'content-type': 'application/hl7-v2',
  })
  expect(answer.status, answer.text).toBe(200)
  return answer
}
async function resulted(kitID: string, value: string, changes: Changes = {}) {
  const answer = await received(kitID, value, changes)
  expect(JSON.stringify(answer.body), answer.text).toContain('reported')
}

/** The same as JSON, with what it says of the sample. */
async function resultedAsJson(kitID: string, value: string, specimen: Record<string, string>, status = 'final') {
  const patient = { name: 'Zoe Canary', dateOfBirth: '1980-02-03', sex: 'F' }
  const results = [{ name: 'Chlamydia trachomatis NAAT', loinc: '43304-5', value, unit: '' }]
  const laboratories = [{ name: 'North Lab', address: '9 Road, Dallas, TX 75201', clia: '45D0000001' }]
  const specimens = [{ id: `S${kitID}`, source: 'Urine', receivedDate: today(), ...specimen }]
  const said = {
    accession: `S${kitID}`,
    status,
    patient,
    results,
    collectedDate: specimen.collectedDate ?? dayBefore(1),
    resultedDate: today(),
  }
  const answer = await operator('POST', '/lab/results', { kitID, ...said, origin: { laboratories, specimens } })
  expect(JSON.stringify(answer.body), answer.text).toContain('reported')
}
const dayBefore = (days: number) => new Date(Date.now() + aheadMs - days * 86_400_000).toISOString().slice(0, 10)

const all = async (kitID: string) =>
  (await operator('GET', '/notices?size=250')).body.data.filter((one: { kitID?: string }) => one.kitID === kitID)
const one = async (kitID: string) => {
  const [first] = await all(kitID)
  return first ? (await operator('GET', `/notices/${first.id}`)).body : undefined
}
const becomes = (kitID: string, wanted: Record<string, unknown>) =>
  expect.poll(() => one(kitID), { interval: 50 }).toMatchObject(wanted)
const heardOf = (kitID: string) => authority.heard.filter(({ text }) => text.includes(`ORC|RE|${kitID}^`))
const field = (text: string, at: string): string => {
  const [name = '', number] = at.split('-')
  return (
    text
      .split('\r')
      .find((line) => line.startsWith(name))
      ?.split('|')[Number(number) - (name === 'MSH' ? 1 : 0)] ?? ''
  )
}
const later = async (ms: number) => {
  aheadMs += ms
  await world.service.database.asSystem({ name: 'test' }, (tx) => tx.enqueue('notifiable.send', {}))
}

describe('a result that an authority wants told', () => {
  it('is told once, while its report still waits for review, by a message that the guide allows', async () => {
    const id = await authorityOf('TX')
    const kitID = await registered('TX')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, {
      state: 'accepted',
      authority: { id, name: 'Health of TX' },
      condition: 'Chlamydia',
      isOverdue: false,
    })
    const [{ text = '' } = {}, ...more] = heardOf(kitID)
    expect(more).toEqual([])
    expect(violationsOf(text)).toEqual([])
    expect([field(text, 'OBX-11'), field(text, 'OBR-25'), field(text, 'ORC-12').split('^')[0]]).toEqual([
      'F',
      'F',
      '1234567893',
    ])
    expect(field(text, 'OBX-5')).toBe('260373001^Detected^SCT^^^^^^Detected')
    expect(field(text, 'OBX-24')).toBe('9 Road^^Dallas^TX^75201^USA^B')
    expect((await one(kitID)).message).toBeUndefined()
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const { data } = (await operator('GET', `/businesses/${clinic.id}/customers/${customerID}/accesses`)).body
    expect(data).toContainEqual(expect.objectContaining({ data: 'report', job: 'notifiable.send' }))
    // The same again is nothing new.
    await resulted(kitID, POSITIVE)
    await later(60_000)
    await world.settled()
    expect(heardOf(kitID)).toHaveLength(1)
  })

  it('that is negative, of another place, or of a sandbox is not told', async () => {
    await authorityOf('OK')
    const kitID = await registered('OK')
    await resulted(kitID, NEGATIVE)
    const other = await registered('OK')
    await resulted(other, POSITIVE, { code: '43305-2' })
    expect([await all(kitID), await all(other)]).toEqual([[], []])
  })

  it('is corrected with the authority where the laboratory corrects it, and told again where it turns back', async () => {
    await authorityOf('NM')
    const kitID = await registered('NM')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    const { text = '' } = heardOf(kitID)[1] ?? {}
    expect([field(text, 'OBX-11'), field(text, 'OBR-25'), field(text, 'OBX-5').split('^')[0]]).toEqual([
      'C',
      'C',
      '260415000',
    ])
    await becomes(kitID, { state: 'accepted', isCorrection: false })
    await resulted(kitID, POSITIVE, { status: 'C' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(3)
    expect(new Set(heardOf(kitID).map(({ controlId }) => controlId)).size).toBe(3)
  })

  it('that the laboratory corrects before it was told is never told', async () => {
    authority.treats(() => ({ is: 'dropped' }))
    await authorityOf('AZ', { kind: 'byHand' })
    const kitID = await registered('AZ')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'onlyByHand' })
    expect(violationsOf((await one(kitID)).message)).toEqual([])
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await becomes(kitID, { state: 'notTold', reason: 'corrected' })
    expect(heardOf(kitID)).toEqual([])
  })

  it('waits for a person where the answer is not clear, and is sent or not as they say, with a note of it', async () => {
    await authorityOf('UT')
    const kitID = await registered('UT')
    await resulted(kitID, '82334004^Indeterminate^SCT')
    await becomes(kitID, { state: 'waiting', reason: 'indeterminate', maySend: true })
    const { id } = await one(kitID)
    const decided = await operator('POST', `/notices/${id}`, { decision: 'notToTell', reason: 'Repeat is ordered' })
    expect(decided.body).toMatchObject({ state: 'notTold', reason: 'decided', note: 'Repeat is ordered' })
    expect((await operator('POST', `/notices/${id}`, { decision: 'send' })).status).toBe(409)
    const other = await registered('UT')
    await resulted(other, POSITIVE, { status: 'P' })
    await becomes(other, { state: 'waiting', reason: 'preliminary' })
    const sent = await operator('POST', `/notices/${(await one(other)).id}`, { decision: 'send' })
    expect(sent.status, sent.text).toBe(200)
    await becomes(other, { state: 'accepted' })
    expect(field(heardOf(other)[0]?.text ?? '', 'OBX-11')).toBe('P')
    await resulted(other, POSITIVE)
    await expect.poll(() => heardOf(other).length, { interval: 50 }).toBe(2)
    expect(field(heardOf(other)[1]?.text ?? '', 'OBX-11')).toBe('F')
  })

  const THROAT = { spm: '258529004^Throat swab^SCT' }
  it('is of one sample: what comes of another is told by itself, and corrects and takes back nothing of the first', async () => {
    await authorityOf('KY')
    const kitID = await registered('KY')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await resulted(kitID, NEGATIVE, THROAT)
    await world.settled()
    expect([await all(kitID), heardOf(kitID).length]).toMatchObject([[{ state: 'accepted', isCorrection: false }], 1])
    await resulted(kitID, POSITIVE, THROAT)
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    expect(heardOf(kitID).map(({ text }) => [field(text, 'OBX-11'), field(text, 'SPM-4')])).toEqual([
      ['F', 'UR^Urine^HL70487^^^^^^Urine'],
      ['F', '258529004^Throat swab^SCT^^^^^^Throat swab'],
    ])
    await resulted(kitID, NEGATIVE, { ...THROAT, status: 'C' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(3)
    expect(field(heardOf(kitID)[2]?.text ?? '', 'SPM-4')).toMatch(/^258529004/)
    const other = await registered('KY')
    await resulted(other, POSITIVE)
    await becomes(other, { state: 'accepted' })
    await resulted(other, NEGATIVE, { ...THROAT, status: 'C' })
    await becomes(other, { state: 'waiting', reason: 'otherSpecimen', maySend: true })
    expect([(await all(other)).length, heardOf(other).length]).toEqual([1, 1])
  })

  let ofSamples: Promise<string> | undefined
  const samplesToldAt = () => (ofSamples ??= authorityOf('AP'))
  it('is one for each number of a sample, however HL7 and JSON write it, and is told once and corrected once', async () => {
    await samplesToldAt()
    const kitID = await registered('AP')
    const text = oru(kitID, POSITIVE, { spm: '258529004^Throat swab specimen^SCT' })
      .replace(`SPM|1|S${kitID}|`, `SPM|1|${kitID}^S${kitID}&LIS|`)
      .replace(`OBR|1|${kitID}||`, `OBR|1|${kitID}|S${kitID}^LIS|`)
    await resulted(kitID, POSITIVE, { text })
    await becomes(kitID, { state: 'accepted' })
    await resultedAsJson(kitID, 'Positive', { source: 'Throat swab', id: ` s${kitID.toLowerCase()}` })
    await world.settled()
    expect([(await all(kitID)).length, heardOf(kitID).length]).toEqual([1, 1])
    await resultedAsJson(kitID, 'Negative', { source: 'Throat swab' }, 'corrected')
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    const numbersOf = ({ text }: { text: string }) => ['ORC-2', 'ORC-3', 'OBR-3'].map((at) => field(text, at))
    const [first, second] = heardOf(kitID)
    expect(second && [field(second.text, 'OBX-11'), ...numbersOf(second)]).toEqual([
      'C',
      ...(first ? numbersOf(first) : []),
    ])
    expect((await all(kitID)).length).toBe(1)
  })

  it('has the times of its sample that the laboratory says of the sample, and waits where they contradict each other', async () => {
    await samplesToldAt()
    const timed = (kitID: string, collected: string) =>
      oru(kitID, POSITIVE)
        .replace(/(?<=\|\|\|F\|\|\|)\d{14}\+0000(?=\|)/, `${dayBefore(1).replaceAll('-', '')}090000-0600`)
        .replace(
          /(SPM.*\|)[^|]*\|[^|]*$/,
          `$1${dayBefore(1).replaceAll('-', '')}${collected}-0600|${dayBefore(1).replaceAll('-', '')}083000-0600`,
        )
    const kitID = await registered('AP')
    await resulted(kitID, POSITIVE, { text: timed(kitID, '080000') })
    await becomes(kitID, { state: 'accepted' })
    const { text = '' } = heardOf(kitID)[0] ?? {}
    expect(['SPM-17', 'SPM-18', 'OBR-7', 'OBX-14'].map((at) => field(text, at).slice(8))).toEqual([
      '080000-0600',
      '083000-0600',
      '080000-0600',
      '080000-0600',
    ])
    const wrong = await registered('AP')
    await resulted(wrong, POSITIVE, { text: timed(wrong, '090000') })
    await becomes(wrong, { state: 'waiting', reason: 'incomplete', mayComplete: true })
    expect((await one(wrong)).problems).toEqual([expect.stringContaining('SPM-18')])
    const corrected = { decision: 'complete', collectedDate: `${dayBefore(1)}T08:00:00-06:00` }
    const { id } = await one(wrong)
    expect((await operator('POST', `/notices/${id}`, corrected)).body).toMatchObject({ problems: [] })
    await becomes(wrong, { state: 'accepted' })
  })

  it('that a person decided not to tell is told after all once they undo that, or the laboratory corrects it', async () => {
    await authorityOf('MO')
    const kitID = await registered('MO')
    await resulted(kitID, '82334004^Indeterminate^SCT')
    await becomes(kitID, { state: 'waiting', person: 'Zoe Canary', mayUndo: false })
    const { id } = await one(kitID)
    const notToTell = { decision: 'notToTell', reason: 'Repeat is ordered' }
    expect((await operator('POST', `/notices/${id}`, notToTell)).body).toMatchObject({ mayUndo: true })
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    expect((await operator('POST', `/notices/${id}`, told)).body.message).toContain('undo that first')
    const undone = await operator('POST', `/notices/${id}`, { decision: 'undoNotToTell' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'indeterminate' })
    expect((await operator('POST', `/notices/${id}`, { decision: 'undoNotToTell' })).status).toBe(409)
    await operator('POST', `/notices/${id}`, notToTell)
    await resulted(kitID, '82334004^Indeterminate^SCT', { status: 'C' })
    await becomes(kitID, { state: 'waiting', reason: 'changedSince' })
  })

  it('is counted in the queue while its message waits, which says by when an authority may have to be told: since it came', async () => {
    await authorityOf('WI', { kind: 'byHand' })
    const kitID = await registered('WI')
    await operator('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    const { messageID } = (await received(kitID, POSITIVE)).body.reports[0]
    expect(await all(kitID)).toEqual([])
    const { waitingMessages } = (await operator('GET', '/notices')).body
    expect(waitingMessages).toMatchObject({ count: expect.any(Number), deadlineDate: expect.any(String) })
    const messages = (await operator('GET', '/lab/messages?size=250')).body
    const ofKit = messages.filter((message: { kitID?: string }) => message.kitID === kitID)
    expect(ofKit.flatMap(({ authority: due }: { authority?: object }) => due ?? [])).toMatchObject([
      { conditions: ['Chlamydia'] },
    ])
    const { deadlineDate } = ofKit.find(({ id }: { id: string }) => id === messageID).authority
    aheadMs += 3_600_000
    await operator('POST', '/samples/undo-rejection', { kitID })
    const assigned = await operator('POST', `/lab/messages/${messageID}/assign`, { kitID })
    if (assigned.status !== 404) expect(assigned.status, assigned.text).toBe(200)
    await becomes(kitID, { state: 'waiting', reason: 'onlyByHand', deadlineDate })
  })

  it('in a message for a kit of a sandbox is in no count of the queue', async () => {
    const { body } = await clinic.sandbox.post('/create-order', anOrder())
    const { kitID } = (await clinic.sandbox.get(`/orders/${body.orderId}`)).body.kits[0]
    const { messageID } = (await received(kitID, POSITIVE)).body.reports[0]
    const messages = (await operator('GET', '/lab/messages?size=250')).body
    const waits = messages.find(({ id }: { id: string }) => id === messageID)
    expect([waits?.kitID, waits?.authority]).toEqual([kitID, undefined])
  })

  it('is told again as a correction where the name, birth or sex of its person is corrected', async () => {
    await authorityOf('MN')
    const kitID = await registered('MN')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const changed = await clinic.live.request('PATCH', `/customers/${customerID}`, {
      name: 'Zoe Canaryson',
      reason: 'Typo',
    })
    expect(changed.status, changed.text).toBe(200)
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    const { text = '' } = heardOf(kitID)[1] ?? {}
    expect([field(text, 'OBX-11'), field(text, 'PID-5').split('^')[0]]).toEqual(['C', 'Canaryson'])
    await becomes(kitID, { state: 'accepted' })
    expect(field(text, 'PID-3').split('^')[0]).toBe(String(customerID))
    const { toldAuthorities } = (await clinic.live.get(`/customers/${customerID}/export`)).body
    expect(toldAuthorities).toMatchObject([
      { condition: 'Chlamydia', authority: 'Health of MN', toldDate: expect.any(String) },
    ])
  })

  it('that was told waits for a person by its control number where the laboratory corrects it after an erasure', async () => {
    await authorityOf('NJ')
    const kitID = await registered('NJ')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBeLessThan(300)
    await received(kitID, NEGATIVE, { status: 'C' })
    const waits = await one(kitID)
    expect(waits).toMatchObject({ state: 'waiting', reason: 'afterErasure', maySend: false })
    expect(waits.controlID).toBe(heardOf(kitID)[0]?.controlId)
    expect(JSON.stringify(waits)).not.toContain('Canary')
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    expect((await operator('POST', `/notices/${waits.id}`, told)).body).toMatchObject({ state: 'byHand' })
  })

  it('has no address of another person who was one customer with them in an earlier release, and waits', async () => {
    await authorityOf('SC')
    const email = `twins${++serial}@people.test`
    const first = await registered('SC', { email })
    const nowhere = { addressLine1: undefined, city: undefined, state: undefined, country: 'US' }
    const twin = await registered('SC', { email, ...nowhere })
    // Earlier releases registered whoever shared e-mail and birthday.
    const { live } = await world.service.database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, clinic.id))
    await world.service.database.inRealm(live, { name: 'test' }, async (tx) =>
      correctRegistrations(tx, [await lockKit(tx, twin)], { firstName: 'Ada', lastName: 'Canary' }),
    )
    await resulted(first, POSITIVE)
    await resulted(twin, POSITIVE, { patient: 'PID|1||P2||Canary^Ada||19800203|F' })
    await becomes(first, { state: 'accepted' })
    await becomes(twin, { state: 'waiting', reason: 'placeUnknown', person: 'Ada Canary' })
    expect(heardOf(twin)).toEqual([])
  })

  it('whose laboratory did not say what was taken is told once a person says it', async () => {
    await authorityOf('TN')
    const kitID = await registered('TN')
    const results = [{ loinc: '43304-5', name: 'Chlamydia trachomatis NAAT', value: 'Positive', unit: '' }]
    const origin = { laboratories: [{ name: 'North Lab', address: '9 Road, Dallas, TX 75201', clia: '45D0000001' }] }
    const sent = await operator('POST', '/lab/results', { kitID, collectedDate: '2026-11-28', results, origin })
    expect(sent.status, sent.text).toBe(200)
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', mayComplete: true })
    const { id } = await one(kitID)
    const said = { decision: 'complete', specimen: 'vaginal swab', receivedDate: '2026-11-29' }
    expect((await operator('POST', `/notices/${id}`, said)).status).toBe(200)
    await becomes(kitID, { state: 'accepted' })
    expect(field(heardOf(kitID)[0]?.text ?? '', 'SPM-4')).toMatch(/^258520000\^Vaginal swab\^SCT/)
  })

  it('is accepted by an authority that only says that it took it', async () => {
    authority.treats(() => ({ is: 'received' }))
    await authorityOf('VA')
    const kitID = await registered('VA')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
  })

  it('of somebody who lives abroad, or whose ZIP code is of another state, leaves a row', async () => {
    const abroad = await registered('ON', { country: 'CA', zip: 'M5V 2T6' })
    await resulted(abroad, POSITIVE)
    await becomes(abroad, { state: 'notTold', reason: 'abroad' })
    await authorityOf('AL')
    const other = await registered('AL', { zip: '78702' })
    await resulted(other, POSITIVE)
    await becomes(other, { state: 'waiting', reason: 'placeUnknown' })
  })

  it('that could not be judged waits with its text, report or not, and is told once a clear answer comes in its place', async () => {
    await authorityOf('AR')
    const kitID = await registered('AR')
    await received(kitID, 'Abnormal growth', { code: '99999-9', name: 'Chlamydia culture' })
    await becomes(kitID, { state: 'waiting', reason: 'unreadable', result: expect.stringContaining('Abnormal growth') })
    const [first, ...more] = await all(kitID)
    expect([more, first.reportID, first.maySend]).toEqual([[], undefined, false])
    // A report with another answer leaves it as it is, and so does a person who has seen it.
    await resulted(kitID, NEGATIVE)
    await becomes(kitID, { id: first.id, state: 'waiting', reason: 'unreadable', reportID: expect.any(String) })
    expect(await all(kitID)).toHaveLength(1)
    const [waits] = (await clinic.live.get(`/unassessed-results?kitID=${kitID}`)).body.data
    const dismiss = `/unassessed-results/${waits.id}/dismiss`
    const asked = await operator('POST', dismiss, { reason: 'Seen' })
    expect([asked.status, asked.body.details?.[0]?.path]).toEqual([400, 'authority'])
    const said = { decision: 'notToTell', reason: 'A person tells it from the queue' }
    const dismissed = await operator('POST', dismiss, { reason: 'Seen', authority: said })
    expect(dismissed.status, dismissed.text).toBeLessThan(300)
    await saved('/notifiable-settings/sender', sender)
    await world.settled()
    const { id } = first
    expect(await one(kitID)).toMatchObject({
      id,
      state: 'notTold',
      reason: 'decided',
      note: said.reason,
      mayUndo: true,
    })
    const undone = await operator('POST', `/notices/${id}`, { decision: 'undoNotToTell' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'unreadable' })
    expect(heardOf(kitID)).toEqual([])
    const other = await registered('AR')
    await received(other, 'See comment')
    await becomes(other, { state: 'waiting', reason: 'unreadable' })
    const { id: later } = await one(other)
    await resulted(other, POSITIVE)
    await becomes(other, { id: later, state: 'accepted' })
    expect([await all(other), heardOf(other)].map(({ length }) => length)).toEqual([1, 1])
  })

  it('that could not be judged is found by the name of its infection or its LOINC code', async () => {
    await authorityOf('WV')
    const of = [rule({ condition: 'Syphilis', biomarkers: ['treponema_pallidum_antibody'], states: ['WV'] })]
    of.push(rule({ condition: 'HIV infection', biomarkers: ['hiv_ag_ab'], states: ['WV'] }))
    for (const one of of) await saved('/notifiable-settings/rules', one)
    for (const [code, name, value, condition] of [
      ['31147-2', 'RPR Ser-Titr', '1:32', 'Syphilis'],
      ['44871-8', 'HIV1 proviral DNA', '260373001^Detected^SCT', 'HIV infection'],
      ['36903-3', 'CT+NG DNA', 'CT positive', 'Chlamydia'],
    ] as const) {
      const kitID = await registered('WV')
      await received(kitID, value, { code, name })
      await becomes(kitID, { state: 'waiting', reason: 'unreadable', condition })
      expect((await one(kitID)).sentence, name).not.toContain('could not be read')
    }
  })

  it('that no rule asks for any more waits again once one does, and is told all the same if a person says so', async () => {
    await authorityOf('RI', { kind: 'byHand' })
    const of = rule({ condition: 'Gonorrhea', biomarkers: ['gonorrhoeae'], states: ['RI'] })
    const id = await saved('/notifiable-settings/rules', of)
    const kits = [await registered('RI'), await registered('RI'), await registered('RI')]
    const [kitID = '', other = '', rejected = ''] = kits
    const reasonOf = (kit: string) => (kit === rejected ? 'sampleRejected' : 'onlyByHand')
    for (const kit of kits) await resulted(kit, POSITIVE, { code: '43305-2' })
    await operator('POST', '/samples/reject', { kitID: rejected, reason: 'unlabeled' })
    for (const kit of kits) await becomes(kit, { state: 'waiting', reason: reasonOf(kit) })
    for (const change of [{ isActive: false }, { states: ['ME'] }]) {
      const ended = await operator('POST', '/notifiable-settings/rules', { ...of, ...change, id })
      expect(ended.body, ended.text).toMatchObject({ endedNotices: 3 })
      for (const kit of kits) await becomes(kit, { state: 'notTold', reason: 'elsewhere', mayUndo: true })
      const back = await operator('POST', '/notifiable-settings/rules', { ...of, id })
      expect(back.body).toMatchObject({ endedNotices: 0 })
      for (const kit of kits) await becomes(kit, { state: 'waiting', reason: reasonOf(kit) })
    }
    await operator('POST', '/notifiable-settings/rules', { ...of, isActive: false, id })
    for (const kit of kits) await becomes(kit, { state: 'notTold', reason: 'elsewhere' })
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    const byHand = await operator('POST', `/notices/${(await one(other)).id}`, told)
    expect(byHand.body, byHand.text).toMatchObject({ state: 'byHand' })
    const undone = await operator('POST', `/notices/${(await one(kitID)).id}`, { decision: 'undoNotToTell' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'onlyByHand' })
    await saved('/notifiable-settings/sender', sender)
    await world.settled()
    expect(await one(kitID)).toMatchObject({ state: 'waiting', reason: 'onlyByHand' })
  })

  it('whose message is incomplete is sent as it is if a person says so', async () => {
    await authorityOf('NH')
    const kitID = await registered('NH')
    const results = [{ loinc: '43304-5', name: 'Chlamydia trachomatis NAAT', value: 'Positive', unit: '' }]
    await operator('POST', '/lab/results', { kitID, collectedDate: '2026-11-28', results })
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', maySend: true })
    const sent = await operator('POST', `/notices/${(await one(kitID)).id}`, { decision: 'send' })
    expect(sent.body, sent.text).toMatchObject({ state: 'due' })
    await becomes(kitID, { state: 'accepted' })
    expect(violationsOf(heardOf(kitID)[0]?.text ?? '')).not.toEqual([])
  })

  it('that is told by hand cannot be sent', async () => {
    await authorityOf('NC', { kind: 'byHand' })
    const kitID = await registered('NC')
    await resulted(kitID, POSITIVE, { status: 'P' })
    await becomes(kitID, { state: 'waiting', reason: 'preliminary', maySend: false })
    const refused = await operator('POST', `/notices/${(await one(kitID)).id}`, { decision: 'send' })
    expect([refused.status, refused.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
  })

  it('of somebody without an address goes with that of the kit as one for mail, not as their home', async () => {
    await authorityOf('AK')
    const who = { firstName: 'Ada', lastName: 'Example', addressLine1: undefined, city: undefined, state: undefined }
    const address = { street1: '1 Main Street', city: 'Juneau', state: 'AK', zip: '99801' }
    const kitID = await registered('AK', who, anOrder({ recipient: { ...recipient, address } }))
    await resulted(kitID, POSITIVE, { patient: 'PID|1||P1||Example^Ada||19800203|F' })
    await becomes(kitID, { state: 'accepted' })
    expect(field(heardOf(kitID)[0]?.text ?? '', 'PID-11')).toBe('1 Main Street^^Juneau^AK^99801^USA^M')
  })

  it('that could not be judged and was told by hand is not told again by itself', async () => {
    await authorityOf('LA')
    const kitID = await registered('LA')
    await received(kitID, 'See comment')
    await becomes(kitID, { state: 'waiting', reason: 'unreadable' })
    const { id } = await one(kitID)
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    expect((await operator('POST', `/notices/${id}`, told)).body).toMatchObject({
      state: 'byHand',
      result: expect.any(String),
    })
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { id, state: 'waiting', reason: 'changedSince' })
    expect(heardOf(kitID)).toEqual([])
  })

  it('that could not be judged and is dismissed as told by hand is told, with those words, until somebody undoes that', async () => {
    await authorityOf('VI')
    const kitID = await registered('VI')
    await received(kitID, 'See comment')
    await becomes(kitID, { state: 'waiting', reason: 'unreadable' })
    const [waits] = (await clinic.live.get(`/unassessed-results?kitID=${kitID}`)).body.data
    const said = { decision: 'toldByHand', reason: 'By telephone, Ann to Bob' }
    await operator('POST', `/unassessed-results/${waits.id}/dismiss`, { reason: 'Seen', authority: said })
    const { id, ...told } = await one(kitID)
    expect(told).toMatchObject({ state: 'byHand', note: said.reason, toldDate: expect.any(String), mayUndo: true })
    const undone = await operator('POST', `/notices/${id}`, { decision: 'undoToldByHand' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'unreadable' })
  })

  it('in words that waits is the answer that a person says it is, and its message still has to be complete', async () => {
    await authorityOf('GU')
    const kitID = await registered('GU')
    await received(kitID, 'Detectado debil', { code: '99999-9', name: 'Chlamydia culture' })
    await becomes(kitID, { state: 'waiting', reason: 'unreadable' })
    const [waits] = (await clinic.live.get(`/unassessed-results?kitID=${kitID}`)).body.data
    const assign = (value?: string) =>
      operator('POST', `/unassessed-results/${waits.id}/assign`, { biomarker: 'chlamydia', reason: 'Read', value })
    for (const word of ['plenty', 'POS'])
      expect((await assign(word)).body.details[0].message).toContain('negative, indeterminate, positive')
    const answer = await assign('positive')
    expect(answer.status, answer.text).toBe(200)
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', result: expect.stringContaining('Positive') })
  })

  const BOB = 'PID|1||P2||Different^Bob||19550607|M'
  async function assigned(kitID: string, value: string): Promise<string> {
    const { messageID } = (await received(kitID, value, { patient: BOB })).body.reports[0]
    const differences = ['name', 'dateOfBirth', 'sex']
    const answer = await operator('POST', `/lab/messages/${messageID}/assign`, { kitID, differences })
    expect(answer.status, answer.text).toBe(200)
    return messageID
  }

  it('that may be of somebody else waits until a reviewer has published the report, or says so', async () => {
    await authorityOf('CA')
    const kitID = await registered('CA')
    const messageID = await assigned(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'sampleDoubted', maySend: true })
    await saved('/notifiable-settings/sender', sender)
    await world.settled()
    expect([await one(kitID), heardOf(kitID)]).toMatchObject([{ state: 'waiting', reason: 'sampleDoubted' }, []])
    await operator('POST', `/lab/messages/${messageID}/undo`)
    await becomes(kitID, { state: 'notTold', reason: 'withdrawn' })
    const read = await registered('CA')
    await assigned(read, POSITIVE)
    await becomes(read, { state: 'waiting', reason: 'sampleDoubted' })
    const { reportID } = await one(read)
    await readBackAll(clinic.live.request, reportID)
    const notified = { person: 'Dr. Reyes', at: new Date().toISOString() }
    const published = await clinic.live.post(`/reports/${reportID}/publish`, { notified })
    expect(published.status, published.text).toBeLessThan(300)
    await becomes(read, { state: 'accepted' })
    expect(heardOf(read)).toHaveLength(1)
  })

  it('that was told and is taken off its kit is taken back by the source with which it was told', async () => {
    await authorityOf('WA')
    const kitID = await registered('WA')
    const messageID = await assigned(kitID, POSITIVE)
    await becomes(kitID, { reason: 'sampleDoubted' })
    await operator('POST', `/notices/${(await one(kitID)).id}`, { decision: 'send' })
    await becomes(kitID, { state: 'accepted' })
    const undone = await operator('POST', `/lab/messages/${messageID}/undo`)
    expect(undone.status, undone.text).toBe(200)
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    const [first = '', last = ''] = heardOf(kitID).map(({ text }) => text)
    expect(field(last, 'OBX-11')).toBe('W')
    expect(violationsOf(last)).toEqual([])
    for (const at of ['OBX-3', 'OBX-5', 'OBX-14', 'OBX-23', 'OBX-24', 'SPM-4', 'SPM-18', 'PID-5'])
      expect(field(last, at), at).toBe(field(first, at))
  })

  it('that was told waits where the laboratory corrects it to what cannot be read, and is taken back only with it', async () => {
    await authorityOf('GA')
    for (const [value, changes] of [
      ['see note', {}],
      [POSITIVE, { comment: 'Sample mix-up suspected' }],
    ] as const) {
      const kitID = await registered('GA')
      await resulted(kitID, POSITIVE)
      await becomes(kitID, { state: 'accepted' })
      await received(kitID, value, { status: 'C', ...changes })
      await world.settled()
      expect(await all(kitID), value).toMatchObject([{ state: 'waiting', isCorrection: true }])
      expect(heardOf(kitID), value).toHaveLength(1)
      await resulted(kitID, NEGATIVE, { status: 'C' })
      await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
      expect(field(heardOf(kitID)[1]?.text ?? '', 'OBX-11')).toBe('C')
    }
    const gone = await registered('GA')
    await resulted(gone, POSITIVE)
    await becomes(gone, { state: 'accepted' })
    await received(gone, '', { status: 'W' })
    await expect.poll(() => heardOf(gone).length, { interval: 50 }).toBe(2)
    expect(field(heardOf(gone)[1]?.text ?? '', 'OBX-11')).toBe('W')
  })

  it('that went as training was not told: it waits, and is told once the authority is set to production', async () => {
    const id = await authorityOf('FL', undefined, { processing: 'T' })
    const kitID = await registered('FL')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'training' })
    expect((await one(kitID)).toldDate).toBeUndefined()
    await saved('/notifiable-settings/sender', sender)
    await world.settled()
    expect(heardOf(kitID).map(({ text }) => field(text, 'MSH-11'))).toEqual(['T'])
    await authorityOf('FL', undefined, { id })
    await becomes(kitID, { state: 'accepted', toldDate: expect.any(String) })
    expect(heardOf(kitID).map(({ text }) => field(text, 'MSH-11'))).toEqual(['T', 'P'])
  })

  it('that was told stays with the authority of where the person lived then, and a new one is told where they live now', async () => {
    await authorityOf('NY')
    await authorityOf('MI')
    const only = await saved('/notifiable-settings/rules', rule({ biomarkers: ['gonorrhoeae'], states: ['NY'] }))
    const kitID = await registered('NY')
    await resulted(kitID, POSITIVE)
    await resulted(kitID, POSITIVE, { code: '43305-2' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
    await world.settled()
    await moved(kitID, 'MI')
    await resulted(kitID, POSITIVE)
    await world.settled()
    expect([(await all(kitID)).length, heardOf(kitID).length]).toEqual([2, 2])
    await resulted(kitID, NEGATIVE, { status: 'C', code: '43305-2' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(3)
    expect(heardOf(kitID).map(({ text }) => field(text, 'MSH-5').split('^')[0])).toEqual(['NY.ELR', 'NY.ELR', 'NY.ELR'])
    await saved('/notifiable-settings/rules', {
      ...rule({ biomarkers: ['gonorrhoeae'], states: ['NY'] }),
      id: only,
      isActive: false,
    })
  })
  async function moved(kitID: string, state: string) {
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    const address = { street1: '2 Elm St', city: 'Town', state, zip: '48201', country: 'US' }
    const answer = await clinic.live.request('PATCH', `/customers/${customerID}`, { address })
    expect(answer.status, answer.text).toBe(200)
  }

  it('does not wait behind others of an authority that is away', async () => {
    const isAway = (text: string) => field(text, 'MSH-5').startsWith('OH')
    authority.treats(() => ({ is: 'dropped' }))
    await authorityOf('OH')
    await authorityOf('VT')
    const kits = [await registered('OH'), await registered('OH'), await registered('OH'), await registered('VT')]
    for (const kitID of kits) {
      await resulted(kitID, POSITIVE)
      await becomes(kitID, { tries: 1 })
    }
    authority.treats(({ text }) => ({ is: isAway(text) ? 'dropped' : 'bare' }))
    aheadMs += 120_000
    // A run of its own, whose calls are counted: the service may begin another one meanwhile.
    const called: string[] = []
    const { database, portsOf } = world.service
    const counted: typeof portsOf = (mode) => {
      const { callLaboratory, ...ports } = portsOf(mode)
      if (!callLaboratory) throw new Error('nobody is told')
      const count: typeof callLaboratory = (call) => {
        called.push(call.body)
        return callLaboratory(call)
      }
      return { ...ports, callLaboratory: count }
    }
    const run = { signal: new AbortController().signal }
    await sendNotices.handler({ database, actor: { name: 'test' }, portsOf: counted, run } as JobContext, {})
    await becomes(kits[3] ?? '', { state: 'accepted' })
    expect(called.filter(isAway)).toHaveLength(1)
  })

  it('is told while another authority has not answered yet, whichever is called first', async () => {
    authority.treats(() => ({ is: 'dropped' }))
    await authorityOf('MS')
    await authorityOf('ME')
    const kits = [await registered('MS'), await registered('ME')]
    for (const kitID of kits) {
      await resulted(kitID, POSITIVE)
      await becomes(kitID, { tries: 1 })
    }
    await world.settled()
    authority.treats(() => ({ is: 'bare' }))
    aheadMs += 120_000
    const { database, portsOf } = world.service
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held: typeof portsOf = (mode) => {
      const { callLaboratory, ...ports } = portsOf(mode)
      if (!callLaboratory) throw new Error('nobody is told')
      const hold: typeof callLaboratory = async (call) => {
        if (field(call.body, 'MSH-5').startsWith('MS')) await released
        return callLaboratory(call)
      }
      return { ...ports, callLaboratory: hold }
    }
    const run = { signal: new AbortController().signal }
    const sending = sendNotices.handler({ database, actor: { name: 'test' }, portsOf: held, run } as JobContext, {})
    await becomes(kits[1] ?? '', { state: 'accepted' })
    const later = await registered('ME')
    await resulted(later, POSITIVE)
    await becomes(later, { state: 'accepted' })
    expect(await one(kits[0] ?? '')).toMatchObject({ state: 'due' })
    release()
    await sending
    await becomes(kits[0] ?? '', { state: 'accepted' })
  })

  it('waits for a person where its sample is rejected afterwards', async () => {
    await authorityOf('IA')
    const kitID = await registered('IA')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    const byHand = await authorityOf('IA', { kind: 'byHand' })
    const other = await registered('IA')
    await resulted(other, POSITIVE)
    for (const kit of [kitID, other]) {
      const rejected = await operator('POST', '/samples/reject', { kitID: kit, reason: 'unlabeled' })
      expect(rejected.status, rejected.text).toBe(200)
      for (const notice of await all(kit)) expect(notice).toMatchObject({ state: 'waiting', reason: 'sampleRejected' })
    }
    expect((await all(other)).map(({ authority: to }: { authority: { id: string } }) => to.id)).toContain(byHand)
  })

  it('is not sent as it was while another message of its kit waits: a person sees that, and tells what holds now', async () => {
    await authorityOf('SD')
    const kitID = await registered('SD')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await operator('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    await becomes(kitID, { state: 'waiting', reason: 'sampleRejected', maySend: true })
    const before = (await operator('GET', '/notices')).body.waitingMessages?.count ?? 0
    const { messageID } = (await received(kitID, NEGATIVE, { status: 'C' })).body.reports[0]
    expect((await operator('GET', '/notices')).body.waitingMessages.count).toBe(before + 1)
    const waits = await one(kitID)
    expect(waits).toMatchObject({
      reason: 'messageWaits',
      maySend: false,
      sentence: expect.stringContaining('Unmatched'),
    })
    const refused = await operator('POST', `/notices/${waits.id}`, { decision: 'send' })
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('waits in Unmatched')])
    expect((await operator('POST', `/lab/messages/${messageID}/discard`)).body.details[0].path).toBe('authority')
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    expect((await operator('POST', `/notices/${waits.id}`, told)).body).toMatchObject({ state: 'byHand' })
    expect(heardOf(kitID)).toHaveLength(1)
  })

  it('that waits beside a message of its kit is as who discards the message says, and can be undone', async () => {
    await authorityOf('ND')
    const kitID = await registered('ND')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await operator('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    const { messageID } = (await received(kitID, NEGATIVE, { status: 'C' })).body.reports[0]
    await becomes(kitID, { reason: 'messageWaits' })
    const authority = { decision: 'toldByHand', reason: 'By telephone, Ann to Bob: negative' }
    const discarded = await operator('POST', `/lab/messages/${messageID}/discard`, { authority })
    const { id, ...told } = await one(kitID)
    expect(discarded.body).toMatchObject({ settledNotices: [{ id, condition: 'Chlamydia' }], openNotices: [] })
    expect(told).toMatchObject({ state: 'byHand', note: authority.reason, maySend: false, mayUndo: true })
    const undone = await operator('POST', `/notices/${id}`, { decision: 'undoToldByHand' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'sampleRejected' })
  })

  it('of which the authority knows nothing is named as still to be told to who discards a message as told by hand', async () => {
    await authorityOf('AA', { kind: 'byHand' })
    const kitID = await registered('AA')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'onlyByHand' })
    const { id } = await one(kitID)
    await operator('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    const { messageID } = (await received(kitID, NEGATIVE, { status: 'C' })).body.reports[0]
    const authority = { decision: 'toldByHand', reason: 'By telephone, Ann to Bob: negative' }
    const discarded = await operator('POST', `/lab/messages/${messageID}/discard`, { authority })
    expect(discarded.body).toMatchObject({ settledNotices: [], openNotices: [{ id, condition: 'Chlamydia' }] })
    expect(await one(kitID)).toMatchObject({ state: 'waiting' })
  })

  it('that waits beside a message is neither sent nor completed, and what was not told yet stays whatever becomes of the message', async () => {
    await authorityOf('AS')
    const kitID = await registered('AS')
    await resulted(kitID, POSITIVE, { spm: '' })
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', mayComplete: true })
    const messages = []
    for (const value of [NEGATIVE, POSITIVE])
      messages.push((await received(kitID, value, { status: 'C', patient: BOB })).body.reports[0].messageID)
    await becomes(kitID, { reason: 'messageWaits', mayComplete: false, maySend: false })
    const { id } = await one(kitID)
    const complete = { decision: 'complete', specimen: 'urine', receivedDate: new Date().toISOString() }
    expect((await operator('POST', `/notices/${id}`, complete)).status).toBe(409)
    for (const [index, decision] of ['notToTell', 'toldByHand'].entries()) {
      const authority = { decision, reason: 'It is of another person' }
      const discarded = await operator('POST', `/lab/messages/${messages[index]}/discard`, { authority })
      expect(discarded.status, discarded.text).toBeLessThan(300)
    }
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', mayComplete: true })
    expect(heardOf(kitID)).toEqual([])
  })

  it('that could not be judged says so where its report has another answer of the same test', async () => {
    await authorityOf('AE')
    const kitID = await registered('AE')
    await received(kitID, 'See comment', { name: 'C. trachomatis culture or NAA' })
    await becomes(kitID, { state: 'waiting', reason: 'unreadable' })
    await received(kitID, NEGATIVE, { status: 'C' })
    await becomes(kitID, { reason: 'unreadable', sentence: expect.stringContaining('has another answer of this test') })
  })

  it('waits while no authority is known, or the state, and goes on once it is entered', async () => {
    const kitID = await registered('NV')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'noAuthority' })
    await authorityOf('NV')
    await becomes(kitID, { state: 'accepted' })
    expect(await all(kitID)).toHaveLength(1)
  })

  it('waits where its message lacks what the guide wants, says what, and goes on once that is known', async () => {
    const { provider: _, ...nobody } = sender
    await saved('/notifiable-settings/sender', nobody)
    await authorityOf('CO')
    const kitID = await registered('CO')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'incomplete', problems: [expect.stringContaining('ORC-12')] })
    expect(heardOf(kitID)).toEqual([])
    await saved('/notifiable-settings/sender', sender)
    await becomes(kitID, { state: 'accepted' })
  })

  it('that the authority refuses waits with its words, and is sent again under another control ID', async () => {
    authority.treats(() => ({ is: 'refused', reason: 'Unknown facility' }))
    await authorityOf('ID')
    const kitID = await registered('ID')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'refused', note: expect.stringContaining('Unknown facility') })
    authority.treats(() => ({ is: 'bare' }))
    expect((await operator('POST', `/notices/${(await one(kitID)).id}`, { decision: 'send' })).status).toBe(200)
    await becomes(kitID, { state: 'accepted' })
    expect(new Set(heardOf(kitID).map(({ controlId }) => controlId)).size).toBe(2)
  })

  it('is sent again, byte by byte, while the authority is away or its answer is lost, and taken once where it answers twice', async () => {
    authority.treats((_, times) => ({ is: times === 1 ? 'dropped' : times === 2 ? 'lost' : 'doubled' }))
    await authorityOf('WY')
    const kitID = await registered('WY')
    await resulted(kitID, POSITIVE)
    for (const times of [1, 2]) {
      await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(times)
      await becomes(kitID, { state: 'due', tries: times })
      await later(120_000)
    }
    await becomes(kitID, { state: 'accepted' })
    expect(new Set(heardOf(kitID).map(({ text }) => text)).size).toBe(1)
    await later(120_000)
    await world.settled()
    expect(heardOf(kitID)).toHaveLength(3)
  })

  it('whose worker dies between sending and writing it down is sent again as the same message', async () => {
    authority.treats((_, times) => ({ is: times === 1 ? 'lost' : 'bare' }))
    await authorityOf('MT')
    const kitID = await registered('MT')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'due', tries: 1 })
    await world.settled()
    // Another worker takes it, and is never heard of again.
    aheadMs += 120_000
    const taken = await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const [place] = await selectPlaces(tx, { id: (await one(kitID)).id })
      return place && claim(tx, place)
    })
    expect(taken?.body).toBe(heardOf(kitID)[0]?.text)
    await later(1000)
    await world.settled()
    expect(heardOf(kitID)).toHaveLength(1)
    await later(120_000)
    await becomes(kitID, { state: 'accepted' })
    expect(heardOf(kitID).map(({ text }) => text)).toEqual([taken?.body, taken?.body])
  })

  it('is put into the folder of an authority that fetches its messages, each correction as another file', async () => {
    await authorityOf('OR', { kind: 'folder', folder: await folderOf('or') })
    const kitID = await registered('OR')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'sent' })
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await expect.poll(() => readdir(join(folder, 'or')), { interval: 50 }).toHaveLength(2)
    await becomes(kitID, { state: 'sent', isCorrection: false })
    for (const file of await readdir(join(folder, 'or')))
      expect(violationsOf(await readFile(join(folder, 'or', file), 'utf8'))).toEqual([])
  })

  const folderOf = async (name: string) => {
    await mkdir(join(folder, name), { recursive: true })
    return name
  }

  it('that a person told by hand is not sent, and waits for a person again where it changes', async () => {
    await authorityOf('ND', { kind: 'byHand' })
    const kitID = await registered('ND')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { reason: 'onlyByHand' })
    const { id } = await one(kitID)
    for (const date of ['2100-01-01', '2026-01-01'])
      expect(
        (await operator('POST', `/notices/${id}`, { decision: 'toldByHand', date, how: 'By fax' })).body.details[0]
          .path,
      ).toBe('date')
    const told = await operator('POST', `/notices/${id}`, {
      decision: 'toldByHand',
      date: today(),
      how: 'By telephone, Ann to Bob',
    })
    expect(told.body).toMatchObject({
      state: 'byHand',
      toldDate: `${today()}T00:00:00.000Z`,
      note: 'By telephone, Ann to Bob',
      mayUndo: true,
    })
    const undone = await operator('POST', `/notices/${id}`, { decision: 'undoToldByHand' })
    expect(undone.body, undone.text).toMatchObject({ state: 'waiting', reason: 'onlyByHand' })
    expect(undone.body.toldDate).toBeUndefined()
    await operator('POST', `/notices/${id}`, { decision: 'toldByHand', date: today(), how: 'By telephone' })
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await becomes(kitID, { state: 'waiting', reason: 'changedSince' })
  })

  it('that a person told by hand by mistake is not told once they undo that, whatever holds now, and its first message is a new one', async () => {
    authority.treats(() => ({ is: 'refused', reason: 'Unknown facility' }))
    await authorityOf('MP')
    const kits = [await registered('MP'), await registered('MP')]
    const [undone = '', sent = ''] = kits
    const ids: string[] = []
    const by = (how: string) => ({ decision: 'toldByHand', date: today(), how })
    for (const kitID of kits) {
      await resulted(kitID, POSITIVE)
      await becomes(kitID, { state: 'refused' })
      const { id } = await one(kitID)
      ids.push(id)
      expect((await operator('POST', `/notices/${id}`, by('First'))).body).toMatchObject({ state: 'byHand' })
      await resulted(kitID, NEGATIVE, { status: 'C' })
      await becomes(kitID, { state: 'waiting', reason: 'changedSince', mayUndo: true })
      await operator('POST', `/notices/${id}`, by('Second'))
      const first = (await operator('POST', `/notices/${id}`, { decision: 'undoToldByHand' })).body
      expect(first).toMatchObject({ state: 'waiting', reason: 'changedSince', note: 'First', mayUndo: true })
    }
    authority.treats(() => ({ is: 'bare' }))
    const back = await operator('POST', `/notices/${ids[0]}`, { decision: 'undoToldByHand' })
    expect(back.body, back.text).toMatchObject({ state: 'notTold', reason: 'corrected', isCorrection: false })
    expect(back.body.note).toBeUndefined()
    await resulted(undone, POSITIVE, { status: 'C' })
    await operator('POST', `/notices/${ids[1]}`, { decision: 'send' })
    for (const kitID of [undone, sent]) {
      await becomes(kitID, { state: 'accepted' })
      expect(heardOf(kitID).map(({ text }) => field(text, 'OBX-11'))).toEqual(['F', 'F'])
    }
  })

  it('of a company of the demo is not told', async () => {
    await authorityOf('PR')
    const own = clinic
    clinic = await world.business({ name: DEMO_COMPANIES[0], credits: 100 })
    const kitID = await registered('PR')
    await resulted(kitID, POSITIVE)
    clinic = own
    await world.settled()
    expect(await all(kitID)).toEqual([])
  })

  it('that came before its rule was switched on is due from then', async () => {
    await authorityOf('DC', { kind: 'byHand' })
    const of = rule({ condition: 'Gonorrhea', biomarkers: ['gonorrhoeae'], states: ['DC'] })
    const kitID = await registered('DC')
    await operator('POST', '/samples/reject', { kitID, reason: 'unlabeled' })
    const { messageID } = (await received(kitID, POSITIVE, { code: '43305-2' })).body.reports[0]
    aheadMs += 48 * 3_600_000
    const id = await saved('/notifiable-settings/rules', of)
    const { rules } = (await operator('GET', '/notifiable-settings')).body
    const { activeSince } = rules.find((one: { id: string }) => one.id === id)
    aheadMs += 3_600_000
    await saved('/notifiable-settings/rules', { ...of, id })
    await operator('POST', '/samples/undo-rejection', { kitID })
    await operator('POST', `/lab/messages/${messageID}/assign`, { kitID })
    const deadlineDate = new Date(Date.parse(activeSince) + 24 * 3_600_000).toISOString()
    await becomes(kitID, { state: 'waiting', isOverdue: false, deadlineDate })
    await saved('/notifiable-settings/rules', { ...of, id, isActive: false })
  })

  it('keeps what was told, and only that, after its person is erased, and what is not told yet until it is', async () => {
    await authorityOf('SD')
    const kitID = await registered('SD')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await authorityOf('NE', { kind: 'byHand' })
    const other = await registered('NE')
    await resulted(other, POSITIVE)
    await becomes(other, { reason: 'onlyByHand' })
    for (const id of [kitID, other]) {
      const { customerID } = (await clinic.live.get(`/kits/${id}`)).body.kit
      expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBeLessThan(300)
    }
    const left = await one(kitID)
    expect(left).toMatchObject({ state: 'accepted', condition: 'Chlamydia', toldDate: expect.any(String) })
    expect([left.result, left.message, left.note]).toEqual([undefined, undefined, undefined])
    const open = await one(other)
    expect(open.message).toContain('Canary')
    const told = await operator('POST', `/notices/${open.id}`, {
      decision: 'toldByHand',
      date: today(),
      how: 'By fax',
    })
    expect(told.body).toMatchObject({ state: 'byHand' })
    expect([told.body.message, told.body.result]).toEqual([undefined, undefined])
  })

  /** A result in JSON, of a test with another unit than the catalogue's. */
  const leadOf = async (kitID: string, value: string) => {
    const results = [{ loinc: '14807-2', name: 'Blood lead', value, unit: 'ug/L' }]
    const sent = await operator('POST', '/lab/results', { kitID, collectedDate: '2026-11-28', results })
    expect(sent.status, sent.text).toBe(200)
  }
  it('above a number is told by the number that the laboratory sent, whatever its unit and however the report rounds it', async () => {
    await authorityOf('HI', { kind: 'byHand' })
    const answer = { kind: 'above', above: 5, unit: 'ug/dL' }
    await saved(
      '/notifiable-settings/rules',
      rule({ condition: 'Lead', biomarkers: ['lead_blood'], answer, states: ['HI'] }),
    )
    for (const value of ['50.2', '50.5', '50.01']) {
      const kitID = await registered('HI')
      await leadOf(kitID, value)
      await becomes(kitID, { state: 'waiting', result: `Lead (Blood): ${value} ug/L` })
    }
    for (const value of ['50', '49.9']) {
      const kitID = await registered('HI')
      await leadOf(kitID, value)
      expect(await all(kitID), value).toEqual([])
    }
  })

  it('that was told is corrected though its rule was switched off or names fewer places since', async () => {
    await authorityOf('IN')
    for (const change of [{ isActive: false }, { states: ['ME'] }]) {
      const of = rule({ condition: 'Gonorrhea', biomarkers: ['gonorrhoeae'], states: ['IN'] })
      const id = await saved('/notifiable-settings/rules', of)
      const kitID = await registered('IN')
      await resulted(kitID, POSITIVE, { code: '43305-2' })
      await becomes(kitID, { state: 'accepted' })
      await saved('/notifiable-settings/rules', { ...of, ...change, id })
      const later = await registered('IN')
      await resulted(later, POSITIVE, { code: '43305-2' })
      await resulted(kitID, NEGATIVE, { code: '43305-2', status: 'C' })
      await expect.poll(() => heardOf(kitID).length, { interval: 50 }).toBe(2)
      expect(field(heardOf(kitID)[1]?.text ?? '', 'OBX-11')).toBe('C')
      await becomes(kitID, { state: 'accepted' })
      expect(await all(later)).toEqual([])
      await saved('/notifiable-settings/rules', { ...of, id, isActive: false })
    }
  })

  it('that was told stays with the authority that was told once that is switched off: its correction waits, and nobody else hears of it', async () => {
    const old = await authorityOf('IL')
    const kitID = await registered('IL')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await authorityOf('IL', undefined, { id: old, isActive: false })
    await authorityOf('IL', undefined, { name: 'New health of IL' })
    await resulted(kitID, POSITIVE, { comment: 'Confirmed' })
    await world.settled()
    expect([await all(kitID), heardOf(kitID).length]).toMatchObject([[{ state: 'accepted' }], 1])
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await becomes(kitID, { state: 'waiting', reason: 'authorityOff', authority: { id: old }, maySend: false })
    expect([(await all(kitID)).length, heardOf(kitID).length]).toEqual([1, 1])
    await authorityOf('IL', undefined, { id: old })
    await becomes(kitID, { state: 'accepted', authority: { id: old } })
    expect(heardOf(kitID).map(({ text }) => field(text, 'OBX-11'))).toEqual(['F', 'C'])
  })

  it('is not sent to an authority that was switched off: what may have reached it waits for a person, the rest goes to the new one', async () => {
    authority.treats(() => ({ is: 'lost' }))
    const nobody = { kind: 'mllp', url: `mllp://${NOBODY}` }
    const away = await authorityOf('MA', nobody)
    const never = await registered('MA')
    await resulted(never, POSITIVE)
    await becomes(never, { state: 'due', tries: 1 })
    const old = await authorityOf('DE')
    const lost = await registered('DE')
    await resulted(lost, POSITIVE)
    await becomes(lost, { state: 'due', tries: 1 })
    await authorityOf('MA', nobody, { id: away, isActive: false })
    await authorityOf('DE', undefined, { id: old, isActive: false })
    await world.settled()
    authority.treats(() => ({ is: 'bare' }))
    // On a slow machine it was sent once more before the authority was switched off.
    const before = heardOf(lost).length
    await authorityOf('DE', undefined, { name: 'New health of DE' })
    await becomes(lost, { state: 'waiting', reason: 'authorityOff', authority: { id: old }, maySend: false })
    await becomes(never, { state: 'waiting', reason: 'noAuthority' })
    const next = await authorityOf('MA', undefined, { name: 'New health of MA' })
    await becomes(never, { state: 'accepted', authority: { id: next } })
    await later(120_000)
    await world.settled()
    expect([heardOf(never), heardOf(lost)].map(({ length }) => length)).toEqual([1, before])
    expect([await all(never), await all(lost)].map(({ length }) => length)).toEqual([1, 1])
    const told = { decision: 'toldByHand', date: today(), how: 'By telephone' }
    const byHand = await operator('POST', `/notices/${(await one(lost)).id}`, told)
    expect(byHand.body, byHand.text).toMatchObject({ state: 'byHand' })
  })

  const erased = async (kitID: string) => {
    const { customerID } = (await clinic.live.get(`/kits/${kitID}`)).body.kit
    expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBeLessThan(300)
  }
  it('that was not told before its person was erased is not sent as it was once the laboratory sends another answer', async () => {
    await authorityOf('PA')
    const sent: [string, object][] = [
      [NEGATIVE, {}],
      [POSITIVE, {}],
      ['', { status: 'W' }],
      [NEGATIVE, { status: 'C' }],
    ]
    for (const [value, changes] of sent) {
      const kitID = await registered('PA')
      await resulted(kitID, POSITIVE, { status: 'P' })
      await becomes(kitID, { state: 'waiting', reason: 'preliminary', maySend: true })
      await erased(kitID)
      await becomes(kitID, { state: 'waiting', reason: 'preliminary', maySend: true })
      await received(kitID, value, changes)
      await becomes(kitID, { state: 'waiting', reason: 'afterErasure', maySend: false })
      expect(heardOf(kitID)).toEqual([])
    }
  })

  it('that waited for its authority when its person was erased is told once that is entered', async () => {
    const kitID = await registered('CT')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'waiting', reason: 'noAuthority' })
    await erased(kitID)
    const id = await authorityOf('CT')
    await becomes(kitID, { state: 'accepted', authority: { id } })
    // Whoever was not answered in time asks again with the same number.
    expect(new Set(heardOf(kitID).map(({ controlId }) => controlId)).size).toBe(1)
    expect(heardOf(kitID).flatMap(({ text }) => violationsOf(text))).toEqual([])
    expect(heardOf(kitID)[0]?.text).toContain('Canary')
    expect((await one(kitID)).result).toBeUndefined()
  })

  it('that comes first after its person was erased is discarded only by a person who says what became of the authority', async () => {
    const kitID = await registered('MD')
    await erased(kitID)
    const { messageID } = (await received(kitID, POSITIVE)).body.reports[0]
    const path = `/lab/messages/${messageID}/discard`
    const refused = await operator('POST', path)
    expect([refused.status, refused.body.details?.[0]?.path]).toEqual([400, 'authority'])
    const authority = { decision: 'toldByHand', reason: 'By telephone, Ann to Bob' }
    expect((await operator('POST', path, { authority })).status).toBe(200)
    const discarded = (await operator('GET', '/lab/messages?status=discarded&size=250')).body
    expect(discarded.find(({ id }: { id: string }) => id === messageID).reason).toContain('Ann to Bob')
  })

  /** Urine and rectal swab in one message, each with its own answer. */
  const oneOfTwo = async (kitID: string, [first, second]: [string, string]) => {
    const text = oru(kitID, first).split('\r')
    const other = oru(kitID, second, { spm: '258528007^Rectal swab^SCT' }).split('\r').slice(2)
    const swab = other.map((line) => line.replace(/^(OBR|SPM)\|1/, '$1|2').replace(`|S${kitID}|`, `|T${kitID}|`))
    const body = [...text, ...swab].join('\r')
    const answer = await operator('POST', '/lab/results', body, { 'content-type': 'application/hl7-v2' })
    expect(answer.status, answer.text).toBe(200)
  }
  it('of two samples in one message is one for each sample that is positive, and says which', async () => {
    await authorityOf('MD')
    const both = await registered('MD')
    await oneOfTwo(both, [POSITIVE, POSITIVE])
    await expect.poll(() => all(both).then(({ length }) => length), { interval: 50 }).toBe(2)
    await expect.poll(() => heardOf(both).length, { interval: 50 }).toBe(1)
    const waits = (await all(both)).filter(({ state }: { state: string }) => state === 'waiting')
    expect(waits).toMatchObject([
      { reason: 'severalAnswers', result: expect.stringMatching(/(Rectal swab|Urine).*Detected/) },
    ])
    const one = await registered('MD')
    await oneOfTwo(one, [NEGATIVE, POSITIVE])
    await expect.poll(() => all(one).then(({ length }) => length), { interval: 50 }).toBe(1)
    expect(await all(one)).toMatchObject([
      { state: 'waiting', reason: 'severalAnswers', result: expect.stringMatching(/Rectal swab.*Detected/) },
    ])
  })

  it('is overdue once its time is over, and counted', async () => {
    await authorityOf('KS', { kind: 'byHand' })
    const kitID = await registered('KS')
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { isOverdue: false })
    const before = (await operator('GET', '/overview')).body
    await later(25 * 3_600_000)
    await becomes(kitID, { isOverdue: true })
    const { noticesToTell, overdueNotices } = (await operator('GET', '/overview')).body
    expect(noticesToTell).toBe(before.noticesToTell)
    expect(overdueNotices).toBeGreaterThan(before.overdueNotices)
  })

  it('shows nothing of it in logs, nor in what jobs were asked', () => {
    const logged = world.logged.join('')
    expect(logged).not.toMatch(/Canary|Elm St|Chlamydia|chlamydia|10828004/)
  })
})

describe('a rule', () => {
  it('is off until somebody signs it and says within what time it is told', async () => {
    const unsigned = await operator('POST', '/notifiable-settings/rules', rule({ signedBy: undefined }))
    expect([unsigned.status, unsigned.body.details[0].path]).toEqual([400, 'signedBy'])
    const timeless = await operator('POST', '/notifiable-settings/rules', rule({ withinHours: null }))
    expect([timeless.status, timeless.body.details[0].path]).toEqual([400, 'withinHours'])
    const lead = (unit: string) =>
      operator('POST', '/notifiable-settings/rules', {
        ...rule({ biomarkers: ['lead_blood'], answer: { kind: 'above', above: 3.5, unit }, isActive: false }),
      })
    expect((await lead('parsec')).body.details[0].path).toBe('answer.unit')
    expect((await lead('ug/dL')).status).toBe(200)
    const unknown = await operator('POST', '/notifiable-settings/rules', rule({ biomarkers: ['nothing'] }))
    expect([unknown.status, unknown.body.details[0].path]).toEqual([400, 'biomarkers'])
  })

  it('names states, numbers and times that there are, as addresses write them', async () => {
    const wrong = async (path: string, body: unknown) => {
      const answer = await operator('POST', path, body)
      return [answer.status, answer.body.details?.[0]?.path]
    }
    const rules = '/notifiable-settings/rules'
    const off = { isActive: false, signedBy: undefined }
    expect(await wrong(rules, rule({ ...off, states: ['XX'] }))).toEqual([400, 'states'])
    expect(await wrong(rules, rule({ ...off, country: 'XX' }))).toEqual([400, 'country'])
    const named = await operator('POST', rules, rule({ ...off, states: ['California', 'North Carolina', 'US-CA'] }))
    expect(named.body.states).toEqual(['CA', 'NC'])
    const to = {
      ...{ name: 'Health', country: 'US', states: ['Nowhere'], transport: { kind: 'byHand' }, isActive: false },
      ...{ application: { name: 'A', id: oid(2) }, facility: { name: 'F', id: oid(3) } },
    }
    const authorities = '/notifiable-settings/authorities'
    expect(await wrong(authorities, to)).toEqual([400, 'states'])
    const known = { ...to, states: ['ME'] }
    expect(await wrong(authorities, { ...known, facility: { name: 'F', id: 'not an OID' } })).toEqual([
      400,
      'facility.id',
    ])
    expect(await wrong(authorities, { ...known, facility: { name: 'F^G', id: oid(3) } })).toEqual([
      400,
      'facility.name',
    ])
    const nowhere = { ...sender, ordering: { ...sender.ordering, state: 'XX' } }
    expect(await wrong('/notifiable-settings/sender', nowhere)).toEqual([400, 'ordering.state'])
  })

  it('starts unsigned and off, with its source', async () => {
    const { rules } = (await operator('GET', '/notifiable-settings')).body
    const starters = rules.filter(({ source }: { source: string }) => source !== 'A test')
    expect(starters.map(({ condition }: { condition: string }) => condition)).toEqual(
      expect.arrayContaining(['Chlamydia trachomatis infection', 'Gonorrhea', 'HIV infection', 'Syphilis']),
    )
    for (const one of starters)
      expect(one).toMatchObject({ isActive: false, withinHours: null, source: expect.stringContaining('CSTE') })
  })

  it('names hosts that the settings name, and no other', async () => {
    const named = (transport: unknown) =>
      operator('POST', '/notifiable-settings/authorities', {
        ...{ name: 'Elsewhere', country: 'US', states: ['ZZ'], transport },
        ...{ application: { name: 'A', id: oid(2) }, facility: { name: 'F', id: oid(3) } },
      })
    const other = await named({ kind: 'mllp', url: 'mllps://other.example:2575' })
    expect([other.status, other.body.details[0].path]).toEqual([400, 'transport'])
    expect((await named({ kind: 'folder', folder: 'nowhere' })).status).toBe(400)
    const missing = await operator('GET', '/notices/ntc_none')
    expect([missing.status, missing.body.code]).toEqual([404, 'NOTICE_NOT_FOUND'])
  })
})
