import { sql } from 'kysely'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'

/** The realms that have a report of this ID: two may have drawn the same one. */
export function selectRealmsOfReport(tx: SystemTx, reportId: string): Promise<Realm[]> {
  return tx.rows(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from reports p join realms r on r.id = p.realm_id where p.id = ${reportId}`)
}
