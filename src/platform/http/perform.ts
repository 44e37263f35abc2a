import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { HealthAccess } from '../../domain/health-data.ts'
import type { Actor, Database, Queries, Realm } from '../database/tx.ts'
import type { Egress } from '../egress/client.ts'
import { type PortsOf, realmPorts } from '../ports/realm-ports.ts'
import type { AccessDeclaration, RecordHealthAccess } from './access-audit.ts'
import type { Document, StoredDocument } from './answer.ts'
import type { GroupCommit, StartedGroupCommit } from './group-commit.ts'
import type { Input, Route } from './route.ts'
import type { CookiePolicy } from './session-cookie.ts'
import type { Shares } from './shares.ts'
import type { WireAnswer } from './wire.ts'

/** What requests are performed with. */
export interface Serving {
  database: Database
  portsOf: PortsOf
  egress: Egress
  recordHealthAccess: RecordHealthAccess
  cookiePolicy: CookiePolicy
  shares: Shares
  groupOf(group: GroupCommit): StartedGroupCommit
}

/** A document whose parts, if it has any, are read while it is sent. */
interface SentDocument {
  status: 200
  document: { contentType: string; body: string | Buffer | Readable }
  headers?: Record<string, string>
}

/** What a request is answered with. */
export type Outcome = WireAnswer | SentDocument

/** Loads a document that is kept outside of the database. */
export async function loaded(
  { document, ...answer }: Document & { document: StoredDocument },
  actor: Actor,
  { database, portsOf }: Serving,
): Promise<SentDocument> {
  const { contentType, realm, load } = document
  const { body, headers } = await load(realmPorts(database, portsOf, realm, actor))
  return { ...answer, document: { contentType, body }, headers: { ...answer.headers, ...headers } }
}

/** What the audit needs to know of an answer. */
export type Recorded = { body: unknown } | { document: { contentType: string; shows?: readonly string[] } }

/** Writes the health data that a route says it accesses to the audit, in the transaction that answers. */
export async function recordAccesses(
  tx: Queries & { realm?: Realm },
  { id: operation, accesses = [] }: Pick<Route, 'id' | 'accesses'>,
  input: Input<unknown, unknown, unknown>,
  answer: Recorded,
  { recordHealthAccess }: Serving,
): Promise<void> {
  for (const declared of [accesses].flat()) {
    const access = accessOf(declared, input, { operation, answer })
    if (access) await recordHealthAccess(tx, access)
  }
}

interface Answered {
  operation: string
  answer: { body: unknown } | { document: { contentType: string; shows?: readonly string[] } }
}

/** What an answer accessed; undefined for nothing, such as an empty list. */
function accessOf<I>(
  declared: AccessDeclaration<unknown, I>,
  input: I,
  { operation, answer }: Answered,
): HealthAccess | undefined {
  const [verb, object] =
    'reads' in declared
      ? (['read', declared.reads] as const)
      : 'lists' in declared
        ? (['listed', declared.lists] as const)
        : (['changed', declared.changes] as const)
  const isDocument = 'document' in answer
  const idsOf = ({ ids }: Extract<typeof declared, { ids: unknown }>) =>
    isDocument ? (answer.document.shows ?? ['*']) : ids(answer.body, input)
  const ids = 'id' in declared ? [declared.id(input)] : idsOf(declared)
  if (ids.length === 0) return undefined
  const format = isDocument && { format: answer.document.contentType.split(';')[0] }
  const isNamed = !isDocument || answer.document.shows !== undefined
  const count = verb === 'listed' && isNamed && { count: ids.length }
  return { verb, object, ids, details: { operation, ...format, ...count } }
}

/** A request of the API that another way in makes for its caller. */
interface InProcessRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Of the caller: limits and the addresses of a token count it. */
  remoteAddress: string
  headers: Record<string, string>
  body?: Buffer
}

/** Performs a request in this process, through the same edge as those of HTTP. */
export type PerformRequest = (request: InProcessRequest) => Promise<{ status: number; payload: string }>

export const performIn =
  (app: FastifyInstance): PerformRequest =>
  async ({ body, ...request }) => {
    const { statusCode: status, payload } = await app.inject({ ...request, ...(body && { payload: body }) })
    return { status, payload }
  }
