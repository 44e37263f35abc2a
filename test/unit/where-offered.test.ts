import { describe, expect, it } from 'vitest'
import { brokenLimit, type OrderLimits, regionCode } from '../../src/modules/catalogue/order-limits.ts'

const anywhere: OrderLimits = { offeredIn: null, notOfferedIn: [], maxPerOrder: null }

describe('where and how many of a panel can be ordered', () => {
  it.each<[string, Partial<OrderLimits>, string, string, number, ReturnType<typeof brokenLimit>]>([
    ['no limit', {}, 'US', 'NY', 999, undefined],
    ['a country that is named', { offeredIn: ['US'] }, 'US', 'NY', 1, undefined],
    ['another country', { offeredIn: ['US'] }, 'CA', 'ON', 1, 'country'],
    ['a state that is named', { offeredIn: ['US-CA', 'US-TX'] }, 'US', 'TX', 1, undefined],
    ['another state of its country', { offeredIn: ['US-CA'] }, 'US', 'NY', 1, 'state'],
    ['a country of which no state is named', { offeredIn: ['US-CA'] }, 'GB', '', 1, 'country'],
    ['a state that is excluded', { notOfferedIn: ['US-NY'] }, 'US', 'NY', 1, 'state'],
    ['its neighbour', { notOfferedIn: ['US-NY'] }, 'US', 'NJ', 1, undefined],
    ['a state excluded from a country', { offeredIn: ['US'], notOfferedIn: ['US-NY'] }, 'US', 'NY', 1, 'state'],
    ['a country that is excluded', { notOfferedIn: ['CA'] }, 'CA', 'QC', 1, 'country'],
    [
      'a state that is named of an excluded country',
      { offeredIn: ['US-CA'], notOfferedIn: ['US'] },
      'US',
      'CA',
      1,
      'country',
    ],
    ['the letters of a state in another country', { notOfferedIn: ['US-CA'] }, 'AU', 'CA', 1, undefined],
    ['an unknown state where one is excluded', { notOfferedIn: ['US-NY'] }, 'US', '', 1, 'state'],
    ['an unknown state elsewhere', { notOfferedIn: ['US-NY'] }, 'DE', '', 1, undefined],
    ['an unknown state where some are named', { offeredIn: ['US-CA'] }, 'US', '', 1, 'state'],
    ['a territory of a country that is named', { offeredIn: ['US'] }, 'PR', '', 1, undefined],
    ['a territory, excluded as a region', { notOfferedIn: ['US-PR'] }, 'PR', '', 1, 'state'],
    ['a territory, excluded as a country', { notOfferedIn: ['PR'] }, 'US', 'PR', 1, 'country'],
    ['a territory where another region is excluded', { notOfferedIn: ['US-NY'] }, 'PR', '', 1, undefined],
    ['as many as are allowed', { maxPerOrder: 2 }, 'US', 'NY', 2, undefined],
    ['one more', { maxPerOrder: 2 }, 'US', 'NY', 3, 'quantity'],
    ['one more, to where it is not offered', { maxPerOrder: 2, notOfferedIn: ['US-NY'] }, 'US', 'NY', 3, 'state'],
  ])('%s', (_, limits, country, state, quantity, broken) => {
    expect(brokenLimit({ ...anywhere, ...limits }, { country, state, quantity })).toBe(broken)
  })

  it('is said in codes of ISO 3166', () => {
    expect(['us', 'US-ny', ' ca-qc ', 'GB', 'us-pr', 'PR'].map(regionCode)).toEqual([
      'US',
      'US-NY',
      'CA-QC',
      'GB',
      'US-PR',
      'PR',
    ])
    expect(['', 'XX', 'US-ZZ', 'USA', 'New York', 'NY', 'DE-BY', 'US-'].map(regionCode)).toEqual(
      Array(8).fill(undefined),
    )
  })
})
