import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { groupsOf, hasTooManyGroups, shownClaims, vouchedEmail } from '../../src/modules/identity/sso/claims.ts'
import { beginAtProvider, type ProviderClient, readAnswer } from '../../src/modules/identity/sso/provider.ts'
import type { Egress } from '../../src/platform/egress/client.ts'
import { presetOf, presets } from '../../web/src/features/identity/sso/presets.ts'
import { signed } from '../harness/identity-provider.ts'

const tid = '11111111-2222-4333-8444-555555555555'
const GROUP = '0aa8c9b8-1111-4c4c-9d9d-000000000001'
const now = Math.floor(Date.now() / 1000)
const address = { email: 'ann@clinic.test', email_verified: true }

interface Recorded {
  issuer: string
  /** Fields of the discovery document beside issuer and endpoints. */
  discovery: Record<string, unknown>
  endpoints: { authorization: string; token: string; jwks: string; userinfo?: string }
  claims: Record<string, unknown>
  userinfo?: Record<string, unknown>
  groupClaim?: string
  scope: string
  groups: string[]
}

// The shapes of public documentation, with made-up people.
const recorded: Record<string, Recorded> = {
  'Entra ID': {
    issuer: `https://login.microsoftonline.com/${tid}/v2.0`,
    endpoints: {
      authorization: `https://login.microsoftonline.com/${tid}/oauth2/v2.0/authorize`,
      token: `https://login.microsoftonline.com/${tid}/oauth2/v2.0/token`,
      jwks: `https://login.microsoftonline.com/${tid}/discovery/v2.0/keys`,
      userinfo: 'https://graph.microsoft.com/oidc/userinfo',
    },
    discovery: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      tenant_region_scope: 'EU',
      cloud_instance_name: 'microsoftonline.com',
      request_uri_parameter_supported: false,
    },
    claims: {
      ...{ aio: 'opaque', oid: GROUP, rh: 'opaque', sub: 'pairwise', tid, uti: 'opaque', ver: '2.0' },
      ...{ name: 'Ann Doe', preferred_username: 'ann@clinic.test', groups: [GROUP] },
    },
    userinfo: {
      sub: 'pairwise',
      name: 'Ann Doe',
      family_name: 'Doe',
      given_name: 'Ann',
      picture: 'https://graph.test',
    },
    scope: 'openid email profile',
    groups: [GROUP],
  },
  Okta: {
    issuer: 'https://clinic.okta.com',
    endpoints: {
      authorization: 'https://clinic.okta.com/oauth2/v1/authorize',
      token: 'https://clinic.okta.com/oauth2/v1/token',
      jwks: 'https://clinic.okta.com/oauth2/v1/keys',
      userinfo: 'https://clinic.okta.com/oauth2/v1/userinfo',
    },
    discovery: {
      scopes_supported: ['openid', 'email', 'profile', 'address', 'phone', 'offline_access', 'groups'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'],
      code_challenge_methods_supported: ['S256'],
      request_parameter_supported: true,
    },
    // A thin token: the rest is at the userinfo endpoint.
    claims: { sub: '00uixa271s6x7qt8I0h7', ver: 1, jti: 'ID.one', amr: ['pwd'], idp: '00oixa26ycdNcX0VT0h7' },
    userinfo: {
      ...{ sub: '00uixa271s6x7qt8I0h7', name: 'Ann Doe', preferred_username: 'ann@clinic.test', zoneinfo: 'UTC' },
      ...{ ...address, groups: ['Everyone', 'Kitlane admins'] },
    },
    scope: 'openid email profile groups',
    groups: ['Everyone', 'Kitlane admins'],
  },
  'Google Workspace': {
    issuer: 'https://accounts.google.com',
    endpoints: {
      authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
      token: 'https://oauth2.googleapis.com/token',
      jwks: 'https://www.googleapis.com/oauth2/v3/certs',
      userinfo: 'https://openidconnect.googleapis.com/v1/userinfo',
    },
    discovery: {
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
    claims: {
      azp: 'kitlane',
      sub: '110169484474386276334',
      hd: 'clinic.test',
      ...address,
      name: 'Ann Doe',
      locale: 'en',
    },
    groupClaim: 'hd',
    scope: 'openid email profile',
    groups: ['clinic.test'],
  },
  Keycloak: {
    issuer: 'https://login.clinic.test/realms/staff',
    endpoints: {
      authorization: 'https://login.clinic.test/realms/staff/protocol/openid-connect/auth',
      token: 'https://login.clinic.test/realms/staff/protocol/openid-connect/token',
      jwks: 'https://login.clinic.test/realms/staff/protocol/openid-connect/certs',
      userinfo: 'https://login.clinic.test/realms/staff/protocol/openid-connect/userinfo',
    },
    discovery: {
      scopes_supported: ['openid', 'profile', 'email', 'roles', 'web-origins', 'acr', 'basic', 'offline_access'],
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    },
    claims: {
      ...{ jti: 'one', sub: 'f1', typ: 'ID', azp: 'kitlane', sid: 'session', acr: '1', ...address, name: 'Ann Doe' },
      ...{ preferred_username: 'ann', given_name: 'Ann', family_name: 'Doe', groups: ['/kit-admins', '/ward/3'] },
    },
    scope: 'openid email profile',
    groups: ['/kit-admins', 'kit-admins', '/ward/3'],
  },
  JumpCloud: {
    issuer: 'https://oauth.id.jumpcloud.com/',
    endpoints: {
      authorization: 'https://oauth.id.jumpcloud.com/oauth2/auth',
      token: 'https://oauth.id.jumpcloud.com/oauth2/token',
      jwks: 'https://oauth.id.jumpcloud.com/.well-known/jwks.json',
      userinfo: 'https://oauth.id.jumpcloud.com/userinfo',
    },
    discovery: {
      scopes_supported: ['offline_access', 'offline', 'openid'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'],
      claims_supported: ['sub'],
    },
    claims: {
      ...{ sub: '5f1', aud: ['kitlane'], rat: now, jti: 'one', sid: 'session', ...address },
      ...{ given_name: 'Ann', family_name: 'Doe', groups: 'kit-admins' },
    },
    scope: 'openid email profile',
    groups: ['kit-admins'],
  },
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

interface Turn {
  claims?: Record<string, unknown>
  /** What the discovery document calls its issuer. */
  named?: string
}

/** A provider that answers at its real addresses, without a network. */
function standIn(shape: Recorded, nonce: () => string, { claims = {}, named = shape.issuer }: Turn = {}): Egress {
  const { authorization, token, jwks, userinfo } = shape.endpoints
  // Entra ID's keys name neither an algorithm nor, in the token endpoint's answer, an end of the session.
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }
  const answers = new Map<string, () => object>([
    [
      `${shape.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      () => ({
        ...{ issuer: named, authorization_endpoint: authorization, token_endpoint: token, jwks_uri: jwks },
        ...(userinfo && { userinfo_endpoint: userinfo }),
        ...{ response_types_supported: ['code', 'id_token'], subject_types_supported: ['public'] },
        ...{ id_token_signing_alg_values_supported: ['RS256'], ...shape.discovery },
      }),
    ],
    [jwks, () => ({ keys: [jwk] })],
    [userinfo ?? '', () => shape.userinfo ?? { sub: shape.claims.sub }],
    [
      token,
      () => {
        const all = { iss: shape.issuer, aud: 'kitlane', iat: now, exp: now + 300, nonce: nonce(), ...shape.claims }
        const id_token = signed({ ...all, ...claims }, privateKey)
        return { access_token: 'opaque', token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, id_token }
      },
    ],
  ])
  const fetch = async (url: string | URL | Request) => {
    const answer = answers.get(String(url))
    return answer ? Response.json(answer()) : new Response('none', { status: 404 })
  }
  const unused = () => {
    throw new Error('only fetch is used')
  }
  return { fetchWith: () => fetch, request: unused, exchange: unused, close: unused }
}

async function signInAt(shape: Recorded, turn?: Turn) {
  const { issuer, groupClaim = 'groups' } = shape
  const redirectUri = 'https://kits.test/app/sso'
  const client: ProviderClient = { issuer, clientId: 'kitlane', clientSecret: 'secret', redirectUri, groupClaim }
  let nonce = ''
  const egress = standIn(shape, () => nonce, turn)
  const { url, checks } = await beginAtProvider(client, egress)
  nonce = checks.nonce
  const iss = shape.discovery.authorization_response_iss_parameter_supported ? `&iss=${encodeURIComponent(issuer)}` : ''
  const query = `?code=c&state=${checks.state}&session_state=s${iss}`
  return { url: new URL(url), claims: () => readAnswer(client, egress, { query, checks }) }
}

describe.each(Object.entries(recorded))('what %s sends', (_name, shape) => {
  const { issuer, endpoints, groupClaim = 'groups' } = shape

  it('signs in: the address is vouched for, the groups are read, and only scopes that it knows are asked for', async () => {
    const { url, claims } = await signInAt(shape)
    expect(url.href.startsWith(`${endpoints.authorization}?`)).toBe(true)
    expect(url.searchParams.get('scope')).toBe(shape.scope)
    const said = await claims()
    expect(vouchedEmail(said, { verified: ['clinic.test'], issuer })).toEqual({ email: 'ann@clinic.test' })
    expect([...new Set(groupsOf(said, groupClaim))]).toEqual(shape.groups)
    expect(JSON.stringify(shownClaims(said))).not.toMatch(/opaque|"(nonce|sid|jti)"/)
  })

  it('is refused for another client, another tenant and a wrong nonce', async () => {
    for (const claims of [{ aud: 'other' }, { iss: `${issuer}x` }, { nonce: 'other' }, { exp: now - 600 }]) {
      const { claims: read } = await signInAt(shape, { claims })
      await expect(read(), JSON.stringify(claims)).rejects.toMatchObject({ code: 'SSO_FAILED' })
    }
  })

  it('is not that provider where its discovery document names another issuer', async () => {
    await expect(signInAt(shape, { named: 'https://other.test/' })).rejects.toMatchObject({
      code: 'SSO_REFUSED',
      message: expect.stringContaining('https://other.test/: enter that'),
    })
  })
})

describe('the presets of the dashboard', () => {
  it('know the issuer of each provider, the claim with its groups, and say the same as docs/sign-on.md', () => {
    const page = readFileSync(new URL('../../docs/sign-on.md', import.meta.url), 'utf8')
    expect(presets).toHaveLength(Object.keys(recorded).length)
    for (const [name, { issuer, groupClaim = 'groups' }] of Object.entries(recorded)) {
      const preset = presetOf(issuer)
      expect([name, preset?.groupClaim]).toEqual([name, groupClaim])
      expect(preset?.name).toContain(name)
      const row = page.split('\n').find((line) => line.startsWith(`| [${name}]`))
      expect(row).toContain(`| \`${preset?.issuer}\` | \`${groupClaim}\` |`)
    }
    for (const other of [
      'https://okta.com.evil.test',
      'https://accounts.google.com.evil.test',
      'https://evil.test/a',
    ]) {
      expect(presetOf(other)).toBeUndefined()
    }
  })
})

