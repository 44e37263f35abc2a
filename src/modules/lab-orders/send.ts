import { AppError } from '../../domain/errors.ts'
import type { LaboratoryCall, LaboratoryPort, LaboratoryReply } from '../../domain/ports.ts'
import { type Actor, type Database, type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import { acknowledgement } from '../../platform/http/hl7.ts'
import { headersOf } from '../../platform/http/hl7-header.ts'
import { isOfDemo } from '../businesses/queries.ts'
import { whyNotFor } from '../kits/for-whom.ts'
import { lockKit } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { recordAnswer } from './answers.ts'
import { contentOf, personOf, placeOf } from './compose.ts'
import { type Connection, lockConnections, selectConnections, selectRouted } from './connection-queries.ts'
import { secretPlaceOf } from './connections.ts'
import { digestOf, type OrderContent } from './content.ts'
import { type Attention, isAwaited, isFree, type LabOrderAction, route, toCancel, WITHDRAWN } from './decision.ts'
import { answerOfFhir, bundleOf } from './fhir.ts'
import { type Acknowledged, acknowledgedIn, omlOf } from './hl7.ts'
import { type LabOrderRow, type MessageRow, saveMessage, saveOrder, selectMessages, selectOfKit } from './queries.ts'
import { announce, isToBeTested, settle, stood, troubled } from './record.ts'
import { takeAnswers } from './service.ts'

// Longer than a laboratory may take to answer: a worker that does not come back within it has died, and another one sends it again.
const LEASE_MS = 90_000

export interface Sender {
  database: Database
  actor: Actor
  callLaboratory: LaboratoryPort
}

interface Sending {
  laboratory: Connection
  message: MessageRow
  call: LaboratoryCall
}

/**
 * Says to a laboratory what is due of an order: the message that waits for its answer again, byte by byte, or the next one. Its
 * control ID and the number of the order tell the laboratory that it is no second order.
 */
export async function sendDue({ database, actor, callLaboratory }: Sender, realm: Realm, kitId: string): Promise<void> {
  const sending = await database.asSystem(actor, (tx) => claim(tx, within(tx, realm), kitId))
  if (!sending) return
  const reply = await callLaboratory(sending.call).catch((err: unknown) => {
    if (!(err instanceof EgressError)) throw err
    return err
  })
  if (reply instanceof EgressError) {
    const code = [reply.code, reply.reason].filter(Boolean).join(' ')
    const nothing = { controlId: sending.message.controlId, outcome: undefined, code }
    await database.asSystem(actor, (tx) => recordAnswer(tx, realm, kitId, nothing))
    return
  }
  const { line } = reply
  try {
    const answer = readAnswer(sending, reply)
    const at = await database.asSystem(actor, async (tx) => {
      await recordAnswer(tx, realm, kitId, answer)
      return tx.now
    })
    // It has accepted the message, and may say on the same line what becomes of the order.
    if (!line || answer.outcome !== 'received') return
    for await (const text of line.more()) {
      const said = await takeLater({ database, actor }, sending.laboratory.id, { text, at })
      if (said) line.write(said)
    }
  } finally {
    line?.close()
  }
}

/** Takes an answer that nobody waits for, and returns what its sender wants to hear of it, once it is stored. */
async function takeLater(
  { database, actor }: Pick<Sender, 'database' | 'actor'>,
  laboratoryId: string,
  { text, at }: { text: string; at: Date },
): Promise<string> {
  const outcome = await database
    .asSystem(actor, (tx) => takeAnswers(tx, text, laboratoryId))
    .then(
      () => ({ status: 200 }),
      (err: unknown) => {
        if (!(err instanceof AppError)) throw err
        return { status: err.status, error: { code: err.code, message: err.message } }
      },
    )
  const raw = Buffer.from(text)
  const [header] = headersOf(raw)
  // Without either the answer is itself the acknowledgement, and wants none. HL7 v2.5.1, chapter 2.9.
  const isEnhanced = header !== undefined && [15, 16].some((number) => header.field(number) !== '')
  return isEnhanced ? acknowledgement(raw, outcome, at) : ''
}

/** `system` reads the laboratories, which are the operator's, and what all businesses sent them today. */
async function claim(system: SystemTx, tx: Tx, kitId: string): Promise<Sending | undefined> {
  const kit = await lockKit(tx, kitId)
  const row = await selectOfKit(tx, kitId)
  if (!row?.dueAt || row.dueAt > tx.now || (await isOfDemo(tx))) return undefined
  const messages = await selectMessages(tx, kitId)
  const open = messages.find(({ outcome }) => outcome === null)
  // What was said may never have arrived: instead of saying it again, it is taken back.
  const isTakenBack = open?.action === 'new' && row.pending === 'cancel'
  if (open && !isTakenBack) return again(tx, row, open)
  if (open)
    await saveMessage(tx, kitId, { ...open, outcome: 'refused', code: WITHDRAWN, body: null, answeredAt: tx.now })
  if (row.pending === null) {
    // What it has not answered for a day.
    const isSilent = row.state === 'sent' || isAwaited(messages)
    await announce(tx, row, { ...row, dueAt: null, ...(isSilent && troubled(row, 'noAnswer')) })
    return undefined
  }
  const round = row.pending === 'cancel' ? (open?.round ?? toCancel(messages)) : row.round
  const isDue = row.pending !== 'new' || (isFree(messages) && (await isToBeTested(tx, kit, messages)))
  if (round === undefined || !isDue) {
    await settle(tx, kit, row, { dueAt: null })
    return undefined
  }
  return next(system, tx, { kit, row, action: row.pending, round })
}

async function again(tx: Tx, row: LabOrderRow, message: MessageRow): Promise<Sending | undefined> {
  const laboratory = (await selectConnections(tx)).find(({ id }) => id === message.laboratoryId)
  if (!laboratory || message.body === null) {
    await announce(tx, row, { ...row, ...troubled(row, 'laboratoryGone'), dueAt: null })
    return undefined
  }
  return leased(tx, row, { laboratory, message: { ...message, body: message.body } })
}

async function leased(
  tx: Tx,
  row: LabOrderRow,
  { laboratory, message }: { laboratory: Connection; message: MessageRow & { body: string } },
): Promise<Sending> {
  const tried = { ...message, tries: message.tries + 1, sentAt: tx.now }
  await saveMessage(tx, row.kitId, tried)
  await saveOrder(tx, { ...row, tries: tried.tries, dueAt: new Date(tx.now.getTime() + LEASE_MS) })
  return { laboratory, message: tried, call: callOf(tx, laboratory, { ...tried, body: message.body }) }
}

/** Makes the next message of an order, under the number `round`, after it has found its laboratory. */
async function next(
  system: SystemTx,
  tx: Tx,
  { kit, row, action, round }: { kit: KitRow; row: LabOrderRow; action: LabOrderAction; round: number },
): Promise<Sending | undefined> {
  const messages = await selectMessages(tx, kit.id)
  const named = numbered(row, round, messages)
  const routed = action === 'new' ? await routeOrder(system, tx, kit, row) : await standingTest(tx, kit, named)
  if ('problem' in routed) {
    const isFull = routed.problem === 'full'
    const tomorrow = new Date(`${dayOf(tx.now)}T00:00:00Z`)
    tomorrow.setUTCDate(tomorrow.getUTCDate() + 1)
    const state = action === 'new' ? 'unrouted' : row.state
    const problem: Attention = routed.problem ?? 'noLaboratory'
    const dueAt = isFull ? tomorrow : null
    await announce(tx, row, { ...row, state, ...troubled(row, problem, routed.missing?.join('; ')), dueAt })
    return undefined
  }
  const { laboratory, content } = routed
  const revision = row.revision + 1
  const controlId = `${content.placerNumber}.${revision}`
  const form = laboratory.format === 'fhir' ? bundleOf : omlOf
  const body = form({ controlId, action, at: tx.now, content, laboratory })
  const isOwn = round === row.round
  const said: LabOrderRow = {
    ...row,
    ...(isOwn && { laboratoryId: laboratory.id, digest: digestOf(content) }),
    ...(action === 'new' && { routedOn: dayOf(tx.now) }),
    revision,
    pending: null,
    attention: null,
    reason: null,
    changedAt: tx.now,
  }
  const message = {
    ...{ controlId, round, action, laboratoryId: laboratory.id, madeAt: tx.now, tries: 0, body },
    ...{ sentAt: null, answeredAt: null, outcome: null, code: null, answer: null },
    ...{ fillerNumbers: [], isNumberTaken: false, isSettled: false },
  }
  const all = [...messages, message]
  const queued = stood(said, all, await isToBeTested(tx, kit, all))
  return leased(tx, queued, { laboratory, message })
}

/** An order as it is under one of its numbers. */
function numbered(row: LabOrderRow, round: number, messages: readonly MessageRow[]): LabOrderRow {
  const own = messages.filter((one) => one.round === round)
  if (round === row.round || !own[0]) return row
  const fillerNumber = own.flatMap(({ fillerNumbers }) => fillerNumbers).at(-1) ?? null
  return { ...row, round, fillerNumber, laboratoryId: own[0].laboratoryId }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

async function routeOrder(system: SystemTx, tx: Tx, kit: KitRow, row: LabOrderRow) {
  const { state, country } = placeOf(await personOf(tx, kit), kit)
  const laboratories = await lockConnections(system)
  const routedToday = await selectRouted(system, dayOf(tx.now))
  const wanted = { kitType: kit.kitType, country, state, routedToday }
  const routed = route(laboratories, wanted, row.laboratoryId ?? undefined)
  if ('problem' in routed) return { ...routed, missing: undefined }
  return withContent(tx, kit, row, routed)
}

/** The test of an order that the laboratory has. */
async function standingTest(tx: Tx, kit: KitRow, row: LabOrderRow) {
  const laboratory = (await selectConnections(tx)).find(({ id }) => id === row.laboratoryId)
  const test = laboratory?.tests.find(({ kitType }) => kitType === kit.kitType)
  if (!laboratory || !test) return { problem: 'laboratoryGone' as const, missing: undefined }
  return withContent(tx, kit, row, { laboratory, test })
}

async function withContent(
  tx: Tx,
  kit: KitRow,
  row: LabOrderRow,
  { laboratory, test }: { laboratory: Connection; test: OrderContent['test'] },
) {
  const { content, missing } = await contentOf(tx, kit, row, test)
  if (row.pending === 'cancel') return { laboratory, content }
  if (missing.length > 0) return { problem: 'answerMissing' as const, missing }
  const why = await whyNotFor(tx, kit)
  if (why) return { problem: 'notAllowedThere' as const, missing: [why] }
  return { laboratory, content }
}

function callOf(tx: Tx, laboratory: Connection, message: MessageRow & { body: string }): LaboratoryCall {
  const { transport, format, secret } = laboratory
  const isFhir = format === 'fhir'
  return {
    url: transport.kind === 'folder' ? `folder:${transport.folder}` : transport.url,
    name: `${message.controlId}.${isFhir ? 'json' : 'hl7'}`,
    headers: {
      'content-type': isFhir ? 'application/fhir+json' : 'application/hl7-v2',
      accept: isFhir ? 'application/fhir+json' : 'application/hl7-v2',
      ...(secret && { authorization: tx.context.open(secret, secretPlaceOf(laboratory.id)) }),
    },
    body: message.body,
    isAnswer: (text) => acknowledgedIn(text, message.action)?.controlId === message.controlId,
  }
}

function readAnswer({ laboratory, message }: Sending, { status, body, isUnclear }: LaboratoryReply): Acknowledged {
  const { controlId, action } = message
  const { format, transport } = laboratory
  if (format === 'fhir') return { ...answerOfFhir(message, status, body), answer: body }
  const found = acknowledgedIn(body, action)
  // An acknowledgement of another message says nothing of this one.
  if (found && found.controlId === controlId && !isUnclear) return { ...found, answer: body }
  const isTaken = status >= 200 && status < 300 && body.trim() === ''
  const line =
    transport.kind === 'folder' ? 'FILE' : transport.kind === 'mllp' ? 'NO ACKNOWLEDGEMENT' : `HTTP ${status}`
  const code = found ? 'OTHER MESSAGE' : line
  return { controlId, outcome: isTaken ? 'received' : undefined, code, answer: body }
}
