import { describe, expect, it } from 'vitest'
import { completed, isSharedTenant, vouchedEmail } from '../../src/modules/identity/sso/claims.ts'

const tid = '11111111-2222-4333-8444-555555555555'
const tenant = `https://login.microsoftonline.com/${tid}/v2.0`
const seen = (claims: object, issuer = tenant) =>
  vouchedEmail({ sub: 's', tid, ...claims }, { verified: ['clinic.test'], issuer })
const email = 'ann@clinic.test'

describe('a tenant of Entra ID', () => {
  it('is believed for verified domains without email_verified, by email, preferred_username or upn', () => {
    for (const claims of [
      { email },
      { email: 'Ann@Clinic.test ' },
      { preferred_username: email },
      { upn: email },
      { email, xms_edov: true },
      { email, xms_edov: '1' },
    ]) {
      expect(seen(claims), JSON.stringify(claims)).toEqual({ email })
    }
    expect(seen({ upn: email }, `https://sts.windows.net/${tid}/`)).toEqual({ email })
  })

  it('is not believed where it says no, about a guest, or about a domain that is not verified', () => {
    for (const denied of [
      { email_verified: false },
      { email_verified: 'False' },
      { xms_edov: false },
      { xms_edov: 0 },
    ]) {
      expect(seen({ email, ...denied })).toEqual({ refusal: 'email_not_verified' })
    }
    const guest = { preferred_username: 'ann_clinic.test#EXT#@other.onmicrosoft.com' }
    expect(seen(guest)).toEqual({ refusal: 'domain_not_verified' })
    expect(seen({ email: 'ann@elsewhere.test' })).toEqual({ refusal: 'domain_not_verified' })
  })

  it('is only the one of the issuer, not personal accounts, and no provider elsewhere', () => {
    const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'
    expect(seen({ email, tid: 'another' })).toEqual({ refusal: 'email_not_verified' })
    expect(seen({ email, tid: personal }, `https://login.microsoftonline.com/${personal}/v2.0`)).toEqual({
      refusal: 'email_not_verified',
    })
    // Customers make their own accounts in External ID and B2C.
    for (const host of [`${tid}.ciamlogin.com`, 'clinic.b2clogin.com', 'login.clinic.test']) {
      expect(seen({ email }, `https://${host}/${tid}/v2.0`)).toEqual({ refusal: 'email_not_verified' })
      expect(seen({ preferred_username: email }, `https://${host}/${tid}/v2.0`)).toEqual({ refusal: 'email_missing' })
    }
    expect(isSharedTenant('https://login.microsoftonline.com/{tenantid}/v2.0')).toBe(true)
    expect(isSharedTenant('https://login.microsoftonline.com/%zz/v2.0')).toBe(false)
  })
})

describe('an ID token and the userinfo endpoint', () => {
  it('give an address and the word on it from one place', () => {
    const more = { email: 'b@clinic.test', email_verified: true, groups: ['x'] }
    expect(completed({ sub: 's' }, more)).toMatchObject(more)
    expect(completed({ sub: 's', email: 'a@clinic.test' }, more)).toMatchObject({ email: 'b@clinic.test' })
    expect(completed({ sub: 's', email: 'a@clinic.test', email_verified: true }, more)).toMatchObject({
      email: 'a@clinic.test',
    })
  })

  it('keep the address of the token where the endpoint has none, and a no of either', () => {
    expect(completed({ sub: 's', email: 'a@clinic.test' }, { name: 'A' })).toMatchObject({ email: 'a@clinic.test' })
    const refused = completed({ sub: 's', email_verified: false }, { email: 'b@clinic.test' })
    expect(refused).toMatchObject({ email: 'b@clinic.test', email_verified: false })
    expect(
      completed({ sub: 's', email: 'a@clinic.test', email_verified: 'false' }, { email_verified: true }),
    ).toMatchObject({
      email_verified: false,
    })
  })
})
