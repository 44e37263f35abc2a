import type { z } from 'zod'
import type { Effect, Grant } from '../../domain/effects.ts'
import type { ErrorCode, ErrorDetail } from '../../domain/errors.ts'
import type { OperatorScope, SessionScope } from '../../domain/scopes.ts'
import { type Mode, type Realm, type SystemTx, type Tx, within } from '../database/tx.ts'
import type { Egress } from '../egress/client.ts'
import type { RealmPorts } from '../ports/realm-ports.ts'
import type { AccessDeclaration } from './access-audit.ts'
import type { AccountAnswer, After, Answer, Answers, Document } from './answer.ts'
import type { Access, OperatorAccess, SignedIn } from './caller.ts'
import type { Deprecation } from './deprecation.ts'
import type { JoinsGroup } from './group-commit.ts'

/**
 * Who calls a route. `business`: a token or a session in one realm. `operator`: a token or a session of the operator.
 * `account`: anyone who is signed in, about their own account. `anyone`: to sign in, or with a link from an e-mail.
 * People tested have pages (`pages.ts`) and no routes.
 */
export type Audience = 'business' | 'operator' | 'account' | 'anyone'

/** Where the routes of an audience are. */
export const prefixes = {
  business: '/api/v1',
  account: '/api/v1',
  anyone: '/api/v1',
  operator: '/operator/v1',
} as const satisfies Record<Audience, string>

/** Below it routes speak FHIR R4, whatever their audience: `fhir.ts`. */
export const FHIR_PATH = '/fhir'

export const isFhir = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith(`${FHIR_PATH}/`)

/** Where a route is, with `:name` parameters. */
export const addressOf = (route: Pick<Route, 'audience' | 'path'>): string =>
  isFhir(route) ? route.path : prefixes[route.audience] + route.path

export interface Input<P, Q, B> {
  params: P
  query: Q
  body: B
}

interface BusinessContext<T extends Tx, X> {
  tx: T
  access: Access
  /** The Accept header, where a route can answer in several formats. */
  accept: string
  /** What the Accept-Language header asks for, the most wanted first. */
  languages: readonly string[]
  /** The caller's. Code that answers after the commit stores the answer under it. */
  idempotencyKey?: string
  /** What `before` returned. */
  prepared: X
}

interface OperatorContext<X> {
  /** Over all realms; `within` goes into one. */
  tx: SystemTx
  access: OperatorAccess
  /** The Accept header, where a route can answer in several formats. */
  accept: string
  /** What `prepare` returned. */
  prepared: X
}

interface AnyoneContext {
  /** The client for outgoing requests: between two transactions, never within one. */
  egress: Egress
  /** Opens a transaction over all realms. A password is hashed between two: no connection waits for it. */
  open<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  ip: string
  /** The text of the session's cookie that came with the request, valid or not. */
  cookie: string | undefined
  /** The same of the cookie by which accounts know a browser again. */
  device: string | undefined
  userAgent: string | undefined
  /** Where browsers find the dashboard; undefined if neither PUBLIC_URL nor a request of this machine says so. */
  origin: string | undefined
}

interface Contexts<Wide, X> {
  business: BusinessContext<Wide extends true ? SystemTx & Tx : Tx, X>
  operator: OperatorContext<X>
  account: AnyoneContext & { session: SignedIn }
  anyone: AnyoneContext
}

interface Results<R extends Answers> {
  business: Answer<R> | After<Answer<R>> | Document
  operator: Answer<R> | Document
  account: AccountAnswer<R>
  anyone: AccountAnswer<R>
}

interface Scopes {
  business: SessionScope
  /** Of several, one suffices. */
  operator: OperatorScope | readonly OperatorScope[]
  account: never
  anyone: never
}

/** A field that routes of one audience have. */
type For<Wanted extends Audience, A extends Audience, T> = A extends Wanted ? T : never

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

/** What `defineRoute` takes; the audience says what the handler is given, and which fields there are. */
interface Definition<
  A extends Audience,
  R extends Answers,
  I extends Input<unknown, unknown, unknown>,
  X,
  Wide extends boolean,
