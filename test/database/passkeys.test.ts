import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setDisabled } from '../../src/modules/identity/users.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import { Authenticator } from '../harness/authenticator.ts'
import { browser, cookieOf, type Person, person, type SignedIn, signIn } from '../harness/people.ts'
import { codeAt } from '../harness/second-factor.ts'
import { ownWorld, sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const origin = 'https://kits.example.com'

let world: World
let clinic: TestBusiness
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  world = await ownWorld('sets the clock', { publicUrl: origin }, { clock })
  clinic = await world.business()
})
afterAll(() => world.stop())

const someone = async (): Promise<SignedIn> => signIn(world, await person(world, 'business-viewer', clinic))

async function withPasskey(who: SignedIn, device = new Authenticator(), name = 'Laptop') {
  const { body: options } = await who.account.post('/session/passkeys/options')
  const response = device.create(options, { origin })
  const reply = await who.account.post('/session/passkeys', { name, response })
  expect(reply.status, reply.text).toBe(201)
  return { device, response, passkey: reply.body.passkey, recoveryCodes: reply.body.recoveryCodes as string[] }
}

const options = async () => (await world.anonymous.post('/session/passkey/options')).body
const present = (response: unknown) => world.anonymous.post('/session/passkey', { response })
const entriesOf = async (action: string, userId: string) => {
  const owner = await world.owner()
  const found = await owner.query('select details from audit_entries where action = $1 and object_id = $2', [
    action,
    userId,
  ])
  return found.rows.map(({ details }) => details)
}

describe('a passkey', () => {
  it('is added under a name, signs in without a password, and is removed', async () => {
    const who = await someone()
    const { device, passkey, recoveryCodes } = await withPasskey(who)
    expect(passkey).toEqual({ id: expect.stringMatching(/^psk_/), name: 'Laptop', createdDate: expect.any(String) })
    expect(recoveryCodes).toHaveLength(10)
    const asked = await options()
    expect(asked).toMatchObject({ rpId: 'kits.example.com', userVerification: 'required' })
    expect(asked.allowCredentials ?? [], 'an answer to anyone names no passkey').toEqual([])
    const reply = await present(device.get(asked, { origin }))
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.user).toMatchObject({ id: who.person.id, hasPasskey: true, totpEnabled: false })
    const session = browser(world, who.person, cookieOf(reply))
    expect((await session.in(clinic).get('/kits')).status).toBe(200)
    expect((await session.account.get('/session/passkeys')).body).toEqual([
      { ...passkey, lastUsedDate: expect.any(String) },
    ])
    expect((await session.account.request('DELETE', `/session/passkeys/${passkey.id}`)).status).toBe(204)
    expectRefusal(await present(device.get(await options(), { origin })), 'PASSKEY_NOT_VALID', 'removed')
    for (const action of ['passkey.added', 'passkey.removed']) {
      expect(await entriesOf(action, who.person.id)).toEqual([{ passkey: passkey.id }])
    }
    expect(await entriesOf('session.started', who.person.id)).toContainEqual(expect.objectContaining({ by: 'passkey' }))
  })

  it('stands beside others of the same account, which are added with one that is there', async () => {
    const who = await someone()
    const { device } = await withPasskey(who, new Authenticator(), 'Laptop')
    const refused = await who.account.post('/session/passkeys/options')
    expectRefusal(refused, 'REAUTHENTICATION_REQUIRED', 'the password of the sign-in adds no second one')
    expect(refused.body.by).toEqual(['passkey', 'code'])
    const { body: asked } = await who.account.post('/session/proof/options')
    expect((await who.account.post('/session/proof', { passkey: device.get(asked, { origin }) })).status).toBe(204)
    clock.advance(MINUTE)
    const { recoveryCodes } = await withPasskey(who, new Authenticator(), 'Key')
    expect(recoveryCodes, 'those of the first go on').toBeUndefined()
    const { body } = await who.account.get('/session/passkeys')
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Key'])
  })

  it('of two that are added first and at once, one comes with the recovery codes', async () => {
    const who = await someone()
    const offers = [
      await who.account.post('/session/passkeys/options'),
      await who.account.post('/session/passkeys/options'),
    ]
    const replies = await Promise.all(
      offers.map(({ body }, i) => {
        const response = new Authenticator().create(body, { origin })
        return who.account.post('/session/passkeys', { name: `Key ${i}`, response })
      }),
    )
    const codes = replies.map(({ status, body }) => [status, body.recoveryCodes?.length ?? 0])
    // The other waits for it, or is asked for that passkey first.
    expect(codes.filter(([status, count]) => status === 201 && count === 10)).toHaveLength(1)
    expect(codes.filter(([, count]) => count === 10)).toHaveLength(1)
  })

  it('makes the password alone worthless: a code or the passkey is asked for too', async () => {
    const who = await someone()
    const { recoveryCodes } = await withPasskey(who)
    const { email, password } = who.person
    const refused = await world.anonymous.post('/session', { email, password })
    expectRefusal(refused, 'CODE_REQUIRED', 'no code')
    expect(refused.body.by).toEqual(['passkey', 'code'])
    const [code] = recoveryCodes
    expect((await world.anonymous.post('/session', { email, password, code })).status).toBe(200)
    expectRefusal(await world.anonymous.post('/session', { email, password, code }), 'CODE_WRONG', 'used before')
  })

  it('is not offered where browsers have none: without a host name, or without https', async () => {
    const plain = await sharedWorld()
    try {
      expectRefusal(await plain.anonymous.post('/session/passkey/options'), 'FEATURE_NOT_ENABLED', '127.0.0.1')
      const { url } = plain.service
      const local = url.replace('127.0.0.1', 'localhost')
      const asked = await fetch(`${local}/api/v1/session/passkey/options`, { method: 'POST' })
      expect(await asked.json()).toMatchObject({ rpId: 'localhost' })
    } finally {
      await plain.stop()
    }
  })
})

