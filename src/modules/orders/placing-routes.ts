import { z } from 'zod'
import type { ErrorDetail } from '../../domain/errors.ts'
import { orderId } from '../../domain/id-fields.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { Access } from '../../platform/http/caller.ts'
import { MAX_PROBLEMS } from '../../platform/http/check.ts'
import { type Deprecation, deprecationHeaders } from '../../platform/http/deprecation.ts'
import { isTrueOrBare } from '../../platform/http/fields.ts'
import { joinsGroup } from '../../platform/http/group-commit.ts'
import { isRecord } from '../../platform/http/lenient.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { priceBook } from '../catalogue/prices.ts'
import { payingSource } from '../payments/schema.ts'
import { answerOf } from './answer.ts'
import { unprovisioned } from './decision.ts'
import { createOrders, orderGroup } from './group.ts'
import { idsOfPersonalOrders } from './health-access.ts'
import { payPendingOrder } from './payment/pay-pending.ts'
import { settlePayment } from './payment/settle.ts'
import { quote } from './quote.ts'
import { find } from './read.ts'
import { legacyRequestOf, type OrderRequest, requestInSlices, requestOf } from './request.ts'
import { mayJoinGroup } from './rules.ts'
import {
  ASYNC_ROWS,
  Created,
  CreateOrder,
  type FaultyRow,
  flattenRow,
  LegacyOrder,
  Order,
  Quote,
  TrialOrder,
} from './schema.ts'

/** The kit types of a body with mistakes in it that the business may not order. */
async function unprovisionedIn(tx: Tx, body: Record<string, unknown>): Promise<ErrorDetail[]> {
  const requested = kitTypesIn(body)
  if (requested.length === 0) return []
  const prices = await priceBook(tx)
  const unknown = requested.filter(({ kitTypes }) => !kitTypes.every((kitType) => prices.has(internalKitType(kitType))))
  return unknown.slice(0, MAX_PROBLEMS).map(({ path }) => unprovisioned(path))
}

interface RequestedKitTypes {
  path: string
  kitTypes: string[]
}

/** What can be read of the kit types, whatever else is wrong: of `kit_types`, of rows, and of the legacy payload. */
function kitTypesIn({ kit_types, bulkUploadData, kitType }: Record<string, unknown>): RequestedKitTypes[] {
  const listOf = (value: unknown) => (isRecord(value) ? [value] : Array.isArray(value) ? value : [])
  const typesOf = (lines: unknown[]) =>
    lines.flatMap((line) => (isRecord(line) ? textOf(line.kitType ?? line.kit_type) : []))
  const rows = listOf(bulkUploadData).map((row, i) => {
    const flat = flattenRow(row)
    return { path: `bulkUploadData.${i}.kit_type`, kitTypes: isRecord(flat) ? textOf(flat.kit_type) : [] }
  })
  return [
    { path: 'kit_types', kitTypes: typesOf(listOf(kit_types)) },
    { path: 'kitType', kitTypes: textOf(kitType) },
    ...rows,
  ].filter(({ kitTypes }) => kitTypes.length > 0)
}

const textOf = (value: unknown): string[] => (typeof value === 'string' && value.trim() ? [value.trim()] : [])

const legacyDeprecation: Deprecation = {
  since: '2026-01-01T00:00:00Z',
  sunset: '2028-01-01T00:00:00Z',
  successor: '/api/v1/create-order',
}

const query = z.object({ dryRun: isTrueOrBare.optional().describe('true: validate and price only, create nothing.') })
type Body = { is_test_order?: boolean }

const isTestOnLive = (body: Body, access: Access) => body.is_test_order === true && access.realm.mode === 'live'

/** `is_test_order` on a live token places the order in the sandbox of the same business. */
const orderRealm = ({ body }: { body: Body }, access: Access) =>
  isTestOnLive(body, access) ? access.twin : access.realm

const headersOf = (body: Body, access: Access) =>
  isTestOnLive(body, access) ? deprecationHeaders(legacyDeprecation) : {}

interface Ordered<B> {
  body: B
  query: z.output<typeof query>
}

const inGroup = (request: OrderRequest, headers: Record<string, string> = {}) =>
  mayJoinGroup(request) ? { request, headers } : undefined

const isForJob = ({ bulkUploadData: rows = [] }: CreateOrder) => rows.length >= ASYNC_ROWS

/** Places the orders at once, or charges the card first. */
async function perform(
  { tx, idempotencyKey }: { tx: Tx; idempotencyKey?: string },
  request: OrderRequest,
  headers: Record<string, string> = {},
) {
  const ordering = await createOrders(tx, request, idempotencyKey)
  const withHeaders = (answer: ReturnType<typeof answerOf>) => ({
    ...answer,
    headers: { ...headers, ...answer.headers },
  })
  if (ordering.kind !== 'charging') return withHeaders(answerOf(ordering, request.isBulk))
  return {
    after: async (ports: Parameters<typeof settlePayment>[0]) =>
      withHeaders(answerOf(await settlePayment(ports, ordering.paymentId), request.isBulk)),
  }
}

