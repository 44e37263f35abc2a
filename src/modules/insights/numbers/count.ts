import type { Actor, Database, SystemTx } from '../../../platform/database/tx.ts'
import { deleteChanges, deleteChangesOfSandboxes } from '../../businesses/tally-queries.ts'
import {
  countCredits,
  lockCounted,
  recountDays,
  selectChangedDays,
  selectDaysOfKits,
  selectUncounted,
  updateCounted,
  updateCountedAt,
} from './counting-queries.ts'

// A day of a business with four million kits in two years has 5,500, of 20 µs each.
const DAYS_AT_ONCE = 10
const STATEMENT_MS = 60_000
const KITS_AT_ONCE = 5000
const CHANGES_AT_ONCE = 5000
const TRANSFERS_AT_ONCE = 50_000

/** Counts what changed since the last run: the days of kits that changed, and new kits and transfers. A run that is stopped goes on in the next one. */
export async function countChanges(database: Database, actor: Actor, signal: AbortSignal): Promise<void> {
  const began = database.now()
  const realmIds = await database.asSystem(actor, async (tx) => {
    await deleteChangesOfSandboxes(tx)
    return selectUncounted(tx)
  })
  for (const realmId of realmIds) {
    let isDone = false
    while (!isDone) {
      signal.throwIfAborted()
      isDone = await database.asSystem(actor, (tx) => countSome(tx, realmId))
    }
  }
  await database.asSystem(actor, (tx) => updateCountedAt(tx, began))
}

/** @returns whether nothing is left that was there before it began */
async function countSome(tx: SystemTx, realmId: number): Promise<boolean> {
  await tx.allowMs(STATEMENT_MS)
  const { kits, transfers, lastKit, lastTransfer } = await lockCounted(tx, realmId)
  const upto = {
    kits: Math.min(lastKit, kits + KITS_AT_ONCE),
    transfers: Math.min(lastTransfer, transfers + TRANSFERS_AT_ONCE),
  }
  const changed = await selectChangedDays(tx, realmId, CHANGES_AT_ONCE)
  const some = changed.slice(0, DAYS_AT_ONCE)
  // Before they are counted: what changes after this is not deleted, and counted once more.
  await deleteChanges(
    tx,
    realmId,
    some.flatMap(({ kitIds }) => kitIds),
  )
  const fresh = upto.kits > kits ? await selectDaysOfKits(tx, realmId, kits, upto.kits) : []
  const days = [...new Set([...some.map(({ day }) => day), ...fresh])].filter((day) => day !== null)
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE)
    await recountDays(tx, realmId, days.slice(first, first + DAYS_AT_ONCE))
  if (upto.transfers > transfers) await countCredits(tx, realmId, transfers, upto.transfers)
  const changes = changed.reduce((sum, one) => sum + one.changes, 0)
  const isDone =
    upto.kits === lastKit &&
    upto.transfers === lastTransfer &&
    some.length === changed.length &&
    changes < CHANGES_AT_ONCE
  await updateCounted(tx, realmId, { ...upto, isWhole: isDone })
  return isDone
}
