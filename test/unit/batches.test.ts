import { expect, it } from 'vitest'
import { inBatches } from '../../src/platform/jobs/batches.ts'

const running = new AbortController().signal

it('background work pauses after each batch, and not after the last one', async () => {
  const done: string[] = []
  let left = 3
  const batch = async () => {
    done.push('batch')
    return --left > 0
  }
  await inBatches(running, batch, async () => void done.push('pause'))
  expect(done).toEqual(['batch', 'pause', 'batch', 'pause', 'batch'])
})

it('background work stops after the batch in which its job is stopped', async () => {
  const stopping = new AbortController()
  let batches = 0
  const batch = async () => {
    if (++batches === 2) stopping.abort()
    return true
  }
  await inBatches(stopping.signal, batch, async () => {})
  expect(batches).toBe(2)
})
