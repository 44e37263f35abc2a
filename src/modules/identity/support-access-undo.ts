/** What became of what was done in a support access. */
export const outcomes = ['ends', 'ended', 'stays'] as const
export type Outcome = (typeof outcomes)[number]

export interface Undo {
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
export function undoOf({ action, objectId }: { action: string; objectId: string }, outcome: Outcome): Undo | undefined {
  const undo = outcome === 'ended' ? undefined : undoing[action]
  return undo && { ...undo, path: undo.path.replace(':id', encodeURIComponent(objectId)) }
}

/** What lets somebody in, and so ends with the access. */
export const endsWithAccess = (action: string): boolean => action === 'token.created' || action === 'user.invited'
