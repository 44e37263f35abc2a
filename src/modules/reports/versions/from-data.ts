import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { newReportId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import * as customers from '../../customers/service.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { originOf } from '../origin/service.ts'
import { markAwaits } from '../queries.ts'
import { holdsReport, type NewUnassessed } from '../unassessed/rules.ts'
import { keepUnassessed } from '../unassessed/service.ts'
import { vendorStatusOf } from './amend.ts'
import { holdingChecks, publishesItself } from './holding.ts'
import { announceReport } from './publish.ts'
import { writeReport } from './write.ts'

export interface DataReport {
  customerId: number
  /** The data that the results come from. */
  dataId: string
  /** Each biomarker once. */
  results: readonly NewResult[]
  /** `YYYY-MM-DD` */
  collectedDate: string
  resultedDate?: string
  labErrors?: readonly string[]
  /** Laboratory, specimen and times, as far as the file says. */
  origin?: Origin | undefined
  /** Results that came with them and could not be judged. */
  unassessed?: readonly NewUnassessed[]
  /** The document that they came in. */
  receivedId?: string
  /** A person publishes the report. */
  isHeld?: boolean
}

/**
 * Makes a report of results that a business added for a customer. They are judged like a laboratory's; without a kit
 * there is no panel that could be incomplete. One with a critical result, judged or
 * not, waits until it is acknowledged.
 * @throws CUSTOMER_NOT_FOUND
 */
export async function reportFromData(tx: Tx, data: DataReport): Promise<string> {
  const { customerId, dataId, results, collectedDate, resultedDate = collectedDate } = data
  const customer = await customers.find(tx, customerId, 'share')
  const labErrors = [...(data.labErrors ?? [])]
  const catalogue = await judging(tx)
  const { entries, axes } = judgeReport({
    catalogue,
    panel: [],
    results,
    previous: [],
    labErrors,
    subject: subjectOf(undefined, customer, collectedDate),
  })
  const { unassessed = [] } = data
  const origin = await originOf(tx, data.origin, { isForKit: false })
  const checked = { customer, catalogue, labErrors, origin, collectedDate, resultedDate }
  const { publishing } = await settings(tx)
  const holding = await holdingChecks(tx, { ...checked, reportId: undefined, entries, isAlone: publishing !== 'auto' })
  const holds = data.isHeld || unassessed.some(holdsReport) || holding.length > 0
  const own = publishesItself([], entries, { isAuto: publishing === 'auto', holds })
  const status = own.now ? 'published' : 'inReview'
  const id = newReportId()
  const publishedAt = status === 'published' ? tx.now : null
  const report = { id, customerId, kitId: null, status, version: 1, collectedDate, resultedDate, publishedAt } as const
  await writeReport(
    tx,
    { ...report, dataId, vendorStatus: vendorStatusOf(entries) },
    { entries, axes, labErrors, origin },
  )
  if (own.onceAcknowledged) await markAwaits(tx, id, 'acknowledgement')
  await keepUnassessed(tx, { customerId, dataId, report, receivedId: data.receivedId }, unassessed)
  await audit.record(tx, [{ action: 'report.made', objectType: 'report', objectId: id, details: { dataId } }])
  if (status === 'published') await announceReport(tx, { ...report, orderId: null })
  return id
}
