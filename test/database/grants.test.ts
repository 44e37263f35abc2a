import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { allScopes, type OperatorScope, type Scope } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import type { Role } from '../../src/modules/identity/rules.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { routes } from '../../src/modules/index.ts'
import { type Caller, caller, type Reply } from '../harness/caller.ts'
import { CORE } from '../harness/orders.ts'
import { person, requestAccess, signIn } from '../harness/people.ts'
import { openSample } from '../harness/sample.ts'
import { each } from '../harness/send.ts'
import { type MailServer, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// The expected scopes are written out here, so that the test does not ask the code it checks.
const everyOperatorScope: OperatorScope[] = [
  ...(['fulfilment', 'lab', 'results', 'review', 'approvals', 'catalogue', 'mail'] as const),
  ...(['businesses', 'access', 'staff', 'audit', 'system'] as const),
]
const inBusiness: string[] = [...allScopes, 'account:admin']
const heldByRole: Record<Role, string[]> = {
  'operator-admin': [...everyOperatorScope, ...inBusiness],
  fulfilment: ['fulfilment'],
  lab: ['lab'],
  reviewer: ['review', 'approvals'],
  provider: ['approvals'],
  'business-admin': inBusiness,
  'business-viewer': allScopes.filter((scope) => scope.endsWith(':read')),
}
const ofToken = (scopes: readonly string[]) => [...scopes, ...(scopes.includes('lab') ? ['review', 'results'] : [])]
const heldByToken = (scopes: readonly string[]) => [
  ...ofToken(scopes),
  ...(scopes.includes('access') ? inBusiness : []),
]
const staffRoles = ['operator-admin', 'fulfilment', 'lab', 'reviewer', 'provider'] as const
const businessRoles = ['business-admin', 'business-viewer'] as const

interface Holder {
  name: string
  isPerson: boolean
  /** There by a support access. */
  isVisitor?: boolean
  /** The scopes that routes accept from this caller. */
  scopes: readonly string[]
  /** Those scopes, and the ones it can reach with them. */
  held: readonly string[]
  operator: Caller
  business: Caller
}

/** One grant that one route can make. */
interface Grant {
  route: string
  /** The scope that the route requires. */
  needs: string
  given: string[]
  send(holder: Holder): Promise<Reply>
  /** Whether a successful answer made the grant. */
  gave?(reply: Reply): boolean
}

let world: World
let server: MailServer
let clinic: TestBusiness
let holders: Holder[]
const made = { people: 0, machines: 0 }

beforeAll(async () => {
  server = await startMailServer()
  world = await ownWorld('has a mail server', {
    trustedProxies: ['127.0.0.1'],
    smtpUrl: server.url,
  })
  clinic = await world.business()
  const single = everyOperatorScope.map((scope): OperatorScope[] => ['staff', 'businesses', scope])
  const sets = [['staff'], ['businesses'], ['access'], ...single, everyOperatorScope] as OperatorScope[][]
  const roles = Object.keys(heldByRole) as Role[]
  holders = [
    ...(await each(sets, machine, 2)),
    ...(await each(roles, someone, 1)),
    {
      name: 'a token of the business',
      isPerson: false,
      scopes: allScopes,
      held: allScopes,
      operator: caller(world.service.url, clinic.liveToken, { prefix: '/operator/v1' }),
      business: clinic.live,
    },
  ]
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

async function machine(scopes: OperatorScope[]): Promise<Holder> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'machine', scopes }),
  )
  const { url } = world.service
  return {
    name: `a token with ${scopes.join(', ')}`,
    isPerson: false,
    scopes: ofToken(scopes),
    held: heldByToken(scopes),
    operator: caller(url, token, { prefix: '/operator/v1' }),
    business: at(caller(url, token), ++made.machines),
  }
}

/** The same caller from an address of its own: refused requests are limited by address. */
function at(one: Caller, number: number): Caller {
  const from = { 'x-forwarded-for': `10.1.0.${number}` }
  const request: Caller['request'] = (method, path, body, headers) =>
    one.request(method, path, body, { ...from, ...headers })
  return {
    ...one,
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
  }
}

