import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { newReportId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { findPanel } from '../../catalogue/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import * as customers from '../../customers/service.ts'
import { lockKit, moveKit, setReportStatus } from '../../kits/move.ts'
import type { KitRow } from '../../kits/queries.ts'
import { isReportHeld } from '../../kits/recall-queries.ts'
import { stateOf } from '../../kits/records.ts'
import { illegal, standing } from '../../kits/rules.ts'
import { joinCriticalsToReport } from '../critical/queries.ts'
import { raiseCriticals } from '../critical/raise.ts'
import { criticalOfEntries, criticalOfUnassessed, isCriticalEntry } from '../critical/rules.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { originOf } from '../origin/service.ts'
import { markAwaits, type ReportRow, selectReportOfKit } from '../queries.ts'
import { selectHeldUntil } from '../review/hold-queries.ts'
import type { BiomarkerEntry, ReportStatus, VendorStatus } from '../schema.ts'
import { joinUnassessedToReport, replaceUnassessedOfKit } from '../unassessed/queries.ts'
import { holdsReport, type NewUnassessed } from '../unassessed/rules.ts'
import { keepUnassessed, unassessedKey } from '../unassessed/service.ts'
import {
  doubtsSample,
  holdingChecks,
  holdsLater,
  publishesItself,
  replacedWithoutWord,
  unreadReplaced,
} from './holding.ts'
import { announceVersion, announceWithdrawal } from './publish.ts'
import { collectedOf, newContradictions, saidOf } from './said.ts'
import { type Withdrawal, withdrawnResults, withdrawnUnjudged } from './withdraw.ts'
import { writeReport } from './write.ts'

export interface ReceivedResults {
  kitId: string
  /** Each biomarker once. */
  results: readonly NewResult[]
  /** Whether the laboratory will send more; default: whether a marker of the panel is missing or preliminary. */
  partial?: boolean
  /** `YYYY-MM-DD` */
  collectedDate?: string
  /** `YYYY-MM-DD`; default today. */
  resultedDate?: string
  /** HEMOLYSIS, LIPEMIA, ICTERUS, QNS, DELAYED_SAMPLE_DELIVERY; default: those of the version before. */
  labErrors?: readonly string[]
  /** Earlier results that the new version does not show, nor what was computed from them. */
  withdrawals?: readonly Withdrawal[]
  /** The laboratory corrects results that it sent before. */
  corrected?: boolean
  /** Why there is a new version. */
  reason?: Sentence | undefined
  /** The document that they came in. */
  receivedId?: string
  /** When it came, if it has waited for a person since. */
  receivedAt?: Date | undefined
  /** A person publishes the report, unless it is published already. */
  isHeld?: boolean
  /** Whose they are was doubtful: the version waits for a reviewer, though the one before was published. */
  isDoubted?: boolean
  /** Laboratory, specimen and times, as far as the message says. */
  origin?: Origin | undefined
  /** Results that came with them and could not be judged. */
  unassessed?: readonly NewUnassessed[]
  /** What readers see as not judged, and the laboratory takes back or corrects. */
  unjudgedGone?: Parameters<typeof withdrawnUnjudged>[0]
  /** The laboratory's names of all results: they replace unassessed results of the same name. */
  names?: readonly { name: string; loinc?: string }[]
}

/**
 * Receives a laboratory's results for a kit: judges them, writes the report and moves the kit to reportReady. Later
 * results make a new version, which keeps the results that they do not name. A published report stays published: a
 * correction must reach everybody who read the old value. A new finding that is never published without a person, or a recall,
 * puts it into review again. Results that cannot be used are kept raw; with a critical result, used or not, the report waits until it
 * is acknowledged.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION when the kit has no person yet or its sample was rejected;
 * VALIDATION_FAILED for an unknown biomarker or one that comes twice
 */
export async function receiveResults(
  tx: Tx,
  input: ReceivedResults,
): Promise<{ reportId: string; version: number; customerId: number; entries: readonly BiomarkerEntry[] }> {
  const kit = await lockKit(tx, input.kitId)
  if (kit.customerId === null) {
    throw illegal(stateOf(kit), 'reportReady', 'The kit is not registered to a person, so it can have no results')
  }
  const customer = await customers.find(tx, kit.customerId, 'share')
  const catalogue = await judging(tx)
  assertResults(catalogue, input.results)
  const before = await selectReportOfKit(tx, kit.id)
  const resultedDate = input.resultedDate ?? tx.now.toISOString().slice(0, 10)
  const origin = await originOf(tx, input.origin, { before: before?.origin, isForKit: true })
  const said = await saidOf(tx, kit)
  const { collectedDate, ...taken } = collectedOf({ stated: input.collectedDate, before, origin }, said)
  const labErrors = [...(input.labErrors ?? before?.labErrors ?? [])]
  const { withdrawals = [], unjudgedGone = [] } = input
  const isTakenBack = withdrawals.length + unjudgedGone.length > 0
  const previous = before?.entries ?? []
  const panel = await findPanel(tx, kit.kitType)
  const { entries, axes, missing, ...judged } = judgeReport({
    catalogue,
    panel: panel.biomarkers,
    results: input.results,
    withdrawn: withdrawals.map(({ biomarkerId }) => biomarkerId),
    previous,
    said: said.facts,
    labErrors,
    subject: subjectOf(kit, customer, collectedDate ?? resultedDate),
  })
  const partial = input.partial ?? (missing.length > 0 || entries.some(({ preliminary }) => preliminary))
  const { unassessed = [], names = [] } = input
  const keys = [...names, ...unassessed].map(({ name, loinc }) => unassessedKey(name, loinc))
  const waiting = await replaceUnassessedOfKit(tx, kit.id, keys, before?.version ?? 0)
  const contradictions = [...taken.contradictions, ...judged.contradictions]
  const replaced = replacedWithoutWord(previous, entries, input)
  const doubted = unreadReplaced(before, entries, replaced)
  const isPublished = before?.status === 'published'
  const isWaiting = before?.status === 'inReview'
  const isAuto = (await settings(tx)).publishing === 'auto'
  // But for a recall it would be.
  const wasOut = isPublished || (before?.publishedAt != null && before.awaitsRecall)
  const checked = { customer, kit, panel, catalogue, labErrors, origin, collectedDate, resultedDate }
  const holding = await holdingChecks(tx, {
    ...checked,
    reportId: before?.id,
    entries,
    // Also what an earlier version that nobody has read replaced.
    replaced: (doubted.replaced ?? []).flatMap((one) => {
      const entry = entries.find(({ id }) => id === one.id)
      return entry ? [{ entry, before: one }] : []
    }),
    contradictions: isPublished ? newContradictions(contradictions, before) : contradictions,
    isAlone: !isAuto && !wasOut,
  })
  const isRecalled = (isAuto || wasOut) && (await isReportHeld(tx, kit.id))
  const isDoubted = input.isDoubted || (isWaiting && before.isDoubted) || false
  const isUnseen = unassessed.some(holdsReport)
  const own = publishesItself(previous, entries, {
    isAuto,
    isOut: isPublished || (isRecalled && wasOut),
    isUnread: isDoubted || (isUnseen && input.results.length > 0) || holdsLater(holding, input.results),
    holds:
      input.isHeld ||
      waiting.isHeld ||
      isUnseen ||
      holding.length > 0 ||
      (isWaiting && isAuto && (await selectHeldUntil(tx, before.id)) !== undefined),
  })
  // That a result is withdrawn must reach everybody who read it.
  const isStopped = isRecalled && (!isPublished || input.results.length > 0)
  const status: ReportStatus = own.now && !isStopped ? 'published' : 'inReview'
  const report: ReportRow = {
    id: before?.id ?? newReportId(),
    customerId: kit.customerId,
    kitId: kit.id,
    status,
    vendorStatus: vendorStatusOf(before, partial, input.corrected || isTakenBack),
    version: (before?.version ?? 0) + 1,
    collectedDate,
    resultedDate,
    publishedAt: before?.publishedAt ?? (status === 'published' ? tx.now : null),
  }
  const withdrawn = [...withdrawnResults(previous, entries, withdrawals), ...withdrawnUnjudged(unjudgedGone)]
  const reason = input.reason ?? (withdrawn.length > 0 ? sentence('The laboratory withdrew a result') : null)
  const takenBack =
    doubtsSample(holding) || unjudgedGone.length > 0 ? 'all' : withdrawals.map(({ biomarkerId }) => biomarkerId)
  const known = { ...doubted, ...taken, contradictions, before, isDoubted: isDoubted && status === 'inReview' }
  const { receivedId, receivedAt } = input
  const judgedNow = { entries, axes, labErrors, withdrawn, reason, origin, ...known, takenBack, receivedAt } as const
  const hidden = await writeReport(tx, report, judgedNow)
  if (status === 'inReview' && own.now) await markAwaits(tx, report.id, 'recall')
  if (status === 'inReview' && own.onceAcknowledged) await markAwaits(tx, report.id, 'acknowledgement')
  if (waiting.isLoose) {
    await joinUnassessedToReport(tx, kit.id, report)
    await joinCriticalsToReport(tx, kit.id, report.id)
  }
  await keepUnassessed(tx, { customerId: kit.customerId, kitId: kit.id, report, receivedId }, unassessed)
  const gone = withdrawn.length > 0 ? { withdrawn: withdrawn.map(({ biomarker }) => biomarker) } : {}
  const details = { version: report.version, ...gone }
  await audit.record(tx, [{ action: 'report.received', objectType: 'report', objectId: report.id, details }])
  await moveKitOn(tx, kit, { partial, status, isQuiet: Boolean(before?.publishedAt) })
  const announced = { ...report, orderId: kit.orderId }
  await announceWithdrawal(tx, announced, withdrawn, hidden)
  if (status === 'published') await announceVersion(tx, announced, before, { entries, withdrawn })
  return { reportId: report.id, version: report.version, customerId: report.customerId, entries }
}

/** Raises what is critical in results that do not count, as the sample of their kit was rejected. Returns their biomarkers. */
export async function raiseUncounted(
  tx: Tx,
  kit: KitRow,
  { results, unassessed = [], labErrors = [] }: Pick<ReceivedResults, 'results' | 'unassessed' | 'labErrors'>,
): Promise<string[]> {
  const { id: kitId, customerId } = kit
  if (customerId === null) return []
  const subject = subjectOf(kit, await customers.find(tx, customerId, 'share'), tx.now.toISOString())
  const known = { catalogue: await judging(tx), panel: [], previous: [], labErrors: [...labErrors], subject }
  const { entries } = judgeReport({ ...known, results })
  const unjudged = unassessed.flatMap((one) => criticalOfUnassessed(unassessedKey(one.name, one.loinc), one))
  const reportId = (await selectReportOfKit(tx, kitId))?.id
  await raiseCriticals(tx, { customerId, kitId, reportId }, [...criticalOfEntries(entries), ...unjudged])
  return entries.flatMap((entry) => (isCriticalEntry(entry) ? entry.id : []))
}

function assertResults(catalogue: readonly Biomarker[], results: readonly NewResult[]): void {
  const known = new Set(catalogue.map(({ id }) => id))
  const details = results.flatMap(({ biomarkerId }, index) => {
    const path = `results.${index}`
    if (!known.has(biomarkerId)) return [{ message: 'There is no such biomarker', path }]
    const first = results.findIndex((result) => result.biomarkerId === biomarkerId)
    return first < index ? [{ message: 'This biomarker comes twice', path }] : []
  })
  if (details.length > 0) refuse(details)
}

function vendorStatusOf(before: ReportRow | undefined, partial: boolean, corrected = false): VendorStatus {
  if (before && (corrected || before.vendorStatus !== 'partial')) return 'corrected'
  return partial ? 'partial' : 'final'
}

/** A kit that already has all its results does not move; only its report changes. */
async function moveKitOn(
  tx: Tx,
  kit: KitRow,
  now: { partial: boolean; status: ReportStatus; isQuiet: boolean },
): Promise<void> {
  const isComplete = standing(stateOf(kit)) === 'reportReady' && kit.sampleStatus === 'resulted'
  if (isComplete && kit.status !== 'rejected') await setReportStatus(tx, kit.id, now.status, now)
  else
    await moveKit(tx, kit.id, 'reportReady', {
      partial: now.partial,
      autoPublish: now.status === 'published',
      isQuiet: now.isQuiet,
    })
}
