import type { Tx } from '../../platform/database/tx.ts'
import { ordersPlacedBy } from '../events/service.ts'
import { selectKitsByIds } from './queries.ts'
import { type KitListing, listKits, toRecord } from './records.ts'
import type { KitRecord } from './schema.ts'

/** A kit of a test order that this live token placed in the sandbox; undefined if it does not exist. */
export async function maybeFindTestKit(tx: Tx, id: string, actor: string): Promise<KitRecord | undefined> {
  const [kit] = await selectKitsByIds(tx, [id])
  if (!kit) return undefined
  const [test] = await ownTests(tx, [toRecord(kit)], actor)
  return test
}

/** Those of named kits or orders that belong to test orders of this live token. */
export async function listTestKits(tx: Tx, listing: KitListing, actor: string): Promise<KitRecord[]> {
  const { kits } = await listKits(tx, listing)
  return ownTests(tx, kits, actor)
}

async function ownTests(tx: Tx, kits: readonly KitRecord[], actor: string): Promise<KitRecord[]> {
  const placed = await ordersPlacedBy(tx, actor, [...new Set(kits.map(({ orderID }) => orderID))])
  return kits.filter(({ orderID }) => placed.has(orderID)).map((kit) => ({ ...kit, isTest: true }))
}
