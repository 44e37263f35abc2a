import type { Tx } from '../../platform/database/tx.ts'
import type { ChangedKit, KitFact } from '../kits/changed-kit.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import { digestOf, selectDestination } from '../labels/queries.ts'
import { forgetUnmatched, isThere, lockOrders, type OrderRow, saveOrder, selectKitsOf } from './queries.ts'
import { heardOf } from './rules.ts'

export const WORK_JOB = 'warehouses.work'

const none = { reason: null, code: null, failures: 0 } as const

/** What becomes of an order that is not to be sent, or not as it is; undefined where nothing does. */
export function unwanted({ state, reason, askedAt }: OrderRow, now: Date): Partial<OrderRow> | undefined {
  // Whether a parcel left is not known: a person asks.
  if (reason === 'gone') return undefined
  if (state === 'refused' || (state === 'queued' && askedAt === null))
    return { ...none, state: 'canceled', dueAt: null }
  // Whether the warehouse has it is looked up first.
  if (state === 'queued' || state === 'sent' || state === 'notRecorded')
    return { ...none, state: 'canceling', dueAt: now }
  return undefined
}

async function apply(
  tx: Tx,
  rows: readonly OrderRow[],
  changesOf: (row: OrderRow) => Partial<OrderRow> | undefined,
): Promise<void> {
  for (const row of rows) {
    const changes = changesOf(row)
    if (!changes) continue
    await saveOrder(tx, { ...row, ...changes })
    if (changes.dueAt) await tx.enqueue(WORK_JOB, { realm: tx.realm, kitId: row.kitId })
  }
}

/** Whether a kit was canceled, sent or taken back. One that is registered before it leaves stays the warehouse's. */
const isMoved = ({ before, after }: ChangedKit): boolean =>
  (before.kitStatus !== after.kitStatus && (after.kitStatus === 'canceled' || after.kitStatus === 'preparing')) ||
  before.shipment.toUser?.trackingNumber !== after.shipment.toUser?.trackingNumber

/** Cancels at warehouses what was canceled, and notes what was shipped or taken back. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  if (tx.realm.mode !== 'live') return
  const kits = new Map(changed.filter(isMoved).map(({ after }) => [after.id, after]))
  if (kits.size === 0) return
  await apply(tx, await lockOrders(tx, [...kits.keys()]), (row) => {
    const { kitStatus, shipment } = kits.get(row.kitId) ?? {}
    if (kitStatus === 'canceled') return unwanted(row, tx.now)
    if (shipment?.toUser) return isThere(row) ? { ...none, state: 'shipped', dueAt: null } : undefined
    return kitStatus === 'preparing' && (row.state === 'shipped' || row.beforeRecord) ? undone(row) : undefined
  })
}

/** What a person had recorded was taken back: they record one again of the parcels that have left by now. */
function undone({ beforeRecord, parcels }: OrderRow): Partial<OrderRow> {
  const newer = parcels ?? []
  const older = (beforeRecord?.parcels ?? []).filter(({ number }) => !newer.some((one) => one.number === number))
  const all = [...older, ...newer]
  const several = all.length > 1 && { reason: 'severalLeft' as const, code: null, ...heardOf(all) }
  return { ...beforeRecord, ...several, beforeRecord: null, state: 'notRecorded', dueAt: null }
}

/** Cancels orders that lead to an address of before, which are then handed over again, and those that a recall stops. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  if (tx.realm.mode !== 'live' || (fact !== 'person' && fact !== 'recall')) return
  if (fact === 'person') await forgetUnmatched(tx, kitIds)
  // What the warehouse does not have yet, or refused, is handed over with the address of then.
  const rows = (await lockOrders(tx, kitIds)).filter(({ digest }) => digest !== null)
  if (rows.length === 0) return
  const stopped = new Set<string>()
  if (fact === 'recall')
    for (const [id, { stopsUse }] of await selectRecalled(tx, kitIds)) if (stopsUse) stopped.add(id)
  if (fact === 'person')
    for (const { kitId, digest } of rows) {
      const recipient = (await selectDestination(tx, kitId))?.recipient
      if (recipient && !digest?.equals(await digestOf(tx, recipient))) stopped.add(kitId)
    }
  await apply(tx, rows, (row) => {
    if (!stopped.has(row.kitId)) return undefined
    // Whoever is about to hand it over has the address of before.
    if (fact === 'person' && row.state === 'queued' && row.askedAt === null)
      return { digest: null, tries: row.tries + 1, dueAt: tx.now }
    const changes = unwanted(row, tx.now)
    return changes && { ...changes, ...(fact === 'recall' && { isReleased: true }) }
  })
}

/** Cancels what a person who is erased was to be sent, and forgets where it goes. */
export async function eraseOrders(
  tx: Tx,
  { email, kitIds, kitOrderIds }: { email: string; kitIds: readonly string[]; kitOrderIds: readonly string[] },
): Promise<void> {
  const ids = await selectKitsOf(tx, { email, kitIds, orderIds: kitOrderIds })
  await apply(tx, await lockOrders(tx, ids), (row) => ({ ...unwanted(row, tx.now), isReleased: true, digest: null }))
}
