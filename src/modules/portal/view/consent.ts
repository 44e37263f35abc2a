import { dateText } from '@kitlane/display/report-text'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Withdrawable, WithdrawalOutcome } from '../../kits/consent/schema.ts'
import { type Block, blocksOf } from '../../kits/consent/text-rules.ts'
import type { Paper } from '../paper.ts'
import { page, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

/** A consent text word for word: what stands above its first heading at once, the rest folded. */
export function consentWords({ text, language }: { text: string; language: string }): Html {
  const blocks = blocksOf(text)
  const first = blocks.findIndex((block) => 'heading' in block)
  const open = first < 0 ? blocks : blocks.slice(0, first)
  const rest = first < 0 ? [] : blocks.slice(first)
  return html`<div lang="${language}">${open.map(blockOf)}${
    rest.length > 0 &&
    html`<details${open.length === 0 && html` open`}><summary>Read the full text</summary><div class="folded small">${rest.map(blockOf)}</div></details>`
  }</div>`
}

function blockOf(block: Block): Html {
  if ('heading' in block) return html`<h2>${block.heading}</h2>`
  if ('items' in block) return html`<ul>${block.items.map((item) => html`<li>${item}</li>`)}</ul>`
  return html`<p>${block.paragraph}</p>`
}

/** What was agreed for a kit. */
export interface GivenConsent {
  kitId: string
  agreedAt?: string | undefined
  /** Absent: it is kept elsewhere. */
  words?: { text: string; language: string } | undefined
  /** What can be taken back. */
  testing: boolean
  research: boolean
  outcome: Exclude<WithdrawalOutcome, 'researchEnded'>
  withdrawals: readonly { what: Withdrawable; at: string }[]
}

const taken: Record<Withdrawable, string> = {
  testing: 'You took back your consent to the test',
  research: 'You ended the sharing of your results for research',
}

/** What somebody agreed to, and how to take it back. */
export function givenConsentPage(paper: Paper, token: string, given: GivenConsent, isDone: boolean): Html {
  const { kitId, agreedAt, words, testing, research, withdrawals } = given
  return page({
    title: 'What you agreed to',
    paper,
    foot: leaveForm(token),
    body: html`<h1>What you agreed to</h1>
<p>Kit <span class="code">${kitId}</span>${agreedAt && html`, on <time datetime="${agreedAt.slice(0, 10)}">${dateText(agreedAt)}</time>`}</p>
${isDone && html`<div class="note" role="status"><h2>It is done</h2><p>Nothing else is needed from you.</p></div>`}
${withdrawals.map(({ what, at }) => html`<p class="note">${taken[what]}, on ${dateText(at)}.</p>`)}
${words ? consentWords(words) : html`<p>The words are kept by ${paper.name}. Please ask them.</p>`}
<h2>Your results in research</h2>
<p>${research ? 'Your results may be used for research, without your name.' : 'Your results are not used for research.'}</p>
${research && html`<a class="button quiet" href="/r/kits/${kitId}/consent/research">Stop sharing my results</a>`}
${
  testing &&
  html`<h2>Change your mind about the test</h2>
<p>You can take back your consent at any time, without a reason. We first show you what follows.</p>
<a class="button quiet" href="/r/kits/${kitId}/consent/testing">Take back my consent</a>`
}
<a class="back" href="/r">Back to your kit</a>`,
  })
}

const SHARING =
  'From this moment, none of your results is used for research any more. What was used before cannot be called back.'

const follows: Record<GivenConsent['outcome'], readonly string[]> = {
  notRegistered: ['The kit cannot be used until somebody agrees again.'],
  stopped: [
    'The test stops. Please take no sample, and do not post one: it would not be tested.',
    'You get no result from this kit, and it cannot be used by anybody else.',
  ],
  underWay: [
    'The test stops. Your sample is under way: when it arrives, it is not tested but destroyed.',
    'You get no result from this kit.',
  ],
  received: [
    'Your sample has arrived. The laboratory is told that you took back your consent, and begins no further test.',
    'Laboratories must by law keep what they did. So a result that there is, or that is being made now, is kept, and you can still read it here.',
  ],
}

/** What follows from a withdrawal, before it is confirmed. */
export function withdrawPage(paper: Paper, token: string, what: Withdrawable, given: GivenConsent): Html {
  const { kitId, outcome, research } = given
  const isWhole = what === 'testing'
  const title = isWhole ? 'Take back your consent to the test?' : 'Stop sharing your results?'
  const points = isWhole
    ? [
        ...follows[outcome],
        ...(research ? [SHARING] : []),
        `Your details stay with ${paper.name} as long as the law asks. You can ask to have them erased.`,
      ]
    : [SHARING, 'Your test goes on as before, and you can read your report here.']
  return page({
    title,
    paper,
    foot: leaveForm(token),
    body: html`<h1>${title}</h1>
<p>Kit <span class="code">${kitId}</span>. This is what follows:</p>
<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>
<form method="post" action="/r/kits/${kitId}/consent/${what}">${tokenField(token)}
<button class="button">${isWhole ? 'Take back my consent' : 'Stop sharing my results'}</button>
</form>
<a class="back" href="/r/kits/${kitId}/consent">No, leave it as it is</a>`,
  })
}

/** The languages that a text is in, where there are several. */
export function languageChoice(path: string, languages: readonly string[], shown: string): Part {
  if (languages.length < 2) return null
  const nameOf = (tag: string) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  const links = languages.map((tag, index) => {
    const name =
      tag === shown
        ? html`<strong>${nameOf(tag)}</strong>`
        : html`<a href="${path}?language=${tag}" lang="${tag}">${nameOf(tag)}</a>`
    return html`${index > 0 && ' · '}${name}`
  })
  return html`<p class="hint">${links}</p>`
}
