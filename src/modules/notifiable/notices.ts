import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { biomarkers } from '../catalogue/service.ts'
import * as customers from '../customers/service.ts'
import { lockKit } from '../kits/move.ts'
import { type ChangedReport, lockReport, type StandingReport, selectReportOfKit } from '../reports/queries.ts'
import { selectNotAssigned } from '../reports/unassessed/queries.ts'
import { type Facts, factsOf, messageOf, type Report, type Settings, sourceOf } from './message.ts'
import {
  isInUse,
  lockNotices,
  type NoticeRow,
  saveNotice,
  selectKitsWithNotices,
  selectSettings,
  stripped,
} from './queries.ts'
import {
  authoritiesOf,
  type Found,
  foundIn,
  isOfPlace,
  type NoticeEntry,
  type Now,
  next,
  undoubted,
  unreadIn,
} from './rules.ts'
import type { NotifiableRule } from './schema.ts'

export const SEND_JOB = 'notifiable.send'
const HOUR_MS = 3_600_000

/** What a new version of a live report means for what authorities were told, or still have to be. */
export async function afterReport(tx: Tx, { isDoubted, ...report }: ChangedReport): Promise<void> {
  if (tx.realm.mode === 'live') await evaluate(tx, report, isDoubted)
}

/** The same for a report as it stands, or a kit that has none yet, after something else changed. */
export async function evaluateAgain(
  tx: Tx,
  { kitId, reportId }: Pick<NoticeRow, 'kitId' | 'reportId'>,
  isDoubted: boolean | 'asBefore' = 'asBefore',
): Promise<void> {
  if (tx.realm.mode !== 'live') return
  // Locked, since a first report may be on its way.
  const kit = kitId === null || reportId !== null ? undefined : await lockKit(tx, kitId)
  const id = reportId ?? (kit && (await selectReportOfKit(tx, kit.id))?.id)
  const report = id === undefined ? kit && bareOf(kit.id, kit.customerId) : await lockReport(tx, id)
  if (report) await evaluate(tx, report, isDoubted)
}

/** The same once a person has read and publishes a report of which it was doubtful whose it is. */
export async function evaluateRead(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'live' || (await selectKitsWithNotices(tx, [kitId])).length === 0) return
  const report = await selectReportOfKit(tx, kitId)
  if (report?.isDoubted) await evaluate(tx, report, 'read')
}

/** A kit that has no report yet. */
const bareOf = (kitId: string | null, customerId: number | null): Report | undefined =>
  customerId === null
    ? undefined
    : { id: null, kitId, customerId, collectedDate: null, resultedDate: null, entries: [] }

/** What was received of tests that rules name and could not be judged, unless it is clearly negative. */
async function unreadOf(tx: Tx, { kitId, id: reportId, customerId }: Report, rules: readonly NotifiableRule[]) {
  const items = rules.length === 0 ? [] : await selectNotAssigned(tx, { kitId, reportId, customerId })
  if (items.length === 0) return []
  const known = new Map((await biomarkers(tx)).map((one) => [one.id, one]))
  return items.flatMap((item) => unreadIn(rules, item, (id) => known.get(id)))
}