async function someone(role: Role): Promise<Holder> {
  const session = await signIn(world, await person(world, role, role.startsWith('business') ? clinic : undefined))
  const held = heldByRole[role]
  if (role === 'operator-admin') await requestAccess(session, clinic)
  return {
    name: role,
    isPerson: true,
    isVisitor: role === 'operator-admin',
    scopes: held,
    held,
    operator: session.operator,
    business: session.in(clinic),
  }
}

const newEmail = () => `granted${++made.people}@people.test`

/** A person who already has a role, or was blocked. */
async function member(role: Role, isDisabled: boolean): Promise<string> {
  const id = `usr_${randomBase62(16)}`
  const side = role.startsWith('business') ? clinic.id : null
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await tx.run(sql`
      insert into users (id, email, password_hash, created_at) values (${id}, ${newEmail()}, 'x', ${tx.now})`)
    await tx.run(sql`
      insert into memberships (user_id, business_id, role, created_at, accepted_at, disabled_at)
      values (${id}, ${side}, ${role}, ${tx.now}, ${tx.now}, ${isDisabled ? tx.now : null})`)
  })
  return id
}

/** A token of the operator that somebody else made. */
const otherMachine = async (scopes: OperatorScope[]) =>
  (await world.service.database.asSystem({ name: 'cli' }, (tx) => createOperatorToken(tx, { name: 'theirs', scopes })))
    .id

/** The same of the business. */
const otherProgram = async (scopes: Scope[]) =>
  world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    const { live } = await realmsOf(tx, clinic.id)
    return (await createToken(tx, live, { name: 'theirs', scopes })).id
  })

const sso = {
  name: 'granted',
  issuer: 'https://idp.example.com',
  clientID: 'kitlane',
  clientSecret: 'a secret',
}

/** A side has only so many. */
const forgetNewConnections = () =>
  world.service.database.asSystem({ name: 'cli' }, (tx) =>
    tx.run(sql`delete from sso_connections where name = ${sso.name}`),
  )

/** A single sign-on of a side that gives a role, and claims a domain. */
async function connection(side: string | null, role?: Role): Promise<string> {
  const id = `sso_${randomBase62(16)}`
  const table = JSON.stringify(role ? [{ group: 'people', role }] : [])
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await tx.run(sql`
      insert into sso_connections (id, business_id, name, issuer, client_id, client_secret, group_claim, group_roles, created_at)
      values (${id}, ${side}, 'there', 'https://idp.example.com', 'kitlane', 'x', 'groups', ${table}, ${tx.now})`)
    await tx.run(
      sql`insert into sso_domains (connection_id, domain) values (${id}, ${`${id.slice(4).toLowerCase()}.test`})`,
    )
  })
  return id
}

const ofRole = <R extends Role>(
  roles: readonly R[],
  base: Pick<Grant, 'route' | 'needs'>,
  send: (holder: Holder, role: R) => Promise<Reply>,
): Grant[] => roles.map((role) => ({ ...base, given: heldByRole[role], send: (holder) => send(holder, role) }))

/** What a support access would leave behind. */
const outlivesAccess = new Set([
  ...['changeUser', 'createSsoConnection', 'changeSsoConnection', 'createScimToken', 'changeToken'],
])

