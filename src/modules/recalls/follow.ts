import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import type { ChangedKit, ComparedWith, MeasuredWith } from '../kits/changed-kit.ts'
import { cancelReplacement } from '../kits/move.ts'
import { selectRecalled } from '../kits/recall-queries.ts'
import type { KitEvent } from '../kits/rules.ts'
import { plainSubject } from './decision.ts'
import { dropKits, findAgain, forgetTold, noteEarlier, reopen, saveMeasured } from './kit-queries.ts'
import { insertHolders, insertKits, lockMeasured, PLAYED, selectOpenOfKitLot, selectOpenOfMeasured } from './queries.ts'
import { RECALLS_JOB } from './work.ts'

const arrivals: readonly (KitEvent | undefined)[] = ['kitDelivered', 'sampleReceived', 'reportReady']

/** A box that a person gets after all, a sample, or results, that arrive of a recalled kit are looked at, and so is one that lost its person; a kit whose shipment is taken back holds nothing any more, unless its parcel left a warehouse. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  const unpacked = changed.flatMap(({ before, after }) =>
    before.progress.kitInTransit !== undefined && after.progress.kitInTransit === undefined ? after : [],
  )
  const dropped = unpacked.length > 0 ? await dropKits(tx, unpacked) : []
  // The kit itself is sent.
  if (tx.realm.mode === 'live') for (const kit of dropped) await cancelReplacement(tx, kit)
  const freed = changed.filter(isFreed)
  if (freed.length > 0) {
    await forgetTold(
      tx,
      freed.map(({ after }) => after.id),
    )
  }
  const arrived = changed.flatMap((one) => {
    const { before, after, steps } = one
    const event = steps.at(-1)?.event
    const isOut = event === 'kitInTransit' && before.kitStatus === 'deliveryException'
    return freed.includes(one) || isOut || arrivals.includes(event) ? after.id : []
  })
  const recalled = await selectRecalled(tx, arrived)
  if (recalled.size > 0 && (await reopen(tx, [...recalled.keys()])) > 0) await tx.enqueue(RECALLS_JOB, {})
}

/** Whether a kit lost its person, or is not known any more to be theirs. */
const isFreed = ({ before, after }: ChangedKit): boolean =>
  after.registeredAt === null &&
  (before.registeredAt !== null || (before.registeredEmail !== null && after.registeredEmail === null))

/** Notes with what a sample was measured, and adds it to recalls of that, so that its results are held. */
export async function beforeResults(tx: Tx, kitId: string, measuredWith: readonly MeasuredWith[]): Promise<void> {
  // Only kits of live are recalled.
  if (tx.realm.mode !== 'live') return
  const lots = measuredWith.map(plainly)
  await lockMeasured(tx, 'shared')
  await saveMeasured(tx, kitId, lots)
  const recalls = await selectOpenOfMeasured(tx, lots)
  for (const { id } of recalls) await insertKits(tx, id, [kitId])
  if (recalls.length > 0) await tx.enqueue(RECALLS_JOB, {})
}

const plainly = <L extends MeasuredWith>(one: L) => ({
  ...one,
  subject: plainSubject(one.subject),
  written: one.subject,
})

/** Holds other values of what was recalled, though the kit was released before they came. */
export async function afterComparison(tx: Tx, kitId: string, measuredWith: readonly ComparedWith[]): Promise<void> {
  if (tx.realm.mode !== 'live') return
  const lots = measuredWith.map(plainly)
  await noteEarlier(
    tx,
    kitId,
    lots.filter(({ hasShown }) => hasShown),
  )
  const recalls = await selectOpenOfMeasured(
    tx,
    lots.filter(({ hasOther }) => hasOther),
  )
  const ids = recalls.map(({ id }) => id)
  if (ids.length > 0 && (await findAgain(tx, kitId, ids)) > 0) await tx.enqueue(RECALLS_JOB, {})
}

/** Adds kits that only now turned out to be of a lot, or to have a component, to its recalls. */
export async function afterLotBuilt(tx: SystemTx, lot: { product: string; lot: string }): Promise<void> {
  const recalls = await selectOpenOfKitLot(tx, lot)
  for (const recall of recalls) await insertHolders(tx, recall.id, recall)
  if (recalls.length > 0) await tx.enqueue(RECALLS_JOB, {})
}

/** Plays the recall of a component with a kit of a sandbox. The job does the rest, as with a live one. */
export async function playRecall(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only a kit of a sandbox is recalled for play')
  await insertKits(tx, PLAYED, [kitId])
  await tx.enqueue(RECALLS_JOB, {})
}
