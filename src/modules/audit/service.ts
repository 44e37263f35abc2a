import { statement } from '../../platform/database/statement.ts'
import type { Actor, Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'

export interface AuditEntry {
  /** Past tense, `object.verb`: `order.placed`, `customer.erased`. */
  action: string
  objectType: string
  objectId: string
  /** Never health data, names or e-mails: identifiers and reasons only. */
  details?: Record<string, unknown>
}

const insert = statement<never, [string, Date]>(
  'audit_insert',
  `insert into audit_entries (realm_id, at, actor, action, object_type, object_id, request_id, caller_request_id, ip, details)
   select e."realmId", $2, e.actor, e.action, e."objectType", e."objectId", e."requestId", e."callerRequestId", e.ip, e.details
   from json_to_recordset($1::json)
     as e("realmId" int, actor text, action text, "objectType" text, "objectId" text, "requestId" text,
       "callerRequestId" text, ip text, details jsonb)`,
)

/** Writes who did what, in the transaction that did it. */
export function record(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  return write(
    tx,
    entries.map((entry) => ({ ...entry, realm: tx.realm, actor: tx.actor })),
  )
}

/** The same for entries that name their realm and who acted. */
export function recordIn(
  tx: Queries,
  entries: readonly (AuditEntry & { realm: Realm; actor: Actor })[],
): Promise<void> {
  return write(tx, entries)
}

/** The same for what was done in no business: sign-ins, the operator's staff. `actor`: where it is not the transaction's. */
export function recordSystem(tx: SystemTx, entries: readonly AuditEntry[], actor?: string): Promise<void> {
  const by = actor === undefined ? tx.actor : { ...tx.actor, name: actor }
  return write(
    tx,
    entries.map((entry) => ({ ...entry, actor: by })),
  )
}

async function write(tx: Queries, entries: readonly (AuditEntry & { realm?: Realm; actor: Actor })[]): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ realm, actor: { name, requestId, callerRequestId, ip }, ...entry }) => ({
    ...entry,
    ...{ realmId: realm?.id, actor: name, requestId, callerRequestId, ip },
  }))
  await tx.run(insert(JSON.stringify(rows), tx.now))
}
