import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { hashToken } from '../../platform/tokens.ts'
import { realmOfKit } from '../kits/locate.ts'
import { moveKits } from '../kits/move.ts'
import { type KitRow, lockKits } from '../kits/queries.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { allowed, illegal } from '../kits/rules.ts'
import { illegalTransition } from '../orders/lock.ts'
import { choicesOf, next, type ParcelOutcome } from './decision.ts'
import { selectLink, selectOfKits, type UndeliveredRow } from './queries.ts'
import { ADDRESS_PATH, emailAddressLink, makeAddressLink, recordHappened, toUndelivered } from './record.ts'
import type { Postage, UndeliveredKit } from './schema.ts'
import { reasons } from './words.ts'

/** What became of the box of a kit; undefined if it was never in trouble. */
export async function maybeFindRow(tx: Tx, kitId: string): Promise<UndeliveredRow | undefined> {
  const [row] = await selectOfKits(tx, [kitId])
  return row
}

/** @throws UNDELIVERED_NOT_FOUND, also for a kit that does not exist */
export async function findRow(tx: Tx, kitId: string): Promise<UndeliveredRow> {
  const row = await maybeFindRow(tx, kitId)
  if (!row) throw new AppError('UNDELIVERED_NOT_FOUND', 'No box of such a kit was undeliverable')
  return row
}

export const find = async (tx: Tx, kitId: string): Promise<UndeliveredKit> => toUndelivered(await findRow(tx, kitId))

/** Of these kits, those whose box the operator has in hand: what carriers still say of its old parcel is no news. */
export async function kitsHere(tx: Tx, kitIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (kitIds.length === 0) return new Set()
  return new Set((await selectOfKits(tx, kitIds)).filter(({ isHere }) => isHere).map(({ kitId }) => kitId))
}

/** Of these kits, those that a packer may put a new label on. */
export async function kitsToSendAgain(tx: Tx, kitIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = kitIds.length > 0 ? await selectOfKits(tx, kitIds) : []
  return new Set(rows.filter(({ state, isErased }) => state === 'readyToSend' && !isErased).map(({ kitId }) => kitId))
}

/** Of these kits, those that may still go out again: their address is not settled by the parcel that they were in. */
export async function kitsThatMayGoAgain(tx: Tx, kitIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = kitIds.length > 0 ? await selectOfKits(tx, kitIds) : []
  return new Set(rows.filter((row) => choicesOf(row).includes('sendAgain')).map(({ kitId }) => kitId))
}

/** The live realm of a kit. @throws KIT_NOT_FOUND, also for a sandbox kit: its business moves it */
export async function liveRealmOf(tx: SystemTx, kitId: string) {
  const realm = await realmOfKit(tx, kitId)
  if (realm.mode !== 'live') throw kitNotFound()
  return realm
}

export interface Report {
  kitIDs: readonly string[]
  outcome: ParcelOutcome
  note?: string | undefined
  postage?: Postage | undefined
}

/**
 * Records what a person at the operator's sees or hears of a parcel: all of its kits, or none. A kit that nobody has
 * registered becomes a deliveryException, as by a carrier's word.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION for a kit that was not shipped, or whose sample is on its way
 */
export async function report(tx: SystemTx, { kitIDs, outcome, note, postage }: Report): Promise<UndeliveredKit[]> {
  const ids = [...new Set(kitIDs)].sort()
  const realms = new Map<number, { tx: Tx; ids: string[] }>()
  for (const id of ids) {
    const realm = await liveRealmOf(tx, id)
    const known = realms.get(realm.id) ?? { tx: within(tx, realm), ids: [] }
    realms.set(realm.id, { ...known, ids: [...known.ids, id] })
  }
  const inOrder = [...realms.values()].sort((a, b) => a.tx.realm.id - b.tx.realm.id)
  const found: UndeliveredKit[] = []
  for (const [index, one] of inOrder.entries()) {
    const isFirst = index === 0
    found.push(...(await reportIn(one.tx, one.ids, { outcome, note, postage: isFirst ? postage : undefined })))
  }
  return found
}

/** The same for kits of one realm. */
async function reportIn(
  tx: Tx,
  kitIds: readonly string[],
  { outcome, note, postage }: Omit<Report, 'kitIDs'>,
): Promise<UndeliveredKit[]> {
  const kits = await lockKits(tx, kitIds)
  if (kits.length < kitIds.length) throw kitNotFound()
  for (const kit of kits) assertOutward(kit)
  const known = new Map((await selectOfKits(tx, kitIds)).map((row) => [row.kitId, row]))
  const isNews = (kit: KitRow) => {
    const row = known.get(kit.id)
    const then = next(row, { is: 'reported', outcome })
    return !row || then?.state !== row.state || then.isHere !== row.isHere || then.outcome !== row.outcome
  }
  const news = kits.filter(isNews)
  await moveKits(
    tx,
    news
      .filter((kit) => outcome !== 'labelCanceled' && allowed(stateOf(kit)).includes('deliveryException'))
      .map(({ id }) => ({
        kitId: id,
        to: 'deliveryException' as const,
        reason: note ?? reasons[outcome],
        isQuiet: isAskedAbout(outcome),
      })),
  )
  await recordHappened(
    tx,
    kits,
    news.map(({ id }, index) => ({
      kitId: id,
      happening: { is: 'reported' as const, outcome },
      ...(index === 0 && { postage }),
    })),
    { reason: note },
  )
  return (await selectOfKits(tx, kitIds)).map(toUndelivered)
}

/** Whether the recipient gets an e-mail of its own about this, in place of that about an exception. */
export const isAskedAbout = (outcome: ParcelOutcome): boolean =>
  outcome !== 'damaged' && outcome !== 'lost' && outcome !== 'labelCanceled'

function assertOutward(kit: KitRow): void {
  const { sampleInTransit, kitInTransit } = kit.progress
  if (sampleInTransit !== undefined) {
    throw illegal(stateOf(kit), 'deliveryException', sentence('This kit was used: its sample is on its way, or here'))
  }
  if (kitInTransit === undefined) {
    throw illegal(stateOf(kit), 'deliveryException', sentence('This kit was not shipped yet'))
  }
}

/**
 * Makes the link by which the recipient says where the box goes, and sends it by e-mail if wanted.
 * @throws UNDELIVERED_NOT_FOUND; ILLEGAL_TRANSITION where sending it again cannot be chosen
 */
export async function addressLink(tx: Tx, kitId: string, { email }: { email: boolean }) {
  const [kit] = await lockKits(tx, [kitId])
  const row = await findRow(tx, kitId)
  if (!choicesOf(row).includes('sendAgain')) throw settled(row)
  if (!kit || kit.recipientEmail === null) throw illegalTransition('The person of this order was erased', 'erased')
  const sent = email ? await emailAddressLink(tx, kit) : undefined
  const { secret, expiresAt } = sent ?? (await makeAddressLink(tx, kitId))
  const { publicUrl } = tx.context
  return {
    kitID: kitId,
    ...(publicUrl && { url: `${publicUrl}${ADDRESS_PATH}${secret}` }),
    expiresDate: expiresAt.toISOString(),
    emailed: sent !== undefined,
  }
}

function settled({ state }: UndeliveredRow): AppError {
  return new AppError('ILLEGAL_TRANSITION', `There is nothing to ask the recipient: this box is ${state}`, {
    extra: { current: state, allowed: [] },
  })
}

/** The box of a link; undefined for an unknown link, and for one that has ended. */
export const findByLink = (tx: SystemTx, secret: string) => selectLink(tx, hashToken(secret))
