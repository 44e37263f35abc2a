import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

export interface EventData {
  id: string
  data: unknown
}

/** Writes what events say after an erasure: the one change that an event ever sees. */
export async function updateEventData(tx: Tx, changed: readonly EventData[]): Promise<void> {
  if (changed.length === 0) return
  await tx.run(sql`
    update events e set data = c.data from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(id text, data jsonb)
    where e.realm_id = ${tx.realm.id} and e.id = c.id`)
}
