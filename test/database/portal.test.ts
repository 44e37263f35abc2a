import { accentsOf } from '@kitlane/display/color'
import { getContrast } from 'color2k'
import type { Client } from 'pg'
import { encode } from 'uqr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKitId } from '../../src/domain/ids.ts'
import { selectEmail } from '../../src/modules/emails/list-queries.ts'
import * as emails from '../../src/modules/emails/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { Attempts, sharedCounts } from '../../src/platform/http/shared-counts.ts'
import { operatorWith } from '../harness/operator.ts'
import { grace, recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
let world: World
let clinic: TestBusiness
let owner: Client
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await ownWorld('sets the clock', { trustedProxies: ['127.0.0.1'] }, { clock })
  at = recipients(world)
  owner = await world.owner()
  clinic = await world.business({ name: 'Łódź & Sons' })
  await clinic.live.request('PATCH', '/settings', { brandColor: '#ffcc00', contactEmail: 'help@clinic.test' })
})
afterAll(() => world.stop())

const browser = () => visitor(world.service.url)

describe('registering a kit', () => {
  it('goes from the code on the box to what to do next, as the API would register it', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const start = await who.open(`/k/${kitId}`)
    expect(start.status).toBe(200)
    expect(start.text).toContain('Łódź & Sons')
    expect(start.text).toContain(kitId)
    expect((await who.open(`/k/${kitId}/check`)).path).toBe(`/k/${kitId}/consent`)
    const { email, done } = await at.register(kitId, {
      phone: '+1 555 0100',
      city: 'Springfield',
      addressLine1: '1 Main St',
    })
    expect(done.path).toBe(`/k/${kitId}/done`)
    expect(done.text).toContain('Your kit is registered')
    expect(done.text).toContain(email)
    expect(done.text).toContain('Monday to Thursday')
    const kit = (await clinic.live.get(`/kits?kitID=${kitId}`)).body[0]
    expect(kit).toMatchObject({ kitStatus: 'registered', registeredToEmail: email })
    const customer = (await clinic.live.get(`/customers/${kit.customerID}`)).body
    expect(customer).toMatchObject({ name: 'Grace O’Hara <b>', dateOfBirth: '1956-12-09', gender: 'F', email })
    const { kits } = (await clinic.live.get(`/customers/${kit.customerID}/export`)).body
    expect(kits[0].consents).toMatchObject([
      { consentVersion: 'cns_standard_2026_11', consentForResearch: false, email, ip: '127.0.0.1' },
    ])
  })

  it('says every problem beside its field in words, keeps what was typed, and shows it for a last look', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const consent = await who.open(`/k/${kitId}/consent`)
    expect(consent.text).toContain('Read the full text')
    const unticked = await who.submit(consent, { consentForResearch: 'yes' })
    expect(unticked.path).toBe(`/k/${kitId}/consent?problem`)
    expect(unticked.html).toMatch(/name="consentForResearch"[^>]* checked/)
    expect(unticked.text).toContain('Without your consent there can be no test')
    const details = await who.submit(unticked, { consentToTesting: 'yes', consentForResearch: 'yes' })
    const wrong = await who.submit(details, {
      ...grace,
      firstName: ' ',
      email: 'grace@',
      day: '31',
      month: '2',
      sex: '',
      country: 'Germany',
    })
    expect(wrong.path).toBe(`/k/${kitId}/details?problem`)
    expect(wrong.html).toContain('<title>Error: Who takes the test?')
    for (const sentence of [
      'Write the first name',
      'looks like name@example.com',
      'There is no such day',
      'Choose one of the two',
    ]) {
      expect(wrong.text.split(sentence), sentence).toHaveLength(3)
    }
    expect(wrong.html).toContain('value="grace@"')
    expect(wrong.html).toContain('<option value="DE" selected>Germany</option>')
    expect(wrong.html).toContain('value="O’Hara &lt;b&gt;"')
    const later = await who.submit(wrong, { ...grace, year: '2031', email: 'g@example.test' })
    expect(later.text).toContain('still to come')
    const inArabic = { day: '٩', year: '١٩٥٦', zip: '١٠١١٥', phone: '+٤٩ ٣٠ ٩٠١٨٢٠' }
    const check = await who.submit(later, { ...grace, ...inArabic, email: 'g@example.test', country: 'DE' })
    expect(check.text).toContain('Grace O’Hara <b>')
    expect(check.text).toContain('10115, Germany')
    expect(check.text).toContain('9 December 1956')
    expect(check.text).toContain('+49 30 901820')
    expect((await who.open(`/k/${kitId}/details`)).html).toContain('value="g@example.test"')
    expect((await who.submit(check)).path).toBe(`/k/${kitId}/done`)
    const { rows } = await owner.query('select research from consents where kit_id = $1', [kitId])
    expect(rows).toEqual([{ research: true }])
  })

  it('sent twice, at once or later, registers once and shows both times that it is done', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const check = await at.fillIn(who, kitId, { email: at.newEmail() })
    const both = await Promise.all([who.submit(check), who.submit(check)])
    expect([...both, await who.submit(check)].map(({ path }) => path)).toEqual(Array(3).fill(`/k/${kitId}/done`))
    for (const path of ['', '/consent', '/details', '/check', '/done']) {
      expect((await who.open(`/k/${kitId}${path}`)).path).toBe(`/k/${kitId}/done`)
    }
    const { rows } = await owner.query('select count(*) as total from consents where kit_id = $1', [kitId])
    expect(Number(rows[0].total)).toBe(1)
  })

  it('keeps what is typed only encrypted, for two hours, and for that browser', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    await at.fillIn(who, kitId, { email: 'secret.draft@example.test' })
    const { rows } = await owner.query('select * from registration_drafts where kit_id = $1', [kitId])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows) + rows[0].sealed.toString('latin1')).not.toMatch(/secret|grace/i)
    expect((await browser().open(`/k/${kitId}/check`)).path).toBe(`/k/${kitId}/consent`)
    clock.advance(2 * HOUR_MS + 1)
    expect((await who.open(`/k/${kitId}/check`)).path).toBe(`/k/${kitId}/consent`)
  })

  it('sends the e-mail with the link to anyone who registers, also where the order wants no e-mails', async () => {
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: false })
    const { email } = await at.register(kitId)
    expect((await at.emailsTo(email)).map(({ subject }) => subject)).toEqual(['Your kit is registered'])
    expect(await at.linksTo(email)).toHaveLength(1)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    expect(await at.emailsTo(email)).toHaveLength(1)
  })

  it('with another date of birth than is known waits for a person, and gives no link', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const { done } = await at.register(await at.newKit(clinic), { email, year: '1957' })
    expect(done.text).toContain('Please do not post your sample yet')
    expect((await at.emailsTo(email)).map(({ subject }) => subject)).toEqual([
      'We need to check the registration of your kit',
      'Your kit is registered',
    ])
    expect(await at.linksTo(email)).toHaveLength(1)
  })
})

