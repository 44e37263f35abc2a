import { newReportId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { biomarkers } from '../../catalogue/service.ts'
import * as customers from '../../customers/service.ts'
import type { NewResult } from '../judge/entry.ts'
import { judgeReport } from '../judge/judge.ts'
import { scoreVersion } from '../judge/score-constants.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import { insertVersion, upsertReport } from '../queries.ts'
import { holdsReport, type NewUnassessed } from '../unassessed/rules.ts'
import { keepUnassessed } from '../unassessed/service.ts'
import { announceReport } from './publish.ts'
import { subjectOf } from './receive.ts'

export interface DataReport {
  customerId: number
  /** The data that it is made from. */
  dataId: string
  /** Each biomarker once. */
  results: readonly NewResult[]
  /** `YYYY-MM-DD` */
  collectedDate: string
  resultedDate?: string
  labErrors?: readonly string[]
  /** What came with them and could not be judged. */
  unassessed?: readonly NewUnassessed[]
}

/**
 * Makes a report from results that a business added for a customer: judged like a laboratory's, without a kit and so
 * without a panel that could be incomplete. Something critical that could not be judged keeps it from being published
 * without a person. @throws CUSTOMER_NOT_FOUND
 */
export async function reportFromData(tx: Tx, data: DataReport): Promise<string> {
  const { customerId, dataId, results, collectedDate, resultedDate = collectedDate } = data
  const customer = await customers.find(tx, customerId, 'share')
  const labErrors = [...(data.labErrors ?? [])]
  const { entries, axes } = judgeReport({
    catalogue: await biomarkers(tx),
    panel: [],
    results,
    previous: [],
    labErrors,
    subject: subjectOf(undefined, customer, collectedDate),
  })
  const { unassessed = [] } = data
  const isHeld = unassessed.some(holdsReport)
  const status = (await settings(tx)).publishing === 'auto' && !isHeld ? 'published' : 'inReview'
  const id = newReportId()
  const publishedAt = status === 'published' ? tx.now : null
  const row = { id, customerId, kitId: null, dataId, status, vendorStatus: 'final', version: 1 } as const
  await upsertReport(tx, { ...row, collectedDate, resultedDate, publishedAt })
  const suggestions = suggestionsFor(entries)
  await insertVersion(tx, {
    reportId: id,
    version: 1,
    entries,
    axes,
    suggestions,
    labErrors,
    scoreVersion,
    reason: null,
    withdrawn: [],
    collectedDate,
    resultedDate,
  })
  await keepUnassessed(tx, { customerId, dataId, report: { id, version: 1 } }, unassessed)
  await audit.record(tx, [{ action: 'report.made', objectType: 'report', objectId: id, details: { dataId } }])
  if (status === 'published') await announceReport(tx, { id, customerId, kitId: null, orderId: null, version: 1 })
  return id
}
