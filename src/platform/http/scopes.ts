/** What a token may do. A token holds some of these; a route asks for one. */
export const scopes = {
  'orders:read': 'Read orders and price them.',
  'orders:write': 'Place and cancel orders.',
  'kits:read': 'Read kits.',
  'kits:write': 'Consent for, register and replace kits.',
  'customers:read': 'Read customers and export what is kept about them.',
  'customers:write': 'Create and erase customers, add data for them.',
  'reports:read': 'Read published reports.',
  'credits:read': 'Read credit balances and the ledger.',
  'payments:read': 'Read saved payment methods.',
  'payments:write': 'Attach and remove payment methods.',
  'catalogue:read': 'Read panels and biomarkers.',
  'webhooks:read': 'Read webhook endpoints, their deliveries and the event feed.',
  'webhooks:write': 'Register, change and test webhook endpoints, and replay deliveries.',
  'settings:read': 'Read the settings.',
  'settings:write': 'Change the settings.',
} as const

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as Scope[]
