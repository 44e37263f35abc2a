import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { SessionScope } from '../../domain/scopes.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { eventTypes, scopeOfEvent } from '../events/event-types.ts'
import * as events from '../events/service.ts'
import { hurryFailed, insertFailed, orderPending, releaseWaiting } from './order-queries.ts'
import * as queries from './queries.ts'
import type { Endpoint, EndpointChange, NewEndpoint } from './schema.ts'
import { newSecret, sealSecret } from './secrets.ts'

// More than this is a use of endpoints for what event types are for.
const MAX_ENDPOINTS = 50
const OLD_SECRET_MS = 24 * 3600 * 1000

/**
 * Registers an endpoint. Its secret is returned once. `scopes`: what the caller may read, since the endpoint will.
 * @throws VALIDATION_FAILED, FORBIDDEN
 */
export async function create(
  tx: Tx,
  input: NewEndpoint,
  scopes: ReadonlySet<SessionScope>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  checkScopes(input.events, scopes)
  checkUrl(tx, input.url)
  if ((await queries.selectEndpoints(tx)).length >= MAX_ENDPOINTS) {
    refuse([{ message: `There are ${MAX_ENDPOINTS} endpoints already; remove one first` }])
  }
  const id = newOpaqueId('we')
  const secret = newSecret()
  await queries.insertEndpoint(tx, { ...input, id, secret: sealSecret(tx.context, tx.realm.id, id, secret) })
  await recordChange(tx, 'webhook.created', id)
  return { endpoint: await find(tx, id), secret }
}

export async function list(tx: Tx): Promise<Endpoint[]> {
  return (await queries.selectEndpoints(tx)).map(toEndpoint)
}

/** @throws WEBHOOK_NOT_FOUND */
export async function find(tx: Tx, id: string): Promise<Endpoint> {
  return toEndpoint(await lookUp(tx, id))
}

/**
 * Changes the given fields. An endpoint that is enabled again gets the deliveries that waited. A caller who changes where
 * events go, or which, must be allowed to read them. @throws WEBHOOK_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN
 */
export async function change(
  tx: Tx,
  id: string,
  { enabled, rateLimit, ...input }: EndpointChange,
  scopes: ReadonlySet<SessionScope>,
): Promise<Endpoint> {
  const before = await lookUp(tx, id)
  const sends = input.url !== undefined || input.events !== undefined || input.payload !== undefined || enabled
  if (sends) checkScopes(input.events === undefined ? before.events : input.events, scopes)
  if (input.url !== undefined) checkUrl(tx, input.url)
  const state =
    enabled === undefined
      ? {}
      : { enabled, disabled_reason: enabled ? null : 'business', failing_since: null, failures: 0 }
  const values = { ...input, ...state, ...(rateLimit !== undefined && { rate_limit: rateLimit }) }
  // Deliveries before their endpoint: in the order in which a sender locks them.
  if (input.ordering === 'kit' && before.ordering === 'none') await orderPending(tx, id)
  if (Object.keys(values).length > 0) {
    await queries.updateEndpoint(tx, id, values)
    await recordChange(tx, 'webhook.changed', id, before)
  }
  if (enabled || input.ordering || rateLimit !== undefined) await queries.notifyDeliveries(tx)
  return find(tx, id)
}

/** Removes an endpoint with its queue and its log. @throws WEBHOOK_NOT_FOUND */
export async function remove(tx: Tx, id: string): Promise<void> {
  const before = await lookUp(tx, id)
  await queries.deleteEndpoint(tx, id)
  await recordChange(tx, 'webhook.removed', id, before)
}

/**
 * Gives an endpoint a new secret; the one before stays valid beside it for 24 h. Who has it can sign what the endpoint is sent.
 * @throws WEBHOOK_NOT_FOUND, FORBIDDEN
 */
export async function rotateSecret(
  tx: Tx,
  id: string,
  scopes: ReadonlySet<SessionScope>,
): Promise<{ endpoint: Endpoint; secret: string }> {
  checkScopes((await lookUp(tx, id)).events, scopes)
  const secret = newSecret()
  const oldUntil = new Date(tx.now.getTime() + OLD_SECRET_MS)
  await queries.rotateEndpointSecret(tx, id, { secret: sealSecret(tx.context, tx.realm.id, id, secret), oldUntil })
  await recordChange(tx, 'webhook.secret_rotated', id)
  return { endpoint: await find(tx, id), secret }
}

/** Sends a `webhook.test` event to this endpoint alone. Returns the delivery's ID. @throws WEBHOOK_NOT_FOUND */
export async function sendTest(tx: Tx, id: string): Promise<string> {
  await lookUp(tx, id)
  const data = { endpointID: id, message: 'This is a test' }
  const [eventId = ''] = await events.record(tx, [{ type: 'webhook.test', data }])
  return queries.insertDelivery(tx, id, eventId)
}

function checkUrl(tx: Tx, url: string): void {
  const problem = tx.context.urlProblem(url)
  if (problem) refuse([{ message: problem, path: 'url' }])
}

/** Refuses an endpoint for events that the caller may not read. @throws FORBIDDEN */
function checkScopes(types: readonly string[] | null | undefined, scopes: ReadonlySet<SessionScope>): void {
  const sent = eventTypes.filter((type) => !types || types.includes(type))
  const missing = [...new Set(sent.map((type) => scopeOfEvent[type]))].filter((scope) => !scopes.has(scope))
  if (missing.length === 0) return
  throw new AppError(
    'FORBIDDEN',
    `This endpoint would be sent what you may not read (${missing.join(', ')}): name only \`events\` that you may read`,
  )
}

async function lookUp(tx: Tx, id: string): Promise<queries.EndpointRow> {
  const row = await queries.selectEndpoint(tx, id)
  if (!row) throw new AppError('WEBHOOK_NOT_FOUND', 'There is no such webhook endpoint')
  return row
}

const recordChange = (tx: Tx, action: audit.AuditAction, id: string, before?: queries.EndpointRow) =>
  audit.record(tx, [
    { action, objectType: 'webhook', objectId: id, ...(before && { details: { before: termsOf(before) } }) },
  ])

/** What an endpoint was asked to do. Behind its host an address may hold a secret. */
function termsOf({ url, ...row }: queries.EndpointRow) {
  const { events, payload, ordering, rateLimit, enabled } = toEndpoint({ url, ...row })
  return { url: `${new URL(url).origin}/…`, events, payload, ordering, rateLimit, enabled }
}

function toEndpoint(row: queries.EndpointRow): Endpoint {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    payload: row.payload,
    ordering: row.ordering,
    rateLimit: row.rateLimit,
    ...(row.description && { description: row.description }),
    enabled: row.enabled,
    ...(row.disabledReason && { disabledReason: row.disabledReason }),
    createdDate: row.createdAt.toISOString(),
  }
}

/**
 * Sends an endpoint what it has not taken of a stretch of time, after one attempt or more, in its order. Returns how many events.
 * @throws WEBHOOK_NOT_FOUND
 */
export async function resendFailed(tx: Tx, endpointId: string, since: Date, until: Date = tx.now): Promise<number> {
  await find(tx, endpointId)
  await releaseWaiting(tx, endpointId)
  const hurried = await hurryFailed(tx, endpointId, since, until)
  if (hurried > 0) await queries.notifyDeliveries(tx)
  return hurried + (await insertFailed(tx, endpointId, since, until))
}
