import { describe, expect, it } from 'vitest'
import {
  type Asked,
  type Home,
  homeRefusal,
  type PanelRules,
  personRefusal,
  type Refusal,
  refusalsOf,
  regionCode,
} from '../../src/modules/catalogue/eligibility.ts'

const anybody: PanelRules = {
  offeredIn: null,
  notOfferedIn: [],
  maxPerOrder: null,
  minAge: 0,
  maxAge: null,
  sex: null,
  providerNeeded: false,
}
const zips: Record<string, string> = { NY: '10004', NJ: '07030', CA: '90001', TX: '78701', PR: '00901' }
const at = (country: string, state: string, zip = country === 'US' ? (zips[state] ?? '') : '') => ({
  country,
  state,
  zip,
})

describe('where and how many of a panel can be ordered', () => {
  it.each<[string, Partial<PanelRules>, string, string, number, Refusal[]]>([
    ['no limit', {}, 'US', 'NY', 999, []],
    ['a country that is named', { offeredIn: ['US'] }, 'US', 'NY', 1, []],
    ['another country', { offeredIn: ['US'] }, 'CA', 'ON', 1, ['country']],
    ['a state that is named', { offeredIn: ['US-CA', 'US-TX'] }, 'US', 'TX', 1, []],
    ['another state of its country', { offeredIn: ['US-CA'] }, 'US', 'NY', 1, ['state']],
    ['a country of which no state is named', { offeredIn: ['US-CA'] }, 'GB', '', 1, ['country']],
    ['a state that is excluded', { notOfferedIn: ['US-NY'] }, 'US', 'NY', 1, ['state']],
    ['its neighbour', { notOfferedIn: ['US-NY'] }, 'US', 'NJ', 1, []],
    ['a state excluded from a country', { offeredIn: ['US'], notOfferedIn: ['US-NY'] }, 'US', 'NY', 1, ['state']],
    ['a country that is excluded', { notOfferedIn: ['CA'] }, 'CA', 'QC', 1, ['country']],
    [
      'a state named of an excluded country',
      { offeredIn: ['US-CA'], notOfferedIn: ['US'] },
      'US',
      'CA',
      1,
      ['country'],
    ],
    ['the letters of a state in another country', { notOfferedIn: ['US-CA'] }, 'AU', 'CA', 1, []],
    ['an unknown state where one is excluded', { notOfferedIn: ['US-NY'] }, 'US', '', 1, ['state']],
    ['an unknown state elsewhere', { notOfferedIn: ['US-NY'] }, 'DE', '', 1, []],
    ['an unknown state where some are named', { offeredIn: ['US-CA'] }, 'US', '', 1, ['state']],
    ['a territory of a country that is named', { offeredIn: ['US'] }, 'PR', '', 1, []],
    ['a territory, excluded as a region', { notOfferedIn: ['US-PR'] }, 'PR', '', 1, ['state']],
    ['a territory, excluded as a country', { notOfferedIn: ['PR'] }, 'US', 'PR', 1, ['country']],
    ['a territory where another region is excluded', { notOfferedIn: ['US-NY'] }, 'PR', '', 1, []],
    ['as many as are allowed', { maxPerOrder: 2 }, 'US', 'NY', 2, []],
    ['one more', { maxPerOrder: 2 }, 'US', 'NY', 3, ['quantity']],
    [
      'one more, to where it is not offered',
      { maxPerOrder: 2, notOfferedIn: ['US-NY'] },
      'US',
      'NY',
      3,
      ['state', 'quantity'],
    ],
  ])('%s', (_, limits, country, state, quantity, refused) => {
    expect(refusalsOf({ ...anybody, ...limits }, { address: at(country, state), quantity })).toEqual(refused)
  })

  it('a state whose ZIP code is of another one is refused where a limit is of states, or a provider needs a licence there', () => {
    const address = at('US', 'NJ', '10004')
    for (const limits of [{ providerNeeded: true }, { notOfferedIn: ['US-NY'] }, { offeredIn: ['US-NJ'] }])
      expect(refusalsOf({ ...anybody, ...limits }, { address })).toEqual(['zip'])
    for (const limits of [{}, { offeredIn: ['US'], notOfferedIn: ['CA-QC'] }])
      expect(refusalsOf({ ...anybody, ...limits }, { address })).toEqual([])
  })

  it.each([
    ['06390', 'NY', 'CT'],
    ['73960', 'TX', 'OK'],
    ['83414', 'WY', 'ID'],
    ['20588', 'MD', 'DC'],
    ['20598', 'VA', 'DC'],
  ])('the ZIP code %s is of %s, though its first three digits are of %s', (zip, state, neighbour) => {
    const refused = (of: string) =>
      refusalsOf({ ...anybody, notOfferedIn: ['US-ZZ'] }, { address: at('US', of, `${zip}-0001`) })
    expect([refused(state), refused(neighbour)]).toEqual([[], ['zip']])
    const rules = { ...anybody, notOfferedIn: [`US-${state}`] }
    expect(homeRefusal(rules, { home: { zip }, sentTo: at('US', 'VT'), isApproved: false })).toBe('offered')
    // Their neighbours of the same digits are not of that state.
    const next = `${zip.slice(0, 4)}${(Number(zip[4]) + 1) % 10}`
    expect(homeRefusal(rules, { home: { zip: next }, sentTo: at('US', 'VT'), isApproved: false })).toBeUndefined()
  })

  it('Jersey, Guernsey, the Isle of Man and Gibraltar are countries of their own, also where a letter names the United Kingdom', () => {
    for (const [code, zip] of [
      ['JE', 'JE2 3AB'],
      ['GG', 'gy1 1aa'],
      ['IM', 'IM2 1AA'],
      ['GI', 'GX11 1AA'],
    ] as const)
      for (const country of ['GB', code]) {
        const address = at(country, '', zip)
        expect(refusalsOf({ ...anybody, offeredIn: ['GB'] }, { address })).toEqual(['country'])
        expect(refusalsOf({ ...anybody, notOfferedIn: [code] }, { address })).toEqual(['country'])
        expect(refusalsOf({ ...anybody, offeredIn: [code] }, { address })).toEqual([])
      }
    expect(refusalsOf({ ...anybody, offeredIn: ['GB'] }, { address: at('GB', '', 'EC1Y 8SY') })).toEqual([])
  })

  it.each<[string, Home, ReturnType<typeof homeRefusal>, ReturnType<typeof homeRefusal>]>([
    ['nothing is said', {}, undefined, undefined],
    ['the country alone', { country: 'US' }, undefined, undefined],
    [
      'the whole address',
      { addressLine1: '1 Broadway', city: 'New York', state: 'NY', zip: '10004' },
      undefined,
      undefined,
    ],
    ['the state by its name', { state: 'New York' }, undefined, undefined],
    ['the ZIP code alone', { zip: '10004' }, undefined, undefined],
    ['another state', { state: 'NJ' }, 'approved', undefined],
    ['a state where it is not offered', { state: 'IL' }, 'approved', 'offered'],
    ['another country', { country: 'DE' }, 'approved', 'offered'],
    ['the ZIP code of a state where it is not offered', { zip: '62701' }, 'approved', 'offered'],
    ['the ZIP code of Puerto Rico', { zip: '00901' }, 'approved', undefined],
    [
      'a street and a city that may be in any state',
      { addressLine1: '1 Elm', city: 'Springfield' },
      'approved',
      'offered',
    ],
    ['its state with the ZIP code of another', { state: 'NY', zip: '90210' }, 'approved', 'offered'],
    ['its state with a postcode of another country', { state: 'NY', zip: 'K1A 0B1' }, 'approved', 'offered'],
  ])('a kit sent to New York, whose person says of their home: %s', (_, home, approved, offered) => {
    const sentTo = at('US', 'NY')
    expect(homeRefusal({ ...anybody, providerNeeded: true }, { home, sentTo, isApproved: true })).toBe(approved)
    const rules = { ...anybody, offeredIn: ['US'], notOfferedIn: ['US-IL'] }
    expect(homeRefusal(rules, { home, sentTo, isApproved: false })).toBe(offered)
    expect(homeRefusal(anybody, { home, sentTo, isApproved: false })).toBeUndefined()
  })

  it('a kit that was sent before its panel had a limit is for who lives there', () => {
    const rules = { ...anybody, notOfferedIn: ['US-NY'] }
    const asked = { home: { state: 'NY', zip: '10001' }, isApproved: false }
    expect(homeRefusal(rules, { ...asked, sentTo: at('US', 'NY') })).toBeUndefined()
    expect(homeRefusal(rules, { ...asked, sentTo: at('US', 'NJ') })).toBe('offered')
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

// The table has 5 rows: place, quantity, age, sex, guardian. The model below says the same of places as sets.
const offered = [null, ['US'], ['US-CA'], ['US', 'CA-ON'], ['PR'], ['CA']]
const excluded = [[], ['US-NY'], ['US'], ['US-PR'], ['PR'], ['CA-QC', 'US-CA']]
const addresses = [
  undefined,
  at('US', 'NY'),
  at('US', 'CA'),
  at('US', 'CA', '10004'),
  at('US', 'PR'),
  at('US', ''),
  at('PR', ''),
  at('CA', 'ON'),
  at('CA', 'QC'),
  at('CA', ''),
  at('DE', ''),
]
const quantities = [undefined, 1, 2, 3]
const people: Asked['person'][] = [
  undefined,
  ...[9, 17, 18, 65, 66].flatMap((age) =>
    ([undefined, 'M', 'F'] as const).flatMap((sex) =>
      [undefined, true, false].map((hasGuardian) => ({ age, sex, hasGuardian })),
    ),
  ),
]
const panels = [
  { minAge: 18, maxAge: null, sex: null, maxPerOrder: null, providerNeeded: false },
  { minAge: 10, maxAge: 65, sex: 'F', maxPerOrder: 2, providerNeeded: true },
  { minAge: 0, maxAge: 17, sex: 'M', maxPerOrder: 1, providerNeeded: false },
] as const

/** All names that a place has, from the widest on. */
const namesOf = ({ country, state }: { country: string; state: string }): string[] => {
  if (country === 'PR' || state === 'PR') return ['US', 'PR', 'US-PR']
  return state === '' ? [country] : [country, `${country}-${state}`]
}

function modelOfPlace(rules: PanelRules, address: NonNullable<Asked['address']>): Refusal[] {
  const names = namesOf(address)
  const isCountry = (name: string) => !name.includes('-')
  const mentions = (list: readonly string[]) =>
    list.some((name) => !isCountry(name) && names.some((own) => isCountry(own) && name.startsWith(own)))
  const out = names.filter((name) => rules.notOfferedIn.includes(name))
  if (out.some(isCountry)) return ['country']
  if (out.length > 0) return ['state']
  if (rules.offeredIn && !names.some((name) => rules.offeredIn?.includes(name)))
    return [mentions(rules.offeredIn) ? 'state' : 'country']
  if (names.every(isCountry) && mentions(rules.notOfferedIn)) return ['state']
  const isOfStates = rules.providerNeeded || mentions([...rules.notOfferedIn, ...(rules.offeredIn ?? [])])
  return address.zip === '10004' && address.state === 'CA' && isOfStates ? ['zip'] : []
}

function modelOfPerson(
  { minAge, maxAge, sex }: PanelRules,
  { age = 18, ...person }: NonNullable<Asked['person']>,
): Refusal[] {
  const refused: Refusal[] = []
  if (!(age >= minAge && age <= (maxAge ?? 200))) refused.push('age')
  if (new Set([sex, person.sex].filter(Boolean)).size === 2) refused.push('sex')
  if (person.hasGuardian === true && age >= 18) refused.push('guardianUnneeded')
  if (person.hasGuardian === false && age < 18) refused.push('guardianMissing')
  return refused
}

describe('who may order a panel and be tested', () => {
  it('is decided as a plain model does, for every combination of rules and of what is asked for', () => {
    let combinations = 0
    for (const panel of panels)
      for (const offeredIn of offered)
        for (const notOfferedIn of excluded) {
          const rules: PanelRules = { ...panel, offeredIn, notOfferedIn }
          for (const address of addresses) {
            const place = address ? modelOfPlace(rules, address) : []
            for (const quantity of quantities) {
              const many: Refusal[] =
                quantity !== undefined && quantity > (rules.maxPerOrder ?? 1000) ? ['quantity'] : []
              for (const person of people) {
                combinations++
                const wanted = [...place, ...many, ...(person ? modelOfPerson(rules, person) : [])]
                const found = refusalsOf(rules, { address, quantity, person })
                if (String(found) !== String(wanted))
                  expect({ rules, address, quantity, person, found }).toEqual({ found: wanted })
              }
            }
          }
        }
    expect(combinations).toBe(3 * 36 * 11 * 4 * 46)
  })

  it('is said to the person who registers, with the field that is wrong', () => {
    const women = { minAge: 18, maxAge: 65, sex: 'F' } as const
    expect(personRefusal(women, { age: 30, sex: 'F', hasGuardian: false })).toBeUndefined()
    expect(personRefusal(women, { age: 30, sex: 'M', hasGuardian: false })).toEqual({
      code: 'SEX_NOT_ALLOWED',
      field: 'sex',
      sentence: 'This test is for people of female sex.',
    })
    expect(personRefusal(women, { age: 66, sex: 'M', hasGuardian: false })).toMatchObject({
      code: 'AGE_NOT_ALLOWED',
      field: 'dateOfBirth',
    })
  })
})