describe('a kit that cannot be registered has a page of its own that tells nothing of whose it is:', () => {
  it('registered, canceled, not paid, dealt with', async () => {
    const registered = await at.newKit(clinic)
    const { email } = await at.register(registered)
    const canceled = await at.newKit(clinic)
    const unpaid = await at.newKit(clinic)
    const rejected = await at.newKit(clinic)
    await at.inRealm(clinic, (tx) => moveKit(tx, canceled, 'canceled'))
    await at.inRealm(clinic, (tx) => moveKit(tx, rejected, 'sampleRejected'))
    await owner.query(
      `update orders o set status = 'pending', payment_status = 'pending' from kits k where k.order_id = o.id and k.id = $1`,
      [unpaid],
    )
    const pages = [
      [registered, 'This kit is already registered'],
      [canceled, 'This kit was canceled'],
      [unpaid, 'This kit is not ready yet'],
      [rejected, 'This kit cannot be registered any more'],
    ] as const
    for (const [kitId, sentence] of pages) {
      for (const path of ['', '/consent', '/check', '/done']) {
        const { status, text, html } = await browser().open(`/k/${kitId}${path}`)
        expect(status).toBe(200)
        expect(text).toContain(sentence)
        expect(html).not.toContain(email)
        expect(html).not.toMatch(/\b(Grace|Ada)\b|example\.test/)
      }
    }
  })

  it('a mistyped ID is distinguished from an unknown one, and who guesses is stopped while others go on', async () => {
    const kitId = await at.newKit(clinic)
    const typed = await browser().open(
      `/k?kit=${encodeURIComponent(` ${kitId.slice(0, 4).toLowerCase()} ${kitId.slice(4, 7)}-${kitId.slice(7)} `)}`,
    )
    expect(typed.path).toBe(`/k/${kitId}`)
    const wrong = kitId.slice(0, -1) + (kitId.endsWith('2') ? '3' : '2')
    const mistyped = await browser().open(`/k?kit=${wrong}`)
    expect(mistyped.status).toBe(404)
    expect(mistyped.text).toContain('one character is wrong')
    expect(mistyped.html).toContain(`value="${wrong}"`)
    expect((await browser().open('/k?kit=%3Cscript%3E')).html).not.toContain('<script')
    const answers = new Set<string>()
    for (let tries = 0; tries < 32; tries++) answers.add((await browser().open(`/k/${newKitId()}`)).text.slice(0, 300))
    expect([...answers].filter((text) => text.includes('do not know this ID'))).not.toEqual([])
    const stopped = await browser().open(`/k/${kitId}`)
    expect(stopped.status).toBe(429)
    expect(stopped.text).toContain('Please wait a while')
    clock.advance(HOUR_MS + 1)
    expect((await browser().open(`/k/${kitId}`)).status).toBe(200)
  })
})

