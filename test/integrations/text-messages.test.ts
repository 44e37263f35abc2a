import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rulesToSend, sendDue } from '../../src/extensions/reminders/send.ts'
import { queueTextMessages } from '../../src/modules/text-messages/service.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { dueNow } from '../harness/due-now.ts'
import { address } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { startTwilioStandIn, type TwilioStandIn } from '../harness/twilio-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 86_400_000
// Ten in the morning in Illinois.
const clock = manualClock(new Date('2026-06-01T15:00:00.000Z'))
const WORDING = 'I want text messages about my kit.'

let twilio: TwilioStandIn
let world: World
let publicUrl: string
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  twilio = await startTwilioStandIn()
  world = await ownWorld('sets the clock', { twilio: twilio.settings }, { clock })
  publicUrl = world.service.url
  at = recipients(world)
})
afterAll(async () => {
  await world.stop()
  await twilio.stop()
})

let people = 0
const newPhone = () => `+1555010${String(++people).padStart(4, '0')}`
const to = (phone: string) => twilio.messages.filter((message) => message.to === phone).map(({ text }) => text)
/** What `look` answers once the pauses between tries have passed. */
const soon = <T>(look: () => T | Promise<T>) =>
  expect.poll(async () => {
    await dueNow(world, 'text-messages.send')
    return look()
  })
const untilSent = (phone: string, count: number) => soon(() => to(phone).length).toBe(count)

async function clinicOf(rules: Record<string, unknown>[], mode: 'live' | 'sandbox' = 'live') {
  const clinic = await world.business()
  const { status, text } = await clinic[mode].post('/reminders', { rules })
  expect(status, text).toBe(200)
  return clinic
}

/** A kit that is registered by a person, and their number in the path. */
async function registered(clinic: TestBusiness, mode: 'live' | 'sandbox' = 'live') {
  const email = at.newEmail()
  const recipient = { first_name: 'Ida', last_name: 'Example', email, address }
  const kitId = await at.newKit(clinic, mode, { recipient, isNotifyReceiver: true })
  await at.register(kitId, { email })
  const customer = await at.customerOf(clinic, email)
  return { kitId, email, customer }
}

async function send(clinic: TestBusiness): Promise<void> {
  for (const rule of await at.inRealm(clinic, rulesToSend)) await at.inRealm(clinic, (tx) => sendDue(tx, rule, ''))
}

const agree = (clinic: TestBusiness, customer: number | string, phone: string) =>
  clinic.live.post(`/customers/${customer}/text-consent`, { phone, wording: WORDING })
const byText = { stage: 'post', afterDays: 3, everyDays: 3, times: 3, by: 'text' }
const stateOf = async (clinic: TestBusiness, customer: number | string) =>
  (await clinic.live.get(`/customers/${customer}/text-consent`)).body

