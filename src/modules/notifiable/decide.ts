import { specimenCodes } from '@kitlane/display/specimen-codes'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { lockReport } from '../reports/queries.ts'
import type { OpenUnassessed } from '../reports/unassessed/queries.ts'
import type { AuthorityStatement, StatementEffect } from '../reports/unassessed/schema.ts'
import { remade } from './message.ts'
import { noticesOfUnassessed } from './notices.ts'
import { lockNotices, type NoticeRow, saveNotice, selectPlaces, selectSettings } from './queries.ts'
import { find, isDecided, isEnded, isOpen, mayDecide, notFound, withMessages } from './read.ts'
import { next, saidOf, undoubted } from './rules.ts'
import { type Authority, type Notice, type NoticeDecision, sentences } from './schema.ts'

const DAY_MS = 86_400_000

/** Why a person may not decide so. */
function problemOf(
  row: NoticeRow,
  decision: NoticeDecision['decision'],
  authorities: readonly Authority[],
): string | undefined {
  if (row.isOpen && row.reason !== 'authorityOff')
    return 'A message was sent and waits for its answer: decide once it has come'
  const may = mayDecide(row, authorities)
  if (decision === 'undoNotToTell')
    return may.undoNotToTell ? undefined : 'Nobody decided not to tell it: there is nothing to undo'
  if (decision === 'undoToldByHand')
    return may.undoToldByHand ? undefined : 'Nobody told it by hand, or its person was erased: there is nothing to undo'
  if (isDecided(row)) return 'A person decided not to tell it: undo that first'
  if (!isOpen(row) && !(decision === 'toldByHand' && isEnded(row)))
    return row.state === 'notTold' ? 'It is not to be told' : 'The authority knows it already'
  if (decision === 'complete' && !may.complete) return 'Its message lacks nothing of the sample'
  if (decision === 'send' && !may.send) return row.state === 'due' ? 'It is being sent' : notSendable(row)
  return undefined
}

const notSendable = ({ reason, problems }: NoticeRow): string =>
  ['It cannot be sent as it is', ...(problems.length > 0 ? problems : [reason ? sentences[reason] : ''])]
    .join('. ')
    .trim()

/** Why it cannot have been told then. A day may have begun where the person is, or not be over. */
function problemOfDate(date: string, { foundAt, source }: NoticeRow, now: Date): string | undefined {
  const at = new Date(date).getTime()
  if (at > now.getTime() + (date.length > 10 ? 0 : DAY_MS)) return 'this is in the future'
  const [known = foundAt] = [source?.resulted, foundAt].flatMap((one) => one ?? []).sort()
  return at < new Date(known.slice(0, 10)).getTime() - DAY_MS ? 'this is before the result was known' : undefined
}

/** What a decision changes. */
function decided(row: NoticeRow, input: NoticeDecision): Partial<NoticeRow> {
  const sure = undoubted(row.now)
  if (input.decision === 'send')
    return { now: sure, state: 'due', reason: null, insisted: { key: sure.key, isAsIs: true } }
  if (input.decision === 'notToTell') return { state: 'notTold', reason: 'decided', note: input.reason }
  if (input.decision === 'toldByHand') {
    const { how, date } = input
    const said = { ...saidOf(row, 'byHand'), how, before: { said: row.said, toldAt: row.toldAt, now: row.now } }
    return { now: sure, state: 'byHand', reason: null, said, note: how, toldAt: new Date(date).toISOString() }
  }
  if (input.decision === 'complete') {
    const { decision: _, specimen: is, ...times } = input
    const specimen = specimenCodes.find((one) => one.is === is)?.display
    return { completed: { ...row.completed, ...times, ...(specimen && { specimen }) } }
  }
  const then = { said: row.prior, toldAt: row.toldAt, ...row.said?.before }
  const { said, toldAt } = input.decision === 'undoToldByHand' ? then : row
  // Who told it by hand knew its doubt, which is there again unless something came since.
  const doubt = input.decision === 'undoToldByHand' && row.said?.key === row.now.key ? row.said.before?.now : undefined
  const now = doubt ?? row.now
  const back = { said, now, note: said?.how ?? null, toldAt: said && toldAt }
  // A message may have arrived: a person decides again.
  if (said?.key === now.key && said.state === 'sent')
    return { ...back, state: 'waiting', reason: 'authorityOff', isOpen: false }
  const after = next({ ...row, said, state: 'waiting', reason: null, key: '' }, now)
  const insisted = isEnded(row) ? { key: now.key, isAsIs: false } : row.insisted
  return { ...back, state: after?.state ?? row.state, reason: after?.reason ?? null, insisted }
}

