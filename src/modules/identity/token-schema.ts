import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { isAddressOrNetwork } from '../../platform/http/address-list.ts'
import { anyText, dateOrTimestamp, text, timestamp } from '../../platform/http/fields.ts'
import type { TokenInfo } from './token-queries.ts'
import { OVERLAP_HOURS } from './token-rules.ts'
import type { RotatedToken } from './tokens.ts'

export const tokenParams = z.object({ tokenID: anyText(64) })

const fields = {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last four characters.'),
  scopes: z.array(z.string()),
  createdDate: timestamp,
  expiresDate: timestamp.optional().describe('Absent: never.'),
  revokedDate: timestamp.optional(),
  lastUsedDate: timestamp.optional().describe('Exact to a minute. Absent: not since this was recorded.'),
  addresses: z.array(z.string()).optional().describe('The only addresses that it may be used from. Absent: any.'),
  replacedBy: z.string().optional().describe('The token that a rotation made in its place.'),
}
export const Token = z.object(fields).meta({ id: 'Token' })
export const OperatorToken = z.object(fields).meta({ id: 'OperatorToken' })
export const NewToken = z
  .object({
    id: z.string(),
    token: z.string().describe('Shown only now.'),
    expiresDate: timestamp.optional().describe('Absent: never.'),
  })
  .meta({ id: 'NewToken' })
export const Rotated = z
  .object({
    id: z.string(),
    token: z.string().describe('Shown only now.'),
    expiresDate: timestamp.optional().describe('Absent: never.'),
    previous: z.object({ id: z.string(), expiresDate: timestamp.describe('Until then both are valid.') }),
  })
  .meta({ id: 'RotatedToken' })

export const addressList = z
  .array(z.string().trim().max(50).refine(isAddressOrNetwork, 'An address or a network, such as 203.0.113.0/24'))
  .min(1)
  .max(50)

const addresses = addressList
  .nullable()
  .optional()
  .describe('The only addresses and networks (CIDR, IPv4 and IPv6) that it may be used from; null: any.')

const expiresDate = dateOrTimestamp.nullable().optional().describe('When absent: in one year. null: never.')

export const tokenRequest = <S extends z.ZodType>(scope: S) =>
  z.object({
    name: text(200),
    scopes: z
      .array(scope)
      .min(1)
      .optional()
      .describe('When absent: everything that a token has unless it is asked for.'),
    expiresDate,
    addresses,
  })

export const TokenChange = z.object({ name: text(200).optional(), addresses })

export const Rotation = z.object({
  overlapHours: z
    .number()
    .min(0)
    .max(OVERLAP_HOURS.max)
    .default(OVERLAP_HOURS.default)
    .describe('How long the old secret stays valid; 0: not at all.'),
  expiresDate,
})

export function shownToken(info: TokenInfo): z.infer<typeof Token> {
  const { id, name, hint, scopes, createdDate, expiresDate, revokedDate, lastUsedDate, addresses, replacedBy } = info
  return {
    id,
    name,
    hint,
    scopes,
    createdDate: createdDate.toISOString(),
    ...(expiresDate && { expiresDate: expiresDate.toISOString() }),
    ...(revokedDate && { revokedDate: revokedDate.toISOString() }),
    ...(lastUsedDate && { lastUsedDate: lastUsedDate.toISOString() }),
    ...(addresses && { addresses }),
    ...(replacedBy !== null && { replacedBy }),
  }
}

export const shownNew = ({ id, token, expiresAt }: { id: string; token: string; expiresAt: Date | null }) => ({
  id,
  token,
  ...(expiresAt && { expiresDate: expiresAt.toISOString() }),
})

export const shownRotated = ({ previous, ...made }: RotatedToken): z.infer<typeof Rotated> => ({
  ...shownNew(made),
  previous: { id: previous.id, expiresDate: previous.endsAt.toISOString() },
})

/** Undefined without a time, null for "never". @throws VALIDATION_FAILED for a time that has passed */
export function expiryOf(now: Date, date: string | null | undefined): Date | null | undefined {
  if (date === undefined || date === null) return date
  const expiresAt = new Date(date)
  if (expiresAt > now) return expiresAt
  const message = 'Must be a time to come'
  throw new AppError('VALIDATION_FAILED', `expiresDate: ${message}`, { details: [{ message, path: 'expiresDate' }] })
}

export const EndedToken = z.object({ id: z.string(), revoked: z.literal(true) })
