import type { Tx } from '../../platform/database/tx.ts'
import { type CustomerRow, maybeFind } from '../customers/service.ts'
import { reportNotFound } from './publish.ts'
import { type PublishedRow, selectAxes, selectChanges, selectPublished, selectResults } from './queries.ts'
import { type BiomarkerEntry, type Change, type Report, ValueThen } from './schema.ts'

export interface Published {
  report: Report
  owner: CustomerRow
  /** When the version shown could first be read. */
  issuedAt: Date
}

/**
 * A published report of a customer (number or external_id), in its newest or the asked version, with the history of
 * each value. @throws REPORT_NOT_FOUND; also when it is not published or another's
 */
export async function findPublished(tx: Tx, customer: string, reportId: string, version?: number): Promise<Published> {
  const owner = await maybeFind(tx, customer)
  const row = owner && (await selectPublished(tx, { customerId: owner.id, reportId, version }))
  if (!row) throw reportNotFound()
  const key = { customerId: row.customerId, reportId, version: row.shownVersion }
  const results = await selectResults(tx, key)
  const earlier = await selectAxes(tx, key)
  const changes = row.shownVersion > 1 ? (await selectChanges(tx, key)).map(changeOf) : undefined
  const timestampOf = timestamps()
  const historic = (axis: string) =>
    earlier.flatMap(({ axes, day }) => {
      const result = axes.find((entry) => entry.axis === axis)?.result ?? null
      return result === null ? [] : [{ result, timestamp: timestampOf(day) }]
    })
  const report: Report = {
    id: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    axes: row.axes.map((entry) => ({ ...entry, historic: historic(entry.axis) })),
    biomarker: results.map(({ judged, historic }) => ({
      ...judged,
      historic: (historic ?? []).map(([day, result]) => ({ result, timestamp: timestampOf(day) })),
    })),
    suggestions: row.suggestions,
    details: { ...details(row), ...(changes && { changes }) },
    labParamsError: row.labErrors,
  }
  return { report, owner, issuedAt: row.shownSince }
}

const DAY_MS = 86_400_000

/** Writes out days since 1970, each once: a history repeats few days many times. */
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
    ...(before && { before: ValueThen.parse(before) }),
    ...(after && { after: ValueThen.parse(after) }),
  }
}

function details(row: PublishedRow): Report['details'] {
  return {
    ...(row.collectedDate !== null && { collectedDate: row.collectedDate }),
    ...(row.resultedDate !== null && { resultedDate: row.resultedDate }),
    status: 'published',
    vendorStatus: row.vendorStatus,
    version: row.shownVersion,
    latestVersion: row.version,
    ...(row.publishedAt !== null && { publishedDate: row.publishedAt.toISOString() }),
    ...(row.reason !== null && { reason: row.reason }),
  }
}
