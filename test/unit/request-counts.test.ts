import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Counted, RequestCounts } from '../../src/platform/http/request-counts.ts'

const counted = (given: ReturnType<RequestCounts['add']>) => given as Counted

describe('requests are counted by caller', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('in a minute that begins with the first one', () => {
    const counts = new RequestCounts('test')
    expect(counts.add('ada', 100)).toEqual({ count: 1, secondsLeft: 60 })
    vi.advanceTimersByTime(59_500)
    expect(counts.add('ada', 100)).toEqual({ count: 2, secondsLeft: 1 })
    expect(counts.add('grace', 100)).toEqual({ count: 1, secondsLeft: 60 })
    vi.advanceTimersByTime(500)
    expect(counts.add('ada', 100)).toEqual({ count: 1, secondsLeft: 60 })
    expect(counts.add('grace', 100)).toEqual({ count: 2, secondsLeft: 60 })
  })

  it('of so many callers that memory stays bounded: the oldest minute goes first', () => {
    const counts = new RequestCounts('test')
    counts.add('old', 100)
    counts.add('older in name, but begun anew', 100)
    vi.advanceTimersByTime(30_000)
    counts.add('old', 100)
    vi.advanceTimersByTime(30_000)
    counts.add('older in name, but begun anew', 100)
    for (let n = 0; n < 49_999; n++) counts.add(`address ${n}`, 100)
    expect(counted(counts.add('older in name, but begun anew', 100)).count).toBe(2)
    expect(counted(counts.add('old', 100)).count).toBe(1)
  })
})
