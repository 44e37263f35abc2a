import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTestingStopped } from '../../src/modules/kits/consent/withdraw.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { sha256 } from '../../src/platform/crypto.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { grace, recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
let world: World
let clinic: TestBusiness
let owner: Client
let operator: Operator
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  at = recipients(world)
  owner = await world.owner()
  clinic = await world.business({ name: 'Clinic' })
  operator = await operatorWith(world, ['businesses', 'catalogue', 'lab', 'fulfilment'])
})
afterAll(() => world.stop())

const browser = () => visitor(world.service.url)
const ada = { firstName: 'Ada', lastName: 'Byron', email: 'ada@example.test' }
const adult = { ...ada, dateOfBirth: '1980-12-10', sex: 'F' as const }
const agreed = { ...ada, consentToTesting: true }
const consentsOf = async (kitId: string, business = clinic) => (await business.live.get(`/kits/${kitId}`)).body.consents

describe('a consent text', () => {
  it('is kept with its words: a new version changes nothing of what was agreed before', async () => {
    const business = await world.business()
    const first = await business.live.post('/consent-texts', { language: 'en', text: 'First words.' })
    expect(first.status, first.text).toBe(201)
    expect(first.body).toMatchObject({
      language: 'en',
      text: 'First words.',
      source: 'business',
      current: true,
      sha256: sha256('First words.').toString('hex'),
    })
    const kitId = await at.newKit(business)
    await business.live.post(`/kits/${kitId}/consent`, { ...agreed, consentVersion: first.body.id })
    clock.advance(1000)
    const second = await business.live.post('/consent-texts', { language: 'en', text: 'Second words.' })
    expect((await business.live.get('/consent-texts/current')).body).toEqual(second.body)
    expect((await business.live.get(`/consent-texts/${first.body.id}`)).body).toEqual({ ...first.body, current: false })
    expect(await consentsOf(kitId, business)).toMatchObject([
      { type: 'agreed', consentVersion: first.body.id, language: 'en', kitType: CORE, sha256: first.body.sha256 },
    ])
  })

  it('can be changed by nobody, not even by the program', async () => {
    for (const table of ['consent_texts', 'default_consent_texts']) {
      for (const role of ['kitlane_app', 'kitlane_system']) {
        const { rows } = await owner.query(
          `select has_table_privilege(r.oid, $1, 'update') or has_table_privilege(r.oid, $1, 'delete') as may
           from pg_roles r where r.rolname like $2`,
          [table, `${role}%`],
        )
        expect(
          rows.every(({ may }) => may === false),
          `${role} ${table}`,
        ).toBe(true)
      }
    }
  })

  it("is the panel's before the one for all, and the business's before the operator's, whatever the language", async () => {
    const business = await world.business()
    const current = async (query: string) => (await business.live.get(`/consent-texts/current${query}`)).body
    expect(await current(`?kitType=${CORE}&language=de`)).toMatchObject({ source: 'operator', language: 'en' })
    const mine = (await business.live.post('/consent-texts', { language: 'en', text: 'For all.' })).body
    const panels = { kitType: CORE, language: 'en', text: 'For one panel.' }
    const ours = (await business.live.post('/consent-texts', panels)).body
    const deutsch = (await business.live.post('/consent-texts', { language: 'de', text: 'Für alle.' })).body
    await operator('POST', '/consent-texts', { language: 'fr', text: 'De l’opérateur.' })
    expect((await current('')).id).toBe(mine.id)
    expect((await current(`?kitType=${CORE}`)).id).toBe(ours.id)
    expect((await current(`?kitType=${CORE}&language=de`)).id).toBe(deutsch.id)
    expect((await current(`?kitType=${CORE}&language=fr`)).id).toBe(ours.id)
    expect((await current('?kitType=NONE')).code).toBe('PANEL_NOT_FOUND')
  })

  it("of the operator is shown to people of businesses without their own, and to them in no other business's name", async () => {
    const business = await world.business()
    const published = await operator('POST', '/consent-texts', { language: 'es', text: 'Palabras.' })
    expect(published.status, published.text).toBe(201)
    expect((await business.live.get('/consent-texts/current?language=es')).body.id).toBe(published.body.id)
    const other = await world.business()
    const theirs = (await other.live.post('/consent-texts', { language: 'it', text: 'Parole.' })).body
    expect((await business.live.get(`/consent-texts/${theirs.id}`)).status).toBe(404)
    const kitId = await at.newKit(business)
    const refused = await business.live.post(`/kits/${kitId}/consent`, { ...agreed, consentVersion: theirs.id })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'consentVersion'])
  })

  it('of the operator is published by those who manage businesses only', async () => {
    const reader = await operatorWith(world, ['lab'])
    expect((await reader('GET', '/consent-texts')).status).toBe(403)
    expect((await reader('POST', '/consent-texts', { language: 'en', text: 'x' })).status).toBe(403)
  })
})

