import fc from 'fast-check'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import * as links from '../../src/modules/links/service.ts'
import { beforeResults } from '../../src/modules/recalls/follow.ts'
import type { ReceivedResults } from '../../src/modules/reports/versions/receive.ts'
import { takeResultsBack } from '../../src/modules/reports/versions/take-back.ts'
import type { Caller } from '../harness/caller.ts'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { grace, recipients } from '../harness/recipients.ts'
import { FHIR, PDF, type Reporting, readPdf, reporting } from '../harness/reports.ts'
import { runsOf } from '../harness/sample.ts'
import { type VisitedPage, visitor } from '../harness/visitor.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
let people: ReturnType<typeof recipients>
let owner: Client
let operator: Operator
/** Has the scopes of a program that reads, without `reports:review`. */
let reader: Caller

beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
  await world.grant(at.clinic, CORE, 400)
  people = recipients(world)
  owner = await world.owner()
  operator = await operatorWith(world, ['lab', 'fulfilment', 'review'])
  await at.clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
  const scopes = ['customers:read', 'reports:read', 'kits:read', 'orders:read'] as const
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, at.clinic.id)).live, { name: 'reader', scopes }),
  )
  reader = world.as(token)
})
afterAll(() => world.stop())

const units = { ferritin: 'ng/mL', mma: 'nmol/L', glucose: 'mg/dL' } as const
type Biomarker = keyof typeof units
type Values = Partial<Record<Biomarker, number>>

/** Each value is a number that nothing else has, and is far from the one before: one sample has one value. */
let drawn = 0
function draw(biomarker: Biomarker, before: number | undefined): number {
  drawn += 1
  if (biomarker === 'glucose') return (before !== undefined && before < 1450 ? 1501 : 1101) + ((drawn * 7) % 290)
  return (before !== undefined && before < 20_000 ? 23_001 : 11_001) + ((drawn * 7) % 6900)
}

/** The numbers of these that a text has, however it writes thousands. */
const numbersIn = (text: string, all: readonly number[]): number[] =>
  all.filter((value) => {
    const digits = String(value).replace(/(?=\d{3}$)/, '[,.\\s]?')
    return new RegExp(`(?<![\\w.]|\\d[,:])${digits}(?!\\w)`).test(text)
  })

interface Version {
  values: Values
  isPublished: boolean
}

/** What everybody may know of a report, in the words of the decision. */
interface Model {
  versions: Version[]
  status: 'inReview' | 'published' | 'rejected'
  /** The version that readers see, from 1. */
  readable: number | undefined
  /** It could be read at some time, and its sample was not rejected since. */
  wasRead: boolean
  isHeld: boolean
  isRecalled: boolean
  /** The newest version would be published but for the recall. */
  awaitsRecall: boolean
  isErased: boolean
}

type Step =
  | { do: 'send' | 'correct' | 'doubt'; biomarker: Biomarker }
  | { do: 'withdraw' | 'withdrawInDoubt'; biomarker: Biomarker }
  | { do: 'takeBack'; which: number }
  | { do: 'publish' | 'hold' | 'releaseHold' | 'recall' | 'releaseRecall' | 'reject' | 'undoReject' | 'erase' }

let comers = 0
/** Somebody on the pages, at an address of their own: too many pages of one are refused. */
function comer() {
  const who = visitor(world.service.url)
  comers += 1
  const headers = { 'x-forwarded-for': `2001:db8:36::${comers.toString(16)}` }
  const open = (path: string) => who.open(path, headers)
  const submit = (page: VisitedPage, typed: Record<string, string>) => who.submit(page, typed, headers)
  const { day, month, year } = grace
  return { open, submit, enter: async (path: string) => submit(await open(path), { day, month, year }) }
}
type Comer = ReturnType<typeof comer>

interface Story {
  kitId: string
  customerId: number
  reportId: string
  other: { path: string; value: number }
  person: Comer
  guest: Comer | undefined
  lot: string
  recallId: string | undefined
  model: Model
}

const newest = ({ versions }: Model): Values => versions.at(-1)?.values ?? {}

async function registered(email: string): Promise<{ kitId: string; customerId: number }> {
  const kitId = await people.newKit(at.clinic)
  const dateOfBirth = `${grace.year}-${grace.month}-0${grace.day}`
  const who = { firstName: 'Grace', lastName: 'Hopper', email, dateOfBirth, sex: 'F' }
  const { status, body, text } = await at.clinic.live.post(`/kits/${kitId}/register`, who)
  expect(status, text).toBe(200)
  return { kitId, customerId: Number(body.customerId) }
}

