import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { readBackAll } from '../harness/critical.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { glucose, type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

const WOMEN = 'FORWOMEN'
let world: World
let operator: Operator
let at: Reporting

beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  at = await reporting(world)
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: WOMEN, name: 'For women', biomarkers: ['glucose'] })
    await provision(tx, at.clinic.id, [WOMEN], { minor: 100 })
  })
  await world.grant(at.clinic, WOMEN, 40)
  expect((await operator('PATCH', `/panels/${WOMEN}`, { sex: 'F' })).status).toBe(200)
})
afterAll(() => world.stop())

let people = 0
const somebody = (changes: object = {}) => ({
  firstName: 'Tina',
  lastName: 'Canary',
  email: `tina${++people}@whose.test`,
  dateOfBirth: '1990-04-05',
  sex: 'F',
  ...changes,
})

async function newKit(kitType = WOMEN): Promise<string> {
  const ordered = await at.clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType }] }))
  expect(ordered.status, ordered.text).toBe(201)
  return (await kitsOf(ordered.body.orderId))[0].kitID
}
const kitsOf = async (orderId: string) => (await at.clinic.live.get(`/kits?orderID=${orderId}`)).body
const kitOf = async (kitID: string) => (await at.clinic.live.get(`/kits/${kitID}`)).body.kit
const register = (kitID: string, who: object) => at.clinic.live.post(`/kits/${kitID}/register`, who)
const correct = (id: number, change: object) => at.clinic.live.request('PATCH', `/customers/${id}`, change)

/** A kit with its person, shipped. */
async function registered(who: object = somebody()): Promise<{ kitID: string; customerId: number }> {
  const kitID = await newKit()
  const { status, body, text } = await register(kitID, who)
  expect(status, text).toBe(200)
  return { kitID, customerId: Number(body.customerId) }
}

describe('a kit that is registered under the e-mail and date of birth of a known customer', () => {
  it.each([
    ['of another first name, as a twin has', { firstName: 'Tanya' }, 'name'],
    ['of another name', { firstName: 'Clara', lastName: 'Stein' }, 'name'],
    ['with an initial in place of a name', { firstName: 'T.' }, 'name'],
    ['of another name and sex', { firstName: 'Oli', lastName: 'Stone', known: { sex: 'M' } }, 'name and the sex'],
    ['of another sex', { known: { sex: 'M' } }, 'sex'],
  ])(
    '%s waits for a person, and is nobody’s meanwhile',
    async (_, { known = {}, ...given }: Record<string, unknown>, of) => {
      const who = somebody()
      const record = { ...who, ...(known as object), gender: (known as { sex?: string }).sex ?? who.sex }
      const name = `${who.firstName} ${who.lastName}`
      const { email, dateOfBirth, gender } = record
      const made = await at.clinic.live.post('/customer', { email, dateOfBirth, gender, name })
      const kitID = await newKit()
      const { status, body, text } = await register(kitID, { ...who, ...given })
      expect([status, body.customerId], text).toEqual([200, undefined])
      const kit = await kitOf(kitID)
      expect(kit).toMatchObject({ kitStatus: 'registrationException', registeredToEmail: '' })
      expect(kit.exceptionReason).toMatch(new RegExp(`^The ${of} (is|are) not`))
      await expect(at.receive({ kitId: kitID, results: [glucose(90)] })).rejects.toMatchObject({
        code: 'ILLEGAL_TRANSITION',
      })
      expect((await at.clinic.live.get(`/customers/${made.body.id}`)).body).toMatchObject({ name, gender, reports: [] })
      const mine = { name: `${given.firstName ?? who.firstName} ${given.lastName ?? who.lastName}`, gender: 'F' }
      expect((await correct(made.body.id, mine)).status).toBe(200)
      expect((await register(kitID, { ...who, ...given })).body.customerId).toBe(made.body.id)
    },
  )

  it.each([
    { firstName: 'TINA' },
    { firstName: 'Tina Maria' },
    { firstName: 'Tina M.', lastName: 'Canary-Smith' },
    { firstName: 'Canary', lastName: 'Tina' },
  ])('by the same name as %j is theirs', async (given) => {
    const who = somebody()
    const { customerId } = await registered(who)
    expect((await register(await newKit(), { ...who, ...given })).body.customerId).toBe(customerId)
  })
})

