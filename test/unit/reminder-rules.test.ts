import { describe, expect, it } from 'vitest'
import { isQuiet, nextOf, type Rule } from '../../src/extensions/reminders/rules.ts'

const at = (time: string) => new Date(time)
const lives = (country: string, state = '') => ({ street1: 'x', city: 'x', state, zip: 'x', country })

describe('the night of a reminder', () => {
  it.each([
    ['US', 'NY', '2026-07-01T13:00:00Z', false],
    ['US', 'ny', '2026-07-01T12:59:00Z', true],
    ['US', 'NY', '2026-07-01T23:59:00Z', false],
    ['US', 'NY', '2026-07-02T00:00:00Z', true],
    // An hour later in winter.
    ['US', 'NY', '2026-01-01T13:30:00Z', true],
    ['US', 'HI', '2026-07-01T18:59:00Z', true],
    ['US', 'HI', '2026-07-01T19:00:00Z', false],
    // Florida lies in two zones: it is day in both.
    ['US', 'FL', '2026-07-01T13:30:00Z', true],
    ['US', 'FL', '2026-07-01T14:00:00Z', false],
    // An unknown state may be any of them, from New York to Hawaii.
    ['US', 'ZZ', '2026-07-01T18:30:00Z', true],
    ['US', 'ZZ', '2026-07-01T19:30:00Z', false],
    ['DE', 'BY', '2026-07-01T07:00:00Z', false],
    ['DE', 'BY', '2026-07-01T06:59:00Z', true],
    ['JP', '', '2026-07-01T00:00:00Z', false],
    ['JP', '', '2026-07-01T11:00:00Z', true],
    ['XX', '', '2026-07-01T08:59:00Z', true],
    ['XX', '', '2026-07-01T09:00:00Z', false],
  ])('in %s %s at %s: %s', (country, state, now, quiet) => {
    expect(isQuiet(lives(country, state), at(now))).toBe(quiet)
  })

  it('of an address that was erased is that of UTC', () => {
    expect([isQuiet(null, at('2026-07-01T08:00:00Z')), isQuiet(null, at('2026-07-01T12:00:00Z'))]).toEqual([
      true,
      false,
    ])
  })
})

describe('the next reminder', () => {
  const rule: Rule = {
    stage: 'register',
    kitType: '',
    afterDays: 7,
    everyDays: 7,
    times: 3,
    by: 'email',
    since: at('2026-03-01T00:00:00Z'),
  }
  const standing = {
    stage: 'register' as const,
    since: at('2026-03-01T12:00:00Z'),
    notify: true,
    isStopped: false,
    kitType: 'CORE',
  }
  const now = at('2026-03-05T00:00:00Z')
  const sent = (number: number) => [{ stage: 'register' as const, number }]
  const first = { stage: 'register', number: 1, dueDate: '2026-03-08T12:00:00.000Z' }
  const none = (why: string) => ({ why })

  it('is the one after the last that was sent', () => {
    expect(nextOf([rule], standing, [], now)).toEqual({ next: first })
    expect(nextOf([rule], standing, sent(1), now).next).toMatchObject({
      number: 2,
      dueDate: '2026-03-15T12:00:00.000Z',
    })
    expect(nextOf([rule], standing, sent(3), now)).toEqual(none('done'))
  })

  it('is the last that is due where several were missed', () => {
    expect(nextOf([rule], standing, [], at('2026-03-16T00:00:00Z')).next?.number).toBe(2)
  })

  it('says why there is none', () => {
    expect(nextOf([], standing, [], now)).toEqual(none('noRule'))
    expect(nextOf([rule], { ...standing, stage: undefined }, [], now)).toEqual(none('noRule'))
    expect(nextOf([rule], { ...standing, notify: false }, [], now)).toEqual(none('notWanted'))
    expect(nextOf([rule], { ...standing, isStopped: true }, [], now)).toEqual(none('stopped'))
    expect(nextOf([rule], standing, [], at('2026-04-10T00:00:00Z'))).toEqual(none('notDue'))
    const late = { ...rule, since: at('2026-03-25T00:00:00Z') }
    expect(nextOf([late], standing, [], at('2026-03-26T00:00:00Z'))).toEqual(none('notDue'))
  })

  it('follows the rule of the panel where there is one', () => {
    const own = { ...rule, kitType: 'CORE', afterDays: 2 }
    expect(nextOf([rule, own], standing, [], now).next?.dueDate).toBe('2026-03-03T12:00:00.000Z')
    expect(nextOf([rule, own], { ...standing, kitType: 'CARDIO' }, [], now).next).toEqual(first)
  })
})
