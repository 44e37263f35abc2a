import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { newKitIds } from '../../platform/ids.ts'
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

/** Makes kits of orders that exist, in their order: two statements for any number of them. A kit begins at orderPlaced. */
export async function createKits(tx: Tx, lines: readonly NewKit[]): Promise<CreatedKit[]> {
  if (lines.length === 0) return []
  const ids = newKitIds(lines.length)
  const created = lines.map(({ orderId, kitType }, i) => ({ id: String(ids[i]), orderId, kitType }))
  const { last } = await tx.row(sql<{ last: number }>`
    update realm_counters set kits = kits + ${lines.length} where realm_id = ${tx.realm.id} returning kits as last`)
  const { kitStatus, sampleStatus, status } = lifecycle.orderPlaced
  const progress = JSON.stringify({ orderPlaced: tx.now.toISOString() })
  await tx.run(sql`
    insert into kits (realm_id, id, seq, order_id, kit_type, kit_status, sample_status, report_status, progress,
                      replacement_for, created_at, updated_at)
    select ${tx.realm.id}, k.id, ${last - lines.length}::bigint + k.position, k.order_id, k.kit_type, ${kitStatus},
           ${sampleStatus}, ${status}, ${progress}::jsonb, k.replacement_for, ${tx.now}, ${tx.now}
    from unnest(${created.map(({ id }) => id)}::text[], ${created.map(({ orderId }) => orderId)}::text[],
                ${created.map(({ kitType }) => kitType)}::text[],
                ${lines.map(({ replacementFor }) => replacementFor ?? null)}::text[])
      with ordinality as k(id, order_id, kit_type, replacement_for, position)`)
  return created
}
