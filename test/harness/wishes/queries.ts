import { sql } from 'kysely'
import type { Tx } from '../../../src/platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../../src/platform/sealing/sealed-columns.ts'

interface Wish {
  text: string
}

export interface WishRow extends Wish {
  id: string
  dueAt: Date
}

export const sealedWishes = sealedColumns<Wish>({
  table: 'wishes',
  key: { id: 'text' },
  clear: { text: NEVER },
  emptied: [],
})

const DAY_MS = 86_400_000

export async function insertWish(tx: Tx, id: string, customerId: number, wish: Wish): Promise<void> {
  const sealed = sealedWishes.seal(await keyringOf(tx), [id], wish)
  await tx.run(sql`
    insert into wishes (realm_id, id, customer_id, made_at, due_at, sealed)
    values (${tx.realm.id}, ${id}, ${customerId}, ${tx.now}, ${new Date(tx.now.getTime() + DAY_MS)}, ${sealed}::bytea)`)
}

export async function selectWishes(tx: Tx, customerId: number): Promise<WishRow[]> {
  const rows = await tx.rows(sql<{ id: string; dueAt: Date; said: Sealed<Wish> }>`
    select id, due_at as "dueAt", ${sealedWishes.of('wishes')} as said from wishes
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by id`)
  const keys = await keyringOf(tx)
  return rows.map(({ said, ...row }) => ({ ...row, ...sealedWishes.open(keys, [row.id], said) }))
}

export async function deleteWishes(tx: Tx, customerId: number | 'all'): Promise<number> {
  const whose = customerId === 'all' ? sql`` : sql`and customer_id = ${customerId}`
  return tx.run(sql`delete from wishes where realm_id = ${tx.realm.id} ${whose}`)
}

export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  await tx.run(sql`
    update wishes set due_at = due_at - ${ms} * interval '1 millisecond' where realm_id = ${tx.realm.id}`)
}
