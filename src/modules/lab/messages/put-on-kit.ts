import { isCritical } from '@kitlane/display/interpretation'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { within } from '../../../platform/database/tx.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { holds } from '../../reports/judge/finding.ts'
import { selectAssignedOfKit } from '../../reports/unassessed/queries.ts'
import { isCriticalUnassessed } from '../../reports/unassessed/rules.ts'
import { keepUnassessedOfKit, unassessedKey } from '../../reports/unassessed/service.ts'
import { receiveResults } from '../../reports/versions/receive.ts'
import { findStandingReport, matchWithdrawals, type Withdrawal } from '../../reports/versions/withdraw.ts'
import { identifyInSlices, type Unmatched } from '../identify/identify.ts'
import { unassessedOf } from '../identify/unassessed.ts'
import { assignedAgain, withdrawalsIn } from '../identify/withdrawals.ts'
import type { Observation, ParsedReport } from '../parse/parsed.ts'
import { withdrawsResults } from '../parse/status.ts'
import { insertReceived } from '../received/queries.ts'
import { lineCounts, receivedOf } from '../received/rules.ts'
import type { LabKit } from './queries.ts'
import { NO_MATCH, NOTHING_YET, queueMessage, type ReceivedMessage, WHICH_RESULT } from './queue.ts'
import type { MessageOutcome } from './schema.ts'

/**
 * Puts a message on a kit: its results on the kit's report, what is no result among the unassessed ones, and a withdrawal
 * that is not clear into the queue. `isConfirmed`: a person says that it belongs here and that its withdrawals are meant.
 * `isDoubted`: it names somebody else, so that a reviewer reads the report before it is published.
 * @throws ILLEGAL_TRANSITION
 */
export async function putOnKit(
  tx: SystemTx,
  kit: LabKit,
  message: ReceivedMessage,
  { isConfirmed = false, isDoubted = false } = {},
): Promise<{ outcome: MessageOutcome; made: { receivedId: string; version?: number } }> {
  const { report } = message
  const realm = within(tx, kit.realm)
  const catalogue = await biomarkers(realm)
  const { results, unmatched, converted } = await identifyInSlices(report.observations, catalogue)
  // A pending result replaces nothing that was kept before.
  const names = report.observations.filter(({ status }) => status !== 'pending')
  const { standing, gone, doubtful, again } = await withdrawalsOf(realm, kit, {
    report,
    results,
    catalogue,
    isConfirmed,
  })
  const open = unmatched.filter((one) => !again.has(unassessedKey(one.name, one.loinc)))
  const unassessed = unassessedOf(open, report.collectedDate)
  const received = receivedOf({ observations: report.observations, unmatched: open }, { waiting: unassessed.length })
  const receivedId = newOpaqueId('rcv')
  const from = { id: receivedId, kitId: kit.kitId, format: message.format }
  const answered = { unmatched: unmatchedAnswer(open), converted, lines: lineCounts(received) }
  const facts = { kitID: kit.kitId, matched: results.length, ...answered }
  const wait = async (reason: string, observations: Observation[]) => {
    if (isConfirmed) return { reason }
    const rest = { ...report, kitId: kit.kitId, observations }
    return { messageID: (await queueMessage(tx, { ...message, report: rest }, reason)).messageID, reason }
  }
  const isDoubtful = !isConfirmed && (doubtful.length > 0 || report.withdrawn === true)
  if (results.length === 0 && report.specimenErrors.length === 0 && gone.length === 0) {
    const { customerId } = await keepUnassessedOfKit(realm, kit.kitId, unassessed, names, receivedId)
    await insertReceived(realm, { ...from, customerId, reportId: standing?.reportId }, received)
    const nothing = { ...facts, critical: [] }
    const unread = (outcome: MessageOutcome) => ({ outcome, made: { receivedId } })
    if (!standing) {
      const tooEarly = report.observations.filter(({ status }) => status === 'entered-in-error')
      const isTooEarly = tooEarly.length > 0 || report.withdrawn === true
      return unread({
        status: 'waiting',
        ...nothing,
        ...(isTooEarly ? await wait(NOTHING_YET, tooEarly) : { reason: NO_MATCH }),
      })
    }
    const { reportId: reportID } = standing
    if (isDoubtful) return unread({ status: 'waiting', reportID, ...nothing, ...(await wait(WHICH_RESULT, doubtful)) })
    if (!withdrawsResults(report)) return unread({ status: 'waiting', ...nothing, reason: NO_MATCH })
    return unread({ status: 'reported', reportID, ...nothing })
  }
  const doubt = isDoubtful ? await wait(WHICH_RESULT, doubtful) : {}
  const { reportId, customerId, version } = await receiveResults(realm, {
    kitId: kit.kitId,
    results,
    isDoubted,
    withdrawals: gone,
    partial: report.status === 'preliminary' ? true : undefined,
    collectedDate: report.collectedDate,
    resultedDate: report.resultedDate,
    labErrors: report.specimenErrors.length > 0 ? report.specimenErrors : undefined,
    corrected: report.status === 'corrected',
    reason: report.status === 'corrected' ? 'Corrected by the laboratory' : undefined,
    origin: report.origin,
    unassessed,
    names,
    receivedId,
  })
  await insertReceived(realm, { ...from, customerId, reportId }, received)
  const holding = new Map(catalogue.map(({ id, scale }) => [id, scale]))
  const critical = results
    .filter(
      (one) =>
        (one.labFlag && isCritical(one.labFlag)) ||
        ('finding' in one && holds(holding.get(one.biomarkerId), one.finding)),
    )
    .map(({ biomarkerId }) => biomarkerId)
  const withdrawn = gone.length > 0 ? { withdrawn: gone.map(({ biomarkerId }) => biomarkerId) } : {}
  const outcome = { status: 'reported' as const, reportID: reportId, ...facts, ...withdrawn, ...doubt, critical }
  return { outcome, made: { receivedId, version } }
}