async function evaluate(tx: Tx, report: Report, doubt: boolean | 'asBefore' | 'read'): Promise<void> {
  if (!(await isInUse(tx))) return
  const settings = await selectSettings(tx)
  const rules = settings.rules.filter(({ isActive }) => isActive)
  const entries = [...report.entries, ...(await unreadOf(tx, report, rules))]
  const ofKit = await lockNotices(tx, { reportId: report.id, kitId: report.kitId })
  // A kit may have begun again for another person.
  const before = ofKit.filter((one) => one.reportId === report.id || one.customerId === report.customerId)
  const isNamed = entries.some(({ id }) => rules.some(({ biomarkers }) => biomarkers.includes(id)))
  if (before.length === 0 && !isNamed) return
  const facts = await factsOf(tx, report)
  const version = report.id === null || doubt === 'read' ? undefined : await lockReport(tx, report.id)
  const isOfOther = version?.status === 'inReview' && version.isDoubted === true
  const wasDoubted = doubt === 'asBefore' && before.some(({ reason }) => reason === 'sampleDoubted')
  const isSame = (a: NoticeEntry | null, b: NoticeEntry) => a?.id === b.id && a.unassessed === b.unassessed
  const isDoubted = doubt === true || isOfOther || wasDoubted
  const foundAt = (place: typeof facts.place, entry: NoticeEntry) =>
    foundIn(rules, [entry], { place, isDoubted, isOfKit: report.kitId !== null })
  const found = entries.flatMap((entry) => foundAt(facts.place, entry))
  const around = { report, facts, settings, isNewDoubt: doubt === true }
  const wanted = authoritiesOf(settings.authorities, facts.place)
  const seen = new Set<string>()
  // What could not be judged has been judged, or came again; or what was judged came again and could not.
  const becomes = ({ entry }: NoticeRow, one: NoticeEntry) =>
    entry?.id === one.id && !entries.some((other) => isSame(entry, other))
  // What is told, or about to be, stays with the authority of the place where the person lived then: undefined if they live there.
  const movedFrom = ({ authorityId, said, state }: NoticeRow) => {
    const { isActive, ...served } = settings.authorities.find(({ id }) => id === authorityId) ?? { isActive: false }
    const isToStay = isActive && 'states' in served && (said !== null || state === 'due')
    if (!isToStay || isOfPlace(served, facts.place)) return undefined
    return { country: served.country, state: served.states[0] ?? facts.place.state }
  }
  for (const one of found) {
    const isOf = (row: NoticeRow) => isSame(row.entry, one.entry) || becomes(row, one.entry)
    if (before.some((row) => isOf(row) && movedFrom(row))) continue
    for (const authorityId of wanted) {
      const free = before.filter(({ id }) => !seen.has(id))
      const same = [...free.filter((of) => isSame(of.entry, one.entry)), ...free.filter((of) => becomes(of, one.entry))]
      const row = same.find((of) => of.authorityId === authorityId) ?? same.find((of) => of.authorityId === '')
      if (row) seen.add(row.id)
      await move(tx, around, row, { ...one, authorityId })
    }
  }
  for (const row of before.filter(({ id }) => !seen.has(id))) {
    const then = movedFrom(row)
    const entry = entries.find((one) => isSame(row.entry, one)) ?? (then && entries.find((one) => becomes(row, one)))
    const other = then && entry ? foundAt(then, entry)[0] : found.find((one) => one.entry === entry)
    const last = row.said?.entry ?? row.entry
    // An authority that was told hears of a correction wherever the person lives now.
    const known: Now =
      entry || last?.unassessed !== undefined ? { is: 'elsewhere', key: row.now.key } : { is: 'gone', key: 'withdrawn' }
    const { is, key, reason } = other && (row.said || then) ? other : known
    const now: Now = { is, key, ...(reason && { reason }) }
    const { condition, withinHours, authorityId } = row
    await move(tx, around, row, { condition, withinHours, authorityId, entry: entry ?? last, ...now })
  }
}

interface Around {
  report: Report
  facts: Facts
  settings: Settings
  /** What was told is in doubt from now on. */
  isNewDoubt?: boolean
}