describe('a signature is refused', () => {
  let who: SignedIn
  let device: Authenticator
  beforeAll(async () => {
    who = await someone()
    device = (await withPasskey(who)).device
  })
  const refused = async (response: unknown, why: string) =>
    expectRefusal(await present(response), 'PASSKEY_NOT_VALID', why)

  it('the second time', async () => {
    const response = device.get(await options(), { origin })
    expect((await present(response)).status).toBe(200)
    await refused(response, 'replayed')
  })

  it('when two send it at once: one of them gets a session', async () => {
    const response = device.get(await options(), { origin })
    const replies = await Promise.all([present(response), present(response)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('after five minutes', async () => {
    const asked = await options()
    clock.advance(5 * MINUTE)
    await refused(device.get(asked, { origin }), 'too late')
  })

  it('for a challenge that nobody was given, or of something else', async () => {
    await refused(device.get({ challenge: 'AAAA', rpId: 'kits.example.com' }, { origin }), 'made up')
    const { account } = await signIn(world, await person(world, 'business-viewer', clinic))
    const { body } = await account.post('/session/passkeys/options')
    await refused(device.get({ challenge: body.challenge, rpId: 'kits.example.com' }, { origin }), 'to make one')
  })

  it('from a page of another site, and for another site', async () => {
    await refused(device.get(await options(), { origin: 'https://kits.example.org' }), 'another origin')
    await refused(device.get(await options(), { origin, rpId: 'example.org' }), 'another party')
  })

  it('when the device did not check who holds it', async () => {
    await refused(device.get(await options(), { origin, isVerified: false }), 'not verified')
  })

  it('when its counter went back, as that of a copy does', async () => {
    expect((await present(device.get(await options(), { origin, counter: 50 }))).status).toBe(200)
    await refused(device.get(await options(), { origin, counter: 50 }), 'the same count')
    await refused(device.get(await options(), { origin, counter: 7 }), 'an older count')
  })

  it('under the name of another person: their key does not fit, and their handle neither', async () => {
    const other = await someone()
    const theirs = await withPasskey(other)
    const response = device.get(await options(), { origin })
    await refused({ ...response, id: theirs.response.id, rawId: theirs.response.id }, "another's credential")
    const handle = Buffer.from(other.person.id).toString('base64url')
    const again = device.get(await options(), { origin })
    await refused({ ...again, response: { ...again.response, userHandle: handle } }, "another's handle")
  })

  it('of a person who was disabled, and the audit says so', async () => {
    const gone = await someone()
    const theirs = await withPasskey(gone)
    await world.service.database.asSystem({ name: 'cli' }, (tx) => setDisabled(tx, gone.person.email, true))
    await refused(theirs.device.get(await options(), { origin }), 'disabled')
    expect(await entriesOf('session.refused', gone.person.id)).toEqual([{ code: 'PASSKEY_NOT_VALID' }])
  })
})

describe('adding a passkey is refused', () => {
  it('with a challenge of another session, the second time, and for another site', async () => {
    const [who, other] = [await someone(), await someone()]
    const { body: asked } = await who.account.post('/session/passkeys/options')
    const device = new Authenticator()
    const response = device.create(asked, { origin })
    const add = (by: SignedIn, made: unknown) => by.account.post('/session/passkeys', { name: 'x', response: made })
    expectRefusal(await add(other, response), 'PASSKEY_NOT_VALID', 'of another')
    expect((await add(who, response)).status).toBe(201)
    const elsewhere = await someone()
    const { body: again } = await elsewhere.account.post('/session/passkeys/options')
    const foreign = device.create(again, { origin: 'https://kits.example.org' })
    expectRefusal(await add(elsewhere, foreign), 'PASSKEY_NOT_VALID', 'another origin')
    expectRefusal(await add(elsewhere, device.create(again, { origin })), 'PASSKEY_NOT_VALID', 'spent by the refusal')
  })

  it('and nobody removes the passkey of another, or sees it', async () => {
    const [who, other] = [await someone(), await someone()]
    const { passkey } = await withPasskey(who)
    expect((await other.account.get('/session/passkeys')).body).toEqual([])
    const removal = await other.account.request('DELETE', `/session/passkeys/${passkey.id}`)
    expectRefusal(removal, 'PASSKEY_NOT_FOUND', "another's")
  })
})

describe('the recovery codes', () => {
  const secretOf = async (who: SignedIn): Promise<string> => {
    const { body } = await who.account.post('/session/totp', { password: who.person.password })
    return body.secret
  }
  const codeNow = (secret: string) => codeAt(secret, clock.now().getTime())
  const countOf = async ({ id }: Person) => {
    const owner = await world.owner()
    const { rows } = await owner.query('select count(*)::int as count from recovery_codes where user_id = $1', [id])
    return rows[0].count
  }

  it('come with the first factor, stay while there is one, and go with the last', async () => {
    const who = await someone()
    const secret = await secretOf(who)
    const { body } = await who.account.post('/session/totp/confirm', { code: codeNow(secret) })
    expect(body.recoveryCodes).toHaveLength(10)
    clock.advance(MINUTE)
    const again = await signIn(world, who.person, codeNow(secret))
    const { passkey, recoveryCodes } = await withPasskey(again)
    expect(recoveryCodes, 'there are some already').toBeUndefined()
    clock.advance(MINUTE)
    const off = { password: who.person.password, code: codeNow(secret) }
    expect((await again.account.request('DELETE', '/session/totp', off)).status).toBe(204)
    expect(await countOf(who.person)).toBe(10)
    await again.account.request('DELETE', `/session/passkeys/${passkey.id}`)
    expect(await countOf(who.person)).toBe(0)
  })

  it('a password and an open session add no codes to an account that has a passkey', async () => {
    const who = await someone()
    await withPasskey(who)
    const refused = await who.account.post('/session/totp', { password: who.person.password })
    expectRefusal(refused, 'REAUTHENTICATION_REQUIRED', 'no passkey shown')
  })
})
