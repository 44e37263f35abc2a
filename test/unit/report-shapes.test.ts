import { trendOf, upToItself } from '@kitlane/display/trend'
import { describe, expect, it } from 'vitest'
import { verdictMark } from '../../src/modules/portal/view/drawings.ts'

const value = (day: string, result: number) => ({ result, timestamp: `${day}T00:00:00.000Z` })
const values = [value('2025-01-10', 101), value('2025-06-10', 103), value('2026-01-10', 96)]

describe('the history of a value', () => {
  it('ends at the report that shows it, whatever came later', () => {
    const shown = (collectedDate?: string) =>
      upToItself({ details: { collectedDate }, biomarker: [{ historic: values, historicFindings: [] }] }).biomarker[0]
        ?.historic
    expect(shown('2025-06-10')).toEqual(values.slice(0, 2))
    expect(shown('2025-06-10T23:30:00.000Z')).toEqual(values.slice(0, 2))
    expect(shown('2026-01-10')).toEqual(values)
    expect(shown()).toEqual(values)
  })

  it('has the limit in its picture that its values are close to, and stays readable where they are far', () => {
    const beyond = values.slice(0, 2)
    const drawn = trendOf(beyond, { low: 70, high: 99 })
    expect(drawn?.height(99)).toBeGreaterThan(0)
    expect(drawn?.height(99)).toBeLessThan(drawn?.height(101) ?? 0)
    const far = trendOf([value('2025-01-10', 900), value('2025-06-10', 1000)], { low: null, high: 99 })
    expect(far?.height(99)).toBeLessThan(0)
    expect(trendOf(beyond)?.height(99)).toBeLessThan(0)
  })
})

describe('the sign of a verdict', () => {
  it('points down for low and up for high, and is round within', () => {
    const tips = Object.fromEntries(
      (['low', 'high'] as const).map((side) => [side, /d="M7 (\d+)/.exec(verdictMark(side).text)?.[1]]),
    )
    expect(tips).toEqual({ low: '13', high: '1' })
    expect(verdictMark('within').text).toContain('<circle')
  })
})
