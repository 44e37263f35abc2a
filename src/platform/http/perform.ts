import type { Readable } from 'node:stream'
import type { Database, Queries, Realm } from '../database/tx.ts'
import type { PortsOf } from '../ports/realm-ports.ts'
import { accessOf, type RecordHealthAccess } from './access-audit.ts'
import type { GroupCommit, StartedGroupCommit } from './group-commit.ts'
import type { Input, Route } from './route.ts'
import type { CookiePolicy } from './session-cookie.ts'
import type { WireAnswer } from './wire.ts'

/** What requests are performed with. */
export interface Serving {
  database: Database
  portsOf: PortsOf
  recordHealthAccess: RecordHealthAccess
  cookiePolicy: CookiePolicy
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

/** Writes the health data that a route says it accesses to the audit, in the transaction that answers. */
export async function recordAccesses(
  tx: Queries & { realm?: Realm },
  { id: operation, accesses = [] }: Pick<Route, 'id' | 'accesses'>,
  input: Input<unknown, unknown, unknown>,
  answer: { body: unknown } | { document: { contentType: string } },
  { recordHealthAccess }: Serving,
): Promise<void> {
  for (const declared of [accesses].flat()) {
    const access = accessOf(declared, input, { operation, answer })
    if (access) await recordHealthAccess(tx, access)
  }
}
