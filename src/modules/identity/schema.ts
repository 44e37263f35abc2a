import { z } from 'zod'
import { anyText, email, optionalText, text, timestamp } from '../../platform/http/fields.ts'
import { businessRoles, operatorRoles } from './rules.ts'

const Role = z.enum([...operatorRoles, ...businessRoles])
export const BusinessRole = z.enum(businessRoles).describe('business-admin: everything. business-viewer: reads only.')
export const OperatorRole = z
  .enum(operatorRoles)
  .describe('operator-admin: everything. The others: their part of the work.')

export const Session = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string().optional(),
      totpEnabled: z.boolean(),
      hasPasskey: z.boolean(),
      hasPassword: z.boolean(),
    }),
    secondFactorMissing: z
      .boolean()
      .describe(
        'true: the role demands a second factor. Until one is set up, the session reaches the own account only.',
      ),
    memberships: z.array(
      z.object({
        role: Role,
        business: z
          .object({
            id: z.string(),
            name: z.string(),
            brandColor: z.string().optional(),
            logoUrl: z.string().optional(),
          })
          .optional()
          .describe('Absent on the side of the operator.'),
      }),
    ),
    expiresDate: timestamp.describe('When it ends however much it is used.'),
    idleUntil: timestamp.describe('When it ends if nothing more is asked.'),
  })
  .meta({ id: 'Session' })

const secret = anyText(1000)
const code = optionalText(64).describe('Six digits of the authenticator, or a recovery code.')

export const SignIn = z.object({ email: anyText(254), password: secret, code })
export const PasswordChange = z.object({ current: secret, next: secret.describe('12 to 128 characters.') })
export const Code = z.object({ code: text(64) })
export const Password = z.object({ password: secret.describe('The one of the account, once more.') })
export const PasswordAndCode = Password.extend({ code: text(64) })
export const EmailOnly = z.object({ email })
export const Link = z.object({ token: anyText(100) })
export const AcceptLink = Link.extend({
  name: optionalText(200),
  password: secret.describe('A new one; the existing one where the account has one and this is an invitation.'),
  code,
})

export const LinkInfo = z
  .object({
    kind: z.enum(['invitation', 'reset']),
    email: z.string(),
    hasPassword: z.boolean().describe('The account exists: ask for its password, not for a new one.'),
    totpEnabled: z.boolean(),
    business: z.object({ name: z.string() }).optional(),
  })
  .meta({ id: 'AccountLink' })

export const TotpSetup = z
  .object({ secret: z.string(), uri: z.string(), qrSvg: z.string() })
  .meta({ id: 'TotpSetup', description: 'Counts once a code of it was confirmed.' })

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).describe('Each works once, in place of a code. Shown only now.') })
  .meta({ id: 'RecoveryCodes' })

const member = {
  id: z.string(),
  email: z.string(),
  name: z.string().optional(),
  status: z.enum(['active', 'invited', 'disabled']),
  totpEnabled: z.boolean(),
  secondFactor: z.boolean().describe('A passkey, or codes.'),
  lastSeenDate: timestamp.optional(),
}
export const BusinessUser = z
  .object({
    ...member,
    role: BusinessRole,
    endsWithSupportAccess: z
      .literal(true)
      .optional()
      .describe('The operator invited this user during a support access: they go when it ends, unless you keep them.'),
  })
  .meta({ id: 'User' })
export const StaffUser = z.object({ ...member, role: OperatorRole }).meta({ id: 'StaffUser' })

const invitationUrl = z
  .string()
  .optional()
  .describe(
    'Only where there is no mail server, and only to a person: hand it over. Good for 72 hours, shown only now.',
  )
export const InvitedUser = z.object({ user: BusinessUser, invitationUrl }).meta({ id: 'InvitedUser' })
export const InvitedStaff = z.object({ user: StaffUser, invitationUrl }).meta({ id: 'InvitedStaff' })
