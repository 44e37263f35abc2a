import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { settings } from '../businesses/service.ts'
import { findPanel } from '../catalogue/service.ts'
import { isTestingStopped } from '../kits/consent/withdraw.ts'
import { lockKit, moveKits } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { stateOf } from '../kits/records.ts'
import { replaceKit, unsendable } from '../kits/replace.ts'
import { allowed, illegal } from '../kits/rules.ts'
import { rejectReportOfKit } from '../reports/versions/remove.ts'
import { maybeFindBoxOfKit } from '../stock/find.ts'
import { emailsDue, hasResults, PASSED } from './decision.ts'
import { eraseNames, type HoldRow, saveHold, selectOfKits } from './queries.ts'
import { announce, close, maybeFindRow, openCauses, toHeld, writeToPerson } from './record.ts'
import type { HeldSample } from './schema.ts'
import { lockOpen } from './service.ts'
import { reasons } from './words.ts'

const causeWords = (row: HoldRow): string =>
  openCauses(row)
    .map((cause) => reasons[cause])
    .join('. ')

/** Discards a held sample now. @throws KIT_NOT_FOUND, HOLD_NOT_FOUND; ILLEGAL_TRANSITION where it is not on hold any more */
export async function discardSample(tx: SystemTx, kitId: string, reason: string): Promise<HeldSample> {
  const { realm, kit, row } = await lockOpen(tx, kitId)
  if (hasResults(kit))
    throw illegal(stateOf(kit), 'sampleRejected', 'This sample has results: its report decides what becomes of them')
  return toHeld(await discard(realm, kit, row, { endedBy: 'laboratory', reason: `${causeWords(row)}: ${reason}` }))
}

/**
 * Rejects the sample of a locked kit, and sends a free kit in its place where the business wants that and somebody is there
 * to take another sample.
 */
async function discard(
  tx: Tx,
  kit: KitRow,
  row: HoldRow,
  { endedBy, reason }: { endedBy: 'laboratory' | 'clock' | 'erased'; reason: string },
): Promise<HoldRow> {
  const isErased = endedBy === 'erased'
  const closed = await close(tx, row, endedBy)
  // Whoever was asked hears how it ended, whatever the order says.
  // A registration that is in doubt is none: the sample goes nevertheless.
  const force = !allowed(stateOf(kit)).includes('sampleRejected')
  await moveKits(tx, [{ kitId: kit.id, to: 'sampleRejected', reason, force, isEmailWanted: !isErased }])
  await rejectReportOfKit(tx, kit.id)
  const isWanted =
    !isErased && (await settings(tx)).replaceDiscarded && kit.replacedBy === null && (await isWithRecipient(tx, kit))
  const isReplaced = isWanted && !(await isTestingStopped(tx, kit.id))
  const notSent = isReplaced ? (await unsendable(tx, [kit])).get(kit.id) : undefined
  const replacedBy =
    isReplaced && !notSent
      ? (await replaceKit(tx, kit.id, reason, { isEmailWanted: true })).replacementKitId
      : kit.replacedBy
  const ended = { ...closed, replacedBy }
  await announce(tx, ended, notSent ? `${reason}. No kit is sent in its place: ${notSent}` : reason)
  return ended
}

/** A box that a shop sold is with somebody else than whom it was sent to, and so would be what is sent in its place. */
export const isWithRecipient = async (tx: Tx, { id, recipientEmail, registeredEmail }: KitRow): Promise<boolean> =>
  recipientEmail !== null &&
  (registeredEmail === null ||
    registeredEmail.toLowerCase() === recipientEmail.toLowerCase() ||
    (await maybeFindBoxOfKit(tx, id)) === undefined)

/** Nobody is left to answer, or to read results: the laboratory is told to destroy the samples. The kits are locked. */
export async function endErased(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await eraseNames(tx, kitIds)
  const open = (await selectOfKits(tx, kitIds)).filter(({ state }) => state === 'open')
  for (const row of open) {
    const kit = await lockKit(tx, row.kitId)
    if (hasResults(kit)) await announce(tx, await close(tx, row, 'erased'))
    else await discard(tx, kit, row, { endedBy: 'erased', reason: 'The person was erased' })
  }
}

/** No sample is thrown away unasked: the operator said how long those of the panel keep, and this one is here. */
const endsByItself = async (tx: Tx, kit: KitRow): Promise<boolean> =>
  kit.progress.sampleReceived !== undefined &&
  (tx.realm.mode === 'sandbox' || (await findPanel(tx, kit.kitType)).stabilityDays !== null)

/**
 * What is due of a hold: the next e-mail, or its end. The lock of the kit decides between this and a person who mends it in
 * the same second. A sample with results is released, since nothing is to be thrown away.
 */
export async function doWhatIsDue(tx: Tx, kitId: string): Promise<void> {
  const kit = await lockKit(tx, kitId)
  const row = await maybeFindRow(tx, kitId)
  if (row?.state !== 'open') return
  if (row.discardAt <= tx.now) {
    if (hasResults(kit) || kit.kitStatus === 'canceled') {
      await announce(tx, await close(tx, row, 'tested'))
      return
    }
    if (await endsByItself(tx, kit)) await discard(tx, kit, row, { endedBy: 'clock', reason: causeWords(row) })
    else await saveHold(tx, { ...row, told: PASSED })
    return
  }
  const told = emailsDue(row, tx.now)
  if (told <= row.told) return
  await writeToPerson(tx, kit, row)
  await saveHold(tx, { ...row, told })
}
