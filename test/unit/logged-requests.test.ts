import { expect, it, vi } from 'vitest'
import { newCustomerId, newKitId, newOrderId } from '../../src/domain/ids.ts'
import { endedSlots, pathPrefix, slotOf, statusRange } from '../../src/extensions/request-log/lines.ts'
import { requestLog } from '../../src/extensions/request-log/service.ts'
import type { Database } from '../../src/platform/database/tx.ts'
import { type AnsweredRequest, loggedPath } from '../../src/platform/http/request-log.ts'
import { createLogger } from '../../src/platform/log.ts'

it('a path keeps IDs that Kitlane made, and nothing that a caller could have chosen', () => {
  const [kit, order] = [newKitId(), newOrderId()]
  const url = '/api/v1/a/:one/b/:two'
  const route = '/api/v1/a/{one}/b/{two}'
  expect(loggedPath(url, { one: kit, two: order })).toEqual({ route, path: `/api/v1/a/${kit}/b/${order}` })
  expect(loggedPath(url, { one: 'evt_0123456789abcdefghijAB', two: 'Ada' })).toEqual({
    route,
    path: '/api/v1/a/evt_0123456789abcdefghijAB/b/{two}',
  })
  for (const other of [
    'Ada',
    'KATHARINA',
    'ada@example.test',
    '491701234567',
    String(newCustomerId()),
    `${kit}x`,
    'evt_Ada',
    '',
  ])
    expect(loggedPath(url, { one: other, two: other }), other).toEqual({ route, path: null })
  expect(loggedPath('/api/v1/kits', {})).toEqual({ route: '/api/v1/kits', path: null })
})

it('a day is emptied before its partition is used again, and never while it is to be kept', () => {
  for (const days of [0, 1, 7, 28]) {
    for (let hour = 0; hour < 40 * 24; hour += 31) {
      const now = new Date(Date.UTC(2026, 1, 20) + hour * 3600_000)
      const ended = new Set(endedSlots(now, days))
      for (let back = -1; back <= days; back++) {
        const at = new Date(now.getTime() - back * 24 * 3600_000)
        expect(ended.has(slotOf(at)), `${days} ${back}`).toBe(false)
      }
      expect(ended.size).toBe(32 - (days + 2))
    }
  }
})

it('filters are understood as people write them', () => {
  expect(statusRange('404')).toEqual({ least: 404, most: 404 })
  expect(statusRange('5xx')).toEqual({ least: 500, most: 599 })
  expect(['/orders/:id?x=1', 'kits', '/api/v1/kits', '/fhir', '/fhirs'].map(pathPrefix)).toEqual([
    ...['/api/v1/orders/{id}', '/api/v1/kits', '/api/v1/kits', '/fhir', '/api/v1/fhirs'],
  ])
})

it('while the database is away a process keeps the newest 20,000 requests, and counts what it lost', async () => {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const log = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } })
    const written: string[] = []
    const idsIn = (requests: string) => [...requests.matchAll(/\tn(\d+)\t/g)].map(([, id = '']) => id)
    let isAway = true
    const database = {
      async asSystem(_actor: unknown, work: (tx: unknown) => Promise<unknown>) {
        if (isAway) throw new Error('away')
        return work({
          run: async ({ values = [] }: { values?: unknown[][] }) => written.push(...idsIn(String(values[6] ?? ''))),
        })
      },
    } as unknown as Database
    const { keep, flush } = requestLog(database, log)
    const request = { at: new Date(), requestId: '' } as AnsweredRequest
    for (let n = 0; n < 25_000; n++) keep({ ...request, requestId: `n${n}` })
    await vi.advanceTimersByTimeAsync(120_000)
    isAway = false
    await vi.advanceTimersByTimeAsync(30_000)
    expect([written.length, written[0], written.at(-1)]).toEqual([20_000, '5000', '24999'])
    const said = lines.map((line) => JSON.parse(line)).map(({ msg, count }) => [msg, count])
    expect(said).toEqual([
      ['the log of requests is not written for now: it is tried again', undefined],
      ['the log of requests is written again, without so many', 5000],
    ])
    // Nothing wakes a process that has nothing to write.
    expect(vi.getTimerCount()).toBe(0)
    isAway = true
    keep(request)
    await flush()
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ count: 1 })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
