import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import type { Reply } from '../harness/caller.ts'
import { commandLine } from '../harness/command-line.ts'
import {
  type IdentityProvider,
  type ProviderPerson,
  signed,
  startIdentityProvider,
  unsigned,
} from '../harness/identity-provider.ts'
import { browser, cookieOf, type Person, person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let provider: IdentityProvider
let clinic: TestBusiness
let administrator: Person
let admin: SignedIn
let operator: SignedIn
const domain = `clinic-${randomBase62(8)}.test`.toLowerCase()
let connectionID: string

const groupRoles = [
  { group: 'kit-admins', role: 'business-admin' },
  { group: 'kit-readers', role: 'business-viewer' },
]

beforeAll(async () => {
  world = await sharedWorld()
  provider = await startIdentityProvider(`${world.service.url}/app/sso`)
  clinic = await world.business()
  administrator = await person(world, 'business-admin', clinic, `it@${domain}`)
  admin = await signIn(world, administrator)
  operator = await signIn(world, await person(world, 'operator-admin'))
  await requestAccess(operator, clinic)
  connectionID = (await connect()).body.id
  expect((await verify(domain)).status).toBe(200)
})
afterEach(() => {
  provider.forge = undefined
})
afterAll(async () => {
  await provider.stop()
  await world.stop()
})

const settings = () => ({
  name: 'Clinic login',
  issuer: provider.issuer,
  clientID: provider.clientId,
  clientSecret: provider.clientSecret,
  domains: [domain],
  groupRoles,
})
const connect = (more: object = {}): Promise<Reply> =>
  admin.in(clinic).post('/sso-connections', { ...settings(), ...more })
const change = (body: object): Promise<Reply> =>
  admin.in(clinic).request('PATCH', `/sso-connections/${connectionID}`, body)
const verify = (name: string, verified = true, id = connectionID): Promise<Reply> =>
  operator.operator.request('PATCH', `/sso-connections/${id}/domains/${name}`, { verified })

const someone = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = randomBase62(12).toLowerCase()
  return { sub, email: `${sub}@${domain}`, email_verified: true, groups: ['kit-readers'], name: 'Robin Doe', ...more }
}

interface Started {
  url: string
  secret: string
}

async function start(id = connectionID): Promise<Started> {
  const { status, body, text } = await world.anonymous.post('/session/sso', { connectionID: id })
  if (status !== 200) throw new Error(text)
  return body
}

const finish = (secret: string, query: string, cookie?: string): Promise<Reply> =>
  world.anonymous.post(
    '/session/sso/finish',
    { secret, query },
    cookie ? { cookie, 'sec-fetch-site': 'same-origin' } : {},
  )

/** Signs in as somebody, in a browser that may have a cookie already. */
async function enter(who: ProviderPerson, cookie?: string, id = connectionID): Promise<Reply> {
  provider.person = who
  const { url, secret } = await start(id)
  return finish(secret, await provider.visit(url), cookie)
}

async function entered(who: ProviderPerson, id = connectionID): Promise<SignedIn> {
  const reply = await enter(who, undefined, id)
  expect(reply.status, reply.text).toBe(204)
  return browser(world, { id: '', email: who.email ?? '', password: '' }, cookieOf(reply))
}

async function rolesOf(session: SignedIn): Promise<unknown[]> {
  const { body } = await session.account.get('/session')
  return body.memberships?.map(({ role, business }: { role: string; business?: { id: string } }) => [
    role,
    business?.id,
  ])
}

const refusedAudit = async (): Promise<Record<string, unknown>[]> => {
  const { body } = await operator.operator.get('/audit?action=session.refused&size=50')
  return body.data.map(({ details }: { details: Record<string, unknown> }) => details)
}

