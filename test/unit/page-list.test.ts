import { expect, it } from 'vitest'
import { routeOf, routes, shapeOf } from '../harness/page-routes.ts'
import {
  businessPages,
  entryPages,
  operatorPages,
  type PageIds,
  personPages,
  type ShownPage,
  sandboxPages,
} from '../harness/pages.ts'
import { read, trackedFiles } from '../harness/sources.ts'

// Any ID: the paths are compared, not opened.
const ids: PageIds = {
  clinic: { id: 'biz' },
  orderId: 'o',
  kitId: 'k',
  orderedKitId: 'l',
  customerId: 1,
  reportId: 'r',
  reviewId: 'v',
  endpointId: 'e',
  jobId: 'j',
  planId: 'p',
  shopId: 's',
  docId: 'd',
  boxSerial: 'x',
  recallId: 'rcl_1',
  laboratoryId: 'l',
  emailId: 'm',
  requestId: 'q',
  link: '/r',
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

it('pages that are built of the same parts have one shape: of each one page at least is looked at closely', () => {
  const shapes = Object.fromEntries(shown.map((page) => [page.name, shapeOf(page)]))
  expect(shapes.kits).toBe('b data-table')
  expect(shapes.orders).toBe(shapes.kits)
  expect(shapes['operator-order']).toBe('operator data-table two-columns')
  expect(shapes.pack).toBe('operator station/scan-field')
  expect(new Set(Object.values(shapes)).size).toBeGreaterThan(15)
})

// The test of accessibility opens each button with aria-haspopup="dialog"; what opens by itself is looked at elsewhere.
const DIALOGS: Record<string, string> = {
  'components/confirm-button.tsx': 'by its button',
  'features/customers/new-customer.tsx': 'by its button',
  'features/identity/new-token.tsx': 'by its button',
  'features/identity/sso/connection-form.tsx': 'by its button',
  'features/identity/support-receipt.tsx': 'by its button',
  'features/identity/team-page.tsx': 'by its button',
  'features/payments/buy-credits.tsx': 'by its button',
  'features/shops/connect-shop.tsx': 'by its button',
  'features/webhooks/endpoint-form.tsx': 'by its button',
  'components/secret-dialog.tsx': 'business.test.ts',
  'features/approvals/approvals-page.tsx': 'approvals.test.ts',
  'features/identity/support-access.tsx': 'operator.test.ts',
  'features/lab/assign-dialog.tsx': 'unassessed.test.ts',
  'features/notifiable/notices-page.tsx': 'notices.test.ts',
  'features/reports/critical-results-dialog.tsx': 'review.test.ts',
  'features/reports/publish-normal.tsx': 'review.test.ts',
  'features/reports/review/keys-dialog.tsx': 'review.test.ts',
  'features/reports/review/redraw-dialog.tsx': 'review.test.ts',
  'frame/proof-dialog.tsx': 'sign-in.test.ts',
  // The same kind, with words alone; they come after minutes of rest, or after a message was put on a kit.
  'features/lab/unmatched-page.tsx': 'nowhere',
  'frame/still-there.tsx': 'nowhere',
}

it('every dialog of the dashboard is known, with the test that looks at it', () => {
  const found = read(trackedFiles().filter((path) => /^web\/src\/.*\.tsx$/.test(path)))
    .filter(({ text }) => /<Modal\b/.test(text))
    .map(({ path }) => path.replace('web/src/', ''))
  expect(found.sort()).toEqual(Object.keys(DIALOGS).sort())
})

// Pages of the operator that a business has too, each by a component of its own, because the answers have little in common.
const APART: Record<string, string> = {
  'audit/operator-audit-page.tsx': 'of all businesses, with their seals',
  'customers/operator-person-page.tsx': 'of any business, without results',
  'insights/operator-overview-page.tsx': 'what waits for the operator',
  'kits/operator-kit-page.tsx': 'what the bench needs to know',
  'orders/operator-order-page.tsx': 'of any business, by the scopes of the reader',
}

it('a page that a business and the operator both have is one component, but for those whose answers have little in common', () => {
  const twice = trackedFiles().filter((path) => /^web\/src\/features\/.*\/operator-[\w-]+-page\.tsx$/.test(path))
  const message = 'Make it one page, which asks the routes that useApi() names, or say in APART what differs'
  expect(twice.map((path) => path.replace('web/src/features/', '')).sort(), message).toEqual(Object.keys(APART).sort())
})
