import { newKitIds } from '../../domain/ids.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import { lockNumbers, type Numbers } from '../businesses/counters.ts'
import { lifecycle } from './lifecycle.ts'
import { insertKits } from './queries.ts'

export interface NewKit {
  orderId: string
  /** As stored (catalogue/kit-type.ts). */
  kitType: string
  /** The kit that it replaces. */
  replacementFor?: string
}

export interface CreatedKit {
  id: string
  orderId: string
  kitType: string
}

/** Makes kits of orders that exist, in their order: three statements for any number of them. A kit begins at orderPlaced. */
export async function createKits(tx: Tx, wanted: readonly NewKit[]): Promise<CreatedKit[]> {
  if (wanted.length === 0) return []
  const numbers = await lockNumbers(tx, [tx.realm.id])
  const { kits, written } = makeKits(
    tx,
    numbers,
    wanted.map((kit) => ({ ...kit, realm: tx.realm })),
  )
  await Promise.all([written, numbers.save(tx)])
  return kits
}

/** The same for kits that name their realm, with numbers that are locked and saved by the caller. Waits for nothing. */
export function makeKits(
  tx: Queries,
  numbers: Numbers,
  wanted: readonly (NewKit & { realm: Realm })[],
): { kits: CreatedKit[]; written: Promise<unknown> } {
  const ids = newKitIds(wanted.length)
  const kits = wanted.map(({ orderId, kitType }, i) => ({ id: String(ids[i]), orderId, kitType }))
  const rows = wanted.map(({ realm, replacementFor }, i) => ({
    ...kits[i],
    realmId: realm.id,
    live: realm.mode === 'live',
    seq: numbers.next(realm.id, 'kits'),
    replacementFor,
  }))
  const { kitStatus, sampleStatus, status } = lifecycle.orderPlaced
  const progress = JSON.stringify({ orderPlaced: tx.now.toISOString() })
  const written = tx.run(insertKits(JSON.stringify(rows), kitStatus, sampleStatus, status, progress, tx.now))
  return { kits, written }
}
