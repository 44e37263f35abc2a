import { areSpelledAlike } from '@kitlane/lab-reader/parse/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  actionsFor,
  causes,
  causesAtDock,
  causesOfCodes,
  discardAtOf,
  emailsDue,
  type HoldCause,
  type HoldFacts,
  mendedOf,
} from '../../src/modules/holds/decision.ts'

const DAY = 86_400_000
const names = ['isRegistered', 'hasConsent', 'hasCollectionDate', 'isNameConfirmed', 'isIdentified'] as const
const allFacts = Array.from(
  { length: 2 ** names.length },
  (_, bits) =>
    Object.fromEntries(names.map((name, place) => [name, Boolean(bits & (1 << place))])) as unknown as HoldFacts,
)

// Which facts mend a cause: written down a second time, cause by cause.
const needs: Record<HoldCause, readonly (keyof HoldFacts)[]> = {
  notRegistered: ['isRegistered'],
  consentMissing: ['hasConsent'],
  nameDiffers: ['isRegistered', 'isNameConfirmed'],
  collectionDateMissing: ['hasCollectionDate'],
  labelUnreadable: ['isIdentified'],
}

describe('a sample on hold', () => {
  it.each(causes)('is mended of %s by what it needs, and by nothing else', (cause) => {
    for (const facts of allFacts) {
      const isMended = needs[cause].every((name) => facts[name])
      expect(mendedOf([cause], facts), JSON.stringify(facts)).toEqual(isMended ? [cause] : [])
    }
  })

  it('asks for one thing for each cause that is left, whichever causes there are', () => {
    fc.assert(
      fc.property(fc.subarray([...causes]), fc.constantFrom(...allFacts), fc.boolean(), (of, facts, hasProposal) => {
        const mended = mendedOf(of, facts)
        const left = of.filter((cause) => !mended.includes(cause))
        const actions = actionsFor(left, { hasProposal })
        expect(actions.map(({ cause }) => cause)).toEqual(causes.filter((cause) => left.includes(cause)))
        for (const { by } of actions) expect(by.length).toBeGreaterThan(0)
      }),
    )
  })

  it('asks the business alone about a name that the person gave', () => {
    expect(actionsFor(['nameDiffers'], { hasProposal: true })).toEqual([
      { code: 'approveName', by: ['business'], cause: 'nameDiffers' },
    ])
    expect(actionsFor(['nameDiffers'], { hasProposal: false })[0]?.by).toEqual(['person', 'business'])
  })

  it('is held at the dock only for what is missing then, and only for what is wanted', () => {
    for (const facts of allFacts) {
      for (const consent of [false, true]) {
        for (const collectionDate of [false, true]) {
          const found = causesAtDock(facts, { consent, collectionDate })
          expect(mendedOf(found, facts), 'nothing that is mended already').toEqual([])
          expect(found.includes('notRegistered')).toBe(!facts.isRegistered)
          expect(found.includes('consentMissing')).toBe(consent && facts.isRegistered && !facts.hasConsent)
          expect(found.includes('collectionDateMissing')).toBe(collectionDate && !facts.hasCollectionDate)
        }
      }
    }
  })
})

describe('the clock of a hold', () => {
  const now = new Date('2026-11-28T10:00:00Z')
  const until = (collectedOn: string | undefined, stabilityDays: number, receivedAt = now) => {
    const { discardAt, clock } = discardAtOf({ collectedOn, receivedAt, stabilityDays, now })
    return `${clock} ${discardAt.toISOString()}`
  }

  it('rests on the day of collection where it is known, else on the receipt', () => {
    expect(until('2026-11-26', 7)).toBe('collection 2026-12-03T00:00:00.000Z')
    expect(until(undefined, 7)).toBe('receipt 2026-12-05T10:00:00.000Z')
    expect(until(undefined, 7, new Date('2026-11-27T08:00:00Z'))).toBe('receipt 2026-12-04T08:00:00.000Z')
  })

  it('leaves two days at least, also for a sample that is old already', () => {
    expect(until('2026-10-01', 7)).toBe('collection 2026-11-30T10:00:00.000Z')
    expect(until(undefined, 1)).toBe('receipt 2026-11-30T10:00:00.000Z')
  })

  it('asks three times: at the beginning, half-way and the day before', () => {
    const hold = { since: now, discardAt: new Date(now.getTime() + 8 * DAY) }
    const due = (days: number) => emailsDue(hold, new Date(now.getTime() + days * DAY))
    expect([0, 3.9, 4, 6.9, 7, 8].map(due)).toEqual([1, 1, 2, 2, 3, 3])
  })
})

describe('a reason of HL7 table 0490', () => {
  it.each([
    ['RD', 'collectionDateMissing'],
    ['RS', 'nameDiffers'],
    ['RI', 'labelUnreadable'],
    ['RM', 'labelUnreadable'],
    ['RA', 'labelUnreadable'],
    ['RE', 'labelUnreadable'],
    ['rd', 'collectionDateMissing'],
  ])('%s holds the sample', (code, cause) => expect(causesOfCodes([code])).toEqual([cause]))

  it.each(['EX', 'QS', 'RB', 'RC', 'RH', 'RN', 'RR', 'RP', 'ZZ', ''])(
    '%s holds nothing, alone or beside others',
    (code) => {
      expect(causesOfCodes([code])).toEqual([])
      expect(causesOfCodes(['RD', code])).toEqual([])
    },
  )
})

describe('a name that a person corrects', () => {
  it.each([
    ['Jörg Møller', 'JOERG MOELLER', true],
    ['Jörg Møller', 'Jorg Moller', true],
    ["Sean O'Brien", 'sean obrien', true],
    ['Anna Maria Kern', 'Anna Kern', false],
    ['Anna Kern', 'Kern Anna', false],
    ['Anna Kern', 'Anne Kern', false],
    ['Twin A Kern', 'Twin B Kern', false],
    ['', '', false],
  ])('%s for %s counts at once: %s', (name, other, isAlike) => {
    expect(areSpelledAlike(name, other)).toBe(isAlike)
    expect(areSpelledAlike(other, name)).toBe(isAlike)
  })
})
