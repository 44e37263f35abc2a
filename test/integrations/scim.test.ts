import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.ts'
import { browser, cookieOf, type Person, person, type SignedIn, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const domain = `clinic-${randomBase62(8)}.test`.toLowerCase()
const otherDomain = `other-${domain}`

let world: World
let provider: IdentityProvider
let clinic: TestBusiness
let administrator: Person
let admin: SignedIn
let operator: SignedIn
let connectionID: string
let token: string
let readers: string
let admins: string

interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a provider without types would
  body: any
}

async function scim(method: string, path: string, body?: unknown, bearer = token): Promise<Answer> {
  const reply = await fetch(`${world.service.url}/scim/v2${path}`, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      // Also without a body, as some providers do.
      'content-type': 'application/scim+json',
    },
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await reply.text()
  return { status: reply.status, headers: reply.headers, body: text ? JSON.parse(text) : undefined }
}

beforeAll(async () => {
  world = await sharedWorld()
  provider = await startIdentityProvider(`${world.service.url}/app/sso`)
  clinic = await world.business()
  administrator = await person(world, 'business-admin', clinic, `it@${domain}`)
  admin = await signIn(world, administrator)
  operator = await signIn(world, await person(world, 'operator-admin'))
  ;({ connectionID, token } = await connect(admin, clinic, domain))
  readers = (await scim('POST', '/Groups', group('Readers', { externalId: 'g-readers' }))).body.id
  admins = (await scim('POST', '/Groups', group('Admins'))).body.id
})
afterAll(async () => {
  await provider.stop()
  await world.stop()
})

async function connect(by: SignedIn, business: TestBusiness, name: string) {
  const made = await by.in(business).post('/sso-connections', {
    name: 'Login',
    issuer: provider.issuer,
    clientID: provider.clientId,
    clientSecret: provider.clientSecret,
    domains: [name],
    groupRoles: [
      { group: 'Admins', role: 'business-admin' },
      { group: 'g-readers', role: 'business-viewer' },
    ],
  })
  const id: string = made.body.id
  await operator.operator.request('PATCH', `/sso-connections/${id}/domains/${name}`, { verified: true })
  const { status, body } = await by.in(business).post(`/sso-connections/${id}/scim-token`)
  expect([status, body.url]).toEqual([201, `${world.service.url}/scim/v2`])
  return { connectionID: id, token: body.token as string }
}

const group = (displayName: string, more: object = {}) => ({ schemas: [GROUP], displayName, ...more })
const newUser = (more: object = {}) => ({
  schemas: [USER],
  userName: `${randomBase62(8).toLowerCase()}@${domain}`,
  externalId: randomBase62(8),
  name: { givenName: 'Robin', familyName: 'Doe' },
  ...more,
})
const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations })

