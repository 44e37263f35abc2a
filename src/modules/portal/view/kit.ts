import { ADULT_AGE } from '../../../domain/age.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { ConsentText } from '../../kits/consent/schema.ts'
import type { Paper } from '../paper.ts'
import type { Draft } from '../registration/drafts.ts'
import type { RegistrationStatus } from '../registration/rules.ts'
import { consentWords, languageChoice } from './consent.ts'
import { months } from './dates.ts'
import { choiceField, dateField, type Filled, field, tickField } from './fields.ts'
import { address, neutralPaper, page, problemList, tokenField } from './layout.ts'

const boxArt = html`<svg class="box-art" viewBox="0 0 320 170" role="img" aria-label="A box. On its lid is a label with a square code, and below it an ID that begins with K.">
<path class="art-face" d="M40 48 160 14l120 34-120 36z"/><path class="art-face" d="M40 48v72l120 38V84z"/><path class="art-face" d="M280 48v72l-120 38V84z"/>
<rect class="art-label" x="74" y="22" width="172" height="86" rx="8"/>
<path class="art-ink" d="M90 36h12v12H90zM110 36h4v12h-4zM118 36h12v12h-12zM90 52h12v4H90zM106 52h8v4h-8zM118 54h12v4h-12zM90 62h12v12H90zM106 62h4v4h-4zM112 68h6v6h-6zM122 62h8v4h-8zM124 70h6v4h-6z"/>
<rect class="art-ink" x="146" y="40" width="84" height="6" rx="3" opacity=".35"/><rect class="art-ink" x="146" y="54" width="62" height="6" rx="3" opacity=".35"/>
<text class="art-code" x="160" y="98" text-anchor="middle">K7Q4M2XT9C</text></svg>`

/** Where the ID of a box is typed in. */
export function enterPage(typed = '', problem?: string): Html {
  const problems = new Map(problem ? [['kit', problem]] : [])
  return page({
    title: problem ? 'Error: Register your kit' : 'Register your kit',
    paper: neutralPaper,
    body: html`${problemList(problems, (name) => name)}<h1>Register your kit</h1>
<p>Each kit has an ID of its own. It is on the label of the box, below the square code.</p>
${boxArt}
<form method="get" action="/k">
${field({ typed: { kit: typed }, problems }, { name: 'kit', label: 'ID on the box', hint: 'Ten characters. The first is a K.', isCode: true })}
<button class="button">Continue</button>
</form>
<p class="hint">Registered already, and looking for your report? <a href="/r/new">Get a link by e-mail</a></p>`,
  })
}

export const startPage = (kitId: string, paper: Paper): Html =>
  page({
    title: 'Your kit',
    paper,
    body: html`<h1>Hello! Let us get your kit ready.</h1>
<p>This is kit <span class="code">${kitId}</span>. Here is what will happen:</p>
<ol class="four">
<li><strong>You agree</strong> We tell you what is done with your sample, and you decide.</li>
<li><strong>You say who you are</strong> So that the laboratory can tell your sample from others. It takes two minutes.</li>
<li><strong>You take your sample and post it</strong> At home. The leaflet in the box shows how.</li>
<li><strong>You read your report</strong> You get an e-mail with a link that is yours alone.</li>
</ol>
<p>Please do not take your sample before you have done the first two steps.</p>
<a class="button" href="/k/${kitId}/consent">Begin</a>`,
  })

export interface Step extends Filled {
  kitId: string
  paper: Paper
  token: string
}

const stage = (number: number) => html`<p class="stage">Step ${number} of 3</p>`
const titleOf = (title: string, { problems }: Filled) => (problems.size > 0 ? `Error: ${title}` : title)
const idOf = (name: string) => (name === 'dateOfBirth' ? 'day' : name)

export interface ConsentStep extends Step {
  text: ConsentText
  languages: readonly string[]
}

export function consentPage(step: ConsentStep): Html {
  const { kitId, paper, token, problems, text, languages } = step
  return page({
    title: titleOf('What you agree to', step),
    paper,
    body: html`${problemList(problems, idOf)}${stage(1)}<h1>What you agree to</h1>
${languageChoice(`/k/${kitId}/consent`, languages, text.language)}
${consentWords(text)}
<form method="post" action="/k/${kitId}/consent">${tokenField(token)}
<input type="hidden" name="consentVersion" value="${text.id}">
${tickField(step, 'consentToTesting', 'I have read this, or had it read to me, and I agree to the test.')}
${tickField(step, 'consentForResearch', 'My results may also be used for research, without my name. (You do not have to.)')}
<button class="button">Continue</button>
</form>
<a class="back" href="/k/${kitId}">Back</a>`,
  })
}

