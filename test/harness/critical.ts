import { expect } from 'vitest'
import type { Reply } from './caller.ts'

type Call = (method: string, path: string, body?: unknown) => Promise<Pick<Reply, 'status' | 'body' | 'text'>>

/** Reads every critical result of a report back, as somebody on call does. */
export async function readBackAll(call: Call, reportID: string): Promise<void> {
  const { body } = await call('GET', `/critical-results?reportID=${reportID}`)
  for (const { id, value } of body.data) {
    const said = { readBack: value, who: 'Dr. Reyes' }
    const { status, text } = await call('POST', `/critical-results/${id}/acknowledge`, said)
    expect(status, text).toBe(200)
  }
}
