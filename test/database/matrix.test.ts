import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { allScopes, type OperatorScope, type Scope } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import {
  createOperatorToken,
  lockOperatorToken,
  rotateOperatorToken,
} from '../../src/modules/identity/operator-tokens.ts'
import type { Role } from '../../src/modules/identity/rules.ts'
import { createToken, lockOwnToken, rotateToken } from '../../src/modules/identity/tokens.ts'
import { setDisabled } from '../../src/modules/identity/users.ts'
import { routes } from '../../src/modules/index.ts'
import { manualClock } from '../../src/platform/clock.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { addressOf, type Route } from '../../src/platform/http/route.ts'
import type { BrowserSession } from '../harness/caller.ts'
import { type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.ts'
import {
  type Person,
  personWithoutPassword as person,
  requestAccess,
  type SignedIn,
  begin as signIn,
} from '../harness/people.ts'
import { openSample } from '../harness/sample.ts'
import { each, sender } from '../harness/send.ts'
import { connect, inactive } from '../harness/single-sign-on.ts'
import { kindOf, random } from '../harness/slots.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// Every caller on every route: is it let in, or refused with which code? What is expected is written out here, so that the
// test does not ask the code that it checks.

const LET_IN = 'let in'
const everyOperatorScope: OperatorScope[] = [
  ...(['fulfilment', 'lab', 'results', 'review', 'approvals', 'catalogue', 'mail'] as const),
  ...(['businesses', 'access', 'staff', 'audit', 'system'] as const),
]
const inBusiness: readonly string[] = [...allScopes, 'account:admin']
const readsOnly = allScopes.filter((scope) => scope.endsWith(':read'))

/** The scopes that a caller holds on a side, or the code that it is refused with. */
type Verdict = readonly string[] | string

interface Row {
  name: string
  business: Verdict
  operator: Verdict
  account: string
  mode: 'live' | 'sandbox'
  token?: string
  session?: BrowserSession
  /** The address that it calls from. */
  ip?: string
  /** Let in by its scopes, and refused by the route itself. */
  notEven?: readonly string[]
}

interface Case {
  row: Row
  route: Route
}

interface Decision extends Case {
  got: string
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))
let world: World
let provider: IdentityProvider
let clinic: TestBusiness
/** Demands an approval for each access. */
let strict: TestBusiness
let cases: Case[]
let decisions: Decision[]

beforeAll(async () => {
  world = await ownWorld('sets the clock', { trustedProxies: ['127.0.0.1'] }, { clock })
  provider = await startIdentityProvider(`${world.service.url}/app/sso`)
  ;[clinic, strict] = [await world.business(), await world.business()]
  cases = casesOf(await rows())
  decisions = await decide(sampleOf(cases))
})
afterAll(async () => {
  await provider.stop()
  await world.stop()
})

const asCli = <T>(work: (tx: SystemTx) => Promise<T>) => world.service.database.asSystem({ name: 'cli' }, work)

async function rows(): Promise<Row[]> {
  // The clock only goes on, so anyone who is too late comes first.
  const admin = await person(world, 'business-admin', strict)
  const approval = { approvalRequired: true }
  await (await signIn(world, admin)).in(strict).request('PATCH', '/support-policy', approval)
  const [unanswered, idle, expired] = await each([1, 2, 3], () => person(world, 'operator-admin'), 1)
  await requestAccess(await signIn(world, unanswered as Person), strict)
  const tokens = await tokensThatEnd()
  clock.advance(DAY)
  const idleSession = await signIn(world, idle as Person)
  clock.advance(15 * MINUTE)
  const expiredSession = await signIn(world, expired as Person)
  await requestAccess(expiredSession, clinic, { minutes: 1 })
  clock.advance(MINUTE)
  const unansweredSession = await signIn(world, unanswered as Person)
  const boss = (await signIn(world, admin)).in(strict)
  return [
    ...(await people()),
    ...(await visitors(boss)),
    byCookie('operator-admin whose support access has expired', expiredSession, clinic, noAccess),
    byCookie('operator-admin whose request was not answered', unansweredSession, strict, noAccess),
    byCookie('operator-admin whose session is idle for too long', idleSession, clinic, signedOut),
    ...(await lockedOut()),
    ...(await bySingleSignOn()),
    ...(await machines()),
    ...tokens,
    { name: 'nobody', ...signedOut, mode: 'live' },
  ]
}

