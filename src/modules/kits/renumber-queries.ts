import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Numbers the kits of the realm without gaps again, after some were deleted with their orders. Returns how many there are. */
export async function renumberKits(tx: Tx): Promise<number> {
  // Negative first: the unique index is checked row by row.
  await tx.run(sql`update kits set seq = -seq where realm_id = ${tx.realm.id}`)
  return tx.run(sql`
    update kits k set seq = n.position
    from (select id, row_number() over (order by seq desc) as position from kits where realm_id = ${tx.realm.id}) n
    where k.realm_id = ${tx.realm.id} and k.id = n.id`)
}
