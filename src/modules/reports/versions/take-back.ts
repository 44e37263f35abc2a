import { sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { findPanel } from '../../catalogue/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import * as customers from '../../customers/service.ts'
import { applyChanges, lockKit } from '../../kits/move.ts'
import { stateOf } from '../../kits/records.ts'
import { advance, type LifetimeStatus, standing } from '../../kits/rules.ts'
import { withdrawAll } from '../critical/queries.ts'
import { withdrawUnjudged } from '../critical/raise.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { dropPublished, type StandingReport, selectEntries, selectReportOfKit, selectVersion } from '../queries.ts'
import { differenceOf, withoutVersion } from '../rules.ts'
import type { BiomarkerEntry, ReportStatus } from '../schema.ts'
import { removeUnassessedOf } from '../unassessed/queries.ts'
import { announceReport, announceWithdrawal } from './publish.ts'
import { ofTime, saidOf } from './said.ts'
import { writeReport } from './write.ts'

export interface Made {
  /** The document whose results were put on the kit. */
  receivedId: string
  /** The version that it made; absent where none of its results could be judged. */
  version?: number | undefined
  /** Where the kit stood before. */
  kitStood: LifetimeStatus
  /** When. */
  at: Date
}

const NOT_THEIRS = sentence('It was put on this kit by mistake: it is not the result of this person.')

/**
 * Takes results off a kit that they do not belong to: a new version of its report shows what stood there before them. Later
 * results stay. A published report stays published, and its readers are notified; one that nobody has read and that has nothing
 * left is rejected, and the kit waits for results again. @throws KIT_NOT_FOUND
 */
export async function takeResultsBack(tx: Tx, kitId: string, made: Made): Promise<{ reportId?: string }> {
  const kit = await lockKit(tx, kitId)
  const removed = await removeUnassessedOf(tx, { kitId, ...made })
  await withdrawUnjudged(tx, kitId, removed.names)
  const report = await selectReportOfKit(tx, kitId)
  if (!report || kit.customerId === null || (made.version === undefined && removed.assigned.length === 0)) return {}
  const customer = await customers.find(tx, kit.customerId, 'share')
  const { version = report.version } = made
  const shown = made.version === undefined ? report : await selectVersion(tx, report.id, version)
  const before = made.version === undefined ? report : await selectVersion(tx, report.id, version - 1)
  const previous = withoutVersion(report.entries, { made: shown?.entries ?? [], before: before?.entries ?? [] }).filter(
    ({ id }) => !removed.assigned.includes(id),
  )
  // What came later knows its sample; else the one before does.
  const sample = report.version === version ? before : report
  const collectedDate = sample?.collectedDate ?? null
  const resultedDate = sample?.resultedDate ?? null
  const labErrors = [...(sample?.labErrors ?? [])]
  const { facts: said } = await saidOf(tx, kit)
  const { entries, axes, missing, contradictions } = judgeReport({
    catalogue: await judging(tx),
    panel: (await findPanel(tx, kit.kitType)).biomarkers,
    results: [],
    previous,
    said,
    labErrors,
    subject: subjectOf(kit, customer, collectedDate ?? tx.now.toISOString().slice(0, 10)),
  })
  const left = new Set(entries.map(({ id }) => id))
  const withdrawn = report.entries.flatMap(({ id, label }) =>
    left.has(id) ? [] : [{ biomarker: id, label, reason: NOT_THEIRS }],
  )
  const isPublished = report.status === 'published'
  const status: ReportStatus = isPublished ? 'published' : entries.length > 0 ? 'inReview' : 'rejected'
  const isPartial = missing.length > 0 || entries.some(({ preliminary }) => preliminary)
  const row = {
    ...report,
    status,
    vendorStatus: isPublished ? ('corrected' as const) : isPartial ? ('partial' as const) : ('final' as const),
    version: report.version + 1,
    collectedDate,
    resultedDate,
  }
  const reason = sentence('Results were put on this kit by mistake, and are taken off it.')
  const origin = sample?.origin ?? null
  // What was published holds what these results were, unless they came after it.
  const isLater = made.version !== undefined && made.version > (report.readable ?? report.version)
  const takenBack = isLater ? removed.assigned : 'all'
  const { collectedSaid, isDoubted } = sample ?? {}
  const ofSample = { origin, collectedSaid, isDoubted, contradictions: [...ofTime(sample ?? {}), ...contradictions] }
  const beside = { labErrors, withdrawn, reason, ...ofSample, before: report }
  const hidden = await writeReport(tx, row, { entries, axes, ...beside, takenBack })
  const others = made.version === undefined ? [] : (shown?.entries ?? []).filter((one) => !has(before?.entries, one))
  await unpublish(tx, report, { since: version, others })
  if (status === 'rejected') await withdrawAll(tx, kitId)
  const details = { version: row.version, withdrawn: withdrawn.map(({ biomarker }) => biomarker) }
  await audit.record(tx, [{ action: 'report.results_taken_back', objectType: 'report', objectId: report.id, details }])
  const state = stateOf(kit)
  if (standing(state) === 'reportReady') {
    const sampleStatus = isPartial ? ('partiallyResulted' as const) : ('resulted' as const)
    const isBack = status === 'rejected' && made.kitStood !== 'reportReady'
    const steps = isBack
      ? advance(state, made.kitStood, { at: tx.now, force: true })
      : [{ event: 'reportReady' as const, state: { ...state, sampleStatus, status } }]
    await applyChanges(tx, [{ kit, steps, isQuiet: true }])
  }
  const announced = { ...row, orderId: kit.orderId, difference: differenceOf(report.entries, entries, withdrawn) }
  const replaced = others.flatMap((one) =>
    left.has(one.id) && has(report.entries, one) && !has(entries, one)
      ? [{ biomarker: one.id, label: one.label, reason: NOT_THEIRS }]
      : [],
  )
  await announceWithdrawal(tx, announced, [...withdrawn, ...replaced], hidden)
  if (isPublished) await announceReport(tx, announced)
  return { reportId: report.id }
}

/** Whether a version has a result of the same value. */
const has = (entries: readonly BiomarkerEntry[] | undefined, { id, result, rawResult, rawUnit }: BiomarkerEntry) =>
  entries?.some(
    (one) => one.id === id && one.result === result && one.rawResult === rawResult && one.rawUnit === rawUnit,
  )

/** Nobody reads versions that were published with results of another person, nor are later ones compared with them. */
async function unpublish(
  tx: Tx,
  { id, publishedVersions }: StandingReport,
  { since, others }: { since: number; others: readonly BiomarkerEntry[] },
): Promise<void> {
  const gone: number[] = []
  for (const version of publishedVersions ?? []) {
    if (version < since) continue
    const entries = await selectEntries(tx, id, version)
    if (others.some((one) => has(entries, one))) gone.push(version)
  }
  if (gone.length > 0) await dropPublished(tx, id, gone)
}
