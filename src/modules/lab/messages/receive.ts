import { isCritical } from '@kitlane/display/interpretation'
import { AppError } from '../../../domain/errors.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { within } from '../../../platform/database/tx.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { moveKit } from '../../kits/move.ts'
import { kitNotFound } from '../../kits/records.ts'
import type { KitRecord } from '../../kits/schema.ts'
import { isCriticalUnassessed } from '../../reports/unassessed/rules.ts'
import { keepUnassessedOfKit } from '../../reports/unassessed/service.ts'
import { receiveResults } from '../../reports/versions/receive.ts'
import { rejectReportOfKit } from '../../reports/versions/remove.ts'
import { findStandingReport, matchWithdrawals, type Withdrawal } from '../../reports/versions/withdraw.ts'
import { identifyInSlices, type Unmatched } from '../identify/identify.ts'
import { unassessedOf } from '../identify/unassessed.ts'
import { withdrawalsIn } from '../identify/withdrawals.ts'
import { type Observation, type ParsedReport, type Patient, withdrawsResults } from '../parse/parsed.ts'
import {
  closeMessage,
  insertMessage,
  type LabKit,
  lockMessage,
  selectCandidateKits,
  selectLabKit,
  selectLabKits,
  selectMessages,
  setAccession,
} from './queries.ts'
import { type LabMessage, type MessageOutcome, rejectionReasons } from './schema.ts'

/** A sample has arrived. @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION; VALIDATION_FAILED for an accession of another kit */
export async function receiveSample(
  tx: SystemTx,
  input: { kitID: string; accession?: string; at?: Date },
): Promise<KitRecord> {
  const { kitID, accession, at } = input
  const kit = await liveKit(tx, kitID)
  if (accession && !(await setAccession(tx, kitID, accession))) {
    throw new AppError('VALIDATION_FAILED', 'This accession belongs to another kit')
  }
  return moveKit(within(tx, kit.realm), kitID, 'sampleReceived', { at })
}

/** A sample cannot be tested. @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION */
export async function rejectSample(
  tx: SystemTx,
  { kitID, reason, note }: { kitID: string; reason: keyof typeof rejectionReasons; note?: string },
): Promise<KitRecord> {
  const realm = within(tx, (await liveKit(tx, kitID)).realm)
  const words = note ? `${rejectionReasons[reason]}: ${note}` : rejectionReasons[reason]
  const record = await moveKit(realm, kitID, 'sampleRejected', { reason: words })
  await rejectReportOfKit(realm, kitID)
  return record
}

/** A live kit over all realms. @throws KIT_NOT_FOUND, also for sandbox kits: those the business moves itself */
async function liveKit(tx: SystemTx, kitId: string): Promise<LabKit> {
  const kit = await selectLabKit(tx, { kitId })
  if (kit?.realm.mode !== 'live') throw kitNotFound()
  return kit
}

export interface ReceivedMessage {
  source: string
  format: string
  /** Of the bytes that it came in, and its place among them: the same message twice is one. */
  fingerprint: Buffer
  report: ParsedReport
}

/**
 * Takes a laboratory's report in: to its kit, or into the queue where no kit can be told for sure. A result is never put
 * on a kit whose person has another date of birth.
 */
export async function receiveMessage(tx: SystemTx, message: ReceivedMessage): Promise<MessageOutcome> {
  const { report } = message
  const kit = await selectLabKit(tx, report)
  const doubt = kit ? doubtOfMessage(kit, report) : 'No kit has this number'
  if (!kit || doubt) return queueMessage(tx, message, doubt ?? '')
  return putOnKit(tx, kit, message)
}

function doubtOfMessage(kit: LabKit, { patient, isOfSeveral }: ParsedReport): string | undefined {
  if (isOfSeveral) return 'The message names more than one person'
  if (kit.realm.mode !== 'live') return 'The number is that of a sandbox kit'
  if (!kit.registration) return 'Nobody has registered the kit'
  if (kit.kitStatus === 'registrationException') return 'The registration of the kit is in doubt'
  if (patient?.dateOfBirth && patient.dateOfBirth !== kit.registration.dateOfBirth) {
    return 'The date of birth is not that of the person who registered the kit'
  }
  return undefined
}

