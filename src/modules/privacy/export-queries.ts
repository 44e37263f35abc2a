import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

export interface KitRow {
  id: string
  orderId: string
  kitType: string
  kitStatus: string
  sampleStatus: string
  reportStatus: string
  progress: Record<string, string>
  shipment: Record<string, unknown>
  registeredEmail: string | null
  registeredAt: Date | null
  registration: Record<string, unknown> | null
  createdAt: Date
}

export function selectKits(tx: Tx, customerId: number): Promise<KitRow[]> {
  return tx.rows(sql<KitRow>`
    select id, order_id as "orderId", kit_type as "kitType", kit_status as "kitStatus", sample_status as "sampleStatus",
           report_status as "reportStatus", progress, shipment, registered_email as "registeredEmail",
           registered_at as "registeredAt", registration, created_at as "createdAt"
    from kits where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by seq`)
}

export interface ConsentRow {
  kitId: string
  firstName: string | null
  lastName: string | null
  email: string | null
  consentVersion: string
  research: boolean
  ip: string | null
  at: Date
}

export function selectConsents(tx: Tx, kitIds: string[]): Promise<ConsentRow[]> {
  return tx.rows(sql<ConsentRow>`
    select kit_id as "kitId", first_name as "firstName", last_name as "lastName", email,
           consent_version as "consentVersion", research, ip, at
    from consents where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) order by id`)
}

export interface OrderRow {
  id: string
  status: string
  sku: string
  quantity: number
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  address: Record<string, unknown> | null
  externalId: string | null
  externalTags: string[]
  createdAt: Date
}

/** Orders of the kits, and orders sent to the e-mail. */
export function selectOrders(tx: Tx, orderIds: string[], email: string): Promise<OrderRow[]> {
  return tx.rows(sql<OrderRow>`
    select id, status, sku, quantity, first_name as "firstName", last_name as "lastName", email, phone, address,
           external_id as "externalId", external_tags as "externalTags", created_at as "createdAt"
    from orders where realm_id = ${tx.realm.id} and (id = any(${orderIds}) or lower(email) = lower(${email}))
    order by seq`)
}

export interface ReportRow {
  id: string
  kitId: string | null
  status: string
  vendorStatus: string
  collectedDate: string | null
  resultedDate: string | null
  publishedAt: Date | null
  createdAt: Date
}

export function selectReports(tx: Tx, customerId: number): Promise<ReportRow[]> {
  return tx.rows(sql<ReportRow>`
    select id, kit_id as "kitId", status, vendor_status as "vendorStatus", collected_date as "collectedDate",
           resulted_date as "resultedDate", published_at as "publishedAt", created_at as "createdAt"
    from reports where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by created_at, id`)
}

export interface VersionRow {
  reportId: string
  version: number
  scoreVersion: string
  axes: unknown
  suggestions: unknown
  labErrors: unknown
  reason: string | null
  createdAt: Date
  results: unknown[]
}

/** Every version with its results, as they were judged. */
export function selectVersions(tx: Tx, reportIds: string[]): Promise<VersionRow[]> {
  return tx.rows(sql<VersionRow>`
    select v.report_id as "reportId", v.version, v.score_version as "scoreVersion", v.axes, v.suggestions,
           v.lab_errors as "labErrors", v.reason, v.created_at as "createdAt",
           coalesce((select jsonb_agg(r.judged order by r.position) from report_results r
                     where r.realm_id = v.realm_id and r.report_id = v.report_id and r.version = v.version), '[]') as results
    from report_versions v
    where v.realm_id = ${tx.realm.id} and v.report_id = any(${reportIds}) order by v.report_id, v.version`)
}

export interface UnassessedRow {
  name: string
  value: string
  unit: string
  range: string
  flag: string
  reason: string
  kitId: string | null
  reportId: string | null
  receivedAt: Date
}

/** What was received for the person and not judged. */
export function selectUnassessed(tx: Tx, customerId: number): Promise<UnassessedRow[]> {
  return tx.rows(sql<UnassessedRow>`
    select name, value, unit, range, flag, reason, kit_id as "kitId", report_id as "reportId", received_at as "receivedAt"
    from unassessed_results where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by received_at, place, id`)
}

export interface AuditRow {
  at: Date
  actor: string
  action: string
  objectType: string
  objectId: string
  details: Record<string, unknown> | null
}

export function selectAudit(
  tx: Tx,
  ids: { customerId: number; kitIds: string[]; orderIds: string[]; reportIds: string[] },
): Promise<AuditRow[]> {
  return tx.rows(sql<AuditRow>`
    select at, actor, action, object_type as "objectType", object_id as "objectId", details
    from audit_entries
    where realm_id = ${tx.realm.id} and (object_type, object_id) in (
      select 'customer', ${String(ids.customerId)}::text
      union all select 'kit', unnest(${ids.kitIds}::text[])
      union all select 'order', unnest(${ids.orderIds}::text[])
      union all select 'report', unnest(${ids.reportIds}::text[]))
    order by id`)
}

export interface DataRow {
  id: string
  kind: string
  date: string
  payload: unknown
  documents: { docId: string; fileName: string | null; mediaType: string; bytes: number }[]
  createdAt: Date
  /** It has made reports, and all of them are published. */
  isPublished: boolean
}

/** What was added about a customer; of files what they are, since their content is in the reports. */
export function selectData(tx: Tx, customerId: number): Promise<DataRow[]> {
  return tx.rows(sql<DataRow>`
    select d.id, d.kind, d.date, d.payload, d.created_at as "createdAt",
      (select coalesce(jsonb_agg(jsonb_build_object('docId', o.id, 'fileName', o.file_name, 'mediaType', o.media_type,
         'bytes', length(o.content))), '[]')
       from documents o where o.realm_id = d.realm_id and o.data_id = d.id) as documents,
      (select coalesce(bool_and(r.status = 'published'), false)
       from reports r where r.realm_id = d.realm_id and r.data_id = d.id) as "isPublished"
    from customer_data d where d.realm_id = ${tx.realm.id} and d.customer_id = ${customerId} order by d.created_at, d.id`)
}

export interface EmailRow {
  kind: string
  subject: string
  status: string
  createdAt: Date
}

export function selectEmails(tx: Tx, email: string): Promise<EmailRow[]> {
  return tx.rows(sql<EmailRow>`
    select kind, subject, status, created_at as "createdAt" from emails
    where realm_id = ${tx.realm.id} and lower(recipient) = lower(${email}) order by position`)
}
