import { z } from 'zod'
import { anyText, text, timestamp } from '../../../platform/http/fields.ts'
import { customerNumber } from '../../customers/schema.ts'
import type { DataRequestRow } from './queries.ts'
import { answerBy, copyUntil, DAYS_OF_A_COPY, DAYS_TO_ANSWER, requestKinds, requestStatuses } from './rules.ts'

export const DataRequest = z
  .object({
    dataRequestID: z.string().describe('The ID of the request.'),
    customerID: customerNumber,
    name: z.string().describe('Of the person.'),
    kind: z.enum(requestKinds).describe('copy: of their data. erasure: of their data.'),
    status: z
      .enum(requestStatuses)
      .describe('A request for erasure is never shown as granted: it is gone with the person.'),
    requestedDate: timestamp,
    answerByDate: timestamp.describe(`${DAYS_TO_ANSWER} days after the request, as the person's page says.`),
    closedDate: timestamp.optional(),
    closedBy: z.string().optional().describe('`user:` or `token:`, and which.'),
    reason: z.string().optional().describe('Why it was refused, as the person reads it.'),
    copyUntilDate: timestamp
      .optional()
      .describe(`Until when the person can download the copy: for ${DAYS_OF_A_COPY} days.`),
  })
  .meta({ id: 'DataRequest' })
export type DataRequest = z.infer<typeof DataRequest>

export const requestParams = z.object({ dataRequestID: anyText(64).describe('ID of the request.') })

export const Refusal = z.object({ reason: text(2000).describe('For the person, who reads it word for word.') })

/** A request as it is shown; `name` is the person's. */
export function toRequest(row: DataRequestRow, name: string, now: Date): DataRequest {
  const { id, customerId, kind, status, requestedAt, closedAt, closedBy, reason } = row
  const until = copyUntil(row, now)
  return {
    dataRequestID: id,
    customerID: customerId,
    name,
    kind,
    status,
    requestedDate: requestedAt.toISOString(),
    answerByDate: answerBy(requestedAt).toISOString(),
    ...(closedAt && { closedDate: closedAt.toISOString() }),
    ...(closedBy !== null && { closedBy }),
    ...(reason !== null && { reason }),
    ...(until && { copyUntilDate: until.toISOString() }),
  }
}
