import type { OperatorScope, SessionScope } from './scopes.ts'

/** What a request may cause beyond its answer and the rows that it writes. */
export const effects = {
  spends: 'Orders kits, or takes credits or money.',
  publishes: 'Shows people tested their results, the texts that they agree to, or the answer to what they asked for.',
  'sends-out': 'Sends personal data to another system, or hands it out as a file.',
  'lets-in': 'Gives a person or a machine access.',
  deletes: 'Deletes what cannot be brought back.',
  'changes-who-is-told': 'Changes whom messages about people, kits or results go to.',
} as const

export type Effect = keyof typeof effects

/**
 * Whether a write adds something and leaves all else as it is. Any other one may end or overwrite what is there, such as a plan or an
 * order, and an application asks the person before it calls it. `path`: as OpenAPI writes it.
 */
export function onlyAdds({
  method,
  path,
  effects,
}: {
  method: string
  path: string
  effects: readonly string[]
}): boolean {
  const isOfOneThing = path.includes('{') && !path.endsWith('/test')
  return method === 'POST' && effects.length === 0 && !isOfOneThing && !path.includes('/sandbox/')
}

export interface LastingGrant {
  /** What acts, as a sentence names it. */
  words: string
  effects: readonly Effect[]
  /** The scopes that do the same directly. Anyone who makes the grant holds them, beside the scope of the route. */
  needs: { business: readonly SessionScope[]; operator: readonly OperatorScope[] }
  /**
   * What becomes of one that is made during a support access. `ends`: it ends with the access, unless the business keeps it.
   * `refused`: it cannot be made then. `stays`: it reaches nobody but the people and the business that it is about.
   */
  inSupportAccess: 'ends' | 'refused' | 'stays'
}

const accounts = { business: ['account:admin'], operator: ['access'] } as const
const nothing = { business: [], operator: [] } as const

/** What goes on acting by itself after the request that made it. A route names in `grants` what it makes. */
export const lastingGrants = {
  shop: {
    words: 'a shop whose orders are placed',
    effects: ['spends', 'sends-out'],
    needs: { business: ['orders:read', 'orders:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  plan: {
    words: 'a recurring plan',
    effects: ['spends'],
    needs: { business: ['orders:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  retests: {
    words: 'panels that people may order again',
    effects: ['spends'],
    needs: { business: ['orders:write'], operator: ['businesses'] },
    inSupportAccess: 'refused',
  },
  charges: {
    words: 'orders that charge the card when credits run out',
    effects: ['spends'],
    needs: { business: ['payments:write'], operator: ['businesses'] },
    inSupportAccess: 'refused',
  },
  card: {
    words: 'a card that orders are charged to',
    effects: ['spends'],
    needs: { business: ['payments:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  topUp: {
    words: 'an automatic top-up of credits',
    effects: ['spends'],
    needs: { business: ['payments:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  publishing: {
    words: 'reports that are published without a person',
    effects: ['publishes'],
    needs: { business: ['reports:review'], operator: ['review'] },
    inSupportAccess: 'refused',
  },
  // The scopes that read its events are checked event by event: webhooks/service.ts.
  webhook: {
    words: 'a webhook endpoint',
    effects: ['sends-out', 'changes-who-is-told'],
    needs: { business: ['webhooks:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  contact: {
    words: 'the address that warnings and the answers of recipients go to',
    effects: ['changes-who-is-told'],
    needs: { business: ['settings:write'], operator: ['businesses'] },
    inSupportAccess: 'refused',
  },
  onCall: {
    words: 'the on-call list',
    effects: ['changes-who-is-told'],
    needs: { business: ['settings:write'], operator: [] },
    inSupportAccess: 'refused',
  },
  copy: {
    words: 'a copy of their data that a person can download',
    effects: ['sends-out'],
    needs: { business: ['customers:read', 'kits:read', 'orders:read', 'reports:read'], operator: [] },
    inSupportAccess: 'refused',
  },
  reminders: {
    words: 'the rules of reminders',
    effects: [],
    needs: nothing,
    inSupportAccess: 'stays',
  },
  // Roles and scopes that are given are checked one by one: identity/grants.ts.
  token: { words: 'an API token', effects: ['lets-in'], needs: accounts, inSupportAccess: 'ends' },
  invitation: { words: 'a user', effects: ['lets-in'], needs: accounts, inSupportAccess: 'ends' },
  tokenTerms: {
    words: 'other terms of an API token',
    effects: ['lets-in'],
    needs: accounts,
    inSupportAccess: 'refused',
  },
  role: { words: 'another role of a user', effects: ['lets-in'], needs: accounts, inSupportAccess: 'refused' },
  signOn: { words: 'a single sign-on', effects: ['lets-in'], needs: accounts, inSupportAccess: 'refused' },
  scim: { words: 'a token of SCIM', effects: ['lets-in'], needs: accounts, inSupportAccess: 'refused' },
  signIn: { words: 'other rules of signing in', effects: ['lets-in'], needs: accounts, inSupportAccess: 'refused' },
} as const satisfies Record<string, LastingGrant>

export type Grant = keyof typeof lastingGrants

/** A grant without the names of its own. */
export const lastingGrant = (name: Grant): LastingGrant => lastingGrants[name]
