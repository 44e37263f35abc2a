import { newKitIds } from '../../domain/ids.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import { lockNumbers, type Numbers } from '../businesses/counters.ts'
import { lifecycle } from './lifecycle.ts'

export interface NewKit {
  orderId: string
  /** As stored (catalogue/kit-type.ts). */
  kitType: string
  /** The kit that it stands in for. */
  replacementFor?: string
}

export interface CreatedKit {
  id: string
  orderId: string
  kitType: string
}

const insert = statement<never, [string, string, string, string, string, Date]>(
  'kits_insert',
  `insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress,
                     replacement_for, created_at, updated_at)
   select k."realmId", k.id, k.seq, k."orderId", k."kitType", k.live, $2, $3, $4, $5::jsonb, k."replacementFor", $6, $6
   from json_to_recordset($1::json) as k("realmId" int, id text, seq bigint, "orderId" text, "kitType" text, live boolean,
     "replacementFor" text)`,
)

/** Makes kits of orders that exist, in their order: three statements for any number of them. A kit begins at orderPlaced. */
export async function createKits(tx: Tx, lines: readonly NewKit[]): Promise<CreatedKit[]> {
  if (lines.length === 0) return []
  const numbers = await lockNumbers(tx, [tx.realm.id])
  const { kits, written } = makeKits(
    tx,
    numbers,
    lines.map((line) => ({ ...line, realm: tx.realm })),
  )
  await Promise.all([written, numbers.save(tx)])
  return kits
}

/** The same for kits that name their realm, with numbers that are locked and saved by the caller. Waits for nothing. */
export function makeKits(
  tx: Queries,
  numbers: Numbers,
  lines: readonly (NewKit & { realm: Realm })[],
): { kits: CreatedKit[]; written: Promise<unknown> } {
  const ids = newKitIds(lines.length)
  const kits = lines.map(({ orderId, kitType }, i) => ({ id: String(ids[i]), orderId, kitType }))
  const rows = lines.map(({ realm, replacementFor }, i) => ({
    ...kits[i],
    ...{ realmId: realm.id, live: realm.mode === 'live', seq: numbers.next(realm.id, 'kits'), replacementFor },
  }))
  const { kitStatus, sampleStatus, status } = lifecycle.orderPlaced
  const progress = JSON.stringify({ orderPlaced: tx.now.toISOString() })
  const written = tx.run(insert(JSON.stringify(rows), kitStatus, sampleStatus, status, progress, tx.now))
  return { kits, written }
}
