import { Sentence, sentence } from '@kitlane/display/sentence'
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

/**
 * Draws the pages of a file, recognises their text in a process of its own, and stores both for a person. Run twice, it
 * stores them once. It changes nothing if the review has ended. @throws Error while the job can be retried
 */
export async function recogniseReview(ports: RealmPorts, docId: string, { last }: { last: boolean }): Promise<void> {
  const original = await ports.open((tx) => selectOriginal(tx, docId))
  if (!original?.isBeingRead) return
  const content = await ports.files.contentOf(sealedContents, [docId], original.content)
  const recognised = await recogniseInChild(content).catch((err: unknown) => {
    if (err instanceof Refusal && err.code !== 'BUSY') {
      return sentence('{problem}: open the file to read it', { problem: new Sentence(err.message) })
    }
    if (last) return sentence('The pages could not be drawn: open the file to read it')
    throw err
  })
  const pages = recognised instanceof Sentence ? [] : await keepPages(ports, docId, recognised)
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
  recognised: RecognisedFile | Sentence,
  drawn: readonly KeptPage[],
): Promise<void> {
  if ((await lockReview(tx, docId))?.state !== 'reading') return
  if (recognised instanceof Sentence) {
    await updateFindings(tx, docId, { pages: 0, head: {}, lines: [], candidates: [], note: recognised })
    return
  }
  const { totalPages, head, lines, rows } = recognised
  const candidates = candidatesOf(rows, await biomarkers(tx))
  await updateFindings(tx, docId, { pages: totalPages, head, lines, candidates, ...shortageNote(recognised) })
  await replacePageImages(tx, docId, drawn)
}

function shortageNote({ shortages, pages, totalPages: total }: RecognisedFile): { note?: Sentence } {
  const count = pages.length
  if (shortages.includes('nothing')) return { note: sentence('No text was recognised: open the file to read it') }
  if (shortages.includes('pages')) {
    const note = sentence('The first {count} of {total} pages were read: open the file to read the rest', {
      count,
      total,
    })
    return { note }
  }
  if (!shortages.includes('time')) return {}
  const note = sentence(
    'The first {count} of {total} pages were read before the time was over: open the file to read the rest',
    { count, total },
  )
  return { note }
}
