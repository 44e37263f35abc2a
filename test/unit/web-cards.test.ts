import { describe, expect, it } from 'vitest'
import { expiryOf } from '../../web/src/features/payments/card-expiry.ts'

describe('a saved card', () => {
  const at = (day: string) => expiryOf({ expMonth: 11, expYear: 2026 }, new Date(`${day}T12:00:00Z`))

  it('is good to the last day of its month, and says from then on that it is declined', () => {
    expect(at('2026-11-30').tone).toBe('fair')
    expect(at('2026-12-01')).toEqual({
      tone: 'bad',
      words: 'Expired 11/2026. Orders with it are declined: add another card.',
    })
  })

  it('asks for its successor 60 days before', () => {
    expect(at('2026-10-01')).toEqual({ tone: undefined, words: 'Expires 11/2026' })
    expect(at('2026-10-03')).toEqual({ tone: 'fair', words: 'Expires 11/2026. Add its successor before.' })
  })
})
