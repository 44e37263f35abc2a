import type { ShopPort } from '../../domain/ports.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { announceTrouble, recordStep } from './announce.ts'
import { type LeftKit, type LeftLine, selectLeftKits } from './delivery-queries.ts'
import { type FulfilmentUpdate, NOT_WHOLE, type UpdateOutcome } from './fulfilment-update.ts'
import { openAccess } from './lenient.ts'
import { type ShopOrderRow, selectShopOrder, updateShopOrder } from './order-queries.ts'
import { selectShop } from './queries.ts'
import { itemOf, retryAfterMs, type ShopOrder, wanted } from './rules.ts'
import type { ShopItem } from './schema.ts'
import { lookUp } from './service.ts'
import { tryShopify, tryWooCommerce, updateShopify, updateWooCommerce } from './update-shopify.ts'

// Longer than a shop may take to answer twice: a worker that does not come back within it has died.
const LEASE_MS = 120_000
// A product of several kits waits for its last one, which is no fault of anybody.
const LOOK_AGAIN_MS = 15 * 60_000

/**
 * Tells a shop which parcels of an order have left. A worker takes the order for two minutes and asks the shop first what it
 * knows, so that one that comes after a crash tells it nothing twice.
 */
export async function sendTracking(ports: RealmPorts, shopOrderId: string): Promise<void> {
  const update = await ports.open((tx) => claim(tx, shopOrderId))
  if (!update) return
  const outcome = await updateShop(ports.callShop, update)
  await ports.open((tx) => recordSent(tx, shopOrderId, update, outcome))
}

const updateShop = (call: ShopPort, update: FulfilmentUpdate): Promise<UpdateOutcome> =>
  update.kind === 'shopify' ? updateShopify(call, update) : updateWooCommerce(call, update)

async function claim(tx: Tx, id: string): Promise<FulfilmentUpdate | undefined> {
  const row = await selectShopOrder(tx, id, 'update')
  if (!row?.tellOpen || !row.orderId || (row.tellDueAt && row.tellDueAt > tx.now)) return undefined
  const shop = await selectShop(tx, row.shopId)
  if (!shop?.access) return undefined
  if (!row.order) {
    await updateShopOrder(tx, { ...row, tellOpen: false })
    return undefined
  }
  const kits = await selectLeftKits(tx, row.orderId)
  const parcels = parcelsOf(kits, row.told)
  if (parcels.length === 0) return undefined
  await updateShopOrder(tx, { ...row, tellDueAt: new Date(tx.now.getTime() + LEASE_MS) })
  const isWhole = kits.every(({ number }) => number !== null)
  return {
    kind: shop.kind,
    url: shop.url,
    externalId: row.externalId,
    isNotifyBuyer: shop.notifyBuyer,
    parcels,
    isWhole,
    access: openAccess(tx.context, tx.realm.id, shop.id, shop.access),
    gone: goneLines(row.order, shop.items, kits),
    isAllKits: wanted(row.order).every((line) => itemOf(line, shop.items)?.kitType !== undefined),
  }
}

/**
 * How many of each line of kits have left, by the kits that have. A product of two kits is gone with its second one; what was
 * not ordered here was fulfilled before.
 */
function goneLines(order: ShopOrder, items: readonly ShopItem[], kits: readonly LeftKit[]): LeftLine[] {
  const counted = (list: readonly LeftKit[]) => {
    const left = new Map<string, number>()
    for (const { kitType } of list) left.set(kitType, (left.get(kitType) ?? 0) + 1)
    return (kitType: string, each: number, most: number) => {
      const count = Math.min(most, Math.floor((left.get(kitType) ?? 0) / each))
      left.set(kitType, (left.get(kitType) ?? 0) - count * each)
      return count
    }
  }
  const ordered = counted(kits)
  const left = counted(kits.filter(({ number }) => number))
  return wanted(order).flatMap((line) => {
    const { kitType, quantity: each = 1 } = itemOf(line, items) ?? {}
    if (kitType === undefined) return []
    const before = line.quantity - ordered(kitType, each, line.quantity)
    const gone = left(kitType, each, line.quantity - before)
    return gone > 0 ? [{ line, gone: gone + before }] : []
  })
}

function parcelsOf(kits: readonly LeftKit[], sentNumbers: readonly string[]) {
  const numbers = new Map<string, string>()
  for (const { number, carrier } of kits)
    if (number && !sentNumbers.includes(number)) numbers.set(number, carrier ?? '')
  return [...numbers].map(([number, carrier]) => ({ number, carrier }))
}

async function recordSent(
  tx: Tx,
  id: string,
  { parcels, isWhole }: FulfilmentUpdate,
  outcome: UpdateOutcome,
): Promise<void> {
  const row = await selectShopOrder(tx, id, 'update')
  if (!row) return
  if (outcome.kind === 'told') {
    const numbers = parcels.map(({ number }) => number).filter((number) => !row.told.includes(number))
    const updated: ShopOrderRow = {
      ...row,
      told: [...row.told, ...numbers],
      tellOpen: row.tellOpen && !isWhole,
      tellDueAt: null,
      tellAttempts: 0,
      tellCode: null,
    }
    await updateShopOrder(tx, updated)
    await recordStep(tx, 'tracking_told', updated, { parcels: numbers.length })
    return
  }
  if (outcome.code === NOT_WHOLE) {
    await updateShopOrder(tx, { ...row, tellDueAt: new Date(tx.now.getTime() + LOOK_AGAIN_MS) })
    return
  }
  const attempts = row.tellAttempts + 1
  const pause = retryAfterMs(attempts, outcome.retryAfterMs)
  const later: ShopOrderRow = {
    ...row,
    tellAttempts: attempts,
    tellCode: outcome.code,
    tellOpen: row.tellOpen && pause !== undefined,
    tellDueAt: pause === undefined ? null : new Date(tx.now.getTime() + pause),
  }
  await updateShopOrder(tx, later)
  if (pause === undefined) await announceTrouble(tx, later, 'TRACKING_NOT_TOLD')
}

/** Asks a shop something harmless, as writing tracking back would. */
export async function testConnection(ports: RealmPorts, id: string): Promise<{ reached: boolean; code?: string }> {
  const shop = await ports.open(async (tx) => {
    const { kind, url, access } = await lookUp(tx, id)
    return { kind, url, access: access && openAccess(tx.context, tx.realm.id, id, access) }
  })
  if (!shop.access) return { reached: false, code: 'NO_ACCESS' }
  const { kind, url, access } = shop
  const outcome = await (kind === 'shopify' ? tryShopify : tryWooCommerce)(ports.callShop, { url, access })
  return outcome.kind === 'told' ? { reached: true } : { reached: false, code: outcome.code }
}
