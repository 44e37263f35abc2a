import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { Biomarker } from '../catalogue/schema.ts'
import { biomarkers } from '../catalogue/service.ts'
import * as customers from '../customers/service.ts'
import { lockKit } from '../kits/move.ts'
import { type ChangedReport, lockReport, selectReportOfKit } from '../reports/queries.ts'
import { type OpenUnassessed, selectNotAssigned } from '../reports/unassessed/queries.ts'
import { type Around, bareOf, factsOf, made, WITHDRAWN_IN_DOUBT } from './message.ts'
import { isInUse, lockNotices, type NoticeRow, saveNotice, selectKitsWithNotices, selectSettings } from './queries.ts'
import {
  authoritiesOf,
  type Found,
  foundIn,
  isOfOtherSpecimen,
  isOfPlace,
  isOfSample,
  isPerhapsOfOther,
  isSameResult,
  mayBecome,
  type NoticeEntry,
  type Now,
  ruleOf,
  unreadIn,
} from './results.ts'
import { deadlineOf, next, type Report, undoubted } from './rules.ts'
import { type NotifiableRule, openStates, type Reason } from './schema.ts'

/** What a new version of a live report means for what authorities were told, or still have to be. */
export async function afterReport(tx: Tx, { isDoubted, receivedAt, ...report }: ChangedReport): Promise<void> {
  if (tx.realm.mode === 'live') await evaluate(tx, report, isDoubted && 'sampleDoubted', receivedAt)
}

type Doubt = Reason | false | 'asBefore' | 'read'

/** The same for a report as it stands, or a kit that has none yet, after something else changed. */
export async function evaluateAgain(
  tx: Tx,
  { kitId, reportId }: Pick<NoticeRow, 'kitId' | 'reportId'>,
  doubt: Doubt = 'asBefore',
): Promise<void> {
  if (tx.realm.mode !== 'live') return
  // Locked, since a first report may be on its way.
  const kit = kitId === null || reportId !== null ? undefined : await lockKit(tx, kitId)
  const id = reportId ?? (kit && (await selectReportOfKit(tx, kit.id))?.id)
  const isThere = kit?.customerId != null && (await customers.maybeFind(tx, kit.customerId)) !== undefined
  const report = id === undefined ? kit && isThere && bareOf(kit.id, kit.customerId) : await lockReport(tx, id)
  if (report) await evaluate(tx, report, doubt)
  else await evaluateErased(tx, { kitId, reportId })
}

/** What is not told yet of somebody who was erased: its authority or what its message lacks may have been entered since. */
async function evaluateErased(tx: Tx, of: Pick<NoticeRow, 'kitId' | 'reportId'>): Promise<void> {
  const settings = await selectSettings(tx)
  const rows = (await lockNotices(tx, of)).filter(({ state }) => openStates.includes(state))
  for (const row of rows) {
    const { kept, entry } = row
    if (!kept || !entry) continue
    const isFree = row.said === null && !settings.authorities.some((one) => one.id === row.authorityId && one.isActive)
    const others = rows.filter((other) => other !== row && isSameResult(other.entry, entry))
    const wanted = authoritiesOf(settings.authorities, kept.facts.place).filter(
      (id) => !others.some(({ authorityId }) => authorityId === id),
    )
    const [authorityId = row.authorityId, ...more] = isFree ? wanted : []
    await saveNotice(tx, await made(tx, { ...kept, settings }, { ...row, authorityId }))
    for (const also of more)
      await saveNotice(tx, await made(tx, { ...kept, settings }, { ...row, id: newOpaqueId('ntc'), authorityId: also }))
  }
}

/** The same once a person has read and publishes a report of which it was doubtful whose it is. */
export async function evaluateRead(tx: Tx, kitId: string): Promise<void> {
  if (tx.realm.mode !== 'live' || (await selectKitsWithNotices(tx, [kitId])).length === 0) return
  const report = await selectReportOfKit(tx, kitId)
  if (report?.isDoubted) await evaluate(tx, report, 'read')
}

