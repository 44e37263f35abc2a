import { WITHDRAWN_REASON } from '@kitlane/display/consent'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as events from '../events/service.ts'
import { isTestingStopped } from '../kits/consent/withdraw.ts'
import { type KitRow, markOrdered } from '../kits/queries.ts'
import { selectRecallOf } from '../kits/recall-queries.ts'
import { stateOf } from '../kits/records.ts'
import { exceptionOf } from '../kits/rules.ts'
import { placerNumberOf } from './content.ts'
import type { Attention } from './decision.ts'
import { type LabOrderRow, type MessageRow, saveOrder } from './queries.ts'
import type { LabOrderNews, LabOrderOfAll } from './schema.ts'

export const SEND_JOB = 'lab-orders.send'
export const DUE_JOB = 'lab-orders.due'

/** Has what is due of an order said as soon as the transaction commits. */
async function sendSoon(tx: Tx, kitId: string): Promise<void> {
  await tx.enqueue(SEND_JOB, { realm: tx.realm, kitId })
}

/** Whether somebody is registered who has not taken their consent back, and the sample is or will be with a laboratory. */
export async function isToBeTested(tx: Tx, kit: KitRow): Promise<boolean> {
  const exception = exceptionOf(stateOf(kit))
  if (kit.registeredAt === null || exception === 'canceled' || exception === 'registrationException') return false
  // While a consent is taken back the kit has its reason, and only then its row.
  return kit.reason !== WITHDRAWN_REASON && !(await isTestingStopped(tx, kit.id)) && !(await isRejected(tx, kit))
}

/** A sample that a recall has rejected, or will. */
const isRejected = async (tx: Tx, kit: KitRow): Promise<boolean> =>
  (await selectRecallOf(tx, kit.id))?.rejectsSample === true

/** What was said of an order under the number that it has now. */
export const saidOf = (row: LabOrderRow, messages: readonly MessageRow[]): MessageRow[] =>
  messages.filter(({ controlId }) => controlId.slice(0, controlId.lastIndexOf('.')) === placerNumberOf(row))

/** Whether the laboratory was told to cancel an order, and has not said yet whether it does. */
export const isBeingCanceled = (row: LabOrderRow, messages: readonly MessageRow[]): boolean =>
  saidOf(row, messages).some(
    ({ action, outcome }) => action === 'cancel' && (outcome === null || outcome === 'received'),
  )

/** An order that is placed anew, under another number, after the laboratory canceled the one before. */
export const renewed = (tx: Tx, row: LabOrderRow): LabOrderRow => ({
  ...row,
  state: 'queued',
  pending: 'new',
  attention: null,
  reason: null,
  round: row.round + 1,
  laboratoryId: null,
  fillerNumber: null,
  routedOn: null,
  digest: null,
  tries: 0,
  dueAt: tx.now,
})

/** Writes an order, tells the business what is new, and has said what is due now. */
export async function announce(tx: Tx, before: LabOrderRow | undefined, after: LabOrderRow): Promise<LabOrderRow> {
  const isNews =
    before?.state !== after.state ||
    before.attention !== after.attention ||
    before.round !== after.round ||
    before.fillerNumber !== after.fillerNumber
  const row = isNews ? { ...after, changedAt: tx.now } : after
  await saveOrder(tx, row)
  if (before === undefined) await markOrdered(tx, row.kitId)
  if (row.dueAt !== null && row.dueAt <= tx.now) await sendSoon(tx, row.kitId)
  if (!isNews) return row
  const { kitId, orderId, state, attention } = row
  await events.record(tx, [{ type: 'lab_order.updated', orderId, kitId, data: newsOf(row) }])
  const details = { state, ...(attention && { attention }) }
  await audit.record(tx, [{ action: 'lab_order.updated', objectType: 'kit', objectId: kitId, details }])
  return row
}

function newsOf(row: LabOrderRow): LabOrderNews {
  const { fillerNumber, attention } = row
  return {
    kitID: row.kitId,
    orderID: row.orderId,
    placerNumber: placerNumberOf(row),
    ...(fillerNumber !== null && { fillerNumber }),
    state: row.state,
    ...(attention && { attention }),
    createdDate: row.createdAt.toISOString(),
    changedDate: row.changedAt.toISOString(),
  }
}

interface Shown {
  /** Names of laboratories by their ID. */
  names?: ReadonlyMap<string, string>
  messages?: readonly MessageRow[]
  /** With what the laboratory said, for the operator. */
  isWhole?: boolean
}

/** Why a person must look at an order, and what can be done. */
const sentences: Record<Attention, Sentence> = {
  noLaboratory: sentence('No laboratory takes orders: set one up, or close this order.'),
  notTestedHere: sentence('No laboratory tests this kit type: add the test to one.'),
  notTestedThere: sentence('No laboratory serves the place where the person lives: choose one, or close this order.'),
  full: sentence('Every laboratory that fits is full today: it is tried again tomorrow, or choose one.'),
  answerMissing: sentence(
    'The laboratory wants an answer that is not known: add it to the kit, or change the question.',
  ),
  refused: sentence(
    'The laboratory refused the order: mend the cause and send it again, or choose another laboratory.',
  ),
  changeRefused: sentence('The laboratory refused a change: agree on it with the laboratory.'),
  cancelRefused: sentence('The laboratory could not cancel the order: its results may still come.'),
  answeredOtherwise: sentence(
    'The laboratory answered otherwise than before: see the messages, and agree on it with the laboratory.',
  ),
  numberTaken: sentence('The laboratory gave a number that another kit has: agree on it with the laboratory.'),
  laboratoryGone: sentence('The laboratory of this order was removed: close this order, or send it to another one.'),
  noAnswer: sentence(
    'The laboratory does not answer: it is still tried, or the order was only received. Ask the laboratory.',
  ),
}

/** An order as the API shows it. */
export function toLabOrder(row: LabOrderRow, { names, messages, isWhole = false }: Shown = {}): LabOrderOfAll {
  const { attention, pending, laboratoryId, dueAt, reason } = row
  const name = laboratoryId === null ? undefined : names?.get(laboratoryId)
  return {
    ...newsOf(row),
    ...(pending && { pending }),
    ...(isWhole && attention && { sentence: sentences[attention] }),
    ...(isWhole && reason !== null && { reason }),
    ...(laboratoryId !== null && name !== undefined && { laboratory: { id: laboratoryId, name } }),
    ...(dueAt !== null && { nextTryDate: dueAt.toISOString() }),
    ...(messages && { messages: messages.map(toMessage) }),
  }
}

function toMessage(row: MessageRow): NonNullable<LabOrderOfAll['messages']>[number] {
  const {
    controlId: controlID,
    action,
    laboratoryId: laboratoryID,
    tries,
    madeAt,
    sentAt,
    answeredAt,
    outcome,
    code,
    answer,
  } = row
  return {
    controlID,
    action,
    laboratoryID,
    tries,
    madeDate: madeAt.toISOString(),
    ...(sentAt && { sentDate: sentAt.toISOString() }),
    ...(answeredAt && { answeredDate: answeredAt.toISOString() }),
    ...(outcome && { outcome }),
    ...(code && { code }),
    ...(answer && { answer }),
  }
}
