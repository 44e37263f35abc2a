import type { Sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../../platform/database/tx.ts'
import { modulesOf } from '../../define-module.ts'
import { raiseOfVersion } from '../critical/raise.ts'
import { criticalOfEntries, isCriticalEntry } from '../critical/rules.ts'
import type { JudgedReport } from '../judge/judge.ts'
import { scoreVersion } from '../judge/score-constants.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import {
  insertVersion,
  keepVersion,
  type NewVersion,
  type ReportRow,
  type StandingReport,
  selectEntries,
  updateReportVersion,
  upsertReport,
} from '../queries.ts'
import { type BiomarkerEntry, isUsable, type WithdrawnResult } from '../schema.ts'
import type { VersionContent } from '../sealed-queries.ts'
import { postponeUnassessed } from '../unassessed/queries.ts'

/** What is known of a new version of a report. */
export interface JudgedVersion extends Pick<JudgedReport, 'entries' | 'axes'> {
  labErrors: string[]
  withdrawn?: readonly (WithdrawnResult & { reason: Sentence })[]
  /** Why there is a new version. */
  reason?: Sentence | null
  origin: VersionContent['origin']
  replaced?: VersionContent['replaced']
  isDoubted?: VersionContent['isDoubted']
  collectedSaid?: VersionContent['collectedSaid']
  contradictions?: VersionContent['contradictions']
  /** The report as it was, where there was one. */
  before?: StandingReport | undefined
  /** The biomarkers whose earlier results nobody may use any more; all: nor any other of the sample. */
  takenBack?: readonly string[] | 'all'
  receivedAt?: Date | undefined
}

/** Writes a report, new or changed, with a new version. Returns what could be read of it before, and cannot any more. */
export async function writeReport(
  tx: Tx,
  report: ReportRow & { dataId?: string },
  judged: JudgedVersion,
): Promise<readonly BiomarkerEntry[]> {
  await upsertReport(tx, { ...report, isCritical: isUrgent(report, judged) })
  return addVersion(tx, report, judged)
}

/** Writes a new version of a report, and its status; nothing else of the report changes. Returns the same. */
export async function writeVersion(tx: Tx, report: ReportRow, judged: JudgedVersion) {
  await updateReportVersion(tx, report.id, { ...report, isCritical: isUrgent(report, judged) })
  return addVersion(tx, report, judged)
}

async function addVersion(tx: Tx, report: ReportRow, judged: JudgedVersion): Promise<readonly BiomarkerEntry[]> {
  await insertVersion(tx, versionOf(report, judged))
  const hidden = await keepPublished(tx, report, judged)
  await raise(tx, report, judged)
  return hidden
}

/** What was published stays readable behind a version that waits, unless that takes something of it back: then it is returned. */
async function keepPublished(
  tx: Tx,
  { id, status, version }: ReportRow,
  { entries, before, takenBack = [] }: JudgedVersion,
): Promise<readonly BiomarkerEntry[]> {
  if (status === 'published' && version > 1) await postponeUnassessed(tx, id, version)
  if (status === 'published' || !before || before.readable === null) return []
  const published = before.readable === before.version ? before.entries : await selectEntries(tx, id, before.readable)
  const isKept = status === 'inReview' && takenBack !== 'all' && staysReadable(published, entries, takenBack)
  if (isKept) await keepVersion(tx, id, before)
  return isKept ? [] : published
}

/** Whether a later version still has each result of a published one: what it lacks, or cannot use, nobody may use in the earlier one. */
function staysReadable(
  published: readonly BiomarkerEntry[],
  later: readonly BiomarkerEntry[],
  takenBack: readonly string[],
): boolean {
  const usable = new Set(later.filter(isUsable).map(({ id }) => id))
  return published.every((entry) => !isUsable(entry) || (usable.has(entry.id) && !takenBack.includes(entry.id)))
}

/** A first version without critical results closes none: no statement. */
async function raise(
  tx: Tx,
  report: ReportRow,
  { entries, origin, takenBack, receivedAt }: JudgedVersion,
): Promise<void> {
  const { id, customerId, kitId, version } = report
  const critical = criticalOfEntries(entries)
  if (critical.length > 0 || version > 1) await raiseOfVersion(tx, { customerId, kitId, reportId: id }, critical)
  const changed = { ...report, entries, origin, isDoubted: takenBack === 'all', receivedAt }
  for (const module of modulesOf(tx.context)) await module.afterReport?.(tx, changed)
}

/** Whether a person has to look at a report before others. */
const isUrgent = ({ status }: ReportRow, { entries }: JudgedVersion) =>
  status === 'inReview' && entries.some(isCriticalEntry)

function versionOf(
  { id, version, collectedDate, resultedDate }: ReportRow,
  { entries, axes, labErrors, withdrawn = [], reason = null, origin, ...rest }: JudgedVersion,
): NewVersion {
  const { replaced, isDoubted, collectedSaid, contradictions = [] } = rest
  const content = {
    entries,
    axes,
    suggestions: suggestionsFor(entries).map(({ text, ...one }) => ({
      text: String(text),
      textKept: text.kept(),
      ...one,
    })),
    labErrors,
    withdrawn: withdrawn.map((one) => ({ ...one, ...keptReason(one.reason) })),
    ...(reason ? keptReason(reason) : { reason: null }),
    origin,
    ...(replaced && { replaced }),
    ...(isDoubted && { isDoubted }),
    ...(collectedSaid && { collectedSaid }),
    ...(contradictions.length > 0 && { contradictions }),
  }
  return { reportId: id, version, content, scoreVersion, collectedDate, resultedDate }
}

const keptReason = (reason: Sentence) => ({ reason: String(reason), reasonKept: reason.kept() })