/** What was received of tests that rules name and could not be judged, unless it is clearly negative. */
async function unreadOf(
  tx: Tx,
  { kitId, id: reportId, customerId, entries }: Report,
  { rules, find }: { rules: readonly NotifiableRule[]; find: (id: string) => Biomarker | undefined },
) {
  const items = rules.length === 0 ? [] : await selectNotAssigned(tx, { kitId, reportId, customerId })
  return items.flatMap((item) => unreadIn(rules, item, find, entries))
}

/** Whether an authority may want a result that could not be judged, and it is not settled yet. */
export async function isToBeTold(tx: Tx, item: OpenUnassessed): Promise<boolean> {
  const { isWanted, rows } = await noticesOfUnassessed(tx, item)
  return isWanted && (rows.length === 0 || rows.some(({ state }) => openStates.includes(state)))
}

/** Whether an authority may want a result that could not be judged, and what is kept of that. */
export async function noticesOfUnassessed(tx: Tx, { kitId, reportId, ...item }: OpenUnassessed) {
  const isOn = tx.realm.mode === 'live' && (await isInUse(tx))
  const rules = isOn ? (await selectSettings(tx)).rules.filter(({ isActive }) => isActive) : []
  const known = rules.length > 0 ? await biomarkers(tx) : []
  const [entry] = unreadIn(rules, item, (id) => known.find((one) => one.id === id))
  const keys = [item.key, entry?.unassessed]
  const isOfIt = ({ entry: of }: NoticeRow) => of?.unassessed !== undefined && keys.includes(of.unassessed)
  const rows = entry ? (await lockNotices(tx, { kitId, reportId })).filter(isOfIt) : []
  return { isWanted: entry !== undefined, rows }
}

