import { z } from 'zod'
import { type EventType, scopeOfEvent } from '../../modules/events/event-types.ts'
import { Withdrawn } from '../../modules/kits/consent/schema.ts'
import { kitStatuses, reportStatuses, sampleStatuses } from '../../modules/kits/lifecycle.ts'
import { KitRecord } from '../../modules/kits/schema.ts'
import { endings } from '../../modules/plans/schema.ts'
import { DataRequest } from '../../modules/privacy/requests/schema.ts'
import { ReportStatus } from '../../modules/reports/schema.ts'
import { shopOrderStatuses } from '../../modules/shops/schema.ts'
import { timestamp } from '../../platform/http/fields.ts'
import type { DocumentedEvent, DocumentedEvents } from './webhooks.ts'

const id = z.string()
const names = (what: string) => z.array(z.string()).optional().describe(`Biomarkers ${what}, by their catalogue IDs.`)

const data = {
  'kit.updated': KitRecord.extend({
    previous: z
      .object({
        kitStatus: z.enum(kitStatuses),
        sampleStatus: z.enum(sampleStatuses),
        status: z.enum(reportStatuses).describe('Of the report.'),
      })
      .describe('Where it stood before.'),
    event: z.string().describe('The step that it took.'),
    sequence: z.int().describe('Counts the events of one kit, from 1 and without gaps.'),
  }),
  'consent.withdrawn': z.object({
    kitID: id,
    customerID: z.int().optional(),
    what: Withdrawn.shape.what,
    outcome: Withdrawn.shape.outcome,
    withdrawnDate: timestamp,
  }),
  'order.created': z.object({
    orderID: id,
    status: z.enum(['created', 'pending']).describe('pending: it is not paid yet, and there are no kits.'),
    createdDate: timestamp,
    items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
    externalID: z.string().optional(),
  }),
  'order.canceled': z.object({ orderID: id, status: z.literal('canceled'), canceledDate: timestamp }),
  'report.published': z.object({
    reportID: id,
    kitID: id.optional(),
    customerID: z.int(),
    publishedDate: timestamp,
    version: z.int(),
    corrected: names('with another value, unit or verdict than in the version before'),
    completed: names('that were preliminary in the version before, and are final now'),
    added: names('that the version before did not have'),
    withdrawn: names('that the laboratory took back'),
  }),
  'result.withdrawn': z.object({
    reportID: id,
    kitID: id.optional(),
    customerID: z.int(),
    version: z.int(),
    status: ReportStatus,
    withdrawnDate: timestamp,
    results: z.array(z.object({ biomarker: z.string(), reason: z.string() })).describe('What was taken back.'),
  }),
  'result.critical': z.object({
    criticalID: id,
    customerID: z.int(),
    kitID: id.optional(),
    reportID: id.optional(),
    raisedDate: timestamp,
    deadlineDate: timestamp.describe('Until when somebody has to acknowledge it, before the next one is told.'),
  }),
  'bulk_order.completed': z.object({
    jobId: id,
    status: z.enum(['completed', 'canceled', 'failed']),
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    pending: z.literal(true).optional().describe('Orders of it wait for their payment.'),
    completedDate: timestamp,
  }),
  'plan.created': z.object({
    planID: id,
    createdDate: timestamp,
    nextDate: z.iso.date().describe('When its first order is placed.'),
    items: z.array(z.object({ kitType: z.string(), quantity: z.int() })),
  }),
  'plan.order_failed': z.object({
    planID: id,
    date: z.iso.date().describe('The date of the order that could not be placed.'),
    code: z.string().describe('Why, as `POST /create-order` would refuse it.'),
    attempts: z.int().describe('How often placing it was tried.'),
    retryDate: timestamp.optional().describe('When it is tried again; absent where the date is skipped now.'),
  }),
  'plan.ended': z.object({
    planID: id,
    endedBy: z.enum(endings).describe('Whether it placed all its orders, was ended, or its recipient was erased.'),
    endedDate: timestamp,
  }),
  'shop.order_failed': z.object({
    shopID: id.describe("The shop's ID."),
    shopOrderID: id.describe("The shop order's ID."),
    status: z.enum(shopOrderStatuses).describe('What becomes of it now.'),
    code: z.string().describe('Why: the reason why it waits, or as `POST /create-order` would refuse it.'),
    attempts: z.int().describe('How often placing it was tried.'),
    orderID: id.optional().describe('The order that was placed for it.'),
    retryDate: timestamp.optional().describe('When it is tried again; absent where a person decides.'),
  }),
  'credits.low': z.object({
    type: z.string().describe('The kit type.'),
    credits: z.int().describe('How many are left.'),
    threshold: z.int().describe('The number that the settings warn below.'),
  }),
  'credits.topped_up': z.object({
    type: z.string().describe('The kit type.'),
    amount: z.int().describe('Credits that were bought.'),
    credits: z.int().describe('The balance after it.'),
    paymentID: id,
    automatic: z.boolean().describe('Whether the balance topped itself up; false: somebody bought them.'),
  }),
  'customer.created': z.object({ id: z.int(), external_id: z.string().optional(), createdDate: timestamp }),
  'customer.updated': z.object({
    id: z.int(),
    external_id: z.string().optional(),
    updatedDate: timestamp,
    changed: z.array(z.string()).describe('The names of the fields that changed; not their values.'),
  }),
  'data_request.created': z.object({
    dataRequestID: DataRequest.shape.dataRequestID,
    customerID: z.int(),
    kind: DataRequest.shape.kind,
    requestedDate: timestamp,
    answerByDate: timestamp,
  }),
  'order.updated': z.object({
    orderID: id,
    updatedDate: timestamp,
    changed: z.array(z.string()).describe('The names of the fields that changed; not their values.'),
  }),
  'webhook.test': z.object({ endpointID: id, message: z.string() }),
} satisfies Record<EventType, z.ZodType>

