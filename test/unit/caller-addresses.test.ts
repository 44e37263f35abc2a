import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { callerAddresses } from '../../src/platform/http/address-list.ts'
import { createLogger } from '../../src/platform/log.ts'

const HOUR_MS = 3_600_000
const PROXY = '10.0.0.31'

/** What is noted after requests, each from an address that a sender at `peer` gave, or did not give. */
function noted(isBehindProxy: boolean) {
  const lines: string[] = []
  const log = createLogger({ level: 'warn', stream: { write: (line) => void lines.push(line) } })
  const callers = callerAddresses({ isBehindProxy, log })
  const request = (ip: string, { peer = ip, forwarded = false } = {}) =>
    callers.note({
      ip,
      headers: forwarded ? { 'x-forwarded-for': '203.0.113.7' } : {},
      socket: { remoteAddress: peer } as never,
    })
  return { callers, request, lines }
}
const times = (count: number, work: (n: number) => void) => {
  for (let n = 0; n < count; n++) work(n)
}

describe('the addresses of callers', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are wrong where forwarded headers come from a sender that is not trusted, which the log says once', () => {
    const { callers, request, lines } = noted(true)
    times(500, () => request(PROXY, { forwarded: true }))
    expect(callers.problem()).toBe('untrusted')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('CALLERS_UNTRUSTED')
    expect(lines[0]).not.toContain(PROXY)
  })

  it('are wrong where everybody has one address: a proxy does not say who calls', () => {
    const { callers, request, lines } = noted(true)
    times(99, () => request(PROXY))
    expect(callers.problem()).toBeUndefined()
    request(PROXY)
    expect(callers.problem()).toBe('single')
    expect(lines[0]).toContain('CALLERS_SINGLE')
    vi.advanceTimersByTime(HOUR_MS)
    request(PROXY)
    expect(callers.problem()).toBe('single')
  })

  it('are right where a trusted proxy says who calls, and where few spoof a header', () => {
    const behind = noted(true)
    times(200, (n) => behind.request(`203.0.113.${n % 2}`, { peer: PROXY, forwarded: true }))
    const open = noted(true)
    times(200, (n) => open.request(`203.0.113.${n}`, { forwarded: n % 3 === 0 }))
    // A developer's own machine.
    const here = noted(false)
    times(200, () => here.request('127.0.0.1'))
    for (const { callers, lines } of [behind, open, here]) expect([callers.problem(), lines]).toEqual([undefined, []])
  })
})