/** What a person decides about one. @throws NOTICE_NOT_FOUND; ILLEGAL_TRANSITION while a message waits for its answer, or it is told */
export async function decide(system: SystemTx, id: string, input: NoticeDecision): Promise<Notice> {
  const [place] = await selectPlaces(system, { id })
  if (!place) throw notFound()
  const tx = within(system, place.realm)
  const report = place.reportId === null ? undefined : await lockReport(tx, place.reportId)
  const [row] = await lockNotices(tx, { id })
  if (!row) throw notFound()
  const { decision } = input
  const illegal = (problem: string) =>
    new AppError('ILLEGAL_TRANSITION', problem, { extra: { current: row.state, allowed: [] } })
  const mayGo = decision === 'send' || decision === 'complete'
  const isDoubted = mayGo && (await withMessages(system, [row])).size > 0
  const problem = isDoubted
    ? notSendable({ ...row, reason: 'messageWaits', problems: [] })
    : problemOf(row, decision, (await selectSettings(tx)).authorities)
  if (problem) throw illegal(problem)
  const wrong = decision === 'toldByHand' ? problemOfDate(input.date, row, tx.now) : undefined
  if (wrong) refuse([{ message: `Send when it was told: ${wrong}`, path: 'date' }])
  const words: Record<string, string> =
    decision === 'toldByHand' ? { how: input.how } : decision === 'notToTell' ? { reason: input.reason } : {}
  await audit.record(tx, [
    {
      action: `notice.${decision}`,
      objectType: 'notice',
      objectId: id,
      details: { authority: row.authorityId },
      words,
    },
  ])
  const after = await remade(tx, report, { ...row, isOpen: false, prior: null, ...decided(row, input) })
  if (decision === 'send' && after.state !== 'due') throw illegal(notSendable(after))
  await saveNotice(tx, after)
  return find(system, id)
}

/**
 * What a person says who puts a result aside that could not be judged holds for its row; what they told by hand who discard a message,
 * for the rows of its kit of which the authority knew something else. What it was never told is told by itself, or waits on.
 * Answers which rows are told now, and which of the kit or the result are not yet.
 */
export async function afterStatement(
  tx: Tx,
  of: OpenUnassessed | { kitId: string; conditions: readonly string[] },
  { decision, reason }: AuthorityStatement,
): Promise<StatementEffect> {
  const isMessage = 'conditions' in of
  const all = isMessage ? await lockNotices(tx, { kitId: of.kitId }) : (await noticesOfUnassessed(tx, of)).rows
  const isOf = (one: NoticeRow) =>
    !isMessage || (decision === 'toldByHand' && one.said !== null && of.conditions.includes(one.condition))
  const input = decision === 'toldByHand' ? { decision, how: reason, date: tx.now.toISOString() } : { decision, reason }
  const [settled = [], open = []] = [true, false].map((is) =>
    all.filter((one) => isOpen(one) && (isOf(one) && !one.isOpen) === is),
  )
  for (const row of settled)
    await saveNotice(tx, { ...row, ...decided(row, input), text: null, kept: null, dueAt: null })
  const [settledNotices, openNotices] = [settled, open].map((rows) =>
    rows.map(({ id, condition }) => ({ id, condition })),
  )
  return { settledNotices, openNotices }
}