async function move(
  tx: Tx,
  around: Around,
  before: NoticeRow | undefined,
  {
    entry,
    condition,
    withinHours,
    authorityId,
    ...said
  }: Omit<Found, 'entry'> & Pick<NoticeRow, 'entry' | 'authorityId'>,
): Promise<void> {
  const sure = undoubted(said)
  const isSure = !around.isNewDoubt && before?.now.key === sure.key && (before.said !== null || before.state === 'due')
  // What is told, or about to be, is in no doubt because of what came later, nor where a person has decided.
  const now: Now = said.reason === 'sampleDoubted' && isSure ? { is: 'notifiable', key: sure.key } : said
  // What went as training is told once it counts, and not as training again.
  const isTrained =
    before?.reason === 'training' && before.now.key === now.key && ['notifiable', 'not', 'gone'].includes(now.is)
  const isLive = around.settings.authorities.some(({ id, processing }) => id === authorityId && processing === 'P')
  const trained = isLive ? { state: 'due' as const, reason: null } : before
  const standing = isTrained ? trained : next(before && { ...before, key: before.now.key }, now)
  if (!standing) return
  const { id: reportId, kitId, customerId } = around.report
  const known = before ?? {
    ...{ id: newOpaqueId('ntc'), reportId, kitId, customerId, isOpen: false, dueAt: null, said: null, prior: null },
    ...{ text: null, problems: [], note: null, foundAt: tx.now.toISOString(), toldAt: null, messages: 0, tries: 0 },
  }
  const isSame = before !== undefined && (now.is === 'elsewhere' || before.now.key === now.key)
  const about = isSame && now.is === 'elsewhere' ? { entry: before.entry, now: before.now } : { entry, now }
  const deadlineAt = isSame ? before.deadlineAt : new Date(tx.now.getTime() + withinHours * HOUR_MS)
  const { state, reason } = standing
  const row: NoticeRow = { ...known, ...about, condition, withinHours, authorityId, deadlineAt, state, reason }
  await saveNotice(tx, await made(tx, around, { ...row, reportId }))
}

/** The notice with its message, if one is to be sent: it waits where that breaks a rule of the guide, or nobody can be sent it. */
async function made(tx: Tx, { report, facts, settings }: Around, row: NoticeRow): Promise<NoticeRow> {
  // What waits for its answer is sent again as it is.
  if (row.isOpen) return row
  // There is no result to put into a message.
  if (row.entry?.unassessed !== undefined) return { ...row, text: null, problems: [], dueAt: null }
  const isToMake = row.state === 'due' || ['incomplete', 'onlyByHand', 'noAuthority'].includes(row.reason ?? '')
  const authority = settings.authorities.find(({ id }) => id === row.authorityId)
  const isClosed = !['due', 'waiting', 'refused'].includes(row.state)
  if (!authority || !row.entry || isClosed) {
    const isUnknown = isToMake && !isClosed
    const text = isClosed ? null : row.text
    return {
      ...row,
      text,
      dueAt: null,
      ...(isUnknown && { state: 'waiting' as const, reason: 'noAuthority' as const }),
    }
  }
  const status = row.now.is === 'gone' ? 'W' : row.said ? 'C' : row.entry.preliminary ? 'P' : 'F'
  const kept = status === 'W' ? row.said?.source : undefined
  const source = kept ?? sourceOf(report, facts, row.entry)
  const about = {
    id: `${row.id}.${row.messages + 1}`,
    source,
    entry: row.entry,
    authority,
    sender: settings.sender,
    status,
  } as const
  const message = { ...messageOf(tx, report, facts, about), source }
  const wait =
    message.problems.length > 0
      ? 'incomplete'
      : authority.transport.kind === 'byHand' || !authority.isActive
        ? 'onlyByHand'
        : null
  if (!isToMake) return { ...row, ...message, dueAt: null }
  if (wait) return { ...row, ...message, state: 'waiting', reason: wait, dueAt: null }
  await tx.enqueue(SEND_JOB, {})
  return { ...row, ...message, state: 'due', reason: null, dueAt: tx.now, tries: 0 }
}

/** Makes the message of a locked notice again, of what its report says now. */
export async function remade(tx: Tx, report: StandingReport | undefined, row: NoticeRow): Promise<NoticeRow> {
  const of =
    report ??
    (row.reportId === null && (await customers.maybeFind(tx, row.customerId))
      ? bareOf(row.kitId, row.customerId)
      : undefined)
  if (of) return made(tx, { report: of, facts: await factsOf(tx, of), settings: await selectSettings(tx) }, row)
  // Its person was erased: what is left is sent as it is, and emptied once it is told.
  return row.state === 'due' ? { ...row, dueAt: tx.now } : stripped(row)
}
