import type { Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import { missing, personal } from '../../portal/personal/reader.ts'
import { DATA_PATH } from '../../portal/view/home.ts'
import { type RequestKind, requestKinds } from './rules.ts'
import { copyFor, requestData, requestsOf } from './service.ts'
import { askPage, dataPage } from './view.ts'

const kindOf = ({ params }: PageRequest): RequestKind | undefined => requestKinds.find((kind) => kind === params.kind)

/** Where a person asks for a copy of their data or for its erasure, and reads the answer. */
export const dataPages: readonly Page[] = [
  {
    method: 'GET',
    path: DATA_PATH,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const requests = await requestsOf(tx, customerId)
        return { html: dataPage(paper, request.formToken(), requests, tx.now), image: paper.logoUrl }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'GET',
    path: `${DATA_PATH}/copy/file`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const copy = await copyFor(tx, customerId)
        if (!copy) return missing(paper)
        const body = JSON.stringify(copy, null, 2)
        return { document: { contentType: 'application/json; charset=utf-8', body, fileName: 'my-data.json' } }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'GET',
    path: `${DATA_PATH}/:kind`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const kind = kindOf(request)
        if (!kind) return missing(paper)
        const requests = await requestsOf(tx, customerId)
        if (requests.some((one) => one.kind === kind && one.status === 'open')) return { to: DATA_PATH }
        return { html: askPage(paper, request.formToken(), kind), image: paper.logoUrl }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: `${DATA_PATH}/:kind`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const kind = kindOf(request)
        if (!kind) return missing(paper)
        await requestData(tx, customerId, kind)
        return { to: DATA_PATH }
      })
      return answer ?? { to: '/r' }
    },
  },
]
