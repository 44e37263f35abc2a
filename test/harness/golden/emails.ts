import { languages, translatorOf } from '../../../src/domain/translations/translator.ts'
import * as holds from '../../../src/modules/emails/hold-templates.ts'
import { type EmailContent, render } from '../../../src/modules/emails/layout.ts'
import * as payments from '../../../src/modules/emails/payment-templates.ts'
import * as reminders from '../../../src/modules/emails/reminder-templates.ts'
import * as templates from '../../../src/modules/emails/templates.ts'
import * as undelivered from '../../../src/modules/emails/undelivered-templates.ts'
import { invitation, newDevice, passwordReset } from '../../../src/modules/identity/account-emails.ts'
import * as support from '../../../src/modules/identity/support-access-emails.ts'
import { alarmKinds } from '../../../src/modules/oversight/alarms/rules.ts'
import { alarmEmail } from '../../../src/modules/oversight/alarms/service.ts'
import { anchorEmail } from '../../../src/modules/oversight/anchors/send.ts'

const { aboutKit: _, kitFact: _fact, parcelFacts: _facts, ...ofKits } = templates
const own = { invitation, newDevice, passwordReset, alarmEmail, anchorEmail }
const all = { ...ofKits, ...undelivered, ...holds, ...reminders, ...payments, ...support, ...own }

const [KIT, at] = ['K00000000', new Date('2026-03-01T12:00:00Z')]
const facts = { card: 'visa ···· 4242', month: '05/2026', waiting: 'O00000000', kitType: 'CORE', ceiling: 2 }
const access = { businessId: 'biz_1', mode: 'live', userName: 'Ada Byron', reason: 'A question', minutes: 60 }

const usual = (name: string) => (name in payments ? [facts, '/billing'] : name in support ? [access, 'Clinic'] : [KIT])

/** What other templates are given; nothing: it is the content itself, by its translator. */
const given: Partial<Record<keyof typeof all, unknown[][]>> = {
  orderPlaced: [1, 3].map((count) => ['O00000000', count]),
  kitShipped: [[KIT], [KIT, { carrier: 'UPS', trackingNumber: '1Z999' }]],
  sampleHeld: [[KIT, at.toISOString()]],
  boxHeld: [[KIT, at.toISOString()]],
  newLink: [[]],
  reportRenewed: ['corrected', 'completed'].map((what) => [KIT, what]),
  consentWithdrawn: ['researchEnded', 'notRegistered', 'stopped', 'underWay', 'received'].map((end) => [KIT, end]),
  dataRequested: [['copy'], ['erasure']],
  dataAnswered: [[]],
  kitReplaced: [[KIT, 'K11111111']],
  criticalWaits: [1, 2].map((count) => [{ count, kitId: KIT, reportId: 'R00000000', minutes: 30, page: '/app' }]),
  creditsLow: [['CORE', 4, 5]],
  planOrderFailed: [true, false].map((isRetried) => ['plan_1', '2026-03-01', 'CARD_DECLINED', isRetried]),
  shopOrderFailed: [true, false].map((isRetried) => ['1001', 'CARD_DECLINED', isRetried]),
  dataRequestWaits: ['copy', 'erasure'].map((kind) => [{ id: 'dr_1', kind, by: at, realm: access }]),
  endpointDisabled: [['we_1', 'https://example.com/hook']],
  invitation: [['Harbor Clinic'], [undefined]],
  newDevice: [[{ browser: 'Firefox', network: '192.0.2.0/24', at }]],
  alarmEmail: alarmKinds.map((kind) => [{ kind, amount: 12 }]),
}

type Said = EmailContent | templates.PersonEmail
const brand = { name: 'Harbor Clinic', color: '#0f766e', logoUrl: null, contactEmail: 'help@harbor.test' }

/** Every e-mail in every language that it has, with a name, a link and where to stop it, and without them. */
export function* emails(): Generator<[path: string, text: string]> {
  for (const [name, template] of Object.entries(all)) {
    for (const [index, args] of (given[name as keyof typeof all] ?? [usual(name)]).entries()) {
      const said = args.length === 0 ? (template as Said) : (template as (...args: unknown[]) => Said)(...args)
      for (const language of typeof said === 'function' ? languages : (['en'] as const)) {
        const t = translatorOf(language)
        const content = typeof said === 'function' ? said(t) : said
        const stop = { label: t('email.stop.kit'), url: 'https://kits.test/u/1' }
        const whole = render(content, brand, { name: 'Ada', url: 'https://kits.test/r/1', stop, t })
        const text = [whole, render(content, brand, { t })].flatMap(Object.values).join('\n')
        if (/undefined|\[object/.test(text)) throw new Error(`${name} needs other arguments:\n${text}`)
        yield [`emails/${language}/${name}-${index}.html`, text]
      }
    }
  }
}
