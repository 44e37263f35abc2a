import type { Page } from '../app/page.ts'

/** The operator's pages, by path below /app/operator. */
export const operatorPages: Page[] = [
  { path: '/', load: async () => (await import('./overview.tsx')).OverviewPage },
  { path: '/pack', load: async () => (await import('./pack/pack-page.tsx')).PackPage },
  { path: '/pack/csv', load: async () => (await import('./pack/csv-page.tsx')).ShipByCsvPage },
  { path: '/intake', load: async () => (await import('./intake/intake-page.tsx')).IntakePage },
  { path: '/results', load: async () => (await import('./lab/results-page.tsx')).ResultsPage },
  { path: '/unmatched', load: async () => (await import('./lab/unmatched-page.tsx')).UnmatchedPage },
  { path: '/review', load: async () => (await import('./review/review-list-page.tsx')).ReviewListPage },
  { path: '/unassessed', load: async () => (await import('./review/unassessed-page.tsx')).UnassessedPage },
  { path: '/review/$reportID', load: async () => (await import('./review/review-page.tsx')).ReviewPage },
  { path: '/uploads', load: async () => (await import('./uploads/uploads-page.tsx')).UploadsPage },
  { path: '/uploads/$docID', load: async () => (await import('./uploads/upload-page.tsx')).UploadPage },
  { path: '/kits/$kitID', load: async () => (await import('./kits/kit-page.tsx')).OperatorKitPage },
  { path: '/parcels', load: async () => (await import('./system/carrier-events-page.tsx')).CarrierEventsPage },
  { path: '/businesses', load: async () => (await import('./businesses/businesses-page.tsx')).BusinessesPage },
  { path: '/businesses/new', load: async () => (await import('./businesses/new-business-page.tsx')).NewBusinessPage },
  { path: '/businesses/$ofBusiness', load: async () => (await import('./businesses/business-page.tsx')).BusinessPage },
  { path: '/catalogue', load: async () => (await import('./catalogue/catalogue-page.tsx')).CataloguePage },
  { path: '/catalogue/$biomarkerID', load: async () => (await import('./catalogue/biomarker-page.tsx')).BiomarkerPage },
  { path: '/mail', load: async () => (await import('./mail/mail-page.tsx')).MailPage },
  { path: '/mail/$emailID', load: async () => (await import('./mail/email-page.tsx')).EmailPage },
  { path: '/jobs', load: async () => (await import('./system/jobs-page.tsx')).JobsPage },
  { path: '/staff', load: async () => (await import('./people/staff-page.tsx')).StaffPage },
  { path: '/audit', load: async () => (await import('./system/audit-page.tsx')).AuditPage },
  { path: '/system', load: async () => (await import('./system/system-page.tsx')).SystemPage },
]