describe('a consent', () => {
  it('by API without a version is to the current words, and with a name of its own is kept as it is named', async () => {
    const kitId = await at.newKit(clinic)
    const current = (await clinic.live.get(`/consent-texts/current?kitType=${CORE}`)).body
    await clinic.live.post(`/kits/${kitId}/consent`, agreed)
    await clinic.live.post(`/kits/${kitId}/consent`, { ...agreed, consentVersion: '2024-a' })
    const [ours, theirs] = await consentsOf(kitId)
    expect(ours).toMatchObject({ consentVersion: current.id, sha256: current.sha256, ip: '127.0.0.1' })
    expect(theirs).toMatchObject({ consentVersion: '2024-a', kitType: CORE })
    expect(theirs).not.toHaveProperty('sha256')
  })

  it('on the page is to exactly the words shown, as plain text, also when others were published meanwhile', async () => {
    const business = await world.business()
    const text = '- One & <b>two</b>\n- "Three"\n\n# Your <script>rights</script>\n\nYou may\nsay no.'
    const shown = (await business.live.post('/consent-texts', { language: 'en', text })).body
    const kitId = await at.newKit(business)
    const who = browser()
    const page = await who.open(`/k/${kitId}/consent`)
    expect(page.html).toContain('<li>One &amp; &lt;b&gt;two&lt;/b&gt;</li>')
    expect(page.html).toContain('<h2>Your &lt;script&gt;rights&lt;/script&gt;</h2>')
    expect(page.html).toContain('<p>You may say no.</p>')
    clock.advance(1000)
    await business.live.post('/consent-texts', { language: 'en', text: 'Newer words.' })
    const details = await who.submit(page, { consentToTesting: 'yes' })
    const email = at.newEmail()
    const done = await who.submit(await who.submit(details, { ...grace, email }))
    expect(done.path).toBe(`/k/${kitId}/done`)
    expect(await consentsOf(kitId, business)).toMatchObject([
      { consentVersion: shown.id, sha256: sha256(text).toString('hex'), language: 'en', kitType: CORE, email },
    ])
  })

  it('on the page is in the language of the browser, or in another one that the person chooses', async () => {
    const business = await world.business()
    await business.live.post('/consent-texts', { language: 'en', text: 'English words.' })
    const deutsch = (await business.live.post('/consent-texts', { language: 'de', text: 'Deutsche Worte.' })).body
    const kitId = await at.newKit(business)
    const path = `/k/${kitId}/consent`
    const page = await browser().open(path, { 'accept-language': 'fr;q=0.9, de-AT, en;q=0.5' })
    expect(page.html).toContain('<div lang="de"><p>Deutsche Worte.</p></div>')
    expect((await browser().open(`${path}?language=en`, { 'accept-language': 'de' })).text).toContain('English words.')
    const who = browser()
    const unticked = await who.submit(await who.open(`${path}?language=de`), {})
    expect(unticked.text).toContain('Deutsche Worte.')
    await who.submit(unticked, { consentToTesting: 'yes' })
    const check = await who.submit(await who.open(`/k/${kitId}/details`), { ...grace, email: at.newEmail() })
    await who.submit(check)
    expect(await consentsOf(kitId, business)).toMatchObject([{ consentVersion: deutsch.id, language: 'de' }])
  })

  it('to words that were not shown is not taken by the page', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const page = await who.open(`/k/${kitId}/consent`)
    const forged = await who.submit(page, { consentToTesting: 'yes', consentVersion: 'anything' })
    expect(forged.path).toBe(`/k/${kitId}/consent?problem`)
  })
})

