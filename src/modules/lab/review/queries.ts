import { type Kept, Sentence } from '@kitlane/display/sentence'
import type { SheetHead } from '@kitlane/lab-reader/parse/ocr/recognised'
import { sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { type FileRef, fileOf, insertFiles, type WrittenFile } from '../../../platform/files/queries.ts'
import type { Content } from '../../../platform/files/sealed-files.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { sealedContents, sealedFileNames } from '../sealed-queries.ts'
import type { Candidate, NeedsReview, ReviewState, UploadReview } from './schema.ts'
import { type FoundInFile, type ReviewNotes, sealedFindings, sealedNotes, sealedPages } from './sealed-queries.ts'

export interface Findings {
  pages: number
  head: SheetHead
  lines: UploadReview['lines']
  candidates: Candidate[]
  /** A string is that of the reader of files. */
  note?: string | Sentence
}

export interface NewReview extends Partial<Findings> {
  docId: string
  format: string
  needsReview: NeedsReview
  state: 'reading' | 'waiting'
}

function sealedIn(keys: Keyring, docId: string, { head = {}, lines = [], candidates = [], note }: Partial<Findings>) {
  const found = { head, lines, candidates }
  const kept = note instanceof Sentence && { noteKept: note.kept() }
  return {
    findings: sealedFindings.seal(keys, [docId], found),
    count: candidates.length,
    notes: note === undefined ? null : sealedNotes.seal(keys, [docId], { note: String(note), ...kept, reason: null }),
  }
}

export async function insertReview(tx: Tx, review: NewReview): Promise<void> {
  const { docId, format, needsReview, state, pages = 0 } = review
  const { findings, count, notes } = sealedIn(await keyringOf(tx), docId, review)
  await tx.run(sql`
    insert into upload_reviews (realm_id, document_id, format, needs_review, state, pages, candidate_count, sealed,
      sealed_findings, received_at)
    values (${tx.realm.id}, ${docId}, ${format}, ${needsReview}, ${state}, ${pages}, ${count}, ${notes},
      ${findings}, ${tx.now})`)
}

/** Stores what was found in a file, which now waits for a person. False if the review has ended. */
export async function updateFindings(tx: Tx, docId: string, found: Findings): Promise<boolean> {
  const { findings, count, notes } = sealedIn(await keyringOf(tx), docId, found)
  const kept = await tx.run(sql`
    update upload_reviews set state = 'waiting', pages = ${found.pages}, candidate_count = ${count},
      ${sealedNotes.emptied}, sealed = ${notes}, ${sealedFindings.emptied}, sealed_findings = ${findings}
    where realm_id = ${tx.realm.id} and document_id = ${docId} and closed_at is null`)
  return kept === 1
}

/** The picture of a page, in the store. */
export interface KeptPage {
  number: number
  file: WrittenFile
}

export async function replacePageImages(tx: Tx, docId: string, pages: readonly KeptPage[]): Promise<void> {
  await deletePageImages(tx, docId)
  const files = pages.map(({ file }) => file)
  await insertFiles(tx, tx.realm.id, files)
  await tx.run(sql`
    insert into upload_pages (realm_id, document_id, page, file)
    select ${tx.realm.id}, ${docId}, p.page, p.file
    from unnest(${pages.map(({ number }) => number)}::integer[], ${files.map(({ name }) => name)}::text[]) as p(page, file)`)
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
  noteKept?: Kept | null
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

type Unread<R extends ReviewRow> = Omit<R, 'fileName' | keyof ReviewNotes | keyof FoundInFile> & {
  name: Sealed<{ fileName: string | null }>
  notes: Sealed<ReviewNotes>
}

const columns = sql`
  u.document_id as "docId", d.id as "dataId", d.customer_id as "customerId", ${sealedFileNames.of('o')} as name, u.format,
  u.needs_review as "needsReview", u.state, u.pages,
  coalesce(u.candidate_count, jsonb_array_length(u.candidates), 0) as "candidateCount", ${sealedNotes.of('u')} as notes,
  u.received_at as "receivedAt"`

const wholeColumns = sql`${columns}, d.date, ${sealedFindings.of('u')} as found, u.report_id as "reportId",
  u.closed_at as "closedAt", (
    select coalesce(array_agg(p.page order by p.page), '{}') from upload_pages p
    where p.realm_id = u.realm_id and p.document_id = u.document_id) as "pageImages"`

function openRow<R extends { docId: string; name: Unread<ReviewRow>['name']; notes: Sealed<ReviewNotes> }>(
  keys: Keyring,
  { name, notes, ...row }: R,
) {
  return {
    ...row,
    ...sealedFileNames.open(keys, [row.docId], name),
    ...sealedNotes.open(keys, [row.docId], notes),
  }
}

const joined = sql`upload_reviews u
  join documents o on o.realm_id = u.realm_id and o.id = u.document_id
  join customer_data d on d.realm_id = o.realm_id and d.id = o.data_id`

export async function selectReview(tx: Tx, docId: string): Promise<WholeReviewRow | undefined> {
  const stored = await tx.maybeRow(sql<Unread<WholeReviewRow> & { found: Sealed<FoundInFile> }>`
    select ${wholeColumns} from ${joined} where u.realm_id = ${tx.realm.id} and u.document_id = ${docId}`)
  if (!stored) return undefined
  const keys = await keyringOf(tx)
  const { found, ...row } = openRow(keys, stored)
  const { head, lines, candidates } = sealedFindings.open(keys, [docId], found)
  return { ...row, head: head ?? {}, lines: lines ?? [], candidates: candidates ?? [] }
}

/** The state of a review, locked until this transaction ends. */
export function lockReview(tx: Tx, docId: string): Promise<{ state: ReviewState } | undefined> {
  return tx.maybeRow(sql<{ state: ReviewState }>`
    select state from upload_reviews where realm_id = ${tx.realm.id} and document_id = ${docId} for update`)
}

export interface ReviewFilter {
  page: number
  size: number
  needsReview?: readonly NeedsReview[] | undefined
  state: readonly ('open' | 'confirmed' | 'dismissed')[]
}

const matchesFilter = ({ needsReview, state }: ReviewFilter) => sql`
  (${state.includes('open') ? sql`u.closed_at is null or` : sql``} u.state = any(${state}))
  and ${isOneOf(sql`u.needs_review`, needsReview)}`

/** Oldest first. */
export async function selectReviews(tx: Tx, filter: ReviewFilter): Promise<ReviewRow[]> {
  const rows = await tx.rows(sql<Unread<ReviewRow>>`
    select ${columns} from ${joined} where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}
    order by u.received_at, u.document_id limit ${filter.size} offset ${filter.page * filter.size}`)
  const keys = await keyringOf(tx)
  return rows.map((row) => openRow(keys, row))
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

export async function selectReviewsOfAll(
  tx: SystemTx,
  filter: ReviewFilter & { mode: Realm['mode'] },
): Promise<(ReviewRow & OfBusiness)[]> {
  const rows = await tx.rows(sql<Unread<ReviewRow> & OfBusiness & { realmId: number }>`
    select u.realm_id as "realmId", ${columns}, ${businessColumns} from ${joined} ${businessJoined}
    where r.mode = ${filter.mode} and ${matchesFilter(filter)}
    order by u.received_at, u.document_id limit ${filter.size} offset ${filter.page * filter.size}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, ...row }) => openRow(keyringIn(keyrings, realmId), row))
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
  const keys = await keyringOf(tx)
  const { notes } = await tx.row(sql<{ notes: Sealed<ReviewNotes> }>`
    select ${sealedNotes.of('u')} as notes from upload_reviews u where u.realm_id = ${tx.realm.id} and u.document_id = ${docId}`)
  const kept = sealedNotes.open(keys, [docId], notes)
  const reason = to.state === 'dismissed' ? to.reason : null
  const isEmpty = kept.note === null && reason === null
  const sealed = isEmpty ? null : sealedNotes.seal(keys, [docId], { ...kept, reason })
  await tx.run(sql`
    update upload_reviews set state = ${to.state}, report_id = ${reportId}, closed_at = ${tx.now}, candidate_count = 0,
      ${sealedNotes.emptied}, sealed = ${sealed}, ${sealedFindings.emptied}, sealed_findings = null
    where realm_id = ${tx.realm.id} and document_id = ${docId}`)
  await deletePageImages(tx, docId)
}

export async function selectPageImage(tx: Tx, docId: string, page: number): Promise<Content | undefined> {
  const row = await tx.maybeRow(sql<{ file: FileRef | null; image: Buffer; isSealed: boolean }>`
    select ${fileOf('p')} as file, coalesce(p.sealed, p.image) as image, p.sealed is not null as "isSealed"
    from upload_pages p where p.realm_id = ${tx.realm.id} and p.document_id = ${docId} and p.page = ${page}`)
  if (row?.file) return row.file
  return row?.isSealed ? sealedPages.openBytes(await keyringOf(tx), [docId, page], row.image) : row?.image
}

export async function selectOriginal(
  tx: Tx,
  docId: string,
): Promise<{ content: Content; isBeingRead: boolean } | undefined> {
  const row = await tx.maybeRow(sql<{ file: FileRef | null; content: Buffer; isSealed: boolean; isBeingRead: boolean }>`
    select ${fileOf('o')} as file, coalesce(o.sealed_content, o.content) as content, o.sealed_content is not null as "isSealed",
      u.state = 'reading' as "isBeingRead"
    from documents o join upload_reviews u on u.realm_id = o.realm_id and u.document_id = o.id
    where o.realm_id = ${tx.realm.id} and o.id = ${docId}`)
  if (!row) return undefined
  const { file, isSealed, content, isBeingRead } = row
  if (file) return { isBeingRead, content: file }
  return { isBeingRead, content: isSealed ? sealedContents.openBytes(await keyringOf(tx), [docId], content) : content }
}
