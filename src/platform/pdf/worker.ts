import { parentPort } from 'node:worker_threads'

/** What the thread is asked: `drawing` is a module that exports `draw`. */
export interface DrawRequest {
  id: number
  drawing: string
  input: unknown
}

/** What the thread answers: the document, or that it could not be drawn. */
export type Drawn = { id: number; pdf: Uint8Array } | { id: number; error: string }

parentPort?.on('message', async ({ id, drawing, input }: DrawRequest) => {
  const answer = (drawn: Drawn) => parentPort?.postMessage(drawn)
  try {
    const { draw } = await import(drawing)
    answer({ id, pdf: await draw(input) })
  } catch (err) {
    answer({ id, error: err instanceof Error ? (err.stack ?? err.message) : 'not an error' })
  }
})