describe('taking back a consent', () => {
  const register = async (research = true) => {
    const kitId = await at.newKit(clinic)
    const email = at.newEmail()
    await clinic.live.post(`/kits/${kitId}/consent`, { ...agreed, email, consentForResearch: research })
    const answer = await clinic.live.post(`/kits/${kitId}/register`, { ...adult, email })
    expect(answer.status, answer.text).toBe(200)
    return { kitId, email, customerId: answer.body.customerId as number }
  }
  const withdraw = (kitId: string, what: string) => clinic.live.post(`/kits/${kitId}/consent/withdrawal`, { what })
  const exported = async (customerId: number) => (await clinic.live.get(`/customers/${customerId}/export`)).body
  const eventsOf = async (kitId: string) =>
    (
      await owner.query(
        `select data from events where kit_id = $1 and type = 'consent.withdrawn' order by occurred_at`,
        [kitId],
      )
    ).rows.map(({ data }) => data)

  it('to research ends the sharing at once wherever it is kept, and the test goes on', async () => {
    const { kitId, customerId } = await register()
    expect((await exported(customerId)).customer.consentForResearch).toBe(true)
    const answer = await withdraw(kitId, 'research')
    expect(answer.body).toMatchObject({ kitID: kitId, what: 'research', outcome: 'researchEnded' })
    const after = await exported(customerId)
    expect(after.customer.consentForResearch).toBe(false)
    expect(after.kits[0].registration.consentForResearch).toBe(false)
    expect(after.kits[0]).toMatchObject({
      kitStatus: 'registered',
      consents: [{ consentForResearch: true }],
      consentWithdrawals: [{ what: 'research', outcome: 'researchEnded' }],
    })
    expect(await eventsOf(kitId)).toEqual([
      {
        kitID: kitId,
        customerID: customerId,
        what: 'research',
        outcome: 'researchEnded',
        withdrawnDate: expect.any(String),
      },
    ])
    await world.settled()
    const fed: { data: { kitID: string } }[] = (await clinic.live.get('/events?type=consent.withdrawn')).body.data
    expect(fed.map(({ data }) => data.kitID)).toContain(kitId)
    expect((await withdraw(kitId, 'research')).body.code).toBe('NOTHING_TO_WITHDRAW')
    const { rows } = await owner.query(
      `select details from audit_entries where object_id = $1 and action = 'kit.consent_withdrawn'`,
      [kitId],
    )
    expect(rows).toEqual([{ details: { what: 'research', outcome: 'researchEnded' } }])
  })

  it('to testing stops a kit whose sample was not posted, with its reason, and the person gets an e-mail that confirms it', async () => {
    const { kitId, email, customerId } = await register()
    const before = await at.emailsTo(email)
    expect((await withdraw(kitId, 'testing')).body).toMatchObject({ outcome: 'stopped' })
    const [kit] = (await clinic.live.get(`/kits?kitID=${kitId}`)).body
    expect(kit).toMatchObject({
      sampleStatus: 'collectionException',
      exceptionReason: 'The person took back the consent to the test',
    })
    expect((await exported(customerId)).customer.consentForResearch).toBe(false)
    const after = (await at.emailsTo(email)).filter(({ id }) => !before.some((one) => one.id === id))
    expect(after).toMatchObject([{ kind: 'consent_withdrawn', subject: 'You took back your consent', kitId }])
    expect(await consentsOf(kitId)).toMatchObject([
      { type: 'agreed' },
      { type: 'withdrawn', what: 'testing', by: 'token' },
    ])
    expect((await withdraw(kitId, 'testing')).status).toBe(409)
    const replaced = await clinic.live.post(`/kits/${kitId}/replacement`, { reason: 'lost' })
    expect([replaced.status, replaced.body.error]).toEqual([409, expect.stringContaining('nothing to replace')])
    const waiting = (await clinic.live.get('/kits?attention=exception')).body
    expect(waiting.map(({ kitID }: { kitID: string }) => kitID)).not.toContain(kitId)
  })

  it('keeps a sample that arrives later from being tested, until somebody agrees again', async () => {
    const { kitId, email } = await register()
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleInTransit'))
    expect((await withdraw(kitId, 'testing')).body).toMatchObject({ outcome: 'underWay' })
    const scanned = (await operator('GET', `/fulfilment/kits/${kitId}`)).body
    expect([scanned.expected, scanned.sentence]).toEqual([
      'nothing',
      expect.stringContaining('Do not test this sample'),
    ])
    const received = await operator('POST', '/samples/receive', { kitID: kitId })
    expect([received.status, received.body.error]).toEqual([409, expect.stringContaining('took back the consent')])
    const results = [{ name: 'LDL', value: 97, unit: 'mg/dL' }]
    const sent = await operator('POST', '/lab/results', { kitID: kitId, results })
    expect(sent.body.reports, sent.text).toMatchObject([
      { status: 'waiting', reason: expect.stringContaining('took back the consent') },
    ])
    await clinic.live.post(`/kits/${kitId}/consent`, { ...agreed, email })
    expect((await operator('POST', '/samples/receive', { kitID: kitId })).status).toBe(200)
  })

  it('is undone by nobody else: the consent of another person lets no sample be tested', async () => {
    const { kitId, email } = await register()
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleInTransit'))
    await withdraw(kitId, 'testing')
    const bob = { firstName: 'Bob', lastName: 'Stone', email: 'bob@example.test', consentToTesting: true }
    for (const given of [bob, { ...bob, email }, { ...bob, relation: 'parent' }]) {
      const refused = await clinic.live.post(`/kits/${kitId}/consent`, given)
      expect([refused.status, refused.body.code]).toEqual([409, 'CONSENT_REQUIRED'])
    }
    expect((await operator('POST', '/samples/receive', { kitID: kitId })).status).toBe(409)
    expect((await clinic.live.post(`/kits/${kitId}/consent`, { ...agreed, email })).status).toBe(200)
    expect((await operator('POST', '/samples/receive', { kitID: kitId })).status).toBe(200)
  })

  it('lets the laboratory reject a sample that arrives, without a word to its person', async () => {
    const { kitId, email } = await register()
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleInTransit'))
    await withdraw(kitId, 'testing')
    const before = (await at.emailsTo(email)).length
    const rejected = await operator('POST', '/samples/reject', { kitID: kitId, reason: 'other', note: 'Not wanted' })
    expect(rejected.status, rejected.text).toBe(200)
    expect((await at.emailsTo(email)).length).toBe(before)
  })

  it('after the sample arrived tells the laboratory and keeps the result', async () => {
    const { kitId } = await register(false)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    expect((await withdraw(kitId, 'testing')).body).toMatchObject({ outcome: 'received' })
    const untold = async () =>
      (await operator('GET', '/lab/consent-withdrawals')).body.filter(({ kitID }: { kitID: string }) => kitID === kitId)
    const [one] = await untold()
    expect(one).toMatchObject({
      outcome: 'received',
      business: { id: clinic.id },
      sentence: expect.stringContaining('Keep'),
    })
    for (let times = 0; times < 2; times++) {
      expect((await operator('POST', `/lab/consent-withdrawals/${one.id}/confirmation`, {})).status).toBe(200)
    }
    expect(await untold()).toEqual([])
    const reportId = await at.report(clinic, kitId, { ldl: 97 })
    expect(reportId).toMatch(/^R/)
    const { rows } = await owner.query(
      `select count(*)::int as n from audit_entries where object_id = $1 and action = 'kit.consent_withdrawal_told'`,
      [kitId],
    )
    expect(rows[0].n).toBe(1)
  })

  it('of a kit that nobody registered yet asks for a new consent before that', async () => {
    const kitId = await at.newKit(clinic)
    expect((await withdraw(kitId, 'testing')).body.code).toBe('NOTHING_TO_WITHDRAW')
    await clinic.live.post(`/kits/${kitId}/consent`, agreed)
    expect((await withdraw(kitId, 'testing')).body).toMatchObject({ outcome: 'notRegistered' })
    const email = at.newEmail()
    expect((await clinic.live.post(`/kits/${kitId}/register`, { ...adult, email })).body.code).toBe('CONSENT_REQUIRED')
    await clinic.live.post(`/kits/${kitId}/consent`, { ...agreed, email })
    expect((await clinic.live.post(`/kits/${kitId}/register`, { ...adult, email })).status).toBe(200)
  })

  it('is the person’s own choice on their page, which says before what follows', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const consent = await who.open(`/k/${kitId}/consent`)
    const details = await who.submit(consent, { consentToTesting: 'yes', consentForResearch: 'yes' })
    const email = at.newEmail()
    await who.submit(await who.submit(details, { ...grace, email }))
    const [link = ''] = await at.linksTo(email)
    const { who: reader, home } = await at.enter(link)
    expect(home.html).toContain(`/r/kits/${kitId}/consent`)
    const given = await reader.open(`/r/kits/${kitId}/consent`)
    expect(given.text).toContain('Your results may be used for research')
    expect(given.text).toContain('You take a small sample yourself')
    const ending = await reader.open(`/r/kits/${kitId}/consent/research`)
    expect(ending.text).toContain('none of your results is used for research any more')
    const ended = await reader.submit(ending)
    expect(ended.path).toBe(`/r/kits/${kitId}/consent?done`)
    expect(ended.text).toContain('Your results are not used for research')
    clock.advance(1000)
    const stopping = await reader.open(`/r/kits/${kitId}/consent/testing`)
    expect(stopping.text).toContain('The test stops. Please take no sample')
    expect((await clinic.live.get(`/kits?kitID=${kitId}`)).body[0].sampleStatus).toBe('awaitingCollection')
    const both = await Promise.all([reader.submit(stopping), reader.submit(stopping)])
    expect(both.map(({ path }) => path)).toEqual(Array(2).fill(`/r/kits/${kitId}/consent?done`))
    expect(await at.inRealm(clinic, (tx) => isTestingStopped(tx, kitId))).toBe(true)
    expect((await reader.open('/r')).text).toContain('You took back your consent')
    expect(await consentsOf(kitId)).toMatchObject([
      { type: 'agreed' },
      { type: 'withdrawn', what: 'research', by: 'recipient' },
      { type: 'withdrawn', what: 'testing', by: 'recipient' },
    ])
  })

  it('for somebody else’s kit is not found', async () => {
    const mine = await at.register(await at.newKit(clinic))
    const theirs = await at.newKit(clinic)
    await at.register(theirs)
    const { who } = await at.enter((await at.linksTo(mine.email))[0] ?? '')
    expect((await who.open(`/r/kits/${theirs}/consent`)).status).toBe(404)
    const page = await who.open('/r')
    const token = /name="token" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    expect((await who.post(`/r/kits/${theirs}/consent/testing`, { token })).status).toBe(404)
    expect((await browser().open(`/r/kits/${theirs}/consent`)).path).toBe('/r')
    const stranger = await world.business()
    expect((await stranger.live.post(`/kits/${theirs}/consent/withdrawal`, { what: 'testing' })).status).toBe(404)
    expect(await at.inRealm(clinic, (tx) => isTestingStopped(tx, theirs))).toBe(false)
  })
})