const THIN = 'An endpoint with `payload: thin` gets its IDs, statuses, counts and times only.'

const sentences: Record<EventType, [summary: string, description: string]> = {
  'kit.updated': ['A kit moved', `A kit or its sample took a step. ${THIN}`],
  'consent.withdrawn': ['A consent was taken back', 'The person tested took back a consent.'],
  'order.created': [
    'An order was placed',
    'Of a pending order it comes twice: when it is placed, and when it is paid.',
  ],
  'order.canceled': ['An order was canceled', 'Its credits are back, or its charge is refunded.'],
  'order.updated': ['An order was corrected', 'Its shipping address changed. Names which fields changed.'],
  'report.published': ['A report can be read', 'A report, or a new version of it, was published.'],
  'result.withdrawn': ['A result was taken back', 'The laboratory said that a result of a report is wrong.'],
  'result.critical': [
    'A result is critical',
    'Somebody may need help at once. The value is not sent: read it in the service.',
  ],
  'bulk_order.completed': ['A bulk job ended', 'All rows of a job are done, or it was canceled.'],
  'plan.created': ['A recurring plan was created', 'Its orders come as `order.created` when they are placed.'],
  'plan.order_failed': [
    'An order of a recurring plan could not be placed',
    'Each time that it was tried: daily for seven days, then its date is skipped.',
  ],
  'plan.ended': ['A recurring plan ended', 'It places no more orders.'],
  'shop.order_failed': [
    'An order of a shop could not be placed',
    'It waits for a person, or is tried again daily for seven days; or tracking could not be written back.',
  ],
  'credits.low': ['Credits are low', 'A balance fell below the threshold of the settings; once for each fall.'],
  'credits.topped_up': ['Credits were bought', 'By somebody, or because a balance topped itself up.'],
  'customer.created': ['A person was recorded', 'A record of a person tested was made.'],
  'customer.updated': ['A person’s record changed', 'Names which fields changed.'],
  'data_request.created': [
    'A person asked for their data',
    'For a copy of it, or for its erasure. It waits for your answer.',
  ],
  'webhook.test': ['A test', 'Sent to one endpoint, with `POST /webhooks/{endpointID}/test`.'],
}

const named = (type: string) => type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
const scopes: Partial<Record<EventType, string>> = scopeOfEvent

const documented = (type: EventType): DocumentedEvent => {
  const [summary, description] = sentences[type]
  const scope = scopes[type]
  const body = z
    .object({
      type: z.literal(type),
      timestamp: timestamp.describe('When it happened, RFC 3339.'),
      data: data[type].describe('What happened.'),
    })
    .meta({ id: `${named(type)}Event` })
  return { summary, description, body, ...(scope && { scope }) }
}

/** What webhooks bring: the `webhooks` of the OpenAPI document. */
export const eventDocuments: DocumentedEvents = Object.fromEntries(
  (Object.keys(data) as EventType[]).map((type) => [type, documented(type)]),
)
