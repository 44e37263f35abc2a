import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { anyOf, anyOfTexts, anyText, Pagination, pagination, paging, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import type { ListedEmail } from './list-queries.ts'
import { find, list } from './service.ts'

const tag = 'Operator: mail'

const status = z.enum(['queued', 'sent', 'kept', 'failed'])

const Email = z
  .object({
    id: z.string(),
    business: z
      .object({ id: z.string(), name: z.string() })
      .optional()
      .describe('Absent where it is about an account.'),
    mode: z.enum(['live', 'sandbox']).optional(),
    kind: z.string(),
    to: z.string(),
    subject: z.string(),
    status: status.describe('kept: not sent, since there is no mail server or it is of the sandbox.'),
    attempts: z.int(),
    lastError: z.string().optional(),
    orderID: z.string().optional(),
    kitID: z.string().optional(),
    createdDate: timestamp,
    sentDate: timestamp.optional(),
  })
  .meta({ id: 'Email' })

function shown(row: ListedEmail): z.infer<typeof Email> {
  const { id, businessId, businessName, mode, kind, to, subject, attempts, lastError, orderId, kitId, sentAt } = row
  return {
    ...(businessId !== null && businessName !== null && { business: { id: businessId, name: businessName } }),
    ...(mode && { mode }),
    id,
    kind,
    to,
    subject,
    status: row.status,
    attempts,
    ...(lastError && { lastError }),
    ...(orderId && { orderID: orderId }),
    ...(kitId && { kitID: kitId }),
    createdDate: row.createdAt.toISOString(),
    ...(sentAt && { sentDate: sentAt.toISOString() }),
  }
}

export const listEmails = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/emails',
  tag,
  summary: 'List e-mails, sent or kept, newest first',
  scope: 'mail',
  query: z.object({
    ...paging(50, 250),
    status: anyOf(status.options),
    businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
    orderID: anyOfTexts(50).describe('About these orders, by comma.'),
  }),
  answers: { 200: z.object({ data: z.array(Email), pagination: Pagination }) },
  accesses: { lists: 'email', ids: ({ data }) => data.map(({ id }) => id) },
  handler: async ({ tx, query: { page, size, status, businessID, orderID } }) => {
    const filter = { businessIds: businessID, statuses: status, orderIds: orderID?.map(normalizeId) }
    const { emails, total } = await list(tx, { ...filter, page, size })
    return { status: 200, body: { data: emails.map(shown), pagination: pagination(page, size, total) } }
  },
})

export const getEmail = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/emails/:emailID',
  tag,
  summary: 'Get an e-mail as it was rendered',
  scope: 'mail',
  params: z.object({ emailID: anyText(64) }),
  answers: { 200: Email.extend({ text: z.string(), html: z.string() }) },
  errors: ['EMAIL_NOT_FOUND'],
  accesses: { reads: 'email', ids: ({ id }) => [id] },
  handler: async ({ tx, params }) => {
    const email = await find(tx, params.emailID)
    return { status: 200, body: { ...shown(email), text: email.text, html: email.html } }
  },
})
