import type { Page, PageAnswer } from '../../../platform/http/pages.ts'
import { phoneOf } from '../../text-messages/rules.ts'
import * as texts from '../../text-messages/service.ts'
import { TEXTS_PATH, termsOf, textsPage } from '../view/texts.ts'
import { filledOf, personal } from './reader.ts'

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
