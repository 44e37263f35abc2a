import { parentPort } from 'node:worker_threads'
import { drawReport } from './pdf.ts'
import type { Printable } from './subject.ts'

/** What the thread answers: the document, or that it could not be drawn. */
export type Drawn = { id: number; pdf: Uint8Array } | { id: number; error: string }

parentPort?.on('message', async ({ id, printable }: { id: number; printable: Printable }) => {
  const answer = (drawn: Drawn) => parentPort?.postMessage(drawn)
  try {
    answer({ id, pdf: await drawReport(printable) })
  } catch (err) {
    answer({ id, error: err instanceof Error ? (err.stack ?? err.message) : 'not an error' })
  }
})
