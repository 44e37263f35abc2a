import type { Page } from '../app/page.ts'

/** The business's pages, by path below /app/b/<business>/<mode>. */
export const businessPages: Page[] = [
  { path: '/', load: async () => (await import('./overview/overview.tsx')).OverviewPage },
  { path: '/orders', load: async () => (await import('./orders/order-list.tsx')).OrderListPage },
  { path: '/orders/new', load: async () => (await import('./orders/new-order.tsx')).NewOrderPage },
  { path: '/orders/$orderID', load: async () => (await import('./orders/order-page.tsx')).OrderPage },
  { path: '/kits', load: async () => (await import('./kits/kit-list.tsx')).KitListPage },
  { path: '/kits/$kitID', load: async () => (await import('./kits/kit-page.tsx')).KitPage },
  { path: '/bulk', load: async () => (await import('./bulk/bulk-list.tsx')).BulkListPage },
  { path: '/bulk/new', load: async () => (await import('./bulk/new-bulk.tsx')).NewBulkPage },
  { path: '/bulk/$jobID', load: async () => (await import('./bulk/bulk-page.tsx')).BulkPage },
  { path: '/customers', load: async () => (await import('./customers/customer-list.tsx')).CustomerListPage },
  { path: '/customers/$customerID', load: async () => (await import('./customers/customer-page.tsx')).CustomerPage },
  {
    path: '/customers/$customerID/reports/$reportID',
    load: async () => (await import('./reports/report-page.tsx')).CustomerReportPage,
  },
  { path: '/reports', load: async () => (await import('./reports/report-list.tsx')).ReportListPage },
  { path: '/reports/unassessed', load: async () => (await import('./reports/unassessed-page.tsx')).UnassessedPage },
  { path: '/reports/$reportID', load: async () => (await import('./reports/report-page.tsx')).ReportPage },
  { path: '/uploads', load: async () => (await import('./uploads/upload-list.tsx')).UploadListPage },
  { path: '/uploads/$docID', load: async () => (await import('./uploads/upload-page.tsx')).UploadPage },
  { path: '/billing', load: async () => (await import('./billing/billing.tsx')).BillingPage },
  { path: '/developers', load: async () => (await import('./developers/start.tsx')).DevelopersPage },
  { path: '/developers/tokens', load: async () => (await import('./developers/tokens.tsx')).TokensPage },
  { path: '/developers/webhooks', load: async () => (await import('./developers/webhook-list.tsx')).WebhookListPage },
  {
    path: '/developers/webhooks/$endpointID',
    load: async () => (await import('./developers/webhook-page.tsx')).WebhookPage,
  },
  { path: '/developers/events', load: async () => (await import('./developers/events.tsx')).EventsPage },
  { path: '/developers/sandbox', load: async () => (await import('./developers/sandbox.tsx')).SandboxPage },
  { path: '/settings', load: async () => (await import('./settings/settings.tsx')).SettingsPage },
  { path: '/settings/team', load: async () => (await import('./settings/team.tsx')).TeamPage },
  { path: '/settings/audit', load: async () => (await import('./settings/audit.tsx')).AuditPage },
]