async function created(more: object = {}) {
  const { status, body } = await scim('POST', '/Users', newUser(more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

const join = (groupId: string, ...ids: string[]) =>
  scim('PATCH', `/Groups/${groupId}`, patch({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }))

/** The role and the state of somebody in the business. */
async function memberOf(email: string): Promise<[string, string] | undefined> {
  const { body } = await admin.in(clinic).get('/users')
  const found = body.find((one: { email: string }) => one.email === email)
  return found && [found.role, found.status]
}

/** Signs in at the provider; without `groups` the token says nothing of groups. */
async function enter(email: string, groups?: string[]) {
  provider.person = { sub: `sub of ${email}`, email, email_verified: true, ...(groups && { groups }) }
  const { url, secret } = (await world.anonymous.post('/session/sso', { connectionID })).body
  const reply = await world.anonymous.post('/session/sso/finish', { secret, query: await provider.visit(url) })
  return { reply, session: browser(world, { id: '', email, password: '' }, cookieOf(reply)) }
}

describe('what a provider may ask first', () => {
  it('is described in SCIM’s documents and media type', async () => {
    const config = await scim('GET', '/ServiceProviderConfig')
    expect(config.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: false },
    })
    const types = (await scim('GET', '/ResourceTypes')).body
    expect(types.Resources.map(({ id, endpoint }: Record<string, string>) => [id, endpoint])).toEqual([
      ['User', '/Users'],
      ['Group', '/Groups'],
    ])
    const schemas = (await scim('GET', '/Schemas')).body
    expect(schemas.Resources.map(({ id }: { id: string }) => id)).toEqual([USER, GROUP])
    expect((await scim('GET', `/Schemas/${USER}`)).body.attributes[0]).toMatchObject({
      name: 'userName',
      required: true,
    })
    expect((await scim('GET', '/ResourceTypes/Device')).status).toBe(404)
  })
})

describe('a user', () => {
  it('is created, found, read, and changed', async () => {
    const user = await created({ userName: `Ana.Lee@${domain}`, displayName: 'Ana Lee' })
    expect(user).toMatchObject({ schemas: [USER], userName: `Ana.Lee@${domain}`, active: true, displayName: 'Ana Lee' })
    expect(user.emails).toEqual([{ value: `ana.lee@${domain}`, type: 'work', primary: true }])
    expect(user.meta.location).toBe(`${world.service.url}/scim/v2/Users/${user.id}`)
    expect((await scim('GET', `/Users/${user.id}`)).body).toEqual(user)
    const find = (filter: string) => scim('GET', `/Users?filter=${encodeURIComponent(filter)}`)
    for (const filter of [
      `userName eq "ana.lee@${domain}"`,
      `externalId eq "${user.externalId}"`,
      `ID EQ "${user.id}"`,
    ]) {
      const { body } = await find(filter)
      expect([filter, body.totalResults, body.Resources?.[0]?.id]).toEqual([filter, 1, user.id])
    }
    expect((await find('userName eq "nobody"')).body).toMatchObject({ totalResults: 0, Resources: [] })
    const replaced = await scim('PUT', `/Users/${user.id}`, { schemas: [USER], userName: `ana@${domain}` })
    expect(replaced.body).toMatchObject({ id: user.id, userName: `ana@${domain}`, active: true })
    expect(replaced.body).not.toHaveProperty('displayName')
    expect(replaced.body).not.toHaveProperty('name')
  })

  it('is listed in pages, counted from 1', async () => {
    const ids = new Set<string>()
    const { body: first } = await scim('GET', '/Users?startIndex=1&count=1')
    for (let startIndex = 1; startIndex <= first.totalResults; startIndex++) {
      const { body } = await scim('GET', `/Users?startIndex=${startIndex}&count=1`)
      expect([body.startIndex, body.itemsPerPage]).toEqual([startIndex, 1])
      ids.add(body.Resources[0].id)
    }
    expect(ids.size).toBe(first.totalResults)
    expect((await scim('GET', '/Users?count=0')).body).toMatchObject({
      itemsPerPage: 0,
      totalResults: first.totalResults,
    })
    expect((await scim('GET', '/Users?startIndex=-3&count=5')).body.startIndex).toBe(1)
    expect((await scim('GET', '/Users?startIndex=999')).body.Resources).toEqual([])
  })

  it('has no role before a group gives one, and the first role of the table after', async () => {
    const user = await created()
    const email = user.userName
    expect(await memberOf(email)).toBeUndefined()
    await join(readers, user.id)
    expect(await memberOf(email)).toEqual(['business-viewer', 'active'])
    await join(admins, user.id)
    expect(await memberOf(email)).toEqual(['business-admin', 'active'])
    const one = { op: 'remove', path: `members[value eq "${user.id}"]` }
    await scim('PATCH', `/Groups/${admins}`, patch(one))
    expect(await memberOf(email)).toEqual(['business-viewer', 'active'])
    await scim('PATCH', `/Groups/${readers}`, patch({ op: 'Remove', path: 'members', value: [{ value: user.id }] }))
    expect(await memberOf(email)).toBeUndefined()
  })

  it('signs in with the role that SCIM’s groups give where the token names none', async () => {
    const user = await created()
    expect((await enter(user.userName)).reply.body.reason).toBe('no_group')
    await join(readers, user.id)
    const { reply, session } = await enter(user.userName)
    expect(reply.status, reply.text).toBe(204)
    expect((await session.account.get('/session')).body.memberships[0].role).toBe('business-viewer')
  })

  it('takes over the role that a person gave, but not that of the emergency account', async () => {
    const known = await person(world, 'business-admin', clinic, `known-${randomBase62(6)}@${domain}`.toLowerCase())
    const user = await created({ userName: known.email })
    expect(await memberOf(known.email)).toEqual(['business-admin', 'active'])
    await join(readers, user.id)
    expect(await memberOf(known.email)).toEqual(['business-viewer', 'active'])
    await admin
      .in(clinic)
      .request('PATCH', `/sso-connections/${connectionID}`, { emergencyAccount: administrator.email })
    const emergency = await created({ userName: administrator.email })
    await join(readers, emergency.id)
    await scim('PATCH', `/Users/${emergency.id}`, patch({ op: 'replace', value: { active: false } }))
    await scim('DELETE', `/Users/${emergency.id}`)
    expect(await memberOf(administrator.email)).toEqual(['business-admin', 'active'])
  })
})

describe('a user who leaves', () => {
  const spellings: [string, object][] = [
    ['as Okta says it', { op: 'replace', value: { active: false } }],
    ['as Entra ID says it', { op: 'Replace', path: 'active', value: 'False' }],
    ['as the standard says it', { op: 'replace', path: 'active', value: false }],
    ['with the name of the schema', { op: 'add', path: `${USER}:active`, value: false }],
  ]
  it.each(spellings)('%s, is signed out at the next request, and in again when active', async (_name, operation) => {
    const user = await created()
    await join(readers, user.id)
    const { session } = await enter(user.userName)
    const page = session.in(clinic)
    expect((await page.get('/orders')).status).toBe(200)
    const answer = await scim('PATCH', `/Users/${user.id}`, patch(operation))
    const [orders, account] = [await page.get('/orders'), await session.account.get('/session')]
    expect([answer.status, answer.body.active, orders.status, account.status]).toEqual([200, false, 401, 401])
    expect(await memberOf(user.userName)).toEqual(['business-viewer', 'disabled'])
    expect((await enter(user.userName, ['Admins'])).reply.body.reason).toBe('blocked')
    const back = { ...operation, ...('value' in operation && { value: inverted(operation.value) }) }
    expect((await scim('PATCH', `/Users/${user.id}`, patch(back))).body.active).toBe(true)
    expect(await memberOf(user.userName)).toEqual(['business-viewer', 'active'])
    expect((await enter(user.userName)).reply.status).toBe(204)
  })
  const inverted = (value: unknown) =>
    typeof value === 'object' ? { active: true } : typeof value === 'string' ? 'True' : true

  it('is nobody of another domain: their sessions go on', async () => {
    const other = await world.business()
    const stranger = await person(
      world,
      'business-admin',
      other,
      `boss-${randomBase62(5)}@elsewhere.test`.toLowerCase(),
    )
    const session = await signIn(world, stranger)
    const made = await scim('POST', '/Users', newUser({ userName: stranger.email, active: false }))
    expect(made.status).toBe(201)
    expect(
      (await scim('PATCH', `/Users/${made.body.id}`, patch({ op: 'replace', value: { active: true } }))).status,
    ).toBe(400)
    expect((await scim('DELETE', `/Users/${made.body.id}`)).status).toBe(204)
    expect((await session.account.get('/session')).status).toBe(200)
  })

  it('leaves no way to their account for somebody who gets their address', async () => {
    const address = `first-${randomBase62(5)}@${domain}`.toLowerCase()
    const first = await created({ userName: address })
    await join(readers, first.id)
    await scim('PUT', `/Users/${first.id}`, { schemas: [USER], userName: `moved-${address}` })
    const second = await scim('POST', '/Users', newUser({ userName: address }))
    expect([second.status, second.body.scimType]).toEqual([409, 'uniqueness'])
  })

  it('by deletion, is gone with role and sessions, and may be made anew', async () => {
    const user = await created()
    await join(readers, user.id)
    const { session } = await enter(user.userName)
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(204)
    expect((await session.account.get('/session')).status).toBe(401)
    expect(await memberOf(user.userName)).toBeUndefined()
    expect((await scim('GET', `/Users/${user.id}`)).status).toBe(404)
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(404)
    const again = await created({ userName: user.userName })
    await join(readers, again.id)
    expect((await enter(user.userName)).reply.status).toBe(204)
  })

  it('is shut out also with a password, and where only a person gave the role', async () => {
    const known = await person(world, 'business-viewer', clinic, `leaver-${randomBase62(6)}@${domain}`.toLowerCase())
    const session = await signIn(world, known)
    const user = await created({ userName: known.email })
    await scim('PATCH', `/Users/${user.id}`, patch({ op: 'replace', path: 'active', value: false }))
    expect((await session.account.get('/session')).status).toBe(401)
    expect((await world.anonymous.post('/session', known)).status).toBe(401)
  })

  it('is in the audit of the business, done by the provider', async () => {
    const user = await created()
    await join(readers, user.id)
    await scim('PATCH', `/Users/${user.id}`, patch({ op: 'replace', value: { active: false } }))
    const { body } = await admin.in(clinic).get('/audit?action=user.disabled&size=1')
    expect(body.data[0]).toMatchObject({ actor: `sso:${connectionID}`, action: 'user.disabled' })
  })
})

describe('a group', () => {
  it('is created with members, found by its name, replaced and deleted; its people follow', async () => {
    const [a, b] = [await created(), await created()]
    const made = await scim('POST', '/Groups', group('Admins of the night', { members: [{ value: a.id }] }))
    expect(made.body.members).toMatchObject([{ value: a.id, display: a.userName }])
    const found = await scim(
      'GET',
      `/Groups?filter=${encodeURIComponent('displayName eq "admins of the night"')}&excludedAttributes=members`,
    )
    expect(found.body.Resources[0].id).toBe(made.body.id)
    expect(found.body.Resources[0]).not.toHaveProperty('members')
    expect(await memberOf(a.userName)).toBeUndefined()
    const path = `/Groups/${made.body.id}`
    const replaced = await scim(
      'PUT',
      path,
      group('Night', { externalId: 'x', members: [{ value: a.id }, { value: b.id }] }),
    )
    expect(replaced.body.members.length).toBe(2)
    await admin.in(clinic).request('PATCH', `/sso-connections/${connectionID}`, {
      groupRoles: [
        { group: 'Admins', role: 'business-admin' },
        { group: 'Night', role: 'business-viewer' },
        { group: 'g-readers', role: 'business-viewer' },
      ],
    })
    expect(await memberOf(b.userName)).toEqual(['business-viewer', 'active'])
    await scim('PATCH', path, patch({ op: 'replace', value: { displayName: 'Day' } }))
    expect(await memberOf(b.userName)).toBeUndefined()
    await scim('PATCH', path, patch({ op: 'replace', path: 'displayName', value: 'Night' }))
    expect(await memberOf(b.userName)).toEqual(['business-viewer', 'active'])
    expect((await scim('DELETE', path)).status).toBe(204)
    expect(await memberOf(a.userName)).toBeUndefined()
  })

  it('takes members once, by replacement too, and ignores those whom it does not know', async () => {
    const [a, b] = [await created(), await created()]
    const { body } = await scim('POST', '/Groups', group(`Others ${randomBase62(4)}`))
    await join(body.id, a.id, a.id, 'scu_nobody')
    await join(body.id, a.id)
    const ids = async () =>
      (await scim('GET', `/Groups/${body.id}`)).body.members.map(({ value }: { value: string }) => value)
    expect(await ids()).toEqual([a.id])
    await scim('PATCH', `/Groups/${body.id}`, patch({ op: 'replace', path: 'members', value: [{ value: b.id }] }))
    expect(await ids()).toEqual([b.id])
    await scim('PATCH', `/Groups/${body.id}`, patch({ op: 'Remove', path: 'members', value: [] }))
    expect(await ids()).toEqual([b.id])
    await join(body.id, a.id)
    const both = `members[value eq "${a.id}" or value eq "${b.id}"]`
    await scim('PATCH', `/Groups/${body.id}`, patch({ op: 'remove', path: both }))
    expect(await ids()).toEqual([])
    await join(body.id, a.id)
    await scim('PATCH', `/Groups/${body.id}`, patch({ op: 'remove', path: 'members' }))
    expect(await ids()).toEqual([])
  })
})

describe('the spellings of providers', () => {
  const search = async (path: string, filter: string, more = '') => {
    const { status, body } = await scim('GET', `${path}?filter=${encodeURIComponent(filter)}${more}`)
    return [status, body.Resources?.map(({ id }: { id: string }) => id)]
  }

  it('find a user by several comparisons, a schema, or a part of emails', async () => {
    const { id, userName } = await created()
    for (const filter of [
      `userName eq "${userName}" and active eq true`,
      `${USER}:userName EQ "${userName.toUpperCase()}"`,
      `emails[type eq "work" and value eq "${userName}"]`,
      `emails[type eq "work"].value eq "${userName}"`,
      `emails eq "${userName}" AND emails.primary eq true`,
    ]) {
      expect(await search('/Users', filter), filter).toEqual([200, [id]])
    }
    expect(await search('/Users', `userName eq "${userName}" and active eq false`)).toEqual([200, []])
    for (const wrong of ['userName eq "a" or id eq "b"', 'userName eq "a" and', 'emails[value eq "a"', 'active eq']) {
      expect((await scim('GET', `/Users?filter=${encodeURIComponent(wrong)}`)).body.scimType, wrong).toBe(
        'invalidFilter',
      )
    }
  })

  it('find a group by its member, and a user by a search in the body', async () => {
    const { id, userName } = await created()
    const made = (await scim('POST', '/Groups', group(`Ward ${randomBase62(4)}`, { members: [{ value: id }] }))).body
    expect(await search('/Groups', `id eq "${made.id}" and members eq "${id}"`, '&attributes=id')).toEqual([
      200,
      [made.id],
    ])
    expect(await search('/Groups', `members.value eq "${id}"`)).toEqual([200, [made.id]])
    const body = { filter: `userName eq "${userName}"`, startIndex: 1, count: 10, attributes: ['userName'] }
    const found = await scim('POST', '/Users/.search', body)
    expect([found.status, found.body.Resources]).toEqual([200, [{ schemas: [USER], id, userName }]])
    const filter = `displayName eq "${made.displayName}"`
    const wards = await scim('POST', '/Groups/.search', { filter, excludedAttributes: ['members'] })
    expect(wards.body.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })])
  })

  it('name the attributes that come, or those that do not', async () => {
    const { id, userName } = await created()
    const of = async (query: string) => (await scim('GET', `/Users/${id}?${query}`)).body
    expect(await of('attributes=userName,name.familyName')).toEqual({
      schemas: [USER],
      id,
      userName,
      name: { familyName: 'Doe' },
    })
    expect(Object.keys(await of('excludedAttributes=emails,name,groups,meta,id')).sort()).toEqual([
      ...['active', 'externalId', 'id', 'schemas', 'userName'],
    ])
  })

  it('change the address of work only, by its type or as the primary one', async () => {
    const { id, userName } = await created()
    const after = async (...operations: object[]) => {
      const { status, body } = await scim('PATCH', `/Users/${id}`, patch(...operations))
      return [status, body.emails?.[0]?.value]
    }
    const home = { op: 'Add', path: 'emails[type eq "other"].value', value: 'somebody@home.test' }
    expect(await after(home)).toEqual([200, userName])
    const primary = `new-${userName}`
    expect(await after({ op: 'replace', path: 'emails[primary eq true].value', value: primary })).toEqual([
      200,
      primary,
    ])
    const list = [
      { type: 'home', value: 'somebody@home.test', primary: 'False' },
      { type: 'work', value: userName, primary: 'True' },
    ]
    expect(await after({ op: 'Replace', path: 'emails', value: list })).toEqual([200, userName])
    const unmarked = list.map(({ type, value }) => ({ type, value }))
    expect(await after({ op: 'Replace', path: 'emails', value: unmarked })).toEqual([200, userName])
  })

  it('switch somebody off without the schema of the message, and with a list of one', async () => {
    const { id } = await created()
    const off = { op: 'Add', path: 'active', value: [{ value: 'False' }] }
    expect((await scim('PATCH', `/Users/${id}`, { Operations: [off] })).body.active).toBe(false)
  })
})

