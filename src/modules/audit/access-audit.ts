import type { HealthAccess } from '../../domain/health-data.ts'
import type { Actor, Database, Queries, Realm } from '../../platform/database/tx.ts'
import type { RecordRefusals } from '../../platform/http/refusals.ts'
import { selectRealmsOf } from './access-queries.ts'
import { type AuditEntry, recordIn, recordSystem } from './service.ts'

/**
 * Writes that health data was read or changed: one row, however many objects there were. What the operator reads of
 * several businesses is one row in the realm of each.
 */
export async function recordHealthAccess(tx: Queries & { realm?: Realm }, access: HealthAccess): Promise<void> {
  const { realm, actor } = tx
  if (realm) return recordIn(tx, [{ ...entryOf(access, access.ids), realm, actor }])
  const found = await selectRealmsOf(tx, access)
  const known = new Set(found.flatMap(({ ids }) => ids))
  const others = access.ids.filter((id) => !known.has(id))
  await recordIn(
    tx,
    found.map(({ realm, ids }) => ({ ...entryOf(access, ids), realm, actor })),
  )
  // What is of no business: laboratories' messages, e-mails about accounts.
  if (others.length > 0) await recordSystem({ ...tx, system: true }, [entryOf(access, others)])
}

/** The same for accesses in several realms that are known. */
export function recordHealthAccesses(
  tx: Queries,
  accesses: readonly { realm: Realm; actor: Actor; access: HealthAccess }[],
): Promise<void> {
  return recordIn(
    tx,
    accesses.map(({ realm, actor, access }) => ({ ...entryOf(access, access.ids), realm, actor })),
  )
}

// The largest page of any list; a longer list is recorded without IDs, as a reading of everything.
const NAMED = 250

function entryOf({ object, verb, details }: HealthAccess, ids: readonly string[]): AuditEntry {
  const isList = verb === 'listed'
  const names = isList && details.count !== undefined && ids.length <= NAMED
  return {
    action: `${object}.${verb}`,
    objectType: object,
    objectId: isList ? '*' : (ids[0] ?? '*'),
    details: { ...details, ...(isList && details.count !== undefined && { count: ids.length }), ...(names && { ids }) },
  }
}

/** Writes refused attempts: of a business's credential in its realm, where the business sees them; others in none. */
export const refusalRecorder =
  (database: Database): RecordRefusals =>
  (refusals) =>
    database.asSystem({ name: 'system' }, async (tx) => {
      for (const { realm, actor: name, requestId, callerRequestId, ip, code, route, more } of refusals) {
        const actor = { name, requestId, ip, ...(callerRequestId && { callerRequestId }) }
        const details = { code, ...(more > 0 && { more }) }
        const entry = { action: 'access.refused' as const, objectType: 'route', objectId: route, details }
        if (realm) await recordIn(tx, [{ ...entry, realm, actor }])
        else await recordSystem({ ...tx, actor }, [entry])
      }
    })
