import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Reply } from '../harness/caller.ts'
import { browser, cookieOf, person, type SignedIn, signIn } from '../harness/people.ts'
import { each } from '../harness/send.ts'
import { isNewDeviceMail, type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR = 3600_000
const PASSWORD = 'tram lentil orbit copper'

let world: World
let server: MailServer
let clinic: TestBusiness
let other: TestBusiness
let admin: SignedIn
let staff: SignedIn
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  server = await startMailServer()
  const publicUrl = 'https://kits.example.test'
  world = await ownWorld('sets the clock', { publicUrl, smtpUrl: server.url }, { clock })
  ;[clinic, other] = [await world.business(), await world.business()]
  admin = await signIn(world, await person(world, 'business-admin', clinic))
  staff = await signIn(world, await person(world, 'operator-admin'))
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

let people = 0
const newEmail = () => `invited${++people}@people.test`
const post = (path: string, body: unknown) => world.anonymous.post(path, body)
const tokenOf = (url: string) => url.split('#')[1] ?? ''
const accept = (token: string, more: Record<string, unknown> = {}) =>
  post('/invitations/accept', { token, password: PASSWORD, ...more })

async function again(): Promise<void> {
  admin = await signIn(world, admin.person)
  staff = await signIn(world, staff.person)
}

const mails = () => server.received.filter((mail) => !isNewDeviceMail(mail))
const mailsTo = (email: string) => mails().filter(({ to }) => to.includes(email))

/** Returns the e-mail to an address that `ask` triggers. */
async function linkMailedTo(email: string, ask: () => Promise<unknown>): Promise<string> {
  const before = mailsTo(email).length
  await ask()
  await expect.poll(() => mailsTo(email).length, { interval: 50 }).toBe(before + 1)
  const { text } = parseMail(mailsTo(email).at(-1)?.raw ?? '')
  return /https:\S+#\S+/.exec(text)?.[0] ?? ''
}

const invite = async (email: string, role = 'business-viewer') => {
  let user = { id: '', status: '' }
  const link = await linkMailedTo(email, async () => {
    const reply = await admin.in(clinic).post('/users', { email, role })
    expect([reply.status, Object.keys(reply.body)], 'the link is the address’s alone').toEqual([201, ['user']])
    user = reply.body.user
  })
  return { user, link }
}

describe('an invitation', () => {
  it('reaches the invited by e-mail and nobody else, makes the account once, and signs in', async () => {
    const email = newEmail()
    const { user, link } = await invite(email)
    expect(link).toMatch(/^https:\/\/kits\.example\.test\/app\/invitation#[\w-]{43}$/)
    expect(user.status).toBe('invited')
    const token = tokenOf(link)
    expect((await post('/invitations/look-up', { token })).body).toEqual({
      kind: 'invitation',
      email,
      hasPassword: false,
      totpEnabled: false,
      business: { name: clinic.name },
    })
    expectRefusal(await accept(token, { password: 'password1234' }), 'VALIDATION_FAILED', 'a weak password')
    const accepted = await accept(token, { name: 'Ada Example' })
    expect(accepted.body.user).toMatchObject({ email, name: 'Ada Example' })
    const ada = browser(world, { id: user.id, email, password: PASSWORD }, cookieOf(accepted))
    expect((await ada.in(clinic).get('/credits')).status).toBe(200)
    expectRefusal(await accept(token), 'LINK_NOT_VALID', 'used')
    const [listed] = (await admin.in(clinic).get('/users')).body.filter((one: { id: string }) => one.id === user.id)
    expect(listed).toEqual({
      id: user.id,
      email,
      name: 'Ada Example',
      role: 'business-viewer',
      status: 'active',
      totpEnabled: false,
      secondFactor: false,
      lastSeenDate: clock.now().toISOString(),
    })
  })

  it('ends after 72 hours, and when a newer one is made', async () => {
    const email = newEmail()
    const [first, second] = [await invite(email), await invite(email, 'business-admin')]
    expectRefusal(await accept(tokenOf(first.link)), 'LINK_NOT_VALID', 'an older one')
    clock.advance(72 * HOUR)
    await again()
    expectRefusal(await accept(tokenOf(second.link)), 'LINK_NOT_VALID', 'late')
    expectRefusal(await accept('x'.repeat(43)), 'LINK_NOT_VALID', 'invented')
  })

  it('to somebody who has an account needs their password and code: the inviter cannot take it over', async () => {
    const who = await person(world, 'business-admin', other)
    const { account } = await signIn(world, who)
    const totp = new TOTP({ secret: (await account.post('/session/totp', { password: who.password })).body.secret })
    const code = () => totp.generate({ timestamp: clock.now().getTime() })
    await account.post('/session/totp/confirm', { code: code() })
    const token = tokenOf((await invite(who.email, 'business-admin')).link)
    const listed = (await admin.in(clinic).get('/users')).body.find((one: { id: string }) => one.id === who.id)
    expect(listed, 'before they accept, nothing is told of them').toEqual({
      id: who.id,
      email: who.email,
      role: 'business-admin',
      status: 'invited',
      totpEnabled: false,
      secondFactor: false,
    })
    expectRefusal(await accept(token), 'SIGN_IN_FAILED', 'a new password')
    expectRefusal(await accept(token, { password: who.password }), 'CODE_REQUIRED', 'no code')
    clock.advance(30_000)
    const accepted = await accept(token, { password: who.password, code: code() })
    expect(accepted.body.memberships).toHaveLength(2)
    expectRefusal(
      await admin.in(clinic).post('/users', { email: who.email, role: 'business-viewer' }),
      'USER_EXISTS',
      '',
    )
  })

  it('to the staff works alike, and gives a role of the operator', async () => {
    const email = newEmail()
    let body = { user: { id: '' } }
    const link = await linkMailedTo(email, async () => {
      body = (await staff.operator.post('/staff', { email, role: 'fulfilment' })).body
    })
    expect(body.user).toMatchObject({ email, role: 'fulfilment', status: 'invited' })
    const session = (await accept(tokenOf(link))).body
    expect(session.memberships).toEqual([{ role: 'fulfilment' }])
    const change = await staff.operator.request('PATCH', `/staff/${body.user.id}`, { role: 'lab' })
    expect(change.body).toMatchObject({ role: 'lab', status: 'active' })
    expect((await staff.operator.request('DELETE', `/staff/${body.user.id}`)).status).toBe(200)
    const left = (await staff.operator.get('/staff')).body.map((one: { email: string }) => one.email)
    expect(left).not.toContain(email)
  })

  it('gives no role of the other side', async () => {
    const email = newEmail()
    const role = 'operator-admin'
    expectRefusal(await admin.in(clinic).post('/users', { email, role }), 'VALIDATION_FAILED', 'operator-admin')
    const viewer = await staff.operator.post('/staff', { email, role: 'business-viewer' })
    expectRefusal(viewer, 'VALIDATION_FAILED', 'business-viewer')
  })
})

describe('a forgotten password', () => {
  it('is replaced by a link that is e-mailed, works once and for an hour, and ends every session', async () => {
    const who = await person(world, 'business-viewer', clinic)
    const session = await signIn(world, who)
    const reset = async () =>
      expect((await post('/password-resets', { email: who.email.toUpperCase() })).status).toBe(202)
    const link = await linkMailedTo(who.email, reset)
    expect(link).toMatch(/\/app\/reset#[\w-]{43}$/)
    expect((await accept(tokenOf(link))).status).toBe(200)
    expect((await session.account.get('/session')).status).toBe(401)
    expectRefusal(await accept(tokenOf(link)), 'LINK_NOT_VALID', 'used')
    expect((await post('/session', who)).status).toBe(401)
    expect((await post('/session', { ...who, password: PASSWORD })).status).toBe(200)

    const late = await linkMailedTo(who.email, reset)
    clock.advance(HOUR)
    await again()
    expectRefusal(await accept(tokenOf(late)), 'LINK_NOT_VALID', 'late')
  })

  it('answers the same for an e-mail that nobody has, and writes nothing', async () => {
    const [known, unknown] = [staff.person.email, newEmail()]
    const before = mails().length
    const replies: Reply[] = []
    await linkMailedTo(known, async () => {
      replies.push(await post('/password-resets', { email: unknown }), await post('/password-resets', { email: known }))
    })
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [202, replies[0]?.text],
      [202, replies[0]?.text],
    ])
    expect(
      mails()
        .slice(before)
        .flatMap(({ to }) => to),
    ).toEqual([known])
  })
})

describe('e-mails with a link', () => {
  it('come three times an hour to an address that asks for a new password 100 times, and each answer is the same', async () => {
    const who = await person(world, 'lab')
    const replies = await each([...Array(100).keys()], () => post('/password-resets', { email: who.email }), 8)
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    const owner = await world.owner()
    await owner.query('reset role')
    const waiting = async () =>
      (
        await owner.query(
          `select 1 from pgboss.job where name in ('accounts.mail-reset', 'emails.send-account') and state <> 'completed'`,
        )
      ).rowCount
    await expect.poll(waiting, { interval: 100 }).toBe(0)
    expect(mailsTo(who.email)).toHaveLength(3)
    clock.advance(HOUR)
    await again()
    await linkMailedTo(who.email, () => post('/password-resets', { email: who.email }))
  })

  it('of an invitation come five times an hour, and the inviter is notified', async () => {
    const email = newEmail()
    for (let i = 0; i < 5; i++) await invite(email)
    const sixth = await admin.in(clinic).post('/users', { email, role: 'business-viewer' })
    expectRefusal(sixth, 'RATE_LIMITED', 'the sixth')
    expect(sixth.headers.get('retry-after')).toBe('3600')
  })
})

describe('the users and tokens of a business', () => {
  it('are nobody else’s to see or change', async () => {
    const theirs = await person(world, 'business-viewer', other)
    const stranger = await signIn(world, await person(world, 'business-admin', other))
    const { body: token } = await stranger.in(other).post('/tokens', { name: 'theirs' })
    const mine = admin.in(clinic)
    const users = (await mine.get('/users')).body.map((one: { id: string }) => one.id)
    expect(users).not.toContain(theirs.id)
    for (const id of [theirs.id, 'usr_nobody']) {
      expectRefusal(await mine.request('PATCH', `/users/${id}`, { disabled: true }), 'USER_NOT_FOUND', id)
      expectRefusal(await mine.request('DELETE', `/users/${id}`), 'USER_NOT_FOUND', id)
    }
    expectRefusal(await mine.request('DELETE', `/tokens/${token.id}`), 'TOKEN_NOT_FOUND', 'a foreign token')
    expectRefusal(
      await stranger.in(other, 'sandbox').request('DELETE', `/tokens/${token.id}`),
      'TOKEN_NOT_FOUND',
      'mode',
    )
    expect((await world.as(token.token).get('/verify-token')).status).toBe(200)
  })

  it('are out of reach of every token', async () => {
    for (const path of ['/users', '/tokens', '/audit']) expectRefusal(await clinic.live.get(path), 'FORBIDDEN', path)
    const token = await admin.in(clinic).post('/tokens', { name: 'x', scopes: ['account:admin'] })
    expectRefusal(token, 'VALIDATION_FAILED', 'account:admin')
  })

  it('tokens are of the mode, shown once, and end at once', async () => {
    const sandbox = admin.in(clinic, 'sandbox')
    const expiresDate = new Date(clock.now().getTime() + HOUR).toISOString()
    const made = await sandbox.post('/tokens', { name: 'ci', scopes: ['orders:read'], expiresDate })
    expect([made.status, made.body.token]).toEqual([201, expect.stringMatching(/^kl_test_\w{38}$/)])
    const past = await sandbox.post('/tokens', { name: 'ci', expiresDate: '2020-01-01' })
    expectRefusal(past, 'VALIDATION_FAILED', 'a time that has passed')
    const listed = (await sandbox.get('/tokens')).body.find((one: { id: string }) => one.id === made.body.id)
    const hint = made.body.token.slice(-4)
    expect(listed).toEqual({
      id: made.body.id,
      name: 'ci',
      hint,
      scopes: ['orders:read'],
      expiresDate,
      createdDate: clock.now().toISOString(),
    })
    expect((await world.as(made.body.token).get('/orders')).status).toBe(200)
    expect((await admin.in(clinic).get('/tokens')).text).not.toContain(made.body.id)
    expect((await sandbox.request('DELETE', `/tokens/${made.body.id}`)).body).toEqual({
      id: made.body.id,
      revoked: true,
    })
    await expect.poll(async () => (await world.as(made.body.token).get('/orders')).status).toBe(401)
  })

  it('keep an administrator', async () => {
    const own = await world.business()
    const only = await signIn(world, await person(world, 'business-admin', own))
    const path = `/users/${only.person.id}`
    const changes = [{ role: 'business-viewer' }, { disabled: true }]
    for (const body of changes) expectRefusal(await only.in(own).request('PATCH', path, body), 'LAST_ADMIN', '')
    expectRefusal(await only.in(own).request('DELETE', path), 'LAST_ADMIN', 'removed')
  })

  it('tokens of the operator are made and ended by the staff', async () => {
    const made = await staff.operator.post('/tokens', { name: 'lab machine', scopes: ['lab'] })
    const as = { authorization: `Token ${made.body.token}` }
    const call = async (path: string) =>
      (await fetch(`${world.service.url}/operator/v1${path}`, { headers: as })).status
    expect([await call('/lab/messages'), await call('/reports'), await call('/emails')]).toEqual([200, 200, 403])
    await staff.operator.request('DELETE', `/tokens/${made.body.id}`)
    expect(await call('/lab/messages')).toBe(401)
    expect((await staff.operator.get('/tokens')).body[0]).toMatchObject({ name: 'lab machine', scopes: ['lab'] })
  })
})

describe('a copy of the database', () => {
  it('holds no password, cookie, token, secret, recovery code or link that could be used', async () => {
    const { link } = await invite(newEmail())
    const key = { 'idempotency-key': 'kept-for-a-day' }
    const made = (await admin.in(clinic).post('/tokens', { name: 'secret' }, key)).body.token
    const url = 'https://hooks.example.com/'
    const hook = (await admin.in(clinic).post('/webhooks', { url, enabled: false }, { 'idempotency-key': 'hook' })).body
    const { account, person: who, cookie } = await signIn(world, await person(world, 'business-viewer', clinic))
    const { secret } = (await account.post('/session/totp', { password: who.password })).body
    const code = new TOTP({ secret }).generate({ timestamp: clock.now().getTime() })
    const { recoveryCodes } = (await account.post('/session/totp/confirm', { code })).body
    const { email } = admin.person
    const reset = tokenOf(await linkMailedTo(email, () => post('/password-resets', { email })))

    const owner = await world.owner()
    await owner.query('reset role')
    const { rows: tables } = await owner.query<{ name: string }>(`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`)
    let dump = ''
    for (const { name } of tables) {
      const role =
        name.startsWith('public') && !name.includes('schema_migrations') ? 'set role kitlane_system' : 'reset role'
      await owner.query(role)
      const { rows } = await owner
        .query<{ row: string }>(`select t::text as row from ${name} t`)
        .catch(() => ({ rows: [] }))
      dump += rows.map(({ row }) => row).join('\n')
    }
    expect(dump).toContain(who.email)
    const session = cookie.split('=')[1] ?? ''
    const secrets = [tokenOf(link), made, clinic.liveToken, hook.secret, secret, recoveryCodes[0], reset]
    for (const text of [...secrets, session, who.password, PASSWORD]) {
      expect(text.length).toBeGreaterThan(10)
      expect([dump.includes(text), dump.includes(Buffer.from(text).toString('hex'))]).toEqual([false, false])
    }
    expect(world.logged.join('').includes(session)).toBe(false)
    const mails = (await staff.operator.get('/emails?size=250')).body.data
    const invitation = mails.find((one: { kind: string }) => one.kind === 'invitation')
    const shown = (await staff.operator.get(`/emails/${invitation.id}`)).text
    expect(shown).toContain('/app/invitation#the-rest-is-not-shown')
  })
})
