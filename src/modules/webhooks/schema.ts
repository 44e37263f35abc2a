import { z } from 'zod'
import * as fields from '../../platform/http/fields.ts'
import { eventTypes } from '../events/event-types.ts'

const url = fields.text(2000).describe('https. Never a private, loopback or link-local address.')
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(eventTypes.length)
  .describe('Which types to send; absent or null: every type.')
const payload = z.enum(['full', 'thin']).describe('thin: identifiers, statuses and customerID only.')
const ordering = z
  .enum(['none', 'kit'])
  .describe(
    'kit: an event of a kit or an order waits for its earlier ones, until they are delivered or given up on. none: retries fall behind.',
  )
const rateLimit = z.int().min(1).max(1000).nullable().describe('At most so many deliveries a second; null: no limit.')

export const NewEndpoint = z.object({
  url,
  events: events.nullish(),
  payload: payload.default('full'),
  ordering: ordering.default('none'),
  rateLimit: rateLimit.optional(),
  description: fields.anyText(500).optional(),
  enabled: z.boolean().default(true),
})
export type NewEndpoint = z.infer<typeof NewEndpoint>

export const EndpointChange = z
  .object({
    url,
    events: events.nullable(),
    payload,
    ordering,
    rateLimit,
    description: fields.anyText(500),
    enabled: z.boolean(),
  })
  .partial()
export type EndpointChange = z.infer<typeof EndpointChange>

export const Endpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()).nullable(),
    payload,
    ordering,
    rateLimit,
    description: z.string().optional(),
    enabled: z.boolean(),
    disabledReason: z
      .enum(['business', 'gone', 'failing'])
      .optional()
      .describe(
        'business: switched off. gone: it answered 410. failing: nothing got through for five days. Its queue waits.',
      ),
    createdDate: fields.timestamp,
  })
  .meta({ id: 'WebhookEndpoint' })
export type Endpoint = z.infer<typeof Endpoint>

export const EndpointWithSecret = Endpoint.extend({
  secret: z.string().describe('`whsec_…`, to verify signatures with. Shown once.'),
}).meta({ id: 'WebhookEndpointWithSecret' })

export const endpointParams = z.object({ id: fields.anyText(64) })
export const deliveryParams = z.object({ id: fields.anyText(64) })

const status = z.enum(['pending', 'delivered', 'failed'])

export const DeliveryQuery = z.object({ ...fields.paging(50, 250), status: fields.anyOf(status.options) })

export const AllDeliveriesQuery = DeliveryQuery.extend({
  endpointID: fields.anyOfTexts(50).describe('Of these endpoints, by comma.'),
  kitID: fields.anyOfTexts(50).describe('Of events about these kits, by comma.'),
})

export const Delivery = z
  .object({
    id: z.string(),
    endpointID: z.string(),
    eventID: z.string().describe('The `webhook-id` header.'),
    eventType: z.string(),
    status,
    createdDate: fields.timestamp,
    nextAttemptDate: fields.timestamp.optional(),
    finishedDate: fields.timestamp.optional(),
    attempts: z.array(
      z.object({
        number: z.int(),
        date: fields.timestamp,
        status: z.int().optional().describe('Of the HTTP answer; absent where there was none.'),
        error: z
          .string()
          .optional()
          .describe('Why there was no answer: TIMEOUT, DNS, TLS, CONNECT, REFUSED_ADDRESS, …'),
        ms: z.int(),
        answer: z.string().optional().describe('The first 2 kB of the answer.'),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.infer<typeof Delivery>

export const DeliveryWithPayload = Delivery.extend({
  payload: z
    .object({ type: z.string(), timestamp: fields.timestamp, data: z.looseObject({}) })
    .optional()
    .describe(
      'The body that is sent, as it would be now. Absent where you may not read such events elsewhere: those of kits need `kits:read`, and so on.',
    ),
}).meta({ id: 'WebhookDeliveryWithPayload' })

export const DeliveryPage = z.object({ data: z.array(Delivery), pagination: fields.Pagination })

export const ReplayRange = z.object({
  since: fields.dateOrTimestamp.describe('Events from this time on are sent again.'),
  until: fields.dateOrTimestamp.optional(),
  failedOnly: z
    .boolean()
    .default(false)
    .describe(
      'true: only events that the endpoint has not taken, after one attempt or more. Those that wait for their next attempt are sent now.',
    ),
})