async function queueMessage(tx: SystemTx, message: ReceivedMessage, reason: string): Promise<MessageOutcome> {
  const { source, format, fingerprint, report: parsed } = message
  const messageID = await insertMessage(tx, {
    source,
    format,
    fingerprint,
    accession: parsed.accession,
    parsed,
    reason,
  })
  return { status: 'waiting', messageID, reason, matched: 0, unmatched: [], converted: [], critical: [] }
}

/** `isConfirmed`: a person has said that the message belongs here and that what it takes back is meant. */
async function putOnKit(
  tx: SystemTx,
  kit: LabKit,
  message: ReceivedMessage,
  isConfirmed = false,
): Promise<MessageOutcome> {
  const { report } = message
  const realm = within(tx, kit.realm)
  const catalogue = await biomarkers(realm)
  const { results, unmatched, converted } = await identifyInSlices(report.observations, catalogue)
  const unassessed = unassessedOf(unmatched)
  // What is still to come takes the place of nothing.
  const names = report.observations.filter(({ status }) => status !== 'pending')
  const facts = { kitID: kit.kitId, matched: results.length, unmatched: unmatchedAnswer(unmatched), converted }
  const { standing, gone, doubtful } = await withdrawalsOf(realm, kit, { report, results, catalogue, isConfirmed })
  const wait = async (reason: string, observations: Observation[]) => {
    if (isConfirmed) return { reason }
    const rest = { ...report, kitId: kit.kitId, observations }
    return { messageID: (await queueMessage(tx, { ...message, report: rest }, reason)).messageID, reason }
  }
  const isDoubtful = !isConfirmed && (doubtful.length > 0 || report.withdrawn === true)
  if (results.length === 0 && report.specimenErrors.length === 0 && gone.length === 0) {
    await keepUnassessedOfKit(realm, kit.kitId, unassessed, names)
    const nothing = { ...facts, critical: [] }
    if (!standing) {
      const early = report.observations.filter(({ status }) => status === 'entered-in-error')
      const isEarly = early.length > 0 || report.withdrawn === true
      return { status: 'waiting', ...nothing, ...(isEarly ? await wait(NOTHING_YET, early) : { reason: KEPT }) }
    }
    if (isDoubtful) {
      return { status: 'waiting', reportID: standing.reportId, ...nothing, ...(await wait(WHICH_RESULT, doubtful)) }
    }
    if (!withdrawsResults(report)) return { status: 'waiting', ...nothing, reason: KEPT }
    return { status: 'reported', reportID: standing.reportId, ...nothing }
  }
  const doubt = isDoubtful ? await wait(WHICH_RESULT, doubtful) : {}
  const { reportId } = await receiveResults(realm, {
    kitId: kit.kitId,
    results,
    withdrawals: gone,
    partial: report.status === 'preliminary' ? true : undefined,
    collectedDate: report.collectedDate,
    resultedDate: report.resultedDate,
    labErrors: report.specimenErrors.length > 0 ? report.specimenErrors : undefined,
    corrected: report.status === 'corrected',
    reason: report.status === 'corrected' ? 'Corrected by the laboratory' : undefined,
    unassessed,
    names,
  })
  const critical = results.filter(({ labFlag }) => labFlag && isCritical(labFlag)).map(({ biomarkerId }) => biomarkerId)
  const withdrawn = gone.length > 0 ? { withdrawn: gone.map(({ biomarkerId }) => biomarkerId) } : {}
  return { status: 'reported', reportID: reportId, ...facts, ...withdrawn, ...doubt, critical }
}

const KEPT = 'No result could be matched: all of it waits among the unassessed results'
const NOTHING_YET = 'The laboratory takes a result back, and the kit has no report yet'
const WHICH_RESULT = 'The laboratory takes a result back, and it cannot be told which one is meant'

interface WithdrawalInput {
  report: ParsedReport
  results: readonly { biomarkerId: string }[]
  catalogue: readonly Biomarker[]
  isConfirmed: boolean
}

/** What a message takes back of what the kit's report shows now, and what of it only a person can tell. */
async function withdrawalsOf(realm: Tx, kit: LabKit, { report, results, catalogue, isConfirmed }: WithdrawalInput) {
  const taken = new Set(results.map(({ biomarkerId }) => biomarkerId))
  const { known, unknown } = withdrawalsIn(report.observations, taken, catalogue)
  const standing = await findStandingReport(realm, kit.kitId)
  const entries = standing?.entries ?? []
  const { gone, doubtful } = matchWithdrawals(entries, known)
  if (!isConfirmed) {
    const open = entries.length > 0 ? unknown : []
    return { standing, gone, doubtful: [...doubtful.map(({ observation }) => observation), ...open] }
  }
  const all = report.withdrawn ? entries.filter(({ type }) => type === 'measured') : []
  const whole = all.map(({ id }): Withdrawal => ({ biomarkerId: id, why: 'withdrawn' }))
  return { standing, gone: [...gone, ...doubtful, ...whole], doubtful: [] }
}

