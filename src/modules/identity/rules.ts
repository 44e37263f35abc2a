import * as scopes from '../../domain/scopes.ts'
import type { SecondFactorPolicy } from '../../domain/second-factor.ts'
import type { Access, SignedIn } from '../../platform/http/caller.ts'
import type { SupportAccessRow } from './support-access-queries.ts'

export const operatorRoles = ['operator-admin', 'fulfilment', 'lab', 'reviewer', 'provider'] as const
export const businessRoles = ['business-admin', 'business-viewer'] as const
type OperatorRole = (typeof operatorRoles)[number]
type BusinessRole = (typeof businessRoles)[number]
export type Role = OperatorRole | BusinessRole

export const IDLE_MS = 15 * 60_000
export const ABSOLUTE_MS = 12 * 3600_000

/** How long a link of an e-mail can be used, once. */
export const LINK_MS = { invitation: 72 * 3600_000, reset: 3600_000 } as const
export type LinkKind = keyof typeof LINK_MS

/**
 * How many attempts may fail within the window. `atOnePlace`: for one account from one network, browser or session. The
 * rest counts places that the account does not know. An office behind one address rarely fails 30 times; where the whole
 * service fails 300 times, somebody tries many accounts from many networks, and each network is left 5.
 */
export const FAILURES = {
  windowMs: 15 * 60_000,
  atOnePlace: 5,
  atOneAccount: 50,
  fromOneNetwork: 30,
  everywhere: 300,
  fromOneNetworkThen: 5,
} as const

/** How many e-mails about an account one address gets within an hour, of each kind. */
export const EMAIL_LIMITS = { windowMs: 3600_000, reset: 3, invitation: 5, newDevice: 5 } as const

/** How long an account knows a browser that it does not sign in with. */
export const DEVICE_MS = 180 * 24 * 3600_000
/** How many browsers of one account are known: those that it used last. */
export const KNOWN_DEVICES = 50

const operatorScopesOf: Record<OperatorRole, readonly scopes.OperatorScope[]> = {
  'operator-admin': scopes.allOperatorScopes,
  fulfilment: ['fulfilment'],
  lab: ['lab'],
  reviewer: ['review', 'approvals'],
  // Of the queue, what the licences of the provider with their e-mail reach.
  provider: ['approvals'],
}

const everything: readonly scopes.SessionScope[] = [...scopes.allScopes, scopes.accountScope]
const scopesOf: Record<Role, readonly scopes.SessionScope[]> = {
  // Stands in for any business: its entries are in the audit.
  'operator-admin': everything,
  'business-admin': everything,
  'business-viewer': scopes.allScopes.filter((scope) => scope.endsWith(':read')),
  fulfilment: [],
  lab: [],
  reviewer: [],
  provider: [],
}

/** What a role may do below /operator/v1. */
export const operatorScopesFor = (role: Role): readonly scopes.OperatorScope[] =>
  operatorRoles.includes(role as OperatorRole) ? operatorScopesOf[role as OperatorRole] : []

/** What a role may do below /api/v1, in a business that it may enter. */
export const scopesFor = (role: Role): readonly scopes.SessionScope[] => scopesOf[role]

/** The form in which e-mail addresses are compared. */
export const canonicalEmail = (email: string): string => email.trim().toLowerCase()

/** The same characters however they were typed. */
export const canonicalPassword = (password: string): string => password.normalize('NFKC')

/** A live token reads by ID what it ordered as a test: that is in the sandbox, and in no list, count or event of live. */
export const mayReadTests = ({ realm, actor }: Access): boolean => realm.mode === 'live' && actor.startsWith('token:')

/** Where an attempt comes from: a network, or a place that the account knows, which is counted apart. */
export interface Place {
  key: string
  known: boolean
}

/** A session is a place that the account knows: guesses from elsewhere do not lock it. */
export const placeOfSession = ({ sessionId }: SignedIn): Place => ({ key: `session:${sessionId}`, known: true })

/** A person with a link that only the mailbox saw. All links share the attempts, since new links can be requested. */
export const placeOfMailbox: Place = { key: 'mailbox', known: true }

/** How somebody showed who they are. `code`: of an authenticator app, or a recovery code. */
export type Proof = 'password' | 'code' | 'passkey'

/** What began a session: a proof, or the word of an identity provider. */
export type Beginning = Proof | 'provider'

export interface Factors {
  totpEnabled: boolean
  hasPasskey: boolean
}

/** A passkey checks its holder itself, so it counts as much as a password with a code. */
export const hasSecondFactor = ({ totpEnabled, hasPasskey }: Factors): boolean => totpEnabled || hasPasskey

/** The second factors of an account, as the page that asks for one names them. */
export const factorsOf = ({ totpEnabled, hasPasskey }: Factors): Proof[] => [
  ...(hasPasskey ? (['passkey'] as const) : []),
  ...(totpEnabled || hasPasskey ? (['code'] as const) : []),
]

/** Whether somebody must set up a second factor before anything else. An identity provider demands its own. */
export function mustSetUp(
  policy: SecondFactorPolicy,
  account: Factors & { connectionId?: string | null },
  memberships: readonly { businessId: string | null; demandsSecondFactor: boolean }[],
): boolean {
  if (hasSecondFactor(account) || account.connectionId) return false
  return memberships.some(
    ({ businessId, demandsSecondFactor }) => demandsSecondFactor || (policy === 'operators' && businessId === null),
  )
}

export const SUPPORT_MINUTES = { default: 60, max: 8 * 60 } as const
/** How long a request waits for the business. */
export const ANSWER_MS = 24 * 3600_000

export const supportStates = ['waiting', 'active', 'ended', 'refused', 'withdrawn', 'unanswered'] as const
type SupportState = (typeof supportStates)[number]

type Times = Pick<SupportAccessRow, 'answerBy' | 'startedAt' | 'endsAt' | 'endedAt' | 'endedBy'>

/** Time alone ends an access: whether the job that notes it has run makes no difference. */
export function stateOf({ answerBy, startedAt, endsAt, endedAt, endedBy }: Times, now: Date): SupportState {
  if (startedAt !== null) return endedAt === null && endsAt !== null && endsAt > now ? 'active' : 'ended'
  if (endedBy === 'business') return 'refused'
  if (endedBy === 'operator') return 'withdrawn'
  return endedAt === null && answerBy !== null && answerBy > now ? 'waiting' : 'unanswered'
}
