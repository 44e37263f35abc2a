import { describe, expect, it } from 'vitest'
import {
  type Cadence,
  dateAt,
  dueAt,
  type Every,
  missedAt,
  passedAt,
  problemOfNext,
  type Standing,
  upcoming,
} from '../../src/extensions/plans/rules.ts'

const dates = (cadence: Cadence, count: number) => Array.from({ length: count }, (_, index) => dateAt(cadence, index))

const plan = (every: Every, countedFrom: string, changes: Partial<Standing> = {}): Standing => ({
  every,
  countedFrom,
  nextIndex: 0,
  times: null,
  placed: 0,
  ...changes,
})

describe('the dates of a plan', () => {
  it('on the 31st are the last days of shorter months, and the 31st again after them', () => {
    const monthly = { every: { months: 1 }, countedFrom: '2027-01-31' }
    expect(dates(monthly, 5)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'])
    expect(dateAt({ ...monthly, countedFrom: '2028-01-31' }, 1)).toBe('2028-02-29')
    expect(dateAt({ ...monthly, countedFrom: '2027-01-30' }, 1)).toBe('2027-02-28')
  })

  it('on 29 February are 28 February in other years', () => {
    const yearly = { every: { months: 12 }, countedFrom: '2028-02-29' }
    expect(dates(yearly, 5)).toEqual(['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'])
  })

  it('pass the end of a year', () => {
    expect(dates({ every: { months: 5 }, countedFrom: '2026-11-15' }, 3)).toEqual([
      '2026-11-15',
      '2027-04-15',
      '2027-09-15',
    ])
    expect(dates({ every: { weeks: 2 }, countedFrom: '2026-12-24' }, 3)).toEqual([
      '2026-12-24',
      '2027-01-07',
      '2027-01-21',
    ])
  })

  it('every so many weeks stay on their weekday, through every change of the clocks', () => {
    const weekly = { every: { weeks: 3 }, countedFrom: '2026-11-25' }
    const weekdays = dates(weekly, 200).map((date) => dueAt(date).getUTCDay())
    expect(new Set(weekdays)).toEqual(new Set([3]))
  })

  it('never come twice and never go back, for every first day and every number of months', () => {
    for (let day = 0; day < 366; day++) {
      const countedFrom = new Date(Date.UTC(2028, 0, 1 + day)).toISOString().slice(0, 10)
      for (const months of [1, 2, 3, 6, 12]) {
        const all = dates({ every: { months }, countedFrom }, 30)
        expect(all.every((date, i) => i === 0 || date > (all[i - 1] ?? ''))).toBe(true)
        const days = all.map((date) => Number(date.slice(8)))
        expect(Math.max(...days), 'no day after the first one').toBe(days[0])
      }
    }
  })

  it('are due at six in the morning, UTC', () => {
    expect(dueAt('2026-12-01').toISOString()).toBe('2026-12-01T06:00:00.000Z')
  })
})

describe('what comes next', () => {
  it('is five dates, or as many as are left', () => {
    const weekly = plan({ weeks: 1 }, '2026-12-01', { nextIndex: 2 })
    expect(upcoming(weekly)).toEqual(['2026-12-15', '2026-12-22', '2026-12-29', '2027-01-05', '2027-01-12'])
    expect(upcoming({ ...weekly, times: 4, placed: 2 })).toEqual(['2026-12-15', '2026-12-22'])
  })

  it('after an outage is the latest date that is due; those before it were missed', () => {
    const weekly = plan({ weeks: 1 }, '2026-12-01')
    expect(missedAt(weekly, new Date('2026-12-16T00:00:00Z'))).toEqual({
      dates: ['2026-12-01', '2026-12-08'],
      index: 2,
    })
    expect(missedAt(weekly, new Date('2026-12-08T05:59:59.999Z'))).toEqual({ dates: [], index: 0 })
    expect(missedAt(weekly, new Date('2026-12-08T06:00:00Z'))).toEqual({ dates: ['2026-12-01'], index: 1 })
  })

  it('after a pause is the first date from today on', () => {
    const weekly = plan({ weeks: 1 }, '2026-12-01')
    expect(passedAt(weekly, new Date('2026-12-08T23:00:00Z'))).toEqual({ dates: ['2026-12-01'], index: 1 })
    expect(passedAt(weekly, new Date('2026-11-08T23:00:00Z'))).toEqual({ dates: [], index: 0 })
  })

  it('is a date from today on, within two years, after those that are past', () => {
    const now = new Date('2026-11-24T12:00:00Z')
    expect(problemOfNext('2026-11-23', now)).toMatch(/today/)
    expect(problemOfNext('2026-11-24', now)).toBeUndefined()
    expect(problemOfNext('2028-11-24', now)).toBeUndefined()
    expect(problemOfNext('2028-11-30', now)).toMatch(/two years/)
    expect(problemOfNext('2026-12-01', now, '2026-12-01')).toMatch(/after 2026-12-01/)
  })
})
