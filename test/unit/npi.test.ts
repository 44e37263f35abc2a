import { describe, expect, it } from 'vitest'
import { isNpi, licenceCode, quietSince, whyNot } from '../../src/modules/approvals/rules.ts'

describe('a National Provider Identifier', () => {
  it('has ten digits, of which the last is the check digit that CMS defines', () => {
    // The example of CMS, "NPI Check Digit Calculation": 123456789 has the check digit 3.
    expect(isNpi('1234567893')).toBe(true)
    expect([...'012456789'].filter((digit) => isNpi(`123456789${digit}`))).toEqual([])
    expect(
      ['', '123456789', '12345678933', '123456789X', ' 1234567893', '１234567893', '0000000006', '3234567891'].some(
        isNpi,
      ),
    ).toBe(false)
  })

  it('finds each wrong digit, and each pair of neighbours that were exchanged but 0 and 9', () => {
    const npi = '1245319599'
    expect(isNpi(npi)).toBe(true)
    for (let at = 0; at < 10; at++)
      for (const digit of '0123456789')
        if (digit !== npi[at]) expect(isNpi(npi.slice(0, at) + digit + npi.slice(at + 1))).toBe(false)
    for (let at = 0; at < 9; at++) {
      const [a = '', b = ''] = npi.slice(at, at + 2)
      const isBlind = a === b || [a + b, b + a].includes('09')
      expect(isNpi(npi.slice(0, at) + b + a + npi.slice(at + 2))).toBe(isBlind)
    }
  })
})

describe('who may decide on an order', () => {
  const at = { country: 'US', state: 'NY', zip: '10004' }
  it.each([
    ['a provider with a licence there', { isActive: true, licensedIn: ['US-NJ', 'US-NY'] }, undefined, undefined],
    ['one with a licence elsewhere', { isActive: true, licensedIn: ['US-NJ'] }, 'not licensed in US-NY', undefined],
    ['one without a licence', { isActive: true, licensedIn: [] }, 'not licensed in US-NY', undefined],
    ['one who is not active', { isActive: false, licensedIn: ['US-NY'] }, 'not active', 'not active'],
  ])('%s', (_, provider, toApprove, toRefuse) => {
    const said = (why?: string) => (why ? expect.stringContaining(why) : undefined)
    expect(whyNot(provider, 'approve', at)).toEqual(said(toApprove))
    expect(whyNot(provider, 'refuse', at)).toEqual(said(toRefuse))
  })
})

describe('a licence', () => {
  it('of a territory of the United States covers it however it is written, and its address too', () => {
    for (const territory of ['AS', 'GU', 'MP', 'PR', 'VI']) {
      expect([territory, `us-${territory}`].map(licenceCode)).toEqual([`US-${territory}`, `US-${territory}`])
      for (const at of [
        { country: 'US', state: territory, zip: '' },
        { country: territory, state: '', zip: '' },
      ]) {
        for (const code of [territory, `US-${territory}`])
          expect(whyNot({ isActive: true, licensedIn: [code] }, 'approve', at)).toBeUndefined()
        const elsewhere = { isActive: true, licensedIn: ['US-NY', 'US'] }
        expect(whyNot(elsewhere, 'approve', at)).toContain(`not licensed in US-${territory}`)
      }
    }
    expect(['CA', 'us-ca', 'DE', 'NY', ''].map(licenceCode)).toEqual(['CA', 'US-CA', 'DE', undefined, undefined])
  })

  it('of the whole United States, which older rows may have, covers no state: nobody is licensed so', () => {
    for (const state of ['NY', 'PR']) {
      const why = whyNot({ isActive: true, licensedIn: ['US'] }, 'approve', { country: 'US', state, zip: '' })
      expect(why).toContain(`not licensed in US-${state}`)
    }
  })
})

describe('who was written to about orders', () => {
  const minutes = (count: number) => new Date(Date.UTC(2026, 0, 1, 12, count))
  it.each([
    ['about older orders: again after four hours', 300, 0, minutes(60)],
    ['about none of these: at once', 300, 250, new Date(minutes(250).getTime() - 1)],
    ['just now: not within half an hour', 300, 299, minutes(270)],
  ])('%s', (_, now, oldest, since) => {
    expect(quietSince(minutes(now), minutes(oldest))).toEqual(since)
  })
})
