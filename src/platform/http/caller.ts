import type { OperatorScope, SessionScope } from '../../domain/scopes.ts'
import type { Realm } from '../database/tx.ts'

/** What a valid token or session of a business stands for. */
export interface Access {
  /** The token, or the user who is signed in. */
  callerId: string
  /** The same for the audit: `token:tok_…`, `user:usr_…`. */
  actor: string
  /** Whose requests are counted together: a token or a session. */
  countedAs: string
  realm: Realm
  /** The same business in the other mode. */
  twin: Realm
  businessName: string
  scopes: ReadonlySet<SessionScope>
  rateLimitPerMinute: number
}

/** The same for a token or a session of the operator. */
export interface OperatorAccess {
  callerId: string
  /** `operator:otk_…`, `user:usr_…`. */
  actor: string
  countedAs: string
  scopes: ReadonlySet<OperatorScope>
  /** When a token ends; null: never. Sessions make people and tokens that outlive them. */
  expiresAt: Date | null
}

/** Who is signed in, whatever they may do. */
export interface SignedIn {
  sessionId: string
  userId: string
}

/** Finds the access of a token text; undefined when it is unknown, revoked or expired. */
export type Authenticate = (token: string) => Promise<Access | undefined>
export type AuthenticateOperator = (token: string) => Promise<OperatorAccess | undefined>