describe('the age of a person', () => {
  // Ages are the operator's and count for every business, so each test puts them back.
  const limit = async (change: object) => {
    const answer = await operator('PATCH', `/panels/${CORE}`, change)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const reset = () => limit({ minAge: 18, maxAge: null })
  const registerBorn = async (dateOfBirth: string, more: object = {}) => {
    const kitId = await at.newKit(clinic)
    const answer = await clinic.live.post(`/kits/${kitId}/register`, {
      ...adult,
      email: at.newEmail(),
      dateOfBirth,
      ...more,
    })
    return { kitId, answer, code: answer.body.code as string | undefined }
  }

  it('is 18 or more unless the panel says otherwise, with a sentence that says so', async () => {
    const young = await registerBorn('2008-11-21')
    expect([young.answer.status, young.code]).toEqual([422, 'AGE_NOT_ALLOWED'])
    expect(young.answer.body.error).toBe(
      'This test is for people from the age of 18. On the day of the sample, this person is 17.',
    )
    expect((await registerBorn('2008-11-20')).answer.status).toBe(200)
    const { maxAge, minAge } = (await clinic.live.get('/panels')).body.find(
      ({ kitType }: { kitType: string }) => kitType === CORE,
    )
    expect([minAge, maxAge]).toEqual([18, undefined])
  })

  it('may have a limit above, and counts on the day of the sample where that came first', async () => {
    await limit({ maxAge: 70 })
    expect((await registerBorn('1955-11-20')).code).toBe('AGE_NOT_ALLOWED')
    expect((await registerBorn('1955-11-21')).answer.status).toBe(200)
    const kitId = await at.newKit(clinic)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleInTransit'))
    clock.advance(24 * 3_600_000)
    const body = { ...adult, email: at.newEmail(), dateOfBirth: '1955-11-21' }
    expect((await clinic.live.post(`/kits/${kitId}/register`, body)).status).toBe(200)
    expect((await operator('PATCH', `/panels/${CORE}`, { minAge: 71 })).status).toBe(400)
    await reset()
  })

  it('of a child whom a guardian registers twice at the same moment makes one record', async () => {
    await limit({ minAge: 5 })
    const name = { firstName: 'Nora', lastName: 'Byron' }
    const email = 'nora.of.two@example.test'
    const person = { firstName: 'Ida', lastName: 'Byron', dateOfBirth: '2014-03-01', sex: 'F', email }
    const kits = [await at.newKit(clinic), await at.newKit(clinic)]
    for (const kit of kits) {
      await clinic.live.post(`/kits/${kit}/consent`, { ...name, relation: 'parent', email, consentToTesting: true })
    }
    // Nobody writes a customer until both have looked for the child, or wait for each other.
    await owner.query('begin; lock table customers in share mode')
    const both = kits.map((kit) =>
      clinic.live.post(`/kits/${kit}/register`, { ...person, guardian: { ...name, relation: 'parent' } }),
    )
    const waiting = async () => {
      const { rows } = await owner.query(
        `select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and not l.granted`,
      )
      return rows[0].n
    }
    await expect.poll(waiting, { interval: 10 }).toBe(2)
    await owner.query('rollback; set role kitlane_system')
    const [one, other] = (await Promise.all(both)).map(({ body }) => body.customerId)
    expect(one).toEqual(expect.any(Number))
    expect(other).toBe(one)
    const found = (await clinic.live.get('/customers?q=Ida')).body
    expect(found.map(({ id }: { id: number }) => id)).toEqual([one])
    await reset()
  })

  it('below 18 takes a guardian with their consent, where the panel is for minors', async () => {
    await limit({ minAge: 12 })
    expect((await registerBorn('2012-01-01')).code).toBe('GUARDIAN_REQUIRED')
    const guardian = { firstName: 'Anna', lastName: 'Byron', relation: 'parent' }
    expect((await registerBorn('2012-01-01', { guardian })).code).toBe('CONSENT_REQUIRED')
    expect((await registerBorn('1990-01-01', { guardian })).code).toBe('VALIDATION_FAILED')
    expect((await registerBorn('2016-01-01', { guardian })).code).toBe('AGE_NOT_ALLOWED')
    await reset()
  })

  it('below 18 counts any consent with a relation, and neither their own nor one that names none', async () => {
    await limit({ minAge: 5 })
    const name = { firstName: 'Anna', lastName: 'Byron' }
    for (const relation of ['parent', 'guardian', 'caregiver', 'other']) {
      const kit = await at.newKit(clinic)
      const email = at.newEmail()
      const child = { firstName: 'Anna', lastName: 'Byron', dateOfBirth: '2014-03-01', sex: 'F', email }
      const register = () => clinic.live.post(`/kits/${kit}/register`, { ...child, guardian: { ...name, relation } })
      await clinic.live.post(`/kits/${kit}/consent`, { ...name, email, consentToTesting: true })
      expect((await register()).body.code).toBe('CONSENT_REQUIRED')
      await clinic.live.post(`/kits/${kit}/consent`, { ...name, relation, email, consentToTesting: true })
      // A later one without a relation takes nothing away.
      await clinic.live.post(`/kits/${kit}/consent`, { ...name, email, consentToTesting: true })
      expect((await register()).status, relation).toBe(200)
    }
    await reset()
  })

  it('of two children with one parent, who is tested too, makes three people; the parent gets each link', async () => {
    await limit({ minAge: 12 })
    const email = at.newEmail()
    const parent = { firstName: 'Anna', lastName: 'Byron', relation: 'parent' }
    const child = async (firstName: string, dateOfBirth: string) => {
      const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
      const { relation, ...name } = parent
      await clinic.live.post(`/kits/${kitId}/consent`, { ...name, relation, email, consentToTesting: true })
      const person = { firstName, lastName: 'Byron', dateOfBirth, sex: 'F', email, guardian: parent }
      const answer = await clinic.live.post(`/kits/${kitId}/register`, person)
      expect(answer.status, answer.text).toBe(200)
      return { kitId, customerId: answer.body.customerId as number | undefined }
    }
    const own = { kitId: await at.newKit(clinic) }
    await at.register(own.kitId, { email })
    const [{ customerID: mother }] = (await clinic.live.get(`/kits?kitID=${own.kitId}`)).body
    const tim = await child('Tim', '2011-01-01')
    const ida = await child('Ida', '2012-02-02')
    expect(new Set([mother, tim.customerId, ida.customerId]).size).toBe(3)
    expect((await child('Tim', '2011-01-01')).customerId).toBe(tim.customerId)
    expect((await child('Tim', '2011-01-09')).customerId).toBeUndefined()
    expect((await clinic.live.get(`/customers/${tim.customerId}`)).body).toMatchObject({
      name: 'Tim Byron',
      email: '',
      dateOfBirth: '2011-01-01',
      guardian: { name: 'Anna Byron', email, relation: 'parent' },
    })
    const page = (await clinic.live.get(`/kits/${tim.kitId}`)).body
    expect(page.registration).toMatchObject({
      email,
      name: 'Tim Byron',
      guardian: { name: 'Anna Byron', relation: 'parent' },
    })
    expect(page.consents).toMatchObject([{ name: 'Anna Byron', relation: 'parent', email }])
    const about = (await at.emailsTo(email)).filter(({ kitId }) => kitId === tim.kitId)
    expect(about.map(({ subject }) => subject)).toContain('Your kit is registered')
    const who = browser()
    const before = (await at.emailsTo(email)).length
    await who.submit(await who.open('/r/new'), { email })
    await expect.poll(async () => (await at.emailsTo(email)).length).toBe(before + 3)
    // Erasing the parent leaves the children's kits, and erasing a child the parent's e-mails.
    expect((await clinic.live.request('DELETE', `/customers/${ida.customerId}`)).status).toBe(200)
    expect((await at.emailsTo(email)).filter(({ kitId }) => kitId === ida.kitId)).toEqual([])
    expect((await at.emailsTo(email)).filter(({ kitId }) => kitId === own.kitId)).not.toEqual([])
    expect((await clinic.live.request('DELETE', `/customers/${mother}`)).status).toBe(200)
    expect((await clinic.live.get(`/kits?kitID=${tim.kitId}`)).body[0].customerID).toBe(tim.customerId)
    const { rows } = await owner.query('select customer_id as id, guardians::text as kept from guardians')
    const ids = rows.map(({ id }) => Number(id))
    expect([ids.includes(tim.customerId ?? 0), ids.includes(ida.customerId ?? 0)]).toEqual([true, false])
    expect(rows.map(({ kept }) => kept).join()).not.toMatch(/Anna|example/)
    await reset()
  })

  it('shows on the report of a minor, and from 18 on the e-mail is the person’s own', async () => {
    await limit({ minAge: 12 })
    const email = at.newEmail()
    const kitId = await at.newKit(clinic)
    const name = { firstName: 'Anna', lastName: 'Byron' }
    await clinic.live.post(`/kits/${kitId}/consent`, { ...name, relation: 'guardian', email, consentToTesting: true })
    const guardian = { ...name, relation: 'guardian' }
    const person = { firstName: 'Max', lastName: 'Byron', dateOfBirth: '2009-03-01', sex: 'M', email, guardian }
    const { customerId } = (await clinic.live.post(`/kits/${kitId}/register`, person)).body
    const reportId = await at.report(clinic, kitId, { ldl: 97 })
    await at.release(clinic, reportId)
    const report = (await clinic.live.get(`/customers/${customerId}/reports/${reportId}`)).body
    expect(report.details.age).toBe(17)
    const newer = at.newEmail()
    await clinic.live.request('PATCH', `/customers/${customerId}`, { email: newer })
    expect((await clinic.live.get(`/customers/${customerId}`)).body).toMatchObject({
      email: '',
      guardian: { email: newer },
    })
    clock.advance(200 * 24 * 3_600_000)
    const own = at.newEmail()
    await clinic.live.request('PATCH', `/customers/${customerId}`, { email: own })
    const grown = (await clinic.live.get(`/customers/${customerId}`)).body
    expect([grown.email, grown.guardian]).toEqual([own, undefined])
    expect((await clinic.live.get(`/kits?kitID=${kitId}`)).body[0].registeredToEmail).toBe(own)
    await reset()
  })

  it('asks on the page for the parent of a minor, and for nobody where the panel is for adults', async () => {
    const adults = await at.newKit(clinic)
    const first = browser()
    const plain = await first.submit(await first.open(`/k/${adults}/consent`), { consentToTesting: 'yes' })
    expect(plain.text).not.toContain('person under 18')
    const refused = await first.submit(plain, { ...grace, year: '2015', email: at.newEmail() })
    expect(refused.text).toContain('This test is for people from the age of 18')
    await limit({ minAge: 12 })
    const kitId = await at.newKit(clinic)
    const who = browser()
    const details = await who.submit(await who.open(`/k/${kitId}/consent`), { consentToTesting: 'yes' })
    expect(details.text).toContain('You register your child, or another person under 18?')
    const email = at.newEmail()
    const child = { ...grace, firstName: 'Tim', lastName: 'Hopper', year: '2012', email }
    const asked = await who.submit(details, child)
    expect(asked.text).toContain('Write your own first name')
    expect(asked.text).toContain('A parent or guardian registers a person under 18.')
    const check = await who.submit(asked, {
      ...child,
      guardianFirstName: 'Grace',
      guardianLastName: 'Hopper',
      guardianRelation: 'parent',
    })
    expect(check.text).toContain('Grace Hopper (parent)')
    const done = await who.submit(check)
    expect(done.text).toContain(email)
    const page = (await clinic.live.get(`/kits/${kitId}`)).body
    expect(page.registration).toMatchObject({ name: 'Tim Hopper', email, guardian: { name: 'Grace Hopper' } })
    expect(page.consents).toMatchObject([{ name: 'Grace Hopper', relation: 'parent' }])
    await reset()
  })
})
