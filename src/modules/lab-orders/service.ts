import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { isOfDemo } from '../businesses/queries.ts'
import { whyNotFor } from '../kits/for-whom.ts'
import { realmOfKit } from '../kits/locate.ts'
import { lockKit } from '../kits/move.ts'
import { kitNotFound } from '../kits/records.ts'
import { recordAnswer } from './answers.ts'
import { contentOf } from './compose.ts'
import { selectConnection, selectConnections } from './connection-queries.ts'
import { findConnection } from './connections.ts'
import { isFree, isOpen, type LabOrderAction, type LabOrderState } from './decision.ts'
import { fresh } from './follow.ts'
import { type Acknowledged, acknowledgedIn } from './hl7.ts'
import {
  type LabOrderFilter,
  type LabOrderRow,
  saveMessage,
  selectByControlId,
  selectHolders,
  selectMessages,
  selectOfKit,
  selectOpenMessage,
  selectPageOfAll,
  settleMessages,
} from './queries.ts'
import { announce, isToBeTested, renewed, settle, toLabOrder } from './record.ts'
import { requisitionPdf } from './requisition.ts'
import type { LabOrder, LabOrderAnswer, LabOrderOfAll, RefusedAnswer } from './schema.ts'

async function namesOf(tx: Tx | SystemTx): Promise<Map<string, string>> {
  return new Map((await selectConnections(tx)).map(({ id, name }) => [id, name]))
}

/** The order of a kit, as its business sees it. @throws LAB_ORDER_NOT_FOUND, also for a kit that does not exist */
export async function find(tx: Tx, kitId: string): Promise<LabOrder> {
  return toLabOrder(await findRow(tx, kitId), { names: await namesOf(tx) })
}

async function findRow(tx: Tx, kitId: string): Promise<LabOrderRow> {
  const row = await selectOfKit(tx, kitId)
  if (!row) throw new AppError('LAB_ORDER_NOT_FOUND', 'This kit was never ordered at a laboratory')
  return row
}

/** Live orders of every business. */
export async function listOfAll(tx: SystemTx, filter: LabOrderFilter) {
  const { rows, total } = await selectPageOfAll(tx, filter)
  const names = await namesOf(tx)
  const holders = await holdersOf(tx, rows)
  const data = rows.map(({ businessId: id, businessName: name, ...row }) => ({
    ...toLabOrder(row, { names, holders, isWhole: true }),
    business: { id, name },
  }))
  return { data, pagination: pagination(filter.page, filter.size, total) }
}

/** A live order with all that was said. @throws KIT_NOT_FOUND, LAB_ORDER_NOT_FOUND */
export async function findOfAll(tx: SystemTx, kitId: string): Promise<LabOrderOfAll> {
  const realm = await liveTx(tx, kitId)
  return whole(tx, realm, await findRow(realm, kitId))
}

/** Who has the numbers that two kits have. */
const holdersOf = async (tx: SystemTx, rows: readonly LabOrderRow[]) => {
  const numbers = rows.flatMap((row) => (row.attention === 'numberTaken' ? (row.fillerNumber ?? []) : []))
  return numbers.length > 0 ? selectHolders(tx, [...new Set(numbers)]) : []
}

async function whole(system: SystemTx, tx: Tx, row: LabOrderRow): Promise<LabOrderOfAll> {
  const [names, holders] = [await namesOf(tx), await holdersOf(system, [row])]
  return toLabOrder(row, { names, holders, messages: await selectMessages(tx, row.kitId), isWhole: true })
}

async function liveTx(tx: SystemTx, kitId: string): Promise<Tx> {
  const realm = await realmOfKit(tx, kitId)
  if (realm.mode !== 'live') throw kitNotFound()
  return within(tx, realm)
}

/** The requisition of a kit. @throws KIT_NOT_FOUND, LAB_ORDER_NOT_FOUND; ILLEGAL_TRANSITION where no laboratory has it */
export async function requisitionOf(tx: SystemTx, kitId: string): Promise<Buffer> {
  const realm = await liveTx(tx, kitId)
  const row = await findRow(realm, kitId)
  const kit = await lockKit(realm, kitId)
  const laboratory = row.laboratoryId === null ? undefined : await selectConnection(tx, row.laboratoryId)
  const test = laboratory?.tests.find(({ kitType }) => kitType === kit.kitType)
  if (!laboratory || !test || kit.registration === null)
    throw notNow(row, 'No laboratory has this order, or nobody is registered')
  const { content } = await contentOf(realm, kit, row, test)
  const why = await whyNotFor(realm, kit)
  if (why) throw notNow(row, why)
  return requisitionPdf({ content, laboratory: laboratory.name, at: tx.now })
}

