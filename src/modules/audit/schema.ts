import { z } from 'zod'
import { businessName } from '../../domain/id-fields.ts'
import * as fields from '../../platform/http/fields.ts'
import type { AuditFilter, AuditRow } from './queries.ts'

const entry = {
  id: z.string(),
  at: fields.timestamp,
  actor: z
    .string()
    .describe(
      '`token:…`, `user:…`, `operator:…` (a token of the operator), `cli`, `job:…`, `recipient`, `share:…` (a link that a person made), `system`.',
    ),
  action: z.string().describe('`report.read`, `customer.listed`, `user.invited`, …'),
  objectType: z.string(),
  objectID: z.string().describe('`*` for a list.'),
  requestID: z.string().optional().describe('Ours: no other request has it.'),
  callerRequestID: z.string().optional().describe('What the caller sent as `X-Request-Id`.'),
  ip: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
}
export const AuditEntry = z.object(entry).meta({ id: 'AuditEntry' })
export const OperatorAuditEntry = z
  .object({
    ...entry,
    business: businessName.optional().describe('Absent for what is of no business.'),
    mode: z.enum(['live', 'sandbox']).optional(),
  })
  .meta({ id: 'OperatorAuditEntry' })

/** `total` stops at 10,000. */
export const pageOf = <S extends z.ZodType>(shape: S) =>
  z.object({ data: z.array(shape), pagination: fields.Pagination })

export const AuditQuery = z.object({
  ...fields.paging(50, 250),
  objectID: fields.anyOfTexts(50).describe('Of these things, by comma.'),
  action: fields.anyOfTexts(50).describe('Such as `report.read`; several by comma.'),
  actor: fields.anyOfTexts(50).describe('Of these, by comma.'),
  from: fields.dateOrTimestamp.optional(),
  to: fields.dateOrTimestamp.optional(),
})

export const VerificationResult = z
  .object({
    businesses: z.int(),
    entries: z.int(),
    sealed: z.int().describe('The others are sealed within a minute.'),
    intact: z
      .boolean()
      .describe(
        'As far as seals in the database tell. Only an anchor kept elsewhere tells whether the newest entries, or all of a business, were removed: `kitlane verify-audit --anchors`. False also where nothing is sealed yet, without `brokenAt`.',
      ),
    brokenAt: z.string().optional(),
  })
  .meta({ id: 'AuditVerification' })

export const filterOf = (query: z.infer<typeof AuditQuery>): AuditFilter & { page: number; size: number } => ({
  page: query.page,
  size: query.size,
  actions: query.action,
  actors: query.actor,
  objectIds: query.objectID,
  from: fields.rangeStart(query.from),
  to: fields.rangeEnd(query.to),
})

export function shownEntry(row: AuditRow): z.infer<typeof AuditEntry> {
  const { id, at, actor, action, objectType, objectId, requestId, callerRequestId, ip, details } = row
  return {
    id: String(id),
    at: at.toISOString(),
    actor,
    action,
    objectType,
    objectID: objectId,
    ...(requestId !== null && { requestID: requestId }),
    ...(callerRequestId !== null && { callerRequestID: callerRequestId }),
    ...(ip !== null && { ip }),
    ...(details !== null && { details }),
  }
}

export function shownToOperator(row: AuditRow): z.infer<typeof OperatorAuditEntry> {
  const { businessId, businessName, mode } = row
  return {
    ...shownEntry(row),
    ...(businessId !== null && { business: { id: businessId, name: businessName ?? '' } }),
    ...(mode !== null && { mode }),
  }
}

export const page = <T>(rows: readonly T[], { page, size }: { page: number; size: number }, total: number) => ({
  data: [...rows],
  pagination: fields.pagination(page, size, total),
})
