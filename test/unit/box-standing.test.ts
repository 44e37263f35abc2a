import { describe, expect, it } from 'vitest'
import { type Movement, next, packingProblem, standingAfter } from '../../src/modules/stock/decision.ts'

const at = (kind: Movement['kind'], reason?: Movement['reason'], place = 'A'): Movement => ({ kind, place, reason })
const box = {
  state: 'inStock' as const,
  place: 'A',
  serial: 'S1',
  kitType: 'CORE',
  expiresOn: '2027-01-27',
  kitId: null,
  minimumDaysAtPacking: 60,
  registerDaysBeforeExpiry: 30,
}

describe('what stands of a box', () => {
  it('is the sum of its movements', () => {
    const movements = [at('received'), at('transferred', undefined, 'B'), { ...at('bound'), place: 'B' }]
    expect(standingAfter(movements)).toEqual({ state: 'bound', place: 'B' })
    expect(standingAfter([...movements, { ...at('unbound'), place: 'B' }, at('adjusted', 'damaged', 'B')])).toEqual({
      state: 'writtenOff',
      place: 'B',
    })
  })

  it('begins with its receipt, once', () => {
    expect(standingAfter([at('transferred')])).toBeUndefined()
    expect(next({ state: 'inStock', place: 'A' }, at('received'))).toBeUndefined()
  })

  it('does not change while it is on a kit', () => {
    const bound = { state: 'bound' as const, place: 'A' }
    for (const kind of ['transferred', 'countedFound', 'countedMissing', 'bound'] as const) {
      expect(next(bound, at(kind)), kind).toBeUndefined()
    }
    expect(next(bound, at('adjusted', 'found'))).toBeUndefined()
    expect(next(bound, at('adjusted', 'lost'))).toBeUndefined()
  })

  it('stays the same by what was known', () => {
    const here = { state: 'inStock' as const, place: 'A' }
    const gone = { state: 'writtenOff' as const, place: 'A' }
    expect(next(here, at('transferred'))).toBe(here)
    expect(next(here, at('countedFound'))).toBe(here)
    expect(next(here, at('adjusted', 'found'))).toBe(here)
    expect(next(gone, at('adjusted', 'lost'))).toBe(gone)
  })
})

describe('a box for a kit', () => {
  it('has the days left that its product asks for, to the day', () => {
    expect(packingProblem(box, 'CORE', '2026-11-28')).toBeUndefined()
    expect(String(packingProblem(box, 'CORE', '2026-11-29'))).toContain('in less than 60 days')
    // One that nobody may register any more is as old.
    expect(String(packingProblem({ ...box, minimumDaysAtPacking: 0 }, 'CORE', '2026-12-29'))).toContain(
      'in less than 30',
    )
    expect(
      packingProblem({ ...box, minimumDaysAtPacking: 0, registerDaysBeforeExpiry: 0 }, 'CORE', '2027-01-27'),
    ).toBeUndefined()
    expect(
      String(packingProblem({ ...box, minimumDaysAtPacking: 0, registerDaysBeforeExpiry: 0 }, 'CORE', '2027-01-28')),
    ).toContain('has expired')
  })
})