const notNow = (row: LabOrderRow, message: string, allowed: readonly LabOrderState[] = []): AppError =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current: row.state, allowed } })

/**
 * Sends an order where no laboratory has one: to the laboratory that is named, or as the rules say. A kit that was never ordered
 * is ordered by it. @throws KIT_NOT_FOUND, LABORATORY_NOT_FOUND; ILLEGAL_TRANSITION where a laboratory has or may have it, or the one
 * that is named cannot take it
 */
export async function routeOrder(
  tx: SystemTx,
  kitId: string,
  laboratoryId: string | undefined,
): Promise<LabOrderOfAll> {
  const realm = await liveTx(tx, kitId)
  const kit = await lockKit(realm, kitId)
  const row = await selectOfKit(realm, kitId)
  const before = row ?? fresh(realm, kit)
  const chosen = laboratoryId === undefined ? undefined : await findConnection(tx, laboratoryId)
  if (chosen && !chosen.isActive) throw notNow(before, `${chosen.name} gets no new orders: choose another laboratory`)
  if (chosen?.tests.every(({ kitType }) => kitType !== kit.kitType))
    throw notNow(before, `${chosen.name} does not test this kit type: add the test to it, or choose another laboratory`)
  if (kit.registeredAt === null) throw notNow(before, 'Nobody is registered for this kit yet')
  if (await isOfDemo(realm)) throw notNow(before, 'The people of the demo are made up: no laboratory gets their orders')
  const messages = await selectMessages(realm, kitId)
  const isOnItsWay = row && !['unrouted', 'refused', 'canceled', 'closed'].includes(row.state)
  if (isOnItsWay || !isFree(messages))
    throw notNow(before, 'A laboratory has this order, or may have it: it is not sent to a second one')
  if (!(await isToBeTested(realm, kit, messages)) || kit.sampleStatus === 'resulted')
    throw notNow(before, 'The sample of this kit is not to be tested: see the kit')
  const again =
    messages.length > 0 ? renewed(realm, before, messages) : { ...before, dueAt: tx.now, pending: 'new' as const }
  return whole(
    tx,
    realm,
    await announce(realm, row, { ...again, state: 'queued', attention: null, laboratoryId: laboratoryId ?? null }),
  )
}

/**
 * Ends an order that was settled otherwise, or settles what a person must look at of one that has ended: nothing more is said to the
 * laboratory, and the audit has the reason.
 * @throws KIT_NOT_FOUND, LAB_ORDER_NOT_FOUND; ILLEGAL_TRANSITION where it has ended, or a message of it is under way
 */
export async function closeOrder(tx: SystemTx, kitId: string, reason: string): Promise<LabOrderOfAll> {
  const realm = await liveTx(tx, kitId)
  const kit = await lockKit(realm, kitId)
  const row = await findRow(realm, kitId)
  if (!isOpen(row.state) && row.attention === null) throw notNow(row, 'This order has ended')
  const open = await selectOpenMessage(realm, kitId)
  const connections = await selectConnections(tx)
  const isGone = open !== undefined && connections.every(({ id }) => id !== open.laboratoryId)
  if (open && isGone) await saveMessage(realm, kitId, { ...open, outcome: 'refused', code: 'GONE', body: null })
  if (open && !isGone)
    throw notNow(
      row,
      'A message of this order waits for its answer: say what the laboratory answered, and close it then',
    )
  await audit.record(realm, [{ action: 'lab_order.closed', objectType: 'kit', objectId: kitId, words: { reason } }])
  await settleMessages(realm, kitId)
  const closed = isOpen(row.state) ? { state: 'closed' as const, dueAt: null, routedOn: null } : {}
  return whole(tx, realm, await settle(realm, kit, row, closed))
}

/**
 * What a laboratory answers later, or what somebody heard of it: each answer of a text by itself. The same again changes nothing.
 * `laboratoryId`: the one that answers, which answers only what it was told.
 * @throws where nothing of it is taken: MESSAGE_NOT_FOUND; FILE_NOT_READABLE for a text that acknowledges nothing; VALIDATION_FAILED
 */
