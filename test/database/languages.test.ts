import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages, translatorOf } from '../../src/domain/translations/translator.ts'
import { find } from '../../src/modules/emails/service.ts'
import { moveKit } from '../../src/modules/kits/move.ts'
import { grace, recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
  clinic = await world.business({ name: 'Harbor Clinic' })
})
afterAll(() => world.stop())

const browser = () => visitor(world.service.url)
const prefers = (language: string) => ({ 'accept-language': language })
const said = (text: string) => text.replace(/[\u2068\u2069]/g, '')
const newest = async (email: string) => {
  const [mail] = await at.emailsTo(email)
  return world.service.database.asSystem({ name: 'test' }, (tx) => find(tx, mail?.id ?? ''))
}

describe.each(['de', 'ar'] satisfies Language[])('from the box to the report in %s', (language) => {
  const t = translatorOf(language)

  it('every page, e-mail and the report are in it, and only what the catalogue and others wrote is English', async () => {
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
    const email = at.newEmail()
    const who = browser()
    const start = await who.open(`/k/${kitId}?language=${language}`)
    expect(start.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    expect(start.text).toContain(t('start.heading'))
    const consent = await who.open(`/k/${kitId}/consent`)
    expect(consent.text).toContain(t('register.consent.testing'))
    const details = await who.submit(consent, { consentToTesting: 'yes' })
    expect(details.html).toContain(`>${t.months[11]}</option>`)
    const wrong = await who.submit(details, { ...grace, day: '31', month: '2', email: 'grace@' })
    expect(wrong.html).toContain(`<title>${t('page.error', { title: t('register.details') })}`)
    expect(wrong.text).toContain(t('problem.noSuchDay'))
    expect(said(wrong.text)).toContain(said(t('problem.email', { example: 'name@example.com' })))
    const check = await who.submit(wrong, { ...grace, email })
    expect(check.text).toContain(t.fullDate('1956-12-09'))
    const done = await who.submit(check)
    expect(done.text).toContain(t('register.done.heading'))

    const mail = await newest(email)
    expect(mail.subject).toBe(t('email.kitRegistered'))
    expect(mail.html).toContain(`<html lang="${language}" dir="${t.direction}">`)
    expect(mail.text).toContain(said(t('email.helloName', { name: 'Grace' })))

    const [link = ''] = await at.linksTo(email)
    const reader = browser()
    const gate = await reader.open(link, prefers('fr'))
    expect(gate.text).toContain(t('entry.you.why'))
    const home = await reader.submit(gate, grace)
    expect(said(home.text)).toContain(said(t('home.helloName', { name: 'Grace' })))
    expect(home.text).toContain(t('kit.kitRegistered'))

    const reportId = await at.report(clinic, kitId, { glucose: 141, ldl: 187, hdl: 55 })
    expect((await clinic.live.post(`/reports/${reportId}/publish`, {})).status).toBe(200)
    expect((await newest(email)).subject).toBe(t('email.reportReady'))
    const report = await reader.open(`/r/reports/${reportId}`)
    for (const key of ['report.attention', 'report.meaning', 'report.english', 'report.names', 'report.pdf'] as const) {
      expect(report.text).toContain(t(key))
    }
    expect(report.text).toContain(t.capital(t('verdict.farHigh')))
    expect(report.html).toMatch(/<p lang="en" dir="ltr">[^<]{40}/)
    const shared = await reader.open(`/r/reports/${reportId}/share`)
    expect(shared.text).toContain(t('share.intro'))
    const given = await reader.open(`/r/kits/${kitId}/consent`)
    expect(given.text).toContain(t('consent.testing.how'))
  })
})

describe('the language of a person', () => {
  it('is the one that the browser prefers, and English where there is none of those', async () => {
    const path = `/k/${await at.newKit(clinic)}`
    expect((await browser().open(path, prefers('tlh, fr-CA;q=0.8, es;q=0.9'))).html).toContain('<html lang="es"')
    for (const header of ['tlh', '', '*', 'en-GB, de;q=0.5']) {
      expect((await browser().open(path, prefers(header))).html).toContain('<html lang="en" dir="ltr">')
    }
    expect((await browser().open(`${path}?language=xx`, prefers('ja'))).html).toContain('<html lang="ja"')
  })

  it('can be chosen on each page by its own name, and the choice keeps what the address asks for', async () => {
    const who = browser()
    const page = await who.open('/k?kit=K00000000')
    const links = [...page.html.matchAll(/<a class="language" href="([^"]*)" lang="(\w+)"[^>]*>([^<]+)</g)]
    expect(links.map(([, , language]) => language)).toEqual(languages.filter((language) => language !== 'en'))
    expect(links.map(([, , , name]) => name)).toEqual(['Español', 'Deutsch', 'Français', 'العربية', '日本語'])
    expect(links[0]?.[1]).toBe('?kit=K00000000&amp;language=es')
    const spanish = await who.open('/k?kit=K00000000&language=es')
    expect(spanish.html).toContain('<html lang="es"')
    expect(spanish.html).toContain('value="K00000000"')
  })

  it('outlasts the request, also on error pages and in forms, and can be changed', async () => {
    const who = browser()
    await who.open('/k?language=de')
    for (const path of ['/k', '/r', '/r/new', '/s', '/r/xyz']) {
      expect((await who.open(path, prefers('fr'))).html, path).toContain('<html lang="de"')
    }
    const ask = await who.open('/r/new')
    const sent = await who.submit(ask, { email: 'nobody@example.test' })
    expect(sent.text).toContain(translatorOf('de')('entry.sent.what'))
    const refused = await who.post('/r/new', { email: 'x@example.test', token: 'forged' })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(translatorOf('de')('trouble.expiredForm'))
    await who.open('/k?language=en')
    expect((await who.open('/k', prefers('de'))).html).toContain('<html lang="en"')
  })

  it('that is chosen on the personal pages reaches the next e-mails and any other browser, not those of others', async () => {
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
    const { email } = await at.register(kitId)
    expect((await newest(email)).subject).toBe('Your kit is registered')
    const [link = ''] = await at.linksTo(email)
    const { who } = await at.enter(link)
    expect((await who.open('/r?language=ja')).html).toContain('<html lang="ja"')
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    const t = translatorOf('ja')
    const mails = await at.emailsTo(email)
    expect(mails.map(({ subject }) => subject)).toContain(t('email.sampleReceived'))
    expect((await at.enter(link)).home.html).toContain('<html lang="ja"')
    const other = await at.register(await at.newKit(clinic))
    expect((await newest(other.email)).subject).toBe('Your kit is registered')
  })

  it('is not changed by a visitor who has not given the date of birth', async () => {
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
    const { email } = await at.register(kitId)
    const [link = ''] = await at.linksTo(email)
    await browser().open(link)
    const guest = browser()
    await guest.open(link)
    expect((await guest.open('/r?language=de')).html).toContain('<html lang="de"')
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    expect((await at.emailsTo(email)).map(({ subject }) => subject)).toContain('Your sample has reached the laboratory')
  })

  it('of a registration in doubt is the one of its page', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const who = browser()
    const kitId = await at.newKit(clinic, 'live', { isNotifyReceiver: true })
    await who.open(`/k/${kitId}?language=de`)
    const check = await at.fillIn(who, kitId, { email, year: '1957' })
    await who.submit(check)
    expect((await newest(email)).subject).toBe(translatorOf('de')('email.toCheck'))
  })

  it('of the page chooses among the languages of the consent text, and the page says if the text is in another', async () => {
    const own = await world.business({ name: 'Texts Clinic' })
    for (const [language, text] of [
      ['en', 'English words.'],
      ['de', 'Deutsche Worte.'],
      ['it', 'Parole italiane.'],
    ]) {
      expect((await own.live.post('/consent-texts', { language, text })).status).toBeLessThan(300)
    }
    const path = `/k/${await at.newKit(own)}/consent`
    const who = browser()
    expect((await who.open(`${path}?language=de`, prefers('en'))).text).toContain('Deutsche Worte.')
    expect((await who.open(path, prefers('en'))).text).toContain('Deutsche Worte.')
    const [hint] = translatorOf('de')('consent.otherLanguage', { language: 'Italienisch', business: '' }).split('.')
    expect((await who.open(path)).text).not.toContain('Dieser Text ist auf')
    const italian = await who.open(`${path}?language=it`)
    expect(italian.text).toContain(hint)
    expect(italian.text).toContain('Parole italiane.')
    expect(italian.html).toContain('<html lang="de"')
  })

  it('is exported with the person and erased with them', async () => {
    const { email } = await at.register(await at.newKit(clinic))
    const id = await at.customerOf(clinic, email)
    const owner = await world.owner()
    const languageOf = async () => {
      const { rows } = await owner.query('select language from customers where id = $1', [id])
      return rows[0]?.language
    }
    expect(await languageOf()).toBe('en')
    expect((await clinic.live.get(`/customers/${id}/export`)).body.customer.language).toBe('en')
    expect((await clinic.live.request('DELETE', `/customers/${id}`)).status).toBeLessThan(300)
    expect(await languageOf()).toBeNull()
  })
})
