import type { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUser, resetPassword } from '../../src/modules/identity/users.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { SystemTx } from '../../src/platform/database/tx.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { expectRefusal } from '../harness/answers.ts'
import { caller } from '../harness/caller.ts'
import { browser, cookieOf, person, type SignedIn, signIn } from '../harness/people.ts'
import { isNewDeviceMail, type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const THEIRS = 'orchard velvet nine moons'
const OWN = 'tram lentil orbit copper'

let world: World
let server: MailServer
/** The same service before it had a mail server: the inviter sees the link. */
let without: Service
let clinic: TestBusiness
let staff: SignedIn
let owner: Client

beforeAll(async () => {
  server = await startMailServer()
  const publicUrl = 'http://kits.example.test'
  world = await ownWorld('has a mail server', { publicUrl, smtpUrl: server.url })
  const log = createLogger({ level: 'silent' })
  const settings = { ...world.settings, role: 'api' as const, publicUrl: undefined, smtpUrl: undefined }
  without = await startService({ urls: world.urls, settings, log, clock: systemClock })
  ;[clinic, owner] = [await world.business(), await world.owner()]
  staff = await signIn(world, await person(world, 'operator-admin'))
})
afterAll(async () => {
  await without.stop()
  await world.stop()
  await server.stop()
})

let addresses = 0
const newEmail = () => `owner${++addresses}@people.test`
const accept = (token: string, password: string) => world.anonymous.post('/invitations/accept', { token, password })
const lookUp = async (token: string) => (await world.anonymous.post('/invitations/look-up', { token })).body
const attempt = (email: string, password: string) => world.anonymous.post('/session', { email, password })
const asCli = <T>(work: (tx: SystemTx) => Promise<T>) => world.service.database.asSystem({ name: 'cli' }, work)

/** The token in the link that an administrator of a business sees. */
async function shownToken(email: string, business: TestBusiness): Promise<string> {
  const admin = await signIn(world, await person(world, 'business-admin', business))
  const session = { cookie: admin.cookie, realm: `${business.id}/live` }
  const { body } = await caller(without.url, undefined, { session }).post('/users', { email, role: 'business-viewer' })
  return body.invitationUrl.split('#')[1]
}

/** Creates an account with another person's address, through a link that was shown. */
async function takeAddress(email: string): Promise<SignedIn> {
  const reply = await accept(await shownToken(email, clinic), THEIRS)
  expect(reply.status, reply.text).toBe(200)
  return browser(world, { id: reply.body.user.id, email, password: THEIRS }, cookieOf(reply))
}

/** The token in the e-mail that `ask` triggers. Both processes send e-mails: the newest one has it. */
async function mailedToken(email: string, ask: () => Promise<unknown>): Promise<string> {
  const tokens = () =>
    server.received
      .filter((mail) => mail.to.includes(email) && !isNewDeviceMail(mail))
      .map(({ raw }) => /http:\S+#([\w-]{43})/.exec(parseMail(raw).text)?.[1] ?? '')
  await expect.poll(pendingEmails, { interval: 50 }).toBe(0)
  const before = tokens().length
  await ask()
  await expect.poll(() => tokens().length, { interval: 50 }).toBe(before + 1)
  return tokens().at(-1) ?? ''
}

/** The number of e-mails still to be sent. */
async function pendingEmails(): Promise<number> {
  return Number((await owner.query(`select count(*) from emails where status = 'queued'`)).rows[0].count)
}

const invitedToStaff = (email: string) =>
  mailedToken(email, () => staff.operator.post('/staff', { email, role: 'operator-admin' }))

it('the command line gives no role to an account whose address nobody has shown to be theirs', async () => {
  const email = newEmail()
  const thief = await takeAddress(email)
  const give = () => asCli((tx) => createUser(tx, { email, role: 'operator-admin' }))
  await expect(give()).rejects.toMatchObject({
    code: 'USER_EXISTS',
    message: expect.stringContaining('nobody has shown that it is theirs'),
  })
  expect((await thief.account.get('/session')).body.memberships).toHaveLength(1)

  const { password } = await asCli((tx) => resetPassword(tx, email, { dropCodes: true }))
  expect(await give()).not.toHaveProperty('password')
  expect((await thief.account.get('/session')).status).toBe(401)
  expect([(await attempt(email, THEIRS)).status, (await attempt(email, password)).status]).toEqual([401, 200])
})

it('anyone who reads an invitation that was mailed owns the account, not the person who made it before', async () => {
  const email = newEmail()
  const thief = await takeAddress(email)
  const older = await shownToken(email, await world.business())
  const token = await invitedToStaff(email)
  expect((await thief.operator.get('/staff')).status, 'nothing yet').toBe(403)
  expect(await lookUp(token)).toMatchObject({ hasPassword: false })
  const accepted = await accept(token, OWN)
  expect(accepted.body.memberships).toContainEqual({ role: 'operator-admin' })
  expect((await thief.account.get('/session')).status).toBe(401)
  expectRefusal(await attempt(email, THEIRS), 'SIGN_IN_FAILED', 'the password of before')
  expectRefusal(await accept(older, THEIRS), 'SIGN_IN_FAILED', 'a link of before')
  expect((await attempt(email, OWN)).status).toBe(200)
})

it('a link that others have seen never replaces the password of an account', async () => {
  const email = newEmail()
  await takeAddress(email)
  const token = await shownToken(email, await world.business())
  expect(await lookUp(token)).toMatchObject({ hasPassword: true })
  expectRefusal(await accept(token, OWN), 'SIGN_IN_FAILED', 'a new password')
  expect((await accept(token, THEIRS)).body.memberships).toHaveLength(2)
})

it('a new password that is chosen by e-mail shows whose the address is', async () => {
  const email = newEmail()
  await takeAddress(email)
  const token = await mailedToken(email, () => world.anonymous.post('/password-resets', { email }))
  expect((await accept(token, OWN)).status).toBe(200)
  expect(await asCli((tx) => createUser(tx, { email, role: 'lab' }))).not.toHaveProperty('password')
})

it('an invitation goes to the address of the account, however the inviter spelt it', async () => {
  const email = newEmail()
  await takeAddress(email)
  const token = await mailedToken(email, () =>
    staff.operator.post('/staff', { email: email.toUpperCase(), role: 'fulfilment' }),
  )
  expect(await lookUp(token)).toMatchObject({ email })
})
