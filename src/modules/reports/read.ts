import type { Tx } from '../../platform/database/tx.ts'
import { maybeFind } from '../customers/service.ts'
import { reportNotFound } from './publish.ts'
import { type PublishedRow, selectAxes, selectPublished, selectResults } from './queries.ts'
import type { Report } from './schema.ts'

/**
 * A published report of a customer (number or external_id), in its newest or the asked version, with the history of
 * each value. @throws REPORT_NOT_FOUND; also when it is not published or another's
 */
export async function findPublished(tx: Tx, customer: string, reportId: string, version?: number): Promise<Report> {
  const owner = await maybeFind(tx, customer)
  const row = owner && (await selectPublished(tx, { customerId: owner.id, reportId, version }))
  if (!row) throw reportNotFound()
  const key = { customerId: row.customerId, reportId, version: row.shownVersion }
  const results = await selectResults(tx, key)
  const earlier = await selectAxes(tx, key)
  const historic = (axis: string) =>
    earlier.flatMap(({ axes, timestamp }) => {
      const result = axes.find((entry) => entry.axis === axis)?.result ?? null
      return result === null ? [] : [{ result, timestamp }]
    })
  return {
    id: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    axes: row.axes.map((entry) => ({ ...entry, historic: historic(entry.axis) })),
    biomarker: results.map(({ judged, historic }) => ({ ...judged, historic })),
    suggestions: row.suggestions,
    details: details(row),
    labParamsError: row.labErrors,
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
