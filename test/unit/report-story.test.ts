import { byHarm, harmOf, shownState } from '@kitlane/display/harm'
import { changesSince, type Followed, openingOf } from '@kitlane/display/story'
import { describe, expect, it } from 'vitest'
import { openingText } from '../../web/src/features/reports/opening.ts'

const within = { low: 70, high: 99 }
const ranges = { inRange: within, fair: [{ low: 99, high: 120, lowExclusive: true }] }
const states = { o: 'optimal', g: 'good', f: 'fair', p: 'poor', u: 'unknown' } as const

const entry = (id: string, state: keyof typeof states, more: Partial<Followed> = {}): Followed => ({
  ...{ id, simpleLabel: id, state: states[state], interpretation: '', deviationScore: null, result: 90, ranges },
  ...{ targetType: 'range', historic: [], historicFindings: [] },
  ...more,
})
const opening = (letters: string, unassessed: { critical: boolean }[] = []) =>
  openingText(
    openingOf({ biomarker: [...letters].map((state, i) => entry(`v${i}`, state as keyof typeof states)), unassessed }),
  )

describe('a report opens with a sentence', () => {
  it('that counts what is outside, within and not judged, and never says more', () => {
    expect(opening('ooogg')).toBe('All 5 values are in their normal range.')
    expect(opening('g')).toBe('The one value is in its normal range.')
    expect(opening('gggu')).toBe(
      'Three of 4 values are in their normal range. One could not be judged: about it, this report says nothing.',
    )
    expect(opening(`pf${'g'.repeat(25)}`)).toBe(
      'Two of 27 values are outside their normal range, one of them only a little. The other 25 are within it.',
    )
    expect(opening('ffg')).toBe(
      'Two of 3 values are outside their normal range, but only a little. The other one is within it.',
    )
    expect(opening('p')).toBe('The one value is outside its normal range.')
    expect(opening('uu')).toBe('None of the 2 values could be judged.')
    expect(opening('')).toBe('This report has no values.')
    const biomarker = [entry('v', 'p', { withdrawn: {} })]
    expect(openingText(openingOf({ biomarker, unassessed: [] }))).toBe('All values of this report were taken back.')
  })

  it('that names first who is needed today, and what the laboratory marked', () => {
    const biomarker = [entry('k', 'p', { interpretation: 'HH' }), entry('na', 'g')]
    expect(openingText(openingOf({ biomarker, unassessed: [] }))).toMatch(
      /^One result needs a doctor today\. One of 2 values is outside/,
    )
    expect(opening('gg', [{ critical: true }])).toBe(
      'Two of 3 values are in their normal range. One could not be judged: about it, this report says nothing. One of what could not be judged is marked by the laboratory: ask a doctor about it.',
    )
  })

  it('that does not count what was withdrawn', () => {
    const biomarker = [entry('a', 'g'), entry('b', 'p', { withdrawn: {} })]
    expect(openingText(openingOf({ biomarker, unassessed: [] }))).toBe('The one value is in its normal range.')
  })
})

it('values are ordered by harm: critical, far outside, a little outside, in range, not judged', () => {
  const all = [
    entry('fine', 'g'),
    entry('unjudged', 'u'),
    entry('slight', 'f'),
    entry('far', 'p', { deviationScore: 1 }),
    entry('farther', 'p', { deviationScore: -3 }),
    entry('computed', 'p', { deviationScore: 9, type: 'calculated' }),
    entry('critical', 'f', { critical: {} }),
    entry('flagged', 'u', { interpretation: 'LL' }),
    entry('held', 'g', { holdsReport: true }),
  ]
  expect(byHarm(all).map(({ id }) => id)).toEqual([
    ...['critical', 'flagged', 'held'],
    ...['farther', 'far', 'computed', 'slight', 'fine', 'unjudged'],
  ])
})

it('a critical value never looks fine, though the ranges call it good', () => {
  const value = entry('k', 'g', { critical: {} })
  expect([harmOf(value), shownState(value)]).toEqual(['critical', 'poor'])
})

describe('what changed since the last time', () => {
  const points = (...results: number[]) =>
    results.map((result, month) => ({ result, timestamp: `2026-0${month + 1}-01T00:00:00.000Z` }))
  const kinds = (entries: Followed[]) => changesSince(entries).changes.map(({ kind, entry }) => [entry.id, kind])

  it('is what crossed a limit, by the ranges of this report; a move within a zone is none', () => {
    const now = (id: string, state: keyof typeof states, before: number, result: number) =>
      entry(id, state, { result, historic: points(before, result) })
    expect(
      kinds([
        now('moved', 'g', 71, 98),
        now('worse', 'f', 98, 101),
        now('better', 'g', 130, 90),
        now('still', 'p', 140, 180),
        entry('new', 'g', { historic: points(90) }),
        entry('lost', 'u', { result: null, historic: points(90) }),
      ]),
    ).toEqual([
      ['worse', 'worse'],
      ['still', 'still'],
      ['lost', 'open'],
      ['better', 'better'],
      ['new', 'new'],
    ])
  })

  it('is nothing with the first report', () => {
    expect(changesSince([entry('a', 'p', { historic: points(140), result: 140 })])).toEqual({ changes: [] })
  })

  it('leaves out a value whose laboratory’s flag contradicts the ranges, and the side that does no harm', () => {
    const flagged = entry('flagged', 'f', { result: 95, historic: points(90, 95) })
    const harmless = entry('harmless', 'o', { result: 60, targetType: 'lower', historic: points(90, 60) })
    expect(kinds([flagged, harmless])).toEqual([])
  })
})