/** Whether a parent or guardian may register somebody with this kit. */
export interface DetailsStep extends Step {
  isForMinors: boolean
}

const relationChoices = [
  ['parent', 'Parent'],
  ['guardian', 'Legal guardian'],
  ['other', 'Somebody else who may decide by law'],
] as const

function guardianFields(step: DetailsStep): Part {
  const names = ['guardianFirstName', 'guardianLastName', 'guardianRelation']
  const isOpen = names.some((name) => step.typed[name] || step.problems.has(name))
  return html`<details${isOpen && html` open`}><summary>You register your child, or another person under ${ADULT_AGE}?</summary><div class="folded">
<p>Then tell us who you are. Your e-mail address above is yours: you get the link to the report.</p>
<div class="pair">
${field(step, { name: 'guardianFirstName', label: 'Your first name', autocomplete: 'off' })}
${field(step, { name: 'guardianLastName', label: 'Your last name', autocomplete: 'off' })}
</div>
${choiceField(step, 'guardianRelation', 'What you are to this person', '', relationChoices)}
</div></details>`
}

export function detailsPage(step: DetailsStep): Html {
  const { kitId, paper, token, problems, typed, isForMinors } = step
  const hasAddress = ['phone', 'addressLine1', 'addressLine2', 'city', 'state', 'zip', 'country'].some(
    (name) => typed[name],
  )
  return page({
    title: titleOf('Who takes the test?', step),
    paper,
    body: html`${problemList(problems, idOf)}${stage(2)}<h1>Who takes the test?</h1>
<p>Please give the details of the person whose sample it will be.</p>
<form method="post" action="/k/${kitId}/details" novalidate>${tokenField(token)}
<div class="pair">
${field(step, { name: 'firstName', label: 'First name', autocomplete: 'given-name' })}
${field(step, { name: 'lastName', label: 'Last name', autocomplete: 'family-name' })}
</div>
${field(step, { name: 'email', label: 'E-mail address', hint: 'Your report is reached through it. Please use one that only you read.', type: 'email', autocomplete: 'email' })}
${dateField(step, 'Date of birth', 'Normal values differ with age. It also protects your report: we ask for it before we show it.')}
${choiceField(step, 'sex', 'Sex', 'The one given at birth: normal values differ with it.', [
  ['F', 'Female'],
  ['M', 'Male'],
])}
${isForMinors && guardianFields(step)}
<details${hasAddress && html` open`}><summary>Telephone and address (if you like)</summary><div class="folded">
${field(step, { name: 'phone', label: 'Telephone', type: 'tel', autocomplete: 'tel' })}
${field(step, { name: 'addressLine1', label: 'Street and number', autocomplete: 'address-line1' })}
${field(step, { name: 'addressLine2', label: 'Apartment or floor', autocomplete: 'address-line2' })}
<div class="pair">
${field(step, { name: 'city', label: 'City', autocomplete: 'address-level2' })}
${field(step, { name: 'state', label: 'State', autocomplete: 'address-level1' })}
${field(step, { name: 'zip', label: 'ZIP or postal code', autocomplete: 'postal-code' })}
${field(step, { name: 'country', label: 'Country', autocomplete: 'country-name' })}
</div>
</div></details>
<button class="button">Continue</button>
</form>
<a class="back" href="/k/${kitId}/consent">Back</a>`,
  })
}

const sexes: Record<string, string> = { F: 'Female', M: 'Male' }

function guardianText(typed: Step['typed']): string {
  const { guardianFirstName = '', guardianLastName = '', guardianRelation } = typed
  const relation = relationChoices.find(([value]) => value === guardianRelation)?.[1].toLowerCase()
  return relation ? `${guardianFirstName} ${guardianLastName} (${relation})` : ''
}

