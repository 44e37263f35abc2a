import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { lockKit } from '../kits/move.ts'
import { fillAccession } from '../kits/queries.ts'
import { isHeld, isOpen, pauseMs, TRIES_BEFORE_ATTENTION, WITHDRAWN } from './decision.ts'
import type { Acknowledged } from './hl7.ts'
import {
  type LabOrderRow,
  lockNumber,
  type MessageRow,
  saveMessage,
  selectHolders,
  selectMessages,
  selectOfKit,
} from './queries.ts'
import { announce, settle, troubled } from './record.ts'

/**
 * Writes down what a laboratory answered: its last answer to a message counts, and the same again changes nothing, nor that it only
 * received what it has answered.
 */
export async function recordAnswer(system: SystemTx, realm: Realm, kitId: string, said: Acknowledged): Promise<void> {
  const { controlId, outcome, code, placerNumber, answer } = said
  const tx = within(system, realm)
  if (said.fillerNumber) await lockNumber(system, said.fillerNumber)
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
  const numbers = await numbersOf(system, kitId, message, said)
  const isNews =
    outcome === 'received' ? message.outcome === null : outcome !== message.outcome || message.code === WITHDRAWN
  // What a person has settled is open again where the laboratory says otherwise.
  const isTakenBack = isNews && (message.outcome === 'accepted' || message.outcome === 'refused')
  const news = isNews && {
    outcome,
    code,
    reason: outcome === 'refused' ? (said.reason ?? null) : null,
    answeredAt: tx.now,
    body: null,
    answer: kept(answer) ?? message.answer,
    isSettled: message.isSettled && !isTakenBack,
  }
  if (isNews || numbers !== undefined) await saveMessage(tx, kitId, { ...message, ...numbers, ...news })
  const changes = {
    ...(numbers && message.round === row.round && { fillerNumber: numbers.fillerNumbers.at(-1) ?? null }),
    ...(isNews && (open === undefined || open === message) && { tries: 0, dueAt: null, attention: null }),
    ...taken(row, messages, { message, said }),
  }
  if (isNews || Object.keys(changes).length > 0) await settle(tx, kit, row, changes)
  const { fillerNumbers = [] } = numbers ?? {}
  const changed = [...message.fillerNumbers.filter((one) => !fillerNumbers.includes(one)), ...fillerNumbers.slice(-1)]
  if (numbers) await reviewHolders(system, kitId, changed)
}

/** The other kits that have these numbers wait for a person, too, or do not any more. */
async function reviewHolders(system: SystemTx, kitId: string, numbers: readonly string[]): Promise<void> {
  const others = new Map((await selectHolders(system, numbers)).map((one) => [one.kitId, one.realm]))
  for (const [otherId, realm] of others) {
    if (otherId === kitId) continue
    const tx = within(system, realm)
    const kit = await lockKit(tx, otherId)
    const row = await selectOfKit(tx, otherId)
    let isNews = false
    for (const message of await selectMessages(tx, otherId)) {
      const number = message.fillerNumbers.at(-1) ?? ''
      const isNumberTaken = await isOfOther(system, otherId, number)
      if (!numbers.includes(number) || isNumberTaken === message.isNumberTaken) continue
      await saveMessage(tx, otherId, { ...message, isNumberTaken, isSettled: message.isSettled && !isNumberTaken })
      isNews = true
    }
    if (row && isNews) await settle(tx, kit, row)
  }
}

const isOfOther = async (system: SystemTx, kitId: string, number: string): Promise<boolean> =>
  (await selectHolders(system, [number])).some((one) => one.kitId !== kitId)

/** What a person says of a number counts where no other one stands: it is the number of the order. */
function taken(
  row: LabOrderRow,
  messages: readonly MessageRow[],
  { message, said }: { message: MessageRow; said: Acknowledged },
): Partial<LabOrderRow> {
  const { round, action, fillerNumbers } = message
  const isTaken = said.isByHand && said.outcome === 'accepted' && action === 'new' && round !== row.round
  if (!isTaken || !isOpen(row.state) || isHeld(messages, row.round) !== 'no') return {}
  return { round, fillerNumber: fillerNumbers.at(-1) ?? null, digest: null, pending: 'change' }
}

/** The numbers that a laboratory has for a message, with the one that it gives now; undefined where it is none, or the same. */
async function numbersOf(
  system: SystemTx,
  kitId: string,
  { fillerNumbers, isNumberTaken }: MessageRow,
  { outcome, fillerNumber, isByHand }: Acknowledged,
): Promise<Pick<MessageRow, 'fillerNumbers' | 'isNumberTaken'> | undefined> {
  if (!fillerNumber || outcome === 'refused') return undefined
  // Which of two kits has it, a person may have asked the laboratory.
  if (fillerNumbers.at(-1) === fillerNumber)
    return isByHand && isNumberTaken ? { fillerNumbers, isNumberTaken: false } : undefined
  const isTaken = await isOfOther(system, kitId, fillerNumber)
  if (!isTaken) await fillAccession(system, kitId, fillerNumber)
  // A number that was another kit's was a mistake: this one takes its place.
  const before = isNumberTaken ? fillerNumbers.slice(0, -1) : fillerNumbers
  return {
    fillerNumbers: [...before.filter((one) => one !== fillerNumber), fillerNumber],
    isNumberTaken: isTaken,
  }
}

const kept = (answer: string | undefined): string | null => answer?.slice(0, 20_000) ?? null

/** So many times a laboratory may answer something else before somebody must look. */
const UNCLEAR_TRIES = 3

async function sendLater(tx: Tx, row: LabOrderRow, message: MessageRow): Promise<void> {
  await saveMessage(tx, row.kitId, message)
  const { code } = message
  // A laboratory that does not take what we send does not do so by itself later.
  const isShut = /^HTTP 4(?!08|25|29)\d\d$/.test(code ?? '')
  const isUnclear = message.answer !== null && /^(NO|OTHER|HTTP 2)/.test(code ?? '') && row.tries >= UNCLEAR_TRIES
  // Nor does a folder appear that is not there.
  const isLong = row.tries >= TRIES_BEFORE_ATTENTION || code === 'CONNECT FOLDER'
  const problem = isShut || isUnclear ? 'answerUnclear' : isLong ? 'noAnswer' : undefined
  const dueAt = new Date(tx.now.getTime() + pauseMs(row.tries))
  await announce(tx, row, { ...row, dueAt, ...(problem && troubled(row, problem, code)) })
}
