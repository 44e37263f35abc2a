import type { z } from 'zod'
import type { SystemTx } from '../database/tx.ts'
import type { Answer, Input, Route } from './route.ts'

/** What an operator's token may do. */
export const operatorScopes = {
  fulfilment: 'Pack and ship kits, record what carriers say.',
  lab: 'Receive and reject samples, send results in, review and publish.',
  catalogue: 'Edit biomarkers and panels.',
  mail: 'Read the e-mails that were sent or kept.',
} as const

export type OperatorScope = keyof typeof operatorScopes
export const allOperatorScopes = Object.keys(operatorScopes) as OperatorScope[]

export interface OperatorAccess {
  tokenId: string
  scopes: ReadonlySet<OperatorScope>
}

/** Finds the access of an operator's token; undefined when it is unknown, revoked or expired. */
export type AuthenticateOperator = (token: string) => Promise<OperatorAccess | undefined>

type Responses = Record<number, z.ZodType>
type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined
type Described = Omit<Route, 'scope' | 'only' | 'realm' | 'handler' | 'documents' | 'deprecated'>

interface OperatorContext<P, Q, B> extends Input<P, Q, B> {
  /** Over all realms; `within` goes into one. */
  tx: SystemTx
  access: OperatorAccess
}

/** A route below /operator/v1, with its types worn off. */
export interface OperatorRoute extends Described {
  scope: OperatorScope
  handler(context: OperatorContext<unknown, unknown, unknown>): Promise<Answer<Responses>>
}

interface OperatorSpec<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
> extends Omit<OperatorRoute, 'params' | 'query' | 'body' | 'responses' | 'handler'> {
  params?: P
  query?: Q
  body?: B
  responses: R
  handler(context: OperatorContext<Parsed<P>, Parsed<Q>, Parsed<B>>): Promise<Answer<NoInfer<R>>>
}

/** Declares a route of the operator as one value. It moves live kits by the same verbs as everyone. */
export function operatorRoute<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: OperatorSpec<P, Q, B, R>): OperatorRoute {
  return spec as unknown as OperatorRoute
}