interface WithdrawalInput {
  report: ParsedReport
  results: readonly { biomarkerId: string }[]
  catalogue: readonly Biomarker[]
  isConfirmed: boolean
}

/** The results of the kit's report that a message withdraws, and the withdrawals that only a person can tell. */
async function withdrawalsOf(realm: Tx, kit: LabKit, { report, results, catalogue, isConfirmed }: WithdrawalInput) {
  const taken = new Set(results.map(({ biomarkerId }) => biomarkerId))
  const { known, unknown } = withdrawalsIn(report.observations, taken, catalogue)
  const standing = await findStandingReport(realm, kit.kitId)
  const entries = standing?.entries ?? []
  const named = matchWithdrawals(entries, known)
  const assigned = standing ? await selectAssignedOfKit(realm, kit.kitId) : []
  const { changed, again } = assignedAgain(report.observations, assigned, { entries, taken })
  const gone = [...named.gone, ...changed]
  if (!isConfirmed) {
    const told = new Set(changed.map(({ observation }) => observation))
    const open = entries.length > 0 ? unknown.filter((one) => !told.has(one)) : []
    return { standing, gone, doubtful: [...named.doubtful.map(({ observation }) => observation), ...open], again }
  }
  const all = report.withdrawn ? entries.filter(({ type }) => type === 'measured') : []
  const whole = all.map(({ id }): Withdrawal => ({ biomarkerId: id, why: 'withdrawn' }))
  return { standing, gone: [...gone, ...named.doubtful, ...whole], doubtful: [], again }
}

const unmatchedAnswer = (unmatched: readonly Unmatched[]): MessageOutcome['unmatched'] =>
  unmatched.map(({ name, code, reason, flag, valueText: value, sent }) => ({
    name,
    code,
    reason,
    critical: isCriticalUnassessed({ flag, value, sent }),
  }))
