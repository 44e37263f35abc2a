import { stateOf } from '@kitlane/display/postal-address'
import { regions } from '@kitlane/display/regions'
import { valueText } from '@kitlane/display/report-text'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { checkExchangeUrl } from '../../platform/egress/exchange.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { selectUnknownBiomarkers } from '../catalogue/queries.ts'
import type { ChangedKit, KitFact } from '../kits/changed-kit.ts'
import { problemOfFolder } from '../lab-orders/call.ts'
import { lockReport } from '../reports/queries.ts'
import { evaluateAgain, evaluateRead, remade, SEND_JOB } from './notices.ts'
import {
  lockNotices,
  type NoticeFilter,
  type NoticeOfAll,
  type NoticeRow,
  saveNotice,
  saveSetting,
  selectKitsWithNotices,
  selectNoticePage,
  selectPlaces,
  selectSettings,
  stripped,
} from './queries.ts'
import { mayBeSent, undoubted } from './rules.ts'
import {
  type Authority,
  type AuthorityInput,
  type Notice,
  type NoticeDecision,
  type NotifiableRule,
  openStates,
  type RuleInput,
  type Sender,
  sentences,
} from './schema.ts'

/** States by their codes, as addresses have them. @throws VALIDATION_FAILED for one that there is not */
function statesIn<T extends { country: string; states: string[] }>(input: T): T {
  const { country, states } = input
  const known = !regions[country]
    ? states
    : states.map((one) => stateOf(one, country) ?? noState(one, country, 'states'))
  return { ...input, states: [...new Set(known)] }
}

const noState = (state: string, country: string, path: string) =>
  refuse([{ message: `${country} has no state ${state}: send its code or its name`, path }])

/** Saves a rule as it is here: who signs it has reviewed all of it. @throws VALIDATION_FAILED */
export async function saveRule(
  tx: SystemTx,
  { id = newOpaqueId('nrl'), ...input }: RuleInput,
): Promise<NotifiableRule> {
  const [unknown] = await selectUnknownBiomarkers(tx, input.biomarkers)
  if (unknown) refuse([{ message: `There is no biomarker ${unknown}`, path: 'biomarkers' }])
  if (input.isActive && !input.signedBy)
    refuse([{ message: 'Say who reviewed the rule and signs it', path: 'signedBy' }])
  if (input.isActive && input.withinHours === null)
    refuse([{ message: 'Say within how many hours it is told', path: 'withinHours' }])
  const rule = { ...statesIn(input), id, changedDate: tx.now.toISOString() }
  await saved(tx, 'rule', id, rule)
  return rule
}

/** @throws VALIDATION_FAILED where it cannot be reached so */
export async function saveAuthority(
  tx: SystemTx,
  { id = newOpaqueId('aut'), ...input }: AuthorityInput,
): Promise<Authority> {
  const { transport } = input
  const { hosts = [], folder } = tx.context.settings.labOrders
  const problem =
    transport.kind === 'mllp'
      ? checkExchangeUrl(transport.url, hosts)
      : transport.kind === 'folder' && folder !== undefined
        ? await problemOfFolder(folder, transport.folder)
        : transport.kind === 'folder' && 'LAB_ORDERS_FOLDER is not set'
  if (problem) refuse([{ message: problem, path: 'transport' }])
  const authority = { ...statesIn(input), id }
  await saved(tx, 'authority', id, authority)
  return authority
}

/** @throws VALIDATION_FAILED */
export async function saveSender(tx: SystemTx, { ordering, ...input }: Sender): Promise<Sender> {
  const state = stateOf(ordering.state, 'US') ?? noState(ordering.state, 'US', 'ordering.state')
  const sender = { ...input, ordering: { ...ordering, state } }
  await saved(tx, 'sender', 'sender', sender)
  return sender
}

async function saved(
  tx: SystemTx,
  ...[kind, id, one]: Parameters<typeof saveSetting> extends [unknown, ...infer R] ? R : never
) {
  await saveSetting(tx, kind, id, one)
  // What waited may be sent now.
  await tx.enqueue(SEND_JOB, { isAll: true })
  const details = 'signedBy' in one ? { isActive: one.isActive, signedBy: one.signedBy ?? '' } : {}
  await audit.recordSystem(tx, [
    { action: `notifiable_${kind}.saved`, objectType: `notifiable_${kind}`, objectId: id, details },
  ])
}

/** What became known of a person or a sample may complete a message, or change who is told. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  if (fact === 'consent' || fact === 'recall') return
  for (const kitId of await selectKitsWithNotices(tx, kitIds)) await evaluateAgain(tx, { kitId, reportId: null })
}

/** Results of a sample that is rejected after them may be wrong: what is told of them, a person decides. Who publishes a report has read it. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  for (const { before, after, steps } of changed) {
    if (steps.some(({ event }) => event === 'sampleRejected'))
      await evaluateAgain(tx, { kitId: after.id, reportId: null }, true)
    if (before.status !== 'published' && after.status === 'published') await evaluateRead(tx, after.id)
  }
}

/** Looks again at all that is not told yet. */
export async function evaluateOpen(tx: SystemTx): Promise<void> {
  for (const { realm, ...of } of await selectPlaces(tx, 'open')) await evaluateAgain(within(tx, realm), of)
}