export async function takeAnswers(
  tx: SystemTx,
  given: LabOrderAnswer,
  laboratoryId?: string,
): Promise<(LabOrderOfAll | RefusedAnswer)[]> {
  if (typeof given !== 'string') {
    const { controlID: controlId, accepted, code = 'BY HAND', fillerNumber, reason } = given
    const outcome = accepted ? ('accepted' as const) : ('refused' as const)
    const rest = { ...(fillerNumber && { fillerNumber }), ...(reason && { reason }), isByHand: true as const }
    return [await takeAnswer(tx, { controlId, laboratoryId }, () => ({ controlId, outcome, code, ...rest }))]
  }
  const parts = given.split(/(?=^[^\S\r\n]*MSH\W)/im).filter((text) => text.trim() !== '')
  // The header of a batch is none of its messages.
  const texts = parts.filter((text, at) => at > 0 || parts.length === 1 || /^\s*MSH\W/i.test(text))
  if (texts.length === 0) refuse([{ message: 'The body is empty: send an acknowledgement, such as ORL^O22', path: '' }])
  const taken: (LabOrderOfAll | RefusedAnswer)[] = []
  let refused: AppError | undefined
  for (const text of texts) {
    const controlId = acknowledgedIn(text, 'new')?.controlId
    try {
      taken.push(await takeText(tx, text, controlId, laboratoryId))
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      refused ??= err
      const { status, code, message } = err
      taken.push({ ...(controlId && { controlID: controlId }), error: { status, code, message } })
    }
  }
  if (refused && taken.every((one) => 'error' in one)) throw refused
  return taken
}

async function takeText(
  tx: SystemTx,
  text: string,
  controlId: string | undefined,
  laboratoryId: string | undefined,
): Promise<LabOrderOfAll> {
  if (controlId === undefined)
    throw new AppError('FILE_NOT_READABLE', 'This is no acknowledgement: it has no MSA segment')
  if (controlId === '') throw new AppError('FILE_NOT_READABLE', 'MSA-2 is empty: it says which message is acknowledged')
  const read = (action: LabOrderAction) => ({ ...readAgain(text, action), controlId, answer: text })
  return takeAnswer(tx, { controlId, laboratoryId }, read)
}

const readAgain = (text: string, action: LabOrderAction) =>
  acknowledgedIn(text, action) ?? { outcome: undefined, code: '' }

async function takeAnswer(
  tx: SystemTx,
  { controlId, laboratoryId }: { controlId: string; laboratoryId: string | undefined },
  read: (action: LabOrderAction) => Acknowledged,
): Promise<LabOrderOfAll> {
  const found = await selectByControlId(tx, controlId)
  if (!found || (laboratoryId !== undefined && found.laboratoryId !== laboratoryId))
    throw new AppError('MESSAGE_NOT_FOUND', 'No message of this control ID was sent to a laboratory')
  const realm = within(tx, found.realm)
  const message = (await selectMessages(realm, found.kitId)).find((one) => one.controlId === controlId)
  const answer = read(message?.action ?? 'new')
  if (answer.outcome !== undefined) await recordAnswer(tx, found.realm, found.kitId, answer)
  return whole(tx, realm, await findRow(realm, found.kitId))
}

/** A sandbox has no laboratory: a scenario says what one answers, and why it refuses, if it does. */
export async function play(tx: Tx, kitId: string, refused: string): Promise<void> {
  const kit = await lockKit(tx, kitId)
  const before = await selectOfKit(tx, kitId)
  const row = before ?? (await announce(tx, undefined, { ...fresh(tx, kit), pending: null, dueAt: null }))
  const fillerNumber = refused ? null : `F${kitId}`
  await saveMessage(tx, kitId, {
    ...{ controlId: `${kitId}.1`, round: row.round, action: 'new', laboratoryId: 'sandbox', tries: 1 },
    ...{ madeAt: tx.now, sentAt: tx.now, answeredAt: tx.now, body: null, answer: null },
    ...{ outcome: refused ? 'refused' : 'accepted', code: refused ? 'AE' : 'AA', reason: refused || null },
    ...{ fillerNumbers: fillerNumber === null ? [] : [fillerNumber], isNumberTaken: false, isSettled: false },
  })
  await settle(tx, kit, row, { fillerNumber, pending: null })
}
