import type { Actor, Database, SystemTx } from '../../../platform/database/tx.ts'
import { deleteChanges, deleteChangesOfSandboxes } from '../../businesses/tally-queries.ts'
import {
  countCredits,
  lockCounted,
  recountDays,
  selectChangedDays,
  selectCountedAt,
  selectDaysOfKits,
  selectUncounted,
  updateCounted,
  updateCountedAt,
} from './counting-queries.ts'

// A kit is counted with all of its day, and its day changes for weeks: more often, a kit would cost more than its order.
const ALL_AFTER_MS = 6 * 3_600_000
// A day of a business with four million kits in two years has 5,500.
const DAYS_OF_STATEMENT = 10
const DAYS_AT_ONCE = 50
const STATEMENT_MS = 60_000
const KITS_AT_ONCE = 5000
const CHANGES_AT_ONCE = 5000
const TRANSFERS_AT_ONCE = 50_000

/**
 * Counts transfers, and days with half of their kits are new or changed; every six hours, or if `isAll`, each day of which
 * any is. A run that is stopped goes on in the next one.
 */
export async function countChanges(
  database: Database,
  actor: Actor,
  signal: AbortSignal,
  { isAll }: { isAll?: boolean } = {},
): Promise<void> {
  const began = database.now()
  const { realmIds, countedAt } = await database.asSystem(actor, async (tx) => {
    await deleteChangesOfSandboxes(tx)
    return { realmIds: await selectUncounted(tx), countedAt: await selectCountedAt(tx) }
  })
  const all = isAll || countedAt === null || began.getTime() - countedAt.getTime() >= ALL_AFTER_MS
  for (const realmId of realmIds) {
    let goesOn = true
    while (goesOn) {
      signal.throwIfAborted()
      goesOn = await database.asSystem(actor, (tx) => countSome(tx, realmId, all))
    }
  }
  if (all) await database.asSystem(actor, (tx) => updateCountedAt(tx, began))
}

/** @returns whether there is more to count */
async function countSome(tx: SystemTx, realmId: number, isTime: boolean): Promise<boolean> {
  await tx.allowMs(STATEMENT_MS)
  const { kits, transfers, whole, lastKit, lastTransfer } = await lockCounted(tx, realmId)
  const isAll = isTime || !whole
  const isDue = (changed: number, counted: number) => isAll || changed * 2 >= counted
  const newKits = Math.min(lastKit, kits + KITS_AT_ONCE)
  const ofNew = newKits > kits ? await selectDaysOfKits(tx, realmId, kits, newKits) : []
  const areNewDue = isDue(
    newKits - kits,
    ofNew.reduce((sum, { counted }) => sum + counted, 0),
  )
  const days = new Set(areNewDue ? ofNew.map(({ day }) => day) : [])
  const changed = await selectChangedDays(tx, realmId, CHANGES_AT_ONCE)
  const due = changed.filter(
    ({ day, kitIds, counted }) => day === null || days.has(day) || isDue(kitIds.length, counted),
  )
  const some = due.slice(0, DAYS_AT_ONCE)
  for (const { day } of some) if (day !== null) days.add(day)
  // Before they are counted: what changes after this is not deleted, and counted once more.
  await deleteChanges(
    tx,
    realmId,
    some.flatMap(({ kitIds }) => kitIds),
  )
  for (const part of partsOf([...days])) await recountDays(tx, realmId, part)
  const upto = { kits: areNewDue ? newKits : kits, transfers: Math.min(lastTransfer, transfers + TRANSFERS_AT_ONCE) }
  if (upto.transfers > transfers) await countCredits(tx, realmId, transfers, upto.transfers)
  const changes = changed.reduce((sum, one) => sum + one.changes, 0)
  const isWhole = upto.kits === lastKit && some.length === changed.length && changes < CHANGES_AT_ONCE
  await updateCounted(tx, realmId, { ...upto, isWhole })
  const isMore = areNewDue && upto.kits < lastKit
  return isMore || upto.transfers < lastTransfer || some.length < due.length || (isAll && !isWhole)
}

const partsOf = (days: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(days.length / DAYS_OF_STATEMENT) }, (_, part) =>
    days.slice(part * DAYS_OF_STATEMENT, (part + 1) * DAYS_OF_STATEMENT),
  )
