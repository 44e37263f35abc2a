import { sleep } from './retries.ts'
import type { WaitOptions } from './shapes.ts'

const FIRST_MS = 250
const MOST_MS = 5_000
const open = new Set(['pending', 'queued', 'processing'])

/** Reads a job until it has ended, at first often and then every five seconds. */
export async function waitFor<Job extends { status: string }>(
  read: () => PromiseLike<Job>,
  { onProgress, signal }: WaitOptions<Job> = {},
): Promise<Job> {
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(MOST_MS, pauseMs * 1.5)) {
    const job = await read()
    onProgress?.(job)
    if (!open.has(job.status)) return job
    await sleep(pauseMs, signal)
  }
}
