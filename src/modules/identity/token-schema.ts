import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { anyText, dateOrTimestamp, text, timestamp } from '../../platform/http/fields.ts'
import type { TokenInfo } from './token-queries.ts'

export const tokenParams = z.object({ tokenID: anyText(64) })

const fields = {
  id: z.string(),
  name: z.string(),
  hint: z.string().describe('The last four characters.'),
  scopes: z.array(z.string()),
  createdDate: timestamp,
  expiresDate: timestamp.optional(),
  revokedDate: timestamp.optional(),
}
export const Token = z.object(fields).meta({ id: 'Token' })
export const OperatorToken = z.object(fields).meta({ id: 'OperatorToken' })
export const NewToken = z
  .object({ id: z.string(), token: z.string().describe('Shown only now.') })
  .meta({ id: 'NewToken' })

export const askedToken = <S extends z.ZodType>(scope: S) =>
  z.object({
    name: text(200),
    scopes: z
      .array(scope)
      .min(1)
      .optional()
      .describe('When absent: everything that a token has unless it is asked for.'),
    expiresDate: dateOrTimestamp.optional(),
  })

export function shownToken(info: TokenInfo): z.infer<typeof Token> {
  const { id, name, hint, scopes, createdDate, expiresDate, revokedDate } = info
  return {
    ...{ id, name, hint, scopes, createdDate: createdDate.toISOString() },
    ...(expiresDate && { expiresDate: expiresDate.toISOString() }),
    ...(revokedDate && { revokedDate: revokedDate.toISOString() }),
  }
}

/** @throws VALIDATION_FAILED for a time that has passed */
export function expiryOf(now: Date, date: string | undefined): Date | undefined {
  if (date === undefined) return undefined
  const expiresAt = new Date(date)
  if (expiresAt > now) return expiresAt
  const message = 'Must be a time to come'
  throw new AppError('VALIDATION_FAILED', `expiresDate: ${message}`, { details: [{ message, path: 'expiresDate' }] })
}

export const EndedToken = z.object({ id: z.string(), revoked: z.literal(true) })
