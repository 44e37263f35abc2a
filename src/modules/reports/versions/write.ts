import type { Tx } from '../../../platform/database/tx.ts'
import type { JudgedReport } from '../judge/judge.ts'
import { scoreVersion } from '../judge/score-constants.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import { insertVersion, type NewVersion, type ReportRow, updateReportVersion, upsertReport } from '../queries.ts'

/** What a new version of a report says. */
export interface VersionContent extends Pick<JudgedReport, 'entries' | 'axes'> {
  labErrors: string[]
  withdrawn?: NewVersion['withdrawn']
  /** Why there is a new version. */
  reason?: string | null
}

/** Writes a report, new or changed, with a new version. */
export async function writeReport(
  tx: Tx,
  report: ReportRow & { dataId?: string },
  content: VersionContent,
): Promise<void> {
  await upsertReport(tx, report)
  await insertVersion(tx, versionOf(report, content))
}

/** Writes a new version of a report that changes in nothing else. */
export async function writeVersion(tx: Tx, report: ReportRow, content: VersionContent): Promise<void> {
  await updateReportVersion(tx, report.id, report.version)
  await insertVersion(tx, versionOf(report, content))
}

function versionOf(
  { id, version, collectedDate, resultedDate }: ReportRow,
  { entries, axes, labErrors, withdrawn = [], reason = null }: VersionContent,
): NewVersion {
  const suggestions = suggestionsFor(entries)
  const dates = { collectedDate, resultedDate }
  return { reportId: id, version, entries, axes, suggestions, labErrors, scoreVersion, withdrawn, reason, ...dates }
}
