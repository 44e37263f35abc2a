import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { withWords } from '../audit/words-queries.ts'
import type { EventData } from '../events/queries.ts'
import { openData, storedText } from '../events/sealed-queries.ts'
import { isHeldByRecall, isMarked } from '../kits/recall-queries.ts'
import {
  isSentTo,
  mayBeSentTo,
  type Recipient,
  type SealedApproval,
  sealedApprovals,
  sealedRecipients,
} from '../kits/recipient-queries.ts'
import { openKits, type RegisteredPerson, sealedKits } from '../kits/sealed-queries.ts'
import { fileBytes } from '../lab/data-queries.ts'
import { sealedData, sealedFileNames } from '../lab/sealed-queries.ts'
import type { ApprovalState, StoredApproval } from '../orders/queries.ts'
import { readableVersion } from '../reports/queries.ts'
import { sealedVersions, type VersionContent, versionKey } from '../reports/sealed-queries.ts'
import { type SealedUnassessed, sealedUnassessed } from '../reports/unassessed/sealed-queries.ts'

export interface KitRow extends RegisteredPerson {
  id: string
  orderId: string
  kitType: string
  kitStatus: string
  sampleStatus: string
  reportStatus: string
  progress: Record<string, string>
  shipment: Record<string, unknown>
  registeredAt: Date | null
  createdAt: Date
}

export const selectKits = (tx: Tx, customerId: number): Promise<KitRow[]> =>
  selectKitsThat(tx, sql`customer_id = ${customerId}`)

/** Also kits whose registration waits for a person. */
export const selectKitsIn = (tx: Tx, ids: readonly string[]): Promise<KitRow[]> =>
  selectKitsThat(tx, sql`id = any(${ids})`)

async function selectKitsThat(tx: Tx, condition: RawBuilder<unknown>): Promise<KitRow[]> {
  const rows = await tx.rows(sql<Omit<KitRow, keyof RegisteredPerson> & { sealed: Sealed<RegisteredPerson> }>`
    select id, order_id as "orderId", kit_type as "kitType", kit_status as "kitStatus", sample_status as "sampleStatus",
           report_status as "reportStatus", progress, shipment, ${sealedKits.of('kits')} as sealed,
           registered_at as "registeredAt", created_at as "createdAt"
    from kits where realm_id = ${tx.realm.id} and ${condition} order by seq`)
  return openKits(tx, rows)
}

export interface OrderRow extends Recipient {
  id: string
  status: string
  sku: string
  quantity: number
  externalId: string | null
  externalTags: string[]
  createdAt: Date
  approvalState: ApprovalState | null
  approval: StoredApproval | null
  /** Of the approval. */
  why: string | null
}

/** Orders of the kits, and orders sent to the e-mail. */
export async function selectOrders(tx: Tx, orderIds: string[], email: string): Promise<OrderRow[]> {
  const keys = await keyringOf(tx)
  const found = await mayBeSentTo(tx, email)
  const rows = await tx.rows(sql<
    Omit<OrderRow, 'why' | keyof Recipient> & { recipient: Sealed<Recipient>; said: Sealed<SealedApproval> }
  >`
    select id, status, sku, quantity, ${sealedRecipients.of('o')} as recipient, approval_state as "approvalState",
           approval, ${sealedApprovals.of('o')} as said, external_id as "externalId", external_tags as "externalTags", created_at as "createdAt"
    from orders o
    where realm_id = ${tx.realm.id} and id = any(array(select unnest(${orderIds}::text[]) union ${found}))
      and (id = any(${orderIds}) or ${isSentTo(keys, email)})
    order by seq`)
  return rows.map(({ recipient, said, ...order }) => ({
    ...order,
    ...sealedRecipients.open(keys, [order.id], recipient),
    why: sealedApprovals.open(keys, [order.id], said).reason,
  }))
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
  /** The version that readers see, and all that were published; null in reports of earlier releases. */
  readable: number | null
  publishedVersions: number[] | null
}

export function selectReports(tx: Tx, customerId: number): Promise<ReportRow[]> {
  return tx.rows(sql<ReportRow>`
    select id, kit_id as "kitId", status, vendor_status as "vendorStatus", collected_date as "collectedDate",
           resulted_date as "resultedDate", published_at as "publishedAt", created_at as "createdAt",
           ${readableVersion} as readable, published_versions as "publishedVersions"
    from reports r where realm_id = ${tx.realm.id} and customer_id = ${customerId} order by created_at, id`)
}

export interface VersionRow extends Omit<VersionContent, 'entries'> {
  reportId: string
  version: number
  scoreVersion: string
  createdAt: Date
  /** Marked, or the newest and held. */
  isRecalled: boolean
  results: VersionContent['entries']
}

type UnreadVersion = Omit<VersionRow, 'results' | keyof VersionContent> & { content: Sealed<VersionContent> }

