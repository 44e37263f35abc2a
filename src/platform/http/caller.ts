import type { OperatorScope, SessionScope } from '../../domain/scopes.ts'
import type { Realm } from '../database/tx.ts'
import type { AddressList } from './address-list.ts'

/** A session whose last proof of who uses it is too old for what is sensitive. Tokens prove nothing. */
export interface MayLackProof {
  /** The proofs that would do; absent: none is missing. */
  proofs?: readonly string[]
}

/** What a valid token or session of a business stands for. */
export interface Access extends MayLackProof {
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
  /** The only addresses that the token may be used from. */
  addresses?: AddressList
  /** The support access by which somebody of the operator is in the business, or in which this token or user was made. */
  support?: { id: string; endsAt: Date }
}

/** The same for a token or a session of the operator. */
export interface OperatorAccess extends MayLackProof {
  callerId: string
  /** `operator:otk_…`, `user:usr_…`. */
  actor: string
  countedAs: string
  scopes: ReadonlySet<OperatorScope>
  /** The person who made a token. */
  madeBy?: string
  /** When a token ends; null: never. Sessions make people and tokens that outlive them. */
  expiresAt: Date | null
  /** The only addresses that the token may be used from. */
  addresses?: AddressList
}

/** Who is signed in, whatever they may do. */
export interface SignedIn extends MayLackProof {
  sessionId: string
  userId: string
}

/** Finds the access of a token text, at once if it is cached; undefined when it is unknown, revoked or expired. */
export type Authenticate = (token: string) => Access | undefined | Promise<Access | undefined>
/** Notes that a token was used now. Costs the request nothing: it is written later. */
export type NoteUse = (tokenId: string) => void
export type AuthenticateOperator = (token: string) => Promise<OperatorAccess | undefined>