// The requests of public documentation, in the order in which each provider sends them.
describe('the calls of', () => {
  const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  /** One request; `expected` is the status and some of the body. */
  const call = async (method: string, path: string, expected: [number, object?], body?: unknown) => {
    const answer = await scim(method, path, body)
    expect([method, path, answer.status, answer.body], JSON.stringify(answer.body)).toEqual([
      ...[method, path, expected[0]],
      expected[1] ? expect.objectContaining(expected[1]) : answer.body,
    ])
    return answer.body
  }
  const none = { totalResults: 0, Resources: [] }
  const where = (filter: string) => `filter=${encodeURIComponent(filter)}`
  const inGroup = (id: string) => [{ value: id, display: 'Ann Doe' }]

  it('Okta: asks, creates, replaces, pushes a group, renames it, and switches somebody off and on', async () => {
    const userName = `okta-${randomBase62(6)}@${domain}`.toLowerCase()
    await call('GET', '/Users?startIndex=1&count=2', [200, { startIndex: 1 }])
    await call('GET', '/Groups?startIndex=1&count=100', [200, { startIndex: 1 }])
    await call('GET', `/Users?${where(`userName eq "${userName}"`)}&startIndex=1&count=100`, [200, none])
    const profile = {
      ...{ schemas: [USER], userName, name: { givenName: 'Ann', familyName: 'Doe' }, displayName: 'Ann Doe' },
      ...{
        emails: [{ primary: true, value: userName, type: 'work' }],
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj',
      },
      ...{ groups: [], password: '1mz050nq', active: true },
    }
    const { id, ...made } = await call('POST', '/Users', [201, { userName, active: true }], profile)
    expect(JSON.stringify(made)).not.toContain('1mz050nq')
    await call('GET', `/Users/${id}`, [200, { id }])
    await call('PUT', `/Users/${id}`, [200, { displayName: 'Ann Roe' }], { ...profile, id, displayName: 'Ann Roe' })
    await call('PATCH', `/Users/${id}`, [200, { active: true }], patch({ op: 'replace', value: { password: 'new' } }))
    const displayName = `Okta ${randomBase62(4)}`
    await call('GET', `/Groups?${where(`displayName eq "${displayName}"`)}&startIndex=1&count=100`, [200, none])
    const pushed = await call('POST', '/Groups', [201, { displayName }], group(displayName, { members: inGroup(id) }))
    const path = `/Groups/${pushed.id}`
    const renamed = { op: 'replace', value: { id: pushed.id, displayName: 'Admins of Okta' } }
    await call('PATCH', path, [200, { displayName: 'Admins of Okta' }], patch(renamed))
    const remove = { op: 'remove', path: `members[value eq "${id}"]` }
    const add = { op: 'add', path: 'members', value: inGroup(id) }
    const after = await call('PATCH', path, [200], patch(remove, add))
    expect(after.members).toHaveLength(1)
    await join(readers, id)
    await call('PATCH', `/Users/${id}`, [200, { active: false }], patch({ op: 'replace', value: { active: false } }))
    expect(await memberOf(userName)).toEqual(['business-viewer', 'disabled'])
    await call('PATCH', `/Users/${id}`, [200, { active: true }], patch({ op: 'replace', value: { active: true } }))
    expect(await memberOf(userName)).toEqual(['business-viewer', 'active'])
    await call('DELETE', path, [204])
  })

  it('Entra ID: tests the token with an ID, creates, patches by path, fills a group, and disables before it deletes', async () => {
    const userName = `entra-${randomBase62(6)}@${domain}`.toLowerCase()
    const externalId = randomBase62(8)
    const guid = '6764549b-a5f1-4a2c-9d9d-000000000001'
    await call('GET', `/Users?${where(`userName eq "${guid}"`)}`, [200, none])
    await call('GET', `/Users?${where(`externalId eq "${externalId}"`)}`, [200, none])
    const { id } = await call('POST', '/Users', [201, { userName, externalId, active: true }], {
      ...{ schemas: [USER, ENTERPRISE], externalId, userName, active: true, meta: { resourceType: 'User' } },
      ...{ emails: [{ primary: true, type: 'work', value: userName }], roles: [], phoneNumbers: [], addresses: [] },
      ...{ name: { formatted: 'Ann Doe', familyName: 'Doe', givenName: 'Ann' }, preferredLanguage: 'en-US' },
      [ENTERPRISE]: { department: 'Care', employeeNumber: '7', manager: { value: guid } },
    })
    const path = `/Users/${id}`
    const moved = `new-${userName}`
    const changed = patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: moved },
      { op: 'Replace', path: 'name.familyName', value: 'Roe' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Lab' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+49 30 1' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: guid },
    )
    const after = await call('PATCH', path, [200], changed)
    expect([after.emails[0].value, after.name.familyName]).toEqual([moved, 'Roe'])
    await call('PATCH', path, [200], patch({ op: 'Replace', value: { 'name.givenName': 'Anna', displayName: 'Anna' } }))
    const named = `Entra ${randomBase62(4)}`
    const schema = 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'
    await call('GET', `/Groups?excludedAttributes=members&${where(`displayName eq "${named}"`)}`, [200, none])
    const made = await call('POST', '/Groups', [201, { displayName: named }], {
      ...{ schemas: [GROUP, schema], externalId: guid, displayName: named, meta: { resourceType: 'Group' } },
    })
    const ofGroup = `/Groups/${made.id}`
    await call('GET', `${ofGroup}?excludedAttributes=members`, [200, { id: made.id }])
    const members = [{ $ref: null, value: id }]
    await call('PATCH', ofGroup, [200], patch({ op: 'Add', path: 'members', value: members }))
    const asked = where(`id eq "${made.id}" and members eq "${id}"`)
    await call('GET', `/Groups?${asked}&attributes=id`, [200, { totalResults: 1 }])
    await call('PATCH', ofGroup, [200], patch({ op: 'Remove', path: 'members', value: members }))
    await call('GET', `/Groups?${asked}&attributes=id`, [200, { totalResults: 0 }])
    await call('PATCH', path, [200, { active: false }], patch({ op: 'Replace', path: 'active', value: 'False' }))
    await call('DELETE', path, [204])
    await call('GET', path, [404])
    await call('DELETE', ofGroup, [204])
  })

  it('JumpCloud: makes somebody to test with, replaces them, fills a group by PUT, and deletes both', async () => {
    const userName = `jumpcloud-${randomBase62(6)}@${domain}`.toLowerCase()
    await call('GET', '/Users?count=100&startIndex=1', [200, { startIndex: 1 }])
    await call('GET', `/Users?${where(`userName eq "${userName}"`)}`, [200, none])
    const profile = {
      ...{ schemas: [USER], userName, externalId: '5f1', name: { givenName: 'Ann', familyName: 'Doe' }, active: true },
      ...{ emails: [{ value: userName, type: 'work', primary: true }], title: '', phoneNumbers: [], addresses: [] },
    }
    const { id } = await call('POST', '/Users', [201, { userName }], profile)
    await call('PUT', `/Users/${id}`, [200, { active: false }], { ...profile, active: false })
    const named = `JumpCloud ${randomBase62(4)}`
    const made = await call('POST', '/Groups', [201], group(named))
    const filled = await call('PUT', `/Groups/${made.id}`, [200], group(named, { members: [{ value: id }] }))
    expect(filled.members).toHaveLength(1)
    await call('DELETE', `/Groups/${made.id}`, [204])
    await call('DELETE', `/Users/${id}`, [204])
  })
})

