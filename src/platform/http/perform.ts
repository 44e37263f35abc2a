import type { Readable } from 'node:stream'
import type { Actor, Database, Queries, Realm } from '../database/tx.ts'
import type { Egress } from '../egress/client.ts'
import { type PortsOf, realmPorts } from '../ports/realm-ports.ts'
import { accessOf, type RecordHealthAccess } from './access-audit.ts'
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