export function checkPage({ kitId, paper, token, typed }: Step): Html {
  const get = (name: string) => typed[name]?.trim() ?? ''
  const postal = [
    get('addressLine1'),
    get('addressLine2'),
    `${get('city')} ${get('state')} ${get('zip')}`.trim(),
    get('country'),
  ]
  const facts: [string, string | Html][] = [
    ['Kit', kitId],
    ['Name', `${get('firstName')} ${get('lastName')}`],
    ['E-mail address', address(get('email'))],
    ['Date of birth', `${Number(get('day'))} ${months[Number(get('month')) - 1] ?? ''} ${get('year')}`],
    ['Sex', sexes[get('sex')] ?? ''],
    ['Registered by', guardianText(typed)],
    ['Telephone', get('phone')],
    ['Address', postal.filter(Boolean).join(', ')],
  ]
  return page({
    title: 'Is everything right?',
    paper,
    body: html`${stage(3)}<h1>Is everything right?</h1>
<dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p><a href="/k/${kitId}/details">Change something</a></p>
<form method="post" action="/k/${kitId}/check">${tokenField(token)}
<button class="button">Register this kit</button>
</form>`,
  })
}

export function donePage(kitId: string, paper: Paper, { email, isDoubtful }: NonNullable<Draft['done']>): Html {
  if (isDoubtful) {
    return page({
      title: 'We need to check your details',
      paper,
      body: html`<h1>Thank you. We need to check one thing first.</h1>
<p class="note warn">Please do not post your sample yet. Your details are not quite those that we have with this e-mail address.</p>
<p>We have sent an e-mail to <strong>${address(email)}</strong>. Please answer it, or ask us.</p>
<p>Kit: <span class="code">${kitId}</span></p>`,
    })
  }
  return page({
    title: 'Your kit is registered',
    paper,
    body: html`<h1>Done. Your kit is registered.</h1>
<p>We have sent an e-mail to <strong>${address(email)}</strong>. With the link in it you see how to prepare, how the sample is taken, where it is, and later your report. Please keep it.</p>
<h2>What to do next</h2>
<ol class="four">
<li><strong>Take your sample</strong> Follow the leaflet in the box. It also says whether you may eat and drink before.</li>
<li><strong>Check the tube</strong> Close it well. If there is a sticker for your name or the date, fill it in.</li>
<li><strong>Post it on the same day</strong> Use the bag and the label from the box. Monday to Thursday is best: it then does not wait over a weekend.</li>
<li><strong>Wait for our e-mail</strong> We write to you when the sample has arrived, and when your report is ready.</li>
</ol>
<p class="hint">No e-mail within ten minutes? Please look in the spam folder, or <a href="/r/new">ask for a new link</a>.</p>
<p>Kit: <span class="code">${kitId}</span></p>`,
  })
}

type Closed = Exclude<RegistrationStatus, 'open'>
const closed: Record<Closed, { title: string; body: Part }> = {
  registered: {
    title: 'This kit is already registered',
    body: html`<p>If it was you who registered it, you have an e-mail with a link that shows where it is, and your report once it is ready.</p>
<p>If you cannot find that e-mail, we send you a new one.</p>
<a class="button" href="/r/new">Get a new link</a>
<p class="hint">You did not register it, and nobody in your home did? Then please do not use it, and tell us.</p>`,
  },
  canceled: {
    title: 'This kit was canceled',
    body: html`<p>It can no longer be used. Please do not take a sample with it: it would not be tested.</p>
<p>If you did not expect this, please ask us.</p>`,
  },
  unpaid: {
    title: 'This kit is not ready yet',
    body: html`<p>It cannot be registered at the moment. It is nothing that you did.</p>
<p>Please try again tomorrow, or ask us.</p>`,
  },
  closed: {
    title: 'This kit cannot be registered any more',
    body: html`<p>Its sample has been dealt with already. Please ask us for a new kit.</p>`,
  },
}

/** A kit that cannot be registered, without a word of whose it is. */
export const closedPage = (why: Closed, paper: Paper): Html =>
  page({ title: closed[why].title, paper, body: html`<h1>${closed[why].title}</h1>${closed[why].body}` })

/** Registering was refused for a reason that only a person can look into. */
export const refusedPage = (paper: Paper): Html =>
  page({
    title: 'We could not register this kit',
    paper,
    body: html`<h1>We could not register this kit</h1>
<p>Your details do not fit what we know about it. Nothing was kept. Please ask us: a person has to look at it.</p>`,
  })
