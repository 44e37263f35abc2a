import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'

// A copy of the module, since other tests of this process may have started its thread.
const copy = new URL('../../src/platform/pdf/draw-in-thread.ts?copy', import.meta.url)
const { drawInThread }: typeof import('../../src/platform/pdf/draw-in-thread.ts') = await import(copy.href)

it('the thread that draws documents keeps at most 200 MB, however many it draws', async () => {
  const threads: Worker[] = []
  const add = (thread: Worker) => threads.push(thread)
  process.on('worker', add)
  // What it draws does not matter here.
  const drawing = new URL('../../src/modules/reports/render/pdf.ts', import.meta.url)
  await expect(drawInThread(drawing, { report: {} })).rejects.toThrow('a document could not be drawn')
  process.off('worker', add)
  const { maxOldGenerationSizeMb = Infinity, maxYoungGenerationSizeMb = Infinity } =
    threads.at(-1)?.resourceLimits ?? {}
  expect(maxOldGenerationSizeMb + maxYoungGenerationSizeMb).toBeLessThan(200)
})