const resultsOf = (values: Values): ReceivedResults['results'] =>
  Object.entries(values).map(([biomarkerId, value]) => ({ biomarkerId, value, unit: units[biomarkerId as Biomarker] }))

async function publish(reportId: string) {
  await readBackAll(at.clinic.live.request, reportId)
  const notified = { person: 'Dr. Reyes', at: '2026-11-20' }
  return at.clinic.live.post(`/reports/${reportId}/publish`, { notified })
}

/** A person with a published report of another kit, and one whose report is in review. */
async function begin(): Promise<Story> {
  const email = people.newEmail()
  const first = await registered(email)
  const value = draw('ferritin', undefined)
  const { reportId: firstId } = await at.receive({ kitId: first.kitId, results: resultsOf({ ferritin: value }) })
  expect((await publish(firstId)).status).toBe(200)
  const { kitId, customerId } = await registered(email)
  const lot = `LOT-${kitId}`
  await at.inLive((tx) => beforeResults(tx, kitId, [{ kind: 'reagentLot', subject: 'FERR', lot, results: [] }]))
  const values = { ferritin: draw('ferritin', undefined), mma: draw('mma', undefined) }
  const { reportId } = await at.receive({ kitId, results: resultsOf(values) })
  const [link] = await at.inLive((tx) => links.issueLinks(tx, '', [{ customerId }]))
  const person = comer()
  await person.enter(link?.url ?? '')
  return {
    kitId,
    customerId,
    reportId,
    other: { path: `/customers/${customerId}/reports/${firstId}`, value },
    person,
    guest: undefined,
    lot,
    recallId: undefined,
    model: {
      versions: [{ values, isPublished: false }],
      status: 'inReview',
      readable: undefined,
      wasRead: false,
      isHeld: false,
      isRecalled: false,
      awaitsRecall: false,
      isErased: false,
    },
  }
}

/** What a new version does to what readers see. */
function add(model: Model, values: Values, { waits, gone }: { waits: boolean; gone?: Biomarker }): void {
  model.awaitsRecall = false
  const shown = model.readable === undefined ? undefined : model.versions[model.readable - 1]
  model.versions.push({ values, isPublished: false })
  if (model.status === 'published' && !waits) {
    makeReadable(model)
    return
  }
  model.status = 'inReview'
  if (gone !== undefined && shown?.values[gone] !== undefined) model.readable = undefined
}

function makeReadable(model: Model): void {
  const last = model.versions.at(-1)
  if (last) last.isPublished = true
  model.status = 'published'
  model.readable = model.versions.length
  model.wasRead = true
}

const may: Record<Step['do'], (model: Model, step: Step) => boolean> = {
  send: ({ status }) => status !== 'rejected',
  correct: ({ status }) => status !== 'rejected',
  doubt: ({ status }) => status !== 'rejected',
  withdraw: (model, step) => model.status !== 'rejected' && hasAnother(newest(model), step),
  withdrawInDoubt: (model, step) => model.status !== 'rejected' && hasAnother(newest(model), step),
  takeBack: (model, step) => model.status !== 'rejected' && Object.keys(without(model, step).values).length > 0,
  publish: () => true,
  hold: ({ status }) => status === 'inReview',
  releaseHold: ({ isHeld }) => isHeld,
  recall: ({ isRecalled }) => !isRecalled,
  releaseRecall: ({ isRecalled }) => isRecalled,
  reject: ({ status }) => status === 'inReview',
  undoReject: ({ status }) => status === 'rejected',
  erase: () => true,
}

const hasAnother = (values: Values, step: Step) =>
  'biomarker' in step && values[step.biomarker] !== undefined && Object.keys(values).length > 1

/** The newest values as if one version had not been made: where it brought them, those of before. */
function without({ versions }: Model, step: Step): { made: number; values: Values } {
  const made = 1 + ('which' in step ? step.which % versions.length : 0)
  const [now, then, before] = [versions.at(-1), versions[made - 1], versions[made - 2]].map((one) => one?.values ?? {})
  const ids = Object.keys(units) as Biomarker[]
  const left = ids.flatMap((id) => {
    const value = now?.[id] === then?.[id] ? before?.[id] : now?.[id]
    return value === undefined ? [] : [[id, value]]
  })
  return { made, values: Object.fromEntries(left) }
}