describe('a discovery document of Entra ID that stands for every tenant', () => {
  const shape = recorded['Entra ID'] as Recorded
  const named = 'https://login.microsoftonline.com/{tenantid}/v2.0'

  it('is read for the tenant of the issuer, and for no other one', async () => {
    const { claims } = await signInAt(shape, { named })
    expect(await claims()).toMatchObject({ tid })
    const other = tid.replace('1', '9')
    const forged = { iss: shape.issuer.replace(tid, other), tid: other }
    const { claims: foreign } = await signInAt(shape, { named, claims: forged })
    await expect(foreign()).rejects.toMatchObject({ code: 'SSO_FAILED' })
  })

  it('is refused, with what to do, where the issuer names no tenant', async () => {
    const issuer = 'https://login.clinic.test/common/v2.0'
    await expect(signInAt({ ...shape, issuer }, { named })).rejects.toMatchObject({
      code: 'SSO_REFUSED',
      extra: { reason: 'issuer_shared' },
    })
  })

  it('names the tenant ID where the issuer has the name of a tenant', async () => {
    const issuer = 'https://login.microsoftonline.com/clinic.onmicrosoft.com/v2.0'
    await expect(signInAt({ ...shape, issuer }, { named: shape.issuer })).rejects.toMatchObject({
      message: `The identity provider calls itself ${shape.issuer}: enter that as the issuer`,
    })
  })
})

it('says that Entra ID left the groups out, and shows no token of where they are', async () => {
  const source = { src1: { endpoint: 'https://graph.test', access_token: 'eyJhbGciOi.eyJzdWIi.c2ln' } }
  const left = { groups: undefined, _claim_names: { groups: 'src1' }, _claim_sources: source }
  const { claims } = await signInAt(recorded['Entra ID'] as Recorded, { claims: left })
  const said = await claims()
  expect([groupsOf(said, 'groups'), hasTooManyGroups(said, 'groups')]).toEqual([undefined, true])
  expect(JSON.stringify(shownClaims(said))).not.toContain('eyJ')
})
