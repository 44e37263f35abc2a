import { newReportId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refuse } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import { biomarkers, findPanel } from '../../catalogue/service.ts'
import * as customers from '../../customers/service.ts'
import { lockKit, moveKit, setReportStatus } from '../../kits/move.ts'
import type { KitRow } from '../../kits/queries.ts'
import { stateOf } from '../../kits/records.ts'
import { illegal, standing } from '../../kits/rules.ts'
import type { NewResult } from '../judge/entry.ts'
import type { Subject } from '../judge/formulas.ts'
import { judgeReport } from '../judge/judge.ts'
import { scoreVersion } from '../judge/score-constants.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import { insertVersion, type ReportRow, selectEntries, selectReportOfKit, upsertReport } from '../queries.ts'
import type { ReportStatus, VendorStatus } from '../schema.ts'
import { joinUnassessedToReport, replaceUnassessedOfKit } from '../unassessed/queries.ts'
import { holdsReport, type NewUnassessed } from '../unassessed/rules.ts'
import { keepUnassessed, unassessedKey } from '../unassessed/service.ts'
import { announceReport } from './publish.ts'
import { type Withdrawal, withdrawnResults } from './withdraw.ts'

export interface ReceivedResults {
  kitId: string
  /** Each biomarker once. */
  results: readonly NewResult[]
  /** The laboratory's word on whether more is to come; default: while a marker of the panel is missing. */
  partial?: boolean
  /** `YYYY-MM-DD` */
  collectedDate?: string
  /** `YYYY-MM-DD`; default today. */
  resultedDate?: string
  /** HEMOLYSIS, QNS, DELAYED_SAMPLE_DELIVERY; default: what was said of this sample before. */
  labErrors?: readonly string[]
  /** Earlier results that no longer hold: the new version does not show them, nor what was computed from them. */
  withdrawals?: readonly Withdrawal[]
  /** The laboratory says that it corrects what it sent before. */
  corrected?: boolean
  /** Why there is a new version. */
  reason?: string
  /** What came with them and could not be judged. */
  unassessed?: readonly NewUnassessed[]
  /** What the laboratory called the results: what was kept under such a name has come again. */
  names?: readonly { name: string; loinc?: string }[]
}

/**
 * Takes in a laboratory's results for a kit: converts, judges, writes the report and moves the kit to reportReady.
 * Results that come later make a new version, which keeps what they do not name. A report that is published stays so:
 * a correction must reach whoever read the old value. What cannot be used is kept raw and said; a critical one among it
 * keeps a report that is not published from being so by itself.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION when the kit has no person yet or its sample was rejected;
 * VALIDATION_FAILED for an unknown biomarker or one that comes twice
 */
