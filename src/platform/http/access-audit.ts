import type { HealthAccess, HealthObject } from '../../domain/health-data.ts'
import type { Queries, Realm } from '../database/tx.ts'

/** What a route does to health data. The registrar writes it to the audit, in the transaction that answers. */
export type AccessDeclaration<Body, I> = (
  | { reads: HealthObject }
  /** One row, however many there are. A list that is sent as a file counts as everything, unless the file says what it shows. */
  | { lists: HealthObject }
  /** The handler changes one, and no verb that it calls writes that down. */
  | { changes: HealthObject }
) &
  // As the answer shows them; none: nothing of a person was shown. Or as the request names the one.
  ({ ids(body: Body, input: I): readonly string[] } | { id(input: I): string })

/** Writes an access to the audit: of a realm, or of the realms that the objects are in. */
export type RecordHealthAccess = (tx: Queries & { realm?: Realm }, access: HealthAccess) => Promise<void>
