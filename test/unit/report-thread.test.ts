import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { reportPdf } from '../../src/modules/reports/render/print.ts'
import type { Printable } from '../../src/modules/reports/render/subject.ts'

it('the thread that draws documents keeps at most 200 MB, however many it draws', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  // What it draws does not matter here.
  await expect(reportPdf({ report: {} } as Printable)).rejects.toThrow('a document could not be drawn')
  const [thread] = await started
  const { heap_size_limit: limit } = await thread.getHeapStatistics()
  expect(limit).toBeLessThan(200 * 2 ** 20)
})