it('guesses are counted by household: an address, or the first half of a long one', async () => {
  const shared = sharedCounts(world.service.database, clock)
  const attempts = new Attempts({ kind: 'test', limit: 2, windowMs: HOUR_MS, shared })
  for (const ip of ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '192.0.2.1', '192.0.2.2']) await attempts.count(ip)
  expect(await attempts.isSpent('2001:db8::1:0:0:0:9')).toBe(true)
  expect(await attempts.isSpent('2001:db8:0:2::1')).toBe(false)
  expect(await attempts.isSpent('192.0.2.1')).toBe(false)
})

describe('the forms', () => {
  it('take nothing from another site, nor with another browser’s token', async () => {
    const kitId = await at.newKit(clinic)
    const who = browser()
    const consent = await who.open(`/k/${kitId}/consent`)
    const foreign = await who.submit(consent, { consentToTesting: 'yes' }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    expect(foreign.text).toContain('Please send that again')
    const { html } = await browser().open(`/k/${kitId}/consent`)
    expect((await who.submit({ ...consent, html }, { consentToTesting: 'yes' })).status).toBe(403)
    expect((await browser().post(`/k/${kitId}/consent`, { consentToTesting: 'yes' })).status).toBe(403)
    expect((await who.submit(consent, { consentToTesting: 'yes' })).path).toBe(`/k/${kitId}/details`)
  })

  it('come with a policy that lets no script and no inline style run, and one image', async () => {
    const branded = await world.business({ name: 'Logo & Co' })
    await branded.live.request('PATCH', '/settings', { logoUrl: 'https://cdn.example.com/a;b/logo.png?v=1' })
    const kitId = await at.newKit(branded)
    const who = browser()
    const page = await who.open(`/k/${kitId}/consent`)
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' https://cdn.example.com/a%3Bb/logo.png; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.html).toContain('<img src="https://cdn.example.com/a;b/logo.png?v=1" alt="Logo &amp; Co">')
    expect(page.html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
    const cookie = page.headers.getSetCookie().join()
    expect(cookie).toMatch(/^kitlane-visit=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
    const style = /href="(\/pages\/[^"]+\.css)"/.exec(page.html)?.[1] ?? ''
    const sheet = await who.open(style)
    expect(sheet.headers.get('content-type')).toContain('text/css')
    expect(sheet.headers.get('cache-control')).toContain('immutable')
  })

  it('carry the business’s color only where it can be read', () => {
    for (const color of ['ffcc00', '000000', 'ffffff', '777777', '00ff00', '0f766e', 'zzz']) {
      const { light, dark } = accentsOf(color)
      expect(getContrast(light.accent, '#ffffff'), color).toBeGreaterThanOrEqual(4.5)
      expect(getContrast(dark.accent, '#1d2226'), color).toBeGreaterThanOrEqual(4.5)
      for (const { fill, ink } of [light, dark]) expect(getContrast(fill, ink), color).toBeGreaterThanOrEqual(4.5)
    }
    expect(accentsOf('0f766e').light.accent).toBe('#0f766e')
  })
})

describe('the link in an e-mail', () => {
  it('leaves the address bar, asks for the date of birth, and only then shows where the kit is', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    const [link = ''] = await at.linksTo(email)
    const who = browser()
    const gate = await who.open(link)
    expect(gate.path).toBe('/r')
    expect(gate.text).toContain('Is it you?')
    expect(gate.html).not.toMatch(new RegExp(`${kitId}|Grace|${email}`))
    const home = await who.submit(gate, { day: '9', month: '12', year: '1956' })
    expect(home.text).toContain('Hello Grace')
    expect(home.text).toContain(kitId)
    expect(home.text).toContain('Time for your sample')
    for (const step of [
      'Kit ordered',
      'Kit arrived at your home',
      'You registered the kit 20 Nov 2026',
      'Report ready',
    ]) {
      expect(home.text).toContain(step)
    }
    expect(world.logged.join('\n')).not.toContain(link.slice(3))
    const { rows } = await owner.query('select * from personal_links')
    expect(JSON.stringify(rows)).not.toContain(link.slice(3))
    clock.advance(30 * 60_000 + 1)
    expect((await who.open('/r')).text).toContain('Please open the link in your e-mail')
  })

  it('is not found by guessing, is over after 90 days, and a new one is sent to those who are known', async () => {
    expect((await browser().open(`/r/${'x'.repeat(43)}`)).text).toContain('does not work any more')
    const { email } = await at.register(await at.newKit(clinic))
    const [link = ''] = await at.linksTo(email)
    clock.advance(90 * 24 * HOUR_MS)
    const over = await browser().open(link)
    expect(over.status).toBe(404)
    expect(over.text).toContain('Łódź & Sons')
    const ask = async (address: string) => {
      const who = browser()
      const { status, path, html } = await who.submit(await who.open('/r/new'), { email: address })
      return { status, path, html }
    }
    expect(await ask('nobody@example.test')).toEqual(await ask(email.toUpperCase()))
    await expect.poll(() => at.linksTo(email)).toHaveLength(2)
    const [renewed = ''] = await at.linksTo(email)
    expect((await at.enter(renewed)).home.text).toContain('Hello Grace')
    expect(await at.emailsTo('nobody@example.test')).toEqual([])
    for (let more = 0; more < 6; more++) await ask(email)
    await expect.poll(() => at.linksTo(email)).toHaveLength(6)
    const { rows } = await owner.query(`select data from pgboss.job where name = 'recipient.send-link'`)
    expect(JSON.stringify(rows)).not.toContain('@')
  })

  const wrong = { day: '1', month: '1', year: '1990' }

  it('is locked for an hour after five wrong dates, and a new link does not begin to count again', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const link = async () => (await at.linksTo(email))[0] ?? ''
    for (let tries = 1; tries < 5; tries++) {
      expect((await at.enter(await link(), wrong)).home.text).toContain('This is not the date')
    }
    expect((await at.enter(await link(), wrong)).home.text).toContain('Please wait a while')
    expect((await browser().open(await link())).text).toContain('Please wait a while')
    clock.advance(HOUR_MS + 1)
    expect((await at.enter(await link())).home.text).toContain('Hello Grace')
  })

  it('takes no more than ten wrong dates a day about one person, by all links together', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const [first = ''] = await at.linksTo(email)
    const answers: string[] = []
    for (let tries = 1; tries <= 10; tries++) {
      const [link = ''] = await at.linksTo(email)
      answers.push((await at.enter(link, wrong)).home.text)
      if (tries % 5 === 0) clock.advance(HOUR_MS + 1)
    }
    expect(answers.filter((text) => text.includes('This is not the date'))).toHaveLength(8)
    expect((await browser().open(first)).text).toContain('Please wait a while')
    const refused = await owner.query(
      `select count(*)::int as tries from audit_entries where action = 'customer.date_of_birth_refused'
       and object_id = $1`,
      [String(await at.customerOf(clinic, email))],
    )
    expect(refused.rows).toEqual([{ tries: 10 }])
    clock.advance(24 * HOUR_MS)
    expect((await at.enter(first)).home.text).toContain('Hello Grace')
  })

  it('counts ten wrong dates that are sent at the same moment, and takes not one more', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const links = await Promise.all(Array.from({ length: 12 }, async () => (await at.linksTo(email))[0] ?? ''))
    const customerId = await at.customerOf(clinic, email)
    // A page says how things stand when it is shown, which may be after the fifth: what was counted is in the audit.
    const counted = async () => {
      const { rows } = await owner.query(
        `select id from audit_entries where action = 'customer.date_of_birth_refused' and object_id = $1`,
        [String(customerId)],
      )
      return rows.length
    }
    // A busy machine may have no time for some of them.
    do await Promise.all(links.map((link) => at.enter(link, wrong).catch(() => undefined)))
    while ((await counted()) < 5)
    expect(await counted()).toBe(5)
    clock.advance(24 * HOUR_MS)
  })

  it('takes no more than fifty wrong dates a day from one network, regardless of whom they are about', async () => {
    const enterFrom = async (ip: string, link: string, born: Record<string, string>) => {
      const who = browser()
      const headers = { 'x-forwarded-for': ip }
      const gate = await who.open(link, headers)
      if (!gate.html.includes('<form method="post" action="/r"')) return gate.text
      return (await who.submit(gate, { day: '9', month: '12', year: '1956', ...born }, headers)).text
    }
    let link = ''
    for (let person = 0; person < 10; person++) {
      const { email } = await at.register(await at.newKit(clinic))
      link = (await at.linksTo(email))[0] ?? ''
      for (let tries = 0; tries < 5; tries++) await enterFrom(`2001:db8:1:1::${person}${tries}`, link, wrong)
    }
    clock.advance(HOUR_MS + 1)
    const { email } = await at.register(await at.newKit(clinic))
    const [other = ''] = await at.linksTo(email)
    expect(await enterFrom('2001:db8:1:1::ffff', other, {})).toContain('Please wait a while')
    expect(await enterFrom('2001:db8:1:2::1', other, {})).toContain('Hello Grace')
    const { rows } = await owner.query('select distinct network from birth_date_failures')
    for (const { network } of rows) expect(network).toMatch(/^[0-9a-f]{32}$/)
    clock.advance(24 * HOUR_MS)
    expect(await enterFrom('2001:db8:1:1::ffff', other, {})).toContain('Hello Grace')
  })
})

