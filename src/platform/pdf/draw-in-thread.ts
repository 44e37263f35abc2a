import { Worker } from 'node:worker_threads'
import type { Drawn, DrawRequest } from './worker.ts'

// A thread takes 0.25 s to start.
const IDLE_MS = 60_000
// Library and fonts are 20 MB, a report with 150 results adds 45 while it is drawn. Without a limit V8 let 170 MB of garbage
// stand, and more on a larger machine.
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

interface Waiting {
  resolve(pdf: Buffer): void
  reject(err: Error): void
}

let thread: Worker | undefined
let lastId = 0
let idle: NodeJS.Timeout | undefined
const waiting = new Map<number, Waiting>()

/**
 * A document as PDF, drawn by a thread of its own: 0.1 s of drawing hold up no other request. `drawing` is the address of a
 * module that exports `draw`, which is given `input`.
 */
export function drawInThread(drawing: URL, input: unknown): Promise<Buffer> {
  clearTimeout(idle)
  thread ??= start()
  const id = ++lastId
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  waiting.set(id, { resolve, reject })
  thread.ref()
  thread.postMessage({ id, drawing: drawing.href, input } satisfies DrawRequest)
  return promise
}

function start(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: LIMITS })
  const fail = (err: Error) => {
    if (thread !== worker) return
    thread = undefined
    for (const { reject } of waiting.values()) reject(err)
    waiting.clear()
  }
  worker.on('message', (drawn: Drawn) => {
    const request = waiting.get(drawn.id)
    waiting.delete(drawn.id)
    if ('pdf' in drawn) request?.resolve(Buffer.from(drawn.pdf.buffer, drawn.pdf.byteOffset, drawn.pdf.byteLength))
    else request?.reject(new Error(`a document could not be drawn: ${drawn.error}`))
    if (waiting.size === 0) rest(worker)
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('the thread that draws documents ended')))
  return worker
}

/** Nothing is left to draw: the thread keeps no process alive, and ends itself after a while. */
function rest(worker: Worker): void {
  worker.unref()
  idle = setTimeout(() => {
    if (thread === worker) thread = undefined
    void worker.terminate()
  }, IDLE_MS)
  idle.unref()
}