const refused = (code: string) => ({ business: code, operator: code, account: code })
const signedOut = refused('UNAUTHORIZED')
const noAccess = { business: 'SUPPORT_ACCESS_REQUIRED', operator: everyOperatorScope, account: LET_IN }
const asVisitor = {
  business: inBusiness,
  operator: everyOperatorScope,
  account: LET_IN,
  // It would outlive the access. Where a body comes first, it is checked first.
  notEven: ['approveSupportAccess', 'keepUser', 'addCard', 'resumePlan', 'rotateWebhookSecret', 'grantCopyOfData'],
}
/** Of the business, and not of the operator. */
const ofBusiness = (business: Verdict) => ({ business, operator: 'FORBIDDEN', account: LET_IN })
/** Of the operator's staff, and of no business. */
const ofStaff = (...operator: OperatorScope[]) => ({ business: 'FORBIDDEN', operator, account: LET_IN })

const byCookie = (
  name: string,
  { cookie }: Pick<SignedIn, 'cookie'>,
  business: { id: string },
  verdict: Pick<Row, 'business' | 'operator' | 'account' | 'notEven'>,
  mode: Row['mode'] = 'live',
): Row => ({ name: `${name}, ${mode}`, ...verdict, mode, session: { cookie, realm: `${business.id}/${mode}` } })

/** Everybody's role as it should be, in the modes where they may be. */
async function people(): Promise<Row[]> {
  const who = async (role: Role, business?: TestBusiness) => signIn(world, await person(world, role, business))
  const [admin, viewer] = [await who('business-admin', clinic), await who('business-viewer', clinic)]
  const both = await person(world, 'business-viewer', clinic)
  await person(world, 'operator-admin', undefined, both.email)
  const double = await signIn(world, both)
  // A session of its own for each row, because the last request of a row signs out.
  const again = ({ person }: SignedIn) => signIn(world, person)
  return [
    byCookie('business-admin', admin, clinic, ofBusiness(inBusiness)),
    byCookie('business-admin', await again(admin), clinic, ofBusiness(inBusiness), 'sandbox'),
    byCookie('business-viewer', viewer, clinic, ofBusiness(readsOnly)),
    byCookie('business-viewer', await again(viewer), clinic, ofBusiness(readsOnly), 'sandbox'),
    byCookie('business-admin in another business', await again(admin), strict, ofBusiness('FORBIDDEN')),
    byCookie('fulfilment', await who('fulfilment'), clinic, ofStaff('fulfilment')),
    byCookie('lab', await who('lab'), clinic, ofStaff('lab')),
    byCookie('reviewer', await who('reviewer'), clinic, ofStaff('review', 'approvals')),
    byCookie('provider', await who('provider'), clinic, ofStaff('approvals')),
    byCookie(
      'operator-admin in a business that is not there',
      await who('operator-admin'),
      { id: 'biz_none' },
      {
        ...noAccess,
        business: 'FORBIDDEN',
      },
    ),
    byCookie('operator-admin who is a viewer of the business', double, clinic, { ...noAccess, business: readsOnly }),
  ]
}