describe('the report', () => {
  it('is shown once it is published, in words, with its PDF and its versions, and each look is in the audit', async () => {
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
    const { email } = await at.register(kitId)
    const reportId = await at.report(clinic, kitId, { glucose: 141, ldl: 187, hdl: 60 })
    const [link = ''] = await at.linksTo(email)
    const { who, home } = await at.enter(link)
    expect(home.text).toContain('Your results are being checked')
    expect(home.html).not.toContain(reportId)
    expect((await who.open(`/r/reports/${reportId}`)).status).toBe(404)
    await at.release(clinic, reportId)
    const ready = await who.open('/r')
    expect(ready.text).toContain('Your report is ready')
    const shown = await who.open(`/r/reports/${reportId}`)
    for (const sentence of [
      '187',
      'mg/dL',
      'Two of 4 values are outside their normal range. The other two are within it.',
      'What it means to be outside',
      'Normal:',
    ]) {
      expect(shown.text).toContain(sentence)
    }
    expect(shown.html).toContain('<svg class="gauge"')
    expect(shown.html).not.toMatch(/\sstyle=|\son\w+=|<script(?! type="module" src="\/r\/page\.js"><\/script>)/)
    const pdf = await who.open(`/r/reports/${reportId}/pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.headers.get('content-disposition')).toBe(`attachment; filename="report-${reportId}.pdf"`)
    await at.report(clinic, kitId, { glucose: 138, ldl: 187, hdl: 60 })
    const newer = await who.open(`/r/reports/${reportId}`)
    expect(newer.text).toContain('version 2 of 2')
    expect((await who.open(`/r/reports/${reportId}?version=1`)).text).toContain('Version 2 counts')
    const { customerID } = (await clinic.live.get(`/kits?kitID=${kitId}`)).body[0]
    const { rows } = await owner.query(
      `select actor, details from audit_entries where action = 'report.viewed' and object_id = $1 order by id`,
      [reportId],
    )
    expect(rows).toEqual(
      [
        { format: 'html', version: 1 },
        { format: 'pdf', version: 1 },
        { format: 'html', version: 2 },
        { format: 'html', version: 1 },
      ].map((details) => ({ actor: `recipient:${customerID}`, details })),
    )
    const [, published] = (await at.emailsTo(email)).reverse()
    expect(published?.subject).toBe('Your report is ready')
  })

  it('that came of several messages is ready at the first visit, and corrected only once a person could read it before', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    await at.report(clinic, kitId, { ldl: 187 })
    const reportId = await at.report(clinic, kitId, { ldl: 178 }, 'live', true)
    await at.release(clinic, reportId)
    const [link = ''] = await at.linksTo(email)
    const { who, home } = await at.enter(link)
    expect(home.text).toContain('Your report is ready')
    await at.report(clinic, kitId, { ldl: 168 }, 'live', true)
    expect((await who.open('/r')).text).toContain('Your report was corrected')
  })

  it('of another person is not there, and signing out ends the session', async () => {
    const mine = await at.newKit(clinic)
    const { email } = await at.register(mine)
    const theirs = await at.newKit(clinic)
    await at.register(theirs)
    const reportId = await at.report(clinic, theirs, { glucose: 90 })
    await at.release(clinic, reportId)
    const [link = ''] = await at.linksTo(email)
    expect((await browser().open(`/r/reports/${reportId}`)).text).toContain('Please open the link')
    const { who, home } = await at.enter(link)
    for (const path of [`/r/reports/${reportId}`, `/r/reports/${reportId}/pdf`]) {
      expect((await who.open(path)).status).toBe(404)
    }
    const html = home.html.replace(/<form[^>]*posted.*?<\/form>/s, '')
    expect((await who.submit({ ...home, html })).text).toContain('You are signed out')
    expect((await who.open('/r')).text).toContain('Please open the link')
  })
})

it('a sandbox kit works the same, marked as a test, and its e-mail can be read by a developer who has the key', async () => {
  const kitId = await at.newKit(clinic, 'sandbox')
  expect((await browser().open(`/k/${kitId}`)).text).toContain('Test kit: nothing on this page is real')
  const { email } = await at.register(kitId)
  const [sent] = await at.emailsTo(email)
  expect(sent).toMatchObject({ status: 'kept', mode: 'sandbox' })
  const { text } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    emails.findWithTestLink(tx, sent?.id ?? ''),
  )
  const link = /\/r\/[\w-]{43}/.exec(text)?.[0] ?? ''
  const { home } = await at.enter(link)
  expect(home.text).toContain('Test kit')
  expect((await clinic.sandbox.post('/sandbox/reset')).status).toBeLessThan(300)
  expect((await browser().open(link)).status).toBe(404)
})

describe('the link of an e-mail that was not sent', () => {
  const LINK = /\/r\/[\w-]{43}/
  const aboutKit = { kind: 'kit_registered', subject: 'A', title: 'A', paragraphs: ['A'], button: { label: 'A' } }

  it('is sealed from the moment it is written, and goes with the e-mail to its page in no form', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const customerId = await at.customerOf(clinic, email)
    const waiting = await at.inRealm(clinic, async (tx) => {
      await emails.queue(tx, [{ content: aboutKit, to: email, link: { customerId: customerId } }])
      const sql = `select id from emails where realm_id = $1 order by position desc limit 1`
      const { id } = (await tx.client.query(sql, [tx.realm.id])).rows[0]
      const { text, html, secret } = (await selectEmail({ ...tx, system: true }, id)) ?? {}
      return { id, text: String(text), html: String(html), secret }
    })
    expect(waiting.text).toContain('/r/the-rest-is-not-shown')
    expect(waiting.text + waiting.html).not.toMatch(LINK)
    expect(waiting.secret).toBeInstanceOf(Buffer)
    const operator = await operatorWith(world, ['mail'])
    const sandboxed = await at.register(await at.newKit(clinic, 'sandbox'))
    const [kept] = await at.emailsTo(sandboxed.email)
    for (const id of [waiting.id, kept?.id]) {
      const { status, text } = await operator('GET', `/emails/${id}`)
      expect(status).toBe(200)
      expect(text).not.toMatch(LINK)
    }
  })

  it('that a version before wrote in clear is not shown either', async () => {
    const link = `/r/${'k'.repeat(43)}`
    await owner.query(
      `insert into emails (realm_id, id, kind, recipient, sender_name, subject, text, html, status, created_at)
       select id, 'mail_before', 'a', 'before@example.test', 'a', 'a', $1, $1, 'queued', now()
       from realms where business_id = $2 and mode = 'live'`,
      [`Open http://127.0.0.1${link} soon`, clinic.id],
    )
    const { text } = await (await operatorWith(world, ['mail']))('GET', '/emails/mail_before')
    expect(text).toContain('/r/… soon')
    expect(text).not.toContain(link)
  })
})

