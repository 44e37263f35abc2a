import type { SealedEntry } from '../reader-queries.ts'

/** An entry as other systems get it: what `GET /audit` shows, with the business. Holds no name and no health data. */
export function streamed(entry: SealedEntry): Record<string, unknown> {
  const { id, at, actor, action, objectType, objectId, requestId, callerRequestId, ip, details, businessId, mode } =
    entry
  return {
    ...{ id: String(id), at: at.toISOString(), actor, action, objectType, objectID: objectId },
    ...(businessId !== null && { businessID: businessId, mode }),
    ...(requestId !== null && { requestID: requestId }),
    ...(callerRequestId !== null && { callerRequestID: callerRequestId }),
    ...(ip !== null && { ip }),
    ...(details !== null && { details }),
  }
}
