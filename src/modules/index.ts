import * as extensions from '../extensions/index.ts'
import type { Audience, Route, RouteOf } from '../platform/http/route.ts'
import { approvals } from './approvals/module.ts'
import { archives } from './archives/module.ts'
import { audit } from './audit/module.ts'
import { backups } from './backups/module.ts'
import { businesses } from './businesses/module.ts'
import { catalogue } from './catalogue/module.ts'
import { collection } from './collection/module.ts'
import { credits } from './credits/module.ts'
import { customers } from './customers/module.ts'
import { jobsOf, type Module, routesOf } from './define-module.ts'
import { emails } from './emails/module.ts'
import { events } from './events/module.ts'
import { files } from './files/module.ts'
import { fulfilment } from './fulfilment/module.ts'
import { holds } from './holds/module.ts'
import { identity } from './identity/module.ts'
import { insights } from './insights/module.ts'
import { keys } from './keys/module.ts'
import { kits } from './kits/module.ts'
import { lab } from './lab/module.ts'
import { labOrders } from './lab-orders/module.ts'
import { labels } from './labels/module.ts'
import { links } from './links/module.ts'
import { notifiable } from './notifiable/module.ts'
import { onboarding } from './onboarding/module.ts'
import { orders } from './orders/module.ts'
import { oversight } from './oversight/module.ts'
import { payments } from './payments/module.ts'
import { platform } from './platform.ts'
import { portal } from './portal/module.ts'
import { privacy } from './privacy/module.ts'
import { recalls } from './recalls/module.ts'
import { reports } from './reports/module.ts'
import { sandbox } from './sandbox/module.ts'
import { stock } from './stock/module.ts'
import { textMessages } from './text-messages/module.ts'
import { undelivered } from './undelivered/module.ts'
import { warehouses } from './warehouses/module.ts'
import { webhooks } from './webhooks/module.ts'

/** The modules in order: each may import only those above it. Extensions stand below all others, and nothing imports them. */
export const modules: readonly Module[] = [
  platform,
  audit,
  events,
  links,
  emails,
  webhooks,
  businesses,
  identity,
  catalogue,
  credits,
  payments,
  customers,
  textMessages,
  stock,
  kits,
  orders,
  collection,
  reports,
  lab,
  approvals,
  portal,
  undelivered,
  holds,
  recalls,
  labOrders,
  notifiable,
  fulfilment,
  labels,
  warehouses,
  oversight,
  backups,
  insights,
  privacy,
  archives,
  sandbox,
  onboarding,
  files,
  keys,
  ...Object.values(extensions),
]

/** Every route of the API, for every audience; those of the operator last, as its document is. */
export const routes = routesOf(modules)

export const routesFor = <A extends Audience>(audience: A): RouteOf<A>[] =>
  routes.filter((route): route is Route & RouteOf<A> => route.audience === audience)

/** Everything that runs later. */
export const jobs = jobsOf(modules)
