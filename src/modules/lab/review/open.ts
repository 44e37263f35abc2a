import { sentence } from '@kitlane/display/sentence'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { isHeic, sniff } from '@kitlane/lab-reader/parse/sniff'
import type { Tx } from '../../../platform/database/tx.ts'
import { type StoredFile, updatePayload } from '../data-queries.ts'
import type { ParsedUpload } from '../parse-in-child.ts'
import type { FileFindings } from '../schema.ts'
import { insertReview } from './queries.ts'
import { findingsOf } from './rules.ts'
import type { NeedsReview } from './schema.ts'

export const RECOGNISE_JOB = 'lab.recognise'

const heicNote = sentence(
  'HEIC pictures cannot be read here: open the file to read it, or ask for it as JPEG, PNG or PDF',
)

/** What happens next, for the sender of the file. */
const nextStep: Record<NeedsReview, string> = {
  scan: 'The file is a scan: its text is being recognised, and a person then confirms each value in the uploads to review',
  image:
    'The file is a picture: its text is being recognised, and a person then confirms each value in the uploads to review',
  layout: 'The file has text in a layout that is not known: a person reads it in the uploads to review',
  person: 'The file may be about somebody else: a person looks at it in the uploads to review',
  date: 'The day of collection in the file is not certain, or cannot be right: a person says it in the uploads to review',
  unmatched: 'No result of the file could be matched with a biomarker: a person looks at it in the uploads to review',
}

/** Queues a file for a person to read. If it has pages, a job draws them and recognises their text. */
export async function openReview(
  tx: Tx,
  { docId, dataId, content }: Pick<StoredFile, 'docId' | 'dataId'> & { content: Buffer },
  { needsReview, ...parsed }: Omit<ParsedUpload, 'needsReview'> & { needsReview: NeedsReview },
  catalogue: readonly Biomarker[],
): Promise<FileFindings> {
  await updatePayload(tx, dataId, { needsReview })
  const sniffed = sniff(content)
  const format = parsed.format ?? (sniffed === 'image' ? 'image' : 'pdf')
  const isUndrawable = sniffed === 'image' && isHeic(content)
  const hasPages = !isUndrawable && (format === 'pdf' || format === 'image')
  const review = { docId, format, needsReview }
  if (hasPages) {
    await insertReview(tx, { ...review, state: 'reading' })
    await tx.enqueue(RECOGNISE_JOB, { realm: tx.realm, docId })
  } else if (isUndrawable) await insertReview(tx, { ...review, state: 'waiting', note: heicNote })
  else await insertReview(tx, { ...review, state: 'waiting', ...findingsOf(parsed, catalogue) })
  const note = isUndrawable ? String(heicNote) : nextStep[needsReview]
  return { reports: [], totalBiomarkers: 0, needsReview, unmatched: [], converted: [], notes: [note] }
}