async function evaluate(tx: Tx, report: Report, doubt: Doubt, receivedAt?: Date): Promise<void> {
  if (!(await isInUse(tx))) return
  const settings = await selectSettings(tx)
  const rules = settings.rules.filter(({ isActive }) => isActive)
  const known = new Map((await biomarkers(tx)).map((one) => [one.id, one]))
  const find = (id: string) => known.get(id)
  const ofKit = await lockNotices(tx, { reportId: report.id, kitId: report.kitId })
  // A kit may have begun again for another person.
  const before = ofKit.filter((one) => one.reportId === report.id || one.customerId === report.customerId)
  const watched = [...rules, ...before.flatMap((row) => (row.said ? ruleOf(row, settings.rules) : []))]
  const entries: NoticeEntry[] = [...report.entries, ...(await unreadOf(tx, report, { rules: watched, find }))]
  const isNamed = entries.some(({ id }) => rules.some(({ biomarkers }) => biomarkers.includes(id)))
  if (before.length === 0 && !isNamed) return
  const facts = await factsOf(tx, report)
  const version = report.id === null || doubt === 'read' ? undefined : await lockReport(tx, report.id)
  const isOfOther = version?.status === 'inReview' && version.isDoubted === true
  const wasDoubted = doubt === 'asBefore' ? before.find(({ reason }) => isOfSample(reason))?.reason : undefined
  const ofSample = doubt && doubt !== 'asBefore' && doubt !== 'read' ? doubt : undefined
  const reasonOfSample = ofSample ?? (isOfOther ? 'sampleDoubted' : (wasDoubted ?? undefined))
  const foundAt = (place: typeof facts.place, entry: NoticeEntry, by: readonly NotifiableRule[] = rules) =>
    foundIn(by, [entry], { place, doubt: reasonOfSample, isOfKit: report.kitId !== null, find })
  const found = entries.flatMap((entry) => foundAt(facts.place, entry))
  const around = { report, facts, settings, isNewDoubt: ofSample !== undefined, receivedAt }
  const wanted = authoritiesOf(settings.authorities, facts.place)
  const seen = new Set<string>()
  // What could not be judged has been judged, or came again; or what was judged came again and could not.
  const becomes = ({ entry }: NoticeRow, one: NoticeEntry) =>
    mayBecome(entry, one) && !entries.some((other) => isSameResult(entry, other))
  // A correction of a sample that nothing came of before, or of none where there are several, may be of any of them; so may what has its number.
  const isUnclear = (row: NoticeRow, one: NoticeEntry) =>
    isPerhapsOfOther(row.entry, one) || (one.sent?.status === 'corrected' && isOfOtherSpecimen(row.entry, one))
      ? (!row.isReplaced || isPerhapsOfOther(row.entry, one)) && !before.some((other) => isSameResult(other.entry, one))
      : before.some(
          (other) =>
            other !== row &&
            other.authorityId === row.authorityId &&
            isSameResult(row.entry, one) &&
            isSameResult(other.entry, one),
        )
  const isActive = (authorityId: string) => settings.authorities.some((one) => one.id === authorityId && one.isActive)
  // What is told, or about to be, stays with the authority of the place where the person lived then: undefined if they live there.
  const movedFrom = ({ authorityId, said, state }: NoticeRow) => {
    const { isActive, ...served } = settings.authorities.find(({ id }) => id === authorityId) ?? { isActive: false }
    const isToStay = isActive && 'states' in served && (said !== null || state === 'due')
    if (!isToStay || isOfPlace(served, facts.place)) return undefined
    return { country: served.country, state: served.states[0] ?? facts.place.state }
  }
  for (const one of found) {
    const isOf = (row: NoticeRow) => isSameResult(row.entry, one.entry) || becomes(row, one.entry)
    // What was told is corrected whatever rules say now, and with the authority that was told.
    if (one.is === 'elsewhere' && before.some((row) => (row.said ?? row.insisted) && isOf(row))) continue
    const isTold = before.some((row) => isOf(row) && (movedFrom(row) || (row.said && !isActive(row.authorityId))))
    const unclear = before.filter((row) => isUnclear(row, one.entry))
    for (const row of unclear) {
      seen.add(row.id)
      const doubtedBy = JSON.stringify([one.key, one.entry.sent])
      // A person has seen it, or it says what is known.
      const isSeen = row.doubtedBy === doubtedBy || (isSameResult(row.entry, one.entry) && row.now.key === one.key)
      const [entry, key] = row.said ? [one.entry, one.key] : [row.entry, undoubted(row.now).key]
      const doubt = { is: 'doubtful', reason: 'otherSpecimen', key: `${key}~` } as const
      if (isSeen) await saveNotice(tx, await made(tx, around, row))
      else await move(tx, around, { ...row, doubtedBy }, { ...one, ...doubt, entry, authorityId: row.authorityId })
    }
    if (unclear.length > 0) continue
    for (const authorityId of wanted) {
      const free = before.filter(({ id }) => !seen.has(id))
      const same = [
        ...free.filter((of) => isSameResult(of.entry, one.entry)),
        ...free.filter((of) => becomes(of, one.entry)),
      ]
      // What waits for one that is off, or for none, goes to the one that wants it now.
      const isFree = (of: NoticeRow) => of.authorityId === '' || (of.said === null && !isActive(of.authorityId))
      const row = same.find((of) => of.authorityId === authorityId) ?? (isTold ? undefined : same.find(isFree))
      if (row) seen.add(row.id)
      else if (isTold) continue
      const isRefusedByOther = row?.state === 'refused' && row.authorityId !== authorityId
      const from = isRefusedByOther ? { ...row, state: 'waiting' as const, reason: null, note: null } : row
      await move(tx, around, from, { ...one, authorityId })
    }
  }
  for (const row of before.filter(({ id }) => !seen.has(id))) {
    const then = movedFrom(row)
    const isReplaced = entries.some((one) => isOfOtherSpecimen(row.entry, one))
    const entry =
      entries.find((one) => isSameResult(row.entry, one)) ??
      ((then || row.said) && entries.find((one) => becomes(row, one)))
    const place = then ?? facts.place
    const ofRules = entry && foundAt(place, entry).find(({ is }) => is !== 'elsewhere')
    const other =
      ofRules ?? (row.said && entry && foundAt(place, entry, ruleOf(row, settings.rules, place.country)).at(0))
    // The report has one result of each test: what it has of another sample says nothing of this one.
    if (!entry && isReplaced) {
      await saveNotice(tx, await made(tx, around, { ...row, isReplaced }))
      continue
    }
    const last = row.said?.entry ?? row.entry
    // An authority that was told hears of a correction wherever the person lives now.
    const known: Now =
      entry || last?.unassessed !== undefined
        ? { is: 'elsewhere', key: row.now.key }
        : row.isReplaced
          ? { is: 'doubtful', reason: 'otherSpecimen', key: WITHDRAWN_IN_DOUBT }
          : { is: 'gone', key: 'withdrawn' }
    const { is, key, reason } = other && (row.said || then) ? other : known
    const now: Now = { is, key, ...(reason && { reason }) }
    const { condition, withinHours, authorityId, insisted } = row
    if (is === 'elsewhere' && openStates.includes(row.state) && insisted?.key === row.now.key) {
      await saveNotice(tx, await made(tx, around, row))
      continue
    }
    await move(tx, around, row, { condition, withinHours, authorityId, entry: entry ?? last, ...now })
  }
}

