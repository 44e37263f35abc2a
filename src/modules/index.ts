import type { AccountRoute } from '../platform/http/account-route.ts'
import type { OperatorRoute } from '../platform/http/operator-route.ts'
import type { Route } from '../platform/http/route.ts'
import type { AppJob } from '../platform/jobs/context.ts'
import { purgeIdempotencyKeys } from './access/jobs.ts'
import * as access from './access/routes.ts'
import { purgeAccounts, writeReset } from './accounts/jobs.ts'
import * as operatorTokens from './accounts/operator-token-routes.ts'
import * as session from './accounts/session-routes.ts'
import * as staff from './accounts/staff-routes.ts'
import * as tokens from './accounts/token-routes.ts'
import * as users from './accounts/user-routes.ts'
import { sealAudit } from './audit/jobs.ts'
import * as operatorAudit from './audit/operator-routes.ts'
import * as audit from './audit/routes.ts'
import { placeBulk } from './bulk/jobs.ts'
import * as bulk from './bulk/routes.ts'
import * as businesses from './businesses/routes.ts'
import * as catalogue from './catalogue/routes.ts'
import { settlePayment, sweepCheckout } from './checkout/jobs.ts'
import * as checkout from './checkout/routes.ts'
import * as corrections from './corrections/routes.ts'
import * as credits from './credits/routes.ts'
import * as customers from './customers/routes.ts'
import { giveUpEmails, sendAccountEmail, sendEmails } from './emails/jobs.ts'
import * as events from './events/routes.ts'
import * as fulfilment from './fulfilment/routes.ts'
import { readUploadedFile, recogniseUpload } from './intake/jobs.ts'
import * as lab from './intake/lab-routes.ts'
import * as uploadsOfAll from './intake/review/operator-routes.ts'
import * as uploads from './intake/review/routes.ts'
import * as intake from './intake/routes.ts'
import * as kits from './kits/routes.ts'
import * as tenants from './operator/business-routes.ts'
import * as catalogueEditing from './operator/catalogue-routes.ts'
import * as mail from './operator/email-routes.ts'
import { checkCredits } from './operator/jobs.ts'
import * as review from './operator/review-routes.ts'
import * as system from './operator/system-routes.ts'
import { forgetListCounts } from './orders/jobs.ts'
import * as orders from './orders/routes.ts'
import { foldCounts } from './overview/jobs.ts'
import * as overview from './overview/routes.ts'
import { refundOrder } from './payments/jobs.ts'
import * as payments from './payments/routes.ts'
import * as privacy from './privacy/routes.ts'
import { purgeLinks, sendNewLinks } from './recipient/jobs.ts'
import * as boxes from './recipient/routes.ts'
import * as reports from './reports/routes.ts'
import * as waitingOfAll from './reports/unassessed-operator-routes.ts'
import * as waiting from './reports/unassessed-routes.ts'
import * as sandbox from './sandbox/routes.ts'
import { indexOrderTerms } from './search/jobs.ts'
import * as operatorSearch from './search/operator-routes.ts'
import * as search from './search/routes.ts'
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
  'access',
  'accounts',
  'catalogue',
  'credits',
  'payments',
  'search',
  'customers',
  'kits',
  'orders',
  'bulk',
  'checkout',
  'reports',
  'corrections',
  'intake',
  'recipient',
  'overview',
  'fulfilment',
  'privacy',
  'sandbox',
  'operator',
] as const

/** Every route of the API. */
export const routes: readonly Route[] = [
  businesses,
  access,
  users,
  tokens,
  audit,
  catalogue,
  credits,
  payments,
  kits,
  checkout,
  orders,
  bulk,
  customers,
  corrections,
  privacy,
  reports,
  waiting,
  intake,
  uploads,
  overview,
  search,
  events,
  webhooks,
  sandbox,
].flatMap((module) => Object.values<Route>(module))

/** Every route about one's own account, below /api/v1 too. */
export const accountRoutes: readonly AccountRoute[] = Object.values<AccountRoute>(session)

/** Every route of the operator, below /operator/v1. */
export const operatorRoutes: readonly OperatorRoute[] = [
  boxes,
  fulfilment,
  lab,
  uploadsOfAll,
  review,
  waitingOfAll,
  tenants,
  catalogueEditing,
  mail,
  system,
  staff,
  operatorTokens,
  operatorAudit,
  operatorSearch,
].flatMap((module) => Object.values<OperatorRoute>(module))

/** Everything that runs later. */
export const jobs: readonly AppJob[] = [
  purgeIdempotencyKeys,
  forgetListCounts,
  purgeAccounts,
  writeReset,
  sealAudit,
  foldCounts,
  indexOrderTerms,
  purgeDeliveries,
  placeBulk,
  readUploadedFile,
  recogniseUpload,
  refundOrder,
  settlePayment,
  sweepCheckout,
  sendEmails,
  sendAccountEmail,
  giveUpEmails,
  sendNewLinks,
  purgeLinks,
  checkCredits,
]