const price = async (tx: Tx, request: OrderRequest, headers?: Record<string, string>, faults?: FaultyRow[]) => ({
  status: 200 as const,
  body: await quote(tx, request, faults),
  headers,
})

const JobAccepted = z.object({ jobId: z.string() }).describe('The job; see its `Location`.')
const answers = { 200: Quote, 201: Created, 202: JobAccepted }
const errors = [
  'KIT_TYPE_NOT_PROVISIONED',
  'ORDER_NOT_ALLOWED',
  'NOT_ENOUGH_CREDITS',
  'PAYMENT_METHOD_MISSING',
  'PAYMENT_METHOD_NOT_FOUND',
  'PURCHASING_DISABLED',
  'PAYMENT_FAILED',
] as const

const shared = { audience: 'business', tag: 'Orders', scope: 'orders:write' } as const

export const createOrder = defineRoute({
  ...shared,
  method: 'POST',
  path: '/create-order',
  summary: 'Create an order, or several',
  effects: ['spends'],
  description:
    'One order with `kit_types`, or one order per row with `bulkUploadData`. One decision on payment covers the whole request. Under 20 rows all are placed or none; more make a job (202), for which credits are reserved or the card is authorised first.',
  query,
  body: CreateOrder,
  bodyFor: (query) => (query?.dryRun ? TrialOrder : undefined),
  bodyLimitBytes: 10 * 1024 * 1024,
  answers,
  errors: [...errors],
  realm: orderRealm,
  moreProblems: unprovisionedIn,
  groupCommit: joinsGroup(orderGroup, ({ body, query }: Ordered<CreateOrder>, access) =>
    query.dryRun || isForJob(body) ? undefined : inGroup(requestOf(body), headersOf(body, access)),
  ),
  handler: async ({ tx, access, body, query, idempotencyKey }) => {
    const headers = headersOf(body, access)
    const request = await requestInSlices(body)
    if (query.dryRun) return price(tx, request, headers, (body as TrialOrder).faults)
    return perform({ tx, idempotencyKey }, request, headers)
  },
})

export const createQuote = defineRoute({
  ...shared,
  method: 'POST',
  path: '/quotes',
  summary: 'Ask what an order would cost and do',
  effects: [],
  isTrial: true,
  description:
    'Takes the body of `POST /create-order` and says what it would do now: how it is paid, what a card is charged, which credits are needed and left, what is wrong with each row. Nothing is reserved. `POST /create-order?dryRun=true` is the same.',
  body: CreateOrder,
  bodyFor: () => TrialOrder,
  bodyLimitBytes: 10 * 1024 * 1024,
  answers: { 200: Quote },
  errors: ['PAYMENT_METHOD_NOT_FOUND'],
  realm: orderRealm,
  moreProblems: unprovisionedIn,
  handler: async ({ tx, access, body }) =>
    price(tx, await requestInSlices(body), headersOf(body, access), (body as TrialOrder).faults),
})

export const createLegacyOrder = defineRoute({
  ...shared,
  method: 'POST',
  path: '/legacy/create-order',
  summary: 'Create an order (legacy, flat payload)',
  effects: ['spends'],
  description: 'Deprecated: use POST /api/v1/create-order. Same rules, same answers.',
  query,
  body: LegacyOrder,
  answers,
  errors: [...errors],
  deprecated: legacyDeprecation,
  realm: orderRealm,
  moreProblems: unprovisionedIn,
  groupCommit: joinsGroup(orderGroup, ({ body, query }: Ordered<LegacyOrder>) =>
    query.dryRun ? undefined : inGroup(legacyRequestOf(body)),
  ),
  handler: ({ tx, body, query, idempotencyKey }) =>
    query.dryRun ? price(tx, legacyRequestOf(body)) : perform({ tx, idempotencyKey }, legacyRequestOf(body)),
})

export const payOrder = defineRoute({
  ...shared,
  method: 'POST',
  path: '/orders/:id/pay',
  summary: 'Pay a pending order',
  effects: ['spends'],
  description: 'With credits, with the attached card, or with a saved payment method by its ID. Its kits ship then.',
  params: z.object({ id: orderId }),
  body: z.object({ paymentMethod: payingSource }),
  answers: { 200: Order },
  errors: [
    'ORDER_NOT_FOUND',
    'ILLEGAL_TRANSITION',
    'ORDER_NOT_ALLOWED',
    'NOT_ENOUGH_CREDITS',
    'PAYMENT_METHOD_MISSING',
    'PAYMENT_METHOD_NOT_FOUND',
    'PURCHASING_DISABLED',
    'PAYMENT_FAILED',
  ],
  accesses: { reads: 'order', ids: (order) => idsOfPersonalOrders([order]) },
  handler: async ({ tx, params, body, idempotencyKey }) => {
    const paying = await payPendingOrder(tx, params.id, body.paymentMethod, idempotencyKey)
    if (paying.kind === 'paid') return { status: 200, body: await find(tx, params.id) }
    return {
      after: async (ports) => {
        answerOf(await settlePayment(ports, paying.paymentId), false)
        return { status: 200 as const, body: await ports.open((tx) => find(tx, params.id)) }
      },
    }
  },
})
