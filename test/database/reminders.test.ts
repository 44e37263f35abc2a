import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockDue } from '../../src/extensions/reminders/queries.ts'
import { REMIND_JOB, rulesToSend, sendDue } from '../../src/extensions/reminders/send.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import type { KitEvent } from '../../src/modules/kits/rules.ts'
import { insertKits, PLAYED } from '../../src/modules/recalls/queries.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { address, CARDIO, CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { visitor } from '../harness/visitor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24
// Ten in the morning in Illinois.
const clock = manualClock(new Date('2026-06-01T15:00:00.000Z'))
const wait = (hours: number) => clock.advance(hours * HOUR_MS)

let server: MailServer
let world: World
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  server = await startMailServer()
  world = await ownWorld('sets the clock', { smtpUrl: server.url }, { clock })
  at = recipients(world)
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

let people = 0
const newEmail = () => `ida${++people}@example.test`
const sentTo = (email: string, home: Record<keyof typeof address, string> = address) => ({
  recipient: { first_name: 'Ida', last_name: 'Example', email, address: home },
  isNotifyReceiver: true,
})

async function withRules(rules: readonly Record<string, unknown>[], mode: 'live' | 'sandbox' = 'live') {
  const clinic = await world.business()
  const { status, text } = await clinic[mode].post('/reminders', { rules })
  expect(status, text).toBe(200)
  return clinic
}
const move = (clinic: TestBusiness, kitId: string, event: KitEvent) =>
  at.inRealm(clinic, (tx) => moveKit(tx, kitId, event))

/** Does what the job does each quarter of an hour, for one business. */
async function send(clinic: TestBusiness): Promise<void> {
  for (const rule of await at.inRealm(clinic, rulesToSend)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      after = await at.inRealm(clinic, (tx) => sendDue(tx, rule, from))
    }
  }
}

/** The kinds of the reminders that were written to an address, the oldest first. */
const reminders = async (email: string) =>
  (await at.emailsTo(email))
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('remind_'))
    .toReversed()

async function mailOf(email: string, subject: string) {
  const find = () =>
    server.received
      .filter((mail) => mail.to.includes(email))
      .map(({ raw }) => parseMail(raw))
      .find(({ headers }) => headers.get('subject') === subject)
  await expect.poll(() => find() !== undefined, { interval: 50 }).toBe(true)
  return find() ?? parseMail('')
}

const weekly = { stage: 'register', afterDays: 7, everyDays: 7, times: 3 }

