import type { Audience, Route, RouteOf, UnnamedRoute } from '../platform/http/route.ts'
import type { AppJob } from '../platform/jobs/context.ts'
import { archiveOld } from './archives/jobs.ts'
import { indexAuditLists, keepAuditPartitions, sealAudit } from './audit/jobs.ts'
import * as auditOperator from './audit/operator-routes.ts'
import * as audit from './audit/routes.ts'
import { makeDueBackup } from './backups/jobs.ts'
import * as backupsOperator from './backups/operator-routes.ts'
import { foldTalliesRegularly } from './businesses/jobs.ts'
import * as businesses from './businesses/routes.ts'
import * as catalogueOperator from './catalogue/operator-routes.ts'
import * as catalogue from './catalogue/routes.ts'
import * as catalogueTexts from './catalogue/text-routes.ts'
import { checkLedgerNightly } from './credits/jobs.ts'
import * as credits from './credits/routes.ts'
import { indexNames } from './customers/jobs.ts'
import * as customers from './customers/routes.ts'
import { giveUpEmails, sendAccountEmail, sendEmails } from './emails/jobs.ts'
import * as emailsOperator from './emails/operator-routes.ts'
import * as events from './events/routes.ts'
import * as fhir from './fhir/routes.ts'
import { deleteDroppedFiles, moveFilesHourly, sweepFilesDaily } from './files/jobs.ts'
import * as fulfilmentOperator from './fulfilment/operator-routes.ts'
import * as orderOperator from './fulfilment/order-operator-routes.ts'
import * as fulfilment from './fulfilment/routes.ts'
import { closeSupportAccesses, purgeAccounts, writeOldReset, writeReset } from './identity/jobs.ts'
import * as ownSessions from './identity/own-session-routes.ts'
import * as passkeys from './identity/passkey-routes.ts'
import * as proofs from './identity/proof-routes.ts'
import * as tokenCheck from './identity/routes.ts'
import * as scim from './identity/scim/routes.ts'
import * as session from './identity/session-routes.ts'
import * as signInPolicy from './identity/sign-in-policy-routes.ts'
import * as ssoOperator from './identity/sso/operator-routes.ts'
import * as sso from './identity/sso/routes.ts'
import * as ssoSession from './identity/sso/session-routes.ts'
import * as supportOperator from './identity/support-access-operator-routes.ts'
import * as support from './identity/support-access-routes.ts'
import * as tokensOperator from './identity/token-operator-routes.ts'
import * as tokens from './identity/token-routes.ts'
import * as usersOperator from './identity/user-operator-routes.ts'
import * as users from './identity/user-routes.ts'
import { writeNumbersNightly } from './insights/nightly/jobs.ts'
import * as numbers from './insights/numbers/routes.ts'
import * as overview from './insights/overview/routes.ts'
import * as searchOperator from './insights/search/operator-routes.ts'
import * as search from './insights/search/routes.ts'
import { purgeIdempotencyKeys } from './insights/system/jobs.ts'
import * as systemOperator from './insights/system/operator-routes.ts'
import { sealRowsOfBefore } from './keys/jobs.ts'
import * as consentOperator from './kits/consent/operator-routes.ts'
import * as consents from './kits/consent/routes.ts'
import * as kits from './kits/routes.ts'
import * as labJobs from './lab/jobs.ts'
import * as layoutsOperator from './lab/layouts/operator-routes.ts'
import * as labOperator from './lab/operator-routes.ts'
import * as received from './lab/received/routes.ts'
import * as redrawOperator from './lab/redraw/operator-routes.ts'
import * as uploads from './lab/review/routes.ts'
import * as customerData from './lab/routes.ts'
import * as onboardingOperator from './onboarding/operator-routes.ts'
import { placeBulk } from './orders/bulk/jobs.ts'
import * as bulk from './orders/bulk/routes.ts'
import { forgetListCounts, indexOrderTerms } from './orders/jobs.ts'
import { settlePaymentJob, sweepPaymentsJob } from './orders/payment/jobs.ts'
import * as placing from './orders/placing-routes.ts'
import * as orders from './orders/routes.ts'
import * as alarmsOperator from './oversight/alarms/operator-routes.ts'
import { anchorAudit, tellOperator, verifyAuditNightly, watchAudit } from './oversight/jobs.ts'
import * as accessReviewOperator from './oversight/review/operator-routes.ts'
import { finishCard, refundOrder, tellOfPayments, topUpCredits, watchCardExpiry } from './payments/jobs.ts'
import * as purchases from './payments/purchases/routes.ts'
import * as receipts from './payments/receipts/routes.ts'
import * as payments from './payments/routes.ts'
import { placePlans } from './plans/jobs.ts'
import * as plans from './plans/routes.ts'
import { purgeLinks, sendNewLinks } from './portal/jobs.ts'
import * as portalOperator from './portal/operator-routes.ts'
import * as accessesOperator from './privacy/accesses/operator-routes.ts'
import * as accesses from './privacy/accesses/routes.ts'
import * as corrections from './privacy/correction-routes.ts'
import { purgeRecords } from './privacy/jobs.ts'
import * as personOperator from './privacy/person-operator-routes.ts'
import * as dataRequests from './privacy/requests/routes.ts'
import * as retentionOperator from './privacy/retention/operator-routes.ts'
import * as retention from './privacy/retention/routes.ts'
import * as privacy from './privacy/routes.ts'
import { sendReminders } from './reminders/jobs.ts'
import * as reminders from './reminders/routes.ts'
import { tellCritical } from './reports/critical/jobs.ts'
import * as critical from './reports/critical/routes.ts'
import * as reportsOperator from './reports/operator-routes.ts'
import * as laboratoriesOperator from './reports/origin/operator-routes.ts'
import * as reviewOperator from './reports/review/operator-routes.ts'
import * as reports from './reports/routes.ts'
import * as unassessed from './reports/unassessed/routes.ts'
import { emptyOldRequests } from './request-log/jobs.ts'
import * as requestLog from './request-log/routes.ts'
import * as sandbox from './sandbox/routes.ts'
import { purgeShopDeliveries, receiveFromShop, workForShops } from './shops/jobs.ts'
import * as shops from './shops/routes.ts'
import { purgeTextCounts, sendTextMessage } from './text-messages/jobs.ts'
import * as textMessages from './text-messages/routes.ts'
import { purgeDeliveries } from './webhooks/jobs.ts'
import * as webhooks from './webhooks/routes.ts'

