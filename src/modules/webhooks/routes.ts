import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SessionScope } from '../../domain/scopes.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { pagination, rangeEnd } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { kitsShown, readableTypes, reportsShown, type ShownEvent } from '../events/accesses.ts'
import { maybeReadEvent } from '../events/queries.ts'
import * as log from './delivery/log.ts'
import { toDelivery } from './delivery/log.ts'
import { selectDelivery } from './queries.ts'
import { thin } from './rules.ts'
import * as schema from './schema.ts'
import * as webhooks from './service.ts'
import { find, resendFailed } from './service.ts'

/** What is sent of an event. */
interface SentPayload {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** A delivery with the body that is sent, if the caller may read such events. @throws DELIVERY_NOT_FOUND */
async function findWithPayload(
  tx: Tx,
  deliveryId: string,
  scopes: ReadonlySet<SessionScope>,
): Promise<schema.Delivery & { payload?: SentPayload }> {
  const row = await selectDelivery(tx, deliveryId)
  if (!row) throw new AppError('DELIVERY_NOT_FOUND', 'There is no such delivery')
  const delivery = toDelivery(row)
  if (readableTypes(scopes, [row.eventType]).length === 0) return delivery
  const [event, endpoint] = await Promise.all([maybeReadEvent(tx, row.eventId), find(tx, row.endpointId)])
  if (!event) return delivery
  const data = (endpoint.payload === 'thin' ? thin(event.data) : event.data) as Record<string, unknown>
  return { ...delivery, payload: { type: event.type, timestamp: event.timestamp.toISOString(), data } }
}

const shared = { audience: 'business', tag: 'Webhooks' } as const

export const createWebhook = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhooks',
  summary: 'Create a webhook endpoint',
  effects: ['sends-out', 'changes-who-is-told'],
  grants: ['webhook'],
  description:
    'Events are sent as Standard Webhooks: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, body `{ type, timestamp, data }`. The caller needs the scopes that read what is sent: `kits:read` for events of kits, and so on. Answer 2xx within 15 s; retries come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. `report.published` comes again with each `version`; `withdrawn` lists biomarkers whose result it took back, `corrected` those with another value or verdict, `added` new ones. `result.withdrawn`: results that a laboratory took back, also during a review.',
  scope: 'webhooks:write',
  body: schema.NewEndpoint,
  answers: { 201: schema.EndpointWithSecret },
  handler: async ({ tx, body, access }) => {
    const { endpoint, secret } = await webhooks.create(tx, body, access.scopes)
    return { status: 201, body: { ...endpoint, secret } }
  },
})

export const listWebhooks = defineRoute({
  ...shared,
  method: 'GET',
  path: '/webhooks',
  summary: 'List webhook endpoints',
  scope: 'webhooks:read',
  answers: { 200: z.array(schema.Endpoint) },
  handler: async ({ tx }) => ({ status: 200, body: await webhooks.list(tx) }),
})

export const getWebhook = defineRoute({
  ...shared,
  method: 'GET',
  path: '/webhooks/:id',
  summary: 'Get a webhook endpoint',
  scope: 'webhooks:read',
  params: schema.endpointParams,
  answers: { 200: schema.Endpoint },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await webhooks.find(tx, params.id) }),
})

export const changeWebhook = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/webhooks/:id',
  summary: 'Change a webhook endpoint',
  effects: ['sends-out', 'changes-who-is-told'],
  grants: ['webhook'],
  description:
    'Only what is sent is changed. A disabled endpoint keeps its queue; enabled again, it gets what has waited.',
  scope: 'webhooks:write',
  params: schema.endpointParams,
  body: schema.EndpointChange,
  answers: { 200: schema.Endpoint },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: await webhooks.change(tx, params.id, body, access.scopes),
  }),
})

export const deleteWebhook = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/webhooks/:id',
  summary: 'Remove a webhook endpoint',
  effects: ['deletes', 'changes-who-is-told'],
  description: 'Its queue and its delivery log go with it.',
  scope: 'webhooks:write',
  params: schema.endpointParams,
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    await webhooks.remove(tx, params.id)
    return { status: 200, body: { message: 'The webhook endpoint was removed' } }
  },
})

export const rotateWebhookSecret = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhooks/:id/rotate-secret',
  summary: 'Rotate the secret of a webhook endpoint',
  effects: ['sends-out', 'changes-who-is-told'],
  grants: ['webhook'],
  description: 'The new secret is shown once. For 24 h every delivery is signed with both.',
  scope: 'webhooks:write',
  params: schema.endpointParams,
  answers: { 200: schema.EndpointWithSecret },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params, access }) => {
    const { endpoint, secret } = await webhooks.rotateSecret(tx, params.id, access.scopes)
    return { status: 200, body: { ...endpoint, secret } }
  },
})

