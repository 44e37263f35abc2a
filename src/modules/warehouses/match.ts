import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { selectClaimed } from '../fulfilment/claim-queries.ts'
import { type Destination, selectDestination, selectDestinations } from '../labels/queries.ts'
import { lockKitsToMatch, saveOrder, selectWarehouses } from './queries.ts'
import { warehouseFor } from './rules.ts'

/** Nothing is at a warehouse. */
export const nothing = {
  externalId: null,
  digest: null,
  carrier: null,
  number: null,
  serial: null,
  lot: null,
  parcels: null,
  ordered: null,
  beforeRecord: null,
  askedAt: null,
  reason: null,
  code: null,
  failures: 0,
}

const activeOnes = async (tx: Tx | SystemTx) => (await selectWarehouses(tx)).filter(({ isActive }) => isActive)

const packs = (warehouses: Awaited<ReturnType<typeof activeOnes>>, { kitType, recipient }: Destination) =>
  recipient && warehouseFor(warehouses, kitType, recipient.address)

/** Where a kit goes, and the warehouse that packs it. */
export async function matchOf(tx: Tx, kitId: string) {
  const to = await selectDestination(tx, kitId)
  return { isToSend: to?.isToSend, recipient: to?.recipient, warehouse: to && packs(await activeOnes(tx), to) }
}

/** Where kits of any business go, by their IDs. */
export async function destinationsOf(
  tx: SystemTx,
  kits: readonly { realm: Realm; kitId: string }[],
): Promise<Map<string, Destination>> {
  const found = new Map<string, Destination>()
  for (const own of Map.groupBy(kits, ({ realm }) => realm.id).values()) {
    const ids = own.map(({ kitId }) => kitId)
    const inRealm = own[0] && within(tx, own[0].realm)
    if (inRealm) for (const [id, one] of await selectDestinations(inRealm, ids)) found.set(id, one)
  }
  return found
}

/** Gives kits that wait to be packed to the warehouses that pack them. */
export async function matchKits(tx: SystemTx, limit: number): Promise<void> {
  const warehouses = await activeOnes(tx)
  const kitTypes = warehouses.flatMap(({ definition }) => definition.products.map(({ kitType }) => kitType))
  if (kitTypes.length === 0) return
  const kits = await lockKitsToMatch(tx, kitTypes, limit)
  const made = { round: 1, tries: 0, isReleased: false, createdAt: tx.now, changedAt: tx.now }
  const destinations = await destinationsOf(tx, kits)
  // A claim that was committed since the look.
  const claimed = await selectClaimed(
    tx,
    kits.map(({ kitId }) => kitId),
  )
  for (const { realm, kitId, orderId } of kits) {
    const destination = destinations.get(kitId)
    if (!destination || claimed.has(kitId)) continue
    const warehouse = packs(warehouses, destination)
    const to = warehouse
      ? { warehouseId: warehouse.id, state: 'queued' as const, dueAt: tx.now }
      : { warehouseId: null, state: 'released' as const, dueAt: null }
    await saveOrder(within(tx, realm), { ...nothing, ...made, ...to, kitId, orderId })
  }
}