/** Does a step by the service and by the model. */
async function take(story: Story, step: Step): Promise<void> {
  const { model, kitId, reportId, customerId } = story
  const now = newest(model)
  switch (step.do) {
    case 'send':
    case 'correct':
    case 'doubt': {
      const value = draw(step.biomarker, now[step.biomarker])
      const isReplaced = step.do === 'send' && now[step.biomarker] !== undefined
      const results = resultsOf({ [step.biomarker]: value })
      await at.receive({ kitId, results, corrected: step.do !== 'send', isDoubted: step.do === 'doubt' })
      const isUnread = isReplaced || step.do === 'doubt'
      const isOut = model.status === 'published' || (model.awaitsRecall && model.wasRead)
      add(model, { ...now, [step.biomarker]: value }, { waits: isUnread || model.isRecalled })
      model.awaitsRecall = model.isRecalled && isOut && !isUnread
      return
    }
    case 'withdraw':
    case 'withdrawInDoubt': {
      const { [step.biomarker]: _, ...values } = now
      const withdrawals = [{ biomarkerId: step.biomarker, why: 'withdrawn' as const }]
      const waits = step.do === 'withdrawInDoubt'
      await at.receive({ kitId, results: [], withdrawals, isDoubted: waits })
      const isOut = model.status === 'inReview' && model.awaitsRecall && model.wasRead
      add(model, values, { waits, gone: step.biomarker })
      model.awaitsRecall = model.isRecalled && isOut && !waits
      return
    }
    case 'takeBack': {
      const { made, values } = without(model, step)
      const since = { receivedId: 'none', version: made, kitStood: 'reportReady' as const, at: new Date() }
      await at.inLive((tx) => takeResultsBack(tx, kitId, since))
      const isOfReadable = model.readable !== undefined && made <= model.readable
      const [then, before] = [model.versions[made - 1]?.values ?? {}, model.versions[made - 2]?.values ?? {}]
      const others = (Object.keys(then) as Biomarker[]).filter((id) => then[id] !== before[id])
      for (const version of model.versions.slice(made - 1))
        if (others.some((id) => version.values[id] === then[id])) version.isPublished = false
      add(model, values, { waits: false })
      if (model.status === 'inReview' && isOfReadable) model.readable = undefined
      return
    }
    case 'publish': {
      const { status, text } = await publish(reportId)
      const isFree = model.status === 'inReview' && !model.isHeld && !model.isRecalled
      expect(status, text).toBe(isFree ? 200 : 409)
      if (isFree) makeReadable(model)
      return
    }
    case 'hold': {
      const until = new Date(Date.now() + 5 * 86_400_000).toISOString()
      const { status, text } = await operator('POST', `/reports/${reportId}/hold`, {
        reason: 'A call',
        untilDate: until,
      })
      expect(status, text).toBe(200)
      model.isHeld = true
      return
    }
    case 'releaseHold':
      expect((await operator('POST', `/reports/${reportId}/release`)).status).toBe(200)
      model.isHeld = false
      return
    case 'recall': {
      const recall = { kind: 'reagentLot', lot: story.lot, reason: 'Not sterile' }
      const { status, body, text } = await operator('POST', '/recalls', recall)
      expect([200, 201], text).toContain(status)
      story.recallId = body.id
      model.isRecalled = true
      return
    }
    case 'releaseRecall': {
      const free = { kitIDs: [kitId], reason: 'Measured again' }
      expect((await operator('POST', `/recalls/${story.recallId}/release`, free)).status).toBe(200)
      model.isRecalled = false
      // Glucose is critical: somebody publishes it.
      if (model.awaitsRecall && model.status === 'inReview' && !model.isHeld && now.glucose === undefined)
        makeReadable(model)
      // The same lot is recalled once: the next one is of another.
      story.lot = `${story.lot}-`
      await at.inLive((tx) =>
        beforeResults(tx, kitId, [{ kind: 'reagentLot', subject: 'FERR', lot: story.lot, results: [] }]),
      )
      return
    }
    case 'reject': {
      const { status, text } = await operator('POST', '/samples/reject', { kitID: kitId, reason: 'clotted' })
      expect(status, text).toBe(200)
      Object.assign(model, { status: 'rejected', readable: undefined, wasRead: false, awaitsRecall: false })
      return
    }
    case 'undoReject':
      expect((await operator('POST', '/samples/undo-rejection', { kitID: kitId })).status).toBe(200)
      model.status = 'inReview'
      return
    case 'erase':
      expect((await at.clinic.live.request('DELETE', `/customers/${customerId}`)).status).toBeLessThan(300)
      Object.assign(model, { isErased: true, readable: undefined, wasRead: false })
  }
}

