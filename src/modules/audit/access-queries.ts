import { sql } from 'kysely'
import type { HealthObject } from '../../domain/health-data.ts'
import type { Queries, Realm } from '../../platform/database/tx.ts'

/** Where the operator's routes find the realm of what they access. */
const tables: Partial<Record<HealthObject, { table: string; id: string }>> = {
  kit: { table: 'kits', id: 'id' },
  report: { table: 'reports', id: 'id' },
  order: { table: 'orders', id: 'id' },
  upload: { table: 'upload_reviews', id: 'document_id' },
  email: { table: 'emails', id: 'id' },
  unassessed_result: { table: 'unassessed_results', id: 'id' },
  critical_result: { table: 'critical_results', id: 'id' },
}

/** The realms of what the operator read or changed, each with its objects. */
export async function selectRealmsOf(
  tx: Queries,
  { object, ids }: { object: HealthObject; ids: readonly string[] },
): Promise<{ realm: Realm; ids: string[] }[]> {
  if (object === 'customer') return selectRealmsOfCustomers(tx, ids)
  const where = tables[object]
  if (!where) return []
  const id = sql.ref(`o.${where.id}`)
  return tx.rows(sql<{ realm: Realm; ids: string[] }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, array_agg(${id}) as ids
    from ${sql.table(where.table)} o join realms r on r.id = o.realm_id where ${id} = any(${[...ids]}) group by r.id`)
}

/**
 * A customer's number is unique in its realm only. It is twelve random digits, so that two realms hardly ever have the
 * same. `offset 0`: one look into the index of each realm, and no reading of all customers.
 */
const selectRealmsOfCustomers = (tx: Queries, ids: readonly string[]): Promise<{ realm: Realm; ids: string[] }[]> =>
  tx.rows(sql<{ realm: Realm; ids: string[] }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, array_agg(c.id::text) as ids
    from realms r cross join lateral (
      select id from customers where realm_id = r.id and id = any(${[...ids]}::bigint[]) offset 0) c group by r.id`)
