import type { MessageKey } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Paper } from '../paper.ts'
import { dateField, type Filled, field } from './fields.ts'
import { page, problemList, titleOf, tokenField } from './layout.ts'

/** Before anything about a person is shown. */
export function birthPage(token: string, filled: Filled, path = '/r'): Html {
  const { paper, problems } = filled
  const { t } = paper
  const title = t('entry.you')
  return page({
    title: titleOf(paper, title, problems),
    paper,
    body: html`${problemList(paper, problems, () => 'day')}<h1>${title}</h1>
<p>${t('entry.you.why')}</p>
<form method="post" action="${path}" novalidate>${tokenField(token)}
${dateField(filled, t('entry.birth'), t('entry.birthHint'))}
<button class="button">${t('page.continue')}</button>
</form>`,
  })
}

/** A page that says something, in paragraphs. */
function simple(paper: Paper, [title, ...paragraphs]: readonly [MessageKey, ...MessageKey[]], next?: Part): Html {
  const { t } = paper
  const texts = paragraphs.map((key) => html`<p>${t(key)}</p>`)
  return page({ title: t(title), paper, body: html`<h1>${t(title)}</h1>${texts}${next}` })
}

const newLink = ({ t }: Paper): Html => html`<a class="button quiet" href="/r/new">${t('entry.newLink')}</a>`

export const lockedPage = (paper: Paper): Html =>
  simple(paper, ['entry.locked', 'entry.locked.why', 'entry.locked.next'])

export const endedPage = (paper: Paper): Html =>
  simple(paper, ['entry.ended', 'entry.ended.why', 'entry.ended.next'], newLink(paper))

export const signedOutPage = (paper: Paper): Html =>
  simple(paper, ['entry.signedOut', 'entry.signedOut.why', 'entry.signedOut.next'], newLink(paper))

export const leftPage = (paper: Paper): Html => simple(paper, ['entry.left', 'entry.left.why'])

export function askPage(token: string, filled: Filled): Html {
  const { paper, problems } = filled
  const { t } = paper
  const title = t('entry.newLink')
  return page({
    title: titleOf(paper, title, problems),
    paper,
    body: html`${problemList(paper, problems)}<h1>${title}</h1>
<p>${t('entry.newLink.where')}</p>
<form method="post" action="/r/new" novalidate>${tokenField(token)}
${field(filled, { name: 'email', label: t('register.email'), type: 'email', autocomplete: 'email' })}
<button class="button">${t('entry.newLink.send')}</button>
</form>`,
  })
}

export const sentPage = (paper: Paper): Html => simple(paper, ['entry.sent', 'entry.sent.what', 'entry.sent.next'])

/** The way out, at the foot of every page about a person. */
export const leaveForm = ({ t }: Paper, token: string): Html =>
  html`<form method="post" action="/r/leave">${tokenField(token)}<button class="link">${t('page.signOut')}</button></form>`
