import type { Tx } from '../../platform/database/tx.ts'
import type { Access } from '../../platform/http/caller.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { ordersPlacedBy } from '../events/service.ts'
import { mayReadTests } from '../identity/rules.ts'
import { selectKitsByIds } from './queries.ts'
import { type KitListing, kitIdOf, kitNotFound, listKits, maybeFindKit, toRecord } from './records.ts'
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

/** Does something with a kit of the caller's realm, or with one of a test order that this live token placed in the sandbox. */
export async function testsToo<T>(tx: Tx, named: string, access: Access, work: (tx: Tx, kitID: string) => Promise<T>) {
  const kitID = await kitIdOf(tx, named)
  if (!mayReadTests(access) || (await maybeFindKit(tx, kitID))) {
    const body = await work(tx, kitID)
    // Until the kit was locked, its shipment may have been taken back: the box is on no kit then, or on another one.
    if ((await kitIdOf(tx, named)) !== kitID) throw kitNotFound()
    return { status: 200 as const, body }
  }
  const test = async (tx: Tx) => {
    if (!(await maybeFindTestKit(tx, kitID, access.actor))) throw kitNotFound()
    return work(tx, kitID)
  }
  return {
    after: async (_outside: RealmPorts, twin: RealmPorts) => ({ status: 200 as const, body: await twin.open(test) }),
  }
}
