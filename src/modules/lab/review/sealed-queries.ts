import type { Kept } from '@kitlane/display/sentence'
import type { SheetHead } from '@kitlane/lab-reader/parse/ocr/recognised'
import { sealedBytes } from '../../../platform/sealing/sealed-bytes.ts'
import { NEVER, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import type { Candidate, UploadReview } from './schema.ts'

const key = { document_id: 'text' }

export interface ReviewNotes {
  /** What was not read, and why. */
  note: string | null
  noteKept?: Kept | null
  /** Why the file was dismissed. */
  reason: string | null
}

export const sealedNotes = sealedColumns<ReviewNotes>({
  table: 'upload_reviews',
  key,
  clear: { note: 'note', noteKept: NEVER, reason: 'reason' },
  emptied: ['note', 'reason'],
})

/** What was found in a file; null once its review has ended. */
export interface FoundInFile {
  head: SheetHead | null
  lines: UploadReview['lines'] | null
  candidates: Candidate[] | null
}

export const sealedFindings = sealedColumns<FoundInFile>({
  table: 'upload_reviews',
  column: 'sealed_findings',
  key,
  clear: {
    head: `nullif($.head, '{}')`,
    lines: `nullif($.lines, '[]')`,
    candidates: `nullif($.candidates, '[]')`,
  },
  emptied: ['head', 'lines', 'candidates'],
  derived: { candidate_count: { type: 'integer', of: ({ candidates }) => candidates?.length ?? 0 } },
  isDeflated: true,
  rowsAtOnce: 10,
})

export const sealedPages = sealedBytes({
  table: 'upload_pages',
  key: { ...key, page: 'integer' },
  clear: 'image',
  // Up to 2 MB each.
  rowsAtOnce: 4,
})