/** Administrators of the operator, with and without a support access. */
async function visitors(strictBoss: SignedIn['account']): Promise<Row[]> {
  const who = async () => signIn(world, await person(world, 'operator-admin'))
  const active = await who()
  await requestAccess(active, clinic)
  const approved = await who()
  await strictBoss.post(`/support-accesses/${await requestAccess(approved, strict)}/approve`)
  const waiting = await who()
  await requestAccess(waiting, strict)
  const turnedDown = await who()
  await strictBoss.request('DELETE', `/support-accesses/${await requestAccess(turnedDown, strict)}`)
  const ended = await who()
  await ended.operator.request('DELETE', `/support-accesses/${await requestAccess(ended, clinic)}`)
  const thrownOut = await who()
  await strictBoss.post(`/support-accesses/${await requestAccess(thrownOut, strict)}/approve`)
  const { data } = (await thrownOut.operator.get('/support-accesses?mine=true')).body
  await strictBoss.request('DELETE', `/support-accesses/${data[0].id}`)
  const both = await person(world, 'business-viewer', clinic)
  await person(world, 'operator-admin', undefined, both.email)
  const double = await signIn(world, both)
  await requestAccess(double, clinic)
  return [
    byCookie('operator-admin without a support access', await who(), clinic, noAccess),
    byCookie('operator-admin without a support access', await who(), clinic, noAccess, 'sandbox'),
    byCookie('operator-admin with a support access', active, clinic, asVisitor),
    byCookie('operator-admin with a support access', await signIn(world, active.person), clinic, asVisitor, 'sandbox'),
    byCookie(
      'operator-admin with a support access to another business',
      await signIn(world, active.person),
      strict,
      noAccess,
    ),
    byCookie('operator-admin whose support access was approved', approved, strict, asVisitor),
    byCookie('operator-admin whose support access waits for approval', waiting, strict, noAccess),
    byCookie('operator-admin whose request was refused', turnedDown, strict, noAccess),
    byCookie('operator-admin who ended the support access', ended, clinic, noAccess),
    byCookie('operator-admin whose support access the business ended', thrownOut, strict, noAccess),
    byCookie('operator-admin who is a viewer, with a support access', double, clinic, asVisitor),
  ]
}

/** People who came by single sign-on, and people whose provider ended their access by SCIM. */
async function bySingleSignOn(): Promise<Row[]> {
  const operator = await signIn(world, await person(world, 'operator-admin'))
  const boss = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
  // Who sets a single sign-on up does not verify its domains.
  const chief = await signIn(world, await person(world, 'operator-admin'))
  const ours = await connect(world, provider, { by: chief.operator, operator, roles: ['operator-admin', 'lab'] })
  const theirs = await connect(world, provider, { by: boss, operator, roles: ['business-admin', 'business-viewer'] })
  const viewer = await theirs.enter('business-viewer')
  const admin = await theirs.enter('business-admin')
  const atBoth = await person(world, 'operator-admin', undefined, `both@${theirs.domain}`)
  await person(world, 'business-viewer', strict, atBoth.email)
  const visitor = await ours.enter('operator-admin')
  await requestAccess(visitor, clinic)
  const ended = async (email = `${randomBase62(8).toLowerCase()}@${theirs.domain}`) => {
    const id = await theirs.provision('business-viewer', email)
    return { id, email, session: await theirs.enter('business-viewer', email) }
  }
  const disabled = await ended()
  const byPassword = await person(world, 'business-viewer', clinic, `own@${theirs.domain}`)
  await person(world, 'business-viewer', strict, byPassword.email)
  const withPassword = await signIn(world, byPassword)
  const { id: disabledToo } = await ended(byPassword.email)
  const deleted = await ended()
  await theirs.scim('PATCH', `/Users/${disabled.id}`, inactive)
  await theirs.scim('PATCH', `/Users/${disabledToo}`, inactive)
  await theirs.scim('DELETE', `/Users/${deleted.id}`)
  const again = () => signIn(world, byPassword)
  const nowhere = { business: 'FORBIDDEN', operator: 'FORBIDDEN', account: LET_IN }
  return [
    byCookie('business-viewer by single sign-on', viewer, clinic, ofBusiness(readsOnly)),
    byCookie('business-admin by single sign-on', admin, clinic, ofBusiness(inBusiness)),
    byCookie(
      'business-admin by single sign-on',
      await theirs.enter('business-admin'),
      clinic,
      ofBusiness(inBusiness),
      'sandbox',
    ),
    byCookie(
      'business-admin by single sign-on, in another business',
      await theirs.enter('business-admin'),
      strict,
      nowhere,
    ),
    byCookie(
      'operator-admin who is a viewer by single sign-on',
      await theirs.enter('business-viewer', atBoth.email),
      clinic,
      ofBusiness(readsOnly),
    ),
    byCookie(
      'viewer of another business, by the single sign-on of this one',
      await theirs.enter('business-viewer', atBoth.email),
      strict,
      nowhere,
    ),
    byCookie('lab by single sign-on', await ours.enter('lab'), clinic, ofStaff('lab')),
    byCookie('operator-admin by single sign-on', await ours.enter('operator-admin'), clinic, noAccess),
    byCookie('operator-admin by single sign-on, with a support access', visitor, clinic, asVisitor),
    byCookie('user by single sign-on whom SCIM disabled', disabled.session, clinic, signedOut),
    byCookie('user by single sign-on whom SCIM deleted', deleted.session, clinic, signedOut),
    byCookie('user with a password whom SCIM disabled', withPassword, clinic, signedOut),
    byCookie('user whom SCIM disabled, signed in anew for another business', await again(), clinic, nowhere),
    byCookie('user whom SCIM disabled, in the other business', await again(), strict, ofBusiness(readsOnly)),
  ]
}