describe('somebody of a verified domain', () => {
  it('signs in at the provider and has the role of their groups, in that business alone', async () => {
    const session = await entered(someone({ groups: ['others', 'kit-admins', 'kit-readers'] }))
    expect(await rolesOf(session)).toEqual([['business-admin', clinic.id]])
    expect((await session.in(clinic).get('/users')).status).toBe(200)
    expect((await session.operator.get('/staff')).status).toBe(403)
    expect(provider.requested).toContain('/token')
    expect(provider.requested).toContain('/jwks')
  })

  it('is in the audit: who signed in, by which connection, and who got which role', async () => {
    const session = await entered(someone())
    const { id } = (await session.account.get('/session')).body.user
    const signedIn = (await operator.operator.get('/audit?action=session.single_sign_on&size=50')).body.data
    expect(signedIn).toContainEqual(expect.objectContaining({ objectID: id, details: { connectionId: connectionID } }))
    const joined = (await admin.in(clinic).get('/audit?action=user.joined&size=50')).body.data
    expect(joined).toContainEqual(
      expect.objectContaining({ objectID: id, actor: `sso:${connectionID}`, details: { role: 'business-viewer' } }),
    )
  })

  it('has the role of their new groups at the next sign-in, and remains one user', async () => {
    const who = someone()
    const first = await entered(who)
    const second = await entered({ ...who, groups: ['kit-admins'], email: `renamed-${who.email}` })
    expect(await rolesOf(second)).toEqual([['business-admin', clinic.id]])
    const [a, b] = [await first.account.get('/session'), await second.account.get('/session')]
    expect(a.body.user.id).toBe(b.body.user.id)
    expect(await rolesOf(first)).toEqual([['business-admin', clinic.id]])
  })

  it('is refused without a group, and loses the role that groups gave and every session', async () => {
    const who = someone()
    const session = await entered(who)
    const refused = await enter({ ...who, groups: [] })
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([403, 'SSO_REFUSED', 'no_group'])
    expect(refused.body.message).toMatch(/groups/)
    expect((await session.account.get('/session')).status).toBe(401)
    const users = (await admin.in(clinic).get('/users')).body
    expect(users.map(({ email }: { email: string }) => email)).not.toContain(who.email)
    const stranger = await enter(someone({ groups: undefined }))
    expect(stranger.body.reason).toBe('no_group')
  })

  it('is refused where an administrator disabled them', async () => {
    const who = someone()
    const session = await entered(who)
    const { id } = (await session.account.get('/session')).body.user
    await admin.in(clinic).request('PATCH', `/users/${id}`, { disabled: true })
    expect((await session.account.get('/session')).status).toBe(401)
    expect((await enter(who)).body.reason).toBe('blocked')
  })

  it('keeps a role that they have elsewhere, but reaches it with their password only', async () => {
    const other = await world.business()
    const who = someone()
    const known = await person(world, 'business-admin', other, who.email)
    const session = await entered(who)
    expect(await rolesOf(session)).toEqual([['business-viewer', clinic.id]])
    expect((await session.in(other).get('/orders')).status).toBe(403)
    const byPassword = await signIn(world, known)
    expect((await rolesOf(byPassword)).length).toBe(2)
  })

  it('changes nothing that would sign them in elsewhere: the word of a provider adds no passkey to the account', async () => {
    const other = await world.business()
    const who = someone()
    const known = await person(world, 'business-admin', other, who.email)
    const session = await entered(who)
    const refused = await session.account.post('/session/passkeys/options', { name: 'Mine' })
    expect([refused.status, refused.body.code], refused.text).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    expect((await session.account.post('/session/proof', { password: known.password })).status).toBe(204)
    expect((await session.account.post('/session/passkeys/options', { name: 'Mine' })).body.code).not.toBe(
      'REAUTHENTICATION_REQUIRED',
    )
  })

  it('accepts an invitation by signing in', async () => {
    const who = someone({ groups: ['kit-admins'] })
    await admin.in(clinic).post('/users', { email: who.email, role: 'business-viewer' })
    expect(await rolesOf(await entered(who))).toEqual([['business-admin', clinic.id]])
  })
})

describe('an account that somebody made for the address of another', () => {
  it('loses its password and sessions when the owner of the address signs in at the provider', async () => {
    const other = await world.business()
    const who = someone()
    const otherAdmin = await signIn(world, await person(world, 'business-admin', other))
    const invited = await otherAdmin.in(other).post('/users', { email: who.email, role: 'business-admin' })
    const password = 'lantern orbit maple syrup'
    const token = invited.body.invitationUrl.split('#')[1]
    const taken = await world.anonymous.post('/invitations/accept', { token, password })
    expect(taken.status, taken.text).toBe(200)
    const thief = browser(world, { id: '', email: '', password: '' }, cookieOf(taken))
    await entered(who)
    expect((await thief.account.get('/session')).status).toBe(401)
    expect((await world.anonymous.post('/session', { email: who.email, password })).status).toBe(401)
  })
})

