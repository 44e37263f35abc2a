import { parentPort } from 'node:worker_threads'
import { readOtherFonts } from './fonts.ts'

/** What the thread is asked: `drawing` is a module that exports `draw`. */
export interface DrawRequest {
  id: number
  drawing: string
  input: unknown
}

/** What the thread answers: the document, or that it could not be drawn. */
export type Drawn = { id: number; pdf: Uint8Array } | { id: number; error: string }

// One after another: documents share their fonts, and one that is drawn while another reads them would go out with boxes.
let last = Promise.resolve()
parentPort?.on('message', (request: DrawRequest) => {
  last = last.then(() => answerTo(request))
})

async function answerTo({ id, drawing, input }: DrawRequest): Promise<void> {
  const answer = (drawn: Drawn) => parentPort?.postMessage(drawn)
  try {
    const { draw } = await import(drawing)
    let pdf: Uint8Array = await draw(input)
    // It looks for fonts of other scripts while it is drawn.
    while (await readOtherFonts()) pdf = await draw(input)
    answer({ id, pdf })
  } catch (err) {
    answer({ id, error: err instanceof Error ? (err.stack ?? err.message) : 'not an error' })
  }
}