const unmatchedAnswer = (unmatched: readonly Unmatched[]): MessageOutcome['unmatched'] =>
  unmatched.map(({ name, code, reason, flag, valueText: value }) => ({
    name,
    code,
    reason,
    critical: isCriticalUnassessed({ flag, value }),
  }))

/** Messages that wait for a person, oldest first, with kits that they may belong to. */
export async function listMessages(
  tx: SystemTx,
  query: { status: string; page: number; size: number },
): Promise<LabMessage[]> {
  const rows = await selectMessages(tx, query.status, query.page, query.size)
  const born = [...new Set(rows.flatMap(({ parsed }) => parsed.patient?.dateOfBirth ?? []))]
  const byBirth = new Map(
    await Promise.all(born.map(async (date) => [date, await selectCandidateKits(tx, date)] as const)),
  )
  const kits = await selectLabKits(
    tx,
    rows.map(({ parsed, accession }) => ({ kitId: parsed.kitId, accession: accession ?? undefined })),
  )
  return rows.map((row, index) => {
    const { patient, collectedDate, kitId, observations = [] } = row.parsed
    const isAboutResults = row.reason === WHICH_RESULT || row.reason === NOTHING_YET
    const named = isAboutResults ? kitId : undefined
    const kit = kits[index]
    // An assigned or discarded message has lost what it said.
    const isReady = row.status === 'waiting' && !isAboutResults && kit && !doubtOfMessage(kit, row.parsed)
    const alike = (byBirth.get(patient?.dateOfBirth ?? '') ?? []).map(({ kitId }) => ({
      kitID: kitId,
      reason: 'The same date of birth',
    }))
    return {
      id: row.id,
      format: row.format,
      ...(row.accession && { accession: row.accession }),
      reason: row.reason,
      status: row.status,
      receivedDate: row.receivedAt.toISOString(),
      results: observations.length,
      critical: observations.filter(isCriticalResult).length,
      values: observations.map(valueAnswer),
      ...(kitId && { kitID: kitId }),
      ...(isReady && { readyForKitID: kit.kitId }),
      ...(patient && { patient: withoutId(patient) }),
      ...(collectedDate && { collectedDate }),
      suggestions: [...(named ? [{ kitID: named, reason: 'The laboratory named this kit' }] : []), ...alike],
    }
  })
}

/** The sender's number of a person only tells people apart. */
const withoutId = ({ id: _, ...patient }: Patient) => patient

const isCriticalResult = ({ flag, valueText: value }: Observation) => isCriticalUnassessed({ flag, value })

const valueAnswer = (one: Observation): LabMessage['values'][number] => ({
  name: one.name,
  value: one.valueText,
  unit: one.unit ?? '',
  range: one.rangeText ?? (one.range ? `${one.range.low ?? ''}-${one.range.high ?? ''}` : ''),
  flag: one.flag ?? '',
  critical: isCriticalResult(one),
})

/** Puts a waiting message on the kit that a person says. @throws MESSAGE_NOT_FOUND, KIT_NOT_FOUND, ILLEGAL_TRANSITION */
export async function assignMessage(tx: SystemTx, id: string, kitID: string): Promise<MessageOutcome> {
  const message = await lockWaitingMessage(tx, id)
  const kit = await liveKit(tx, kitID)
  const { format, parsed: report } = message
  const taken = await putOnKit(tx, kit, { source: '', format, fingerprint: Buffer.alloc(0), report }, true)
  const isDone = taken.status === 'reported' || taken.reason === KEPT
  if (isDone) await closeMessage(tx, id, { status: 'assigned', kitId: kitID })
  return taken
}

/** Ends a message that belongs to nobody here. @throws MESSAGE_NOT_FOUND */
export async function discardMessage(tx: SystemTx, id: string): Promise<void> {
  await lockWaitingMessage(tx, id)
  await closeMessage(tx, id, { status: 'discarded' })
}

async function lockWaitingMessage(tx: SystemTx, id: string) {
  const message = await lockMessage(tx, id)
  if (message?.status !== 'waiting') throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message that waits')
  return message
}
