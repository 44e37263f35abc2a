import { newCustomerId, newKitId, newOpaqueId, newOrderId, newReportId, randomBase62 } from '../../src/domain/ids.ts'
import type { RouteOf } from '../../src/platform/http/route.ts'
import { type Shape, shapeOf } from './generate.ts'

export type Kind =
  | 'order'
  | 'kit'
  | 'customer'
  | 'report'
  | 'email'
  | 'externalId'
  | 'bulkJob'
  | 'plan'
  | 'shop'
  | 'shopOrder'
  | 'paymentMethod'
  | 'payment'
  | 'webhook'
  | 'delivery'
  | 'event'
  | 'fileJob'
  | 'upload'
  | 'waitingResult'
  | 'received'
  | 'criticalResult'
  | 'user'
  | 'token'
  | 'supportAccess'
  | 'consentText'
  | 'dataRequest'
  | 'ssoConnection'
  | 'specimen'
  | 'observation'

/** The identifiers of one realm's objects. A customer has two, and a path accepts either. */
export type Objects = Record<Kind, readonly [string, ...string[]]>

export const random: Record<Kind, (like: string) => string> = {
  order: newOrderId,
  kit: newKitId,
  report: newReportId,
  customer: (like) => (/^\d+$/.test(like) ? String(newCustomerId()) : `ext-${randomBase62(16)}`),
  email: () => `${randomBase62(16)}@nobody.test`,
  externalId: () => `ext-${randomBase62(16)}`,
  bulkJob: () => newOpaqueId('bulk'),
  plan: () => newOpaqueId('plan'),
  shop: () => newOpaqueId('shop'),
  shopOrder: () => newOpaqueId('sho'),
  paymentMethod: () => newOpaqueId('pm'),
  payment: () => newOpaqueId('pay'),
  webhook: () => newOpaqueId('we'),
  delivery: () => newOpaqueId('del'),
  event: () => newOpaqueId('evt'),
  fileJob: () => newOpaqueId('job'),
  upload: () => newOpaqueId('doc'),
  waitingResult: () => newOpaqueId('una'),
  received: () => newOpaqueId('rcv'),
  criticalResult: () => newOpaqueId('crit'),
  user: () => newOpaqueId('usr'),
  token: () => newOpaqueId('tok'),
  supportAccess: () => newOpaqueId('sup'),
  consentText: () => newOpaqueId('cns'),
  dataRequest: () => newOpaqueId('dreq'),
  ssoConnection: () => newOpaqueId('sso'),
  specimen: () => `${newReportId()}.1`,
  observation: () => `${newReportId()}.ldl`,
}

const byName: Record<string, Kind> = {
  kitID: 'kit',
  orderID: 'order',
  orderId: 'order',
  customerID: 'customer',
  customerId: 'customer',
  userId: 'customer',
  reportID: 'report',
  registeredTo: 'email',
  externalID: 'externalId',
  external_id: 'externalId',
  jobId: 'bulkJob',
  planID: 'plan',
  shopID: 'shop',
  shopOrderID: 'shopOrder',
  paymentMethod: 'paymentMethod',
  after: 'event',
  endpointID: 'webhook',
  q: 'email',
  docID: 'upload',
  resultID: 'waitingResult',
  documentID: 'received',
  criticalID: 'criticalResult',
  userID: 'user',
  tokenID: 'token',
  supportAccessID: 'supportAccess',
  textID: 'consentText',
  dataRequestID: 'dataRequest',
  connectionID: 'ssoConnection',
  objectID: 'kit',
  patient: 'customer',
  subject: 'customer',
  identifier: 'customer',
}

export interface Slot {
  where: 'path' | 'query' | 'body'
  name: string
  kind: Kind
}

const byCollection: Record<string, Kind> = {
  orders: 'order',
  kits: 'kit',
  customers: 'customer',
  'payment-methods': 'paymentMethod',
  payments: 'payment',
  webhooks: 'webhook',
  jobs: 'fileJob',
  'webhook-deliveries': 'delivery',
  Patient: 'customer',
  ServiceRequest: 'kit',
  DiagnosticReport: 'report',
  Specimen: 'specimen',
  Observation: 'observation',
}

/** Identifiers that another company issued, or the caller. Several realms may have the same one. */
const foreign = new Set([
  ...['attachPaymentMethod id', 'createSsoConnection clientID', 'changeSsoConnection clientID'],
  'listRequests requestID',
  // Not the ID of one: credits or the card.
  ...['connectShop paymentMethod', 'changeShop paymentMethod'],
  ...['connectShop', 'changeShop', 'addShopItem'].flatMap((id) => [`${id} variantID`, `${id} productID`]),
])

/** `id` identifies an object of the collection before it in the path; in a query it and `_id` one of the collection searched. */
export function kindOf(route: Pick<RouteOf<'business'>, 'path'>, name: string): Kind | undefined {
  const searched = byCollection[route.path.split('/').at(-1) ?? '']
  if (name === '_id') return searched
  return name === 'id' ? (byCollection[/([^/]+)\/:id/.exec(route.path)?.[1] ?? ''] ?? searched) : byName[name]
}

/** Path parameters that identify no object. */
const positions = new Set(['page'])

const looksLikeId = (name: string) => /(ID|Id|_id)$|^id$/.test(name) || name in byName

function fieldsOf(shape: Shape, root = shape): string[] {
  const target = shape.$ref ? (root.$defs?.[shape.$ref.replace('#/$defs/', '')] ?? {}) : shape
  const inner = [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.items ? [target.items] : [])]
  return [
    ...Object.entries(target.properties ?? {}).flatMap(([name, field]) => [name, ...fieldsOf(field, root)]),
    ...inner.flatMap((one) => fieldsOf(one, root)),
  ]
}

/** Lists where a route accepts object identifiers. @throws Error for a parameter of unknown kind */
export function slotsOf(route: Pick<RouteOf<'business'>, 'id' | 'path' | 'query' | 'body'>): Slot[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => ({ where: 'path' as const, name }))
    .filter(({ name }) => !positions.has(name))
  const named = (where: 'query' | 'body') => {
    const schema = route[where]
    const names = schema
      ? fieldsOf(shapeOf(schema)).filter((name) => looksLikeId(name) && !foreign.has(`${route.id} ${name}`))
      : []
    return [...new Set(names)].map((name) => ({ where, name }))
  }
  return [...inPath, ...named('query'), ...named('body')].map(({ where, name }) => {
    const kind = kindOf(route, name)
    if (kind) return { where, name, kind }
    throw new Error(
      `Route ${route.id} has the identifier "${name}" in its ${where}. Add its kind to test/harness/slots.ts.`,
    )
  })
}
