import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { SheetHead } from '../parse/ocr/recognised.ts'
import type { Candidate, NeedsReview, ReviewState, UploadReview } from './schema.ts'

export interface Findings {
  pages: number
  head: SheetHead
  lines: UploadReview['lines']
  candidates: Candidate[]
  note?: string
}

export interface NewReview extends Partial<Findings> {
  docId: string
  format: string
  needsReview: NeedsReview
  state: 'reading' | 'waiting'
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

export async function insertReview(tx: Tx, review: NewReview): Promise<void> {
  const { docId, format, needsReview, state, pages = 0, head = {}, lines = [], candidates = [], note = null } = review
  await tx.run(sql`
    insert into upload_reviews (realm_id, document_id, format, needs_review, state, pages, head, lines, candidates, note,
      received_at)
    values (${tx.realm.id}, ${docId}, ${format}, ${needsReview}, ${state}, ${pages}, ${json(head)}, ${json(lines)},
      ${json(candidates)}, ${note}, ${tx.now})`)
}

/** Stores what was found in a file, which now waits for a person. False if the review has ended. */
export async function updateFindings(tx: Tx, docId: string, found: Findings): Promise<boolean> {
  const kept = await tx.run(sql`
    update upload_reviews set state = 'waiting', pages = ${found.pages}, head = ${json(found.head)},
      lines = ${json(found.lines)}, candidates = ${json(found.candidates)}, note = ${found.note ?? null}
    where realm_id = ${tx.realm.id} and document_id = ${docId} and closed_at is null`)
  return kept === 1
}

export async function replacePageImages(
  tx: Tx,
  docId: string,
  pages: { number: number; image: Buffer }[],
): Promise<void> {
  await deletePageImages(tx, docId)
  await tx.run(sql`
    insert into upload_pages (realm_id, document_id, page, image)
    select ${tx.realm.id}, ${docId}, p.page, p.image
    from unnest(${pages.map(({ number }) => number)}::integer[], ${pages.map(({ image }) => image)}::bytea[]) as p(page, image)`)
}

async function deletePageImages(tx: Tx, docId: string): Promise<void> {
  await tx.run(sql`delete from upload_pages where realm_id = ${tx.realm.id} and document_id = ${docId}`)
}

export interface ReviewRow {
  docId: string
  dataId: string
  customerId: number
  fileName: string | null
  format: UploadReview['format']
  needsReview: NeedsReview
  state: ReviewState
  pages: number
  candidateCount: number
  note: string | null
  receivedAt: Date
}

export interface WholeReviewRow extends ReviewRow {
  date: string
  head: SheetHead
  lines: UploadReview['lines']
  candidates: Candidate[]
  pageImages: number[]
  reportId: string | null
  closedAt: Date | null
  reason: string | null
}

const columns = sql`
  u.document_id as "docId", d.id as "dataId", d.customer_id as "customerId", o.file_name as "fileName", u.format,
  u.needs_review as "needsReview", u.state, u.pages, jsonb_array_length(u.candidates) as "candidateCount", u.note,
  u.received_at as "receivedAt"`

const wholeColumns = sql`${columns}, d.date, u.head, u.lines, u.candidates, u.report_id as "reportId",
  u.closed_at as "closedAt", u.reason, (
    select coalesce(array_agg(p.page order by p.page), '{}') from upload_pages p
    where p.realm_id = u.realm_id and p.document_id = u.document_id) as "pageImages"`

const joined = sql`upload_reviews u
  join documents o on o.realm_id = u.realm_id and o.id = u.document_id
  join customer_data d on d.realm_id = o.realm_id and d.id = o.data_id`

export function selectReview(tx: Tx, docId: string): Promise<WholeReviewRow | undefined> {
  return tx.maybeRow(sql<WholeReviewRow>`
    select ${wholeColumns} from ${joined} where u.realm_id = ${tx.realm.id} and u.document_id = ${docId}`)
}

/** The state of a review, locked until this transaction ends. */
export function lockReview(tx: Tx, docId: string): Promise<{ state: ReviewState } | undefined> {
  return tx.maybeRow(sql<{ state: ReviewState }>`
    select state from upload_reviews where realm_id = ${tx.realm.id} and document_id = ${docId} for update`)
}

export interface ReviewFilter {
  page: number
  size: number
  needsReview?: NeedsReview
  state: 'open' | 'confirmed' | 'dismissed'
}

const matchesFilter = ({ needsReview, state }: ReviewFilter) => sql`
  ${state === 'open' ? sql`u.closed_at is null` : sql`u.state = ${state}`}
  and (${needsReview ?? null}::text is null or u.needs_review = ${needsReview ?? null})`

/** Oldest first. */
export function selectReviews(tx: Tx, filter: ReviewFilter): Promise<ReviewRow[]> {
  return tx.rows(sql<ReviewRow>`
    select ${columns} from ${joined} where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}
    order by u.received_at, u.document_id limit ${filter.size} offset ${filter.page * filter.size}`)
}

export async function countReviews(tx: Tx, filter: ReviewFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from upload_reviews u where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}`)
  return count
}

export interface OfBusiness {
  business: { id: string; name: string }
  mode: Realm['mode']
}

const businessColumns = sql`jsonb_build_object('id', b.id, 'name', b.name) as business, r.mode`
const businessJoined = sql`join realms r on r.id = u.realm_id join businesses b on b.id = r.business_id`

export function selectReviewsOfAll(
  tx: SystemTx,
  filter: ReviewFilter & { mode: Realm['mode'] },
): Promise<(ReviewRow & OfBusiness)[]> {
  return tx.rows(sql<ReviewRow & OfBusiness>`
    select ${columns}, ${businessColumns} from ${joined} ${businessJoined} where r.mode = ${filter.mode} and ${matchesFilter(filter)}
    order by u.received_at, u.document_id limit ${filter.size} offset ${filter.page * filter.size}`)
}

export async function countReviewsOfAll(tx: SystemTx, filter: ReviewFilter & { mode: Realm['mode'] }): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from upload_reviews u join realms r on r.id = u.realm_id
    where r.mode = ${filter.mode} and ${matchesFilter(filter)}`)
  return count
}

