import { type Html, html } from '../../../platform/http/html.ts'
import type { Page, PageAnswer } from '../../../platform/http/pages.ts'
import { phoneOf } from '../../text-messages/rules.ts'
import type { TextConsent } from '../../text-messages/schema.ts'
import * as texts from '../../text-messages/service.ts'
import type { Paper } from '../paper.ts'
import { type Filled, field } from '../view/fields.ts'
import { TEXTS_PATH } from '../view/home.ts'
import { page, problemList, titleOf, tokenField } from '../view/layout.ts'
import { leaveForm } from '../view/reader.ts'
import { filledOf, personal } from './reader.ts'

/** What a person agrees to who wants text messages; kept word for word. */
const termsOf = ({ t, name }: Paper): string => t('texts.terms', { business: name })

/** Where a person agrees to text messages, and stops them. */
function textsPage(token: string, filled: Filled, consent: TextConsent | undefined): Html {
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

/** Where a person agrees to text messages, and stops them. */
export const textPages: readonly Page[] = [
  {
    method: 'GET',
    path: TEXTS_PATH,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const consent = await texts.maybeFindTextConsent(tx, customerId)
        return { html: textsPage(request.formToken(), filledOf(paper, request), consent), image: paper.logoUrl }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: TEXTS_PATH,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const phone = phoneOf((request.form.phone ?? '').slice(0, 40))
        if (!phone) return { to: `${TEXTS_PATH}?problem=phone` }
        const given = { phone, wording: termsOf(paper), ip: request.ip, source: 'page' as const, at: tx.now }
        const isAgreed = await texts.agreeOnPage(tx, customerId, given)
        return { to: isAgreed ? TEXTS_PATH : `${TEXTS_PATH}?problem=stopped` }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: `${TEXTS_PATH}/end`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }): Promise<PageAnswer> => {
        await texts.end(tx, customerId, 'person')
        return { to: TEXTS_PATH }
      })
      return answer ?? { to: '/r' }
    },
  },
]
