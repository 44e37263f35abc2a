import { z } from 'zod'
import { CSV, CSV_WORDS, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import { timestamp } from '../../platform/http/fields.ts'
import { route } from '../../platform/http/route.ts'
import { isKitId, normalizeId } from '../../platform/ids.ts'
import { kitColumns } from './file.ts'
import { kitStatuses, sampleStatuses } from './lifecycle.ts'
import { kitPage } from './page.ts'
import { KitPage } from './page-schema.ts'
import { listKits, listKitsBefore, maybeFindKit } from './records.ts'
import { consent, registerKit } from './register.ts'
import { replaceKit } from './replace.ts'
import {
  anyKitParams,
  ConsentInput,
  KitRecord,
  kitParams,
  type ListKits as Listing,
  ListKits,
  RegisterInput,
  ReplaceInput,
} from './schema.ts'

const tag = 'Kits'

export const getKits = route({
  method: 'GET',
  path: '/kits',
  id: 'listKits',
  reads: 'kit',
  tag,
  summary: 'List kits',
  description: `Newest first. \`X-Total-Count\` says how many there are; \`Link\` holds the addresses of the other pages (RFC 8288). ${CSV_WORDS}`,
  scope: 'kits:read',
  query: ListKits,
  responses: { 200: z.array(KitRecord) },
  documents: [CSV],
  handler: async ({ tx, accept, query }) => {
    const filter = {
      text: query.q,
      kitIds: query.kitID?.map(normalizeId),
      orderIds: query.orderID?.map(normalizeId),
      externalId: query.externalID,
      kitStatus: query.kitStatus,
      sampleStatus: query.sampleStatus,
    }
    if (wantsCsv(accept)) {
      return csvFile('kits', kitColumns, (tx, last, rows) => listKitsBefore(tx, filter, last?.kitID, rows))
    }
    const { kits, total } = await listKits(tx, {
      ...filter,
      page: query.page,
      size: query.size,
      shipment: query.includeShipmentTracking === '1' || query.includeShipmentTracking === 'true',
    })
    const link = linkHeader(query, total)
    const headers = { 'x-total-count': String(total), vary: 'Accept', ...(link && { link }) }
    return { status: 200, body: kits, headers }
  },
})

function linkHeader(query: Listing, total: number): string {
  const last = Math.max(0, Math.ceil(total / query.size) - 1)
  const pages: [string, number][] = [['first', 0]]
  if (query.page > 0) pages.push(['prev', Math.min(query.page - 1, last)])
  if (query.page < last) pages.push(['next', query.page + 1])
  pages.push(['last', last])
  return pages.map(([rel, page]) => `<${address({ ...query, page })}>; rel="${rel}"`).join(', ')
}

function address(query: Listing): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return `/api/v1/kits?${parameters}`
}

export const getKit = route({
  method: 'GET',
  path: '/kits/:kitID',
  id: 'getKit',
  reads: 'kit',
  tag,
  summary: 'Get a kit and what happened to it',
  scope: 'kits:read',
  params: kitParams,
  responses: { 200: KitPage },
  errors: ['KIT_NOT_FOUND'],
  handler: async ({ tx, params, access }) => ({
    status: 200,
    body: await kitPage(tx, params.kitID, { readWebhooks: access.scopes.has('webhooks:read') }),
  }),
})

export const validateKit = route({
  method: 'GET',
  path: '/kits/:kitID/validate',
  id: 'validateKit',
  tag,
  summary: 'Check whether a kit ID exists',
  description: 'Always 200. `exists` is false for a mistyped ID, an unknown one, and one of another business.',
  scope: 'kits:read',
  params: anyKitParams,
  responses: {
    200: z
      .object({
        exists: z.boolean(),
        kitID: z.string(),
        kitStatus: z.enum(kitStatuses).optional(),
        sampleStatus: z.enum(sampleStatuses).optional(),
      })
      .meta({ id: 'KitCheck' }),
  },
  handler: async ({ tx, params }) => {
    if (!isKitId(params.kitID)) return { status: 200, body: { exists: false, kitID: printable(params.kitID) } }
    const kitID = normalizeId(params.kitID)
    const kit = await maybeFindKit(tx, kitID)
    if (!kit) return { status: 200, body: { exists: false, kitID } }
    const { kitStatus, sampleStatus } = kit
    return { status: 200, body: { exists: true, kitID, kitStatus, sampleStatus } }
  },
})

const printable = (value: string) =>
  value
    .replace(/[\p{C}]/gu, '')
    .trim()
    .slice(0, 64)
    .toWellFormed()

export const postConsent = route({
  method: 'POST',
  path: '/kits/:kitID/consent',
  id: 'consentForKit',
  tag,
  summary: "Record a person's consent",
  description: 'Kept with time, version and source address. `consentToTesting` must be true.',
  scope: 'kits:write',
  params: kitParams,
  body: ConsentInput,
  responses: { 200: z.object({ message: z.string(), kitID: z.string(), consentedAt: timestamp }) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => {
    const { consentedAt } = await consent(tx, params.kitID, body)
    const answer = { message: 'Consent recorded', kitID: params.kitID, consentedAt: consentedAt.toISOString() }
    return { status: 200, body: answer }
  },
})

export const postRegistration = route({
  method: 'POST',
  path: '/kits/:kitID/register',
  id: 'registerKit',
  tag,
  summary: 'Register a kit to the person tested',
  description:
    'Finds the customer with this e-mail, or creates one. Works before delivery is recorded: the earlier steps are then filled in with the same date.',
  scope: 'kits:write',
  params: kitParams,
  body: RegisterInput,
  responses: { 200: z.object({ message: z.string(), kitID: z.string(), customerId: z.number() }) },
  errors: ['KIT_NOT_FOUND', 'KIT_ALREADY_REGISTERED', 'CONSENT_REQUIRED', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => {
    const { customerId } = await registerKit(tx, params.kitID, body)
    return { status: 200, body: { message: 'Kit registered', kitID: params.kitID, customerId } }
  },
})

export const postReplacement = route({
  method: 'POST',
  path: '/kits/:kitID/replacement',
  id: 'replaceKit',
  tag,
  summary: 'Replace a lost or rejected kit',
  description:
    'A free kit of the same type in the same order, for a kit whose sample was rejected, or that is in `deliveryException` (lost, either way) or `collectionException`. A kit is replaced once.',
  scope: 'kits:write',
  params: kitParams,
  body: ReplaceInput,
  responses: {
    201: z.object({ message: z.string(), kitID: z.string(), replacementKitID: z.string(), orderID: z.string() }),
  },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params, body }) => {
    const { kitId, replacementKitId, orderId } = await replaceKit(tx, params.kitID, body.reason)
    const answer = { kitID: kitId, replacementKitID: replacementKitId, orderID: orderId }
    return { status: 201, body: { message: 'Replacement ordered', ...answer } }
  },
})