describe('a mistake', () => {
  const refused = (answer: Answer) => [
    answer.status,
    answer.body.schemas?.[0],
    answer.body.status,
    answer.body.scimType,
  ]
  it.each<[string, string, unknown, number, string | undefined]>([
    ['POST', '/Users', 'not json', 400, 'invalidSyntax'],
    ['POST', '/Users', [], 400, 'invalidSyntax'],
    ['POST', '/Users', {}, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'ana' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: 'ana@elsewhere.test' }, 400, 'invalidValue'],
    ['POST', '/Users', { userName: `x@${domain}`, active: 'perhaps' }, 400, 'invalidValue'],
    ['POST', '/Groups', {}, 400, 'invalidValue'],
    ['GET', '/Users?filter=userName%20sw%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?filter=password%20eq%20%22a%22', undefined, 400, 'invalidFilter'],
    ['GET', '/Users?count=many', undefined, 400, 'invalidValue'],
    ['GET', '/Schemas?filter=id%20eq%20%22a%22', undefined, 403, undefined],
    ['POST', '/Users/.search', [], 400, 'invalidSyntax'],
    ['GET', '/Users/scu_nobody', undefined, 404, undefined],
    [
      'PATCH',
      '/Groups/scg_nobody',
      { schemas: [PATCH], Operations: [{ op: 'remove', path: 'members' }] },
      404,
      undefined,
    ],
    ['GET', '/Devices', undefined, 404, undefined],
  ])('is answered in SCIM’s form: %s %s %j', async (method, path, body, status, scimType) => {
    expect(refused(await scim(method, path, body))).toEqual([status, ERROR, String(status), scimType])
  })

  it('in a PATCH is one of its syntax, path or target', async () => {
    const { id } = await created()
    const of = async (body: unknown) => refused(await scim('PATCH', `/Users/${id}`, body))
    expect(await of({ Operations: [] })).toEqual([400, ERROR, '400', 'invalidSyntax'])
    expect(await of(patch())).toEqual([400, ERROR, '400', 'invalidSyntax'])
    expect(await of(patch({ op: 'move', path: 'active' }))).toEqual([400, ERROR, '400', 'invalidSyntax'])
    expect(await of(patch({ op: 'remove' }))).toEqual([400, ERROR, '400', 'noTarget'])
    expect(await of(patch({ op: 'replace', path: 'a b[', value: 1 }))).toEqual([400, ERROR, '400', 'invalidPath'])
    expect(await of(patch({ op: 'remove', path: 'userName' }))).toEqual([400, ERROR, '400', 'invalidValue'])
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department'
    expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'Add', path: enterprise, value: 'IT' }))).status).toBe(200)
  })

  it('is a name or an address that somebody has', async () => {
    const { userName } = await created()
    expect(refused(await scim('POST', '/Users', newUser({ userName: userName.toUpperCase() })))).toEqual([
      409,
      ERROR,
      '409',
      'uniqueness',
    ])
    const emails = [{ value: userName, primary: true }]
    expect(refused(await scim('POST', '/Users', newUser({ emails })))).toEqual([409, ERROR, '409', 'uniqueness'])
    expect(refused(await scim('POST', '/Groups', group('readers')))).toEqual([409, ERROR, '409', 'uniqueness'])
  })
})

