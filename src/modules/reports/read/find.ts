import { withdrawnMark } from '@kitlane/display/report-text'
import type { Tx } from '../../../platform/database/tx.ts'
import { type CustomerRow, maybeFind } from '../../customers/service.ts'
import { readingOf } from '../judge/reading.ts'
import type { BiomarkerEntry, Change, Report, ReportForReview, ValueThen, Withdrawn } from '../schema.ts'
import { selectUnassessed } from '../unassessed/queries.ts'
import { reportNotFound } from '../versions/publish.ts'
import {
  type ResultRow,
  type ShownReportRow,
  selectAxesHistory,
  selectChanges,
  selectPublishedReport,
  selectReportForReview,
  selectResultsWithHistory,
  selectWithdrawn,
} from './queries.ts'

export interface PublishedReport {
  report: Report
  owner: CustomerRow
  /** When the version shown could first be read. */
  issuedAt: Date
}

/**
 * A published report of a customer (number or external_id), in its newest or the given version, with the history of each
 * value. @throws REPORT_NOT_FOUND, also if it is not published or belongs to somebody else
 */
export async function findPublishedReport(
  tx: Tx,
  customer: string,
  reportId: string,
  version?: number,
): Promise<PublishedReport> {
  const owner = await maybeFind(tx, customer)
  const row = owner && (await selectPublishedReport(tx, { customerId: owner.id, reportId, version }))
  if (!row) throw reportNotFound()
  const { details, ...rest } = await composeReport(tx, row)
  return { report: { ...rest, details: { ...details, status: 'published' } }, owner, issuedAt: row.shownSince }
}

/** A report in its newest version, published or not, with its customer. @throws REPORT_NOT_FOUND */
export async function findReportForReview(tx: Tx, reportId: string): Promise<ReportForReview> {
  const row = await selectReportForReview(tx, reportId)
  if (!row) throw reportNotFound()
  const { details, ...rest } = await composeReport(tx, row)
  const customer = { id: row.customerId, ...(row.customerName !== null && { name: row.customerName }) }
  return { ...rest, status: row.status, customer, details: { ...details, status: row.status } }
}

type ComposedReport = Omit<Report, 'details'> & { details: Omit<Report['details'], 'status'> }

/** The version shown with the history of each value. */
async function composeReport(tx: Tx, row: ShownReportRow): Promise<ComposedReport> {
  const key = { customerId: row.customerId, reportId: row.id, version: row.shownVersion }
  const results = await selectResultsWithHistory(tx, key)
  const earlier = await selectAxesHistory(tx, key)
  const changes = row.shownVersion > 1 ? (await selectChanges(tx, key)).map(changeOf) : undefined
  const withdrawn = row.version > 1 ? await selectWithdrawn(tx, row.id) : []
  const { now, later } = splitWithdrawn(withdrawn, row.shownVersion, results)
  const timestampOf = timestamps()
  const historic = (axis: string) =>
    earlier.flatMap(({ axes, day, kitType }) => {
      const result = axes.find((entry) => entry.axis === axis)?.result ?? null
      return result === null ? [] : [{ result, timestamp: timestampOf(day), ...(kitType !== null && { kitType }) }]
    })
  return {
    id: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    axes: row.axes.map((entry) => ({ ...entry, historic: historic(entry.axis) })),
    biomarker: results.map(({ judged, historic }) => ({
      ...markedAs(later.get(judged.id), judged),
      historic: (historic ?? []).map(([day, result, raw, kitType]) => ({
        result,
        ...rawResult(raw),
        timestamp: timestampOf(day),
        ...(kitType !== null && { kitType }),
      })),
    })),
    suggestions: row.suggestions,
    details: {
      ...detailsOf(row),
      ...(changes && { changes: changes.filter(({ biomarker, after }) => after || !now.has(biomarker)).map(unspoilt) }),
      ...(now.size > 0 && { withdrawn: [...now.values()] }),
    },
    labParamsError: row.labErrors,
    scoreVersion: row.scoreVersion,
    unassessed: await selectUnassessed(tx, row.id, row.shownVersion),
  }
}

/** Old entries have only the text. */
function rawResult(raw: number | string | null): { rawResult?: number } {
  const value = typeof raw === 'string' ? readingOf(raw)?.value : raw
  return value === null || value === undefined ? {} : { rawResult: value }
}

/** A value that is hidden because the sample was bad is not shown as the earlier one either. */
function unspoilt({ before, ...change }: Change): Change {
  const isHidden = change.after?.result === null && change.after.rawResult === ''
  return before && !isHidden ? { ...change, before } : change
}

/** `now`: withdrawn up to this version, without a new result in it. `later`: shown here and withdrawn afterwards. */
function splitWithdrawn(all: readonly Withdrawn[], version: number, results: readonly ResultRow[]) {
  const shown = new Set(results.map(({ judged }) => judged.id))
  const now = all.filter((one) => one.version <= version && !shown.has(one.biomarker))
  const later = all.filter((one) => one.version > version && shown.has(one.biomarker)).toReversed()
  const byId = (some: readonly Withdrawn[]) => new Map(some.map((one) => [one.biomarker, one]))
  return { now: byId(now), later: byId(later) }
}

/** A withdrawn result is marked in older versions. */
function markedAs(withdrawn: Withdrawn | undefined, entry: BiomarkerEntry) {
  if (!withdrawn) return entry
  return { ...entry, withdrawn, note: [withdrawnMark(withdrawn), entry.note].filter(Boolean).join(' ') }
}

const DAY_MS = 86_400_000

/** Formats days since 1970, each once: a history repeats few days many times. */
function timestamps(): (day: number) => string {
  const known = new Map<number, string>()
  return (day) => {
    const found = known.get(day) ?? new Date(day * DAY_MS).toISOString()
    known.set(day, found)
    return found
  }
}

function changeOf({ before, after }: { before: BiomarkerEntry | null; after: BiomarkerEntry | null }): Change {
  const { id = '', label = '' } = after ?? before ?? {}
  return {
    biomarker: id,
    label,
    ...(before && { before: valueThen(before) }),
    ...(after && { after: valueThen(after) }),
  }
}

function valueThen(entry: BiomarkerEntry): ValueThen {
  const { result, comparator, rawResult, rawUnit, unit, displayUnit, state, interpretation } = entry
  return { result, rawResult, rawUnit, unit, displayUnit, state, interpretation, ...(comparator && { comparator }) }
}

function detailsOf(row: ShownReportRow): ComposedReport['details'] {
  return {
    ...(row.collectedDate !== null && { collectedDate: row.collectedDate }),
    ...(row.resultedDate !== null && { resultedDate: row.resultedDate }),
    vendorStatus: row.vendorStatus,
    version: row.shownVersion,
    latestVersion: row.version,
    ...(row.publishedAt !== null && { publishedDate: row.publishedAt.toISOString() }),
    ...(row.reason !== null && { reason: row.reason }),
  }
}
