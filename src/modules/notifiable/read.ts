import { rawText, valueText } from '@kitlane/display/report-text'
import { sentence } from '@kitlane/display/sentence'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { AppError } from '../../domain/errors.ts'
import { stored } from '../../domain/translations/stored-sentences.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { biomarkers } from '../catalogue/service.ts'
import { type MessageRow, selectKitsOfWaiting, selectMessages } from '../lab/messages/queries.ts'
import { CAME_BEFORE, SUPERSEDED } from '../lab/messages/queue.ts'
import { WITHDRAWN_IN_DOUBT } from './message.ts'
import {
  lockNotices,
  type NoticeFilter,
  type NoticeOfAll,
  type NoticeRow,
  selectNoticePage,
  selectOfSandbox,
  selectSettings,
} from './queries.ts'
import { foundIn, type NoticeEntry, ruleOf, unreadIn } from './results.ts'
import { deadlineOf, decidedBefore, mayBeSent, vitalIn } from './rules.ts'
import {
  type Authority,
  type Notice,
  type NotifiableRule,
  openStates,
  type Reason,
  sentences,
  states,
} from './schema.ts'

export const isDecided = ({ state, reason }: NoticeRow): boolean => state === 'notTold' && reason === 'decided'
/** No rule asks for it any more. */
export const isEnded = ({ state, reason, entry }: NoticeRow): boolean =>
  state === 'notTold' && reason === 'elsewhere' && entry !== null
export const isOpen = ({ state }: Pick<NoticeRow, 'state'>): boolean => openStates.some((one) => one === state)

/** What a person may decide about one. */
export const mayDecide = (row: NoticeRow, authorities: readonly Authority[]) => {
  const { state, reason, said, entry, isOpen, problems, now, authorityId } = row
  const isWaiting = state === 'waiting'
  return {
    /** Also once the laboratory changed what a person decided about. */
    undoNotToTell:
      isDecided(row) ||
      isEnded(row) ||
      (isWaiting && said === null && (reason === 'changedSince' || reason === 'finalSince')),
    /** Also once something else holds. What is left of an erased person says nothing that could be told again. */
    undoToldByHand:
      entry !== null &&
      (state === 'byHand' ||
        (said?.state === 'byHand' && said.before !== undefined && !isOpen && (isWaiting || state === 'refused'))),
    complete:
      isWaiting &&
      !isOpen &&
      entry?.unassessed === undefined &&
      problems.some((one) => /^(SPM-4|SPM-17|SPM-18|OBR-7|OBX-14):/.test(one)),
    send:
      !isOpen &&
      authorities.some(
        ({ id, isActive, transport }) => id === authorityId && isActive && transport.kind !== 'byHand',
      ) &&
      vitalIn(problems).length === 0 &&
      now.key !== WITHDRAWN_IN_DOUBT &&
      (state === 'refused' || (isWaiting && reason !== null && mayBeSent.includes(reason))),
  }
}

const sentenceOf = (reason: Reason, { why, isBeside }: Partial<NoticeEntry> = {}) =>
  reason !== 'unreadable' || !why
    ? sentences[reason]
    : isBeside
      ? sentence('{why}. The report has another answer of this test: read both before you tell the authority.', {
          why: stored(why),
        })
      : sentence('{why}. Tell the authority by hand if it has to know.', { why: stored(why) })

/** Those of these that may be wrong, since a message of their kit waits that may say something else. */
export async function withMessages(tx: SystemTx, rows: readonly NoticeRow[]): Promise<Set<NoticeRow>> {
  const all = rows.filter(({ state, reason }) => isOpen({ state }) && state !== 'due' && reason !== 'afterErasure')
  const kitIds = all.flatMap(({ kitId }) => kitId ?? [])
  const waiting = await selectKitsOfWaiting(tx, kitIds, PASSED)
  return new Set(all.filter(({ kitId }) => kitId !== null && waiting.includes(kitId)))
}

