import { sentence } from '@kitlane/display/sentence'
import { type Difference, differencesOf } from '@kitlane/lab-reader/parse/person'
import { AppError } from '../../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { modulesOf } from '../../define-module.ts'
import { lockKit } from '../../kits/move.ts'
import { selectRealmOfKit } from '../../kits/queries.ts'
import { stateOf } from '../../kits/records.ts'
import { standing } from '../../kits/rules.ts'
import type { StatementEffect } from '../../reports/unassessed/schema.ts'
import { authorityWords, refuseWithoutAuthority } from '../../reports/unassessed/service.ts'
import { receiveResults } from '../../reports/versions/receive.ts'
import { takeResultsBack } from '../../reports/versions/take-back.ts'
import { findStandingReport } from '../../reports/versions/withdraw.ts'
import { deleteReceived } from '../received/queries.ts'
import { readRegister } from '../register/register.ts'
import type { KeptStatement } from '../register/statement.ts'
import { standingAgain } from '../register/weigh.ts'
import { differenceWords, personOf } from './difference.ts'
import { putOnKit } from './put-on-kit.ts'
import { emptyAssignedBefore, lockMessage, markAssigned, markDiscarded, markWaiting } from './queries.ts'
import { NO_MATCH } from './queue.ts'
import { findLiveKit } from './samples.ts'
import type { DiscardedMessage, MessageOutcome } from './schema.ts'

const UNDONE_WITHIN_DAYS = 30
const DAY_MS = 86_400_000

/**
 * Puts a waiting message on the kit that a person chose. `differences`: in what the person of the kit differs from the one
 * that the message names, as the person saw it.
 * @throws MESSAGE_NOT_FOUND, KIT_NOT_FOUND, ILLEGAL_TRANSITION; PERSON_DIFFERS for a difference that was not seen
 */
export async function assignMessage(
  tx: SystemTx,
  id: string,
  { kitID, differences = [] }: { kitID: string; differences?: readonly Difference[] },
): Promise<MessageOutcome> {
  const message = await lockWaitingMessage(tx, id)
  const kit = await findLiveKit(tx, kitID)
  const { source, format, parsed: report } = message
  const unseen = differencesOf(report.patient, personOf(kit)).filter((one) => !differences.includes(one))
  if (unseen.length > 0) throw personDiffers(unseen)
  const kitStood = standing(stateOf(await lockKit(within(tx, kit.realm), kitID)))
  const received = { source, format, fingerprint: Buffer.alloc(0), report, receivedAt: message.receivedAt }
  const { outcome, made } = await putOnKit(tx, kit, received, {
    isConfirmed: true,
    isDoubted: differences.length > 0,
  })
  const isDone = outcome.status === 'reported' || outcome.reason === NO_MATCH
  if (isDone) await markAssigned(tx, id, kitID, { realm: kit.realm, kitStood, ...made })
  return outcome
}

/**
 * Takes a message off the kit that it was assigned to by mistake, with all that it made there; it waits again.
 * @throws MESSAGE_NOT_FOUND; ILLEGAL_TRANSITION for one that is not on a kit, or has been for 30 days
 */
export async function undoAssignment(tx: SystemTx, id: string): Promise<{ kitID: string; reportID?: string }> {
  const message = await lockMessage(tx, id)
  if (!message) throw messageNotFound()
  const { status, kitId, made, closedAt } = message
  if (status !== 'assigned' || kitId === null) throw notUndoable('This message is on no kit')
  if (!made || !closedAt)
    throw notUndoable(
      `This message has been on its kit for more than ${UNDONE_WITHIN_DAYS} days. Ask the laboratory to correct its results`,
    )
  const realm = within(tx, made.realm)
  const { documents } = await readRegister(realm, kitId)
  const removed = documents.find((one) => one.id === made.receivedId)?.statements ?? []
  const { reportId } = await takeResultsBack(realm, kitId, { ...made, at: closedAt })
  await deleteReceived(realm, made.receivedId)
  await showStanding(realm, kitId, removed)
  await markWaiting(tx, id)
  await audit.record(realm, [{ action: 'lab_message.unassigned', objectType: 'kit', objectId: kitId, details: { id } }])
  return { kitID: kitId, ...(reportId && { reportID: reportId }) }
}

/** Shows what the statements of a message had replaced and what stands again without them. */
async function showStanding(tx: Tx, kitId: string, removed: readonly KeptStatement[]): Promise<void> {
  const { statements } = await readRegister(tx, kitId)
  const entries = (await findStandingReport(tx, kitId))?.entries ?? []
  const results = standingAgain(statements, new Set(removed.map(({ key }) => key)), entries)
  const reason = sentence('Results that another message had replaced by mistake stand again')
  if (results.length > 0) await receiveResults(tx, { kitId, results, reason })
}

/** Deletes the content of messages that have been on their kits for so long that they stay there. */
export const forgetAssigned = (tx: SystemTx): Promise<number> =>
  emptyAssignedBefore(tx, new Date(tx.now.getTime() - UNDONE_WITHIN_DAYS * DAY_MS))

/**
 * Ends a message that belongs to no kit. @throws MESSAGE_NOT_FOUND; VALIDATION_FAILED where an authority may have to be told of it and
 * nobody says what became of that
 */
export async function discardMessage(
  tx: SystemTx,
  id: string,
  { authority }: DiscardedMessage,
): Promise<StatementEffect> {
  const message = await lockWaitingMessage(tx, id)
  const { kitId } = message.parsed
  const realm = kitId && (await selectRealmOfKit(tx, kitId))
  let effect: StatementEffect = {}
  for (const module of modulesOf(tx.context)) {
    const { conditions } = (await module.duesOfMessages?.(tx, [message]))?.get(id) ?? {}
    if (conditions && !authority) refuseWithoutAuthority()
    if (conditions && authority && realm)
      effect = (await module.afterStatement?.(within(tx, realm), { kitId, conditions }, authority)) ?? effect
  }
  await markDiscarded(tx, id, authority && `Discarded, and ${authorityWords(authority)}`)
  const details = authority ? { decision: authority.decision } : {}
  await audit.recordSystem(tx, [{ action: 'lab_message.discarded', objectType: 'lab_message', objectId: id, details }])
  return effect
}

async function lockWaitingMessage(tx: SystemTx, id: string) {
  const message = await lockMessage(tx, id)
  if (message?.status !== 'waiting') throw messageNotFound()
  return message
}

const messageNotFound = () => new AppError('MESSAGE_NOT_FOUND', 'There is no such message that waits')
const notUndoable = (why: string) => new AppError('ILLEGAL_TRANSITION', why)

const personDiffers = (differences: readonly Difference[]) =>
  new AppError(
    'PERSON_DIFFERS',
    `The person of this kit is not the one whom the message names: ${differenceWords(differences)}. Compare both, then say in \`differences\` what you saw`,
    { extra: { differences } },
  )
