import type { Language } from '../../../domain/translations/translator.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { fhirBundle } from '../render/fhir.ts'
import { FHIR, type MediaType, PDF } from '../render/negotiate.ts'
import { reportPdf } from '../render/print.ts'
import type { Printable } from '../render/subject.ts'
import type { UnitSystem } from '../units/systems.ts'
import { reportAnswer, reviewAnswer } from './answer.ts'
import type { ReportAnswer, ReviewedReport } from './answer-schema.ts'
import { findPublishedReport, findReportForReview } from './find.ts'

export interface ReportQuery {
  customer: string
  reportId: string
  version?: number | undefined
  /** Of the PDF; default: the report's. */
  units?: UnitSystem | undefined
  language?: Language | undefined
  format: MediaType
  businessName: string
}

export type ServedReport = { report: ReportAnswer } | { contentType: string; body: string | Buffer }

const formats = { 'application/json': 'json', [FHIR]: 'fhir', [PDF]: 'pdf' } as const

/** A published report in the given format. The audit records the read: it is health data. @throws REPORT_NOT_FOUND */
export async function serveReport(tx: Tx, query: ReportQuery): Promise<ServedReport> {
  const { format, businessName, units, language } = query
  const { report, ...found } = await findPublishedReport(tx, query.customer, query.reportId, query.version)
  const details = { format: formats[format], version: report.details.version }
  await audit.record(tx, [{ action: 'report.read', objectType: 'report', objectId: report.id, details }])
  if (format === 'application/json') return { report: reportAnswer(report) }
  const color = format === PDF ? (await settings(tx)).brandColor : null
  const business = { id: tx.realm.businessId, name: businessName, color }
  const printable: Printable = { report, ...found, business, mode: tx.realm.mode }
  return format === FHIR
    ? { contentType: `${FHIR}; fhirVersion=4.0; charset=utf-8`, body: JSON.stringify(fhirBundle(printable)) }
    : { contentType: PDF, body: await reportPdf({ ...printable, units, language }) }
}

/** A report for review, published or not. The audit records the read. @throws REPORT_NOT_FOUND */
export async function serveReportForReview(tx: Tx, reportId: string): Promise<ReviewedReport> {
  const report = await findReportForReview(tx, reportId)
  const details = { format: 'review', version: report.details.version }
  await audit.record(tx, [{ action: 'report.read', objectType: 'report', objectId: report.id, details }])
  return reviewAnswer(report)
}