export const testWebhook = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhooks/:id/test',
  summary: 'Send a test event',
  effects: [],
  description: 'A `webhook.test` event to this endpoint alone; the delivery log shows what came of it.',
  scope: 'webhooks:write',
  params: schema.endpointParams,
  answers: { 202: z.object({ deliveryId: z.string() }) },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 202, body: { deliveryId: await webhooks.sendTest(tx, params.id) } }),
})

export const listWebhookDeliveries = defineRoute({
  ...shared,
  method: 'GET',
  path: '/webhooks/:id/deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description: 'Newest first, with every attempt. Kept for 30 days.',
  scope: 'webhooks:read',
  params: schema.endpointParams,
  query: schema.DeliveryQuery,
  answers: { 200: schema.DeliveryPage },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params, query }) => {
    const { page, size, status: statuses } = query
    const { total, deliveries } = await log.deliveries(tx, params.id, { page, size, statuses })
    return { status: 200, body: { data: deliveries, pagination: pagination(query.page, query.size, total) } }
  },
})

export const listAllWebhookDeliveries = defineRoute({
  ...shared,
  method: 'GET',
  path: '/webhook-deliveries',
  summary: 'List the deliveries of all webhook endpoints',
  description: 'Newest first, with every attempt. Kept for 30 days.',
  scope: 'webhooks:read',
  query: schema.AllDeliveriesQuery,
  answers: { 200: schema.DeliveryPage },
  handler: async ({ tx, query: { page, size, endpointID, kitID, status } }) => {
    const filter = { endpointIds: endpointID, kitIds: kitID?.map(normalizeId), statuses: status }
    const { total, deliveries } = await log.list(tx, { page, size, ...filter })
    return { status: 200, body: { data: deliveries, pagination: pagination(page, size, total) } }
  },
})

/** Absent where the caller may not read it. */
const shownIn = ({ payload }: { payload?: ShownEvent | undefined }) => (payload ? [payload] : [])

export const getWebhookDelivery = defineRoute({
  ...shared,
  method: 'GET',
  path: '/webhook-deliveries/:id',
  summary: 'Get a delivery with what it sends',
  scope: 'webhooks:read',
  params: schema.deliveryParams,
  answers: { 200: schema.DeliveryWithPayload },
  errors: ['DELIVERY_NOT_FOUND'],
  accesses: [
    { reads: 'kit', ids: (delivery) => kitsShown(shownIn(delivery)) },
    { reads: 'report', ids: (delivery) => reportsShown(shownIn(delivery)) },
  ],
  handler: async ({ tx, params, access }) => ({
    status: 200,
    body: await findWithPayload(tx, params.id, access.scopes),
  }),
})

export const replayWebhookDelivery = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhook-deliveries/:id/replay',
  summary: 'Send a delivery again',
  effects: ['sends-out'],
  description: 'Under the same `webhook-id`, as a new delivery, at once: outside of any `ordering`.',
  scope: 'webhooks:write',
  params: schema.deliveryParams,
  answers: { 202: schema.Delivery },
  errors: ['DELIVERY_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 202, body: await log.replay(tx, params.id) }),
})

export const skipWebhookDelivery = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhook-deliveries/:id/skip',
  summary: 'Give up on a delivery',
  effects: [],
  description:
    'It is not tried again, and what waits for it in order is sent. A request that is on its way may still arrive. One that was delivered, or failed for good, stays as it is.',
  scope: 'webhooks:write',
  params: schema.deliveryParams,
  answers: { 200: schema.Delivery },
  errors: ['DELIVERY_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await log.skip(tx, params.id) }),
})

export const replayWebhookRange = defineRoute({
  ...shared,
  method: 'POST',
  path: '/webhooks/:id/replay',
  summary: 'Send the events of a stretch of time again',
  effects: ['sends-out'],
  description: 'Under the same `webhook-id`, in the `ordering` of the endpoint: newer events of a kit wait for them.',
  scope: 'webhooks:write',
  params: schema.endpointParams,
  body: schema.ReplayRange,
  answers: { 202: z.object({ events: z.int().describe('How many are sent again.') }) },
  errors: ['WEBHOOK_NOT_FOUND'],
  handler: async ({ tx, params, body }) => {
    const until = rangeEnd(body.until)
    const send = body.failedOnly ? resendFailed : log.replayRange
    return { status: 202, body: { events: await send(tx, params.id, new Date(body.since), until) } }
  },
})