describe('a provider is believed only', () => {
  it.each([
    ['email_not_verified', { email_verified: false }],
    ['email_not_verified', { email_verified: undefined }],
    ['email_missing', { email: undefined }],
    ['email_missing', { email: `some\u0000body@${domain}` }],
    ['domain_not_verified', { email: 'somebody@elsewhere.test' }],
    ['domain_not_verified', { email: `somebody@sub.${domain}` }],
    ['domain_not_verified', { email: `somebody@${domain}.test` }],
  ])('for a verified address of a verified domain: %s %o', async (reason, more) => {
    const reply = await enter(someone(more))
    expect([reply.status, reply.body.code, reply.body.reason]).toEqual([403, 'SSO_REFUSED', reason])
    expect(cookieOf(reply)).toBe('')
    expect(await refusedAudit()).toContainEqual({ code: 'SSO_REFUSED', connectionId: connectionID, reason })
  })

  it('about the same person: who got the address of a former user is refused', async () => {
    const who = someone()
    await entered(who)
    expect((await enter({ ...who, sub: randomBase62(12) })).body.reason).toBe('address_reused')
  })

  it.each<[string, object, object]>([
    ['a list of objects', {}, { groups: [{ id: 'g1', name: 'kit-readers' }] }],
    ['one text with semicolons', {}, { groups: 'others; kit-readers' }],
    ['the path of a group of Keycloak', {}, { groups: ['/kit-readers'] }],
    ['a claim within a claim', { groupClaim: 'realm_access.roles' }, { realm_access: { roles: ['kit-readers'] } }],
    [
      'a claim below a name with dots',
      { groupClaim: 'resource_access.kits.example.roles' },
      { resource_access: { 'kits.example': { roles: ['kit-readers'] } } },
    ],
    [
      'a claim named by an address',
      { groupClaim: 'https://k.test/roles' },
      { 'https://k.test/roles': ['kit-readers'] },
    ],
    ['a name with a control character', {}, { groups: ['kit-readers'], name: 'Ann\u0000Doe' }],
    ['the text True', {}, { email_verified: 'True' }],
    ['one audience that is the authorised party', {}, { azp: 'kitlane' }],
  ])('in the spelling of several providers: %s', async (_name, settingsOf, more) => {
    await change({ groupClaim: 'groups', ...settingsOf })
    provider.forge = (claims, key) => signed({ ...claims, ...more }, key)
    const reply = await enter(someone({ groups: 'groups' in more ? undefined : ['kit-readers'] }))
    await change({ groupClaim: 'groups' })
    expect(reply.status, reply.text).toBe(204)
  })

  it('about groups that it sent: too many for a token is said as such, and takes no role away', async () => {
    const who = someone()
    const session = await entered(who)
    const left = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.test' } } }
    for (const more of [left, { hasgroups: 'true' }]) {
      provider.forge = (claims, key) => signed({ ...claims, ...more }, key)
      const reply = await enter({ ...who, groups: undefined })
      expect([reply.status, reply.body.reason], reply.text).toEqual([403, 'groups_not_sent'])
    }
    expect((await session.account.get('/session')).status).toBe(200)
  })

  const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const now = () => Math.floor(Date.now() / 1000)
  it.each<[string, NonNullable<IdentityProvider['forge']>]>([
    ['another nonce', (claims, key) => signed({ ...claims, nonce: 'another' }, key)],
    ['an empty subject', (claims, key) => signed({ ...claims, sub: '' }, key)],
    ['a subject with a control character', (claims, key) => signed({ ...claims, sub: 'a\u0000b' }, key)],
    ['no nonce', ({ nonce, ...claims }, key) => signed(claims, key)],
    ['another audience', (claims, key) => signed({ ...claims, aud: 'another client' }, key)],
    ['another authorised party', (claims, key) => signed({ ...claims, aud: ['kitlane', 'other'], azp: 'other' }, key)],
    ['another authorised party of one audience', (claims, key) => signed({ ...claims, azp: 'other' }, key)],
    ['another issuer', (claims, key) => signed({ ...claims, iss: 'https://elsewhere.test' }, key)],
    ['an expired token', (claims, key) => signed({ ...claims, iat: now() - 7200, exp: now() - 3600 }, key)],
    ['a token without an end', ({ exp, ...claims }, key) => signed(claims, key)],
    ['a token without a signature', (claims) => unsigned(claims)],
    ['a signature of another key', (claims) => signed(claims, foreignKey)],
    [
      'a changed token',
      (claims, key) =>
        signed(claims, key).replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify({ ...claims, sub: 'boss' })).toString('base64url')}.`,
        ),
    ],
  ])('with the right token: %s is refused', async (_name, forge) => {
    provider.forge = forge
    const reply = await enter(someone())
    expect([reply.status, reply.body.code]).toEqual([401, 'SSO_FAILED'])
    expect(cookieOf(reply)).toBe('')
    provider.forge = (claims, key) => signed(claims, key)
    expect((await enter(someone())).status).toBe(204)
  })
})

describe('an answer of a provider', () => {
  it('works once', async () => {
    provider.person = someone()
    const { url, secret } = await start()
    const query = await provider.visit(url)
    expect((await finish(secret, query)).status).toBe(204)
    const again = await finish(secret, query)
    expect([again.status, again.body.code]).toEqual([401, 'SSO_FAILED'])
    expect(again.body.message).toMatch(/start again/)
  })

  it('works once also for two requests at the same time', async () => {
    provider.person = someone()
    const { url, secret } = await start()
    const query = await provider.visit(url)
    const replies = await Promise.all([finish(secret, query), finish(secret, query), finish(secret, query)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 401, 401])
  })

  it('works only in the browser that asked for it, and for what that asked', async () => {
    provider.person = someone()
    const [mine, theirs] = [await start(), await start()]
    const query = await provider.visit(theirs.url)
    expect((await finish(mine.secret, query)).status).toBe(401)
    const state = new URL(mine.url).searchParams.get('state') ?? ''
    const mixed = new URLSearchParams(query)
    mixed.set('state', state)
    expect((await finish(mine.secret, `?${mixed}`)).status).toBe(401)
    const none = new URLSearchParams(query)
    none.delete('state')
    expect((await finish(theirs.secret, `?${none}`)).status).toBe(401)
    const invented = new URLSearchParams(query)
    invented.set('state', randomBase62(43))
    expect((await finish(theirs.secret, `?${invented}`)).status).toBe(401)
    expect((await finish(theirs.secret, query)).status).toBe(204)
  })

  it('of another issuer is refused, as is one without the issuer that the provider promises', async () => {
    provider.person = someone()
    for (const iss of ['https://elsewhere.test', undefined]) {
      const { url, secret } = await start()
      const query = new URLSearchParams(await provider.visit(url))
      if (iss) query.set('iss', iss)
      else query.delete('iss')
      expect((await finish(secret, `?${query}`)).body.code).toBe('SSO_FAILED')
    }
  })

  it('that says no is a refusal with its reason in the audit', async () => {
    const { url, secret } = await start()
    const state = new URL(url).searchParams.get('state') ?? ''
    const reply = await finish(secret, `?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`)
    expect([reply.status, reply.body.code]).toEqual([401, 'SSO_FAILED'])
    expect(reply.body.message).toMatch(/refused or cancelled/)
    expect(await refusedAudit()).toContainEqual({
      code: 'SSO_FAILED',
      connectionId: connectionID,
      reason: 'access_denied',
    })
  })

  it.each([
    ['temporarily_unavailable', 503, 'PROVIDER_UNAVAILABLE', /try again/],
    ['server_error', 503, 'PROVIDER_UNAVAILABLE', /try again/],
    ['invalid_scope', 401, 'SSO_FAILED', /redirect URI and the scopes/],
    ['interaction_required', 401, 'SSO_FAILED', /start again/],
  ])('that reports %s says what to do', async (error, status, code, sentence) => {
    const { url, secret } = await start()
    const state = new URL(url).searchParams.get('state') ?? ''
    const reply = await finish(secret, `?error=${error}&state=${state}&iss=${encodeURIComponent(provider.issuer)}`)
    expect([reply.status, reply.body.code]).toEqual([status, code])
    expect(reply.body.message).toMatch(sentence)
  })

  it('begins a new session and ends the one of the browser, whoever set its cookie', async () => {
    const victim = someone()
    const planted = await entered(someone())
    const reply = await enter(victim, planted.cookie)
    expect(cookieOf(reply)).not.toBe(planted.cookie)
    expect((await planted.account.get('/session')).status).toBe(401)
    const unknown = `kitlane=${'A'.repeat(43)}`
    expect(cookieOf(await enter(victim, unknown))).not.toBe(unknown)
  })

  it('asks the provider with PKCE, state and nonce, and keeps none of them in the open', async () => {
    const { url } = await start()
    const asked = new URL(url).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('response_type')).toBe('code')
    const [state = '', nonce = ''] = [asked.get('state') ?? '', asked.get('nonce') ?? '']
    expect(Math.min(state.length, nonce.length)).toBeGreaterThan(40)
    const { rows } = await (await world.owner()).query("select string_agg(t::text, '') as all from sso_attempts t")
    expect(rows[0].all).not.toContain(nonce)
    expect(rows[0].all).not.toContain(state)
    const secrets = await (await world.owner()).query('select client_secret from sso_connections')
    expect(secrets.rows[0].client_secret.toString()).not.toContain(provider.clientSecret)
  })
})

describe('a trial', () => {
  const begin = (by = admin, id = connectionID) => by.account.post('/session/sso/trial', { connectionID: id })
  const end = (by: SignedIn, secret: string, query: string) =>
    by.account.post('/session/sso/trial/finish', { secret, query })
  const tried = async (who: ProviderPerson, by = admin): Promise<Reply> => {
    provider.person = who
    const { body, text, status } = await begin(by)
    expect(status, text).toBe(200)
    return end(by, body.secret, await provider.visit(body.url))
  }
  it('shows the claims without secrets, and who would get which role; it signs nobody in and changes nothing', async () => {
    const who = someone({ groups: ['others', 'kit-admins'] })
    provider.forge = (claims, key) =>
      signed({ ...claims, sid: 'secret-1', access_token: 'secret-2', api_key: 'secret-3' }, key)
    const reply = await tried(who)
    expect(reply.status, reply.text).toBe(200)
    expect(cookieOf(reply)).toBe('')
    expect(reply.body).toMatchObject({ person: { email: who.email, role: 'business-admin' } })
    expect(reply.body.claims).toEqual(
      expect.arrayContaining([
        { name: 'email', value: who.email },
        { name: 'groups', value: '["others","kit-admins"]' },
      ]),
    )
    expect(reply.text).not.toMatch(/secret-|nonce|at_hash|eyJ/)
    const { body } = await admin.in(clinic).get('/users')
    expect(body.map(({ email }: { email: string }) => email)).not.toContain(who.email)
    const audit = (await admin.in(clinic).get('/audit?action=sso.tried&size=50')).body.data
    expect(audit).toContainEqual(expect.objectContaining({ objectID: connectionID, details: { outcome: 'let in' } }))
  })

  it('names the role of today beside the one to come, and leaves it, its sessions and the account as they are', async () => {
    const who = someone()
    const session = await entered(who)
    expect((await tried({ ...who, groups: ['kit-admins'] })).body.person).toEqual({
      email: who.email,
      role: 'business-admin',
      roleNow: 'business-viewer',
    })
    expect((await tried({ ...who, groups: [] })).body.stopped.reason).toBe('no_group')
    expect(await rolesOf(session)).toEqual([['business-viewer', clinic.id]])
  })

  it.each([
    ['email_not_verified', { email_verified: false }],
    ['email_missing', { email: undefined }],
    ['domain_not_verified', { email: 'somebody@elsewhere.test' }],
    ['no_group', { groups: ['others'] }],
  ])('says what would stop it, and what to do: %s', async (reason, more) => {
    const { body } = await tried(someone(more))
    expect(body.stopped).toEqual({ reason, message: expect.stringMatching(/: ask /) })
    expect(body.person).toBeUndefined()
    expect(body.claims.length).toBeGreaterThan(3)
  })

  it('shows no claim of an answer that is not confirmed', async () => {
    provider.forge = (claims, key) => signed({ ...claims, nonce: 'another' }, key)
    const { status, body } = await tried(someone())
    expect([status, body.claims, body.person]).toEqual([200, [], undefined])
    expect(body.stopped.message).toMatch(/did not confirm/)
  })

  it('is of the administrator who began it: no answer of it signs in, and no answer of a sign-in is shown', async () => {
    const second = await signIn(world, await person(world, 'business-admin', clinic))
    provider.person = someone()
    const trial = (await begin()).body
    const query = await provider.visit(trial.url)
    const used = await finish(trial.secret, query)
    expect([used.status, used.body.code, cookieOf(used)]).toEqual([401, 'SSO_FAILED', ''])
    const mine = (await begin()).body
    expect((await end(second, mine.secret, await provider.visit(mine.url))).status).toBe(401)
    const real = await start()
    expect((await end(admin, real.secret, await provider.visit(real.url))).status).toBe(401)
    const once = (await begin()).body
    const answer = await provider.visit(once.url)
    expect((await end(admin, once.secret, answer)).status).toBe(200)
    expect((await end(admin, once.secret, answer)).status).toBe(401)
  })

  it('is begun by administrators of its side alone', async () => {
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    const foreign = await signIn(world, await person(world, 'business-admin', await world.business()))
    for (const one of [viewer, foreign, operator]) {
      const { status, body } = await begin(one)
      expect([status, body.code]).toEqual([404, 'CONNECTION_NOT_FOUND'])
    }
    expect((await world.anonymous.post('/session/sso/trial', { connectionID })).status).toBe(401)
  })

  it('is not begun by somebody who has yet to set up the second factor that their business demands', async () => {
    const strict = await world.business()
    const boss = await signIn(world, await person(world, 'business-admin', strict))
    const made = await boss.in(strict).post('/sso-connections', { ...settings(), domains: [] })
    await boss.in(strict).request('PATCH', '/sign-in-policy', { secondFactorRequired: true })
    const { status, body } = await begin(boss, made.body.id)
    expect([status, body.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
  })
})

describe('a provider that cannot be reached', () => {
  it('is a 503 with a sentence; one that names another issuer, or is none, is a refusal that says what to enter', async () => {
    const made = await connect({ name: 'Gone', issuer: 'http://127.0.0.1:9', domains: [] })
    const begin = () => world.anonymous.post('/session/sso', { connectionID: made.body.id })
    const reply = await begin()
    expect([reply.status, reply.body.code]).toEqual([503, 'PROVIDER_UNAVAILABLE'])
    const path = `/sso-connections/${made.body.id}`
    for (const [issuer, reason, message] of [
      [provider.issuer.replace('127.0.0.1', 'localhost'), 'issuer_other', `calls itself ${provider.issuer}/: enter`],
      [`${provider.issuer}/realms/none`, 'issuer_unknown', 'no OpenID provider at the issuer'],
    ]) {
      const moved = await admin.in(clinic).request('PATCH', path, { issuer })
      expect(moved.status, moved.text).toBe(200)
      const { status, body } = await begin()
      expect([status, body.code, body.reason]).toEqual([403, 'SSO_REFUSED', reason])
      expect(body.message).toContain(message)
    }
    expect((await admin.in(clinic).request('DELETE', path)).status).toBe(200)
    expect((await begin()).status).toBe(404)
  })

  it('is never an address of a private network', async () => {
    for (const issuer of [
      'https://10.0.0.1',
      'https://192.168.1.1/realm',
      'https://169.254.169.254',
      'ftp://clinic.test',
      'https://idp.clinic.test/?tenant=1',
    ]) {
      const { status, body } = await connect({ issuer })
      expect([issuer, status, body.details?.[0]?.path]).toEqual([issuer, 400, 'issuer'])
    }
  })
})

describe('the sign-in page', () => {
  it('learns from the domain alone whether to offer single sign-on', async () => {
    const offer = { connection: { id: connectionID, name: 'Clinic login', enforced: false } }
    for (const email of [administrator.email, `nobody-at-all@${domain.toUpperCase()}`]) {
      expect((await world.anonymous.post('/session/sso/look-up', { email })).body).toEqual(offer)
    }
    expect((await world.anonymous.post('/session/sso/look-up', { email: 'a@elsewhere.test' })).body).toEqual({})
  })
})

describe('a domain', () => {
  it('counts only once the operator has verified it, and is of one connection', async () => {
    const made = await connect({ name: 'Second', domains: [domain, 'second.test'] })
    const id = made.body.id
    expect(made.body.domains).toEqual([
      { domain, verified: false },
      { domain: 'second.test', verified: false },
    ])
    const who = someone({ email: `a-${randomBase62(6)}@second.test`.toLowerCase() })
    expect((await enter(who, undefined, id)).body.reason).toBe('domain_not_verified')
    expect((await verify(domain, true, id)).body.code).toBe('DOMAIN_TAKEN')
    expect((await verify('second.test', true, id)).status).toBe(200)
    expect((await enter(who, undefined, id)).status).toBe(204)
    expect((await verify('third.test', true, id)).status).toBe(404)
    expect((await verify('second.test', false, id)).status).toBe(200)
    expect((await enter(who, undefined, id)).body.reason).toBe('domain_not_verified')
    await admin.in(clinic).request('DELETE', `/sso-connections/${id}`)
  })

  it('may be written with an @, in capitals or with letters of any language', async () => {
    const name = randomBase62(8).toLowerCase()
    const made = await connect({ domains: [`@Bücher-${name}.Test`] })
    expect(made.status, made.text).toBe(201)
    const [{ domain: ascii }] = made.body.domains
    expect(ascii).toMatch(/^xn--bcher-.*\.test$/)
    await verify(ascii, true, made.body.id)
    const offered = await world.anonymous.post('/session/sso/look-up', { email: `robin@BÜCHER-${name}.test` })
    expect(offered.body.connection, offered.text).toMatchObject({ id: made.body.id })
    const reply = await enter(someone({ email: `Robin@bücher-${name}.test` }), undefined, made.body.id)
    expect(reply.status, reply.text).toBe(204)
    await admin.in(clinic).request('DELETE', `/sso-connections/${made.body.id}`)
  })

  it('is signed in by an issuer that was entered with a slash, or as the address of its discovery document', async () => {
    for (const issuer of [`${provider.issuer}/`, `${provider.issuer}/.well-known/openid-configuration`]) {
      const made = await connect({ issuer, domains: [] })
      const begun = await world.anonymous.post('/session/sso', { connectionID: made.body.id })
      expect(begun.status, `${issuer}: ${begun.text}`).toBe(200)
      await admin.in(clinic).request('DELETE', `/sso-connections/${made.body.id}`)
    }
    for (const tenant of ['common', 'organizations', 'consumers']) {
      const refused = await connect({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` })
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/your own tenant/)])
    }
  })

  it('is none where anybody gets an address', async () => {
    expect((await connect({ domains: ['gmail.com'] })).body.details[0].path).toBe('domains')
  })
})

