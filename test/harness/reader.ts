import { Worker } from 'node:worker_threads'

/** What the thread is asked. Its answer has the same `id`. */
export interface Asked {
  id: number
  bytes: Uint8Array
}

let thread: Worker | undefined
let asked = 0
const waiting = new Map<number, (answer: Buffer) => void>()

/** Reads a file as a process of the reader does, in one thread for all tests of this worker. */
export function readInThread(bytes: Uint8Array): Promise<Buffer> {
  thread ??= start()
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const id = ++asked
  waiting.set(id, resolve)
  thread.postMessage({ id, bytes } satisfies Asked)
  return promise
}

function start(): Worker {
  const started = new Worker(new URL('./reader-thread.ts', import.meta.url))
  // The process of the worker does not wait for it.
  started.unref()
  started.on('message', ({ id, answer }: { id: number; answer: string }) => {
    waiting.get(id)?.(Buffer.from(answer))
    waiting.delete(id)
  })
  return started
}
