import type { z } from 'zod'
import type { SystemTx } from '../database/tx.ts'
import type { Answer, Input, Route } from './route.ts'

/** Who is signed in, whatever they may do. */
export interface SignedIn {
  sessionId: string
  userId: string
}

type Responses = Record<number, z.ZodType>
type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined
type Described = Omit<Route, 'scope' | 'only' | 'realm' | 'system' | 'handler' | 'documents' | 'deprecated'>

export interface AccountContext<P, Q, B> extends Input<P, Q, B> {
  /** Opens a transaction over all realms. A password is hashed between two: no connection waits for it. */
  open<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  ip: string
  /** The text of the session's cookie that came with the request, valid or not. */
  cookie: string | undefined
  /** The same of the cookie by which accounts know a browser again. */
  device: string | undefined
}

export interface NewCookie {
  value: string
  expiresAt: Date
}

/** `cookie`: a session to set with the mark of its browser, or null to end the one that the browser has. */
export type AccountAnswer<R extends Responses> = Answer<R> & { cookie?: (NewCookie & { device: NewCookie }) | null }

/** A route about one's own account, with its types worn off. It belongs to no realm, and takes no token. */
export interface AccountRoute extends Described {
  /** public: anyone may call it. session: whoever is signed in. */
  access: 'public' | 'session'
  handler(context: AccountContext<unknown, unknown, unknown> & { session: SignedIn }): Promise<AccountAnswer<Responses>>
}

interface AccountSpec<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
> extends Omit<AccountRoute, 'params' | 'query' | 'body' | 'responses' | 'handler' | 'access'> {
  params?: P
  query?: Q
  body?: B
  responses: R
}

/** Declares a route that anyone may call: to sign in, or with a link from an e-mail. */
export function publicRoute<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: AccountSpec<P, Q, B, R> & {
    handler(context: AccountContext<Parsed<P>, Parsed<Q>, Parsed<B>>): Promise<AccountAnswer<NoInfer<R>>>
  },
): AccountRoute {
  return { ...spec, access: 'public' } as unknown as AccountRoute
}

/** Declares a route about the account of whoever is signed in. */
export function sessionRoute<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: AccountSpec<P, Q, B, R> & {
    handler(
      context: AccountContext<Parsed<P>, Parsed<Q>, Parsed<B>> & { session: SignedIn },
    ): Promise<AccountAnswer<NoInfer<R>>>
  },
): AccountRoute {
  return { ...spec, access: 'session' } as unknown as AccountRoute
}