/** Every version with its results, as they were judged. */
export async function selectVersions(tx: Tx, reportIds: string[]): Promise<VersionRow[]> {
  const rows = await tx.rows(sql<UnreadVersion>`
    select v.report_id as "reportId", v.version, v.score_version as "scoreVersion", v.created_at as "createdAt",
           ${isMarked} or (v.version = r.version and ${isHeldByRecall}) as "isRecalled", ${sealedVersions.of('v')} as content
    from report_versions v join reports r on r.realm_id = v.realm_id and r.id = v.report_id
    where v.realm_id = ${tx.realm.id} and v.report_id = any(${reportIds}) order by v.report_id, v.version`)
  const keys = await keyringOf(tx)
  return rows.map(({ content, ...row }) => {
    const { entries: results, ...version } = sealedVersions.open(keys, versionKey(row.reportId, row.version), content)
    return { ...row, ...version, results }
  })
}

interface UnassessedRow {
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
export async function selectUnassessed(tx: Tx, customerId: number): Promise<UnassessedRow[]> {
  const rows = await tx.rows(sql<
    Pick<UnassessedRow, 'kitId' | 'reportId' | 'receivedAt'> & { id: string; sealed: Sealed<SealedUnassessed> }
  >`
    select u.id, ${sealedUnassessed.of('u')} as sealed, u.kit_id as "kitId", u.report_id as "reportId",
           u.received_at as "receivedAt"
    from unassessed_results u where u.realm_id = ${tx.realm.id} and u.customer_id = ${customerId}
    order by u.received_at, u.place, u.id`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, sealed, ...row }) => {
    const { name, value, unit, range, flag, reason } = sealedUnassessed.open(keys, [id], sealed)
    return { name, value, unit, range, flag, reason, ...row }
  })
}

export interface AuditRow {
  at: Date
  actor: string
  action: string
  objectType: string
  objectId: string
  details: Record<string, unknown> | null
}

export async function selectAudit(
  tx: Tx,
  ids: { customerId: number; kitIds: string[]; orderIds: string[]; reportIds: string[] },
): Promise<AuditRow[]> {
  const rows = await tx.rows(sql<AuditRow & { realmId: number }>`
    select realm_id as "realmId", at, actor, action, object_type as "objectType", object_id as "objectId", details
    from audit_entries
    where realm_id = ${tx.realm.id} and (object_type, object_id) in (
      select 'customer', ${String(ids.customerId)}::text
      union all select 'kit', unnest(${ids.kitIds}::text[])
      union all select 'order', unnest(${ids.orderIds}::text[])
      union all select 'report', unnest(${ids.reportIds}::text[]))
    order by id`)
  return withWords(tx, rows)
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

interface UnreadData extends Omit<DataRow, 'payload' | 'documents'> {
  sealed: Sealed<{ payload: unknown }>
  documents: (Omit<DataRow['documents'][number], 'fileName'> & { name: Sealed<{ fileName: string | null }> })[]
}

/** What was added about a customer; of files what they are, since their content is in the reports. */
export async function selectData(tx: Tx, customerId: number): Promise<DataRow[]> {
  const rows = await tx.rows(sql<UnreadData>`
    select d.id, d.kind, d.date, ${sealedData.of('d')} as sealed, d.created_at as "createdAt",
      (select coalesce(json_agg(json_build_object('docId', o.id, 'name', ${sealedFileNames.of('o')}, 'mediaType', o.media_type,
         'bytes', ${fileBytes('o')})), '[]')
       from documents o where o.realm_id = d.realm_id and o.data_id = d.id) as documents,
      (select coalesce(bool_and(r.status = 'published'), false)
       from reports r where r.realm_id = d.realm_id and r.data_id = d.id) as "isPublished"
    from customer_data d where d.realm_id = ${tx.realm.id} and d.customer_id = ${customerId} order by d.created_at, d.id`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, documents, ...row }) => ({
    ...row,
    ...sealedData.open(keys, [row.id], sealed),
    documents: documents.map(({ docId, name, ...file }) => ({
      docId,
      ...sealedFileNames.open(keys, [docId], name),
      ...file,
    })),
  }))
}

/** What happened to the person's kits and orders, and that they became a customer. Undefined: of kits and orders only. */
export async function selectEventsOfPerson(
  tx: Tx,
  customerId: number | undefined,
  kitIds: readonly string[],
  orderIds: readonly string[],
): Promise<EventData[]> {
  const found = sql`
    select id from events where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})
    union
    select id from events where realm_id = ${tx.realm.id} and order_id = any(${orderIds})
    union
    select id from events
    where realm_id = ${tx.realm.id} and kit_id in (
      select id from kits where realm_id = ${tx.realm.id} and order_id = any(${orderIds}))
    union
    select id from events
    where realm_id = ${tx.realm.id} and type in ('customer.created', 'customer.updated') and data ->> 'id' = ${String(customerId ?? '')}`
  const rows = await tx.rows(sql<{ realmId: number; id: string; data: string }>`
    select e.realm_id as "realmId", e.id, ${storedText('e')} as data from events e
    where e.realm_id = ${tx.realm.id} and e.id in (${found})`)
  return (await openData(tx, rows)).map(({ id, data }) => ({ id, data: JSON.parse(data) as unknown }))
}
