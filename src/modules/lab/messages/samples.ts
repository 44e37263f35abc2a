import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { applyChanges, cancelReplacement, lockKit, moveKit } from '../../kits/move.ts'
import { updateAccession } from '../../kits/queries.ts'
import { selectRecallOf, selectRecallSent } from '../../kits/recall-queries.ts'
import { kitNotFound, stateOf, toRecord } from '../../kits/records.ts'
import { illegal, type LifetimeStatus, standing, unrejected } from '../../kits/rules.ts'
import type { KitRecord } from '../../kits/schema.ts'
import { selectReportOfKit } from '../../reports/queries.ts'
import { rejectReportOfKit, restoreReportOfKit } from '../../reports/versions/remove.ts'
import { putOnKit } from './put-on-kit.ts'
import { type LabKit, lockWaitingOfKit, markAssigned, markDiscarded, selectLabKit } from './queries.ts'
import { CAME_BEFORE, SAMPLE_REJECTED } from './queue.ts'
import { rejectionReasons } from './schema.ts'

/** What is asked before a sample of a kit is received that nobody has, as far as is known. */
export const NEVER_ARRIVED = sentence(
  'As far as we know, this kit reached nobody: its box came back, or never arrived. Is there really a sample in it?',
)

/**
 * Notes that a sample has arrived.
 * @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION; VALIDATION_FAILED for an accession of another kit; KIT_NEVER_ARRIVED until it is
 * confirmed, for a kit that nobody has, as far as is known
 */
export async function receiveSample(
  tx: SystemTx,
  input: { kitID: string; accession?: string; at?: Date; confirm?: boolean },
): Promise<KitRecord> {
  const { kitID, accession, at } = input
  const kit = await findLiveKit(tx, kitID)
  if (!input.confirm && kit.isWithNobody) throw new AppError('KIT_NEVER_ARRIVED', NEVER_ARRIVED)
  if (accession && !(await updateAccession(tx, kitID, accession)))
    throw new AppError('VALIDATION_FAILED', 'This accession belongs to another kit')
  return moveKit(within(tx, kit.realm), kitID, 'sampleReceived', { at })
}

/** Notes that a sample cannot be tested. @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION */
export async function rejectSample(
  tx: SystemTx,
  { kitID, reason, note }: { kitID: string; reason: keyof typeof rejectionReasons; note?: string },
): Promise<KitRecord> {
  const realm = within(tx, (await findLiveKit(tx, kitID)).realm)
  const words = note ? `${rejectionReasons[reason]}: ${note}` : rejectionReasons[reason]
  const record = await moveKit(realm, kitID, 'sampleRejected', { reason: words })
  await rejectReportOfKit(realm, kitID)
  return record
}

/**
 * Takes a rejection back that was a mistake: the sample is where it was before, its report in review again, and what the
 * laboratory sent meanwhile counts.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION where the sample is not rejected, a recall rejects it, or a replacement was ordered or, by a recall, packed
 */
export async function undoRejection(tx: SystemTx, kitID: string): Promise<KitRecord> {
  const live = await findLiveKit(tx, kitID)
  const realm = within(tx, live.realm)
  const kit = await lockKit(realm, kitID)
  const state = stateOf(kit)
  const rejectedAt = state.progress.sampleRejected
  if (rejectedAt === undefined) throw illegal(state, 'sampleReceived', 'The sample of this kit is not rejected')
  const partial = (await selectReportOfKit(realm, kitID))?.vendorStatus === 'partial'
  const step = unrejected(state, kit.beforeRejection, { partial })
  const stood = standing(step.state)
  if (stood !== 'reportReady' && (await selectRecallOf(realm, kitID))?.rejectsSample)
    throw illegal(state, stood, 'A recall rejects this sample: release the kit from the recall first')
  const isCanceled = (await selectRecallSent(realm, kitID)).isReplaced && (await cancelReplacement(realm, kit))
  if (kit.replacedBy !== null)
    throw illegal(state, stood, `Kit ${kit.replacedBy} was sent in its place: its person takes another sample`)
  // Its person was told to wait for another kit.
  await applyChanges(realm, [{ kit, steps: [step], isEmailWanted: isCanceled }])
  await restoreReportOfKit(realm, kitID, {
    rejectedAt: new Date(rejectedAt),
    isReviewed: step.state.status !== 'rejected',
  })
  await audit.record(realm, [{ action: 'sample.rejection_undone', objectType: 'kit', objectId: kitID }])
  await putRefusedOnKit(tx, live, stood)
  return toRecord(await lockKit(realm, kitID))
}

/** What came while a sample was rejected counts once it is not: it goes on the kit as if it came now, oldest first. */
async function putRefusedOnKit(tx: SystemTx, kit: LabKit, kitStood: LifetimeStatus): Promise<void> {
  const { kitId, realm } = kit
  for (const { id, source, format, receivedAt, parsed: report } of await lockWaitingOfKit(tx, kitId, SAMPLE_REJECTED)) {
    const received = { source, format, fingerprint: sha256(`again\n${id}`), report, receivedAt }
    const { outcome, made } = await putOnKit(tx, kit, received)
    // It came before, or waits anew for another reason.
    const isElsewhere = made.receivedId === '' || outcome.reason === CAME_BEFORE
    await (isElsewhere ? markDiscarded(tx, id) : markAssigned(tx, id, kitId, { realm, kitStood, ...made }))
  }
}

/** A live kit, over all realms. @throws KIT_NOT_FOUND, also for a sandbox kit: its business moves it */
export async function findLiveKit(tx: SystemTx, kitId: string): Promise<LabKit> {
  const kit = await selectLabKit(tx, { kitId })
  if (kit?.realm.mode !== 'live') throw kitNotFound()
  return kit
}
