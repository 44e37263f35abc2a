import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { lockKit } from '../kits/move.ts'
import { fillAccession } from '../kits/queries.ts'
import { answered, answeredLater, type Outcome, pauseMs, type Standing, TRIES_BEFORE_ATTENTION } from './decision.ts'
import type { Acknowledged } from './hl7.ts'
import { type LabOrderRow, type MessageRow, saveMessage, selectMessages, selectOfKit } from './queries.ts'
import { announce, isToBeTested, renewed, saidOf } from './record.ts'

/** The code of a message that was taken back before it was answered. */
export const WITHDRAWN = 'WITHDRAWN'
/** A laboratory that has the message answers within a day. */
const ANSWER_MS = 86_400_000

/**
 * Writes down what a laboratory answered, once: an answer that comes again changes nothing, and neither does one to a message that
 * was never sent. A message that was only received is answered once more.
 */
export async function recordAnswer(
  system: SystemTx,
  realm: Realm,
  kitId: string,
  { controlId, outcome, code, reason, fillerNumber, placerNumber, answer }: Acknowledged,
): Promise<void> {
  const tx = within(system, realm)
  const kit = await lockKit(tx, kitId)
  const row = await selectOfKit(tx, kitId)
  const messages = await selectMessages(tx, kitId)
  const message = messages.find((one) => one.controlId === controlId)
  const open = messages.find((one) => one.outcome === null)
  if (!row || !message) return
  const isOther = placerNumber !== undefined && !controlId.startsWith(`${placerNumber}.`)
  if (outcome === undefined || isOther) {
    if (message === open)
      await sendLater(tx, row, { ...open, code: isOther ? 'OTHER ORDER' : code, answer: kept(answer) })
    return
  }
  const ofOrder = saidOf(row, messages)
  const isOfOrder = ofOrder.includes(message)
  const isTaken = isOfOrder && fillerNumber !== undefined && !(await fillAccession(system, kitId, fillerNumber))
  const before = message.code === WITHDRAWN ? outcome : message.outcome
  if (before === outcome || (before !== null && outcome === 'received')) {
    if (!isOfOrder || !fillerNumber || row.fillerNumber !== null) return
    await announce(tx, row, { ...row, fillerNumber, ...(isTaken && { attention: 'numberTaken' as const }) })
    return
  }
  const said = { outcome, code, answeredAt: tx.now, body: null, answer: kept(answer) ?? message.answer }
  await saveMessage(tx, kitId, { ...message, ...said })
  // The laboratory takes back what it answered: of an order that has ended only a person can tell what holds.
  const isTakenBack = before !== null && before !== 'received'
  const isOver = row.state === 'canceled' || row.state === 'completed' || row.state === 'closed'
  if (isTakenBack && (!isOfOrder || isOver || message.action !== 'new')) {
    await announce(tx, row, { ...row, attention: 'answeredOtherwise', reason: reason ?? code })
    return
  }
  if (!isOfOrder) {
    // Of an order that was placed anew since then it says nothing.
    if (message === open) await announce(tx, row, { ...row, tries: 0, dueAt: row.pending ? tx.now : null })
    return
  }
  const since = ofOrder.slice(ofOrder.indexOf(message) + 1).map(({ action }) => action)
  const isWanted = await isToBeTested(tx, kit)
  const standing =
    message === open || isTakenBack
      ? answered(row, message.action, outcome)
      : answeredLater(row, message.action, { outcome, since, isWanted })
  const isWaiting = messages.some((one) => one !== message && one.outcome === null)
  await settle(tx, row, { standing, outcome, reason: reason ?? null, fillerNumber, isTaken, isWaiting })
}

interface Settled {
  standing: Standing
  outcome: Outcome
  reason: string | null
  fillerNumber: string | undefined
  /** Another kit has this number. */
  isTaken: boolean
  /** A message after the one that was answered still waits. */
  isWaiting: boolean
}

async function settle(
  tx: Tx,
  row: LabOrderRow,
  { standing, outcome, reason, fillerNumber, isTaken, isWaiting }: Settled,
): Promise<void> {
  const { state, pending } = standing
  const attention = isTaken ? 'numberTaken' : standing.attention
  const isSame = attention === row.attention && (outcome !== 'refused' || attention === 'refused')
  const isAsBefore = standing === row || isSame
  const waitMs = pending ? 0 : state === 'sent' ? ANSWER_MS : undefined
  const dueAt = waitMs === undefined ? null : new Date(tx.now.getTime() + waitMs)
  const now: LabOrderRow = {
    ...row,
    ...standing,
    attention,
    reason: attention === null ? null : isAsBefore ? row.reason : reason,
    fillerNumber: fillerNumber ?? row.fillerNumber,
  }
  const next = state === 'canceled' && pending === 'new' ? renewed(tx, now) : now
  const { tries } = row
  await announce(tx, row, { ...next, ...(isWaiting ? { tries, dueAt: row.dueAt } : { tries: 0, dueAt }) })
}

const kept = (answer: string | undefined): string | null => answer?.slice(0, 20_000) ?? null

async function sendLater(tx: Tx, row: LabOrderRow, message: MessageRow): Promise<void> {
  await saveMessage(tx, row.kitId, message)
  // A laboratory that does not let us in does not do so by itself later, nor does a folder appear that is not there.
  const isLong = row.tries >= TRIES_BEFORE_ATTENTION || /^(HTTP 40[13]|CONNECT FOLDER)$/.test(message.code ?? '')
  const attention = isLong ? { attention: 'noAnswer' as const, reason: message.code } : {}
  await announce(tx, row, { ...row, dueAt: new Date(tx.now.getTime() + pauseMs(row.tries)), ...attention })
}
