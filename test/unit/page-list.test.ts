import { expect, it } from 'vitest'
import { routeOf, routes } from '../harness/page-routes.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  type PageIds,
  personPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'

// Any ID: the paths are compared, not opened.
const ids: PageIds = {
  ...{ clinic: { id: 'biz' }, orderId: 'o', kitId: 'k', customerId: 1, reportId: 'r', reviewId: 'v', endpointId: 'e' },
  ...{ jobId: 'j', planId: 'p', docId: 'd', emailId: 'm', requestId: 'q', link: '/r' },
}
const shown: ShownPage[] = [
  ...entryPages,
  ...personPages,
  ...businessPages(ids),
  ...sandboxPages(ids),
  ...operatorPages(ids),
]

it('every page of the dashboard is one that tests open in the browser: none is forgotten', () => {
  const opened = new Set(shown.map((page) => routeOf(page)?.path))
  expect(routes.length).toBeGreaterThan(70)
  expect(routes.filter(({ path }) => !opened.has(path))).toEqual([])
})

it('every page that tests open is one of the dashboard, and its folder is known', () => {
  expect(shown.filter((page) => !routeOf(page)?.folder)).toEqual([])
})
