import type { z } from 'zod'
import type { SystemTx } from '../database/tx.ts'
import type { Answer, Document, Input, Route } from './route.ts'

/** What a token or a person of the operator may do. */
export const operatorScopes = {
  fulfilment: 'Pack and ship kits, record what carriers say.',
  lab: 'Receive and reject samples, and send results in. A token with it may review and publish too.',
  review: 'Read results in review, and publish them.',
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

export interface OperatorAccess {
  /** The token, or the user who is signed in. */
  callerId: string
  /** The same for the audit: `operator:otk_…`, `user:usr_…`. */
  actor: string
  /** Whose requests are counted together: a token or a session. */
  countedAs: string
  scopes: ReadonlySet<OperatorScope>
  /** When a token ends; null: never. Sessions make people and tokens that outlive them. */
  expiresAt: Date | null
}

/** Finds the access of an operator's token; undefined when it is unknown, revoked or expired. */
export type AuthenticateOperator = (token: string) => Promise<OperatorAccess | undefined>

type Responses = Record<number, z.ZodType>
type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined
type Described = Omit<Route, 'scope' | 'only' | 'realm' | 'system' | 'handler' | 'deprecated'>

interface OperatorContext<P, Q, B, X> extends Input<P, Q, B> {
  /** Over all realms; `within` goes into one. */
  tx: SystemTx
  access: OperatorAccess
  prepared: X
}

/** A route below /operator/v1, with its types worn off. */
export interface OperatorRoute extends Described {
  /** Any valid token or session of the operator will do when absent; of several, one suffices. */
  scope?: OperatorScope | readonly OperatorScope[]
  /** What takes long and needs no database comes before the transaction; the handler gets it as `prepared`. */
  prepare?(input: Input<unknown, unknown, unknown>, access: OperatorAccess): Promise<unknown>
  handler(context: OperatorContext<unknown, unknown, unknown, unknown>): Promise<Answer<Responses> | Document>
}

interface OperatorSpec<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
  X,
> extends Omit<OperatorRoute, 'params' | 'query' | 'body' | 'responses' | 'prepare' | 'handler'> {
  params?: P
  query?: Q
  body?: B
  responses: R
  prepare?(input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>, access: OperatorAccess): Promise<X>
  handler(context: OperatorContext<Parsed<P>, Parsed<Q>, Parsed<B>, X>): Promise<Answer<NoInfer<R>> | Document>
}

/** Declares a route of the operator as one value. It moves live kits by the same verbs as everyone. */
export function operatorRoute<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  X = undefined,
>(spec: OperatorSpec<P, Q, B, R, X>): OperatorRoute {
  return spec as unknown as OperatorRoute
}
