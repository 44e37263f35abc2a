/** Every type of event that a business can hear of. */
export const eventTypes = [
  'kit.updated',
  'order.created',
  'order.canceled',
  'report.published',
  'bulk_order.completed',
  'credits.low',
  'customer.created',
  'customer.updated',
] as const

/** webhook.test is made for one endpoint on request. */
export type EventType = (typeof eventTypes)[number] | 'webhook.test'