describe('a reminder as a text message', () => {
  it('goes to anyone who agreed to them, in place of the e-mail; everybody else gets the e-mail', async () => {
    const clinic = await clinicOf([byText])
    const [ida, jo] = [await registered(clinic), await registered(clinic)]
    const phone = newPhone()
    expect((await agree(clinic, ida.customer, '+1 (555) 010-9999')).body.phone).toBe('+15550109999')
    const { status, body } = await agree(clinic, ida.customer, phone)
    expect([status, body.phone, body.wording, body.source, body.endedDate]).toEqual([
      200,
      phone,
      WORDING,
      'api',
      undefined,
    ])
    await untilSent(phone, 1)
    clock.advance(3 * DAY_MS)
    await send(clinic)
    await send(clinic)
    await untilSent(phone, 2)
    const [, said = ''] = to(phone)
    expect(said).toBe(
      `${clinic.name}: your test kit ${ida.kitId} waits for its sample. How it is taken and posted: ${publicUrl}/k/${ida.kitId} Reply STOP to end.`,
    )
    const kinds = async (email: string) => (await at.emailsTo(email)).map(({ kind }) => kind)
    expect(await kinds(ida.email)).not.toContain('remind_post')
    expect(await kinds(jo.email)).toContain('remind_post')
    const log = async (kitId: string) => (await clinic.live.get(`/kits/${kitId}/reminders`)).body.sent
    expect((await log(ida.kitId)).map(({ by }: { by: string }) => by)).toEqual(['text'])
    expect((await log(jo.kitId)).map(({ by }: { by: string }) => by)).toEqual(['email'])
  })

  it('never names what is tested', async () => {
    const panels = (await (await clinicOf([byText])).live.get('/panels')).body as { name: string }[]
    expect(panels.length).toBeGreaterThan(0)
    for (const { text } of twilio.messages) for (const { name } of panels) expect(text).not.toContain(name)
  })

  it('is tried again while the sender is away, and given up where the number is refused', async () => {
    const clinic = await clinicOf([])
    const [ida, phone] = [await registered(clinic), newPhone()]
    twilio.faults.push({ status: 503 }, { status: 429, code: 20429 })
    await agree(clinic, ida.customer, phone)
    await untilSent(phone, 1)
    const wrong = newPhone()
    twilio.faults.push({ status: 400, code: 21211 })
    await agree(clinic, ida.customer, wrong)
    const failed = async () =>
      (
        await (
          await world.owner()
        ).query(`select 1 from emails where status = 'failed' and last_error = 'twilio_21211'`)
      ).rowCount
    await soon(failed).toBe(1)
    expect(to(wrong)).toEqual([])
  })

  it('of a sandbox is kept and not sent', async () => {
    const clinic = await clinicOf([byText], 'sandbox')
    const { body } = await clinic.sandbox.post('/customer', { email: at.newEmail(), name: 'Ida Example' })
    const phone = newPhone()
    const { status } = await clinic.sandbox.post(`/customers/${body.id}/text-consent`, { phone, wording: WORDING })
    expect(status).toBe(200)
    const { rows } = await (await world.owner()).query(
      `select e.status from emails e join realms r on r.id = e.realm_id where kind = 'text_agreed' and business_id = $1`,
      [clinic.id],
    )
    expect(rows).toEqual([{ status: 'kept' }])
    expect(to(phone)).toEqual([])
  })
})

