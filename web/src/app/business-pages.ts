import type { Page } from './page.ts'

/** The business's pages, by path below /app/b/<business>/<mode>. */
export const businessPages: Page[] = [
  { path: '/', load: async () => (await import('../features/insights/overview-page.tsx')).OverviewPage },
  {
    path: '/numbers',
    load: async () => (await import('../features/insights/numbers/numbers-page.tsx')).NumbersPage,
  },
  { path: '/orders', load: async () => (await import('../features/orders/order-list-page.tsx')).OrderListPage },
  { path: '/orders/new', load: async () => (await import('../features/orders/new-order-page.tsx')).NewOrderPage },
  { path: '/orders/$orderID', load: async () => (await import('../features/orders/order-page.tsx')).OrderPage },
  { path: '/plans', load: async () => (await import('../features/plans/plan-list-page.tsx')).PlanListPage },
  { path: '/plans/new', load: async () => (await import('../features/plans/new-plan-page.tsx')).NewPlanPage },
  { path: '/plans/$planID', load: async () => (await import('../features/plans/plan-page.tsx')).PlanPage },
  {
    path: '/plans/$planID/change',
    load: async () => (await import('../features/plans/change-plan-page.tsx')).ChangePlanPage,
  },
  { path: '/kits', load: async () => (await import('../features/kits/kit-list-page.tsx')).KitListPage },
  { path: '/kits/$kitID', load: async () => (await import('../features/kits/kit-page.tsx')).KitPage },
  {
    path: '/undelivered',
    load: async () => (await import('../features/undelivered/undelivered-page.tsx')).UndeliveredPage,
  },
  {
    path: '/held-samples',
    load: async () => (await import('../features/holds/business-holds-page.tsx')).BusinessHoldsPage,
  },
  {
    path: '/recalled-kits',
    load: async () => (await import('../features/recalls/business-recalls-page.tsx')).BusinessRecallsPage,
  },
  { path: '/bulk', load: async () => (await import('../features/orders/bulk/bulk-list-page.tsx')).BulkListPage },
  { path: '/bulk/new', load: async () => (await import('../features/orders/bulk/new-bulk-page.tsx')).NewBulkPage },
  { path: '/bulk/$jobID', load: async () => (await import('../features/orders/bulk/bulk-page.tsx')).BulkPage },
  {
    path: '/customers',
    load: async () => (await import('../features/customers/customer-list-page.tsx')).CustomerListPage,
  },
  {
    path: '/customers/requests',
    load: async () => (await import('../features/customers/data-requests-page.tsx')).DataRequestsPage,
  },
  {
    path: '/customers/$customerID',
    load: async () => (await import('../features/customers/customer-page.tsx')).CustomerPage,
  },
  {
    path: '/customers/$customerID/accesses',
    load: async () => (await import('../features/customers/accesses-page.tsx')).AccessesPage,
  },
  {
    path: '/customers/$customerID/reports/$reportID',
    load: async () => (await import('../features/reports/report-page.tsx')).CustomerReportPage,
  },
  { path: '/reports', load: async () => (await import('../features/reports/report-list-page.tsx')).ReportListPage },
  {
    path: '/reports/unassessed',
    load: async () => (await import('../features/reports/unassessed-page.tsx')).UnassessedPage,
  },
  {
    path: '/reports/critical',
    load: async () => (await import('../features/critical/critical-page.tsx')).CriticalPage,
  },
  { path: '/reports/$reportID', load: async () => (await import('../features/reports/report-page.tsx')).ReportPage },
  { path: '/uploads', load: async () => (await import('../features/lab/uploads/upload-list-page.tsx')).UploadListPage },
  { path: '/uploads/$docID', load: async () => (await import('../features/lab/uploads/upload-page.tsx')).UploadPage },
  { path: '/billing', load: async () => (await import('../features/payments/billing-page.tsx')).BillingPage },
  { path: '/developers', load: async () => (await import('../frame/developers-page.tsx')).DevelopersPage },
  { path: '/developers/tokens', load: async () => (await import('../features/identity/tokens-page.tsx')).TokensPage },
  {
    path: '/developers/webhooks',
    load: async () => (await import('../features/webhooks/webhook-list-page.tsx')).WebhookListPage,
  },
  {
    path: '/developers/webhooks/$endpointID',
    load: async () => (await import('../features/webhooks/webhook-page.tsx')).WebhookPage,
  },
  {
    path: '/developers/requests',
    load: async () => (await import('../features/requests/request-list-page.tsx')).RequestListPage,
  },
  {
    path: '/developers/requests/$requestID',
    load: async () => (await import('../features/requests/request-page.tsx')).RequestPage,
  },
  { path: '/developers/shops', load: async () => (await import('../features/shops/shop-list-page.tsx')).ShopListPage },
  { path: '/developers/shops/$shopID', load: async () => (await import('../features/shops/shop-page.tsx')).ShopPage },
  { path: '/developers/events', load: async () => (await import('../features/events/events-page.tsx')).EventsPage },
  { path: '/developers/sandbox', load: async () => (await import('../features/sandbox/sandbox-page.tsx')).SandboxPage },
  { path: '/settings', load: async () => (await import('../features/businesses/settings-page.tsx')).SettingsPage },
  { path: '/settings/consent', load: async () => (await import('../features/consent/consent-page.tsx')).ConsentPage },
  {
    path: '/settings/reminders',
    load: async () => (await import('../features/reminders/reminders-page.tsx')).RemindersPage,
  },
  { path: '/settings/on-call', load: async () => (await import('../features/critical/on-call-page.tsx')).OnCallPage },
  { path: '/settings/team', load: async () => (await import('../features/identity/team-page.tsx')).TeamPage },
  { path: '/settings/support', load: async () => (await import('../features/identity/support-page.tsx')).SupportPage },
  { path: '/settings/sso', load: async () => (await import('../features/identity/sso/sso-page.tsx')).SsoPage },
  { path: '/settings/audit', load: async () => (await import('../features/audit/audit-page.tsx')).AuditPage },
]