describe('whoever sets up single sign-on', () => {
  it('administers the business: others of it and others’ administrators may not', async () => {
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    expect((await viewer.in(clinic).get('/sso-connections')).status).toBe(403)
    const foreign = await world.business()
    const other = await signIn(world, await person(world, 'business-admin', foreign))
    expect((await other.in(foreign).get('/sso-connections')).body).toEqual([])
    const path = `/sso-connections/${connectionID}`
    expect((await other.in(foreign).request('PATCH', path, { name: 'Mine' })).status).toBe(404)
    expect((await other.in(foreign).request('DELETE', path)).status).toBe(404)
    expect((await other.operator.request('PATCH', `${path}/domains/${domain}`, { verified: true })).status).toBe(403)
    expect((await clinic.live.get('/sso-connections')).status).toBe(403)
    expect((await operator.operator.request('PATCH', path, { name: 'Mine' })).status).toBe(404)
  })

  it('gives roles of their own side only', async () => {
    const wrong = [{ group: 'g', role: 'operator-admin' }]
    expect((await connect({ groupRoles: wrong })).status).toBe(400)
    expect((await operator.operator.post('/sso-connections', settings())).status).toBe(400)
  })

  it('ends the sessions of another provider by naming a new one', async () => {
    const made = await connect({ name: 'Third', domains: ['third.test'] })
    await verify('third.test', true, made.body.id)
    const session = await entered(someone({ email: `b-${randomBase62(6)}@third.test`.toLowerCase() }), made.body.id)
    const path = `/sso-connections/${made.body.id}`
    await admin.in(clinic).request('PATCH', path, { issuer: 'https://idp.third.test' })
    expect((await session.account.get('/session')).status).toBe(401)
    await admin.in(clinic).request('DELETE', path)
  })

  it('sees no secret again', async () => {
    const { text } = await admin.in(clinic).get('/sso-connections')
    expect(text).not.toContain(provider.clientSecret)
    expect(JSON.parse(text)[0].redirectURI).toBe(`${world.service.url}/app/sso`)
  })

  it('does not lose the only administrator to a mistake in the group table', async () => {
    const small = await world.business()
    const email = `only@small.test`
    const only = await signIn(world, await person(world, 'business-admin', small, email))
    const made = await only.in(small).post('/sso-connections', { ...settings(), domains: ['small.test'] })
    await verify('small.test', true, made.body.id)
    expect((await enter(someone({ email }), undefined, made.body.id)).body.reason).toBe('last_admin')
    expect(await rolesOf(only)).toEqual([['business-admin', small.id]])
  })
})

