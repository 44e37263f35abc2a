import { recogniseInChild } from '@kitlane/lab-reader/parse/ocr/recognise-in-child'
import type { RecognisedFile } from '@kitlane/lab-reader/parse/ocr/recognised'
import { Refusal } from '@kitlane/lab-reader/parse/refusal'
import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { sealedContents } from '../sealed-queries.ts'
import { type KeptPage, lockReview, replacePageImages, selectOriginal, updateFindings } from './queries.ts'
import { candidatesOf } from './rules.ts'
import { sealedPages } from './sealed-queries.ts'

const openIt = 'open the file to read it'

/**
 * Draws the pages of a file, recognises their text in a process of its own, and stores both for a person. Run twice, it
 * stores them once. It changes nothing if the review has ended. @throws Error while the job can be retried
 */
export async function recogniseReview(ports: RealmPorts, docId: string, { last }: { last: boolean }): Promise<void> {
  const original = await ports.open((tx) => selectOriginal(tx, docId))
  if (!original?.isBeingRead) return
  const content = await ports.files.contentOf(sealedContents, [docId], original.content)
  const recognised = await recogniseInChild(content).catch((err: unknown) => {
    if (err instanceof Refusal && err.code !== 'BUSY') return `${err.message}: ${openIt}`
    if (last) return `The pages could not be drawn: ${openIt}`
    throw err
  })
  const pages = typeof recognised === 'string' ? [] : await keepPages(ports, docId, recognised)
  await ports.open((tx) => storeRecognised(tx, docId, recognised, pages))
}

const keepPages = ({ files }: RealmPorts, docId: string, { pages }: RecognisedFile): Promise<KeptPage[]> =>
  Promise.all(
    pages.map(async ({ number, png }) => ({
      number,
      file: await files.keep(sealedPages, [docId, number], Buffer.from(png, 'base64')),
    })),
  )

async function storeRecognised(
  tx: Tx,
  docId: string,
  recognised: RecognisedFile | string,
  drawn: readonly KeptPage[],
): Promise<void> {
  if ((await lockReview(tx, docId))?.state !== 'reading') return
  if (typeof recognised === 'string') {
    await updateFindings(tx, docId, { pages: 0, head: {}, lines: [], candidates: [], note: recognised })
    return
  }
  const { totalPages, head, lines, rows } = recognised
  const candidates = candidatesOf(rows, await biomarkers(tx))
  await updateFindings(tx, docId, { pages: totalPages, head, lines, candidates, note: shortageNote(recognised) })
  await replacePageImages(tx, docId, drawn)
}

function shortageNote({ shortages, pages, totalPages }: RecognisedFile): string | undefined {
  if (shortages.includes('nothing')) return `No text was recognised: ${openIt}`
  const of = `The first ${pages.length} of ${totalPages} pages were read`
  if (shortages.includes('pages')) return `${of}: open the file to read the rest`
  return shortages.includes('time') ? `${of} before the time was over: open the file to read the rest` : undefined
}
