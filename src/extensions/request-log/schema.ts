import { z } from 'zod'
import * as fields from '../../platform/http/fields.ts'

export const LoggedRequest = z
  .object({
    id: z.string(),
    date: fields.timestamp.describe('When the request came.'),
    method: z.string(),
    route: z
      .string()
      .optional()
      .describe('The route, as in this document: `/api/v1/orders/{id}`. Absent: there is no such route.'),
    path: z
      .string()
      .optional()
      .describe("The route with the IDs that are Kitlane's own. What else stood in the path is not kept."),
    status: z.int().describe('Of the answer.'),
    code: z.string().optional().describe('The error code of a refusal.'),
    ms: z.int().describe('How long the answer took.'),
    requestID: z.string().describe('Ours: no other request has it.'),
    callerRequestID: z.string().optional().describe('What you sent as `X-Request-Id`.'),
    token: z.object({ id: z.string(), name: z.string().optional() }).describe('The token that the request came with.'),
    replayed: z.boolean().describe('Whether the answer is the one that was kept under its `Idempotency-Key`.'),
    simulated: z.string().optional().describe('What `Kitlane-Simulate` made of it.'),
  })
  .meta({ id: 'LoggedRequest' })

const ID = /^\d{1,15}$/
const id = z.string().regex(ID, 'The ID of an entry')

export const RequestLogQuery = z.object({
  after: id
    .optional()
    .describe('Only what came after the entry with this ID; `after` of an answer says with which to go on.'),
  before: id.optional().describe('The last entries before the one with this ID.'),
  latest: fields.isTrue.optional().describe('true: the last entries instead of the first, oldest first.'),
  size: z.coerce.number().int().min(1).max(250).default(50),
  method: fields.anyOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  status: fields
    .commaParameter(50, '404,5xx')
    .pipe(
      z.array(
        z
          .string()
          .toLowerCase()
          .regex(/^[1-5](\d\d|xx)$/, 'Must be a status such as 404, or a class such as 4xx'),
      ),
    )
    .transform((list) => (list.length > 0 ? list : undefined))
    .optional()
    .describe('`404`, or all of a class: `4xx`; several by comma.'),
  path: fields.anyText(200).optional().describe('How the path begins: `/orders`, or with an ID, `/api/v1/orders/O…`.'),
  tokenID: fields.anyOfTexts(50).describe('Only of these tokens, by comma.'),
  code: fields.anyOfTexts(50).describe('Only refusals with these error codes, by comma.'),
  requestID: fields.anyOfTexts(50).describe('Ours, or what you sent as `X-Request-Id`; several by comma.'),
  since: fields.dateOrTimestamp.optional().describe('From this time on.'),
  until: fields.dateOrTimestamp.optional().describe('Until this time.'),
})
export type RequestLogQuery = z.output<typeof RequestLogQuery>

export const RequestLogPage = z.object({
  data: z.array(LoggedRequest),
  hasMore: z.boolean().describe('Whether there are newer ones of those asked for.'),
  after: id.describe('What to ask with next as `after`, to miss nothing.'),
  before: id.optional().describe('What to ask with next as `before`, for older ones. Absent: there are none.'),
  keptDays: z.int().describe('How many days a request is kept; 0: none is.'),
})
