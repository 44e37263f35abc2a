import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** Somebody whom the provider knows, with the claims that it sends of them. */
export interface ProviderPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** Writes another ID token than the right one; the key is the provider's own. */
export type Forge = (claims: Record<string, unknown>, key: KeyObject) => string

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Whom the next browser signs in as. */
  person: ProviderPerson
  /** Replaces ID tokens while it is set. */
  forge: Forge | undefined
  /** Paths that were requested from outside the browser. */
  requested: string[]
  /** Does what a browser and a person do, and returns the query with which the provider sends the browser back. */
  visit(url: string): Promise<string>
  stop(): Promise<void>
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An ID token of these claims with a valid signature. */
export function signed(claims: Record<string, unknown>, key: KeyObject): string {
  const text = `${base64url({ alg: 'RS256', typ: 'JWT', kid: 'first' })}.${base64url(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}

/** The same without any. */
export const unsigned = (claims: Record<string, unknown>): string =>
  `${base64url({ alg: 'none' })}.${base64url(claims)}.`

/** Starts a real OpenID provider on this machine, with one client that comes back to `redirectUri`. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const client = { clientId: 'kitlane', clientSecret: 'a secret of the client' }
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: IdentityProvider = {
    issuer,
    ...client,
    person: { sub: 'nobody' },
    forge: undefined,
    requested: [],
    visit,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const people = new Map<string, ProviderPerson>()
  const configuration: Configuration = {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of the tests'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  }
  const provider = new Provider(issuer, configuration)
  const callback = provider.callback()
  handle = (request, response) => void answer(request, response)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0] ?? ''
    if (path.startsWith('/interaction/')) {
      people.set(self.person.sub, self.person)
      await provider.interactionFinished(request, response, { login: { accountId: self.person.sub } })
      return
    }
    if (!request.headers.cookie) self.requested.push(path)
    const { forge } = self
    if (path === '/token' && forge) replaceIdToken(response, forge)
    callback(request, response)
  }

  function replaceIdToken(response: ServerResponse, forge: Forge): void {
    const end = response.end.bind(response)
    response.end = ((body: string) => {
      const answered = JSON.parse(String(body))
      const claims = JSON.parse(Buffer.from(answered.id_token.split('.')[1], 'base64url').toString())
      const text = JSON.stringify({ ...answered, id_token: forge(claims, privateKey) })
      response.setHeader('content-length', Buffer.byteLength(text))
      return end(text)
    }) as typeof response.end
  }

  async function visit(first: string): Promise<string> {
    const cookies = new Map<string, string>()
    for (let url = first; ; ) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const reply = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
      for (const set of reply.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        cookies.set(name, value)
      }
      const location = reply.headers.get('location')
      if (!location) throw new Error(`the provider answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`)
      const next = new URL(location, url)
      if (next.href.startsWith(redirectUri)) return next.search
      url = next.href
    }
  }
  return self
}
