import { WITHDRAWN_REASON } from '@kitlane/display/consent'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as events from '../events/service.ts'
import { isTakenBack, isTestingStopped } from '../kits/consent/withdraw.ts'
import { type KitRow, markOrdered } from '../kits/queries.ts'
import { selectRecallOf } from '../kits/recall-queries.ts'
import { stateOf } from '../kits/records.ts'
import { exceptionOf } from '../kits/rules.ts'
import { placerNumberOf } from './content.ts'
import { type Attention, isAwaited, isFree, isProblem, standing } from './decision.ts'
import { type Holder, type LabOrderRow, type MessageRow, saveOrder, selectMessages } from './queries.ts'
import type { LabOrderNews, LabOrderOfAll } from './schema.ts'

export const SEND_JOB = 'lab-orders.send'
export const DUE_JOB = 'lab-orders.due'

/** Has what is due of an order said as soon as the transaction commits. */
async function sendSoon(tx: Tx, kitId: string): Promise<void> {
  await tx.enqueue(SEND_JOB, { realm: tx.realm, kitId })
}

/** Whether somebody is registered who has not taken their consent back, and the sample is or will be with a laboratory. */
export async function isToBeTested(tx: Tx, kit: KitRow, said: readonly MessageRow[]): Promise<boolean> {
  const exception = exceptionOf(stateOf(kit))
  // Of a person who was erased nothing is left to order for.
  if (kit.registeredAt === null || kit.registration === null || kit.sampleStatus === 'rejected') return false
  if (exception === 'canceled' || exception === 'registrationException') return false
  // While a consent is taken back the kit has its reason, and only then its row. What was tested before stays.
  const isStopped = kit.status === 'notStarted' ? isTakenBack : isTestingStopped
  return kit.reason !== WITHDRAWN_REASON && !(await isStopped(tx, kit.id)) && !(await isRejected(tx, kit, said))
}

/** A sample that a recall has rejected, or will: one that has results, which are held, only where no laboratory has an order for more. */
const isRejected = async (tx: Tx, kit: KitRow, said: readonly MessageRow[]): Promise<boolean> =>
  (isFree(said) || kit.status === 'notStarted') && (await selectRecallOf(tx, kit.id))?.rejectsSample === true

/** An order that is placed anew, under a number that no laboratory was told of. */
export const renewed = (tx: Tx, row: LabOrderRow, messages: readonly MessageRow[]): LabOrderRow => ({
  ...row,
  state: 'queued',
  pending: 'new',
  attention: null,
  reason: null,
  round: 1 + Math.max(row.round, ...messages.map(({ round }) => round)),
  laboratoryId: null,
  fillerNumber: null,
  routedOn: null,
  digest: null,
  tries: 0,
  dueAt: tx.now,
})

/** An order as it stands by all that was said of it. */
export function stood(row: LabOrderRow, messages: readonly MessageRow[], isWanted: boolean): LabOrderRow {
  const { state, attention, pending, round, fillerNumber, because } = standing(row, messages, isWanted)
  const placed = messages.find((one) => one.round === round && one.action === 'new')
  const words = because?.reason ?? (attention === 'answeredOtherwise' ? because?.code : null) ?? null
  return {
    ...row,
    ...{ state, attention, pending, round, fillerNumber },
    reason: because ? words : attention === row.attention ? row.reason : null,
    laboratoryId: placed?.laboratoryId ?? row.laboratoryId,
    digest: round === row.round ? row.digest : null,
  }
}

/** A laboratory that has a message answers within a day. */
const ANSWER_MS = 86_400_000

/** Brings an order, which may have changed, up to date with what its kit wants and with all that was said of it. */
export async function settle(
  tx: Tx,
  kit: KitRow,
  before: LabOrderRow,
  changes: Partial<LabOrderRow> = {},
): Promise<LabOrderRow> {
  const messages = await selectMessages(tx, before.kitId)
  const row = { ...before, ...changes }
  const now = stood(row, messages, await isToBeTested(tx, kit, messages))
  const isOver = now.state === 'canceled' && now.pending === 'new' && isFree(messages)
  const next = isOver ? renewed(tx, now, messages) : now
  return announce(tx, before, { ...next, dueAt: dueOf(tx, before, next, messages) })
}

