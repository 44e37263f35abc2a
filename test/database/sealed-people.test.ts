import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertNextWords as customerWords, insertRealmsOfWords } from '../../src/modules/customers/search-queries.ts'
import { sealOldRows } from '../../src/modules/keys/service.ts'
import * as orderTerms from '../../src/modules/orders/search-queries.ts'
import { selectPeople } from '../../src/modules/portal/queries.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let owner: Client

beforeAll(async () => {
  world = await ownWorld('looks at every sealed row')
  clinic = await world.business()
  owner = await world.owner()
})
afterAll(() => world.stop())

const rowsOf = async (query: string, values: unknown[] = []) => (await owner.query(query, values)).rows

let people = 0

/** A person with a value in every personal field, each found nowhere else. */
function aPerson() {
  const mark = `w${++people}q`
  return {
    firstName: `Étienne${mark}`,
    lastName: `Ångström${mark}`,
    email: `Etienne.${mark}@Sealed.example`,
    dateOfBirth: '1953-07-19',
    sex: 'M',
    phone: `+1 555 014 ${people}77`,
    race: [`race${mark}`],
    addressLine1: `${people} Heronmoor ${mark}`,
    city: `Tidewick${mark}`,
    state: 'OR',
    zip: `97${people}`,
  }
}
type Person = ReturnType<typeof aPerson>

const tracesOf = ({ firstName, lastName, email, phone, race, addressLine1, city }: Person) =>
  [firstName, lastName, email, phone, race[0] ?? '', addressLine1, city, '1953-07-19', '127.0.0.1'].map((text) =>
    text.toLowerCase(),
  )