describe('where single sign-on is enforced', () => {
  let member: Person
  beforeAll(async () => {
    member = await person(world, 'business-viewer', clinic, `member@${domain}`)
  })
  afterEach(() => change({ enforced: false }))

  const enforce = () => change({ enforced: true, emergencyAccount: administrator.email })

  it('an emergency account must be named first: an administrator with a password', async () => {
    await change({ emergencyAccount: null })
    expect((await change({ enforced: true })).body.code).toBe('EMERGENCY_ACCOUNT_REQUIRED')
    for (const emergencyAccount of [member.email, `nobody@${domain}`, operator.person.email]) {
      expect((await change({ enforced: true, emergencyAccount })).status).toBe(400)
    }
    expect((await enforce()).status).toBe(200)
  })

  it('passwords are refused, right or wrong, known or not, with one answer; the emergency account still signs in', async () => {
    const before = await signIn(world, member)
    await enforce()
    const attempts = [
      { email: member.email, password: member.password },
      { email: member.email, password: 'not the password' },
      { email: `nobody@${domain}`, password: 'not the password' },
      { email: administrator.email, password: 'not the password' },
    ]
    const replies: Reply[] = []
    for (const attempt of attempts) replies.push(await world.anonymous.post('/session', attempt))
    for (const { status, body } of replies) expect([status, body.code]).toEqual([403, 'SSO_REQUIRED'])
    expect(new Set(replies.map(({ body }) => body.message)).size).toBe(1)
    expect((await before.account.get('/session')).status).toBe(401)
    expect(await rolesOf(await signIn(world, administrator))).toEqual([['business-admin', clinic.id]])
    expect((await world.anonymous.post('/session/sso/look-up', { email: member.email })).body.connection.enforced).toBe(
      true,
    )
  })

  it('single sign-on goes on, and leaves the emergency account its role', async () => {
    await enforce()
    expect(await rolesOf(await entered(someone()))).toEqual([['business-viewer', clinic.id]])
    const same = await entered(someone({ email: administrator.email, groups: ['kit-readers'] }))
    expect(await rolesOf(same)).toEqual([['business-admin', clinic.id]])
  })

  it('a password still opens other businesses, and not this one', async () => {
    const other = await world.business()
    const both = await person(world, 'business-admin', other, `both@${domain}`)
    await person(world, 'business-viewer', clinic, both.email)
    await enforce()
    const session = await signIn(world, both)
    expect(await rolesOf(session)).toEqual([['business-admin', other.id]])
    expect((await session.in(clinic).get('/orders')).status).toBe(403)
  })

  it('nobody of the domain is invited, a password reset says so, and only the emergency account gets a link', async () => {
    await enforce()
    const invited = await admin.in(clinic).post('/users', { email: `new@${domain}`, role: 'business-viewer' })
    expect([invited.status, invited.body.code]).toEqual([403, 'SSO_REQUIRED'])
    const outside = await admin
      .in(clinic)
      .post('/users', { email: 'consultant@elsewhere.test', role: 'business-viewer' })
    expect(outside.status).toBe(201)
    const owner = await world.owner()
    const resets = async () => {
      const { rows } = await owner.query(
        "select u.email from account_links l join users u on u.id = l.user_id where l.kind = 'reset' and u.email = any($1)",
        [[member.email, `nobody@${domain}`, administrator.email]],
      )
      return rows.map(({ email }) => email)
    }
    for (const email of [member.email, `nobody@${domain}`, administrator.email]) {
      expect((await world.anonymous.post('/password-resets', { email })).body.message).toMatch(/single sign-on/)
    }
    await expect.poll(resets).toContain(administrator.email)
    expect(await resets()).toEqual([administrator.email])
  })

  it('the emergency account is not removed, disabled or given less, until another one is named', async () => {
    await enforce()
    const second = await person(world, 'business-admin', clinic, `second-${randomBase62(5)}@${domain}`.toLowerCase())
    // Of another domain, so not held to the provider.
    const helper = await signIn(world, await person(world, 'business-admin', clinic))
    const path = `/users/${administrator.id}`
    const attempts = [
      helper.in(clinic).request('DELETE', path),
      helper.in(clinic).request('PATCH', path, { disabled: true }),
      helper.in(clinic).request('PATCH', path, { role: 'business-viewer' }),
    ]
    for (const { status, body } of await Promise.all(attempts)) {
      expect([status, body.code]).toEqual([409, 'EMERGENCY_ACCOUNT_REQUIRED'])
    }
    const name = ({ email: emergencyAccount }: Person) =>
      helper.in(clinic).request('PATCH', `/sso-connections/${connectionID}`, { emergencyAccount })
    expect((await name(second)).status).toBe(200)
    expect((await helper.in(clinic).request('PATCH', path, { disabled: true })).status).toBe(200)
    expect((await helper.in(clinic).request('PATCH', path, { disabled: false })).status).toBe(200)
    expect((await name(administrator)).status).toBe(200)
    admin = await signIn(world, administrator)
    for (const { id } of [second, helper.person]) {
      expect((await admin.in(clinic).request('DELETE', `/users/${id}`)).status).toBe(200)
    }
  })

  it('a link for a new password from before opens nothing', async () => {
    const owner = await world.owner()
    const secret = randomBase62(43)
    await owner.query(
      `insert into account_links (hash, kind, user_id, mailed_only, created_at, expires_at)
       values (sha256($1), 'reset', $2, true, now(), now() + interval '1 hour')`,
      [Buffer.from(secret), member.id],
    )
    await enforce()
    const accepted = await world.anonymous.post('/invitations/accept', {
      token: secret,
      password: 'lantern orbit maple syrup',
    })
    expect([accepted.status, accepted.body.code]).toEqual([403, 'SSO_REQUIRED'])
  })

  it('an invitation from before is refused too', async () => {
    const email = `early@${domain}`
    const invited = await admin.in(clinic).post('/users', { email, role: 'business-viewer' })
    await enforce()
    const token = invited.body.invitationUrl.split('#')[1]
    const accepted = await world.anonymous.post('/invitations/accept', { token, password: 'lantern orbit maple syrup' })
    expect([accepted.status, accepted.body.code]).toEqual([403, 'SSO_REQUIRED'])
  })
})

