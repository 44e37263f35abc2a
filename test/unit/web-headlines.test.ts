import { describe, expect, it } from 'vitest'
import {
  bulkHeadline,
  endpointHeadline,
  kitHeadline,
  orderHeadline,
  reportHeadline,
} from '../../web/src/components/headlines.ts'

const now = new Date('2026-11-23T12:00:00Z')

describe('the headline', () => {
  it('of a kit is the person tested, else the recipient, else an e-mail address, with the panel', () => {
    const all = { registeredName: 'Maya Lindqvist', recipientName: 'Jonas Weber', email: 'maya@example.test' }
    const panel = 'Core Health'
    expect(kitHeadline({ ...all, panel })).toBe('Maya Lindqvist · Core Health')
    expect(kitHeadline({ ...all, registeredName: undefined, panel })).toBe('Jonas Weber · Core Health')
    expect(kitHeadline({ email: all.email, panel })).toBe('maya@example.test · Core Health')
    expect(kitHeadline({ email: '', panel })).toBe('Kit for a person who was erased · Core Health')
  })

  it('of an order says how many kits go to whom and where', () => {
    const order = { quantity: 3, recipientName: 'Jonas Weber', recipientAddress: { city: 'Burlington', state: 'VT' } }
    expect(orderHeadline(order)).toBe('3 kits to Jonas Weber, Burlington VT')
    expect(orderHeadline({ quantity: 1, recipientEmail: 'jonas@example.test' })).toBe('1 kit to jonas@example.test')
    expect(orderHeadline({ quantity: 1 })).toBe('1 kit to a person who was erased')
  })

  it('of a report says whose results they are and of which day, with the year where it is another one', () => {
    expect(reportHeadline('Maya Lindqvist', '2026-11-20', now)).toBe('Maya’s results of 20 November')
    expect(reportHeadline('Maya Lindqvist', '2025-11-20T23:59:00.000Z', now)).toBe('Maya’s results of 20 November 2025')
    expect(reportHeadline(undefined, '2026-11-20', now)).toBe('Results of 20 November')
    expect(reportHeadline('Maya Lindqvist', undefined, now)).toBe('Maya’s results')
  })

  it('of a bulk order says for how many people it is, and of which day', () => {
    expect(bulkHeadline({ total: 1240, createdDate: '2026-11-20T08:00:00.000Z' }, now)).toBe(
      '1,240 people, 20 November',
    )
    expect(bulkHeadline({ total: 1, createdDate: '2026-11-20T08:00:00.000Z' }, now)).toBe('1 person, 20 November')
  })

  it('of a webhook endpoint is its note, else the host of its address', () => {
    const url = 'https://hooks.example.test/kitlane?key=1'
    expect(endpointHeadline({ url, description: 'Billing' })).toBe('Billing')
    expect(endpointHeadline({ url })).toBe('hooks.example.test')
  })
})
