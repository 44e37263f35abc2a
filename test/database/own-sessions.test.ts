import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeBrowser } from '../../src/modules/identity/sessions.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import { browser, cookieOf, type Person, person } from '../harness/people.ts'
import { isNewDeviceMail, type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const edge =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'

let world: World
let server: MailServer
let clinic: TestBusiness
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  server = await startMailServer()
  world = await ownWorld(
    'sets the clock',
    { smtpUrl: server.url, publicUrl: 'https://kits.example.com', trustedProxies: ['127.0.0.1'] },
    { clock },
  )
  clinic = await world.business()
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

const someone = () => person(world, 'business-viewer', clinic)

async function signInWith(who: Person, userAgent: string, from = '192.0.2.7', cookie?: string) {
  const { email, password } = who
  const headers = {
    'user-agent': userAgent,
    'x-forwarded-for': from,
    ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }),
  }
  const reply = await world.anonymous.post('/session', { email, password }, headers)
  expect(reply.status, reply.text).toBe(200)
  const device = /__Host-kitlane-device=[\w-]+/.exec(reply.headers.get('set-cookie') ?? '')?.[0] ?? ''
  return { ...browser(world, who, cookieOf(reply)), device, at: { 'x-forwarded-for': from } }
}

const mailsTo = ({ email }: Person) =>
  server.received.filter((mail) => mail.to.includes(email) && isNewDeviceMail(mail))
const settled = async () => {
  const owner = await world.owner()
  await expect
    .poll(
      async () => (await owner.query(`select 1 from emails where realm_id is null and status = 'queued'`)).rowCount,
      { interval: 50 },
    )
    .toBe(0)
}

describe("the list of one's sessions", () => {
  it('says which browser, from which network, when last, and which is this one', async () => {
    const who = await someone()
    const here = await signInWith(who, firefox)
    clock.advance(MINUTE)
    const there = await signInWith(who, edge, '2001:db8:1:2:3:4:5:6')
    clock.advance(MINUTE)
    const list = async () => (await here.account.get('/sessions', here.at)).body
    expect(await list()).toEqual([
      {
        id: expect.stringMatching(/^ses_/),
        isCurrent: true,
        browser: 'Firefox on Linux',
        network: '192.0.2.7',
        createdDate: '2026-03-01T08:00:00.000Z',
        lastSeenDate: '2026-03-01T08:02:00.000Z',
      },
      {
        id: expect.stringMatching(/^ses_/),
        isCurrent: false,
        browser: 'Edge on Windows',
        network: '2001:db8:1:2::/64',
        createdDate: '2026-03-01T08:01:00.000Z',
        lastSeenDate: '2026-03-01T08:01:00.000Z',
      },
    ])
    // A stolen cookie shows itself by its network.
    await there.account.get('/session', { 'x-forwarded-for': '198.51.100.9' })
    clock.advance(MINUTE)
    const [, stolen] = await list()
    expect(stolen).toMatchObject({ browser: 'Edge on Windows', network: '198.51.100.9' })
  })

  it('ends one of them, or all others, at once and with an entry in the audit', async () => {
    const who = await someone()
    const [here, second, third, fourth] = [
      await signInWith(who, firefox),
      await signInWith(who, edge),
      await signInWith(who, edge),
      await signInWith(who, edge),
    ]
    const isIn = async (one: typeof here) => (await one.account.get('/session')).status === 200
    const idOf = async (one: typeof here) =>
      (await one.account.get('/sessions')).body.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).id
    const id = await idOf(second)
    expect((await here.account.request('DELETE', `/sessions/${id}`)).status).toBe(204)
    expect([await isIn(second), await isIn(third), await isIn(here)]).toEqual([false, true, true])
    expectRefusal(await here.account.request('DELETE', `/sessions/${id}`), 'SESSION_NOT_FOUND', 'gone')
    expect((await here.account.request('DELETE', '/sessions')).body).toEqual({ ended: 2 })
    expect([await isIn(third), await isIn(fourth), await isIn(here)]).toEqual([false, false, true])
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select object_id from audit_entries where action = 'session.revoked' and actor = $1`,
      [`user:${who.id}`],
    )
    expect(rows).toHaveLength(3)
    expect(rows[0].object_id).toBe(id)
  })

  it("shows and ends nobody else's", async () => {
    const [mine, theirs] = [await signInWith(await someone(), firefox), await signInWith(await someone(), firefox)]
    const [{ id }] = (await theirs.account.get('/sessions')).body
    expect((await mine.account.get('/sessions')).body.map((one: { id: string }) => one.id)).not.toContain(id)
    expectRefusal(await mine.account.request('DELETE', `/sessions/${id}`), 'SESSION_NOT_FOUND', "another's")
    expect((await theirs.account.get('/session')).status).toBe(200)
  })
})

describe('a sign-in from a browser that the account does not know', () => {
  it('is mailed to its owner, without a secret; the first of all and a known browser are not', async () => {
    const who = await someone()
    const first = await signInWith(who, firefox)
    await settled()
    expect(mailsTo(who), 'the first of all').toHaveLength(0)
    await signInWith(who, firefox, '192.0.2.7', first.device)
    await settled()
    expect(mailsTo(who), 'the same browser').toHaveLength(0)
    const other = await signInWith(who, edge, '198.51.100.20')
    await expect.poll(() => mailsTo(who).length, { interval: 50 }).toBe(1)
    const { text, headers } = parseMail(mailsTo(who)[0]?.raw ?? '')
    expect(headers.get('subject')).toBe('Your Kitlane account signed in from a new browser')
    for (const part of ['Edge on Windows', '198.51.100.20', 'UTC', 'https://kits.example.com/app/account']) {
      expect(text).toContain(part)
    }
    expect(text).not.toMatch(/#|\w{43}/)
    expect(text).not.toContain(other.cookie.split('=')[1])
  })

  it('is mailed at most five times an hour', async () => {
    const who = await someone()
    for (const _ of Array(8)) await signInWith(who, edge)
    await settled()
    expect(mailsTo(who)).toHaveLength(5)
  })
})

describe('a browser in words', () => {
  it.each([
    [firefox, 'Firefox on Linux'],
    [edge, 'Edge on Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['curl/8.5.0', 'curl'],
    ['<script>alert(1)</script>', 'Another program'],
    [undefined, 'Another program'],
  ])('%s', (userAgent, words) => {
    expect(describeBrowser(userAgent)).toBe(words)
  })
})