const grants: Grant[] = [
  ...ofRole(staffRoles, { route: 'inviteStaff', needs: 'staff' }, ({ operator }, role) =>
    operator.post('/staff', { email: newEmail(), role }),
  ),
  ...ofRole(staffRoles, { route: 'changeStaff', needs: 'staff' }, async ({ operator }, role) => {
    const id = await member(role === 'fulfilment' ? 'lab' : 'fulfilment', false)
    return operator.request('PATCH', `/staff/${id}`, { role })
  }),
  ...ofRole(staffRoles, { route: 'changeStaff', needs: 'staff' }, async ({ operator }, role) =>
    operator.request('PATCH', `/staff/${await member(role, true)}`, { disabled: false }),
  ),
  ...everyOperatorScope.map(
    (scope): Grant => ({
      route: 'createOperatorToken',
      needs: 'staff',
      given: heldByToken([scope]),
      send: ({ operator }) => operator.post('/tokens', { name: 'granted', scopes: [scope] }),
    }),
  ),
  {
    route: 'createOperatorToken',
    needs: 'staff',
    given: heldByToken(everyOperatorScope),
    send: ({ operator }) => operator.post('/tokens', { name: 'granted' }),
  },
  ...everyOperatorScope.flatMap((scope): Grant[] => [
    {
      route: 'rotateOperatorToken',
      needs: 'staff',
      given: heldByToken([scope]),
      send: async ({ operator }) => operator.post(`/tokens/${await otherMachine([scope])}/rotate`, {}),
    },
    {
      route: 'changeOperatorToken',
      needs: 'staff',
      given: heldByToken([scope]),
      send: async ({ operator }) =>
        operator.request('PATCH', `/tokens/${await otherMachine([scope])}`, { addresses: null }),
    },
  ]),
  ...ofRole(businessRoles, { route: 'inviteUserOfBusiness', needs: 'access' }, ({ operator }, role) =>
    operator.post(`/businesses/${clinic.id}/users`, { email: newEmail(), role }),
  ),
  {
    route: 'createBusiness',
    needs: 'businesses',
    given: [...allScopes],
    send: ({ operator }) => operator.post('/businesses', { name: `Granted ${randomBase62(6)}`, panels: [CORE] }),
    gave: ({ text }) => text.includes('kl_'),
  },
  ...ofRole(businessRoles, { route: 'inviteUser', needs: 'account:admin' }, ({ business }, role) =>
    business.post('/users', { email: newEmail(), role }),
  ),
  ...ofRole(businessRoles, { route: 'changeUser', needs: 'account:admin' }, async ({ business }, role) => {
    const id = await member(role === 'business-viewer' ? 'business-admin' : 'business-viewer', false)
    return business.request('PATCH', `/users/${id}`, { role })
  }),
  ...ofRole(businessRoles, { route: 'changeUser', needs: 'account:admin' }, async ({ business }, role) =>
    business.request('PATCH', `/users/${await member(role, true)}`, { disabled: false }),
  ),
  ...ofRole(businessRoles, { route: 'createSsoConnection', needs: 'account:admin' }, async ({ business }, role) => {
    await forgetNewConnections()
    return business.post('/sso-connections', { ...sso, groupRoles: [{ group: 'people', role }] })
  }),
  ...ofRole(businessRoles, { route: 'changeSsoConnection', needs: 'account:admin' }, async ({ business }, role) =>
    business.request('PATCH', `/sso-connections/${await connection(clinic.id)}`, {
      groupRoles: [{ group: 'people', role }],
    }),
  ),
  ...ofRole(staffRoles, { route: 'createOperatorSsoConnection', needs: 'staff' }, async ({ operator }, role) => {
    await forgetNewConnections()
    return operator.post('/sso-connections', { ...sso, groupRoles: [{ group: 'people', role }] })
  }),
  ...ofRole(staffRoles, { route: 'changeOperatorSsoConnection', needs: 'staff' }, async ({ operator }, role) =>
    operator.request('PATCH', `/sso-connections/${await connection(null)}`, {
      groupRoles: [{ group: 'people', role }],
    }),
  ),
  ...ofRole(staffRoles, { route: 'changeOperatorSsoConnection', needs: 'staff' }, async ({ operator }, role) =>
    operator.request('PATCH', `/sso-connections/${await connection(null, role)}`, {
      issuer: 'https://other.example.com',
    }),
  ),
  ...ofRole(staffRoles, { route: 'verifySsoDomain', needs: 'staff' }, async ({ operator }, role) => {
    const id = await connection(null, role)
    return operator.request('PATCH', `/sso-connections/${id}/domains/${id.slice(4).toLowerCase()}.test`, {
      verified: true,
    })
  }),
  ...ofRole(businessRoles, { route: 'verifySsoDomain', needs: 'access' }, async ({ operator }, role) => {
    const id = await connection(clinic.id, role)
    return operator.request('PATCH', `/sso-connections/${id}/domains/${id.slice(4).toLowerCase()}.test`, {
      verified: true,
    })
  }),
  ...ofRole(businessRoles, { route: 'createScimToken', needs: 'account:admin' }, async ({ business }, role) =>
    business.post(`/sso-connections/${await connection(clinic.id, role)}/scim-token`),
  ),
  ...ofRole(staffRoles, { route: 'createOperatorScimToken', needs: 'staff' }, async ({ operator }, role) =>
    operator.post(`/sso-connections/${await connection(null, role)}/scim-token`),
  ),
  ...allScopes.map(
    (scope): Grant => ({
      route: 'createToken',
      needs: 'account:admin',
      given: [scope],
      send: ({ business }) => business.post('/tokens', { name: 'granted', scopes: [scope] }),
    }),
  ),
  ...(['orders:read', 'reports:review', 'settings:write'] as const).map(
    (scope): Grant => ({
      route: 'changeToken',
      needs: 'account:admin',
      given: [scope],
      send: async ({ business }) =>
        business.request('PATCH', `/tokens/${await otherProgram([scope])}`, { addresses: null }),
    }),
  ),
]