async function move(
  tx: Tx,
  around: Around,
  before: NoticeRow | undefined,
  {
    entry,
    condition,
    withinHours,
    activeSince,
    authorityId,
    ...asked
  }: Omit<Found, 'entry'> & Pick<NoticeRow, 'entry' | 'authorityId'>,
): Promise<void> {
  const isSameAnswer = before !== undefined && undoubted(before.now).key === undoubted(asked).key
  const wasInDoubt = isOfSample(before?.now.reason) || before?.now.reason === 'otherSpecimen'
  // What ended because no rule asked for it is in the same doubt of its sample once one asks again.
  const said =
    before?.reason === 'elsewhere' && asked.is === 'notifiable' && isSameAnswer && wasInDoubt ? before.now : asked
  const sure = undoubted(said)
  const isSure = !around.isNewDoubt && before?.now.key === sure.key && (before.said !== null || before.state === 'due')
  // What is told, or about to be, is in no doubt because of what came later, nor where a person has decided.
  const now: Now = isOfSample(said.reason) && isSure ? { is: 'notifiable', key: sure.key } : said
  // What went as training is told once it counts, and not as training again.
  const isTrained =
    before?.reason === 'training' && before.now.key === now.key && ['notifiable', 'not', 'gone'].includes(now.is)
  const isLive = around.settings.authorities.some(({ id, processing }) => id === authorityId && processing === 'P')
  const trained = isLive ? { state: 'due' as const, reason: null } : before
  // That the laboratory sent the same again as a correction may say more than what a person decided by.
  const isNews =
    before?.reason === 'decided' && entry?.sent?.status === 'corrected' && before.entry?.sent?.status !== 'corrected'
  const asKnown = before && { ...before, key: isNews ? '' : before.now.key }
  const isHeld = before?.reason === 'otherSpecimen' && before.now.key === `${now.key}~`
  if (isHeld) return
  const standing = isTrained ? trained : next(asKnown, now)
  if (!standing) return
  const { id: reportId, kitId, customerId } = around.report
  const known = before ?? {
    ...{ id: newOpaqueId('ntc'), reportId, kitId, customerId, isOpen: false, dueAt: null, said: null, prior: null },
    ...{ text: null, problems: [], note: null, foundAt: tx.now.toISOString(), toldAt: null, messages: 0, tries: 0 },
  }
  const isSame = before !== undefined && (now.is === 'elsewhere' || before.now.key === now.key)
  const about = isSame && now.is === 'elsewhere' ? { entry: before.entry, now: before.now } : { entry, now }
  const deadlineAt = isSame ? before.deadlineAt : deadlineOf(around.receivedAt ?? tx.now, withinHours, activeSince)
  const { state, reason } = standing
  const row: NoticeRow = {
    ...{ ...known, ...about, condition, withinHours, authorityId, deadlineAt, state, reason },
    isReplaced: false,
  }
  await saveNotice(tx, await made(tx, around, { ...row, reportId }))
}
