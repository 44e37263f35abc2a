import { expect } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { find, list } from '../../src/modules/emails/service.ts'
import * as links from '../../src/modules/links/service.ts'
import { selectPeople } from '../../src/modules/portal/queries.ts'
import { publishReviewedReport } from '../../src/modules/reports/versions/publish.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { type Mode, type Tx, within } from '../../src/platform/database/tx.ts'
import { anOrder } from './orders.ts'
import { type VisitedPage, type Visitor, visitor } from './visitor.ts'
import type { TestBusiness, World } from './world.ts'

export const grace = {
  firstName: 'Grace',
  lastName: 'O’Hara <b>',
  day: '9',
  month: '12',
  year: '1956',
  sex: 'F',
}

/** The steps of a person tested, in a world. */
export function recipients(world: World) {
  let people = 0
  const newEmail = () => `grace${++people}.${Math.floor(performance.now())}@example.test`

  async function newKit(clinic: TestBusiness, mode: Mode = 'live', changes: Record<string, unknown> = {}) {
    const { status, body, text } = await clinic[mode].post('/create-order', anOrder(changes))
    expect(status, text).toBe(201)
    const order = await clinic[mode].get(`/orders/${body.orderId}`)
    return order.body.kits[0].kitID as string
  }

  const inRealm = async <T>(clinic: TestBusiness, work: (tx: Tx) => Promise<T>, mode: Mode = 'live') => {
    const realms = await world.service.database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, clinic.id))
    return world.service.database.inRealm(realms[mode], { name: 'test' }, work)
  }

  /** Fills in the pages up to the last one before the registration. */
  async function fillIn(who: Visitor, kitId: string, person: Record<string, string>): Promise<VisitedPage> {
    const consent = await who.open(`/k/${kitId}/consent`)
    const details = await who.submit(consent, { consentToTesting: 'yes' })
    expect(details.path).toBe(`/k/${kitId}/details`)
    return who.submit(details, { ...grace, ...person })
  }

  async function register(kitId: string, person: Record<string, string> = {}) {
    const who = visitor(world.service.url)
    const email = person.email ?? newEmail()
    const check = await fillIn(who, kitId, { email, ...person })
    expect(check.path, check.text).toBe(`/k/${kitId}/check`)
    const done = await who.submit(check)
    return { who, email, check, done }
  }

  /** The stored e-mails to an address, newest first. */
  const emailsTo = (email: string) =>
    world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const { emails } = await list(tx, { recipient: email, page: 0, size: 100 })
      return emails
    })

  /** Issues one new link per e-mail with a link to an address. Stored e-mails do not hold the links themselves. */
  async function linksTo(email: string): Promise<string[]> {
    const written = await emailsTo(email)
    return world.service.database.asSystem({ name: 'test' }, async (tx) => {
      const people = await selectPeople(tx, email)
      const made: string[] = []
      for (const { id, businessId, mode } of written) {
        const person = people.find(({ realm }) => realm.businessId === businessId && realm.mode === mode)
        if (!person || !(await find(tx, id)).text.includes('/r/the-rest-is-not-shown')) continue
        const [link] = await links.issueLinks(within(tx, person.realm), '', [{ customerId: Number(person.customerId) }])
        made.push(link?.url ?? '')
      }
      return made
    })
  }

  /** The number of the customer with an e-mail address. */
  async function customerOf(clinic: TestBusiness, email: string): Promise<number> {
    const { body } = await clinic.live.get(`/customers?q=${encodeURIComponent(email)}`)
    return body[0].id
  }

  /** Opens the link and enters the date of birth. */
  async function enter(link: string, born: Record<string, string> = grace) {
    const who = visitor(world.service.url)
    const gate = await who.open(link)
    return {
      who,
      gate,
      home: await who.submit(gate, { day: born.day ?? '', month: born.month ?? '', year: born.year ?? '' }),
    }
  }

  async function report(
    clinic: TestBusiness,
    kitId: string,
    values: Record<string, number>,
    mode: Mode = 'live',
    corrected = false,
  ) {
    const units: Record<string, string> = { glucose: 'mg/dL', ldl: 'mg/dL', hdl: 'mg/dL', insulin: 'u[IU]/mL' }
    const results = Object.entries(values).map(([biomarkerId, value]) => {
      return { biomarkerId, value, unit: units[biomarkerId] ?? '' }
    })
    return inRealm(clinic, async (tx) => (await receiveResults(tx, { kitId, results, corrected })).reportId, mode)
  }
  const release = (clinic: TestBusiness, reportId: string) =>
    inRealm(clinic, (tx) => publishReviewedReport(tx, reportId))

  return { newEmail, newKit, inRealm, fillIn, register, emailsTo, linksTo, customerOf, enter, report, release }
}