it('erasing a person ends their links and sessions', async () => {
  const kitId = await at.newKit(clinic)
  const { email } = await at.register(kitId)
  const [link = ''] = await at.linksTo(email)
  const { who } = await at.enter(link)
  const { customerID } = (await clinic.live.get(`/kits?kitID=${kitId}`)).body[0]
  expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBeLessThan(300)
  expect((await who.open('/r')).text).toContain('Please open the link')
  expect((await browser().open(link)).status).toBe(404)
  const { rows } = await owner.query('select from registration_drafts where kit_id = $1', [kitId])
  expect(rows).toEqual([])
})

it('the label of a box holds the code that leads to its registration, its ID, and whose kit it is', async () => {
  const kitId = await at.newKit(clinic)
  const { token } = await world.service.database.asSystem({ name: 'test' }, (tx) =>
    createOperatorToken(tx, { name: 'printer', scopes: ['fulfilment'] }),
  )
  const ask = (id: string) =>
    fetch(`${world.service.url}/operator/v1/kits/${id}/label`, { headers: { authorization: `Token ${token}` } })
  const label = await ask(kitId)
  expect(label.headers.get('content-type')).toContain('image/svg+xml')
  const svg = await label.text()
  expect(svg).toContain(`>${kitId}</text>`)
  expect(svg).toContain('Łódź &amp; Sons')
  const { size } = encode(`${world.service.url}/k/${kitId}`, { ecc: 'M', border: 0 })
  expect(svg).toContain(`scale(${30 / size})`)
  expect((await ask(newKitId())).status).toBe(404)
})
