import type { PageFixtures } from './page-fixtures.ts'

export interface ShownPage {
  /** The name of its screenshot. */
  name: string
  path: string
}

/** What the paths of pages are made of. */
export type PageIds = Omit<PageFixtures, 'clinic' | 'owner' | 'admin'> & { clinic: { id: string } }

const named = (start: string, pages: Record<string, string>): ShownPage[] =>
  Object.entries(pages).map(([name, path]) => ({ name, path: `${start}${path}` }))

export const entryPages: ShownPage[] = named('/app', {
  'sign-in': '/sign-in',
  forgotten: '/forgotten',
  invitation: '/invitation#x',
  reset: '/reset#x',
  'sso-return': '/sso',
})

export const operatorPages = ({
  clinic,
  orderId,
  kitId,
  customerId,
  docId,
  reviewId,
  emailId,
  boxSerial,
  laboratoryId,
  orderedKitId,
  recallId,
}: PageIds): ShownPage[] =>
  named('/app/operator', {
    'operator-overview': '',
    board: '?board=1',
    'operator-order': `/orders/${orderId}`,
    'operator-person': `/businesses/${clinic.id}/customers/${customerId}`,
    pack: '/pack',
    'ship-by-csv': '/pack/csv',
    'came-back': '/came-back',
    approvals: '/approvals',
    stock: '/stock',
    lots: '/lots',
    lot: '/lots/R4711',
    recalls: '/recalls',
    recall: `/recalls/${recallId}`,
    'stock-box': `/stock/${boxSerial}`,
    intake: '/intake',
    'held-samples': '/held-samples',
    'send-results-in': '/results',
    unmatched: '/unmatched',
    'withdrawn-consents': '/withdrawn',
    'consent-texts': '/consent-texts',
    'review-list': '/review',
    review: `/review/${reviewId}`,
    'operator-critical': '/critical',
    'operator-unassessed': '/unassessed',
    notices: '/notices',
    'notifiable-rules': '/notices?view=rules',
    'uploads-to-read': '/uploads',
    'upload-to-read': `/uploads/${docId}`,
    'operator-kit': `/kits/${kitId}`,
    parcels: '/parcels',
    businesses: '/businesses',
    'business-new': '/businesses/new',
    business: `/businesses/${clinic.id}`,
    catalogue: '/catalogue?q=cholesterol',
    panels: '/catalogue?tab=panels',
    biomarker: '/catalogue/ldl',
    laboratories: '/laboratories',
    'laboratory-connection': `/laboratories/${laboratoryId}/orders`,
    labels: '/labels',
    'label-accounts': '/label-accounts',
    warehouses: '/warehouses',
    'lab-orders': '/lab-orders',
    'lab-order': `/lab-orders/${orderedKitId}`,
    layouts: '/layouts',
    mail: '/mail',
    email: `/mail/${emailId}`,
    jobs: '/jobs',
    staff: '/staff',
    'access-review': '/access-review',
    alarms: '/alarms',
    retention: '/retention',
    'operator-single-sign-on': '/sso',
    'operator-audit': '/audit?size=10',
    backups: '/backups',
    'operator-numbers': '/numbers?by=business',
    system: '/system',
  })

export const businessPages = ({
  clinic,
  orderId,
  kitId,
  customerId,
  reportId,
  jobId,
  planId,
  shopId,
  docId,
  endpointId,
  requestId,
}: PageIds): ShownPage[] =>
  named(`/app/b/${clinic.id}/live`, {
    overview: '',
    numbers: '/numbers',
    'numbers-by-panel': '/numbers?per=month&by=panel',
    'numbers-empty': '/numbers?from=2020-01-01&to=2020-01-31',
    orders: '/orders?size=10',
    'orders-oldest': '/orders?sort=createdDate',
    'order-new': '/orders/new',
    order: `/orders/${orderId}`,
    kits: '/kits?size=10',
    kit: `/kits/${kitId}`,
    undelivered: '/undelivered',
    'held-samples': '/held-samples',
    'held-samples-none': '/held-samples?state=discarded',
    'recalled-kits': '/recalled-kits',
    bulk: '/bulk',
    'bulk-new': '/bulk/new',
    'bulk-job': `/bulk/${jobId}`,
    plans: '/plans',
    'plan-new': '/plans/new',
    plan: `/plans/${planId}`,
    'plan-change': `/plans/${planId}/change`,
    shops: '/developers/shops',
    shop: `/developers/shops/${shopId}`,
    customers: '/customers',
    'data-requests': '/customers/requests',
    customer: `/customers/${customerId}`,
    accesses: `/customers/${customerId}/accesses`,
    reports: '/reports',
    report: `/reports/${reportId}`,
    'report-of-customer': `/customers/${customerId}/reports/${reportId}`,
    critical: '/reports/critical',
    unassessed: '/reports/unassessed',
    uploads: '/uploads',
    upload: `/uploads/${docId}`,
    billing: '/billing',
    tokens: '/developers/tokens',
    webhooks: '/developers/webhooks',
    webhook: `/developers/webhooks/${endpointId}`,
    requests: '/developers/requests',
    request: `/developers/requests/${requestId}`,
    events: '/developers/events?size=10',
    settings: '/settings',
    reminders: '/settings/reminders',
    'on-call': '/settings/on-call',
    'consent-texts-own': '/settings/consent',
    team: '/settings/team',
    support: '/settings/support',
    'single-sign-on': '/settings/sso',
    audit: '/settings/audit?size=10',
  })

export const sandboxPages = ({ clinic }: PageIds): ShownPage[] =>
  named(`/app/b/${clinic.id}/sandbox`, { sandbox: '/developers/sandbox' })

export const personPages: ShownPage[] = named('/app', { account: '/account' })

export const recipientPages = ({ kitId, link }: PageIds): ShownPage[] =>
  named('', {
    'recipient-start': '/k',
    'recipient-kit': `/k/${kitId}`,
    'recipient-consent': `/k/${kitId}/consent`,
    'recipient-link': link,
  })