describe('the token', () => {
  it('is needed, kept as a hash, replaced by a new one and ended; refusals are in the audit', async () => {
    for (const bearer of ['', 'kl_scim_wrong', clinic.liveToken]) {
      const answer = await scim('GET', '/Users', undefined, bearer)
      expect([answer.status, answer.body.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        '401',
        'Bearer',
      ])
    }
    const { rows } = await (await world.owner()).query('select * from sso_connections')
    expect(JSON.stringify(rows)).not.toContain(token)
    const owner = await world.owner()
    const recorded = "select from audit_entries where action = 'access.refused' and object_id = 'GET /scim/v2/Users'"
    // In a minute of many kinds of refusals, a further kind is counted with others.
    await expect
      .poll(async () => {
        await scim('GET', '/Users', undefined, 'kl_scim_wrong')
        return (await owner.query(recorded)).rowCount
      })
      .toBeGreaterThan(0)
    const old = token
    const path = `/sso-connections/${connectionID}/scim-token`
    token = (await admin.in(clinic).post(path)).body.token
    expect((await scim('GET', '/Users', undefined, old)).status).toBe(401)
    expect((await scim('GET', '/Users')).status).toBe(200)
    expect((await admin.in(clinic).request('DELETE', path)).status).toBe(200)
    expect((await scim('GET', '/Users')).status).toBe(401)
    token = (await admin.in(clinic).post(path)).body.token
  })

  it('opens nothing but SCIM, and of one connection', async () => {
    expect((await world.as(token).get('/orders')).status).toBe(401)
    const other = await world.business()
    const otherAdmin = await signIn(world, await person(world, 'business-admin', other, `it@${otherDomain}`))
    const foreign = await connect(otherAdmin, other, otherDomain)
    const mine = await created()
    expect((await scim('GET', `/Users/${mine.id}`, undefined, foreign.token)).status).toBe(404)
    expect((await scim('GET', '/Users', undefined, foreign.token)).body.totalResults).toBe(0)
    expect((await scim('PUT', `/Users/${mine.id}`, newUser(), foreign.token)).status).toBe(404)
    expect((await scim('DELETE', `/Groups/${readers}`, undefined, foreign.token)).status).toBe(404)
    const borrowed = group('Admins', { members: [{ value: mine.id }] })
    expect((await scim('POST', '/Groups', borrowed, foreign.token)).body.members).toEqual([])
    expect((await otherAdmin.in(other).post(`/sso-connections/${connectionID}/scim-token`)).status).toBe(404)
    expect((await operator.operator.post(`/sso-connections/${connectionID}/scim-token`)).status).toBe(404)
  })
})
