import { ADULT_AGE } from '../../../domain/age.ts'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { countries } from '../retest/rules.ts'
import { choiceField, countryField, dateField, field } from './fields.ts'
import { idOf, type Step, stage } from './kit.ts'
import { address, page, problemList, titleOf, tokenField } from './layout.ts'

/** Whether a parent or guardian may register somebody with this kit. */
export interface DetailsStep extends Step {
  isForMinors: boolean
}

const relations = ['parent', 'guardian', 'other'] as const

function guardianFields(step: DetailsStep): Part {
  const { t } = step.paper
  const names = ['guardianFirstName', 'guardianLastName', 'guardianRelation']
  const isOpen = names.some((name) => step.typed[name] || step.problems.has(name))
  const choices = relations.map((one) => [one, t.capital(t(`register.guardian.${one}`))] as const)
  return html`<details${isOpen && html` open`}><summary>${t('register.guardian', { age: ADULT_AGE })}</summary><div class="folded">
<p>${t('register.guardian.intro')}</p>
<div class="pair">
${field(step, { name: 'guardianFirstName', label: t('register.guardian.firstName') })}
${field(step, { name: 'guardianLastName', label: t('register.guardian.lastName') })}
</div>
${choiceField(step, 'guardianRelation', t('register.guardian.relation'), '', choices)}
</div></details>`
}

const addressFields = [
  ['phone', 'tel'],
  ['addressLine1', 'address-line1'],
  ['addressLine2', 'address-line2'],
  ['city', 'address-level2'],
  ['state', 'address-level1'],
  ['zip', 'postal-code'],
  ['country', 'country'],
] as const

export function detailsPage(step: DetailsStep): Html {
  const { kitId, paper, token, problems, typed, isForMinors } = step
  const { t } = paper
  const hasAddress = addressFields.some(([name]) => typed[name])
  const [phone, line1, line2, ...place] = addressFields.map(([name, autocomplete]) =>
    name === 'country'
      ? countryField(step)
      : field(step, { name, label: t(`register.${name}`), type: name === 'phone' ? 'tel' : 'text', autocomplete }),
  )
  const sexes = [
    ['F', t('register.female')],
    ['M', t('register.male')],
  ] as const
  const title = t('register.details')
  return page({
    title: titleOf(paper, title, problems),
    paper,
    body: html`${problemList(paper, problems, idOf)}${stage(paper, 2)}<h1>${title}</h1>
<p>${t('register.details.intro')}</p>
<form method="post" action="/k/${kitId}/details" novalidate>${tokenField(token)}
<div class="pair">
${field(step, { name: 'firstName', label: t('register.firstName'), autocomplete: 'given-name' })}
${field(step, { name: 'lastName', label: t('register.lastName'), autocomplete: 'family-name' })}
</div>
${field(step, { name: 'email', label: t('register.email'), hint: t('register.emailHint'), type: 'email', autocomplete: 'email' })}
${dateField(step, t('register.birth'), t('register.birthHint'))}
${choiceField(step, 'sex', t('register.sex'), t('register.sexHint'), sexes)}
${isForMinors && guardianFields(step)}
<details${hasAddress && html` open`}><summary>${t('register.optional')}</summary><div class="folded">
${phone}
${line1}
${line2}
<div class="pair">
${place}
</div>
</div></details>
<button class="button">${t('page.continue')}</button>
</form>
<a class="back" href="/k/${kitId}/consent">${t('page.back')}</a>`,
  })
}

function guardianText(t: Translator, typed: Step['typed']): string {
  const { guardianFirstName = '', guardianLastName = '', guardianRelation } = typed
  const relation = relations.find((one) => one === guardianRelation)
  if (!relation) return ''
  const name = `${guardianFirstName} ${guardianLastName}`
  return t('register.guardian.named', { name, relation: t(`register.guardian.${relation}`) })
}

/** The name of a country by its letters; other words stay as they are. */
const countryName = (code: string, language: string): string =>
  countries(language).find(([one]) => one === code)?.[1] ?? code

/** A last look at what was typed; all of it is right. */
export function checkPage({ kitId, paper, token, typed }: Step): Html {
  const { t } = paper
  const get = (name: string) => typed[name]?.trim() ?? ''
  const part = (name: string) => get(name).padStart(2, '0')
  const postal = [
    get('addressLine1'),
    get('addressLine2'),
    `${get('city')} ${get('state')} ${get('zip')}`.trim(),
    countryName(get('country'), t.language),
  ]
  const sexes: Record<string, string> = { F: t('register.female'), M: t('register.male') }
  const facts: [string, Part][] = [
    [t('register.check.kit'), kitId],
    [t('register.check.name'), `${get('firstName')} ${get('lastName')}`],
    [t('register.email'), address(get('email'))],
    [t('register.birth'), t.fullDate(`${get('year')}-${part('month')}-${part('day')}`)],
    [t('register.sex'), sexes[get('sex')]],
    [t('register.check.by'), guardianText(t, typed)],
    [t('register.phone'), get('phone') && html`<bdi dir="ltr">${get('phone')}</bdi>`],
    [t('register.check.address'), postal.filter(Boolean).join(', ')],
  ]
  const title = t('register.check')
  return page({
    title,
    paper,
    body: html`${stage(paper, 3)}<h1>${title}</h1>
<dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<p><a href="/k/${kitId}/details">${t('register.check.change')}</a></p>
<form method="post" action="/k/${kitId}/check">${tokenField(token)}
<button class="button">${t('register.check.send')}</button>
</form>`,
  })
}
