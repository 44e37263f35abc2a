import type { Page } from './page.ts'

/** The operator's pages, by path below /app/operator. */
export const operatorPages: Page[] = [
  { path: '/', load: async () => (await import('../features/insights/operator-overview-page.tsx')).OverviewPage },
  {
    path: '/numbers',
    load: async () => (await import('../features/insights/numbers/numbers-page.tsx')).NumbersPage,
  },
  { path: '/pack', load: async () => (await import('../features/fulfilment/pack-page.tsx')).PackPage },
  { path: '/pack/csv', load: async () => (await import('../features/fulfilment/ship-by-csv-page.tsx')).ShipByCsvPage },
  {
    path: '/came-back',
    load: async () => (await import('../features/undelivered/came-back-page.tsx')).CameBackPage,
  },
  {
    path: '/approvals',
    load: async () => (await import('../features/approvals/approvals-page.tsx')).ApprovalsPage,
  },
  { path: '/stock', load: async () => (await import('../features/stock/stock-page.tsx')).StockPage },
  { path: '/stock/$code', load: async () => (await import('../features/stock/box-page.tsx')).BoxPage },
  { path: '/lots', load: async () => (await import('../features/recalls/lots-page.tsx')).LotsPage },
  { path: '/lots/$lot', load: async () => (await import('../features/recalls/lot-page.tsx')).LotPage },
  { path: '/recalls', load: async () => (await import('../features/recalls/recalls-page.tsx')).RecallsPage },
  { path: '/recalls/$recallID', load: async () => (await import('../features/recalls/recall-page.tsx')).RecallPage },
  { path: '/intake', load: async () => (await import('../features/lab/intake/intake-page.tsx')).IntakePage },
  {
    path: '/held-samples',
    load: async () => (await import('../features/holds/held-samples-page.tsx')).HeldSamplesPage,
  },
  { path: '/results', load: async () => (await import('../features/lab/results-page.tsx')).ResultsPage },
  { path: '/unmatched', load: async () => (await import('../features/lab/unmatched-page.tsx')).UnmatchedPage },
  { path: '/review', load: async () => (await import('../features/reports/review-list-page.tsx')).ReviewListPage },
  {
    path: '/unassessed',
    load: async () => (await import('../features/reports/unassessed-page.tsx')).UnassessedPage,
  },
  { path: '/notices', load: async () => (await import('../features/notifiable/notices-page.tsx')).NoticesPage },
  {
    path: '/critical',
    load: async () => (await import('../features/critical/critical-page.tsx')).CriticalPage,
  },
  {
    path: '/review/$reportID',
    load: async () => (await import('../features/reports/review/review-page.tsx')).ReviewPage,
  },
  {
    path: '/uploads',
    load: async () => (await import('../features/lab/uploads/upload-list-page.tsx')).UploadListPage,
  },
  {
    path: '/uploads/$docID',
    load: async () => (await import('../features/lab/uploads/upload-page.tsx')).UploadPage,
  },
  { path: '/kits/$kitID', load: async () => (await import('../features/kits/operator-kit-page.tsx')).OperatorKitPage },
  {
    path: '/orders/$orderID',
    load: async () => (await import('../features/orders/operator-order-page.tsx')).OperatorOrderPage,
  },
  {
    path: '/businesses/$ofBusiness/customers/$customerID',
    load: async () => (await import('../features/customers/operator-person-page.tsx')).OperatorPersonPage,
  },
  {
    path: '/parcels',
    load: async () => (await import('../features/fulfilment/carrier-events-page.tsx')).CarrierEventsPage,
  },
  {
    path: '/withdrawn',
    load: async () => (await import('../features/consent/withdrawn-page.tsx')).WithdrawnPage,
  },
  {
    path: '/consent-texts',
    load: async () => (await import('../features/consent/consent-page.tsx')).ConsentPage,
  },
  {
    path: '/businesses',
    load: async () => (await import('../features/businesses/business-list-page.tsx')).BusinessesPage,
  },
  {
    path: '/businesses/new',
    load: async () => (await import('../features/businesses/new-business-page.tsx')).NewBusinessPage,
  },
  {
    path: '/businesses/$ofBusiness',
    load: async () => (await import('../features/businesses/business-page.tsx')).BusinessPage,
  },
  { path: '/catalogue', load: async () => (await import('../features/catalogue/catalogue-page.tsx')).CataloguePage },
  {
    path: '/catalogue/$biomarkerID',
    load: async () => (await import('../features/catalogue/biomarker-page.tsx')).BiomarkerPage,
  },
  {
    path: '/laboratories',
    load: async () => (await import('../features/laboratories/laboratories-page.tsx')).LaboratoriesPage,
  },
  {
    path: '/laboratories/$laboratoryID/orders',
    load: async () => (await import('../features/laboratories/connection-page.tsx')).ConnectionPage,
  },
  {
    path: '/lab-orders',
    load: async () => (await import('../features/lab-orders/lab-orders-page.tsx')).LabOrdersPage,
  },
  {
    path: '/lab-orders/$kitID',
    load: async () => (await import('../features/lab-orders/lab-order-page.tsx')).LabOrderPage,
  },
  { path: '/labels', load: async () => (await import('../features/labels/labels-page.tsx')).LabelsPage },
  {
    path: '/label-accounts',
    load: async () => (await import('../features/labels/accounts-page.tsx')).LabelAccountsPage,
  },
  {
    path: '/warehouses',
    load: async () => (await import('../features/warehouses/warehouses-page.tsx')).WarehousesPage,
  },
  {
    path: '/layouts',
    load: async () => (await import('../features/laboratories/layouts-page.tsx')).LayoutsPage,
  },
  { path: '/mail', load: async () => (await import('../features/emails/email-list-page.tsx')).MailPage },
  { path: '/mail/$emailID', load: async () => (await import('../features/emails/email-page.tsx')).EmailPage },
  { path: '/jobs', load: async () => (await import('../features/system/jobs-page.tsx')).JobsPage },
  { path: '/staff', load: async () => (await import('../features/identity/staff-page.tsx')).StaffPage },
  {
    path: '/sso',
    load: async () => (await import('../features/identity/sso/sso-page.tsx')).SsoPage,
  },
  { path: '/audit', load: async () => (await import('../features/audit/operator-audit-page.tsx')).AuditPage },
  { path: '/alarms', load: async () => (await import('../features/oversight/alarms-page.tsx')).AlarmsPage },
  {
    path: '/access-review',
    load: async () => (await import('../features/oversight/access-review-page.tsx')).AccessReviewPage,
  },
  {
    path: '/retention',
    load: async () => (await import('../features/privacy/retention-page.tsx')).RetentionPage,
  },
  { path: '/backups', load: async () => (await import('../features/system/backups-page.tsx')).BackupsPage },
  { path: '/system', load: async () => (await import('../features/system/system-page.tsx')).SystemPage },
]