const DAY_MS = 86_400_000
const isOpen = ({ state }: NoticeRow): boolean => openStates.some((one) => one === state)

const maySend = (row: NoticeRow): boolean =>
  !row.isOpen &&
  (row.state === 'refused' || (row.state === 'waiting' && row.reason !== null && mayBeSent.includes(row.reason)))

function shown(row: NoticeOfAll, now: Date, authorities: readonly Authority[]): Notice {
  const { id, business, kitId, entry, state, reason, toldAt, note, deadlineAt } = row
  const name = authorities.find((one) => one.id === row.authorityId)?.name
  return {
    ...(row.reportId !== null && { reportID: row.reportId }),
    ...{ id, business, customerID: row.customerId, condition: row.condition, state },
    ...(kitId !== null && { kitID: kitId }),
    ...(entry && { result: `${entry.label}: ${valueText(entry)}` }),
    ...(name !== undefined && { authority: { id: row.authorityId, name } }),
    ...(reason && { reason, sentence: sentences[reason] }),
    ...{ isCorrection: row.said !== null && row.said.key !== row.now.key, isOverdue: isOpen(row) && deadlineAt < now },
    ...{ maySend: maySend(row), foundDate: row.foundAt, deadlineDate: deadlineAt.toISOString(), tries: row.tries },
    ...{ problems: row.problems, ...(toldAt && { toldDate: toldAt }), ...(note && { note }) },
  }
}

export async function listOfAll(tx: SystemTx, filter: NoticeFilter) {
  const { rows, total } = await selectNoticePage(tx, filter)
  const { authorities } = await selectSettings(tx)
  return {
    data: rows.map((row) => shown(row, tx.now, authorities)),
    pagination: pagination(filter.page, filter.size, total),
  }
}

/** @throws NOTICE_NOT_FOUND */
export async function find(tx: SystemTx, id: string): Promise<Notice> {
  const {
    rows: [row],
  } = await selectNoticePage(tx, { id, page: 0, size: 1 })
  if (!row) throw notFound()
  return {
    ...shown(row, tx.now, (await selectSettings(tx)).authorities),
    ...(row.text !== null && { message: row.text }),
  }
}

const notFound = () => new AppError('NOTICE_NOT_FOUND', 'There is no such notice')

/** What a person decides about one. @throws NOTICE_NOT_FOUND; ILLEGAL_TRANSITION while a message waits for its answer, or it is told */
export async function decide(system: SystemTx, id: string, input: NoticeDecision): Promise<Notice> {
  const [place] = await selectPlaces(system, { id })
  if (!place) throw notFound()
  const tx = within(system, place.realm)
  const report = place.reportId === null ? undefined : await lockReport(tx, place.reportId)
  const [row] = await lockNotices(tx, { id })
  if (!row) throw notFound()
  const { decision } = input
  if (row.isOpen || !isOpen(row) || (decision === 'send' && !maySend(row)))
    throw new AppError('ILLEGAL_TRANSITION', 'It is told, being told, or lacks what only its cause can mend', {
      extra: { current: row.state, allowed: [] },
    })
  // A day may have begun where the person is.
  if (
    decision === 'toldByHand' &&
    new Date(input.date).getTime() > tx.now.getTime() + (input.date.length > 10 ? 0 : DAY_MS)
  )
    refuse([{ message: 'Send when it was told: this is in the future', path: 'date' }])
  const words: Record<string, string> =
    decision === 'send' ? {} : decision === 'toldByHand' ? { how: input.how } : { reason: input.reason }
  await audit.record(tx, [
    {
      action: `notice.${decision}`,
      objectType: 'notice',
      objectId: id,
      details: { authority: row.authorityId },
      words,
    },
  ])
  const note = Object.values(words)[0] ?? row.note
  const now = undoubted(row.now)
  const said = { key: now.key, state: 'byHand' as const, entry: row.entry, source: row.source ?? null }
  const moved: NoticeRow =
    decision === 'send'
      ? { ...row, now, state: 'due', reason: null, note }
      : decision === 'toldByHand'
        ? { ...row, now, state: 'byHand', reason: null, note, said, toldAt: new Date(input.date).toISOString() }
        : { ...row, state: 'notTold', reason: 'decided', note }
  await saveNotice(tx, await remade(tx, report, moved))
  return find(system, id)
}

/** What was told of a person, or is to be: what is told stays as a record of that, without the result; the rest until it is told. */
export async function eraseOf(tx: Tx, customerId: number): Promise<void> {
  for (const row of await lockNotices(tx, { customerId })) await saveNotice(tx, stripped(row))
}