interface Answer {
  biomarker: { id: Biomarker; result: number; historic: { result: number }[] }[]
  details: { version: number; latestVersion: number; versions?: number[] }
  labParamsError: string[]
}
const valuesIn = ({ biomarker }: Pick<Answer, 'biomarker'>): Values =>
  Object.fromEntries(biomarker.map(({ id, result }) => [id, result]))

/** Compares all that anybody can read with the model. */
async function compare(story: Story, { withPaper = false } = {}): Promise<void> {
  const { model, customerId, reportId, kitId, person, other } = story
  const path = `/customers/${customerId}/reports/${reportId}`
  const { live } = at.clinic
  const { readable, versions } = model
  const shown = readable === undefined ? undefined : versions[readable - 1]?.values
  const published = versions.flatMap(({ isPublished }, index) => (isPublished ? [index + 1] : []))
  const before = versions[(published.findLast((one) => readable !== undefined && one < readable) ?? 0) - 1]?.values
  const changed = Object.entries(before ?? {}).flatMap(([id, value]) => (shown && id in shown ? [value] : []))
  const all = [...new Set(versions.flatMap(({ values }) => Object.values(values)))].filter((one) => one !== other.value)
  const allowed = new Set([...Object.values(shown ?? {}), ...changed])
  const forbidden = all.filter((value) => !allowed.has(value))
  const sees = (text: string, what: string, values: readonly number[]) =>
    expect(numbersIn(text, all).toSorted(), what).toEqual([...values].toSorted())
  const leaksNothing = (text: string, what: string) => expect(numbersIn(text, forbidden), what).toEqual([])

  for (const caller of [live, reader]) {
    const { status, body, text } = await caller.get(path)
    leaksNothing(text, 'JSON')
    if (!shown) {
      expect([status, body.code]).toEqual([404, 'REPORT_NOT_FOUND'])
      expect(/cannot be read for now/.test(body.error), body.error).toBe(model.wasRead)
      continue
    }
    expect(status, text).toBe(200)
    const answer: Answer = body
    expect(valuesIn(answer)).toEqual(shown)
    expect(answer.details).toMatchObject({ version: readable, latestVersion: readable })
    expect(answer.details.versions, 'absent where all can be read').toEqual(
      published.length === readable ? undefined : published,
    )
    expect(answer.labParamsError).toEqual([
      ...(model.status === 'inReview' ? ['Later Version In Review'] : []),
      ...(model.isRecalled ? ['Recalled'] : []),
    ])
  }
  for (const [index, { values, isPublished }] of [...versions, { values: {}, isPublished: false }].entries()) {
    const { status, body } = await reader.get(`${path}?version=${index + 1}`)
    const isOpen = shown !== undefined && isPublished
    expect([index + 1, status]).toEqual([index + 1, isOpen ? 200 : 404])
    if (isOpen) expect(valuesIn(body)).toEqual(values)
  }

  const bundle = await reader.get(path, { accept: FHIR })
  expect(bundle.status).toBe(shown ? 200 : 404)
  leaksNothing(bundle.text, 'FHIR document')
  const observations = await fhir(`/Observation?patient=${customerId}&_count=100`)
  sees(observations, 'FHIR Observations', Object.values(shown ?? {}))
  leaksNothing(await fhir(`/DiagnosticReport?patient=${customerId}`), 'FHIR DiagnosticReports')
  leaksNothing(await fhir(`/Patient/${customerId}/$everything`), 'FHIR $everything')

  const trend = await reader.get(other.path)
  if (!model.isErased) {
    const ferritin = (trend.body as Answer).biomarker.find(({ id }) => id === 'ferritin')
    const history = ferritin?.historic.map(({ result }) => result).filter((one) => one !== other.value)
    const isThere = shown?.ferritin !== undefined && !model.isRecalled
    expect(history, 'history of another report').toEqual(isThere ? [shown.ferritin] : [])
  }

  const copy = await reader.get(`/customers/${customerId}/export`)
  if (!model.isErased) {
    expect(copy.status, copy.text).toBe(200)
    const exported = copy.body.reports.find(({ id }: { id: string }) => id === reportId)
    const numbers = exported?.versions.map(({ version }: { version: number }) => version)
    expect(numbers, 'export').toEqual(shown ? published : undefined)
  }
  for (const list of [
    `/reports?customerID=${customerId}`,
    `/kits?kitID=${kitId}`,
    `/customers/${customerId}`,
    `/events?latest=100`,
    `/search?q=${reportId}`,
    `/numbers/funnel`,
  ]) {
    sees((await reader.get(list)).text, list, [])
  }
  const emails = await owner.query('select subject, kind from emails where kit_id = $1', [kitId])
  sees(JSON.stringify(emails.rows), 'e-mails', [])

  const home = await person.open('/r')
  sees(home.text, 'home', [])
  const page = await person.open(`/r/reports/${reportId}`)
  leaksNothing(page.html, 'page')
  if (!model.isErased) {
    expect(page.status).toBe(shown ? 200 : 404)
    expect(home.html.includes(`/r/reports/${reportId}`), home.text).toBe(shown !== undefined)
    expect(home.text.includes('Your report cannot be read for now'), home.text).toBe(model.wasRead && !shown)
    expect(page.text.includes('Your report cannot be read for now')).toBe(model.wasRead && !shown)
    const isMarked = page.text.includes('A later version of this report')
    expect(isMarked, page.text).toBe(shown !== undefined && model.status === 'inReview')
    for (const value of Object.values(shown ?? {})) expect(numbersIn(page.text, [value])).toEqual([value])
  }
  if (story.guest) leaksNothing((await story.guest.open('/s')).html, 'shared report')
  if (!withPaper || !shown) return
  const headers = { authorization: `Token ${at.clinic.liveToken}`, accept: PDF }
  const paper = await fetch(`${world.service.url}/api/v1${path}`, { headers })
  const { text } = await readPdf(Buffer.from(await paper.arrayBuffer()))
  leaksNothing(text, 'PDF')
  for (const value of Object.values(shown)) expect(numbersIn(text, [value]), 'PDF').toEqual([value])
  expect(text.includes('A later version of this report'), text).toBe(model.status === 'inReview')
}