function dueOf(tx: Tx, before: LabOrderRow, now: LabOrderRow, messages: readonly MessageRow[]): Date | null {
  const isOver = now.state === 'completed' || now.state === 'closed'
  // What is to be said waits for the answer to what was said, which may be under way.
  if (messages.some(({ outcome }) => outcome === null)) return (isOver ? null : before.dueAt) ?? now.dueAt
  if (now.pending === 'new' && !isFree(messages)) return null
  if (now.pending) return (now.pending === before.pending ? now.dueAt : null) ?? tx.now
  const isExpected = !isOver && (now.state === 'sent' || isAwaited(messages))
  return isExpected ? (now.dueAt ?? new Date(tx.now.getTime() + ANSWER_MS)) : null
}

/** A problem of the way to a laboratory stands where the laboratory itself said nothing that somebody must look at. */
export const troubled = (
  { attention, reason }: LabOrderRow,
  problem: Attention,
  why: string | null = null,
): Pick<LabOrderRow, 'attention' | 'reason'> =>
  isProblem(attention) ? { attention: problem, reason: why } : { attention, reason }

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
  /** Of numbers that two kits have. */
  holders?: readonly Holder[]
  /** With what the laboratory said, for the operator. */
  isWhole?: boolean
}

/** Why a person must look at an order, and what can be done. */
const sentences: Record<Attention, Sentence> = {
  noLaboratory: sentence('No laboratory takes orders: set one up, or close this order.'),
  notTestedHere: sentence('No laboratory tests this kit type: add the test to one.'),
  placeUnknown: sentence(
    'It is not known where the person lives, and laboratories serve only some places: add the address, or choose a laboratory.',
  ),
  notTestedThere: sentence('No laboratory serves the place where the person lives: choose one, or close this order.'),
  notAllowedThere: sentence(
    'This test is not for this person as they are recorded now, or not where they live: correct them, or close this order.',
  ),
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
  answerUnclear: sentence(
    'What the laboratory answers says nothing of this order: see the messages, and mend the connection with it. The order is still sent again.',
  ),
}

const sentenceOf = (attention: Attention, others: readonly Holder[]): Sentence =>
  attention === 'numberTaken' && others.length > 0
    ? sentence('The laboratory gave a number that {kits} has, too: agree on it with the laboratory.', {
        kits: others.map(({ kitId }) => kitId),
      })
    : sentences[attention]

/** An order as the API shows it. */
export function toLabOrder(
  row: LabOrderRow,
  { names, messages, holders = [], isWhole = false }: Shown = {},
): LabOrderOfAll {
  const others = holders.filter(({ kitId, number }) => kitId !== row.kitId && number === row.fillerNumber)
  const { attention, pending, laboratoryId, dueAt, reason } = row
  const name = laboratoryId === null ? undefined : names?.get(laboratoryId)
  return {
    ...newsOf(row),
    ...(pending && { pending }),
    ...(isWhole && attention && { sentence: sentenceOf(attention, others) }),
    ...(isWhole && reason !== null && { reason }),
    ...(laboratoryId !== null && name !== undefined && { laboratory: { id: laboratoryId, name } }),
    ...(dueAt !== null && { nextTryDate: dueAt.toISOString() }),
    ...(messages && { messages: messages.map(toMessage) }),
  }
}

const toMessage = (row: MessageRow): NonNullable<LabOrderOfAll['messages']>[number] => ({
  controlID: row.controlId,
  action: row.action,
  laboratoryID: row.laboratoryId,
  tries: row.tries,
  madeDate: row.madeAt.toISOString(),
  ...(row.sentAt && { sentDate: row.sentAt.toISOString() }),
  ...(row.answeredAt && { answeredDate: row.answeredAt.toISOString() }),
  ...(row.outcome && { outcome: row.outcome }),
  ...(row.code && { code: row.code }),
  ...(row.answer && { answer: row.answer }),
})