describe('a reminder', () => {
  it('comes when nobody registers a kit, again as often as the rule says, and no more once somebody did', async () => {
    const clinic = await withRules([weekly])
    const [email, other] = [newEmail(), newEmail()]
    const [kitId, soon] = [
      await at.newKit(clinic, 'live', sentTo(email)),
      await at.newKit(clinic, 'live', sentTo(other)),
    ]
    for (const id of [kitId, soon]) await move(clinic, id, 'kitDelivered')
    const log = async (id: string) => (await clinic.live.get(`/kits/${id}/reminders`)).body
    const due = new Date(clock.now().getTime() + 7 * DAY_HOURS * HOUR_MS).toISOString()
    expect(await log(kitId)).toEqual({ sent: [], next: { stage: 'register', number: 1, dueDate: due } })
    wait(7 * DAY_HOURS - 1)
    await send(clinic)
    expect(await reminders(email)).toEqual([])
    wait(1)
    await send(clinic)
    await send(clinic)
    expect([await reminders(email), await reminders(other)]).toEqual([['remind_register'], ['remind_register']])
    await move(clinic, soon, 'kitRegistered')
    wait(7 * DAY_HOURS)
    await send(clinic)
    wait(7 * DAY_HOURS)
    await send(clinic)
    wait(7 * DAY_HOURS)
    await send(clinic)
    expect([(await reminders(email)).length, (await reminders(other)).length]).toEqual([3, 1])
    const { sent, why, next } = await log(kitId)
    expect(sent.map(({ number, to }: { number: number; to: string }) => [number, to])).toEqual([
      [1, 'recipient'],
      [2, 'recipient'],
      [3, 'recipient'],
    ])
    expect([why, next]).toEqual(['done', undefined])
    expect((await log(soon)).why).toBe('noRule')
    const { text, headers } = await mailOf(email, 'Please register your kit')
    expect(text).toContain(`${world.service.url}/k/${kitId}`)
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  })

  it('is never sent about a kit that was recalled: nobody is asked to use it', async () => {
    const clinic = await withRules([weekly])
    const email = newEmail()
    const kitId = await at.newKit(clinic, 'live', sentTo(email))
    await move(clinic, kitId, 'kitDelivered')
    await at.inRealm(clinic, (tx) => insertKits(tx, PLAYED, [kitId]))
    wait(7 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(email)).toEqual([])
  })

  it('waits for the morning where the kit was sent to, whatever the hour is elsewhere', async () => {
    const clinic = await withRules([{ stage: 'register', afterDays: 1 }])
    const [illinois, hawaii] = [newEmail(), newEmail()]
    const inHawaii = { ...address, city: 'Hilo', state: 'HI', zip: '96720' }
    for (const home of [sentTo(illinois), sentTo(hawaii, inHawaii)]) {
      await move(clinic, await at.newKit(clinic, 'live', home), 'kitDelivered')
    }
    const toHour = (hour: number) => wait((hour + 24 - clock.now().getUTCHours()) % 24)
    wait(DAY_HOURS)
    // Eight in the evening in Illinois, three in the afternoon in Hawaii.
    toHour(1)
    await send(clinic)
    expect([await reminders(illinois), await reminders(hawaii)]).toEqual([[], ['remind_register']])
    toHour(13)
    await send(clinic)
    expect(await reminders(illinois)).toEqual([])
    toHour(14)
    await send(clinic)
    expect([(await reminders(illinois)).length, (await reminders(hawaii)).length]).toEqual([1, 1])
    toHour(15)
  })

  it('goes to the person tested in their language, and stops when they say that the sample is posted', async () => {
    const clinic = await withRules([{ stage: 'post', afterDays: 2, everyDays: 2, times: 9 }])
    const email = newEmail()
    const kitId = await at.newKit(clinic, 'live', sentTo(email))
    await move(clinic, kitId, 'kitDelivered')
    await at.register(kitId, { email })
    const id = await at.customerOf(clinic, email)
    const owner = await world.owner()
    await owner.query(`update customers set language = 'de' where id = $1`, [id])
    wait(2 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(email)).toEqual(['remind_post'])
    const { text } = await mailOf(email, 'Das Labor wartet auf Ihre Probe')
    expect(text).toContain('Keine Erinnerungen mehr zu diesem Testset')
    const [link = ''] = await at.linksTo(email)
    const { who, home } = await at.enter(link)
    await who.submit(home)
    wait(2 * DAY_HOURS)
    await send(clinic)
    expect((await reminders(email)).length).toBe(1)
    const { why } = (await clinic.live.get(`/kits/${kitId}/reminders`)).body
    expect(why).toBe('noRule')
  })

  it('about a parcel goes to the recipient, and about a sample to the person, without a word of a result', async () => {
    const clinic = await withRules([
      { stage: 'parcel', afterDays: 5 },
      { stage: 'sample', afterDays: 5 },
    ])
    const [recipient, person] = [newEmail(), newEmail()]
    const kitId = await at.newKit(clinic, 'live', sentTo(recipient))
    await move(clinic, kitId, 'kitInTransit')
    wait(5 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(recipient)).toEqual(['remind_parcel'])
    await at.register(kitId, { email: person })
    await move(clinic, kitId, 'sampleInTransit')
    wait(5 * DAY_HOURS)
    await send(clinic)
    expect([await reminders(recipient), await reminders(person)]).toEqual([['remind_parcel'], ['remind_sample']])
  })

  it('is never sent for an order that asked for no e-mails, and the log says so', async () => {
    const clinic = await withRules([weekly])
    const email = newEmail()
    const kitId = await at.newKit(clinic, 'live', { ...sentTo(email), isNotifyReceiver: false })
    await move(clinic, kitId, 'kitDelivered')
    wait(8 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(email)).toEqual([])
    expect((await clinic.live.get(`/kits/${kitId}/reminders`)).body).toEqual({ sent: [], why: 'notWanted' })
    expect((await (await world.business()).live.get(`/kits/${kitId}/reminders`)).status).toBe(404)
  })

  it('is one after an outage, and none of what was due before its rule or more than 14 days ago', async () => {
    const clinic = await world.business()
    const [missed, before] = [newEmail(), newEmail()]
    const old = await at.newKit(clinic, 'live', sentTo(before))
    await move(clinic, old, 'kitDelivered')
    wait(8 * DAY_HOURS)
    expect(
      (await clinic.live.post('/reminders', { rules: [{ ...weekly, times: 1, everyDays: undefined }] })).status,
    ).toBe(200)
    await send(clinic)
    expect(await reminders(before)).toEqual([])
    expect((await clinic.live.post('/reminders', { rules: [weekly] })).status).toBe(200)
    const kitId = await at.newKit(clinic, 'live', sentTo(missed))
    await move(clinic, kitId, 'kitDelivered')
    wait(22 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(missed)).toEqual(['remind_register'])
    expect((await clinic.live.get(`/kits/${kitId}/reminders`)).body.sent).toMatchObject([{ number: 3 }])
    const late = newEmail()
    await move(clinic, await at.newKit(clinic, 'live', sentTo(late)), 'kitDelivered')
    wait(40 * DAY_HOURS)
    await send(clinic)
    expect(await reminders(late)).toEqual([])
  })

  it('follows the rule of its panel where there is one', async () => {
    const clinic = await withRules([
      { stage: 'register', afterDays: 9 },
      { stage: 'register', panel: CARDIO, afterDays: 3 },
    ])
    const [core, cardio] = [newEmail(), newEmail()]
    for (const [email, kitType] of [
      [core, CORE],
      [cardio, CARDIO],
    ] as const) {
      const kitId = await at.newKit(clinic, 'live', { ...sentTo(email), kit_types: [{ kitType }] })
      await move(clinic, kitId, 'kitDelivered')
    }
    wait(3 * DAY_HOURS)
    await send(clinic)
    expect([await reminders(core), await reminders(cardio)]).toEqual([[], ['remind_register']])
    wait(6 * DAY_HOURS)
    await send(clinic)
    expect([(await reminders(core)).length, (await reminders(cardio)).length]).toEqual([1, 1])
  })

  it('is sent once of each kit, however many send at the same time', async () => {
    const clinic = await withRules([{ stage: 'register', afterDays: 1 }])
    const email = newEmail()
    const { body } = await clinic.live.post('/create-order', {
      ...sentTo(email),
      kit_types: [{ kitType: CORE, quantity: 60 }],
    })
    const { kits } = (await clinic.live.get(`/orders/${body.orderId}`)).body
    for (const { kitID } of kits) await move(clinic, kitID, 'kitDelivered')
    wait(DAY_HOURS)
    const [rule] = await at.inRealm(clinic, rulesToSend)
    if (!rule) throw new Error('no rule')
    // The control: without what is written, two that look one after the other both find all.
    const look = () => at.inRealm(clinic, (tx) => lockDue(tx, rule.rule, { except: [], after: '', limit: 100 }))
    expect([(await look()).length, (await look()).length]).toEqual([60, 60])
    await Promise.all(Array.from({ length: 6 }, () => send(clinic)))
    await send(clinic)
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select kit_id, count(*)::int as n from emails where order_id = $1 and kind = 'remind_register' group by 1`,
      [body.orderId],
    )
    expect(rows.map(({ n }) => n)).toEqual(Array(60).fill(1))
  })

  it('is sent by the worker itself', async () => {
    const clinic = await withRules([{ stage: 'register', afterDays: 1 }])
    const email = newEmail()
    await move(clinic, await at.newKit(clinic, 'live', sentTo(email)), 'kitDelivered')
    wait(DAY_HOURS)
    await world.service.database.asSystem({ name: 'test' }, (tx) => tx.enqueue(REMIND_JOB, {}))
    await expect.poll(() => reminders(email)).toEqual(['remind_register'])
  })
})

describe('a reminder of another test', () => {
  const halfYear = { stage: 'retest', afterDays: 182 }

  async function reported(clinic: TestBusiness, email: string) {
    const kitId = await at.newKit(clinic, 'live', sentTo(email))
    await at.register(kitId, { email })
    await at.release(clinic, await at.report(clinic, kitId, { glucose: 85, ldl: 90 }))
    return kitId
  }

  it('comes after a published report, not to anyone who has begun one, and to nobody who stopped them', async () => {
    const clinic = await withRules([halfYear])
    const [ida, busy] = [newEmail(), newEmail()]
    await reported(clinic, ida)
    await reported(clinic, busy)
    wait(100 * DAY_HOURS)
    await at.register(await at.newKit(clinic, 'live', sentTo(busy)), { email: busy })
    wait(82 * DAY_HOURS)
    await send(clinic)
    expect([await reminders(ida), await reminders(busy)]).toEqual([['remind_retest'], []])
    const { headers, text } = await mailOf(ida, 'Time for another test?')
    expect(text).toContain('No more reminders of further tests')
    const url = (headers.get('list-unsubscribe') ?? '').slice(1, -1)
    expect(url.replace(world.service.url, '')).toMatch(/^\/u\/[\w-]{43}$/)
    expect(text).toContain(url)

    // A program that checks mail opens every link; a mail program sends a POST without cookies.
    const path = new URL(url).pathname
    const page = await visitor(world.service.url).open(path)
    expect(page.text).toContain('Shall we stop reminding you of further tests?')
    const second = await reported(clinic, ida)
    const log = async () => (await clinic.live.get(`/kits/${second}/reminders`)).body
    expect((await log()).next).toMatchObject({ stage: 'retest', number: 1 })
    const oneClick = await visitor(world.service.url).post(
      path,
      { 'List-Unsubscribe': 'One-Click' },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect([oneClick.status, oneClick.text.includes('You will get no more of them.')]).toEqual([200, true])
    expect((await log()).why).toBe('stopped')
    wait(182 * DAY_HOURS)
    await send(clinic)
    expect((await reminders(ida)).length).toBe(1)
    await world.settled()
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select count(*)::int as n from audit_entries where action = 'reminders.stopped'`,
    )
    expect(rows[0].n).toBe(1)
  })

  it('is forgotten with the person who did not want it', async () => {
    const clinic = await withRules([halfYear])
    const email = newEmail()
    await reported(clinic, email)
    wait(182 * DAY_HOURS)
    await send(clinic)
    const { headers } = await mailOf(email, 'Time for another test?')
    const path = new URL((headers.get('list-unsubscribe') ?? '').slice(1, -1)).pathname
    const who = visitor(world.service.url)
    expect((await who.submit(await who.open(path))).text).toContain('Reminders are stopped')
    const owner = await world.owner()
    const stops = async () =>
      (
        await owner.query(
          'select count(*)::int as n from reminder_stops s join realms r on r.id = s.realm_id where business_id = $1',
          [clinic.id],
        )
      ).rows[0].n
    expect(await stops()).toBe(1)
    const { status, text } = await clinic.live.request('DELETE', `/customers/${await at.customerOf(clinic, email)}`)
    expect(status, text).toBe(200)
    expect(await stops()).toBe(0)
  })
})