async function fhir(path: string): Promise<string> {
  const headers = { authorization: `Bearer ${at.clinic.liveToken}`, accept: FHIR }
  return (await fetch(`${world.service.url}/fhir${path}`, { headers })).text()
}

/** Gives a link to a report to somebody, who opens it. */
async function share(story: Story): Promise<Comer> {
  const path = `/r/reports/${story.reportId}/share`
  const made = await story.person.submit(await story.person.open(path), { forWhom: 'Dr. Jones', days: '7' })
  const [, url = ''] = /readonly value="([^"]*)"/.exec(made.html) ?? []
  const guest = comer()
  await guest.enter(new URL(url).pathname)
  return guest
}

async function play(steps: readonly Step[]): Promise<Story> {
  const story = await begin()
  await compare(story)
  for (const [index, step] of steps.entries()) {
    if (story.model.isErased || !may[step.do](story.model, step)) continue
    await take(story, step)
    if (story.model.status === 'published' && !story.guest) story.guest = await share(story)
    try {
      await compare(story, { withPaper: index % 3 === 0 })
    } catch (error) {
      const until = JSON.stringify(steps.slice(0, index + 1))
      throw new Error(`after ${until}, model ${JSON.stringify(story.model)}`, { cause: error })
    }
  }
  return story
}

