import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { recogniseInChild } from '../parse/ocr/recognise-in-child.ts'
import type { RecognisedFile } from '../parse/ocr/recognised.ts'
import type { ParsedFile } from '../parse/parsed.ts'
import { Refusal } from '../parse/refusal.ts'
import { isHeic, sniff } from '../parse/sniff.ts'
import { insertReview, lockReview, replacePageImages, selectOriginal, updateFindings } from './queries.ts'
import { candidatesOf } from './rules.ts'
import type { NeedsReview } from './schema.ts'

export const RECOGNISE_JOB = 'intake.recognise'

const heicNote = 'HEIC pictures cannot be read here: open the file to read it, or ask for it as JPEG, PNG or PDF'
const openIt = 'open the file to read it'

/** What happens next, for whoever sent the file. */
const nextStep: Record<NeedsReview, string> = {
  scan: 'The file is a scan: its text is being recognised, and a person then confirms each value in the uploads to review',
  image:
    'The file is a picture: its text is being recognised, and a person then confirms each value in the uploads to review',
  layout: 'The file has text in a layout that is not known: a person reads it in the uploads to review',
  person: 'The file may be about somebody else: a person looks at it in the uploads to review',
  unmatched: 'No result of the file could be matched with a biomarker: a person looks at it in the uploads to review',
}

interface Opened {
  docId: string
  content: Buffer
  needsReview: NeedsReview
  /** Where it could be read, and only the person is in doubt. */
  parsed?: ParsedFile
}

/** Puts a file into the queue of those that a person has to read, and has its pages drawn and recognised later. Returns what happens next. */
export async function openReview(tx: Tx, { docId, content, needsReview, parsed }: Opened): Promise<string> {
  const sniffed = sniff(content)
  const format = parsed?.format ?? (sniffed === 'image' ? 'image' : 'pdf')
  if (sniffed === 'image' && isHeic(content)) {
    await insertReview(tx, { docId, format, needsReview, state: 'waiting', note: heicNote })
    return heicNote
  }
  const hasPages = format === 'pdf' || format === 'image'
  await insertReview(tx, { docId, format, needsReview, state: hasPages ? 'reading' : 'waiting' })
  if (hasPages) await tx.enqueue(RECOGNISE_JOB, { realm: tx.realm, docId })
  else if (parsed) await keepParsed(tx, docId, parsed)
  return nextStep[needsReview]
}

async function keepParsed(tx: Tx, docId: string, { reports, notes }: ParsedFile): Promise<void> {
  const rows = reports
    .flatMap(({ observations }) => observations)
    .map((observation) => ({ observation, isLoose: false }))
  const [{ patient, collectedDate, resultedDate } = {}] = reports
  const note = notes.length > 0 ? notes.join('. ') : undefined
  await updateFindings(tx, docId, {
    pages: 0,
    head: { patient, collectedDate, resultedDate },
    lines: rows.map(({ observation }) => ({ page: 1, text: observation.raw })),
    candidates: candidatesOf(rows, await biomarkers(tx)),
    note,
  })
}

/**
 * Draws the pages of a file and recognises what is on them, in a process of its own, and keeps it for a person. Run
 * twice it keeps it once; a file that somebody dealt with meanwhile is left alone. @throws Error while it may be tried again
 */
export async function recogniseReview(ports: RealmPorts, docId: string, { last }: { last: boolean }): Promise<void> {
  const original = await ports.open((tx) => selectOriginal(tx, docId))
  if (!original?.isBeingRead) return
  const seen = await recogniseInChild(original.content).catch((err: unknown) => {
    if (err instanceof Refusal) return `${err.message}: ${openIt}`
    if (last) return `The pages could not be drawn: ${openIt}`
    throw err
  })
  await ports.open((tx) => keepRecognised(tx, docId, seen))
}

async function keepRecognised(tx: Tx, docId: string, seen: RecognisedFile | string): Promise<void> {
  if ((await lockReview(tx, docId))?.state !== 'reading') return
  if (typeof seen === 'string') {
    await updateFindings(tx, docId, { pages: 0, head: {}, lines: [], candidates: [], note: seen })
    return
  }
  const { totalPages, pages, head, lines, rows } = seen
  const candidates = candidatesOf(rows, await biomarkers(tx))
  await updateFindings(tx, docId, { pages: totalPages, head, lines, candidates, note: noteOf(seen) })
  await replacePageImages(
    tx,
    docId,
    pages.map(({ number, png }) => ({ number, image: Buffer.from(png, 'base64') })),
  )
}

function noteOf({ shortages, pages, totalPages }: RecognisedFile): string | undefined {
  if (shortages.includes('nothing')) return `No text was recognised: ${openIt}`
  const of = `The first ${pages.length} of ${totalPages} pages were read`
  if (shortages.includes('pages')) return `${of}: open the file to read the rest`
  return shortages.includes('time') ? `${of} before the time was over: open the file to read the rest` : undefined
}

/** @throws UPLOAD_NOT_FOUND */
export const uploadNotFound = (): AppError => new AppError('UPLOAD_NOT_FOUND', 'There is no such file to review')