describe('the link that stops reminders', () => {
  it('stops those about its kit, and says when it is not one of ours', async () => {
    const clinic = await withRules([weekly])
    const email = newEmail()
    const kitId = await at.newKit(clinic, 'live', sentTo(email))
    await move(clinic, kitId, 'kitDelivered')
    wait(7 * DAY_HOURS)
    await send(clinic)
    const { text } = await mailOf(email, 'Please register your kit')
    const [, path = ''] = /(\/u\/[\w-]{43})/.exec(text) ?? []
    const who = visitor(world.service.url)
    const page = await who.open(`${path}?language=fr`)
    expect(page.text).toContain('Devons-nous cesser')
    await who.submit(page)
    expect((await clinic.live.get(`/kits/${kitId}/reminders`)).body.why).toBe('stopped')
    wait(7 * DAY_HOURS)
    await send(clinic)
    expect((await reminders(email)).length).toBe(1)
    for (const wrong of [`/u/${'x'.repeat(43)}`, '/u/short']) {
      const { status, text: said } = await visitor(world.service.url).open(wrong)
      expect([status, said.includes('This link does not work')]).toEqual([404, true])
    }
  })
})

describe('the rules of reminders', () => {
  it('are replaced as a whole; one that stays as it was counts from when it did before', async () => {
    const clinic = await withRules([weekly])
    const [before] = (await clinic.live.get('/reminders')).body.rules
    wait(1)
    const { body } = await clinic.live.post('/reminders', {
      rules: [weekly, { stage: 'retest', panel: CORE, afterDays: 90 }],
    })
    expect(body.rules).toEqual([
      { ...weekly, by: 'email', sinceDate: before.sinceDate },
      { stage: 'retest', panel: CORE, afterDays: 90, times: 1, by: 'email', sinceDate: clock.now().toISOString() },
    ])
    expect((await clinic.sandbox.get('/reminders')).body.rules).toEqual([])
    const problems = async (rules: unknown) => {
      const { status, body: refused } = await clinic.live.post('/reminders', { rules })
      return [status, ...(refused.details ?? []).map(({ path }: { path: string }) => path)]
    }
    expect(await problems([weekly, weekly])).toEqual([400, 'rules.1.stage'])
    expect(await problems([{ stage: 'post', afterDays: 1, times: 2 }])).toEqual([400, 'rules.0.everyDays'])
    expect(await problems([{ stage: 'post', afterDays: 1, everyDays: 2 }])).toEqual([400, 'rules.0.times'])
    expect(await problems([{ stage: 'post', panel: 'NONE', afterDays: 1 }])).toEqual([400, 'rules.0.panel'])
    expect(await problems([{ stage: 'dance', afterDays: 0 }])).toEqual([400, 'rules.0.stage', 'rules.0.afterDays'])
    expect((await clinic.live.post('/reminders', { rules: [] })).body).toEqual({ rules: [] })
  })

  it('can be looked at in every language, and tried on oneself', async () => {
    const clinic = await withRules([])
    const look = (stage: string, language: string) =>
      clinic.live.get(`/reminders/preview?stage=${stage}&language=${language}`)
    const subjects = new Set<string>()
    for (const stage of ['register', 'post', 'parcel', 'sample', 'retest']) {
      for (const language of ['en', 'es', 'de', 'fr', 'ar', 'ja']) {
        const { status, body } = await look(stage, language)
        expect([status, body.html.includes(`lang="${language}"`), body.text.length > 100]).toEqual([200, true, true])
        subjects.add(body.subject)
      }
    }
    expect(subjects.size).toBe(30)
    const test = () => clinic.live.post('/reminders/test', { stage: 'post' })
    const refused = await test()
    expect([refused.status, refused.body.code]).toEqual([409, 'CONTACT_EMAIL_MISSING'])
    const contactEmail = newEmail()
    await clinic.live.request('PATCH', '/settings', { contactEmail })
    expect((await test()).body).toEqual({ to: contactEmail })
    expect((await mailOf(contactEmail, 'The laboratory is waiting for your sample')).text).toContain('K000000000')
  })
})
