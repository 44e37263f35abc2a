import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { Role } from '../rules.ts'

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
  | 'groups_not_sent'
  | 'address_reused'
  | 'blocked'
  | 'last_admin'

export const refusalSentences: Record<Refusal, Sentence> = {
  email_missing: sentence(
    'Your identity provider does not say your e-mail address: ask its administrator to send the claim email',
  ),
  email_not_verified: sentence(
    'Your identity provider does not vouch for your e-mail address: ask its administrator to send email_verified',
  ),
  domain_not_verified: sentence(
    'Your e-mail address is of a domain that is not verified for this single sign-on: ask your administrator',
  ),
  no_group: sentence('None of your groups has a role in Kitlane: ask your administrator to put you into one'),
  groups_not_sent: sentence(
    'You are in more groups than your identity provider puts into a token: ask its administrator to send only the groups of this application, or to provision them by SCIM',
  ),
  address_reused: sentence(
    'Somebody else signed in with your e-mail address before: ask your administrator to remove the former user first',
  ),
  blocked: sentence('Your access was switched off: ask your administrator'),
  last_admin: sentence(
    'Your groups would take the last administrator away: ask another administrator to check which group has which role',
  ),
}

/** The role of the first row of the table whose group a person is in. */
export const roleOf = (groups: readonly string[], table: readonly GroupRole[]): Role | undefined =>
  table.find(({ group }) => groups.includes(group))?.role