describe('a person who was corrected so that the panel is not for them', () => {
  it.each([
    ['age', { dateOfBirth: '2015-04-05' }, 'from the age of 18'],
    ['sex', { gender: 'M' }, 'female sex'],
    ['sex, which is neither', { gender: 'X' }, 'female sex'],
  ])('of another %s is a caution at the station, and their report waits with the reason', async (_, change, why) => {
    const { kitID, customerId } = await registered()
    expect((await correct(customerId, change)).status).toBe(200)
    const scanned = await operator('GET', `/fulfilment/kits/${kitID}`)
    expect(scanned.body.caution, scanned.text).toMatch(/as they are recorded now/)
    const { reportId } = await at.receive({ kitId: kitID, results: [glucose(90)] })
    expect((await kitOf(kitID)).status).toBe('inReview')
    const { body } = await operator('GET', `/reports/${reportId}`)
    expect(body.checks).toContainEqual(
      expect.objectContaining({ code: 'notForPerson', holds: true, message: expect.stringContaining(why) }),
    )
  })

  it('has a report that waits also where it was waiting for another reason', async () => {
    const { kitID, customerId } = await registered()
    const { reportId } = await at.receive({ kitId: kitID, results: [glucose(600)] })
    expect((await correct(customerId, { gender: 'M' })).status).toBe(200)
    await readBackAll(at.clinic.live.request, reportId)
    expect((await kitOf(kitID)).status).toBe('inReview')
  })
})

describe('what was published of a person for whom the panel is no longer', () => {
  it.each([
    ['manual', { gender: 'M' }],
    ['auto', { gender: 'M' }],
    ['manual', { dateOfBirth: '2015-04-05' }],
    ['auto', { dateOfBirth: '2015-04-05' }],
  ])('under %s publishing stays readable after %j, and what follows waits for a person', async (publishing, change) => {
    await at.clinic.live.request('PATCH', '/settings', { publishing })
    const { kitID, customerId } = await registered()
    const { reportId } = await at.receive({ kitId: kitID, results: [glucose(90)] })
    if (publishing === 'manual') expect((await at.clinic.live.post(`/reports/${reportId}/publish`)).status).toBe(200)
    expect((await correct(customerId, change)).status).toBe(200)
    for (const results of [[], [glucose(91)], [{ ...glucose(50), biomarkerId: 'ldl' }]]) {
      if (results.length > 0) await at.receive({ kitId: kitID, results, corrected: true })
      expect((await kitOf(kitID)).status).toBe('inReview')
      const { body } = await at.clinic.live.get(`/customers/${customerId}/reports/${reportId}`)
      expect([body.details.version, body.labParamsError]).toEqual([1, ['Later Version In Review']])
    }
    expect((await at.clinic.live.post(`/reports/${reportId}/publish`)).status).toBe(200)
    await at.clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
  })
})

describe('a report of a person whose name, date of birth or sex was corrected after it was published', () => {
  it('says so with the day, in each version and format', async () => {
    const made = await at.report([glucose(90)])
    expect(await at.json(made)).not.toHaveProperty('details.personCorrected')
    expect((await at.pdfOf(made)).text).not.toContain('was corrected on')
    const change = { name: 'Zed Quill', dateOfBirth: '1955-03-10', gender: 'M' }
    expect((await correct(made.customerId, change)).status).toBe(200)
    await at.receive({ kitId: made.kitId, results: [glucose(91)], corrected: true })
    const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
    for (const version of [1, 2, 3]) {
      const query = `?version=${version}`
      expect((await at.json(made, query)).details).toMatchObject({
        version,
        personCorrected: [
          { field: 'name', date },
          { field: 'dateOfBirth', date },
          { field: 'gender', date },
        ],
      })
      const { text } = await at.pdfOf({ ...made, path: made.path + query })
      for (const what of ['name', 'date of birth', 'sex'])
        expect(text).toMatch(new RegExp(`The ${what} of the person was corrected on`))
      expect(JSON.stringify(await at.bundle(made, query))).toContain('The name of the person was corrected on')
    }
    const later = await at.report(
      [glucose(92)],
      {},
      { email: `${made.kitId}@example.test`, firstName: 'Zed', lastName: 'Quill', dateOfBirth: '1955-03-10', sex: 'M' },
    )
    expect(later.customerId).toBe(made.customerId)
    expect(await at.json(later)).not.toHaveProperty('details.personCorrected')
  })
})
