/** The scopes of tokens of a business. A token holds some of them; a route requires one. */
export const scopes = {
  'orders:read': 'Read orders and price them.',
  'orders:write': 'Place, pay, correct and cancel orders; the answer shows the order that was written.',
  'kits:read': 'Read kits.',
  'kits:write': 'Consent for, register and replace kits; the answer shows the kit that was written.',
  'customers:read':
    'Read customers, and export what is kept about them: of kits, orders and reports what the other scopes allow.',
  'customers:write':
    'Create, correct and erase customers, add data for them; the answer shows the record that was written.',
  'reports:read': 'Read published reports.',
  'reports:review': 'Read results before they are published, in reports and in files, and publish them.',
  'credits:read': 'Read credit balances and the ledger.',
  'payments:read': 'Read saved payment methods, payments and receipts.',
  'payments:write': 'Attach and remove payment methods, buy credits, and have them top themselves up.',
  'catalogue:read': 'Read panels and biomarkers.',
  'webhooks:read':
    'Read webhook endpoints, their deliveries and the event feed: events of what the other scopes allow.',
  'webhooks:write': 'Register, change and test webhook endpoints, and replay deliveries.',
  'requests:read': 'Read the log of API requests.',
  'settings:read': 'Read the settings.',
  'settings:write': 'Change the settings.',
} as const

export type Scope = keyof typeof scopes
export const allScopes = Object.keys(scopes) as Scope[]
/** The default scopes of a token, but the first of a business: all but what needs a person's judgement. */
export const defaultScopes: readonly Scope[] = allScopes.filter((scope) => scope !== 'reports:review')

/** What only people may do, signed in: no token ever holds it. */
export const accountScope = 'account:admin'
export type SessionScope = Scope | typeof accountScope

/** What a token or a person of the operator may do. */
export const operatorScopes = {
  fulfilment: 'Pack and ship kits, record what carriers say.',
  lab: 'Receive and reject samples, and send results in. A token with it may review and publish too.',
  results: 'Send results in and answer orders, and read nothing: for the system of a laboratory.',
  review: 'Read results in review, and publish them.',
  approvals: 'Read the orders that wait for a provider, and approve or refuse them.',
  catalogue: 'Edit biomarkers and panels.',
  mail: 'Read the e-mails that were sent or kept.',
  businesses: 'Make businesses, and change their panels and credits.',
  access: 'Let people and machines into any business. It reaches all that is there, health data too.',
  staff: "Invite and remove the operator's own staff, and make tokens of the operator.",
  audit: 'Read the audit of every business, and verify it.',
  system: 'See how the service is doing, and retry jobs that failed.',
} as const

export type OperatorScope = keyof typeof operatorScopes
export const allOperatorScopes = Object.keys(operatorScopes) as OperatorScope[]