/** People whose sessions should let them in no longer. */
async function lockedOut(): Promise<Row[]> {
  const boss = await signIn(world, await person(world, 'operator-admin'))
  const admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
  const people = { everywhere: [] as SignedIn[], demoted: [] as SignedIn[] }
  for (const [role, business] of [['operator-admin'], ['lab'], ['business-admin', clinic]] as const) {
    const who = await person(world, role, business)
    const session = await signIn(world, who)
    if (role === 'operator-admin') await requestAccess(session, clinic)
    await asCli((tx) => setDisabled(tx, who.email, true))
    people.everywhere.push(session)
  }
  const blocked = await signIn(world, await person(world, 'business-viewer', clinic))
  await admin.request('PATCH', `/users/${blocked.person.id}`, { disabled: true })
  const removed = await signIn(world, await person(world, 'business-viewer', clinic))
  await admin.request('DELETE', `/users/${removed.person.id}`)
  const demoted = await signIn(world, await person(world, 'operator-admin'))
  await requestAccess(demoted, clinic)
  await boss.operator.request('PATCH', `/staff/${demoted.person.id}`, { role: 'lab' })
  return [
    ...people.everywhere.map((session, i) => byCookie(`disabled user ${i + 1}`, session, clinic, signedOut)),
    byCookie('user disabled in the business', blocked, clinic, signedOut),
    byCookie('user removed from the business', removed, clinic, signedOut),
    byCookie('operator-admin who became lab during a support access', demoted, clinic, ofStaff('lab')),
  ]
}

const byToken = (
  name: string,
  token: string,
  verdict: Omit<Row, 'name' | 'account' | 'mode'>,
  mode?: Row['mode'],
): Row => ({
  name,
  token,
  account: 'UNAUTHORIZED',
  mode: mode ?? 'live',
  ...verdict,
})
const aBusinessToken = (business: Verdict) => ({ business, operator: 'FORBIDDEN' })
const anOperatorToken = (operator: Verdict) => ({ business: 'FORBIDDEN', operator })

async function makeToken(
  options: { mode?: 'live' | 'sandbox'; scopes?: Scope[]; addresses?: string[]; expiresAt?: Date } = {},
) {
  const { mode = 'live', scopes = [...allScopes], ...rest } = options
  return asCli(async (tx) => createToken(tx, (await realmsOf(tx, clinic.id))[mode], { name: mode, scopes, ...rest }))
}

const makeOperatorToken = (scopes = everyOperatorScope, addresses?: string[]) =>
  asCli((tx) => createOperatorToken(tx, { name: 'machine', scopes, addresses }))

async function machines(): Promise<Row[]> {
  const elsewhere = { addresses: ['203.0.113.0/24'] }
  const single = await each(everyOperatorScope, async (scope) => ({ scope, ...(await makeOperatorToken([scope])) }), 1)
  // Tokens received `lab` before `review` existed, so they review too.
  const held = (scope: OperatorScope) => (scope === 'lab' ? ['lab', 'review'] : [scope])
  return [
    byToken('live token', (await makeToken()).token, aBusinessToken(allScopes)),
    byToken('sandbox token', (await makeToken({ mode: 'sandbox' })).token, aBusinessToken(allScopes), 'sandbox'),
    byToken('token that reads', (await makeToken({ scopes: readsOnly })).token, aBusinessToken(readsOnly)),
    byToken('token without scopes', (await makeToken({ scopes: [] })).token, aBusinessToken([])),
    byToken('token at its address', (await makeToken(elsewhere)).token, {
      ...aBusinessToken(allScopes),
      ip: '203.0.113.4',
    }),
    byToken('token at another address', (await makeToken(elsewhere)).token, aBusinessToken('ADDRESS_NOT_ALLOWED')),
    byToken('operator token', (await makeOperatorToken()).token, anOperatorToken(everyOperatorScope)),
    byToken(
      'operator token at another address',
      (await makeOperatorToken(everyOperatorScope, elsewhere.addresses)).token,
      anOperatorToken('ADDRESS_NOT_ALLOWED'),
    ),
    ...single.map(({ scope, token }) => byToken(`operator token with ${scope}`, token, anOperatorToken(held(scope)))),
  ]
}

