import { nameOfLanguage } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { ConsentText } from '../../kits/consent/schema.ts'
import type { Paper } from '../paper.ts'
import type { Draft } from '../registration/register.ts'
import { consentWords } from './consent.ts'
import { type Filled, field, tickField } from './fields.ts'
import { address, code, page, problemList, titleOf, tokenField } from './layout.ts'

const boxArt = (
  words: string,
): Html => html`<svg class="box-art" viewBox="0 0 320 170" role="img" aria-label="${words}">
<path class="art-face" d="M40 48 160 14l120 34-120 36z"/><path class="art-face" d="M40 48v72l120 38V84z"/><path class="art-face" d="M280 48v72l-120 38V84z"/>
<rect class="art-label" x="74" y="22" width="172" height="86" rx="8"/>
<path class="art-ink" d="M90 36h12v12H90zM110 36h4v12h-4zM118 36h12v12h-12zM90 52h12v4H90zM106 52h8v4h-8zM118 54h12v4h-12zM90 62h12v12H90zM106 62h4v4h-4zM112 68h6v6h-6zM122 62h8v4h-8zM124 70h6v4h-6z"/>
<rect class="art-ink" x="146" y="40" width="84" height="6" rx="3" opacity=".35"/><rect class="art-ink" x="146" y="54" width="62" height="6" rx="3" opacity=".35"/>
<text class="art-code" x="160" y="98" text-anchor="middle">K7Q4M2XT9C</text></svg>`

/** A tag of a message that leads to an address. */
const linkTo =
  (path: string) =>
  (parts: readonly Part[]): Html =>
    html`<a href="${path}">${parts}</a>`

/** Where the ID of a box is typed in. */
export function enterPage(paper: Paper, typed = '', problem?: string): Html {
  const { t } = paper
  const problems = new Map(problem ? [['kit', problem]] : [])
  return page({
    title: titleOf(paper, t('enter.title'), problems),
    paper,
    body: html`${problemList(paper, problems)}<h1>${t('enter.title')}</h1>
<p>${t('enter.intro')}</p>
${boxArt(t('enter.box'))}
<form method="get" action="/k">
${field({ paper, typed: { kit: typed }, problems }, { name: 'kit', label: t('enter.id'), hint: t('enter.idHint'), isCode: true })}
<button class="button">${t('page.continue')}</button>
</form>
<p class="hint">${t.rich('enter.registered', { link: linkTo('/r/new') })}</p>`,
  })
}

/** `registerBy`: the last day on which it can be registered, of a kit in a sealed box. */
export function startPage(kitId: string, paper: Paper, registerBy?: string): Html {
  const { t } = paper
  return page({
    title: t('start.title'),
    paper,
    body: html`<h1>${t('start.heading')}</h1>
<p>${t.rich('start.intro', { kit: code(kitId) })}</p>
<ol class="four">
<li><strong>${t('start.agree')}</strong> ${t('start.agree.text')}</li>
<li><strong>${t('start.who')}</strong> ${t('start.who.text')}</li>
<li><strong>${t('start.sample')}</strong> ${t('start.sample.text')}</li>
<li><strong>${t('start.report')}</strong> ${t('start.report.text')}</li>
</ol>
<p>${t('start.order')}</p>
${registerBy ? html`<p>${t('start.registerBy', { date: t.date(registerBy) })}</p>\n` : ''}<a class="button" href="/k/${kitId}/consent">${t('start.begin')}</a>`,
  })
}

export interface Step extends Filled {
  kitId: string
  token: string
}

/** Which step of the registration a page is. */
export const stage = ({ t }: Paper, number: number): Html =>
  html`<p class="stage">${t('register.step', { number })}</p>`

/** Where the problem of a field leads. */
export const idOf = (name: string): string => (name === 'dateOfBirth' ? 'day' : name)

export interface ConsentStep extends Step {
  text: ConsentText
  languages: readonly string[]
}

export function consentPage(step: ConsentStep): Html {
  const { kitId, paper, token, problems, text, languages } = step
  const { t } = paper
  return page({
    title: titleOf(paper, t('register.consent'), problems),
    paper,
    body: html`${problemList(paper, problems, idOf)}${stage(paper, 1)}<h1>${t('register.consent')}</h1>
${languageChoice(`/k/${kitId}/consent`, languages, text.language)}
${consentWords(paper, text)}
<form method="post" action="/k/${kitId}/consent">${tokenField(token)}
<input type="hidden" name="consentVersion" value="${text.id}">
${tickField(step, 'consentToTesting', t('register.consent.testing'))}
${tickField(step, 'consentForResearch', t('register.consent.research'))}
<button class="button">${t('page.continue')}</button>
</form>
<a class="back" href="/k/${kitId}">${t('page.back')}</a>`,
  })
}

/** The languages that a text is in, where there are several. */
function languageChoice(path: string, languages: readonly string[], shown: string): Part {
  if (languages.length < 2) return null
  const links = languages.map((tag, index) => {
    const name =
      tag === shown
        ? html`<strong>${nameOfLanguage(tag)}</strong>`
        : html`<a href="${path}?language=${tag}" lang="${tag}">${nameOfLanguage(tag)}</a>`
    return html`${index > 0 && ' · '}${name}`
  })
  return html`<p class="hint">${links}</p>`
}

export function donePage(kitId: string, paper: Paper, { email, isDoubtful }: NonNullable<Draft['done']>): Html {
  const { t } = paper
  const to = html`<strong>${address(email)}</strong>`
  const kit = html`<p>${t.rich('register.kit', { kit: code(kitId) })}</p>`
  if (isDoubtful) {
    return page({
      title: t('register.doubt'),
      paper,
      body: html`<h1>${t('register.doubt.heading')}</h1>
<p class="note warn">${t('register.doubt.wait')}</p>
<p>${t.rich('register.doubt.email', { email: to })}</p>
${kit}`,
    })
  }
  return page({
    title: t('register.done'),
    paper,
    body: html`<h1>${t('register.done.heading')}</h1>
<p>${t.rich('register.done.email', { email: to })}</p>
<h2>${t('register.done.next')}</h2>
<ol class="four">
<li><strong>${t('register.done.take')}</strong> ${t('register.done.take.text')}</li>
<li><strong>${t('register.done.tube')}</strong> ${t('register.done.tube.text')}</li>
<li><strong>${t('register.done.post')}</strong> ${t('register.done.post.text')}</li>
<li><strong>${t('register.done.wait')}</strong> ${t('register.done.wait.text')}</li>
</ol>
<p class="hint">${t.rich('register.done.noEmail', { link: linkTo('/r/new') })}</p>
${kit}`,
  })
}
