import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { lockKit } from '../kits/move.ts'
import { fillAccession } from '../kits/queries.ts'
import { placerNumberOf } from './content.ts'
import { answered, pauseMs, TRIES_BEFORE_ATTENTION } from './decision.ts'
import type { Acknowledged } from './hl7.ts'
import { type LabOrderRow, type MessageRow, saveMessage, selectMessages, selectOfKit } from './queries.ts'
import { announce, renewed } from './record.ts'

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
  await lockKit(tx, kitId)
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
  const isTaken = fillerNumber !== undefined && !(await fillAccession(system, kitId, fillerNumber))
  if (
    message.outcome === outcome ||
    message.code === WITHDRAWN ||
    (message.outcome !== null && outcome === 'received')
  ) {
    if (!fillerNumber || row.fillerNumber !== null) return
    await announce(tx, row, { ...row, fillerNumber, ...(isTaken && { attention: 'numberTaken' as const }) })
    return
  }
  const answeredAt = tx.now
  await saveMessage(tx, kitId, {
    ...message,
    outcome,
    code,
    answeredAt,
    body: null,
    answer: kept(answer) ?? message.answer,
  })
  // Of an order that has another number by now, or that a cancellation has ended: only a person can tell what holds.
  const isPast = !controlId.startsWith(`${placerNumberOf(row)}.`) || row.state === 'closed' || row.state === 'completed'
  if (isPast || (message.action !== 'new' && message.outcome !== null && message.outcome !== 'received')) {
    await announce(tx, row, { ...row, attention: 'answeredOtherwise', reason: reason ?? code })
    return
  }
  // Another message may be under way by now: it goes on.
  const waits = open === message ? undefined : open
  const standing = answered({ ...row, pending: row.pending ?? waits?.action ?? null }, message.action, outcome)
  const pending = waits ? row.pending : standing.pending
  const waitMs = pending ? 0 : standing.state === 'sent' ? ANSWER_MS : undefined
  const dueAt = waitMs === undefined ? null : new Date(tx.now.getTime() + waitMs)
  const attention = isTaken ? 'numberTaken' : standing.attention
  const now: LabOrderRow = {
    ...row,
    ...standing,
    pending,
    attention,
    reason: attention === null ? null : attention === row.attention ? row.reason : (reason ?? null),
    fillerNumber: fillerNumber ?? row.fillerNumber,
    ...(waits ? {} : { tries: 0, dueAt }),
  }
  await announce(tx, row, standing.state === 'canceled' && pending === 'new' && !waits ? renewed(tx, now) : now)
}

const kept = (answer: string | undefined): string | null => answer?.slice(0, 20_000) ?? null

async function sendLater(tx: Tx, row: LabOrderRow, message: MessageRow): Promise<void> {
  await saveMessage(tx, row.kitId, message)
  // A laboratory that does not let us in does not do so by itself later.
  const isLong = row.tries >= TRIES_BEFORE_ATTENTION || /^HTTP 40[13]$/.test(message.code ?? '')
  const attention = isLong ? { attention: 'noAnswer' as const, reason: message.code } : {}
  await announce(tx, row, { ...row, dueAt: new Date(tx.now.getTime() + pauseMs(row.tries)), ...attention })
}
