import { isKitId, normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { CSV, CSV_WORDS, chosen, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import {
  identifiersIn,
  nextUpdatedSince,
  pageLinks,
  rangeEnd,
  rangeStart,
  timestamp,
} from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { refuse } from '../../platform/http/validate.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { mayReadTests } from '../identity/rules.ts'
import { kitColumns } from './csv.ts'
import { idsOfPersonalKits } from './health-access.ts'
import { kitStatuses, sampleStatuses } from './lifecycle.ts'
import { kitPage } from './page.ts'
import { KitPage } from './page-schema.ts'
import * as records from './records.ts'
import * as registration from './register.ts'
import * as replacement from './replace.ts'
import {
  anyKitParams,
  approvedPerson,
  ConsentInput,
  KitRecord,
  kitOrBoxParams,
  kitParams,
  ListKits,
  RegisterInput,
  ReplaceInput,
} from './schema.ts'
import { listTestKits, maybeFindTestKit, testsToo } from './test-kits.ts'

const tag = 'Kits'

// A caller who names orders expects all of their kits; 50 orders may have 1,000 each.
const MAX_NAMED = 5000
const MAX_SIZE = 250
// As CSV it may be every row that a person selected on a page.
const MAX_IDS = 50

export const listKits = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits',
  tag,
  summary: 'List kits',
  effects: ['sends-out'],
  description: `Newest first, unless \`sort\` says otherwise; 50 of them, or with \`kitID\` or \`orderID\` all that fit (up to 5,000), unless \`page\` or \`size\` is given. \`X-Total-Count\` counts them; \`Link\` has the other pages. ${CSV_WORDS}`,
  scope: 'kits:read',
  query: ListKits,
  answers: { 200: z.array(KitRecord) },
  documents: [CSV],
  counted: true,
  accesses: { lists: 'kit', ids: idsOfPersonalKits },
  needsProof: (_, accept) => wantsCsv(accept),
  handler: async ({ tx, accept, query, access }) => {
    const filter = {
      text: query.q,
      kitIds: query.kitID?.map(normalizeId),
      orderIds: query.orderID?.map(normalizeId),
      externalIds: query.externalID && identifiersIn(query.externalID),
      recipientEmails: query.email,
      kitTypes: query.sku?.map(internalKitType),
      kitStatuses: query.kitStatus,
      sampleStatuses: query.sampleStatus,
      reportStatuses: query.status,
      registeredTo: query.customerID,
      registeredKeys: query.registeredTo,
      updatedSince: rangeStart(query.updatedSince),
      attention: query.attention,
      createdFrom: rangeStart(query.createdDateStart),
      createdTo: rangeEnd(query.createdDateEnd),
    }
    const isOldestFirst = query.sort === 'createdDate'
    if (wantsCsv(accept)) {
      return csvFile('kits', chosen(kitColumns, query.columns), (tx, last, size) =>
        records.listKitsAfter(tx, filter, { id: last?.kitID, size, isOldestFirst }),
      )
    }
    if (filter.kitIds && filter.kitIds.length > MAX_IDS) refuse([{ message: `At most ${MAX_IDS} IDs`, path: 'kitID' }])
    const isNamed = query.kitID !== undefined || query.orderID !== undefined
    const isWhole = isNamed && query.page === undefined && query.size === undefined
    const { page = 0, size = isWhole ? MAX_NAMED : 50 } = query
    const listing = {
      ...filter,
      page,
      size,
      isOldestFirst,
      shipment: query.includeShipmentTracking,
      ...(query.includeNames && {
        names: { recipient: access.scopes.has('orders:read'), registered: access.scopes.has('customers:read') },
      }),
    }
    const { kits, total } = await records.listKits(tx, listing)
    if (isNamed && total === 0 && mayReadTests(access)) {
      const tests = (tx: Tx) => listTestKits(tx, listing, access.actor)
      return {
        after: async (_outside, twin) => {
          const body = await twin.open(tests)
          return { status: 200 as const, body, headers: { 'x-total-count': String(body.length), vary: 'Accept' } }
        },
      }
    }
    const headers = { 'x-total-count': String(total), vary: 'Accept', ...nextUpdatedSince(tx) }
    if (isWhole && total <= MAX_NAMED) return { status: 200, body: kits, headers }
    // The rest follows in pages.
    const here = isWhole ? { page: MAX_NAMED / MAX_SIZE - 1, size: MAX_SIZE } : { page, size }
    const link = pageLinks('/api/v1/kits', query, { ...here, total })
    return { status: 200, body: kits, headers: { ...headers, link } }
  },
})

export const getKit = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits/:kitID',
  tag,
  summary: 'Get a kit and what happened to it',
  scope: 'kits:read',
  params: kitParams,
  answers: { 200: KitPage },
  errors: ['KIT_NOT_FOUND'],
  accesses: { reads: 'kit', ids: ({ kit }) => idsOfPersonalKits([kit]) },
  handler: async ({ tx, params: { kitID }, access }) => {
    const kit = await records.maybeFindKit(tx, kitID)
    if (kit || !mayReadTests(access)) return { status: 200, body: await kitPage(tx, kitID, access.scopes) }
    // A live token reads no webhooks of the sandbox.
    const scopes = new Set([...access.scopes].filter((scope) => scope !== 'webhooks:read'))
    const test = async (tx: Tx) => {
      const kit = await maybeFindTestKit(tx, kitID, access.actor)
      if (!kit) throw records.kitNotFound()
      return { ...(await kitPage(tx, kitID, scopes)), kit }
    }
    return { after: async (_outside, twin) => ({ status: 200 as const, body: await twin.open(test) }) }
  },
})