> {
  audience: A
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the prefix of the audience, or from `/fhir/` on; with `:name` parameters. */
  path: string
  tag: string
  summary: string
  description?: string
  /** Absent: any valid token or session of the audience will do. */
  scope?: Scopes[A]
  /** Another shape of the body for some queries; the documentation shows `body`. */
  bodyFor?(query: I['query'] | undefined): z.ZodType | undefined
  bodyLimitBytes?: number
  answers: R
  /** Other formats of a 200, asked for by `Accept`. GET only: a document is never kept under an Idempotency-Key. */
  documents?: readonly string[]
  /** The answer may be one page of a list: `X-Total-Count` and `Link` say how many there are, and where the others are. */
  counted?: true
  /** The refusals of the handler. Those of the edge follow from the other fields: see `route-errors.ts`. */
  errors?: readonly ErrorCode[]
  /** The health data that the answer shows or the handler changes, for the audit. */
  accesses?: AccessDeclaration<z.input<R[keyof R]>, I> | readonly AccessDeclaration<z.input<R[keyof R]>, I>[]
  /** What it may cause: `domain/effects.ts`. A GET that declares none has none; any other route declares them. */
  effects?: readonly Effect[]
  /** What it makes that goes on acting by itself. The caller needs the scopes of all that this may do. */
  grants?: For<'business' | 'operator', A, readonly Grant[] | ((input: I) => readonly Grant[])>
  /** It only tries something and keeps nothing: an Idempotency-Key has no answer of it, which the next change would make untrue. */
  isTrial?: true
  deprecated?: Deprecation
  /** Requests are left out of the log of requests. */
  unlogged?: true
  /** The one mode that the route is for. */
  mode?: For<'business', A, Mode>
  /** The transaction is in the caller's realm and sees all, for what no realm owns. The handler checks whose it is. */
  acrossRealms?: For<'business', A, Wide>
  /** Which realm the transaction opens in; the caller's own when absent. */
  realm?: For<'business', A, (input: I, access: Access) => Realm>
  /** Requests that are answered in groups, with those of other callers; `handler` does the same for one alone. */
  groupCommit?: For<'business', A, JoinsGroup<I>>
  /** A session must have proved within ten minutes who uses it; for some requests, where a function says which. */
  needsProof?: For<'business' | 'operator' | 'account', A, true | ((input: I, accept: string) => boolean)>
  /** Problems of a body that only the database knows: refused together with those of its format. The body is unchecked. */
  moreProblems?: For<'business', A, (tx: Tx, body: Record<string, unknown>) => Promise<ErrorDetail[]>>
  /** What talks to other systems and must be done before the transaction, which writes down what it was. It may be in vain. */
  before?: For<'business', A, (input: I, ports: RealmPorts) => Promise<X>>
  /** Answered with an HL7 v2 acknowledgement where `Accept` asks for one. */
  acknowledgesHl7?: For<'operator', A, true>
  /** What takes long and needs no database comes before the transaction. */
  prepare?: For<'operator', A, (input: I, access: OperatorAccess) => Promise<X>>
  handler(context: I & Contexts<Wide, X>[A]): Promise<Results<NoInfer<R>>[A]>
}

type AnyInput = Input<unknown, unknown, unknown>

/** A route of one audience, type-erased: what HTTP, OpenAPI and the tests that walk all routes read. */
export interface RouteOf<A extends Audience> extends Definition<A, Answers, AnyInput, unknown, boolean> {
  params?: z.ZodType
  query?: z.ZodType
  body?: z.ZodType
  /** The name of its export: the operation's name in OpenAPI and the client. */
  id: string
}

export type Route = { [A in Audience]: RouteOf<A> }[Audience]

/** A route before it has its name. */
export type UnnamedRoute = { [A in Audience]: Omit<RouteOf<A>, 'id'> }[Audience]

/** Declares a route as one value: HTTP, OpenAPI, scopes, audit, the client and the tests of all routes derive from it. */
export function defineRoute<
  A extends Audience,
  R extends Answers,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  X = undefined,
  Wide extends boolean = false,
>(
  definition: Definition<A, R, Input<Parsed<P>, Parsed<Q>, Parsed<B>>, X, Wide> & { params?: P; query?: Q; body?: B },
): UnnamedRoute {
  return definition as unknown as UnnamedRoute
}

type Both = 'business' | 'operator'

/** Fields that mean the same for both audiences. */
type CommonField =
  | 'method'
  | 'path'
  | 'summary'
  | 'description'
  | 'answers'
  | 'documents'
  | 'errors'
  | 'accesses'
  | 'effects'
  | 'needsProof'

type OwnField = 'summary' | 'description' | 'grants' | 'acrossRealms'

/** What an audience does not share: its scope, its tag, and other words or fields in place of the common ones. */
type Own<A extends Both, Wide extends boolean = false> = Required<
  Pick<Definition<A, Answers, AnyInput, undefined, Wide>, 'scope' | 'tag'>
> &
  Partial<Pick<Definition<A, Answers, AnyInput, undefined, Wide>, OwnField>>

/** What `defineRoutes` takes. */
interface CommonDefinition<
  R extends Answers,
  I extends Input<unknown, unknown, unknown>,
  Wide extends boolean,
  Found extends Realm,
> extends Pick<Definition<'business', R, I, undefined, Wide>, CommonField> {
  /**
   * The operator names no realm: this finds the one of what a request is about, and the handler works in it, as for a
   * business. Absent: the operator's transaction is over all realms.
   */
  realmOf?(tx: SystemTx, input: I): Promise<Found>
  handler(
    context: I & {
      tx: [Found] extends [never] ? Contexts<Wide, undefined>[Both]['tx'] : Tx
      access: Access | OperatorAccess
      accept: string
    },
  ): Promise<Results<NoInfer<R>>['operator']>
}

/**
 * Declares a route that a business and the operator both have, each below its own prefix and with its own scope, as one value
 * for each: `export const { business: getKit, operator: getKitOfAll } = defineRoutes({ audiences, … })`.
 */
export function defineRoutes<
  R extends Answers,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
  OperatorQ extends Shape = Q,
  Wide extends boolean = false,
  Found extends Realm = never,
>(
  definition: CommonDefinition<R, Input<Parsed<P>, Parsed<Q> | Parsed<OperatorQ>, Parsed<B>>, Wide, Found> & {
    audiences: { business: Own<'business', Wide>; operator: Own<'operator'> & { query?: OperatorQ } }
    params?: P
    query?: Q
    body?: B
  },
): Record<Both, UnnamedRoute> {
  const { audiences, realmOf, ...common } = definition
  const { handler } = common as unknown as RouteOf<'operator'>
  const inItsRealm: typeof handler = async (context) => {
    const realm = await realmOf?.(context.tx, context as Parameters<typeof realmOf>[1])
    return handler(realm ? { ...context, tx: within(context.tx, realm) as Tx & SystemTx } : context)
  }
  return {
    business: { ...common, ...audiences.business, audience: 'business' },
    operator: { ...common, ...audiences.operator, audience: 'operator', handler: inItsRealm },
  } as unknown as Record<Both, UnnamedRoute>
}
