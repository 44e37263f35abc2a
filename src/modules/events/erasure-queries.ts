import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { storedData } from './sealed-queries.ts'

export interface EventData {
  id: string
  data: unknown
}

/** Writes what events say after an erasure: the one change that an event ever sees. */
export async function updateEventData(tx: Tx, changed: readonly EventData[]): Promise<void> {
  if (changed.length === 0) return
  const keys = await keyringOf(tx)
  const stored = changed.map(({ id, data }) => ({ id, ...storedData(keys, id, data) }))
  await tx.run(sql`
    update events e set data = c.data, sealed = c.sealed
    from json_to_recordset(${JSON.stringify(stored)}::json) as c(id text, data jsonb, sealed bytea)
    where e.realm_id = ${tx.realm.id} and e.id = c.id`)
}
