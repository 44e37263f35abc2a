import { sql } from 'kysely'
import type { Actor, Queries, Realm } from '../../platform/database/tx.ts'
import type { HealthObject, Touch } from '../../platform/http/access-audit.ts'
import { type AuditEntry, recordIn, recordSystem } from './service.ts'

/** Where the operator's routes find the realm of what they touch. A customer's number is unique in its realm only. */
const tables: Partial<Record<HealthObject, { table: string; id: string }>> = {
  kit: { table: 'kits', id: 'id' },
  report: { table: 'reports', id: 'id' },
  order: { table: 'orders', id: 'id' },
  upload: { table: 'upload_reviews', id: 'document_id' },
  email: { table: 'emails', id: 'id' },
  unassessed_result: { table: 'unassessed_results', id: 'id' },
}

/**
 * Writes that health data was read or changed: one row, however many objects there were. What the operator reads of
 * several businesses is one row in the realm of each.
 */
export async function recordTouch(tx: Queries & { realm?: Realm }, touch: Touch): Promise<void> {
  const { realm, actor } = tx
  if (realm) return recordIn(tx, [{ ...entryOf(touch, touch.ids), realm, actor }])
  const found = await realmsOf(tx, touch)
  const known = new Set(found.flatMap(({ ids }) => ids))
  const others = touch.ids.filter((id) => !known.has(id))
  await recordIn(
    tx,
    found.map(({ realm, ids }) => ({ ...entryOf(touch, ids), realm, actor })),
  )
  // What is of no business: laboratories' messages, letters about accounts.
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

async function realmsOf(tx: Queries, { object, ids }: Touch): Promise<{ realm: Realm; ids: string[] }[]> {
  const where = tables[object]
  if (!where) return []
  const id = sql.ref(`o.${where.id}`)
  return tx.rows(sql<{ realm: Realm; ids: string[] }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, array_agg(${id}) as ids
    from ${sql.table(where.table)} o join realms r on r.id = o.realm_id where ${id} = any(${[...ids]}) group by r.id`)
}