async function newKit(of = clinic): Promise<string> {
  const { body } = await of.live.post('/create-order', anOrder({ paymentMethod: 'credits' }))
  return (await of.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
}

async function registered(person: Person, of = clinic): Promise<{ kit: string; id: number }> {
  const kit = await newKit(of)
  const { firstName, lastName, email } = person
  const consent = { firstName, lastName, email, consentVersion: 'v1', consentToTesting: true }
  expect((await of.live.post(`/kits/${kit}/consent`, consent)).status).toBe(200)
  const { status, body, text } = await of.live.post(`/kits/${kit}/register`, person)
  expect(status, text).toBe(200)
  return { kit, id: body.customerId }
}

/** Writes a person as versions before sealing did. */
async function inClear(person: Person, { id, kit }: { id: number; kit: string }): Promise<void> {
  const { firstName, lastName, email, dateOfBirth, sex, phone, race, addressLine1, city, state, zip } = person
  const address = JSON.stringify({ street1: addressLine1, city, state, zip })
  await owner.query("set kitlane.sealing = 'on'")
  await owner.query(
    `update customers set sealed = null, email_hash = null, email = $2, name = $3, first_name = $4, last_name = $5, date_of_birth = $6,
       gender = $7, phone = $8, address = $9, race = $10 where id = $1`,
    [id, email, `${firstName} ${lastName}`, firstName, lastName, dateOfBirth, sex, phone, address, race.join(', ')],
  )
  await owner.query('delete from customer_finds where customer_id = $1', [id])
  const { email: _, ...said } = { ...person, race: race.join(', '), consentForResearch: false }
  await owner.query(
    `update kits set sealed = null, registered_hash = null, birth_hash = null, registered_email = $2, registration = $3 where id = $1`,
    [kit, email, JSON.stringify(said)],
  )
  await owner.query(
    `update consents set sealed = null, email_hash = null, first_name = $2, last_name = $3, email = $4, ip = '127.0.0.1' where kit_id = $1`,
    [kit, firstName, lastName, email],
  )
  await owner.query('reset kitlane.sealing')
}

const own = ['customers', 'customer_finds', 'kits', 'consents']

/** What the rows of the tables of people hold, in text and in bytes, of some texts in lower case. */
async function leaks(texts: readonly string[]): Promise<string[]> {
  const rows = (await Promise.all(own.map((table) => rowsOf(`select t::text as row from ${table} t`)))).flat()
  const dump = rows.map(({ row }) => row.toLowerCase()).join('\n')
  const hex = (text: string) => Buffer.from(text).toString('hex')
  // Bytes are written in hexadecimal.
  return texts.filter((text) => dump.includes(text) || dump.includes(hex(text)))
}

async function sealAll(): Promise<void> {
  await owner.query('delete from sealing_progress')
  await sealOldRows(world.service.database, { name: 'test' }, new AbortController().signal)
}

/** All that the API says of a person. */
async function answersAbout({ id, kit }: { id: number; kit: string }): Promise<unknown[]> {
  const paths = [`/customers/${id}`, '/customers', '/customers?page=0', `/kits?kitID=${kit}`, `/kits/${kit}`]
  const answers = await Promise.all(paths.map(async (path) => (await clinic.live.get(path)).body))
  const { exportedDate, auditEntries, ...exported } = (await clinic.live.get(`/customers/${id}/export`)).body
  return [...answers, exported]
}

const foundBy = async (text: string, of = clinic): Promise<number[]> =>
  (await of.live.get(`/customers?q=${encodeURIComponent(text)}`)).body.map(({ id }: { id: number }) => id)

/** Every way to find a person: e-mail address, name and last name, and how they begin, also without accents. */
const waysTo = ({ firstName, lastName, email }: Person) => {
  const plainFirst = firstName.replace('É', 'e')
  const plainLast = lastName.replace('Å', 'a').replace('ö', 'o')
  return [email, email.toUpperCase(), `${firstName} ${lastName}`, `${plainFirst} ${plainLast}`, lastName, plainLast]
}

describe('what is known of people', () => {
  it('is not in the database in clear', async () => {
    const person = aPerson()
    const known = await registered(person)
    expect(await leaks(tracesOf(person))).toEqual([])
    // The same look finds what a version before wrote.
    await inClear(person, known)
    expect(await leaks(tracesOf(person))).toEqual(tracesOf(person))
    await sealAll()
    expect(await leaks(tracesOf(person))).toEqual([])
  })

  it('cannot be put on another row', async () => {
    const [one, other] = [await registered(aPerson()), await registered(aPerson())]
    await owner.query('update customers set sealed = (select sealed from customers where id = $1) where id = $2', [
      one.id,
      other.id,
    ])
    expect((await clinic.live.get(`/customers/${other.id}`)).status).toBe(500)
    expect((await clinic.live.get(`/customers/${one.id}`)).status).toBe(200)
    await owner.query('update customers set erased_at = now() where id = $1', [other.id])
  })

  it('is found by how e-mail address and names begin, and by nothing else', async () => {
    const person = aPerson()
    const { id } = await registered(person)
    for (const way of waysTo(person)) expect(await foundBy(way), way).toEqual([id])
    for (const length of [3, 4, 5, 6, 7, 8, 9]) {
      expect(await foundBy(person.lastName.slice(0, length))).toContain(id)
    }
    expect(await foundBy(`${person.lastName}x`)).toEqual([])
    expect(await foundBy(person.lastName.slice(1))).toEqual([])
    expect(await foundBy(person.email, await world.business())).toEqual([])
  })
})

describe('a name of several words', () => {
  const ways = ["O'Neill", 'neill', 'sorensen', 'Sørensen', 'garcía', 'marg', 'garcia oneill']
  const named = (surname: string) => ({ ...aPerson(), firstName: 'Margaret', lastName: surname })

  it('is found by each word, in any order, with any apostrophe, from three letters on', async () => {
    const { id } = await registered(named('O’Neill-Sørensen García'))
    for (const way of ways) expect(await foundBy(way), way).toContain(id)
    expect(await foundBy('eill')).toEqual([])
  })

  it('of a person and a recipient whom an earlier release stored is found so once the job has run', async () => {
    const { id } = await registered(named('O’Neill-Sørensen García'))
    const recipient = { ...anOrder().recipient, last_name: 'Ferro Vildmark' }
    const { orderId } = (await clinic.live.post('/create-order', anOrder({ recipient }))).body
    const found = async (text: string) =>
      (await clinic.live.get(`/search?q=${text}`)).body.map((hit: { id: string }) => hit.id)
    const job = (work: (tx: SystemTx) => Promise<unknown>) => world.service.database.asSystem({ name: 'test' }, work)
    await job(orderTerms.insertRealmsToIndex)
    while (await world.service.database.asSystem({ name: 'test' }, orderTerms.insertNextTerms)) {}
    await owner.query('delete from customer_finds where customer_id = $1', [id])
    await owner.query('delete from order_finds where order_id = $1', [orderId])
    await owner.query('delete from customer_words')
    await owner.query('update order_finds_done set words_seq = 0, words_until = null')
    expect(await foundBy('neill')).not.toContain(id)
    expect(await found('vildmark')).not.toContain(orderId)
    await job(insertRealmsOfWords)
    await job(customerWords)
    await job(orderTerms.insertRealmsToIndex)
    await job(orderTerms.insertNextWords)
    expect(await foundBy('neill')).toContain(id)
    expect(await found('vildmark')).toContain(orderId)
  })
})

describe('a person that an earlier version wrote', () => {
  let person: Person
  let known: { id: number; kit: string }
  beforeEach(async () => {
    person = aPerson()
    known = await registered(person)
  })

  it('is read and found as before, and sealed without a change that anybody sees', async () => {
    const before = await answersAbout(known)
    const changedSince = new Date().toISOString()
    await inClear(person, known)
    expect(await answersAbout(known)).toEqual(before)
    for (const way of waysTo(person)) expect(await foundBy(way), way).toEqual([known.id])
    await sealAll()
    expect(await answersAbout(known)).toEqual(before)
    for (const way of waysTo(person)) expect(await foundBy(way), way).toEqual([known.id])
    const changed = (await clinic.live.get(`/customers?updatedSince=${changedSince}`)).body
    expect(changed.map(({ id }: { id: number }) => id)).not.toContain(known.id)
    expect(await rowsOf('select from customers where email_hash is null and erased_at is null')).toEqual([])
  })

  it('keeps their e-mail address, and further kits are theirs', async () => {
    await inClear(person, known)
    const again = await clinic.live.post('/customer', { email: person.email.toLowerCase(), name: 'Another' })
    expect([again.status, again.body.code]).toEqual([409, 'CUSTOMER_EXISTS'])
    const other = await registered(aPerson())
    const taken = await clinic.live.request('PATCH', `/customers/${other.id}`, { email: person.email })
    expect([taken.status, taken.body.code]).toEqual([409, 'CUSTOMER_EXISTS'])
    const { email, ...rest } = person
    expect((await registered({ ...rest, email: email.toUpperCase() })).id).toBe(known.id)
  })

  it('is corrected and erased like others', async () => {
    await inClear(person, known)
    const { status, body } = await clinic.live.request('PATCH', `/customers/${known.id}`, { name: 'Renate Neumann' })
    expect([status, body.name, body.email]).toEqual([200, 'Renate Neumann', person.email])
    expect(await foundBy('Renate N')).toEqual([known.id])
    expect(await foundBy(person.lastName)).toEqual([])
    await inClear(person, known)
    expect((await clinic.live.request('DELETE', `/customers/${known.id}`)).status).toBe(200)
    expect(await leaks(tracesOf(person).filter((text) => text.includes(`w${people}q`)))).toEqual([])
  })

  it('gets a new link, at every business that knows their e-mail address', async () => {
    const elsewhere = await world.business()
    const there = await registered(person, elsewhere)
    await inClear(person, known)
    const found = () =>
      world.service.database.asSystem({ name: 'test' }, (tx) => selectPeople(tx, person.email.toUpperCase()))
    const expected = [known.id, there.id]
    expect((await found()).map(({ customerId }) => customerId)).toEqual(expected)
    await sealAll()
    expect((await found()).map(({ customerId }) => customerId)).toEqual(expected)
    expect((await found()).map(({ email, firstName }) => [email, firstName])).toEqual([
      [person.email, person.firstName],
      [person.email, person.firstName],
    ])
  })

  it('is found by the operator over all businesses', async () => {
    const elsewhere = await world.business()
    const there = await registered(person, elsewhere)
    await inClear(person, known)
    const operator = await operatorWith(world, ['lab'])
    const found = async (text: string) =>
      (await operator('GET', `/search?q=${encodeURIComponent(text)}`)).body
        .filter(({ kind }: { kind: string }) => kind === 'customer')
        .map(({ id }: { id: string }) => Number(id))
        .sort()
    const expected = [known.id, there.id].sort()
    for (const way of waysTo(person)) expect(await found(way), way).toEqual(expected)
    await sealAll()
    for (const way of waysTo(person)) expect(await found(way), way).toEqual(expected)
  })
})

describe('a kit that an earlier version registered', () => {
  it('is suggested to the laboratory by the date of birth, before and after it is sealed', async () => {
    const person = { ...aPerson(), dateOfBirth: '1953-07-20' }
    const known = await registered(person)
    await inClear(person, known)
    const lab = await operatorWith(world, ['lab', 'fulfilment'])
    expect((await lab('POST', '/samples/receive', { kitID: known.kit })).status).toBe(200)
    await inClear(person, known)
    const message = [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||X||Tester^Bo||19530720|F',
      'OBR|1|KZZZZZZZZZ|ACC78|24331-1^Lipid panel^LN|||20260401083000|||||||||||||||20260402110000|||F',
      'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
    ].join('\r')
    const sent = await lab('POST', '/lab/results', message, { 'content-type': 'text/plain' })
    const [{ messageID }] = sent.body.reports
    const suggested = async () => {
      const queue = (await lab('GET', '/lab/messages?size=250')).body
      return queue.find(({ id }: { id: string }) => id === messageID).suggestions
    }
    const expected = [{ kitID: known.kit, reason: expect.any(String) }]
    expect(await suggested()).toEqual(expected)
    await sealAll()
    expect(await suggested()).toEqual(expected)
  })

  it('is shown on the pages of the person, once the date of birth is right', async () => {
    const at = recipients(world)
    const kit = await at.newKit(clinic)
    const { email } = await at.register(kit)
    const [link = ''] = await at.linksTo(email)
    const person = { ...aPerson(), firstName: 'Grace', dateOfBirth: '1956-12-09', email }
    await inClear(person, { id: await at.customerOf(clinic, email), kit })
    for (const isSealed of [false, true]) {
      if (isSealed) await sealAll()
      expect((await at.enter(link, { day: '1', month: '1', year: '1990' })).home.text).toContain('This is not the date')
      expect((await at.enter(link)).home.text).toContain('Hello Grace')
    }
  })
})

describe('registrations at the same moment', () => {
  it('of kits to one new e-mail address make one customer', async () => {
    const person = aPerson()
    const kits = await Promise.all(Array.from({ length: 8 }, () => newKit()))
    const answers = await Promise.all(kits.map((kit) => clinic.live.post(`/kits/${kit}/register`, person)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.customerId)).size).toBe(1)
    expect(await foundBy(person.email)).toHaveLength(1)
  })

  it('each fill what is lacking, and none undoes another', async () => {
    const { email } = aPerson()
    const { body: customer } = await clinic.live.post('/customer', { email, name: 'Étienne Roe' })
    const common = { email, firstName: 'Étienne', lastName: 'Roe', dateOfBirth: '1953-07-19', sex: 'M' }
    const parts = [{ phone: '+1 555 0199' }, { race: ['some'] }, { addressLine1: '1 Lane', city: 'Town' }]
    const kits = await Promise.all(parts.map(() => newKit()))
    await Promise.all(kits.map((kit, i) => clinic.live.post(`/kits/${kit}/register`, { ...common, ...parts[i] })))
    const exported = (await clinic.live.get(`/customers/${customer.id}/export`)).body.customer
    expect(exported).toMatchObject({
      firstName: 'Étienne',
      lastName: 'Roe',
      dateOfBirth: '1953-07-19',
      gender: 'M',
      phone: '+1 555 0199',
      race: 'some',
      address: { street1: '1 Lane', city: 'Town' },
    })
  })
})

describe('while a process of the version before runs', () => {
  it('a person that it makes a second time is sealed, too, and the first one stays the one who is found', async () => {
    const person = aPerson()
    const known = await registered(person)
    const [{ id }] = await rowsOf(
      `insert into customers (realm_id, id, seq, email, name, created_at)
       select realm_id, id + 1, seq + 1000000, $2, 'Twin', now() from customers where id = $1
       on conflict (realm_id, lower(email)) do nothing returning id`,
      [known.id, person.email],
    )
    await sealAll()
    expect(await rowsOf('select email, name, sealed is not null as sealed from customers where id = $1', [id])).toEqual(
      [{ email: null, name: null, sealed: true }],
    )
    expect((await clinic.live.get(`/customers/${id}`)).body).toMatchObject({ name: 'Twin', email: person.email })
    expect((await registered(person)).id).toBe(known.id)
  })
})
