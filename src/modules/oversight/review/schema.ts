import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import { text, timestamp } from '../../../platform/http/fields.ts'
import type { SignOffRow, TokenAccess, UserAccess } from './queries.ts'
import type { AccessReview as Review } from './service.ts'

const business = businessName

const ReviewedUser = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().optional(),
    roles: z
      .array(z.object({ role: z.string(), business: business.optional() }))
      .describe('Without a business: the operator.'),
    disabled: z.boolean(),
    secondFactor: z.boolean(),
    createdDate: timestamp,
    lastSignInDate: timestamp.optional(),
  })
  .meta({ id: 'ReviewedUser' })

const ReviewedToken = z
  .object({
    id: z.string(),
    name: z.string(),
    business: business.optional().describe('Absent: of the operator.'),
    mode: z.string().optional(),
    scopes: z.array(z.string()),
    createdDate: timestamp,
    expiresDate: timestamp.optional(),
  })
  .meta({ id: 'ReviewedToken' })

export const SignOff = z
  .object({
    id: z.string(),
    date: timestamp,
    by: z.string(),
    sha256: z.string().describe('Of the list that was shown.'),
    users: z.int(),
    tokens: z.int(),
    note: z.string().optional(),
  })
  .meta({ id: 'AccessSignOff' })

export const AccessReview = z
  .object({
    sha256: z.string().describe('Of all rights below. To sign off, send it back.'),
    isDue: z.boolean().describe('Nobody has signed off in 90 days.'),
    users: z.array(ReviewedUser),
    tokens: z.array(ReviewedToken),
    signOffs: z.array(SignOff).describe('The last 50, newest first.'),
  })
  .meta({ id: 'AccessReview' })

export const NewSignOff = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), note: text(1000).optional() })

const given = (id: string | null | undefined, name: string | null | undefined) =>
  id && { business: { id, name: name ?? '' } }

const shownUser = ({ id, email, name, isDisabled, hasSecondFactor, createdAt, signedInAt, roles }: UserAccess) => ({
  id,
  email,
  ...(name !== null && { name }),
  disabled: isDisabled,
  secondFactor: hasSecondFactor,
  roles: roles.map(({ role, businessId, businessName }) => ({ role, ...given(businessId, businessName) })),
  createdDate: createdAt.toISOString(),
  ...(signedInAt && { lastSignInDate: signedInAt.toISOString() }),
})

const shownToken = ({ id, name, scopes, createdAt, expiresAt, businessId, businessName, mode }: TokenAccess) => ({
  id,
  name,
  ...given(businessId, businessName),
  ...(mode !== null && { mode }),
  scopes,
  createdDate: createdAt.toISOString(),
  ...(expiresAt && { expiresDate: expiresAt.toISOString() }),
})

export const shownSignOff = ({
  id,
  at,
  reviewedBy,
  sha256,
  users,
  tokens,
  note,
}: SignOffRow): z.infer<typeof SignOff> => ({
  id,
  date: at.toISOString(),
  by: reviewedBy,
  sha256: sha256.toString('hex'),
  users,
  tokens,
  ...(note !== null && { note }),
})

export const shownReview = ({ users, tokens, sha256, isDue, signOffs }: Review): z.infer<typeof AccessReview> => ({
  sha256: sha256.toString('hex'),
  isDue,
  users: users.map(shownUser),
  tokens: tokens.map(shownToken),
  signOffs: signOffs.map(shownSignOff),
})
