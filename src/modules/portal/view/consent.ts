import { type MessageKey, maybeFindLanguage } from '../../../domain/translations/translator.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import type { Withdrawable, WithdrawalOutcome } from '../../kits/consent/schema.ts'
import { type Block, blocksOf } from '../../kits/consent/text-rules.ts'
import type { Paper } from '../paper.ts'
import { code, page, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

/** A consent text word for word: what stands above its first heading at once, the rest folded. */
export function consentWords({ t, name }: Paper, { text, language }: { text: string; language: string }): Html {
  const blocks = blocksOf(text)
  const first = blocks.findIndex((block) => 'heading' in block)
  const open = first < 0 ? blocks : blocks.slice(0, first)
  const rest = first < 0 ? [] : blocks.slice(first)
  const direction = directionOf(language)
  const turned = direction !== t.direction && html` dir="${direction}"`
  const renderBlocks = (some: readonly Block[]) => html`<div lang="${language}"${turned}>${some.map(blockOf)}</div>`
  const isOther = maybeFindLanguage([language]) !== t.language
  return html`${isOther && html`<p class="hint">${t('consent.otherLanguage', { language: t.languageName(language), business: name })}</p>`}${renderBlocks(open)}${
    rest.length > 0 &&
    html`<details${open.length === 0 && html` open`}><summary>${t('register.consent.full')}</summary><div class="folded small">${renderBlocks(rest)}</div></details>`
  }`
}

// A business may write its text in any language.
const directionOf = (language: string) =>
  ['ar', 'fa', 'he', 'ps', 'ur', 'yi'].includes(language.split('-')[0] ?? '') ? 'rtl' : 'ltr'

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

const taken: Record<Withdrawable, MessageKey> = {
  testing: 'consent.tookTesting',
  research: 'consent.tookResearch',
}

/** What somebody agreed to, and how to take it back. */
export function givenConsentPage(paper: Paper, token: string, given: GivenConsent, isDone: boolean): Html {
  const { t } = paper
  const { kitId, agreedAt, words, testing, research, withdrawals } = given
  const kit = code(kitId)
  const date = agreedAt && html`<time datetime="${agreedAt.slice(0, 10)}">${t.date(agreedAt)}</time>`
  return page({
    title: t('consent.title'),
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${t('consent.title')}</h1>
<p>${date ? t.rich('consent.kitOn', { kit, date }) : t.rich('consent.kit', { kit })}</p>
${isDone && html`<div class="note" role="status"><h2>${t('consent.done')}</h2><p>${t('consent.done.next')}</p></div>`}
${withdrawals.map(({ what, at }) => html`<p class="note">${t(taken[what], { date: t.date(at) })}</p>`)}
${words ? consentWords(paper, words) : html`<p>${t('consent.elsewhere', { business: paper.name })}</p>`}
<h2>${t('consent.research')}</h2>
<p>${t(research ? 'consent.research.yes' : 'consent.research.no')}</p>
${research && html`<a class="button quiet" href="/r/kits/${kitId}/consent/research">${t('consent.research.stop')}</a>`}
${
  testing &&
  html`<h2>${t('consent.testing')}</h2>
<p>${t('consent.testing.how')}</p>
<a class="button quiet" href="/r/kits/${kitId}/consent/testing">${t('consent.testing.stop')}</a>`
}
<a class="back" href="/r">${t('page.backToKit')}</a>`,
  })
}

const follows: Record<GivenConsent['outcome'], readonly MessageKey[]> = {
  notRegistered: ['consent.follows.notRegistered'],
  stopped: ['consent.follows.stopped', 'consent.follows.stopped.kit'],
  underWay: ['consent.follows.underWay', 'consent.follows.underWay.kit'],
  received: ['consent.follows.received', 'consent.follows.received.kept'],
}

/** What follows from a withdrawal, before it is confirmed. */
export function withdrawPage(paper: Paper, token: string, what: Withdrawable, given: GivenConsent): Html {
  const { t } = paper
  const { kitId, outcome, research } = given
  const isWhole = what === 'testing'
  const title = t(isWhole ? 'consent.askTesting' : 'consent.askResearch')
  const points: readonly MessageKey[] = isWhole
    ? [...follows[outcome], ...(research ? (['consent.follows.sharing'] as const) : []), 'consent.follows.details']
    : ['consent.follows.sharing', 'consent.follows.testGoesOn']
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t.rich('consent.follows', { kit: code(kitId) })}</p>
<ul>${points.map((point) => html`<li>${t(point, { business: paper.name })}</li>`)}</ul>
<form method="post" action="/r/kits/${kitId}/consent/${what}">${tokenField(token)}
<button class="button">${t(isWhole ? 'consent.testing.stop' : 'consent.research.stop')}</button>
</form>
<a class="back" href="/r/kits/${kitId}/consent">${t('consent.leave')}</a>`,
  })
}
