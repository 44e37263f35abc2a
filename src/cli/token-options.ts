import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import type { TokenInfo } from '../modules/identity/token-queries.ts'
import { OVERLAP_HOURS } from '../modules/identity/token-rules.ts'
import { addressList } from '../modules/identity/token-schema.ts'
import type { RotatedToken } from '../modules/identity/tokens.ts'
import { isoDate } from '../platform/http/fields.ts'
import { listOf, wholeNumber } from './command.ts'

/** The options that tokens of businesses and of the operator share. */
export const tokenOptions = {
  '--expires <date>': 'the first day on which it is no longer valid, in UTC, or never (default: in one year)',
  '--addresses <list>': 'the only addresses and networks (CIDR) that it may be used from, separated by commas',
}
export const tokenInput = {
  expires: z.union([z.literal('never'), isoDate], 'must be a date such as 2030-12-31, or never').optional(),
  addresses: listOf.pipe(addressList).optional(),
}

export const rotateOptions = {
  '--overlap-hours <hours>': `how long the old secret stays valid, 0 to ${OVERLAP_HOURS.max} (default: ${OVERLAP_HOURS.default})`,
  '--expires <date>': tokenOptions['--expires <date>'],
}
export const rotateInput = {
  overlapHours: wholeNumber
    .refine((hours) => hours <= OVERLAP_HOURS.max, `must be at most ${OVERLAP_HOURS.max}`)
    .default(OVERLAP_HOURS.default),
  expires: tokenInput.expires,
}

/** Undefined: the default; null: never. */
export function expiresAt(expires: string | undefined, now: Date): Date | null | undefined {
  if (expires === undefined) return undefined
  if (expires === 'never') return null
  const date = new Date(`${expires}T00:00:00Z`)
  if (date <= now) throw new StartError('--expires must be a day to come.')
  return date
}

const day = (date: Date) => date.toISOString().slice(0, 10)

export function stateOf({ revokedDate, expiresDate, replacedBy }: TokenInfo, now: Date): string {
  if (revokedDate) return `revoked ${day(revokedDate)}`
  const state = expiresDate ? `${expiresDate > now ? 'valid until' : 'expired'} ${day(expiresDate)}` : 'valid'
  return replacedBy === null ? state : `${state}, replaced by ${replacedBy}`
}

export const lastUse = ({ lastUsedDate }: TokenInfo): string =>
  lastUsedDate ? lastUsedDate.toISOString().slice(0, 16) : 'not yet'

export const fromWhere = ({ addresses }: TokenInfo): string => addresses?.join(',') ?? 'anywhere'

export const withoutNulls = (token: TokenInfo) =>
  Object.fromEntries(Object.entries(token).filter(([, value]) => value !== null))

export const rotatedAnswer = ({ previous, id, token, expiresAt }: RotatedToken) => ({
  json: { id, token, expiresDate: expiresAt, previous: { id: previous.id, expiresDate: previous.endsAt } },
  text: `Made ${id}, which replaces ${previous.id}. The old secret is valid until ${previous.endsAt.toISOString()}. Keep the new one safe, it is not shown again:\n${token}`,
})