/** Tokens of which some have ended when a day has passed. */
async function tokensThatEnd(): Promise<Row[]> {
  const rotated = async (overlapHours: number) => {
    const { id, token } = await makeToken()
    await asCli(async (tx) => {
      const { live } = await realmsOf(tx, clinic.id)
      await rotateToken(tx, live, await lockOwnToken(tx, live, id), { overlapHours, expiresAt: undefined })
    })
    return token
  }
  const rotatedOperator = async (overlapHours: number) => {
    const { id, token } = await makeOperatorToken()
    await asCli(async (tx) => {
      await rotateOperatorToken(tx, await lockOperatorToken(tx, id), { overlapHours, expiresAt: undefined })
    })
    return token
  }
  const expired = await makeToken({ expiresAt: new Date(clock.now().getTime() + MINUTE) })
  const gone = 'UNAUTHORIZED'
  return [
    byToken('expired token', expired.token, aBusinessToken(gone)),
    byToken('token that was rotated, within the overlap', await rotated(48), aBusinessToken(allScopes)),
    byToken('token that was rotated, after the overlap', await rotated(24), aBusinessToken(gone)),
    byToken(
      'operator token, rotated, within the overlap',
      await rotatedOperator(48),
      anOperatorToken(everyOperatorScope),
    ),
    byToken('operator token, rotated, after the overlap', await rotatedOperator(24), anOperatorToken(gone)),
  ]
}

/** What a caller should be told on a route. */
function expected(row: Row, route: Route): string {
  if (route.audience === 'anyone') return LET_IN
  if (route.audience === 'account') return row.account
  const verdict = row[route.audience]
  if (typeof verdict === 'string') return verdict
  if (route.audience === 'business' && route.mode === 'sandbox' && row.mode === 'live') return 'SANDBOX_TOKEN_REQUIRED'
  const wanted = [route.scope ?? []].flat()
  const holds = wanted.length === 0 || wanted.some((scope) => verdict.includes(scope))
  return holds && !row.notEven?.includes(route.id) ? LET_IN : 'FORBIDDEN'
}

// The codes that refuse a caller. Others refuse the request, so the caller was let in.
const refusals = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'SUPPORT_ACCESS_REQUIRED',
  'ADDRESS_NOT_ALLOWED',
  'SANDBOX_TOKEN_REQUIRED',
]

/** Every row on every route. */
function casesOf(rows: readonly Row[]): Case[] {
  // `endOtherSessions` would end those of other rows of the same person: own-sessions.test.ts is about it. Signing out ends
  // the session for the other routes.
  const sorted = routes
    .filter(({ id }) => id !== 'endOtherSessions')
    .sort((a, b) => Number(a.id === 'signOut') - Number(b.id === 'signOut'))
  return rows.flatMap((row) => sorted.map((route) => ({ row, route })))
}

const VIEWER = 'business-viewer, live'
/** Cases that the control below turns around. */
const isOfControl = ({ row, route }: Case) =>
  route.id === 'listOrders' || (row.name === VIEWER && route.id === 'createToken')

const isExpired = (row: Row) => row.name.includes('has expired')

// Of the routes of an audience a row of a sample is on so many, and at least on one.
const ONE_OF = 25

/** Each row on routes of each audience, and each route with a row that it lets in and with one that it refuses. */
function sampleOf(cases: readonly Case[]): Case[] {
  const sample = openSample('permission matrix')
  const drawn = new Set([
    ...sample.draw(cases, ({ row, route }) => `${row.name} ${route.audience}`, ONE_OF),
    // The second control needs the row on each kind of route.
    ...sample.draw(
      cases.filter(({ row }) => isExpired(row)),
      ({ route: { audience, mode, scope } }) => [audience, mode, scope].join(' '),
    ),
    ...sample.draw(cases, ({ row, route }) => `${route.id} ${expected(row, route) === LET_IN}`),
    ...cases.filter(isOfControl),
  ])
  return cases.filter((one) => drawn.has(one))
}