describe('the operator', () => {
  it('has its own: staff get the roles of their groups, and reach what these reach', async () => {
    const architect = await signIn(world, await person(world, 'operator-admin'))
    const made = await architect.operator.post('/sso-connections', {
      ...settings(),
      domains: ['operator.test'],
      groupRoles: [
        { group: 'packers', role: 'fulfilment' },
        { group: 'chiefs', role: 'operator-admin' },
      ],
    })
    expect(made.status, made.text).toBe(201)
    await verify('operator.test', true, made.body.id)
    const packer = await entered(someone({ email: 'packer@operator.test', groups: ['packers'] }), made.body.id)
    expect(await rolesOf(packer)).toEqual([['fulfilment', undefined]])
    expect((await packer.operator.get('/staff')).status).toBe(403)
    const chief = await entered(someone({ email: 'chief@operator.test', groups: ['chiefs'] }), made.body.id)
    expect((await chief.operator.get('/staff')).status).toBe(200)
    expect((await chief.in(clinic).get('/users')).status).toBe(403)
    await requestAccess(chief, clinic)
    expect((await chief.in(clinic).get('/users')).status).toBe(200)
    expect(
      (await enter(someone({ email: 'doctor@operator.test', groups: ['kit-admins'] }), undefined, made.body.id)).body
        .reason,
    ).toBe('no_group')
    const removed = await operator.operator.request('DELETE', `/sso-connections/${made.body.id}`)
    expect(removed.status).toBe(200)
    expect((await chief.account.get('/session')).status).toBe(401)
  })

  it('sees the domains that wait, of all sides', async () => {
    const { body } = await operator.operator.get('/sso-domains')
    expect(body).toContainEqual(
      expect.objectContaining({
        id: connectionID,
        business: { id: clinic.id, name: clinic.name },
        domains: [{ domain, verified: true }],
      }),
    )
  })
})

