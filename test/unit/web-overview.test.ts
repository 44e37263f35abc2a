import { describe, expect, it } from 'vitest'
import { standingOf } from '../../web/src/features/insights/standing.ts'
import { nowOf } from '../../web/src/features/insights/stations.ts'
import { linesOf } from '../../web/src/features/insights/stream.ts'
import { weekOf } from '../../web/src/features/insights/week.ts'

const names = {
  ofOrder: (id: string) => (id === 'O1' ? 'Jonas Weber' : undefined),
  ofCustomer: (id: number) => (id === 7 ? 'Maya Lindqvist' : undefined),
  ofPanel: () => 'Core Health',
}
const event = (id: string, type: string, data: Record<string, unknown>, time = '10:00') => ({
  id,
  type,
  data,
  timestamp: `2026-11-20T${time}:00.000Z`,
})
const words = (events: ReturnType<typeof event>[]) => linesOf(events, names).map((line) => line.words)

describe('the first screen of a business', () => {
  it('says in words how it stands, each part with the list of just these, and nothing that is zero', () => {
    const kits = [
      { stage: 'kitInTransit' as const, count: 12 },
      { stage: 'sampleReceived' as const, count: 0 },
    ]
    const parts = standingOf({
      kits,
      attention: [
        { kind: 'late', count: 2, example: 'K1' },
        { kind: 'exception', count: 1, example: 'K2' },
        { kind: 'pendingPayment', count: 1, example: 'O1' },
        { kind: 'shopOrders', count: 2, example: 'shop_1' },
      ],
    })
    expect(parts).toMatchObject([
      { words: '12 kits are on their way', to: ['kits'], filter: { kitStatus: 'inTransit' } },
      { words: '2 kits take longer than usual', to: ['kits'], filter: { attention: 'late' }, tone: 'fair' },
      { words: '1 kit has a problem', to: ['kits', 'K2'], filter: {}, tone: 'bad' },
      { words: '1 order is not paid', to: ['orders'], filter: { status: 'pending' } },
      { words: '2 orders of your shops wait for you', to: ['developers', 'shops', 'shop_1'], tone: 'bad' },
    ])
  })

  it('compares the last seven days with the seven before, and leaves out what did not happen', () => {
    const days = Array.from({ length: 30 }, (_, day) => ({ date: `2026-11-${day + 1}`, orders: day < 23 ? 1 : 2 }))
    expect(weekOf(days).rows).toEqual([{ name: 'Ordered', counts: [2, 2, 2, 2, 2, 2, 2], total: 14, before: 7 }])
    expect(weekOf([]).rows).toEqual([])
  })

  it('tells what happened with the names of people, newest first', () => {
    const told = words([
      event('1', 'order.created', { orderID: 'O1', status: 'pending', items: [{ kitType: 'X', quantity: 2 }] }),
      event('2', 'kit.updated', {
        kitID: 'K1',
        orderID: 'O1',
        event: 'kitInTransit',
        recipientEmail: 'j@example.test',
      }),
      event('3', 'report.published', { reportID: 'R1', customerID: 7, version: 1 }),
      event('4', 'customer.created', { id: 7 }),
    ])
    expect(told).toEqual([
      'Maya Lindqvist can read the report',
      'The kit of Jonas Weber is on its way',
      '2 kits were ordered for Jonas Weber, not paid yet',
    ])
  })

  it('names who registered a kit, also where it was sent to somebody else', () => {
    const step = { orderID: 'O1', event: 'kitRegistered', recipientEmail: 'j@example.test' }
    const other = { ...step, registeredToEmail: 'maya@example.test' }
    expect(words([event('1', 'kit.updated', { ...other, kitID: 'K1' })])).toEqual([
      'maya@example.test registered a kit',
    ])
    expect(words([event('1', 'kit.updated', { ...other, kitID: 'K1', customerID: 7 })])).toEqual([
      'Maya Lindqvist registered a kit',
    ])
    expect(words([event('1', 'kit.updated', { event: 'kitRegistered', kitID: 'K1' })])).toEqual([
      'A person registered a kit',
    ])
  })

  it('tells only the last step of a kit in a day, and counts what happened many times in a row', () => {
    const steps = ['kitPreparing', 'kitInTransit'].map((step, at) =>
      event(`${at}`, 'kit.updated', { kitID: 'K1', orderID: 'O1', event: step }),
    )
    const orders = Array.from({ length: 5 }, (_, at) =>
      event(`1${at}`, 'order.created', { orderID: `P${at}`, status: 'created', items: [{ quantity: 1 }] }),
    )
    expect(words([...steps, ...orders])).toEqual(['5 orders were placed', 'The kit of Jonas Weber is on its way'])
  })
})

describe('what needs an operator now', () => {
  it('comes with what may harm a person first, and leaves out where nothing waits', () => {
    const now = nowOf({ toPack: 25, lateKits: 0, critical: 1, inReview: 2, failedEmails: 0 })
    expect(now.map(({ words }) => words)).toEqual(['Call about 1 critical result', 'Review 2 reports', 'Pack 25 kits'])
  })

  it('counts boxes that came back and samples on hold, first those that are soon discarded', () => {
    const now = nowOf({ cameBack: 6, toSendAgain: 2, heldSamples: 10, toDiscardSoon: 1 })
    expect(now.map(({ words, path }) => [words, path])).toEqual([
      ['Save 1 sample on hold that is soon discarded', 'held-samples'],
      ['See to 10 samples on hold', 'held-samples'],
      ['See to 6 boxes that did not reach their recipients', 'came-back'],
    ])
  })

  it('puts recalled kits whose people nobody told before the work of the day', () => {
    const now = nowOf({ recalledKits: 2, toPack: 1, inReview: 1 })
    expect(now[0]).toMatchObject({ words: 'See that the people of 2 recalled kits are notified', path: 'recalls' })
  })

  it('says nothing of stations that are not those of the role', () => {
    expect(nowOf({ toPack: 1 }).map(({ path }) => path)).toEqual(['pack'])
    expect(nowOf({})).toEqual([])
  })
})
