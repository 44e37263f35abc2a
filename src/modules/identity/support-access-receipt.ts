import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type AuditRow, selectEntriesOfMarked } from '../audit/queries.ts'
import { selectMembers } from './member-queries.ts'
import { stateOf } from './rules.ts'
import { type SupportAccessRow, selectSupportAccesses } from './support-access-queries.ts'
import { selectTokensMadeIn } from './token-queries.ts'

const Details = z.object({
  before: z.record(z.string(), z.unknown()).optional().catch(undefined),
  changed: z.array(z.string()).optional().catch(undefined),
})

// An access lasts eight hours at most; what is beyond this is read in the audit.
const MOST = 1000

/** What became of what was done in a support access. */
export const outcomes = ['ends', 'ended', 'stays'] as const
type Outcome = (typeof outcomes)[number]

interface Undo {
  operationID: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
}

// `:id` is the object of the entry. A PATCH or a POST of the same address is a change back, for which a person decides the values.
const undoing: Readonly<Record<string, Undo>> = {
  'order.placed': { operationID: 'cancelOrder', method: 'POST', path: '/api/v1/orders/:id/cancel' },
  'order.paid': { operationID: 'cancelOrder', method: 'POST', path: '/api/v1/orders/:id/cancel' },
  'order.updated': { operationID: 'correctOrder', method: 'PATCH', path: '/api/v1/orders/:id' },
  'bulk_job.accepted': { operationID: 'cancelBulkOrderJob', method: 'DELETE', path: '/api/v1/bulk-order-jobs/:id' },
  'customer.created': { operationID: 'eraseCustomer', method: 'DELETE', path: '/api/v1/customers/:id' },
  'customer.updated': { operationID: 'correctCustomer', method: 'PATCH', path: '/api/v1/customers/:id' },
  'kit.registered': {
    operationID: 'clearKitRegistration',
    method: 'POST',
    path: '/api/v1/kits/:id/registration/clear',
  },
  'kit.registration_cleared': { operationID: 'registerKit', method: 'POST', path: '/api/v1/kits/:id/register' },
  'kit.consented': {
    operationID: 'withdrawConsentForKit',
    method: 'POST',
    path: '/api/v1/kits/:id/consent/withdrawal',
  },
  'kit.consent_withdrawn': { operationID: 'consentForKit', method: 'POST', path: '/api/v1/kits/:id/consent' },
  'plan.paused': { operationID: 'resumePlan', method: 'POST', path: '/api/v1/plans/:id/resume' },
  'settings.changed': { operationID: 'changeSettings', method: 'PATCH', path: '/api/v1/settings' },
  'reminders.changed': { operationID: 'replaceReminderRules', method: 'POST', path: '/api/v1/reminders' },
  'consent_text.published': { operationID: 'publishConsentText', method: 'POST', path: '/api/v1/consent-texts' },
  'webhook.changed': { operationID: 'changeWebhook', method: 'PATCH', path: '/api/v1/webhooks/:id' },
  'webhook.removed': { operationID: 'createWebhook', method: 'POST', path: '/api/v1/webhooks' },
  'shop.disconnected': { operationID: 'connectShop', method: 'POST', path: '/api/v1/shops' },
  'payment_method.detached': { operationID: 'addCard', method: 'POST', path: '/api/v1/payment-methods/sessions' },
  'token.created': { operationID: 'revokeToken', method: 'DELETE', path: '/api/v1/tokens/:id' },
  'token.revoked': { operationID: 'createToken', method: 'POST', path: '/api/v1/tokens' },
  'user.invited': { operationID: 'removeUser', method: 'DELETE', path: '/api/v1/users/:id' },
  'user.disabled': { operationID: 'changeUser', method: 'PATCH', path: '/api/v1/users/:id' },
  'user.removed': { operationID: 'inviteUser', method: 'POST', path: '/api/v1/users' },
  'sso.removed': { operationID: 'createSsoConnection', method: 'POST', path: '/api/v1/sso-connections' },
}

/** The request that takes something back, if one does. What has ended needs none. */
function undoOf({ action, objectId }: { action: string; objectId: string }, outcome: Outcome): Undo | undefined {
  const undo = outcome === 'ended' ? undefined : undoing[action]
  return undo && { ...undo, path: undo.path.replace(':id', encodeURIComponent(objectId)) }
}

/** What lets somebody in, and so ends with the access. */
const endsWithAccess = (action: string): boolean => action === 'token.created' || action === 'user.invited'

export interface ReceiptEntry {
  entry: AuditRow
  outcome: Outcome
  undo: Undo | undefined
  before: Record<string, unknown> | undefined
  changed: string[] | undefined
}

export interface Receipt {
  access: SupportAccessRow
  entries: ReceiptEntry[]
  isComplete: boolean
}

/**
 * What was made and changed in a support access of a business, by the person who had it and with tokens made in it, and
 * what became of it. Reading is in the audit. @throws SUPPORT_ACCESS_NOT_FOUND
 */
export async function receiptOf(tx: SystemTx, businessId: string, id: string): Promise<Receipt> {
  const [access] = (await selectSupportAccesses(tx, { id, businessIds: [businessId] }, { page: 0, size: 1 })).rows
  if (!access) throw new AppError('SUPPORT_ACCESS_NOT_FOUND', 'There is no such support access')
  const isOver = stateOf(access, tx.now) !== 'active'
  const tokens = await selectTokensMadeIn(tx, id)
  const members = await selectMembers(tx, businessId)
  const going = new Map<string, 'kept' | 'ends'>([
    ...tokens.filter((one) => one.isValid).map((one) => [one.id, 'ends'] as const),
    ...members.map((one) => [one.id, one.supportAccessId === null ? 'kept' : 'ends'] as const),
  ])
  const span = { from: access.startedAt ?? access.requestedAt, to: access.endedAt ?? tx.now, limit: MOST + 1 }
  const mark = { action: 'support_access.used', objectId: id }
  const actors = tokens.map((one) => `token:${one.id}`)
  const rows = await selectEntriesOfMarked(tx, { businessId, mark, actors }, span)
  const entries = rows.slice(0, MOST).map((entry) => {
    const outcome = outcomeOf(entry, { isOver, going })
    const { before, changed } = Details.parse(entry.details ?? {})
    return { entry, outcome, undo: undoOf(entry, outcome), before, changed }
  })
  return { access, entries, isComplete: rows.length <= MOST }
}

/** `going`: the tokens and users that are still valid; those that nobody kept end with the access. */
function outcomeOf(
  { action, objectId }: AuditRow,
  { isOver, going }: { isOver: boolean; going: ReadonlyMap<string, 'kept' | 'ends'> },
): Outcome {
  if (!endsWithAccess(action)) return 'stays'
  const now = going.get(objectId)
  if (now === 'kept') return 'stays'
  return now === 'ends' && !isOver ? 'ends' : 'ended'
}