/** The realm and business of a file, over all realms. */
export function locateReview(tx: SystemTx, docId: string): Promise<(OfBusiness & { realm: Realm }) | undefined> {
  return tx.maybeRow(sql<OfBusiness & { realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, ${businessColumns}
    from upload_reviews u ${businessJoined} where u.document_id = ${docId}`)
}

/** Ends a review and deletes the pages and findings. The file itself stays with the customer. */
export async function closeReview(
  tx: Tx,
  docId: string,
  to: { state: 'confirmed'; reportId: string } | { state: 'dismissed'; reason: string },
): Promise<void> {
  const reportId = to.state === 'confirmed' ? to.reportId : null
  const reason = to.state === 'dismissed' ? to.reason : null
  await tx.run(sql`
    update upload_reviews set state = ${to.state}, report_id = ${reportId}, reason = ${reason}, closed_at = ${tx.now},
      lines = '[]', head = '{}', candidates = '[]'
    where realm_id = ${tx.realm.id} and document_id = ${docId}`)
  await deletePageImages(tx, docId)
}

export async function selectPageImage(tx: Tx, docId: string, page: number): Promise<Buffer | undefined> {
  const row = await tx.maybeRow(sql<{ image: Buffer }>`
    select image from upload_pages where realm_id = ${tx.realm.id} and document_id = ${docId} and page = ${page}`)
  return row?.image
}

export function selectOriginal(tx: Tx, docId: string): Promise<{ content: Buffer; isBeingRead: boolean } | undefined> {
  return tx.maybeRow(sql<{ content: Buffer; isBeingRead: boolean }>`
    select o.content, u.state = 'reading' as "isBeingRead" from documents o
    join upload_reviews u on u.realm_id = o.realm_id and u.document_id = o.id
    where o.realm_id = ${tx.realm.id} and o.id = ${docId}`)
}
