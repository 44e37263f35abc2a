import type { Actor, Queries, Realm } from '../../platform/database/tx.ts'
import type { Touch } from '../../platform/http/access-audit.ts'
import { selectRealmsOf } from './access-queries.ts'
import { type AuditEntry, recordIn, recordSystem } from './service.ts'

/**
 * Writes that health data was read or changed: one row, however many objects there were. What the operator reads of
 * several businesses is one row in the realm of each.
 */
export async function recordTouch(tx: Queries & { realm?: Realm }, touch: Touch): Promise<void> {
  const { realm, actor } = tx
  if (realm) return recordIn(tx, [{ ...entryOf(touch, touch.ids), realm, actor }])
  const found = await selectRealmsOf(tx, touch)
  const known = new Set(found.flatMap(({ ids }) => ids))
  const others = touch.ids.filter((id) => !known.has(id))
  await recordIn(
    tx,
    found.map(({ realm, ids }) => ({ ...entryOf(touch, ids), realm, actor })),
  )
  // What is of no business: laboratories' messages, e-mails about accounts.
  if (others.length > 0) await recordSystem({ ...tx, system: true }, [entryOf(touch, others)])
}

/** The same for touches of several realms that are known. */
export function recordTouchesIn(
  tx: Queries,
  touches: readonly { realm: Realm; actor: Actor; touch: Touch }[],
): Promise<void> {
  return recordIn(
    tx,
    touches.map(({ realm, actor, touch }) => ({ ...entryOf(touch, touch.ids), realm, actor })),
  )
}

// A page of any list; whoever reads a list of everything has read everything.
const NAMED = 250

function entryOf({ object, verb, details }: Touch, ids: readonly string[]): AuditEntry {
  const isList = verb === 'listed'
  const names = isList && details.count !== undefined && ids.length <= NAMED
  return {
    action: `${object}.${verb}`,
    objectType: object,
    objectId: isList ? '*' : (ids[0] ?? '*'),
    details: { ...details, ...(isList && details.count !== undefined && { count: ids.length }), ...(names && { ids }) },
  }
}
