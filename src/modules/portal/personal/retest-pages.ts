import type { Page, PageAnswer } from '../../../platform/http/pages.ts'
import { addresseeOf, maybeFindRetest } from '../retest/find.ts'
import { readAddress, typedAddress } from '../retest/form.ts'
import { orderRetest } from '../retest/order.ts'
import { orderedPage, refusedPage, retestPage } from '../view/retest.ts'
import { missing, personal, wantedReport } from './reader.ts'

const path = '/r/reports/:reportID/retest'

/** Where a person orders the test of a report again. */
export const retestPages: readonly Page[] = [
  {
    method: 'GET',
    path,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const retest = await maybeFindRetest(tx, customerId, wantedReport(request).reportId)
        if (!retest) return missing(paper)
        const token = request.formToken()
        const image = paper.logoUrl
        const addressee = await addresseeOf(tx, retest, [paper.t.language])
        if (retest.open) return { html: orderedPage(paper, token, retest, addressee), image }
        if (request.query.refused !== undefined) return { html: refusedPage(paper, token, retest), image }
        const filled = { paper, typed: typedAddress(addressee.address), problems: new Map<string, string>() }
        return { html: retestPage({ token, filled, retest, addressee }), image }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        const retest = await maybeFindRetest(tx, customerId, reportId)
        if (!retest) return missing(paper)
        const to = `/r/reports/${reportId}/retest`
        if (retest.open) return { to }
        const addressee = await addresseeOf(tx, retest, [paper.t.language])
        const read = readAddress(request.form, paper.t)
        if ('problems' in read) {
          // No address has what was typed: the page is shown at once.
          const filled = { paper, typed: typedAddress(request.form), problems: read.problems }
          const html = retestPage({ token: request.formToken(), filled, retest, addressee })
          return { html, status: 400, image: paper.logoUrl }
        }
        const { firstName, lastName, email, phone } = addressee
        const recipient = { firstName, lastName, email, ...(phone && { phone }), address: read.address }
        return (await orderRetest(tx, retest, recipient)) === 'ordered' ? { to } : { to: `${to}?refused` }
      })
      return answer ?? { to: '/r' }
    },
  },
]
