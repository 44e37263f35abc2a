import { z } from 'zod'
import { anyText, email, said, text, timestamp } from '../../../platform/http/fields.ts'
import { businessRoles, operatorRoles } from '../rules.ts'
import { asciiAddress, asciiDomain } from './claims.ts'
import type { ConnectionRow } from './queries.ts'

const domain = z
  .string()
  .trim()
  .overwrite((typed) => asciiDomain(typed.replace(/^@/, '')))
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/,
    'A domain, such as example.com',
  )

const groupRoles = <R extends z.ZodType>(role: R) =>
  z
    .array(z.object({ group: text(200).describe('As the provider sends it in the claim: a name or an ID.'), role }))
    .max(100)
    .describe('The first row with a group of the person gives the role. None: refused.')

const Role = z.enum([...businessRoles, ...operatorRoles])
const BusinessGroupRoles = groupRoles(z.enum(businessRoles))
const OperatorGroupRoles = groupRoles(z.enum(operatorRoles))

const settings = {
  name: text(100).describe('What people read on the button of the sign-in page.'),
  issuer: anyText(500).describe('The provider, as its discovery document names it; also the address of that document.'),
  clientID: text(500),
  clientSecret: anyText(1000).describe('Kept sealed; no answer shows it.'),
}
const optional = {
  domains: z.array(domain).max(50).optional().describe('Of the addresses of your people. The operator verifies them.'),
  groupClaim: text(200).optional().describe('A claim, or a path such as `realm_access.roles`. Default: `groups`.'),
  enforced: z
    .boolean()
    .optional()
    .describe('Refuses passwords to people of the verified domains, except to the emergency account.'),
  emergencyAccount: email
    .nullable()
    .optional()
    .describe('An administrator with a password, who may go on using it while the provider fails.'),
}

export const NewBusinessConnection = z.object({ ...settings, ...optional, groupRoles: BusinessGroupRoles.optional() })
export const NewOperatorConnection = z.object({ ...settings, ...optional, groupRoles: OperatorGroupRoles.optional() })
export const ChangeBusinessConnection = NewBusinessConnection.partial()
export const ChangeOperatorConnection = NewOperatorConnection.partial()

const shown = {
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientID: z.string(),
  redirectURI: z.string().describe('What the provider must know as the redirect URI.'),
  domains: z.array(z.object({ domain: z.string(), verified: z.boolean() })),
  groupClaim: z.string(),
  enforced: z.boolean(),
  emergencyAccount: z.string().optional(),
  createdDate: timestamp,
  scimTokenDate: timestamp.optional().describe('When the token was made with which the provider manages users (SCIM).'),
}
export const BusinessConnection = z.object({ ...shown, groupRoles: BusinessGroupRoles }).meta({ id: 'SsoConnection' })
export const OperatorConnection = z
  .object({ ...shown, groupRoles: OperatorGroupRoles })
  .meta({ id: 'OperatorSsoConnection' })

/** Of any side, for the operator who verifies its domains. */
export const AnyConnection = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    business: z.object({ id: z.string(), name: z.string() }).optional().describe('Absent: the operator’s own.'),
    domains: shown.domains,
    enforced: z.boolean(),
  })
  .meta({ id: 'AnySsoConnection' })

export const connectionParams = z.object({ connectionID: anyText(64) })
export const domainParams = z.object({ connectionID: anyText(64), domain })

export const ScimToken = z
  .object({ token: z.string(), url: z.string().describe('Where the provider sends its requests.') })
  .meta({ id: 'ScimToken' })
export const EndedScim = z.object({ revoked: z.literal(true) }).meta({ id: 'EndedScim' })

/** People type the letters of their language; mail servers see Punycode. */
export const FindSso = z.object({
  email: z
    .string()
    .trim()
    .overwrite(asciiAddress)
    .max(254)
    .pipe(z.email())
    .describe(email.description ?? ''),
})
export const Offers = z
  .object({
    connection: z
      .object({ id: z.string(), name: z.string(), enforced: z.boolean().describe('Passwords are refused.') })
      .optional()
      .describe('Absent: the domain has no single sign-on.'),
  })
  .meta({ id: 'SsoOffer' })

export const StartSso = z.object({ connectionID: anyText(64) })
export const StartedSso = z
  .object({
    url: z.string().describe('Where the browser goes.'),
    secret: z.string().describe('What the page keeps, and sends when the browser is back.'),
  })
  .meta({ id: 'StartedSso' })
export const FinishSso = z.object({
  secret: anyText(100),
  query: anyText(8000).describe('The query that the provider sent the browser back with.'),
})

export const SsoTrial = z
  .object({
    claims: z
      .array(z.object({ name: z.string(), value: z.string().describe('A text, or JSON; cut where it is long.') }))
      .describe('What the provider sent, without secrets. Empty where its answer was not confirmed.'),
    person: z
      .object({
        email: z.string(),
        role: Role.describe('What the groups give.'),
        roleNow: Role.optional().describe('Absent: not on this side yet.'),
      })
      .optional()
      .describe('Who would sign in. Absent: nobody.'),
    stopped: z
      .object({ reason: z.string(), message: said })
      .optional()
      .describe('What would stop a sign-in, and what to do.'),
  })
  .meta({ id: 'SsoTrial' })

/** A connection as its administrators see it: without the secret. */
export function shownConnection(row: ConnectionRow, publicUrl: string | undefined) {
  const { id, name, issuer, groupClaim, groupRoles, emergencyEmail, createdAt } = row
  return {
    id,
    name,
    issuer,
    groupClaim,
    groupRoles,
    clientID: row.clientId,
    redirectURI: `${publicUrl ?? ''}/app/sso`,
    domains: shownDomains(row),
    enforced: row.isEnforced,
    ...(emergencyEmail !== null && { emergencyAccount: emergencyEmail }),
    ...(row.scimTokenAt && { scimTokenDate: row.scimTokenAt.toISOString() }),
    createdDate: createdAt.toISOString(),
  }
}

export const shownDomains = ({ domains }: ConnectionRow) =>
  domains.map(({ domain, isVerified }) => ({ domain, verified: isVerified }))