export const validateKit = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits/:kitID/validate',
  tag,
  summary: 'Check whether a kit ID exists',
  description:
    'Also by the code of its box. Always 200. `exists` is false for a mistyped or unknown ID, and one of another business.',
  scope: 'kits:read',
  params: anyKitParams,
  answers: {
    200: z
      .object({
        exists: z.boolean(),
        kitID: z.string(),
        kitStatus: z.enum(kitStatuses).optional(),
        sampleStatus: z.enum(sampleStatuses).optional(),
        isTest: z.literal(true).optional(),
        isRecalled: z.literal(true).optional(),
      })
      .meta({ id: 'KitCheck' }),
  },
  handler: async ({ tx, params, access }) => {
    const kitID = await records.kitIdOf(tx, params.kitID)
    if (!isKitId(kitID)) return { status: 200, body: { exists: false, kitID: printable(params.kitID) } }
    const kit = await records.maybeFindKit(tx, kitID)
    if (kit || !mayReadTests(access)) return { status: 200, body: await records.checked(tx, kitID, kit) }
    const test = async (tx: Tx) => records.checked(tx, kitID, await maybeFindTestKit(tx, kitID, access.actor))
    return { after: async (_outside, twin) => ({ status: 200 as const, body: await twin.open(test) }) }
  },
})

const printable = (value: string) =>
  value
    .replace(/[\p{C}]/gu, '')
    .trim()
    .slice(0, 64)
    .toWellFormed()

export const consentForKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/consent',
  tag,
  summary: "Record a person's consent",
  effects: ['changes-who-is-told'],
  description:
    'Stored with time, source address, panel, language and the words that `consentVersion` names. After a withdrawal, a new consent counts again. It counts for the person with this e-mail and first name; with a `relation` for a person under 18 who is registered with a `guardian`, and that of a `parent`, `guardian` or `caregiver` for an adult too. For an adult, that of a parent undoes no withdrawal. A live token also consents for its test orders.',
  scope: 'kits:write',
  params: kitOrBoxParams,
  body: ConsentInput,
  answers: { 200: z.object({ message: z.string(), kitID: z.string(), consentedAt: timestamp }) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'CONSENT_REQUIRED'],
  handler: ({ tx, params, access, body }) =>
    testsToo(tx, params.kitID, access, async (tx, kitID) => {
      const { consentedAt } = await registration.consent(tx, kitID, body)
      return { message: 'Consent recorded', kitID, consentedAt: consentedAt.toISOString() }
    }),
})

export const registerKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/register',
  tag,
  summary: 'Register a kit to the person tested',
  effects: ['changes-who-is-told'],
  description:
    'Finds the customer with this e-mail, or creates one. Earlier steps get its date. If name, date of birth or sex are not the known ones, the kit waits as `registrationException`: correct the customer (`PATCH /customers/:id`) or the data and register it again, or free the box with `POST /kits/:kitID/registration/clear`. `GET /panels` says for whom a panel is; a `guardian`, whose consent is recorded first, registers a person under 18. A live token also registers kits of its test orders.',
  scope: 'kits:write',
  params: kitOrBoxParams,
  query: approvedPerson,
  body: RegisterInput,
  answers: {
    200: z.object({
      message: z.string(),
      kitID: z.string(),
      customerId: z
        .number()
        .optional()
        .describe('Absent while the registration is in doubt (`registrationException`).'),
    }),
  },
  errors: [
    'KIT_NOT_FOUND',
    'KIT_ALREADY_REGISTERED',
    'CONSENT_REQUIRED',
    'ILLEGAL_TRANSITION',
    'EXTERNAL_ID_EXISTS',
    'AGE_NOT_ALLOWED',
    'SEX_NOT_ALLOWED',
    'GUARDIAN_REQUIRED',
    'REGISTER_BY_PASSED',
    'KIT_RECALLED',
  ],
  handler: ({ tx, params, access, query, body }) =>
    testsToo(tx, params.kitID, access, async (tx, kitID) => {
      const { customerId } = await registration.registerKit(tx, kitID, body, query)
      const message =
        customerId === undefined
          ? 'The registration is in doubt: correct the customer with this e-mail or the data, and register the kit again'
          : 'Kit registered'
      return { message, kitID, customerId }
    }),
})

export const clearKitRegistration = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/registration/clear',
  tag,
  summary: 'Take a registration in doubt off its kit',
  effects: ['deletes'],
  description:
    'For a kit in `registrationException` that is to be registered to another person. The kit stands where it stood before; what was said at the registration is forgotten.',
  scope: 'kits:write',
  params: kitParams,
  answers: { 200: KitRecord },
  accesses: { reads: 'kit', ids: (kit) => idsOfPersonalKits([kit]) },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => ({ status: 200, body: await registration.clearRegistration(tx, params.kitID) }),
})

export const replaceKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/replacement',
  tag,
  summary: 'Replace a lost or rejected kit',
  effects: ['spends'],
  description:
    'A free kit of the same type in the same order, once, for a kit whose sample was rejected, or in `deliveryException` (lost, either way) or `collectionException`, where its panel is still offered.',
  scope: 'kits:write',
  params: kitParams,
  body: ReplaceInput,
  answers: {
    201: z.object({ message: z.string(), kitID: z.string(), replacementKitID: z.string(), orderID: z.string() }),
  },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'ORDER_NOT_ALLOWED'],
  handler: async ({ tx, params, body }) => {
    const { kitId, replacementKitId, orderId } = await replacement.replaceKit(tx, params.kitID, body.reason)
    const answer = { kitID: kitId, replacementKitID: replacementKitId, orderID: orderId }
    return { status: 201, body: { message: 'Replacement ordered', ...answer } }
  },
})
