import { randomBase62 } from '../../src/domain/ids.ts'
import type { Reply } from './caller.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { browser, cookieOf, type SignedIn } from './people.ts'
import type { World } from './world.ts'

const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0:'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A single sign-on with a verified domain, whose groups are called as the roles that they give. */
export interface Connection {
  id: string
  domain: string
  /** Signs in at the provider, in the group of a role; by default as somebody new. */
  enter(role: string, email?: string): Promise<SignedIn>
  /** Asks as the provider does. @throws if it is refused */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a provider without types would
  scim(method: string, path: string, body?: object): Promise<any>
  /** Makes somebody by SCIM, in the group of a role. Returns the ID under which the provider knows them. */
  provision(role: string, email: string): Promise<string>
}

function right(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`single sign-on was refused: ${reply.text}`)
  return reply
}

/** Connects a business, or the operator, with a provider. `operator` verifies the domain. */
export async function connect(
  world: World,
  provider: IdentityProvider,
  { by, operator, roles }: { by: Pick<SignedIn['account'], 'post'>; operator: SignedIn; roles: readonly string[] },
): Promise<Connection> {
  const domain = `${randomBase62(8).toLowerCase()}.test`
  const { issuer, clientId: clientID, clientSecret } = provider
  const groupRoles = roles.map((role) => ({ group: role, role }))
  const made = await by.post('/sso-connections', {
    name: 'Login',
    issuer,
    clientID,
    clientSecret,
    domains: [domain],
    groupRoles,
  })
  const { id } = right(made).body
  right(await operator.operator.request('PATCH', `/sso-connections/${id}/domains/${domain}`, { verified: true }))
  const { token } = right(await by.post(`/sso-connections/${id}/scim-token`)).body
  const groups = new Map<string, string>()

  const scim: Connection['scim'] = async (method, path, body) => {
    const reply = await fetch(`${world.service.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/scim+json' }) },
      body: body && JSON.stringify(body),
    })
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`SCIM was refused: ${text}`)
    return text ? JSON.parse(text) : undefined
  }
  const groupOf = async (role: string) => {
    const known =
      groups.get(role) ?? (await scim('POST', '/Groups', { schemas: [`${SCHEMAS}Group`], displayName: role })).id
    groups.set(role, known)
    return known
  }
  return {
    id,
    domain,
    scim,
    async enter(role, email = `${randomBase62(8).toLowerCase()}@${domain}`) {
      provider.person = { sub: `sub of ${email}`, email, email_verified: true, groups: [role] }
      const { url, secret } = right(await world.anonymous.post('/session/sso', { connectionID: id })).body
      const query = await provider.visit(url)
      const reply = right(await world.anonymous.post('/session/sso/finish', { secret, query }))
      return browser(world, { id: '', email, password: '' }, cookieOf(reply))
    },
    async provision(role, email) {
      const externalId = randomBase62(8)
      const user = await scim('POST', '/Users', { schemas: [`${SCHEMAS}User`], userName: email, externalId })
      const Operations = [{ op: 'add', path: 'members', value: [{ value: user.id }] }]
      await scim('PATCH', `/Groups/${await groupOf(role)}`, { schemas: [PATCH], Operations })
      return user.id
    },
  }
}

/** What a provider sends to end somebody's access. */
export const inactive = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: false }] }
