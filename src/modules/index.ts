import type { OperatorRoute } from '../platform/http/operator-route.ts'
import type { Route } from '../platform/http/route.ts'
import type { AppJob } from '../platform/jobs/context.ts'
import { purgeIdempotencyKeys } from './access/jobs.ts'
import * as access from './access/routes.ts'
import { placeBulk } from './bulk/jobs.ts'
import * as bulk from './bulk/routes.ts'
import * as businesses from './businesses/routes.ts'
import * as catalogue from './catalogue/routes.ts'
import { settlePayment, sweepCheckout } from './checkout/jobs.ts'
import * as checkout from './checkout/routes.ts'
import * as credits from './credits/routes.ts'
import * as customers from './customers/routes.ts'
import { giveUpEmails, sendEmails } from './emails/jobs.ts'
import * as events from './events/routes.ts'
import { readUploadedFile } from './intake/jobs.ts'
import * as lab from './intake/lab-routes.ts'
import * as intake from './intake/routes.ts'
import * as kits from './kits/routes.ts'
import * as catalogueEditing from './operator/catalogue-routes.ts'
import * as mail from './operator/email-routes.ts'
import * as review from './operator/review-routes.ts'
import * as orders from './orders/routes.ts'
import { refundOrder } from './payments/jobs.ts'
import * as payments from './payments/routes.ts'
import * as privacy from './privacy/routes.ts'
import * as reports from './reports/routes.ts'
import * as sandbox from './sandbox/routes.ts'
import { purgeDeliveries } from './webhooks/jobs.ts'
import * as webhooks from './webhooks/routes.ts'

/** The modules in order: each may import only those above it. `platform` is below all. */
export const moduleOrder = [
  'audit',
  'events',
  'emails',
  'webhooks',
  'businesses',
  'access',
  'catalogue',
  'credits',
  'payments',
  'customers',
  'kits',
  'orders',
  'bulk',
  'checkout',
  'reports',
  'intake',
  'privacy',
  'sandbox',
  'operator',
] as const

/** Every route of the API. */
export const routes: readonly Route[] = [
  businesses,
  access,
  catalogue,
  credits,
  payments,
  kits,
  checkout,
  orders,
  bulk,
  customers,
  privacy,
  reports,
  intake,
  events,
  webhooks,
  sandbox,
].flatMap((module) => Object.values<Route>(module))

/** Every route of the operator, below /operator/v1. */
export const operatorRoutes: readonly OperatorRoute[] = [lab, review, catalogueEditing, mail].flatMap((module) =>
  Object.values<OperatorRoute>(module),
)

/** Everything that runs later. */
export const jobs: readonly AppJob[] = [
  purgeIdempotencyKeys,
  purgeDeliveries,
  placeBulk,
  readUploadedFile,
  refundOrder,
  settlePayment,
  sweepCheckout,
  sendEmails,
  giveUpEmails,
]