/** Messages that wait, and what they say has gone its way already. */
const PASSED: readonly string[] = [CAME_BEFORE, SUPERSEDED]

interface Among {
  now: Date
  authorities: readonly Authority[]
  doubted: ReadonlySet<NoticeRow>
}

function shown(row: NoticeOfAll, { now, authorities, doubted }: Among): Notice {
  const { id, business, kitId, entry, state, toldAt, note, deadlineAt } = row
  const reason = doubted.has(row) ? 'messageWaits' : row.reason
  const name = authorities.find((one) => one.id === row.authorityId)?.name
  const may = mayDecide(row, authorities)
  return {
    ...(row.reportId !== null && { reportID: row.reportId }),
    ...{ id, business, customerID: row.customerId, condition: row.condition, state },
    ...(kitId !== null && { kitID: kitId }),
    ...(row.person && { person: `${row.person.firstName} ${row.person.lastName}`.trim() }),
    ...(row.messages > 0 && { controlID: `${id}.${row.messages}` }),
    ...(entry && { result: `${entry.label}: ${(entry.finding ? '' : rawText(entry)) || valueText(entry)}` }),
    ...(name !== undefined && { authority: { id: row.authorityId, name } }),
    ...(reason && { reason, sentence: sentenceOf(reason, entry ?? {}) }),
    ...{ isCorrection: row.said !== null && row.said.key !== row.now.key, isOverdue: isOpen(row) && deadlineAt < now },
    ...{ mayUndo: may.undoNotToTell || may.undoToldByHand, mayComplete: !doubted.has(row) && may.complete },
    ...{
      maySend: !doubted.has(row) && may.send,
      foundDate: row.foundAt,
      deadlineDate: deadlineAt.toISOString(),
      tries: row.tries,
    },
    ...{ problems: row.problems, ...(toldAt && { toldDate: toldAt }), ...(note && { note }) },
  }
}

// Each is opened to see what is in it, which takes about 0.1 ms.
const MAX_MESSAGES = 1000
const MAX_COUNTED = 5000

export async function listOfAll(tx: SystemTx, filter: NoticeFilter) {
  const { rows, total } = await selectNoticePage(tx, filter)
  const { authorities } = await selectSettings(tx)
  const among = { now: tx.now, authorities, doubted: await withMessages(tx, rows) }
  const waiting = await selectMessages(tx, ['waiting'], 0, MAX_MESSAGES)
  const dues = [...(await duesOfMessages(tx, waiting)).values()]
  const [receivedDate, deadlineDate] = (['receivedDate', 'deadlineDate'] as const).map(
    (of) => dues.map((one) => one[of]).sort()[0],
  )
  return {
    data: rows.map((row) => shown(row, among)),
    ...(receivedDate && deadlineDate && { waitingMessages: { count: dues.length, receivedDate, deadlineDate } }),
    pagination: pagination(filter.page, filter.size, total),
  }
}

/** How many of those that wait rules asked for, and ask for no more. */
export async function countEnded(tx: SystemTx, before: readonly NotifiableRule[], after: readonly NotifiableRule[]) {
  const { rows } = await selectNoticePage(tx, { states: ['waiting'], page: 0, size: MAX_COUNTED })
  const known = new Map((rows.length > 0 ? await biomarkers(tx) : []).map((one) => [one.id, one]))
  const isAsked = (rules: readonly NotifiableRule[], { entry, kept, kitId }: NoticeRow) => {
    const of = { place: kept?.facts.place ?? {}, isOfKit: kitId !== null, find: (id: string) => known.get(id) }
    const found = foundIn(
      rules.filter(({ isActive }) => isActive),
      entry ? [entry] : [],
      of,
    )
    return found.some(({ is }) => is === 'notifiable' || is === 'doubtful')
  }
  const mayEnd = ({ said, isOpen, reason, insisted }: NoticeRow) =>
    said === null && !isOpen && !insisted && !(reason && decidedBefore.includes(reason))
  return rows.filter((row) => mayEnd(row) && isAsked(before, row) && !isAsked(after, row)).length
}