describe('the command line', () => {
  it('lists every single sign-on, verifies domains, and lets passwords in again', async () => {
    const cli = await commandLine(world.urls.owner)
    const made = await connect({ name: 'By hand', domains: ['hand.test'] })
    const id = made.body.id
    await cli.json('sso', 'verify-domain', '--connection', id, '--domain', 'hand.test')
    const enforced = { enforced: true, emergencyAccount: administrator.email }
    await admin.in(clinic).request('PATCH', `/sso-connections/${id}`, enforced)
    const listed = await cli.json('sso', 'list')
    expect(listed).toContainEqual(
      expect.objectContaining({ id, enforced: true, domains: [{ domain: 'hand.test', isVerified: true }] }),
    )
    const attempt = { email: 'somebody@hand.test', password: 'not the password' }
    expect((await world.anonymous.post('/session', attempt)).status).toBe(403)
    await cli.json('sso', 'allow-passwords', '--connection', id)
    expect((await world.anonymous.post('/session', attempt)).status).toBe(401)
    await cli.json('sso', 'verify-domain', '--connection', id, '--domain', 'hand.test', '--take-back')
    expect(await cli.refusal('sso', 'verify-domain', '--connection', id, '--domain', 'unknown.test')).toMatch(/no such/)
    await admin.in(clinic).request('DELETE', `/sso-connections/${id}`)
    await cli.close()
  })
})