async function decide(cases: readonly Case[]): Promise<Decision[]> {
  const { send, close } = sender(world.service.url)
  const decisions = await each(
    [...Map.groupBy(cases, ({ row }) => row)],
    ([row, ofRow], i) =>
      each(
        ofRow,
        async ({ route }) => {
          const path = addressOf(route).replace(/:(\w+)/g, (_, name: string) =>
            random[kindOf(route, name) ?? 'order'](''),
          )
          const { token, session, ip = `198.51.100.${i + 1}` } = row
          // A body of no use: anyone who is let in changes nothing, and is told that it is not valid.
          const body = route.body ? JSON.stringify('nothing') : undefined
          const headers = {
            'x-forwarded-for': ip,
            ...(token && { authorization: `Token ${token}` }),
            ...(session && { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }),
            ...(session?.realm && { 'kitlane-realm': session.realm }),
            ...(body && { 'content-type': 'application/json' }),
          }
          const sent = { method: route.method, path, headers, body }
          // A machine that is busy elsewhere makes groups wait, and the load shedder refuses.
          let reply = await send(sent)
          while (reply.status === 503) reply = await send(sent)
          const { status, text } = reply
          if (status === 429 || status >= 500) throw new Error(`${row.name}, ${route.id}: ${text}`)
          const code = /"code":"([A-Z][A-Z_]+)"/.exec(text)?.[1] ?? ''
          return { row, route, got: status >= 400 && refusals.includes(code) ? code : LET_IN }
        },
        1,
      ),
    4,
  )
  close()
  return decisions.flat()
}

/** The decisions that differ from what is expected. */
const wrong = (expect: typeof expected, among: readonly Decision[] = decisions) =>
  among.flatMap(({ row, route, got }) => {
    const wanted = expect(row, route)
    return got === wanted ? [] : [`${row.name} on ${route.id}: ${got}, and not ${wanted}`]
  })

it('every caller on every route is let in or refused as written here', () => {
  const callers = new Set(cases.map(({ row }) => row.name)).size
  const sentence = `${decisions.length} of ${cases.length} decisions: ${callers} callers on ${routes.length} routes, ${wrong(expected).length} wrong`
  process.stdout.write(`${sentence}\n`)
  expect(wrong(expected)).toEqual([])
  expect(cases).toHaveLength(callers * (routes.length - 1))
  const letIn = cases.filter(({ row, route }) => expected(row, route) === LET_IN).length
  expect(Math.min(letIn, cases.length - letIn)).toBeGreaterThan(1000)
  const asked = {
    callers: new Set(decisions.map(({ row }) => row)),
    routes: new Set(decisions.map(({ route }) => route)),
  }
  expect([asked.callers.size, asked.routes.size]).toEqual([callers, routes.length - 1])
})

it('a wrong expectation is found, in each kind of caller and wherever it is', () => {
  const lenient: typeof expected = (row, route) =>
    row.name === VIEWER && route.id === 'createToken' ? LET_IN : expected(row, route)
  expect(wrong(lenient)).toEqual([`${VIEWER} on createToken: FORBIDDEN, and not let in`])
  const forgetful: typeof expected = (row, route) =>
    isExpired(row) ? expected({ ...row, business: inBusiness }, route) : expected(row, route)
  const ofBusinesses = decisions.filter(
    ({ row, route: { audience, mode } }) => isExpired(row) && audience === 'business' && mode !== 'sandbox',
  )
  expect(ofBusinesses.length).toBeGreaterThan(15)
  expect(wrong(forgetful).length).toBeGreaterThanOrEqual(ofBusinesses.length)
  for (const [row, own] of Map.groupBy(decisions, ({ row }) => row)) {
    const turned: typeof expected = (other, route) =>
      other === row && route.id === 'listOrders' ? `not ${expected(row, route)}` : expected(other, route)
    expect(wrong(turned, own), row.name).toHaveLength(1)
  }
})