// Routes for people, businesses and tokens that grant nobody a sign-in or a token. Accesses of the operator are tried in
// support-access.test.ts and matrix.test.ts, and so is rotateToken, which the operator may not use in a business.
const giveNothing = [
  // A provider still signs in as somebody who holds `approvals`.
  ...['addProvider', 'changeProvider'],
  // Tried in lasting-grants.test.ts: it keeps a user whom somebody invited before.
  'keepUser',
  ...['changeBusiness', 'provisionPanels', 'grantCredits', 'rotateToken', 'setSignInPolicy', 'settleReversal'],
  ...['requestSupportAccess', 'approveSupportAccess', 'changeSupportPolicy'],
  ...['publishDefaultConsentText', 'saveLabConnection', 'saveLabelAccount', 'saveWarehouse'],
  ...['saveHealthAuthority', 'saveNotifiableRule', 'saveNotifiableSender'],
  'signOffAccessReview',
  ...['changeRetention', 'setLegalHold', 'liftLegalHold'],
]

it('anyone who gives a role, a token or a scope, by any route, holds all of it', async () => {
  const tried = openSample('grants').draw(grants, ({ route }) => route, 4)
  for (const { route, needs, given, send, gave } of tried) {
    const answers = await each(holders, async (holder) => ({ holder, reply: await send(holder) }), 4)
    for (const { holder, reply } of answers) {
      const what = `${holder.name}: ${route} giving ${given.length > 4 ? `${given.length} scopes` : given.join(', ')}`
      const isLasting = holder.isVisitor && outlivesAccess.has(route)
      const may = !isLasting && holder.scopes.includes(needs) && given.every((scope) => holder.held.includes(scope))
      const isTaken = reply.status < 300 && (gave === undefined || gave(reply))
      expect([what, isTaken, reply.status < 500], reply.text).toEqual([what, may, true])
      if (!isTaken && reply.status >= 300) expect([401, 403], what).toContain(reply.status)
    }
  }
})

it('a link that opens an account is never in what a token is answered', async () => {
  const machines = holders.filter(({ isPerson }) => !isPerson)
  const inviting = grants.filter(({ route }) => route.startsWith('invite'))
  expect(inviting.length).toBeGreaterThan(7)
  let invited = 0
  for (const { route, send } of inviting) {
    for (const holder of machines) {
      const { status, text } = await send(holder)
      if (status === 201) invited++
      expect([holder.name, route, text]).toEqual([holder.name, route, expect.not.stringMatching(/#|[\w-]{43}|Url":/)])
    }
  }
  expect(invited).toBeGreaterThan(5)
})

it('every route that gives something is among those that are tried: a new one is named here', () => {
  const looksAfter = new Set<string>(['staff', 'businesses', 'access', 'account:admin'])
  const found = routes
    .filter(
      ({ method, scope }) =>
        ['POST', 'PATCH'].includes(method) && [scope ?? []].flat().some((one) => looksAfter.has(one)),
    )
    .map(({ id }) => id)
  expect([...found].sort()).toEqual([...new Set(grants.map(({ route }) => route)), ...giveNothing].sort())
})

it('a token that ends makes no token that outlives it', async () => {
  const endsAt = new Date(Date.now() + 3600_000)
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'for an hour', scopes: ['staff', 'mail'], expiresAt: endsAt }),
  )
  const short = caller(world.service.url, token, { prefix: '/operator/v1' })
  const later = { name: 'later', scopes: ['mail'], expiresDate: new Date(endsAt.getTime() + 1000).toISOString() }
  expect((await short.post('/tokens', later)).status).toBe(403)
  const { id } = (await short.post('/tokens', { name: 'unsaid', scopes: ['mail'] })).body
  const listed = (await short.get('/tokens')).body.find((one: { id: string }) => one.id === id)
  expect(listed.expiresDate).toBe(endsAt.toISOString())
})
