import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { networkOf } from '../../src/platform/http/shared-counts.ts'
import { operatorKeyringOf } from '../../src/platform/sealing/sealed-columns.ts'
import { caller } from '../harness/caller.ts'
import { cookieOf, type Person, person, signIn } from '../harness/people.ts'
import { each } from '../harness/send.ts'
import { isNewDeviceMail, type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type World } from '../harness/world.ts'

const MINUTE = 60_000

let world: World
let server: MailServer
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  server = await startMailServer()
  const publicUrl = 'https://kits.example.test'
  world = await ownWorld(
    'sets the clock',
    { publicUrl, smtpUrl: server.url, trustedProxies: ['127.0.0.0/8'] },
    { clock },
  )
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

type Given = Pick<Person, 'email' | 'password'>
const tryFrom = (ip: string, { email, password }: Given, device?: string) =>
  world.anonymous.post(
    '/session',
    { email, password },
    { 'x-forwarded-for': ip, ...(device && { cookie: device, 'sec-fetch-site': 'same-origin' }) },
  )
const statusFrom = async (...given: Parameters<typeof tryFrom>) => (await tryFrom(...given)).status
const wrong = ({ email }: Person) => ({ email, password: 'not the password' })

/** The cookie that identifies a browser after it signed in. */
async function knownBrowserOf(who: Person, ip: string): Promise<string> {
  const reply = await tryFrom(ip, who)
  return /__Host-kitlane-device=[\w-]+/.exec(reply.headers.get('set-cookie') ?? '')?.[0] ?? ''
}

const accountHash = (email: string) =>
  world.service.database.asSystem({ name: 'test' }, async (tx) =>
    (await operatorKeyringOf(tx)).hash('sign_in_failures.account', email),
  )

/** Inserts failed attempts at one or many accounts. Real attempts would take a tenth of a second each. */
async function failures(count: number, of: { email?: string; ip?: string }): Promise<void> {
  const owner = await world.owner()
  await owner.query(
    `insert into sign_in_failures (account, ip, at)
     select coalesce($2, sha256(i::text::bytea)), coalesce($3, '198.51.' || i / 250 || '.' || i % 250), $4
     from generate_series(1, $1::int) i`,
    [count, of.email ? await accountHash(of.email) : null, of.ip ?? null, clock.now()],
  )
}

const later = () => clock.advance(15 * MINUTE)

describe('an account that others guess at from everywhere', () => {
  it('opens for its owner in a browser that is known, and by a link that is mailed; elsewhere after 15 minutes', async () => {
    const who = await person(world, 'lab')
    const browser = await knownBrowserOf(who, '192.0.2.1')
    const inside = await signIn(world, who)
    await failures(49, { email: who.email })
    expect(await statusFrom('192.0.2.99', wrong(who))).toBe(401)
    expect(await statusFrom('192.0.2.98', who), 'the fifty-first, with the right password').toBe(429)
    expect(await statusFrom('192.0.2.2', who, browser), 'a known browser, in another network').toBe(200)
    const next = 'tram lentil orbit copper'
    const changed = await inside.account.post('/session/password', { current: who.password, next })
    expect(changed.status, 'somebody who is signed in').toBe(204)

    await world.anonymous.post('/password-resets', { email: who.email })
    const mails = () => server.received.filter((mail) => !isNewDeviceMail(mail))
    await expect.poll(() => mails().length, { interval: 50 }).toBe(1)
    const [, token = ''] = /#([\w-]{43})/.exec(parseMail(mails()[0]?.raw ?? '').text) ?? []
    const password = 'copper orbit lentil tram'
    const from = { 'x-forwarded-for': '192.0.2.97' }
    const taken = await world.anonymous.post('/invitations/accept', { token, password }, from)
    expect(taken.status, 'a link by e-mail').toBe(200)
    later()
    expect(await statusFrom('192.0.2.98', { ...who, password })).toBe(200)
  })

  it('is guessed five times in 15 minutes from a browser that it knows, which locks nobody else', async () => {
    const who = await person(world, 'lab')
    const browser = await knownBrowserOf(who, '192.0.2.10')
    const guesses = await each([...Array(6).keys()], () => statusFrom('192.0.2.10', wrong(who), browser), 1)
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429])
    expect(await statusFrom('192.0.2.10', who), 'another browser beside it').toBe(200)
  })

  it('does not take a browser for known because it brings a cookie that somebody put there', async () => {
    const who = await person(world, 'lab')
    const planted = `__Host-kitlane-device=${'x'.repeat(43)}`
    const reply = await tryFrom('192.0.2.11', who, planted)
    expect(reply.headers.get('set-cookie')).not.toContain('x'.repeat(43))
    await failures(50, { email: who.email })
    expect(await statusFrom('192.0.2.12', who, planted)).toBe(429)
  })
})

describe('one network', () => {
  it('has five attempts at an account: an IPv4 address, or a /64 of IPv6', async () => {
    const who = await person(world, 'lab')
    const near = await each([1, 2, 3, 4, 5, 6], (i) => statusFrom(`2001:db8:1:2:${i}::${i}`, wrong(who)), 1)
    expect(near).toEqual([401, 401, 401, 401, 401, 429])
    expect(await statusFrom('2001:db8:1:3::1', who), 'the next /64').toBe(200)
  })

  it('that tries one password on many accounts is stopped at 30, and those known there go on', async () => {
    const [who, other] = [await person(world, 'lab'), await person(world, 'lab')]
    const browser = await knownBrowserOf(who, '192.0.2.20')
    await failures(29, { ip: '192.0.2.20' })
    expect(await statusFrom('192.0.2.20', wrong(other))).toBe(401)
    expect(await statusFrom('192.0.2.20', other), 'the right password').toBe(429)
    expect(await statusFrom('192.0.2.20', who, browser)).toBe(200)
    expect(await statusFrom('192.0.2.21', other), 'another network').toBe(200)
    later()
    expect(await statusFrom('192.0.2.20', other)).toBe(200)
  })

  it('has five attempts in all while many networks try many accounts, so that each owner still gets in', async () => {
    later()
    const [who, other] = [await person(world, 'lab'), await person(world, 'lab')]
    await failures(5, { ip: '192.0.2.30' })
    expect(await statusFrom('192.0.2.30', who), 'while nothing else fails').toBe(200)
    await failures(300, {})
    expect(await statusFrom('192.0.2.30', other)).toBe(429)
    expect(await statusFrom('192.0.2.31', other), 'from elsewhere').toBe(200)
  })

  it('is identified by its address, however it is written', () => {
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
    for (const same of ['2001:DB8:0:1::5', '2001:db8::1:0:0:0:7', '2001:0db8:0000:0001:1:2:3:4']) {
      expect(networkOf(same)).toBe('2001:db8:0:1::/64')
    }
    expect(networkOf('::1')).toBe('0:0:0:0::/64')
  })
})

it('over https the cookie is bound to the host', async () => {
  const reply = await world.anonymous.post('/session', await person(world, 'lab'))
  expect(reply.headers.get('set-cookie')).toMatch(
    /^__Host-kitlane=.*; HttpOnly; Secure; SameSite=Strict, __Host-kitlane-device=.*; HttpOnly; Secure; SameSite=Strict$/,
  )
  const cookie = cookieOf(reply)
  const from = async (origin: string) =>
    (await caller(world.service.url).request('DELETE', '/session', undefined, { cookie, origin })).status
  expect([await from('https://evil.example'), await from('https://kits.example.test')]).toEqual([403, 204])
})