/** The modules in order: each may import only those above it. `platform` is below all. */
export const moduleOrder = [
  'audit',
  'events',
  'links',
  'emails',
  'webhooks',
  'businesses',
  'identity',
  'request-log',
  'catalogue',
  'credits',
  'payments',
  'customers',
  'text-messages',
  'kits',
  'orders',
  'plans',
  'shops',
  'reports',
  'lab',
  'reminders',
  'portal',
  'fulfilment',
  'oversight',
  'backups',
  'insights',
  'privacy',
  'fhir',
  'archives',
  'sandbox',
  'onboarding',
  'files',
  'keys',
] as const

/** The name of an export is the operation's in OpenAPI and the client. */
const named = (module: Record<string, UnnamedRoute>): Route[] =>
  Object.entries(module).map(([id, route]) => ({ ...route, id }) as Route)

const isOfOperator = ({ audience }: Route): boolean => audience === 'operator'

/** Every route of the API, for every audience; those of the operator last, as its document is. */
export const routes: readonly Route[] = [
  session,
  passkeys,
  proofs,
  ownSessions,
  ssoSession,
  businesses,
  tokenCheck,
  users,
  signInPolicy,
  sso,
  scim,
  tokens,
  support,
  audit,
  catalogue,
  credits,
  purchases,
  payments,
  receipts,
  kits,
  consents,
  placing,
  orders,
  fulfilment,
  bulk,
  plans,
  shops,
  customers,
  corrections,
  privacy,
  dataRequests,
  retention,
  accesses,
  reports,
  unassessed,
  received,
  critical,
  reminders,
  textMessages,
  customerData,
  uploads,
  overview,
  numbers,
  search,
  events,
  webhooks,
  requestLog,
  sandbox,
  fhir,
  portalOperator,
  fulfilmentOperator,
  orderOperator,
  labOperator,
  consentOperator,
  redrawOperator,
  reportsOperator,
  reviewOperator,
  laboratoriesOperator,
  layoutsOperator,
  onboardingOperator,
  catalogueOperator,
  catalogueTexts,
  emailsOperator,
  systemOperator,
  backupsOperator,
  usersOperator,
  ssoOperator,
  tokensOperator,
  supportOperator,
  auditOperator,
  accessesOperator,
  personOperator,
  retentionOperator,
  alarmsOperator,
  accessReviewOperator,
  searchOperator,
]
  .flatMap(named)
  .sort((a, b) => Number(isOfOperator(a)) - Number(isOfOperator(b)))

/** The routes for one audience. */
export const routesFor = <A extends Audience>(audience: A): RouteOf<A>[] =>
  routes.filter((route): route is Route & RouteOf<A> => route.audience === audience)

/** Everything that runs later. */
export const jobs: readonly AppJob[] = [
  purgeIdempotencyKeys,
  writeNumbersNightly,
  forgetListCounts,
  purgeAccounts,
  closeSupportAccesses,
  writeReset,
  writeOldReset,
  sealAudit,
  keepAuditPartitions,
  indexAuditLists,
  foldTalliesRegularly,
  indexOrderTerms,
  indexNames,
  purgeDeliveries,
  emptyOldRequests,
  placeBulk,
  placePlans,
  receiveFromShop,
  workForShops,
  purgeShopDeliveries,
  labJobs.readUploadedFile,
  labJobs.readUploadedRow,
  labJobs.recogniseUpload,
  labJobs.recogniseUploadedRow,
  labJobs.forgetAssignedMessages,
  deleteDroppedFiles,
  moveFilesHourly,
  sweepFilesDaily,
  refundOrder,
  topUpCredits,
  tellOfPayments,
  watchCardExpiry,
  finishCard,
  settlePaymentJob,
  sweepPaymentsJob,
  sendEmails,
  sendAccountEmail,
  giveUpEmails,
  sendTextMessage,
  purgeTextCounts,
  tellCritical,
  sendReminders,
  sendNewLinks,
  purgeLinks,
  checkLedgerNightly,
  sealRowsOfBefore,
  purgeRecords,
  watchAudit,
  tellOperator,
  verifyAuditNightly,
  anchorAudit,
  makeDueBackup,
  archiveOld,
]
