import type { Scope } from '../../domain/scopes.ts'

/** Every type of event that a business can hear of, with the scope that reads the same elsewhere. */
export const scopeOfEvent = {
  'kit.updated': 'kits:read',
  'kit.undelivered': 'kits:read',
  'kit.held': 'kits:read',
  'kit.recalled': 'kits:read',
  'lab_order.updated': 'kits:read',
  'consent.withdrawn': 'kits:read',
  'order.created': 'orders:read',
  'order.updated': 'orders:read',
  'order.canceled': 'orders:read',
  'report.published': 'reports:read',
  'result.withdrawn': 'reports:read',
  'result.critical': 'reports:read',
  'bulk_order.completed': 'orders:read',
  'plan.created': 'orders:read',
  'plan.order_failed': 'orders:read',
  'plan.ended': 'orders:read',
  'shop.order_failed': 'orders:read',
  'credits.low': 'credits:read',
  'credits.topped_up': 'credits:read',
  'customer.created': 'customers:read',
  'customer.updated': 'customers:read',
  'data_request.created': 'customers:read',
} as const satisfies Record<string, Scope>

type Heard = keyof typeof scopeOfEvent
export const eventTypes = Object.keys(scopeOfEvent) as [Heard, ...Heard[]]

/** webhook.test is made for one endpoint on request. */
export type EventType = Heard | 'webhook.test'