const biomarker = fc.constantFrom<Biomarker[]>('ferritin', 'mma', 'glucose')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('send', 'correct', 'doubt'), biomarker }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('withdraw', 'withdrawInDoubt'), biomarker }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('takeBack' as const), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'publish' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step[]>({ do: 'hold' }, { do: 'releaseHold' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step[]>({ do: 'recall' }, { do: 'releaseRecall' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step[]>({ do: 'reject' }, { do: 'undoReject' }) },
)
const ends = fc.constantFrom<Step[][]>([], [], [], [{ do: 'erase' }])

const kept: Step[] = [{ do: 'publish' }, { do: 'doubt', biomarker: 'ferritin' }]

describe('what readers see of a report', () => {
  it.each<[string, Step[]]>([
    [
      'a doubtful correction waits, more results come, and it is published',
      [...kept, { do: 'correct', biomarker: 'glucose' }, { do: 'publish' }],
    ],
    [
      'a value of the waiting version alone is withdrawn',
      [...kept.slice(0, 1), { do: 'doubt', biomarker: 'glucose' }, { do: 'withdraw', biomarker: 'glucose' }],
    ],
    [
      'a published value is withdrawn while a later version waits, and never comes back',
      [...kept, { do: 'withdraw', biomarker: 'mma' }, { do: 'correct', biomarker: 'mma' }, { do: 'publish' }],
    ],
    [
      'its kit is recalled and released while a later version waits',
      [...kept, { do: 'recall' }, { do: 'send', biomarker: 'glucose' }, { do: 'releaseRecall' }, { do: 'publish' }],
    ],
    [
      'its sample is rejected while a later version waits, and that is undone',
      [...kept, { do: 'reject' }, { do: 'undoReject' }, { do: 'publish' }],
    ],
    [
      'results are taken off its kit: those that wait, then those that were published',
      [...kept, { do: 'takeBack', which: 1 }, { do: 'correct', biomarker: 'glucose' }, { do: 'takeBack', which: 0 }],
    ],
    [
      'a reviewer holds the later version, and the person is erased',
      [...kept, { do: 'hold' }, { do: 'publish' }, { do: 'erase' }],
    ],
  ])('is what a plain model says: %s', async (_, steps) => {
    await play(steps)
  })

  it('is what a plain model says where a recall holds what is not held otherwise, and lets it go', async () => {
    const held: Step[] = [{ do: 'publish' }, { do: 'recall' }, { do: 'correct', biomarker: 'ferritin' }]
    const more: Step[] = [{ do: 'withdraw', biomarker: 'mma' }, { do: 'releaseRecall' }]
    for (const steps of [
      [...held, ...more],
      [...held, { do: 'correct', biomarker: 'glucose' } as const, ...more],
    ])
      await play(steps)
  })

  it('is what a plain model says, whatever happens', async () => {
    const story = fc.tuple(fc.array(step, { minLength: 5, maxLength: 11 }), ends)
    await fc.assert(
      fc.asyncProperty(story, async ([steps, end]) => {
        await play([{ do: 'publish' }, ...steps, ...end])
      }),
      { numRuns: runsOf(45), endOnFailure: true },
    )
  }, 600_000)

  it.each([
    ['shows the version that waits', 'kept_version = version'],
    ['hides what was published', 'kept_version = null'],
    [
      'counts a version as published that was not',
      'published_versions = published_versions || version, kept_version = version',
    ],
  ])('is noticed where it is wrong, as in a service that %s', async (_, mistake) => {
    const story = await play(kept)
    await owner.query(`update reports set ${mistake} where id = $1`, [story.reportId])
    await expect(compare(story)).rejects.toThrow()
  })

  it('of earlier releases is each version, and their processes hide what waits', async () => {
    const { reportId, kitId, customerId } = await play([{ do: 'publish' }, { do: 'correct', biomarker: 'mma' }])
    const trigger = 'trigger reports_note_published'
    const { rows } = await owner.query('select current_role as role')
    const [{ role }] = rows
    await owner.query(`reset role; alter table reports disable ${trigger}; set role ${role};
      update reports set published_versions = null where id = '${reportId}';
      reset role; alter table reports enable ${trigger}; set role ${role}`)
    const path = `/customers/${customerId}/reports/${reportId}`
    const seen = async () => (await reader.get(path)).body.details
    expect(await seen()).toMatchObject({ version: 2, latestVersion: 2 })
    expect((await reader.get(`${path}?version=1`)).status).toBe(200)
    await at.receive({ kitId, results: resultsOf({ mma: draw('mma', undefined) }), corrected: true, isDoubted: true })
    expect(await seen()).toMatchObject({ version: 2, latestVersion: 2 })
    expect((await reader.get(`${path}?version=1`)).status).toBe(200)
    await owner.query('update reports set version = 4 where id = $1', [reportId])
    const { status, body } = await reader.get(path)
    expect([status, body.error]).toEqual([404, expect.stringContaining('cannot be read for now')])
  })
})