export async function receiveResults(tx: Tx, input: ReceivedResults): Promise<{ reportId: string }> {
  const kit = await lockKit(tx, input.kitId)
  if (kit.customerId === null) {
    throw illegal(stateOf(kit), 'reportReady', 'The kit is not registered to a person, so it can have no results')
  }
  const customer = await customers.find(tx, kit.customerId, 'share')
  const catalogue = await biomarkers(tx)
  assertResults(catalogue, input.results)
  const before = await selectReportOfKit(tx, kit.id)
  const resultedDate = input.resultedDate ?? tx.now.toISOString().slice(0, 10)
  const collectedDate = input.collectedDate ?? before?.collectedDate ?? null
  const labErrors = [...(input.labErrors ?? before?.labErrors ?? [])]
  const { withdrawals = [] } = input
  const previous = before ? await selectEntries(tx, before.id, before.version) : []
  const { entries, axes, missing } = judgeReport({
    catalogue,
    panel: (await findPanel(tx, kit.kitType)).biomarkers,
    results: input.results,
    withdrawn: withdrawals.map(({ biomarkerId }) => biomarkerId),
    previous,
    labErrors,
    subject: subjectOf(kit, customer, collectedDate ?? resultedDate),
  })
  const partial = input.partial ?? missing.length > 0
  const { unassessed = [], names = [] } = input
  const keys = [...names, ...unassessed].map(({ name, loinc }) => unassessedKey(name, loinc))
  const kept = await replaceUnassessedOfKit(tx, kit.id, keys, before?.version ?? 0)
  const isHeld = kept.isHeld || unassessed.some(holdsReport)
  const status = statusOf(before, (await settings(tx)).publishing, isHeld)
  const report: ReportRow = {
    id: before?.id ?? newReportId(),
    customerId: kit.customerId,
    kitId: kit.id,
    status,
    vendorStatus: vendorStatusOf(before, partial, input.corrected || withdrawals.length > 0),
    version: (before?.version ?? 0) + 1,
    collectedDate,
    resultedDate,
    publishedAt: before?.publishedAt ?? (status === 'published' ? tx.now : null),
  }
  await upsertReport(tx, report)
  const suggestions = suggestionsFor(entries)
  const withdrawn = withdrawnResults(previous, entries, withdrawals)
  const reason = input.reason ?? (withdrawn.length > 0 ? 'The laboratory withdrew a result' : null)
  const judged = { entries, axes, suggestions, labErrors, scoreVersion, withdrawn, reason }
  const { version } = report
  await insertVersion(tx, { ...judged, reportId: report.id, version, collectedDate, resultedDate })
  if (kept.isLoose) await joinUnassessedToReport(tx, kit.id, report)
  await keepUnassessed(tx, { customerId: kit.customerId, kitId: kit.id, report }, unassessed)
  await audit.record(tx, [
    {
      action: 'report.received',
      objectType: 'report',
      objectId: report.id,
      details: { version, ...(withdrawn.length > 0 && { withdrawn: withdrawn.map(({ biomarker }) => biomarker) }) },
    },
  ])
  await moveKitOn(tx, kit, { partial, status })
  if (status === 'published') {
    await announceReport(tx, {
      ...report,
      orderId: kit.orderId,
      withdrawn: withdrawn.map(({ biomarker }) => biomarker),
    })
  }
  return { reportId: report.id }
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

/** Who a sample is of. What was said when the kit was registered counts before what the customer's record says. */
export function subjectOf(
  kit: Pick<KitRow, 'registration'> | undefined,
  customer: Pick<customers.CustomerRow, 'dateOfBirth' | 'gender'>,
  on: string,
): Subject {
  const said = (kit?.registration ?? null) as { dateOfBirth?: string; sex?: 'M' | 'F' } | null
  const born = said?.dateOfBirth ?? customer.dateOfBirth
  const sex = said?.sex ?? (customer.gender === 'X' ? null : customer.gender)
  return { ...(sex && { sex }), ...(born && { ageYears: ageOn(born, on) }) }
}

/** Whole years between two dates. */
function ageOn(born: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4))
  return on.slice(5) < born.slice(5) ? years - 1 : years
}

function statusOf(before: ReportRow | undefined, publishing: 'manual' | 'auto', isHeld: boolean): ReportStatus {
  if (before?.status === 'published') return 'published'
  return publishing === 'auto' && !isHeld ? 'published' : 'inReview'
}

function vendorStatusOf(before: ReportRow | undefined, partial: boolean, corrected = false): VendorStatus {
  if (before && (corrected || before.vendorStatus !== 'partial')) return 'corrected'
  return partial ? 'partial' : 'final'
}

/** A kit that had all its results stays where it is; only its report can change. */
async function moveKitOn(tx: Tx, kit: KitRow, now: { partial: boolean; status: ReportStatus }): Promise<void> {
  const isComplete = standing(stateOf(kit)) === 'reportReady' && kit.sampleStatus === 'resulted'
  if (isComplete && kit.status !== 'rejected') await setReportStatus(tx, kit.id, now.status)
  else await moveKit(tx, kit.id, 'reportReady', { partial: now.partial, autoPublish: now.status === 'published' })
}
