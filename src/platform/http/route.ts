import type { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import type { accountScope, SessionScope } from '../../domain/scopes.ts'
import type { Mode, Realm, SystemTx, Tx } from '../database/tx.ts'
import type { RealmPorts } from '../ports/realm-ports.ts'
import type { Touching } from './access-audit.ts'
import type { Together } from './group-commit.ts'

/** What a valid token or session stands for. */
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

/** A live token reads by ID what it ordered as a test: that is in the sandbox, and in no list, count or event of live. */
export const mayReadTests = ({ realm, actor }: Access): boolean => realm.mode === 'live' && actor.startsWith('token:')

/** Finds the access of a token text; undefined when it is unknown, revoked or expired. */
export type Authenticate = (token: string) => Promise<Access | undefined>

type Responses = Record<number, z.ZodType>
type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined

export interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
}

export interface Context<P, Q, B> extends Input<P, Q, B> {
  tx: Tx
  access: Access
  /** The Accept header, where a route can answer in several formats. */
  accept: string
  /** The caller's. Whoever answers after the commit keeps that answer under it (`keepAnswer`). */
  idempotencyKey?: string
}

/** The rest of the work, for after the commit: it talks to other systems, which no transaction waits for. */
export interface After<A> {
  /** `twin` is the same for the business's other mode. */
  after(ports: RealmPorts, twin: RealmPorts): Promise<A>
}

export type Answer<R extends Responses> = {
  [Status in keyof R]: { status: Status; body: z.input<R[Status]>; headers?: Record<string, string> }
}[keyof R]

/** An answer that is not JSON, or too long to hold: a document. */
export interface Document {
  status: 200
  document: { contentType: string; body: string | Buffer | Parts }
  headers?: Record<string, string>
}

/** A body that is read and sent in parts, each from a transaction of its own: a slow reader keeps no connection. */
export type Parts = (ports: RealmPorts) => AsyncIterable<string>

export interface Deprecation {
  /** RFC 9745: since when. */
  since: string
  /** RFC 8594: until when at least it works. */
  sunset: string
  successor: string
}

/** Which requests of a route join which group: undefined stays alone. */
export interface Grouping<I> {
  group: Together
  asked(input: I, access: Access): unknown
}

/** Ties what is asked to the group that answers it. */
export const grouping = <G, I>(
  group: Together<G>,
  asked: (input: I, access: Access) => G | undefined,
): Grouping<I> => ({
  group: group as Together,
  asked,
})

interface RouteSpec<
  P extends z.ZodType | undefined,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Responses,
> extends Touching {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below /api/v1, with `:name` parameters. */
  path: string
  /** The operation's name in OpenAPI and the client. */
  id: string
  tag: string
  summary: string
  description?: string
  /** Any valid token or session will do when absent. */
  scope?: SessionScope
  /** Answers 403 to live tokens. */
  only?: Mode
  params?: P
  query?: Q
  body?: B
  /** Another shape of the body for some queries; the documentation shows `body`. */
  bodyFor?(query: Parsed<Q> | undefined): z.ZodType | undefined
  responses: R
  /** Other formats of a 200, asked for by `Accept`. GET only: a document is never kept under an Idempotency-Key. */
  documents?: readonly string[]
  errors?: ErrorCode[]
  bodyLimitBytes?: number
  deprecated?: Deprecation
  /** The transaction sees all realms, for what no realm owns: the users of a business. See `adminRoute`. */
  system?: true
  /** The answer holds a secret: kept under an Idempotency-Key, it is sealed. */
  secret?: true
  /** Which realm the transaction opens in; the token's own when absent. */
  realm?(input: Input<Parsed<P>, Parsed<Q>, Parsed<B>>, access: Access): Realm
  /** Requests that are answered in groups, together with those of others; `handler` does the same for one alone. */
  together?: Grouping<Input<Parsed<P>, Parsed<Q>, Parsed<B>>>
  handler(
    context: Context<Parsed<P>, Parsed<Q>, Parsed<B>>,
  ): Promise<Answer<NoInfer<R>> | After<Answer<NoInfer<R>>> | Document>
}

/** A route with its types worn off: what HTTP, OpenAPI and the tests that walk all routes read. */
export interface Route
  extends Omit<
    RouteSpec<z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined, Responses>,
    'handler' | 'realm' | 'bodyFor' | 'together'
  > {
  together?: Grouping<Input<unknown, unknown, unknown>>
  bodyFor?(query: unknown): z.ZodType | undefined
  realm?(input: Input<unknown, unknown, unknown>, access: Access): Realm
  handler(context: Context<unknown, unknown, unknown>): Promise<Answer<Responses> | After<Answer<Responses>> | Document>
}

/** Declares a route as one value: HTTP, OpenAPI, scopes, the client and the isolation and contract tests derive from it. */
export function route<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<P, Q, B, R>): Route {
  return spec as unknown as Route
}

interface AdminContext<P, Q, B> extends Omit<Context<P, Q, B>, 'tx'> {
  /** Stands in the realm that the caller named, and sees all. */
  tx: SystemTx & Tx
}

/** A route for the administrators of a business, signed in: its users, its tokens. It checks by itself whose they are. */
export function adminRoute<
  R extends Responses,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  spec: Omit<RouteSpec<P, Q, B, R>, 'handler' | 'scope'> & {
    scope: typeof accountScope
    handler(context: AdminContext<Parsed<P>, Parsed<Q>, Parsed<B>>): Promise<Answer<NoInfer<R>>>
  },
): Route {
  return { ...spec, system: true } as unknown as Route
}
