import type { Place } from '@kitlane/display/postal-address'
import { isIn } from '../catalogue/eligibility.ts'

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

/** Why a provider may not decide; undefined where they may. To refuse, nobody needs a licence. */
export function whyNot(provider: Deciding, decision: 'approve' | 'refuse', address: Place | null): string | undefined {
  if (!provider.isActive) return 'This provider is not active'
  if (decision === 'refuse' || address === null || isIn(provider.licensedIn, address)) return undefined
  return `This provider is not licensed in ${[address.country, address.state].filter(Boolean).join('-')}`
}