/** @throws NOTICE_NOT_FOUND */
export async function find(tx: SystemTx, id: string): Promise<Notice> {
  const {
    rows: [row],
  } = await selectNoticePage(tx, { id, page: 0, size: 1 })
  if (!row) throw notFound()
  const { authorities } = await selectSettings(tx)
  return {
    ...shown(row, { now: tx.now, authorities, doubted: await withMessages(tx, [row]) }),
    ...(row.text !== null && { message: row.text }),
  }
}

export const notFound = () => new AppError('NOTICE_NOT_FOUND', 'There is no such notice')

/**
 * Which waiting messages have results that a health authority may have to be told, or that may correct what it knows of their kit, and
 * by when: the time runs since they came.
 */
export async function duesOfMessages(
  tx: SystemTx,
  all: readonly Pick<MessageRow, 'id' | 'accession' | 'parsed' | 'reason' | 'receivedAt'>[],
) {
  const ofSandbox = await selectOfSandbox(tx, all)
  const messages = all.filter(({ id, reason }) => !PASSED.includes(reason) && !ofSandbox.includes(id))
  const rules = (await selectSettings(tx)).rules.filter(({ isActive }) => isActive)
  const kitIds = messages.flatMap(({ parsed }) => parsed.kitId ?? [])
  const filter = { kitIds, states: states.filter((one) => one !== 'notTold'), page: 0, size: MAX_COUNTED }
  const { rows } = kitIds.length === 0 ? { rows: [] } : await selectNoticePage(tx, filter)
  const known = new Map<string, Biomarker>()
  for (const one of rules.length + rows.length === 0 ? [] : await biomarkers(tx)) known.set(one.id, one)
  const dues = messages.flatMap(({ id, parsed: { observations = [], kitId }, receivedAt }) => {
    const items = observations.map(({ name, valueText: value, loinc = null, flag = '', status }) => {
      const code = status === 'not-done' ? 'notDone' : status
      const read = { name, value, loinc, flag, code, unit: '', range: '', position: '', reason: '', key: '' }
      return { ...read, suggestions: [], note: null, sent: null, assigned: null }
    })
    const meant = (by: Parameters<typeof unreadIn>[0], of: typeof items) =>
      of.flatMap((item) => unreadIn(by, item, (one) => known.get(one))).flatMap(({ mayBe = [] }) => mayBe)
    const mayBe = meant(rules, items)
    // Whatever the answer of a test is of which the authority knows another one, or is to know it.
    const ofKit = rows.filter((row) => row.kitId === kitId).flatMap((row) => ruleOf(row, rules))
    const unanswered = items.map((item) => ({ ...item, value: '' }))
    const named = [
      ...rules.filter((rule) => rule.biomarkers.some((one) => mayBe.includes(one))),
      ...ofKit.filter((rule) => meant([rule], unanswered).length > 0),
    ]
    if (named.length === 0) return []
    const deadlines = named.map(({ withinHours, activeSince }) => deadlineOf(receivedAt, withinHours ?? 0, activeSince))
    const conditions = [...new Set(named.map(({ condition }) => condition))]
    const deadlineDate = deadlines.map((one) => one.toISOString()).sort()[0] ?? ''
    return [[id, { conditions, receivedDate: receivedAt.toISOString(), deadlineDate }] as const]
  })
  return new Map(dues)
}

/** What authorities were told of a person, as an account of disclosures names it. */
export async function disclosuresOf(tx: Tx, customerId: number) {
  const { authorities } = await selectSettings(tx)
  return (await lockNotices(tx, { customerId })).flatMap(({ id, condition, authorityId, toldAt, said, messages }) =>
    said === null || toldAt === null
      ? []
      : [
          {
            ...{
              condition,
              toldDate: toldAt,
              authority: authorities.find((one) => one.id === authorityId)?.name ?? authorityId,
            },
            ...(messages > 0 && { controlID: `${id}.${messages}` }),
          },
        ],
  )
}
