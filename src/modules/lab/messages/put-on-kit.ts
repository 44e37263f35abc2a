import { sentence } from '@kitlane/display/sentence'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import type { Observation, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { isTakenBack, withdrawsResults } from '@kitlane/lab-reader/parse/status'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { within } from '../../../platform/database/tx.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { modulesOf } from '../../define-module.ts'
import type { ComparedWith, MeasuredWith } from '../../kits/changed-kit.ts'
import { lockKit } from '../../kits/move.ts'
import { isCriticalEntry } from '../../reports/critical/rules.ts'
import { timesOf } from '../../reports/origin/rules.ts'
import type { BiomarkerEntry } from '../../reports/schema.ts'
import { selectAssignedOfKit } from '../../reports/unassessed/queries.ts'
import { isCriticalUnassessed, type NewUnassessed } from '../../reports/unassessed/rules.ts'
import { keepUnassessedOfKit, unassessedKey } from '../../reports/unassessed/service.ts'
import { raiseUncounted, receiveResults } from '../../reports/versions/receive.ts'
import {
  findStandingReport,
  matchWithdrawals,
  type StandingReport,
  type Withdrawal,
} from '../../reports/versions/withdraw.ts'
import { identifyReport } from '../identify-in-slices.ts'
import { doubtOfMessage } from '../match.ts'
import { insertReceived } from '../received/queries.ts'
import { lineCounts, lineKey, receivedOf } from '../received/rules.ts'
import { knownAs, messageOf, type Register, readRegister, withTrustedTimes } from '../register/register.ts'
import { type NewStatement, saidIn } from '../register/said-in.ts'
import { sortUnmatched } from '../register/sort-unmatched.ts'
import type { KeptStatement } from '../register/statement.ts'
import { weigh } from '../register/weigh.ts'
import { assignedAgain, unknownWithdrawals } from '../register/withdrawals.ts'
import { unassessedOf } from '../unassessed.ts'
import { type LabKit, selectLabKit } from './queries.ts'
import {
  CAME_BEFORE,
  NO_MATCH,
  NOTHING_YET,
  OTHER_CONTENT,
  queueMessage,
  REFUSED,
  type ReceivedMessage,
  SAMPLE_REJECTED,
  SUPERSEDED,
  WHICH_RESULT,
} from './queue.ts'
import type { MessageOutcome } from './schema.ts'

/**
 * Puts a message on a kit: the results that stand now on the kit's report, what is no result among the unassessed ones, and a
 * withdrawal that is not clear into the queue. A message that came before changes nothing, and one for a rejected sample waits:
 * what is critical in it is raised. `isConfirmed`: a person says that
 * it belongs here and that its withdrawals are meant. `isDoubted`: it names somebody else, so that a reviewer reads the report
 * before it is published. @throws ILLEGAL_TRANSITION
 */
export async function putOnKit(
  tx: SystemTx,
  kit: LabKit,
  message: ReceivedMessage,
  { isConfirmed = false, isDoubted = false } = {},
): Promise<{ outcome: MessageOutcome; made: { receivedId: string; version?: number } }> {
  const realm = within(tx, kit.realm)
  const { kitId } = kit
  const { measuredWith } = message.report
  for (const module of measuredWith ? modulesOf(tx.context) : [])
    await module.beforeResults?.(realm, kitId, measuredWith ?? [])
  const row = await lockKit(realm, kitId)
  const standing = await findStandingReport(realm, kitId)
  const register = await readRegister(realm, kitId)
  const named = { ...messageOf(message.report, message.source), place: register.documents.length }
  const { repeated, isContradicted } = isConfirmed ? {} : knownAs(register, named)
  const catalogue = await biomarkers(realm)
  if (repeated) {
    const { results } = await identifyReport(realm, message.report, { catalogue, from: message.source })
    const critical = criticalIn(standing?.entries, results)
    return { outcome: outcomeOfRepeated(kitId, standing?.reportId, critical), made: { receivedId: repeated.id } }
  }
  const waitWhole = async (reason: string) => {
    const rest = { ...message, report: { ...message.report, kitId } }
    return { outcome: { ...(await queueMessage(tx, rest, reason)), kitID: kitId }, made: { receivedId: '' } }
  }
  if (isContradicted) return waitWhole(OTHER_CONTENT)
  // Its person was erased, or is in doubt, since the message was compared with it.
  const now = !isConfirmed && row.customerId === null ? await selectLabKit(tx, { kitId }) : undefined
  const doubt = now && doubtOfMessage(now, message.report, { isStopped: false, now: tx.now })
  if (doubt) return waitWhole(doubt)
  const report = withTrustedTimes(message.report, tx.now)
  const identified = await identifyReport(realm, report, { catalogue, from: message.source })
  const { converted } = identified
  const said = saidIn(report, identified, catalogue)
  const changes = await changesOf(realm, kit, { report, said, register, standing, catalogue, isConfirmed })
  const { results, gone, doubtful, superseded } = changes
  const unmatched = identified.unmatched.filter((one) => !changes.again.has(unassessedKey(one.name, one.loinc)))
  const { open, all } = sortUnmatched(unmatched, report.observations, changes, catalogue)
  // A pending result replaces nothing that was kept before.
  const names = report.observations.filter((one) => one.status !== 'pending' && !superseded.has(one))
  const unassessed = unassessedOf(open, report.collectedDate)
  if (!isConfirmed && row.sampleStatus === 'rejected') {
    const { outcome, made } = await waitWhole(SAMPLE_REJECTED)
    const critical = await raiseUncounted(realm, row, { results, unassessed, labErrors: report.specimenErrors })
    return { outcome: { ...outcome, critical }, made }
  }
  const other = { ...changes, entries: standing?.entries, unjudged: standing?.unjudged, unassessed }
  const compared = measuredWith && compareMeasured(measuredWith, report.observations, { said, ...other })
  for (const module of compared ? modulesOf(tx.context) : [])
    await module.afterComparison?.(realm, kitId, compared ?? [])
  const received = receivedOf({ observations: report.observations, unmatched: all }, { waiting: unassessed.length })
  const receivedId = newOpaqueId('rcv')
  const from = { id: receivedId, kitId, format: message.format }
  const unclear = new Set<Observation>(doubtful)
  const isKept = ({ observation }: NewStatement) => !unclear.has(observation)
  const statements: KeptStatement[] = [
    ...said.filter(isKept).map(({ observation: _, ...one }) => (standing || results.length > 0 ? one : opened(one))),
    ...changes.whole,
  ]
  const keep = (customerId: number, reportId: string | undefined) =>
    insertReceived(realm, { ...from, customerId, reportId }, received, { message: named, statements })
  const answered = { unmatched: unmatchedAnswer(open), converted, lines: lineCounts(received) }
  const left = new Set(all.map(lineKey))
  const matched = identified.results.filter((one) => !left.has(lineKey(one))).length
  const passed = superseded.size > 0 ? { superseded: [...superseded].map(({ name }) => name) } : {}
  const facts = { kitID: kitId, matched, ...answered, ...passed }
  const wait = async (reason: string, observations: Observation[]) => {
    if (isConfirmed) return { reason }
    const rest = { ...report, kitId, observations }
    return { messageID: (await queueMessage(tx, { ...message, report: rest }, reason)).messageID, reason }
  }
  const unjudgedGone = goneUnjudged(standing?.unjudged ?? [], { names, open })
  const isDoubtful = !isConfirmed && (doubtful.length > 0 || report.withdrawn === true)
  if (results.length + report.specimenErrors.length + gone.length + unjudgedGone.length === 0) {
    const { customerId } = await keepUnassessedOfKit(realm, kitId, unassessed, names, receivedId)
    await keep(customerId, standing?.reportId)
    const nothing = { ...facts, critical: criticalIn(standing?.entries, identified.results) }
    const unread = (outcome: MessageOutcome) => ({ outcome, made: { receivedId } })
    const isRefused = !isConfirmed && report.observations.length === 0 && report.specimenRefusals !== undefined
    if (isRefused) return unread({ status: 'waiting', ...nothing, ...(await wait(REFUSED, [])) })
    const isSuperseded = superseded.size > 0 && unassessed.length === 0
    if (!standing) {
      const tooEarly = report.observations.filter(({ status }) => status === 'entered-in-error')
      const isTooEarly = tooEarly.length > 0 || report.withdrawn === true
      const why = { reason: isSuperseded ? SUPERSEDED : NO_MATCH }
      return unread({ status: 'waiting', ...nothing, ...(isTooEarly ? await wait(NOTHING_YET, tooEarly) : why) })
    }
    const { reportId: reportID } = standing
    if (isDoubtful) return unread({ status: 'waiting', reportID, ...nothing, ...(await wait(WHICH_RESULT, doubtful)) })
    if (isSuperseded) return unread({ status: 'reported', reportID, ...nothing, reason: SUPERSEDED })
    if (!withdrawsResults(report)) return unread({ status: 'waiting', ...nothing, reason: NO_MATCH })
    return unread({ status: 'reported', reportID, ...nothing })
  }
  const asked = isDoubtful ? await wait(WHICH_RESULT, doubtful) : {}
  const isCorrected = report.status === 'corrected' && counts(said, superseded, 'corrected')
  const isPreliminary = report.status === 'preliminary' && counts(said, superseded, 'preliminary')
  const { reportId, customerId, version, entries } = await receiveResults(realm, {
    kitId,
    results,
    isDoubted: isDoubted || changes.isDoubted,
    isHeld: changes.isDoubted,
    withdrawals: gone,
    unjudgedGone,
    partial: isPreliminary ? true : undefined,
    ...timesOf(report),
    labErrors: report.specimenErrors.length > 0 ? report.specimenErrors : undefined,
    corrected: isCorrected,
    reason: isCorrected ? sentence('Corrected by the laboratory') : undefined,
    origin: report.origin,
    unassessed,
    names,
    receivedId,
    receivedAt: message.receivedAt,
  })
  await keep(customerId, reportId)
  const critical = criticalIn(entries, identified.results)
  const withdrawn = gone.length > 0 ? { withdrawn: gone.map(({ biomarkerId }) => biomarkerId) } : {}
  const outcome = { status: 'reported' as const, reportID: reportId, ...facts, ...withdrawn, ...asked, critical }
  return { outcome, made: { receivedId, version } }
}

interface Compared extends Partial<Pick<StandingReport, 'entries' | 'unjudged'>> {
  said: readonly NewStatement[]
  results: readonly NewResult[]
  unassessed: readonly NewUnassessed[]
}

/** Which runs and lots of a message have values that the report does not show. A name that no result has may be of any. */
function compareMeasured(
  measuredWith: readonly MeasuredWith[],
  observations: readonly Observation[],
  { entries = [], unjudged = [], said, results, unassessed }: Compared,
): ComparedWith[] {
  const isShown = (one: NewResult) =>
    entries.some(
      ({ id, rawResult, rawUnit }) =>
        id === one.biomarkerId && rawResult === one.rawResult && ('finding' in one || rawUnit === one.unit),
    )
  const keys = new Set(results.flatMap((one) => (isShown(one) ? [] : one.biomarkerId)))
  const unread = unassessed.filter(
    ({ name, value }) => !unjudged.some((one) => one.name === name && one.value === value),
  )
  const spoken = said.flatMap(({ key, observation }) => (keys.has(key) ? observation : []))
  const others = new Set([...spoken, ...unread].map(({ name }) => unassessedKey(name)))
  const all = observations.map(({ name }) => unassessedKey(name))
  return measuredWith.map((one) => {
    const names = one.results.length > 0 ? one.results.map((name) => unassessedKey(name)) : all
    const hasOther = others.size > 0 && names.some((name) => others.has(name) || !all.includes(name))
    return { ...one, hasShown: names.some((name) => !others.has(name)), hasOther }
  })
}

/** Biomarkers that a message names and that are critical in a version of the report. */
function criticalIn(entries: readonly BiomarkerEntry[] = [], results: readonly { biomarkerId: string }[]): string[] {
  const named = new Set(results.map(({ biomarkerId }) => biomarkerId))
  return entries.flatMap((one) => (named.has(one.id) && isCriticalEntry(one) ? one.id : []))
}

function outcomeOfRepeated(kitID: string, reportID: string | undefined, critical: string[]): MessageOutcome {
  const nothing = { matched: 0, unmatched: [], converted: [], critical, reason: CAME_BEFORE, kitID }
  return reportID === undefined ? { status: 'waiting', ...nothing } : { status: 'reported', reportID, ...nothing }
}

/** A withdrawal that came before the kit has a report, and makes none: a person sees it in the queue. */
const opened = (one: KeptStatement): KeptStatement => (one.status === 'withdrawn' ? { ...one, isOpen: true } : one)

/** Whether a status of a whole message counts: what it says with this status is not all superseded. */
function counts(said: readonly NewStatement[], superseded: ReadonlySet<Observation>, status: NewStatement['status']) {
  const all = said.filter((one) => one.status === status)
  return all.length === 0 || all.some(({ observation }) => !superseded.has(observation))
}

/** What of a report's unjudged results a message takes back, or corrects by what cannot be judged either. */
function goneUnjudged(
  unjudged: StandingReport['unjudged'],
  { names, open }: { names: readonly Observation[]; open: readonly Unmatched[] },
) {
  const keyOf = ({ name, loinc }: { name: string; loinc?: string | null | undefined }) =>
    unassessedKey(name, loinc ?? undefined)
  return unjudged.flatMap((one) => {
    const said = names.find((other) => keyOf(other) === keyOf(one))
    if (said && isTakenBack(said)) return [{ ...one, isTakenBack: true }]
    const isCorrected = said?.status === 'corrected' && said.valueText !== one.value
    return isCorrected && open.some((other) => keyOf(other) === keyOf(one)) ? [{ ...one, isTakenBack: false }] : []
  })
}

interface ChangesInput {
  report: ParsedReport
  said: readonly NewStatement[]
  register: Register
  standing: StandingReport | undefined
  catalogue: readonly Biomarker[]
  isConfirmed: boolean
}

/** What a message changes of the kit's report, and the withdrawals that only a person can tell. */
async function changesOf(realm: Tx, kit: LabKit, input: ChangesInput) {
  const { report, said, register, standing, catalogue, isConfirmed } = input
  const entries = standing?.entries ?? []
  const weighed = weigh(register.statements, said, entries)
  const { results, superseded } = weighed
  const taken = new Set(results.map(({ biomarkerId }) => biomarkerId))
  const named = matchWithdrawals(entries, weighed.gone)
  const assigned = standing ? await selectAssignedOfKit(realm, kit.kitId) : []
  const speaking = report.observations.filter((one) => !superseded.has(one))
  const { changed, again } = assignedAgain(speaking, assigned, { entries, taken })
  const gone = [...named.gone, ...changed]
  if (!isConfirmed) {
    const told = new Set(changed.map(({ observation }) => observation))
    const unknown = entries.length > 0 ? unknownWithdrawals(speaking, catalogue) : []
    const open = unknown.filter((one) => !told.has(one))
    const doubtful: Observation[] = [...named.doubtful.flatMap(({ observation }) => observation ?? []), ...open]
    return { ...weighed, gone, doubtful, again, whole: [] }
  }
  const all = report.withdrawn ? entries.filter(({ type }) => type === 'measured') : []
  const whole = all.map(({ id }, sequence): KeptStatement => {
    const times = { sentDate: report.message?.sentDate }
    return { key: id, status: 'withdrawn', why: 'withdrawn', sequence, isOrdered: true, times }
  })
  const wholly = all.map(({ id }): Withdrawal => ({ biomarkerId: id, why: 'withdrawn' }))
  return { ...weighed, gone: [...gone, ...named.doubtful, ...wholly], doubtful: [], again, whole }
}

const unmatchedAnswer = (unmatched: readonly Unmatched[]): MessageOutcome['unmatched'] =>
  unmatched.map(({ name, code, reason, flag, valueText: value, sent }) => ({
    name,
    code,
    reason,
    critical: isCriticalUnassessed({ flag, value, sent }),
  }))