describe('a consent to text messages', () => {
  it('ends at every business when somebody answers STOP, and begins again with START', async () => {
    const [one, other] = [await clinicOf([byText]), await clinicOf([byText])]
    const [ida, too] = [await registered(one), await registered(other)]
    const phone = newPhone()
    await agree(one, ida.customer, phone)
    await agree(other, too.customer, phone)
    await untilSent(phone, 2)
    const answer = (body: string, more = {}) => twilio.reply(publicUrl, { From: phone, Body: body, ...more })
    expect(await answer(' Stop. ')).toBe(200)
    for (const [clinic, { customer }] of [
      [one, ida],
      [other, too],
    ] as const)
      expect((await stateOf(clinic, customer)).endedBy).toBe('reply')
    clock.advance(3 * DAY_MS)
    await send(one)
    expect((await at.emailsTo(ida.email)).map(({ kind }) => kind)).toContain('remind_post')
    expect(to(phone).length).toBe(2)
    expect(await answer('START')).toBe(200)
    expect((await stateOf(one, ida.customer)).endedDate).toBeUndefined()
    await untilSent(phone, 4)
    // Nobody whom the business or the person stopped begins again by it.
    expect((await one.live.request('DELETE', `/customers/${ida.customer}/text-consent`)).body.endedBy).toBe('business')
    expect(await answer('START')).toBe(200)
    expect((await stateOf(one, ida.customer)).endedBy).toBe('business')
  })

  it('ends by what Twilio reads as STOP, whatever the operator’s own word for it, and begins by its START', async () => {
    const clinic = await clinicOf([])
    const [ida, phone] = [await registered(clinic), newPhone()]
    await agree(clinic, ida.customer, phone)
    const answer = (Body: string, OptOutType: string) => twilio.reply(publicUrl, { From: phone, Body, OptOutType })
    expect(await answer('GENUG', 'STOP')).toBe(200)
    expect((await stateOf(clinic, ida.customer)).endedBy).toBe('reply')
    expect(await answer('WEITER', 'START')).toBe(200)
    expect((await stateOf(clinic, ida.customer)).endedDate).toBeUndefined()
    expect(await answer('please stop', 'HELP')).toBe(200)
    expect((await stateOf(clinic, ida.customer)).endedBy).toBe('reply')
  })

  it('that the person stopped is begun again by nobody but them: with no date, number or record of the business', async () => {
    const [clinic, other] = [await clinicOf([]), await clinicOf([])]
    const [ida, jo, max] = [await registered(clinic), await registered(clinic), await registered(other)]
    const phone = newPhone()
    await agree(clinic, ida.customer, phone)
    await untilSent(phone, 1)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'Please stop 🛑' })).toBe(200)
    const keep = (business: TestBusiness, customer: number | string, more = {}) =>
      business.live.post(`/customers/${customer}/text-consent`, { phone, wording: WORDING, ...more })
    for (const refused of [
      await keep(clinic, ida.customer),
      await keep(clinic, ida.customer, { agreedDate: '2026-01-01T00:00:00Z' }),
      await keep(clinic, ida.customer, { agreedDate: new Date(clock.now()).toISOString() }),
      await keep(clinic, ida.customer, { phone: newPhone() }),
      await keep(clinic, jo.customer),
      await keep(other, max.customer),
    ])
      expect([refused.status, refused.body.code]).toEqual([409, 'TEXT_MESSAGES_STOPPED'])
    await clinic.live.request('DELETE', `/customers/${ida.customer}`)
    const { body } = await clinic.live.post('/customer', { email: at.newEmail(), name: 'Ida Again' })
    expect((await keep(clinic, body.id)).status).toBe(409)
    expect(to(phone).length).toBe(1)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'Start' })).toBe(200)
    expect((await keep(clinic, body.id)).status).toBe(200)
    await untilSent(phone, 2)
  })

  it('that the person ended on their page stays ended for the business, and begins again there', async () => {
    const clinic = await clinicOf([])
    const { email, customer } = await registered(clinic)
    const [link = ''] = await at.linksTo(email)
    const { who } = await at.enter(link)
    const [phone, stopped] = [newPhone(), newPhone()]
    await who.submit(await who.submit(await who.open('/r/texts'), { phone }))
    expect((await agree(clinic, customer, phone)).body.code).toBe('TEXT_MESSAGES_STOPPED')
    expect((await agree(clinic, (await registered(clinic)).customer, phone)).body.code).toBe('TEXT_MESSAGES_STOPPED')
    // Another's number, from which STOP came, is not begun again from here.
    await twilio.reply(publicUrl, { From: stopped, Body: 'STOP' })
    expect((await who.submit(await who.open('/r/texts'), { phone: stopped })).text).toContain(
      'STOP was sent from this number',
    )
    await who.submit(await who.open('/r/texts'), { phone })
    expect((await stateOf(clinic, customer)).endedDate).toBeUndefined()
    expect(to(stopped)).toEqual([])
  })

  it('that the person ended on their page stays ended for their number when they are erased, and begins again on their next page', async () => {
    const [clinic, other] = [await clinicOf([]), await clinicOf([])]
    const { email, customer } = await registered(clinic)
    const phone = newPhone()
    const { who } = await at.enter((await at.linksTo(email))[0] ?? '')
    await who.submit(await who.submit(await who.open('/r/texts'), { phone }))
    expect((await clinic.live.request('DELETE', `/customers/${customer}`)).status).toBe(200)
    const again = await registered(clinic)
    expect((await agree(clinic, again.customer, phone)).body.code).toBe('TEXT_MESSAGES_STOPPED')
    // They ended it at one business alone.
    expect((await agree(other, (await registered(other)).customer, phone)).status).toBe(200)
    const { who: back } = await at.enter((await at.linksTo(again.email))[0] ?? '')
    expect((await back.submit(await back.open('/r/texts'), { phone })).text).toContain('You get text messages at')
    expect((await clinic.live.request('DELETE', `/customers/${again.customer}/text-consent`)).status).toBe(200)
    expect((await agree(clinic, again.customer, phone)).status).toBe(200)
  })

  it('that was ended in a sandbox may be kept again once the sandbox was reset', async () => {
    const clinic = await clinicOf([])
    const kitId = await at.newKit(clinic, 'sandbox')
    const { email } = await at.register(kitId)
    const phone = newPhone()
    const { who } = await at.enter((await at.linksTo(email))[0] ?? '')
    await who.submit(await who.submit(await who.open('/r/texts'), { phone }))
    const keep = async () => {
      const { body } = await clinic.sandbox.post('/customer', { email: at.newEmail(), name: 'Ida Again' })
      return (await clinic.sandbox.post(`/customers/${body.id}/text-consent`, { phone, wording: WORDING })).status
    }
    expect(await keep()).toBe(409)
    expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
    expect(await keep()).toBe(200)
  })

  it('that the person ended on their page stays ended for that number when they take another', async () => {
    const clinic = await clinicOf([])
    const { email, customer } = await registered(clinic)
    const [before, now] = [newPhone(), newPhone()]
    const { who } = await at.enter((await at.linksTo(email))[0] ?? '')
    await who.submit(await who.submit(await who.open('/r/texts'), { phone: before }))
    await who.submit(await who.open('/r/texts'), { phone: now })
    expect((await stateOf(clinic, customer)).endedDate).toBeUndefined()
    expect((await agree(clinic, customer, before)).body.code).toBe('TEXT_MESSAGES_STOPPED')
    expect((await agree(clinic, (await registered(clinic)).customer, before)).body.code).toBe('TEXT_MESSAGES_STOPPED')
  })

  it('that is kept twelve times sends one message, and a number gets three a day, regardless of who asks', async () => {
    const [clinic, other] = [await clinicOf([]), await clinicOf([])]
    const [{ customer }, phone, shared] = [await registered(clinic), newPhone(), newPhone()]
    for (let times = 0; times < 12; times++) expect((await agree(clinic, customer, phone)).status).toBe(200)
    const queued = async (owner = clinic) =>
      (
        await (
          await world.owner()
        ).query(
          `select 1 from emails e join realms r on r.id = e.realm_id where kind = 'text_agreed' and business_id = $1`,
          [owner.id],
        )
      ).rowCount
    expect(await queued()).toBe(1)
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const whose = n % 2 ? clinic : other
        const { body } = await whose.live.post('/customer', { email: at.newEmail(), name: 'Ida Example' })
        return { whose, id: body.id as number }
      }),
    )
    const answers = await Promise.all(people.map(({ whose, id }) => agree(whose, id, shared)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(((await queued()) ?? 0) + ((await queued(other)) ?? 0)).toBe(1 + 3)
    for (let times = 0; times < 4; times++) await twilio.reply(publicUrl, { From: shared, Body: 'HELP' })
    await untilSent(shared, 3)
    // One person who names many numbers reaches five of them in a day.
    const one = (await clinic.live.post('/customer', { email: at.newEmail(), name: 'Ida Example' })).body.id
    const before = (await queued()) ?? 0
    for (let times = 0; times < 8; times++) await agree(clinic, one, newPhone())
    expect(await queued()).toBe(before + 5)
  })

  it('is not passed over by a limit of the day: what a number or a business gets too much of waits, and is sent after it', async () => {
    const [clinic, phone] = [await clinicOf([]), newPhone()]
    await agree(clinic, (await registered(clinic)).customer, phone)
    await untilSent(phone, 1)
    const owner = await world.owner()
    const write = (text: string, number: string) =>
      at.inRealm(clinic, (tx) => queueTextMessages(tx, [{ kind: 'text_test', to: number, text }]))
    const waiting = async () => {
      const { rows } = await owner.query(
        `select e.status, e.last_error from emails e join realms r on r.id = e.realm_id
         where r.business_id = $1 and e.kind = 'text_test' and e.status = 'queued' and e.last_error is not null`,
        [clinic.id],
      )
      return rows
    }
    const [perNumber, perBusiness] = [10, 5000]
    // One that the sender did not take is not counted.
    twilio.faults.push({ status: 503 })
    for (let n = 1; n <= perNumber; n++) await write(`Message ${n}`, phone)
    await soon(waiting).toEqual([{ status: 'queued', last_error: 'text_limit_of_number' }])
    await untilSent(phone, perNumber)
    const other = newPhone()
    await agree(clinic, (await registered(clinic)).customer, other)
    await untilSent(other, 1)
    await owner.query(`update text_counts set count = ${perBusiness} where count > 10`)
    await write('Too much', other)
    await soon(waiting).toContainEqual({ status: 'queued', last_error: 'text_limit_of_business' })
    await owner.query(`update text_counts set since = since - interval '1 day'`)
    await soon(waiting).toEqual([])
    expect(to(other)).toContain('Too much')
    expect(to(phone)).toHaveLength(perNumber + 1)
  })

  it('counts a message whose answer was lost, since it may have arrived', async () => {
    const [clinic, phone] = [await clinicOf([]), newPhone()]
    await agree(clinic, (await registered(clinic)).customer, phone)
    await untilSent(phone, 1)
    twilio.faults.push('lost')
    const texts = Array.from({ length: 9 }, (_, n) => ({ kind: 'text_test' as const, to: phone, text: `Message ${n}` }))
    await at.inRealm(clinic, (tx) => queueTextMessages(tx, texts))
    const waiting = async () =>
      (
        await (
          await world.owner()
        ).query(
          `select e.last_error from emails e join realms r on r.id = e.realm_id
           where r.business_id = $1 and e.status = 'queued' and e.last_error = 'text_limit_of_number'`,
          [clinic.id],
        )
      ).rowCount
    await soon(waiting).toBe(1)
    await untilSent(phone, 10)
  })

  it('ends where Twilio says later that STOP came from the number; what did not arrive is listed as failed', async () => {
    const [clinic, phone] = [await clinicOf([]), newPhone()]
    const { customer } = await registered(clinic)
    await agree(clinic, customer, phone)
    await untilSent(phone, 1)
    const { statusCallback } = twilio.messages.findLast(({ to: number }) => number === phone) ?? { statusCallback: '' }
    const report = (MessageStatus: string, more = {}, address = statusCallback) =>
      twilio.report(address, { MessageStatus, To: phone, From: '+15550100000', ...more })
    const listed = async () => {
      const { rows } = await (await world.owner()).query(`select status, last_error from emails where id = $1`, [
        statusCallback.split('/').at(-1),
      ])
      return rows[0]
    }
    const delivered = await report('delivered')
    expect([delivered.status, delivered.headers.get('content-type'), await delivered.text()]).toEqual([
      200,
      expect.stringContaining('text/xml'),
      '<Response/>',
    ])
    await expect.poll(listed).toEqual({ status: 'sent', last_error: null })
    expect((await report('undelivered', { ErrorCode: '30005' })).status).toBe(200)
    await report('sent')
    expect(await listed()).toEqual({ status: 'failed', last_error: 'twilio_30005' })
    expect((await stateOf(clinic, customer)).endedDate).toBeUndefined()
    expect((await report('failed', { ErrorCode: '21610' })).status).toBe(200)
    expect((await stateOf(clinic, customer)).endedBy).toBe('reply')
    expect((await report('failed', {}, `${publicUrl}/hooks/twilio/messages/mail_unknown`)).status).toBe(200)
    const unsigned = await fetch(statusCallback, {
      method: 'POST',
      body: new URLSearchParams({ MessageStatus: 'failed' }),
    })
    expect(unsigned.status).toBe(400)
  })

  it('that ends while a message waits keeps the message from being sent', async () => {
    const clinic = await clinicOf([])
    const [{ customer }, phone] = [await registered(clinic), newPhone()]
    const stopped = async () =>
      Number((await (await world.owner()).query(`select from emails where last_error = 'text_stopped'`)).rowCount)
    const before = await stopped()
    twilio.faults.push({ status: 503 })
    await agree(clinic, customer, phone)
    await expect.poll(() => twilio.faults.length).toBe(0)
    await twilio.reply(publicUrl, { From: phone, Body: 'stop' })
    await soon(stopped).toBeGreaterThan(before)
    expect(to(phone)).toEqual([])
  })

  it('is explained to anyone who answers HELP, unless the carrier did', async () => {
    const clinic = await clinicOf([])
    const [ida, phone] = [await registered(clinic), newPhone()]
    await agree(clinic, ida.customer, phone)
    await untilSent(phone, 1)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'help', OptOutType: 'HELP' })).toBe(200)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'thank you' })).toBe(200)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'HELP' })).toBe(200)
    await untilSent(phone, 2)
    expect(to(phone)[1]).toContain('Reply STOP to end.')
  })

  it('is not changed by a request that Twilio did not sign', async () => {
    const clinic = await clinicOf([])
    const [ida, phone] = [await registered(clinic), newPhone()]
    await agree(clinic, ida.customer, phone)
    expect(await twilio.reply(publicUrl, { From: phone, Body: 'STOP' }, 'another-token')).toBe(400)
    expect((await stateOf(clinic, ida.customer)).endedDate).toBeUndefined()
  })

  it('is given and ended by the person on their page, with its words kept', async () => {
    const clinic = await clinicOf([])
    const { email, customer } = await registered(clinic)
    const [link = ''] = await at.linksTo(email)
    const { who, home } = await at.enter(link)
    expect(home.text).toContain('Text messages about your kit')
    const wrong = await who.submit(await who.open('/r/texts'), { phone: '555 0199' })
    expect(wrong.text).toContain('Write your mobile number with its country')
    const phone = newPhone()
    const agreed = await who.submit(await who.open('/r/texts'), { phone })
    expect(agreed.text).toContain(phone)
    const state = await stateOf(clinic, customer)
    expect([state.source, state.wording.startsWith('By agreeing, you consent')]).toEqual(['page', true])
    await untilSent(phone, 1)
    expect((await who.submit(agreed)).text).toContain('You get no text messages.')
    expect((await stateOf(clinic, customer)).endedBy).toBe('person')
  })

  it('ends where the carrier says that the person stopped them', async () => {
    const clinic = await clinicOf([])
    const { customer } = await registered(clinic)
    twilio.faults.push({ status: 400, code: 21610 })
    await agree(clinic, customer, newPhone())
    await expect.poll(async () => (await stateOf(clinic, customer)).endedBy).toBe('carrier')
  })

  it('of a number without its country, or in the future, is refused', async () => {
    const clinic = await clinicOf([])
    const { customer } = await registered(clinic)
    const refused = await clinic.live.post(`/customers/${customer}/text-consent`, {
      phone: '555 0199',
      wording: WORDING,
    })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'phone'])
    const later = { phone: newPhone(), wording: WORDING, agreedDate: '2036-01-01' }
    expect((await clinic.live.post(`/customers/${customer}/text-consent`, later)).status).toBe(400)
    const none = await clinic.live.get(`/customers/${customer}/text-consent`)
    expect([none.status, none.body.code]).toEqual([404, 'TEXT_CONSENT_NOT_FOUND'])
  })

  it('is erased with the person, and so are the messages to their number', async () => {
    const clinic = await clinicOf([])
    const [{ customer }, phone] = [await registered(clinic), newPhone()]
    await agree(clinic, customer, phone)
    await untilSent(phone, 1)
    const exported = (await clinic.live.get(`/customers/${customer}/export`)).body
    expect([
      exported.textConsent.phone,
      exported.emails.some(({ kind }: { kind: string }) => kind === 'text_agreed'),
    ]).toEqual([phone, true])
    expect((await clinic.live.request('DELETE', `/customers/${customer}`)).status).toBe(200)
    const { rows } = await (await world.owner()).query(
      `select (select count(*)::int from text_consents c where c.realm_id = r.id) as consents,
              (select count(*)::int from emails e where e.realm_id = r.id and kind like 'text%') as messages
       from realms r where business_id = $1 and mode = 'live'`,
      [clinic.id],
    )
    expect(rows).toEqual([{ consents: 0, messages: 0 }])
  })
})
