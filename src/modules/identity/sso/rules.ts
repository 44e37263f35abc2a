import { businessRoles, operatorRoles, type Role } from '../rules.ts'

/** How long a person may take at their provider. */
export const ATTEMPT_MS = 10 * 60_000

/** Of one side: a company rarely has more than two providers. */
export const MAX_CONNECTIONS = 10

export interface GroupRole {
  group: string
  role: Role
}

/** Why a provider's word does not let a person in. */
export type Refusal =
  | 'email_missing'
  | 'email_not_verified'
  | 'domain_not_verified'
  | 'no_group'
  | 'address_reused'
  | 'blocked'
  | 'last_admin'

export const refusalSentences: Record<Refusal, string> = {
  email_missing:
    'Your identity provider does not say your e-mail address: ask its administrator to send the claim email',
  email_not_verified:
    'Your identity provider does not vouch for your e-mail address: ask its administrator to send email_verified',
  domain_not_verified:
    'Your e-mail address is of a domain that is not verified for this single sign-on: ask your administrator',
  no_group: 'None of your groups has a role in Kitlane: ask your administrator to put you into one',
  address_reused:
    'Somebody else signed in with your e-mail address before: ask your administrator to remove the former user first',
  blocked: 'Your access was switched off: ask your administrator',
  last_admin:
    'Your groups would take the last administrator away: ask another administrator to check which group has which role',
}

/** What a provider says of a person, checked for who said it and not yet for what it means. */
export interface Claims {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
  [claim: string]: unknown
}

/** The part of an address after its last @, as domains are compared. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

// Whoever can get an address there would be let in.
const PUBLIC_MAIL = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'yahoo.com', 'ymail.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'aol.com', 'gmx.com', 'gmx.net', 'gmx.de', 'web.de', 'mail.com', 'proton.me'],
  ...['protonmail.com', 'pm.me', 'fastmail.com', 'hey.com', 'zoho.com', 'yandex.com', 'qq.com', '163.com', '126.com'],
])

/** Whether anybody can get an address of this domain. */
export const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain)

/** The roles that a side gives: a business, or the operator (null). */
export const rolesOfSide = (side: string | null): readonly Role[] => (side === null ? operatorRoles : businessRoles)

/** The role of the first row of the table whose group a person is in. */
export const roleOf = (groups: readonly string[], table: readonly GroupRole[]): Role | undefined =>
  table.find(({ group }) => groups.includes(group))?.role

/** The groups of a claim: a list, or one text. Undefined where the provider sends none. */
export function groupsOf(claims: Claims, claim: string): string[] | undefined {
  const value = claims[claim]
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined
}

/** Some providers send the text "true". */
const isTrue = (claim: unknown): boolean => claim === true || claim === 'true'

/** The address that a provider vouches for, if it is of a domain that was verified; else why not. */
export function vouchedEmail(
  { email, email_verified }: Claims,
  verifiedDomains: readonly string[],
): { email: string } | { refusal: Refusal } {
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    return { refusal: 'email_missing' }
  }
  if (!isTrue(email_verified)) return { refusal: 'email_not_verified' }
  if (!verifiedDomains.includes(domainOf(email))) return { refusal: 'domain_not_verified' }
  return { email: email.toLowerCase() }
}
