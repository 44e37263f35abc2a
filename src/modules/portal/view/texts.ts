import { type Html, html } from '../../../platform/http/html.ts'
import type { TextConsent } from '../../text-messages/schema.ts'
import type { Paper } from '../paper.ts'
import { type Filled, field } from './fields.ts'
import { page, problemList, titleOf, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

export const TEXTS_PATH = '/r/texts'

/** What a person agrees to who wants text messages; kept word for word. */
export const termsOf = ({ t, name }: Paper): string => t('texts.terms', { business: name })

/** Where a person agrees to text messages, and stops them. */
export function textsPage(token: string, filled: Filled, consent: TextConsent | undefined): Html {
  const { paper, problems } = filled
  const { t } = paper
  const title = t('texts.title')
  const form = html`<form method="post" action="${TEXTS_PATH}" novalidate>${tokenField(token)}
${field(filled, { name: 'phone', label: t('texts.number'), hint: t('texts.numberHint'), type: 'tel', autocomplete: 'tel' })}
<p class="small">${termsOf(paper)}</p>
<button class="button">${t('texts.agree')}</button>
</form>`
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems)}<h1>${title}</h1>
<p>${t('texts.intro')}</p>
${consent && !consent.endedDate ? active(paper, token, consent) : html`${consent?.endedDate && html`<p>${t('texts.ended', { date: t.date(consent.endedDate) })}</p>`}${form}`}
<a class="back" href="/r">${t('page.backToKit')}</a>`,
  })
}

const active = ({ t }: Paper, token: string, { phone, agreedDate }: TextConsent): Html =>
  html`<div class="note"><p>${t.rich('texts.on', { number: html`<bdi dir="ltr">${phone}</bdi>` })}</p>
<p class="hint">${t('texts.since', { date: t.date(agreedDate) })}</p></div>
<form method="post" action="${TEXTS_PATH}/end">${tokenField(token)}<button class="button">${t('texts.end')}</button></form>`
