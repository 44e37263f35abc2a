import { text } from '../../../platform/http/fields.ts'
import type { Page, PageAnswer } from '../../../platform/http/pages.ts'
import * as shares from '../../links/shares.ts'
import { sharePage } from '../view/share.ts'
import { filledOf, missing, personal, wantedReport } from './reader.ts'
import { isPublishedReport } from './views.ts'

// Long enough to copy it. It is in the cookie, since an address would end up in histories and logs.
const SHOWN_SECONDS = 600
const COOKIE = 'new-share'
const forWhom = text(120)

/** Where a person makes, sees and ends links to a report. */
export const sharePages: readonly Page[] = [
  {
    method: 'GET',
    path: '/r/reports/:reportID/share',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        if (!(await isPublishedReport(tx, customerId, reportId)) || !tx.context.publicUrl) return missing(paper)
        const all = await shares.listShares(tx, customerId, reportId)
        const [madeId, secret] = (request.cookie(COOKIE) ?? '').split('.')
        const made = all.find(({ id, expiresAt }) => id === madeId && expiresAt > tx.now)
        const shown = made && secret ? { ...made, url: `${tx.context.publicUrl}/s/${secret}` } : undefined
        const around = { token: request.formToken(), filled: filledOf(paper, request), reportId, now: tx.now }
        return {
          html: sharePage({ ...around, shares: all, made: shown }),
          image: paper.logoUrl,
        }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: '/r/reports/:reportID/share',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        if (!(await isPublishedReport(tx, customerId, reportId)) || !tx.context.publicUrl) return missing(paper)
        const path = `/r/reports/${reportId}/share`
        const named = forWhom.safeParse(request.form.forWhom ?? '')
        if (!named.success) return { to: `${path}?problem=forWhom` }
        const days = request.form.days === '30' ? 30 : 7
        const made = await shares.share(tx, { customerId, reportId, forWhom: named.data, days })
        if (!made) return { to: `${path}?problem=tooMany` }
        const cookie = { name: COOKIE, value: `${made.id}.${made.secret}`, maxAgeSeconds: SHOWN_SECONDS }
        return { to: path, cookies: [cookie] }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: '/r/reports/:reportID/share/:shareID/end',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        await shares.revokeShare(tx, customerId, reportId, (request.params.shareID ?? '').slice(0, 64))
        return { to: `/r/reports/${reportId}/share` }
      })
      return answer ?? { to: '/r' }
    },
  },
]
