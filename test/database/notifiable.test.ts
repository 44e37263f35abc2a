import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { violationsOf } from '@kitlane/lab-reader/elr/validate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { claim } from '../../src/modules/notifiable/jobs.ts'
import { selectPlaces } from '../../src/modules/notifiable/queries.ts'
import { readBackAll } from '../harness/critical.ts'
import { type StandInLaboratory, standInLaboratory } from '../harness/laboratory.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let operator: Operator
let clinic: TestBusiness
let authority: StandInLaboratory
let folder: string
let aheadMs = 0
beforeAll(async () => {
  authority = await standInLaboratory()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-notices-'))
  const labOrders = { at: 'never', hosts: authority.hosts, folder } as const
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
async function registered(state: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await clinic.live.post('/create-order', anOrder())
  const kitID: string = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const address = { addressLine1: '2 Elm St', city: 'Town', state, zip: '78702', country: 'US' }
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

const stampOf = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`
/** A laboratory's message with one answer. */
const oru = (kitID: string, value: string, { status = 'F', code = '43304-5', comment, ...of }: Changes = {}) => {
  const at = new Date(Date.now() + aheadMs)
  const taken = stampOf(new Date(at.getTime() - 86_400_000))
  const name = of.name ?? (code === '43304-5' ? 'Chlamydia trachomatis NAAT' : 'Neisseria gonorrhoeae NAAT')
  return [
    `MSH|^~\\&|LIS|LAB|K|K|${stampOf(at)}||ORU^R01^ORU_R01|M${++serial}|P|2.5.1`,
    of.patient ?? 'PID|1||P1||Canary^Zoe||19800203|F',
    `OBR|1|${kitID}||${code}^${name}^LN|||${taken}|||||||${taken}||||||||${stampOf(at)}|||${status}`,
    `OBX|1|CWE|${code}^${name}^LN||${value}||||||${status}|||${taken}|||||||||North Lab^L^^^^CLIA&2.16.840.1.113883.4.7&ISO^XX^^^45D0000001|9 Road^^Dallas^TX^75201`,
    ...(comment ? [`NTE|1|L|${comment}`] : []),
    `SPM|1|S${kitID}||UR^Urine^HL70487|||||||||||||${taken}|${taken}`,
  ].join('\r')
}
const POSITIVE = '260373001^Detected^SCT'
const NEGATIVE = '260415000^Not detected^SCT'

type Changes = { status?: string; code?: string; name?: string; patient?: string; comment?: string }
async function received(kitID: string, value: string, changes: Changes = {}) {
  const answer = await operator('POST', '/lab/results', oru(kitID, value, changes), {
    'content-type': 'application/hl7-v2',
  })
  expect(answer.status, answer.text).toBe(200)
  return answer
}
async function resulted(kitID: string, value: string, changes: Changes = {}) {
  const answer = await received(kitID, value, changes)
  expect(JSON.stringify(answer.body), answer.text).toContain('reported')
}

const all = async (kitID: string) =>
  (await operator('GET', '/notices?size=250')).body.data.filter((one: { kitID?: string }) => one.kitID === kitID)
const one = async (kitID: string) => {
  const [first] = await all(kitID)
  return first ? (await operator('GET', `/notices/${first.id}`)).body : undefined
}
const becomes = (kitID: string, wanted: Record<string, unknown>) =>
  expect.poll(() => one(kitID), { interval: 50, timeout: 8000 }).toMatchObject(wanted)
const heardOf = (kitID: string) => authority.heard.filter(({ text }) => text.includes(`PID|1||${kitID}^`))
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
    expect(field(text, 'OBX-5')).toMatch(/^10828004\^/)
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
      '260385009',
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
    const dismissed = await operator('POST', `/unassessed-results/${waits.id}/dismiss`, { reason: 'Seen' })
    expect(dismissed.status, dismissed.text).toBeLessThan(300)
    await saved('/notifiable-settings/sender', sender)
    await world.settled()
    expect(await one(kitID)).toMatchObject({ id: first.id, state: 'waiting', reason: 'unreadable' })
    expect(heardOf(kitID)).toEqual([])
    const other = await registered('AR')
    await received(other, 'See comment')
    await becomes(other, { state: 'waiting', reason: 'unreadable' })
    const { id } = await one(other)
    await resulted(other, POSITIVE)
    await becomes(other, { id, state: 'accepted' })
    expect([await all(other), heardOf(other)].map(({ length }) => length)).toEqual([1, 1])
  })

  it('that could not be judged and was told by hand is not told again by itself', async () => {
    await authorityOf('LA')
    const kitID = await registered('LA')
    await received(kitID, 'See comment')
    await becomes(kitID, { state: 'waiting', reason: 'unreadable' })
    const { id } = await one(kitID)
    const told = { decision: 'toldByHand', date: '2026-11-29', how: 'By telephone' }
    expect((await operator('POST', `/notices/${id}`, told)).body).toMatchObject({
      state: 'byHand',
      result: expect.any(String),
    })
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { id, state: 'waiting', reason: 'changedSince' })
    expect(heardOf(kitID)).toEqual([])
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
    await expect.poll(() => heardOf(kitID).length, { interval: 50, timeout: 8000 }).toBe(2)
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
    await expect.poll(() => heardOf(kitID).length, { interval: 50, timeout: 8000 }).toBe(2)
    await world.settled()
    await moved(kitID, 'MI')
    await resulted(kitID, POSITIVE)
    await world.settled()
    expect([(await all(kitID)).length, heardOf(kitID).length]).toEqual([2, 2])
    await resulted(kitID, NEGATIVE, { status: 'C', code: '43305-2' })
    await expect.poll(() => heardOf(kitID).length, { interval: 50, timeout: 8000 }).toBe(3)
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
    authority.treats(({ text }) => ({ is: field(text, 'MSH-5').startsWith('OH') ? 'dropped' : 'bare' }))
    await authorityOf('OH')
    await authorityOf('VT')
    const away = [await registered('OH'), await registered('OH'), await registered('OH')]
    for (const kitID of away) await resulted(kitID, POSITIVE)
    for (const kitID of away) await becomes(kitID, { tries: 1 })
    await world.settled()
    const kitID = await registered('VT')
    aheadMs += 120_000
    await resulted(kitID, POSITIVE)
    await becomes(kitID, { state: 'accepted' })
    await world.settled()
    // One of them is tried, and the others are left to the next run.
    expect(away.flatMap(heardOf)).toHaveLength(away.length + 1)
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
      for (const notice of await all(kit)) expect(notice).toMatchObject({ state: 'waiting', reason: 'sampleDoubted' })
    }
    expect((await all(other)).map(({ authority: to }: { authority: { id: string } }) => to.id)).toContain(byHand)
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
    const future = { decision: 'toldByHand', date: '2100-01-01', how: 'By telephone' }
    expect((await operator('POST', `/notices/${id}`, future)).body.details[0].path).toBe('date')
    const told = await operator('POST', `/notices/${id}`, {
      decision: 'toldByHand',
      date: '2026-11-29',
      how: 'By telephone, Ann to Bob',
    })
    expect(told.body).toMatchObject({
      state: 'byHand',
      toldDate: '2026-11-29T00:00:00.000Z',
      note: 'By telephone, Ann to Bob',
    })
    await resulted(kitID, NEGATIVE, { status: 'C' })
    await becomes(kitID, { state: 'waiting', reason: 'changedSince' })
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
      date: '2026-11-29',
      how: 'By fax',
    })
    expect(told.body).toMatchObject({ state: 'byHand' })
    expect([told.body.message, told.body.result]).toEqual([undefined, undefined])
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
