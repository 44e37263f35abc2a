import { sql } from 'kysely'
import { openData, storedText } from '../../src/modules/events/sealed-queries.ts'
import type { Database } from '../../src/platform/database/tx.ts'

export interface KitEvent {
  sequence: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  data: any
}

/** What the events of a kit say, `kit.updated` or others, in order. Reads the table, because the feed waits for every older transaction. */
export const kitEvents = (database: Database, kitId: string, type = 'kit.updated'): Promise<KitEvent[]> =>
  database.asSystem({ name: 'test' }, async (tx) => {
    const rows = await tx.rows(sql<{ realmId: number; id: string; sequence: number; data: string }>`
      select e.realm_id as "realmId", e.id, e.sequence, ${storedText('e')} as data from events e
      where e.kit_id = ${kitId} and e.type = ${type} order by e.sequence, e.position`)
    return (await openData(tx, rows)).map(({ sequence, data }) => ({ sequence, data: JSON.parse(data) }))
  })
