export type LogFieldKind = 'number' | 'word'

/**
 * Every field that a log line may hold. The logger drops all others, and nested objects. A `word` is an identifier, a
 * short code or the pattern of a route. No field holds a path or a URL: callers put identifiers of people into them.
 */
export const logFields: Record<string, LogFieldKind> = {
  attempt: 'number',
  actorId: 'word',
  businessId: 'word',
  callerRequestId: 'word',
  clockOffMs: 'number',
  code: 'word',
  component: 'word',
  count: 'number',
  delivered: 'number',
  durationMs: 'number',
  endpointId: 'word',
  eventId: 'word',
  eventType: 'word',
  host: 'word',
  jobId: 'word',
  kitId: 'word',
  migration: 'word',
  method: 'word',
  mode: 'word',
  orderId: 'word',
  pid: 'number',
  port: 'number',
  queue: 'word',
  realmId: 'word',
  reportId: 'word',
  reqId: 'word',
  requestId: 'word',
  role: 'word',
  route: 'word',
  rows: 'number',
  signal: 'word',
  statusCode: 'number',
  tokenId: 'word',
  version: 'word',
  waiting: 'number',
  webhookId: 'word',
}
