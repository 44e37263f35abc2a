import type { Place } from '@kitlane/display/postal-address'
import { isIn, regionCode, regionOf } from '../catalogue/eligibility.ts'

/**
 * Whether ten digits are a National Provider Identifier: it begins with 1 or 2, and with 80840 before them, the last one is the check digit of Luhn's formula
 * (45 CFR 162.406; CMS, "NPI Check Digit Calculation").
 */
export function isNpi(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false
  const sum = [...`80840${text}`].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Who wants to decide on an order, and what of them matters. */
export interface Deciding {
  isActive: boolean
  licensedIn: readonly string[]
}

/** A licence as ISO 3166 has it, and `US-PR` of `PR`: a territory of the United States is one of its regions; undefined for anything else. */
export function licenceCode(text: string): string | undefined {
  const code = regionCode(text)
  return code && regionOf({ country: code, state: '', zip: '' })
}

/** Whether licences cover an address. A physician is licensed by state: `US`, which older rows may have, covers none. */
const isLicensed = (licensedIn: readonly string[], address: Place): boolean =>
  isIn(
    licensedIn.filter((code) => code !== 'US'),
    address,
  )

/** Whether an active provider is licensed where the recipient of an order lives. */
export const mayApprove = ({ isActive, licensedIn }: Deciding, address: Place | null): boolean =>
  isActive && address !== null && isLicensed(licensedIn, address)

/**
 * Whether an order is in the queue of a provider who sees no other: they are licensed there, or nobody's patient is behind it any more, since
 * the person was erased.
 */
export const isInQueueOf = (provider: Deciding | undefined, address: Place | null): boolean =>
  provider?.isActive === true && (address === null || isLicensed(provider.licensedIn, address))

/** Whether a customer is the recipient of an order to their e-mail address, which families share. */
export function isSamePerson({ firstName, lastName }: Named, customer: Named & { name: string }): boolean {
  const name = wholeName({ firstName, lastName })
  return name !== '' && [customer.name.trim().toLowerCase(), wholeName(customer)].includes(name)
}

interface Named {
  firstName: string | null
  lastName: string | null
}

const wholeName = ({ firstName, lastName }: Named): string =>
  [firstName, lastName].filter(Boolean).join(' ').trim().toLowerCase()

/** Why nobody approves an order without a recipient. */
export const ERASED = 'The person of this order was erased: refuse it'

/** Why a provider may not decide; undefined where they may. To refuse, nobody needs a licence. */
export function whyNot(provider: Deciding, decision: 'approve' | 'refuse', address: Place | null): string | undefined {
  if (!provider.isActive) return 'This provider is not active'
  if (decision === 'refuse' || address === null || isLicensed(provider.licensedIn, address)) return undefined
  return `This provider is not licensed in ${regionOf(address)}`
}

const MINUTE_MS = 60_000
const AT_MOST_EVERY_MS = 30 * MINUTE_MS
const AGAIN_AFTER_MS = 240 * MINUTE_MS

/**
 * Since when nobody may have been written to, so that they are written to now: not about these orders within four hours, the oldest of
 * which was placed then, and not at all within half an hour.
 */
export const quietSince = (now: Date, oldest: Date): Date =>
  new Date(Math.min(now.getTime() - AT_MOST_EVERY_MS, Math.max(now.getTime() - AGAIN_AFTER_MS, oldest.getTime() - 1)))
