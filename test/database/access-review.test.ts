import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remindOfReview } from '../../src/modules/oversight/review/service.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { commandLine } from '../harness/command-line.ts'
import { operatorWith } from '../harness/operator.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const clock = manualClock(new Date('2026-03-01T09:00:00.000Z'))
const DAY_MS = 24 * 3_600_000
let world: World
let clinic: TestBusiness
let staff: SignedIn

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  clinic = await world.business({ name: 'Harbor Clinic' })
  staff = await signIn(world, await person(world, 'operator-admin'))
})
afterAll(() => world.stop())

const review = async () => (await staff.operator.get('/access-review')).body
const signOff = (sha256: string, note?: string) => staff.operator.post('/access-review/sign-offs', { sha256, note })
const alarms = async () => (await staff.operator.get('/alarms')).body.data.map(({ kind }: { kind: string }) => kind)
/** A session ends after 15 minutes. */
const signInAgain = async () => {
  staff = await signIn(world, staff.person)
}

describe('the review of access', () => {
  it('lists every user with roles, business, last sign-in and second factor, and every valid token', async () => {
    const viewer = await person(world, 'business-viewer', clinic)
    await signIn(world, viewer)
    await operatorWith(world, ['lab'])
    const { users, tokens, isDue } = await review()
    const find = (id: string) => users.find((user: { id: string }) => user.id === id)
    expect(find(viewer.id)).toEqual({
      id: viewer.id,
      email: viewer.email,
      disabled: false,
      secondFactor: false,
      roles: [{ role: 'business-viewer', business: { id: clinic.id, name: 'Harbor Clinic' } }],
      createdDate: expect.any(String),
      lastSignInDate: expect.any(String),
    })
    expect(find(staff.person.id).roles).toEqual([{ role: 'operator-admin' }])
    expect(tokens).toContainEqual(expect.objectContaining({ name: 'machine', scopes: ['lab'] }))
    const own = tokens.filter(({ business }: { business?: { id: string } }) => business?.id === clinic.id)
    expect(own.map(({ mode }: { mode: string }) => mode).toSorted()).toEqual(['live', 'sandbox'])
    expect(isDue).toBe(true)
  })

  it('is a file, too, also on the command line', async () => {
    const { text, headers } = await staff.operator.get('/access-review', { accept: 'text/csv' })
    expect(headers.get('content-disposition')).toContain('access-review.csv')
    expect(text).toContain(`user,${staff.person.id},${staff.person.email},The operator,,operator-admin,active,no,`)
    expect(text).toContain('Harbor Clinic,live,')
    const cli = await commandLine(world.urls.owner)
    try {
      expect((await cli.run('audit', 'access-review')).stdout).toContain(`user,${staff.person.id},`)
    } finally {
      await cli.close()
    }
  })

  it('is signed off with the hash of what was shown, which is kept with who and when', async () => {
    const { sha256 } = await review()
    const reply = await signOff(sha256, 'All known.')
    expect(reply.status).toBe(201)
    const { signOffs, isDue } = await review()
    expect(signOffs).toEqual([
      expect.objectContaining({
        sha256,
        by: `user:${staff.person.id}`,
        note: 'All known.',
        date: clock.now().toISOString(),
      }),
    ])
    expect(isDue).toBe(false)
  })

  it('is refused where a right has changed since it was shown, and not because somebody has signed in', async () => {
    const { sha256 } = await review()
    const viewer = await person(world, 'business-viewer', clinic)
    expect((await signOff(sha256)).body.code).toBe('ACCESS_REVIEW_CHANGED')
    const again = (await review()).sha256
    await signIn(world, viewer)
    expect((await signOff(again)).status).toBe(201)
  })

  it('is for those who manage the staff', async () => {
    const auditor = await operatorWith(world, ['audit', 'system', 'businesses'])
    expect((await auditor('GET', '/access-review')).status).toBe(403)
    expect((await auditor('POST', '/access-review/sign-offs', { sha256: '0'.repeat(64) })).status).toBe(403)
  })

  it('is due again after 90 days, which is one alarm until somebody signs off', async () => {
    const remind = () => world.service.database.asSystem({ name: 'test' }, remindOfReview)
    await remind()
    expect(await alarms()).toEqual([])
    clock.advance(91 * DAY_MS)
    await signInAgain()
    await remind()
    await remind()
    expect(await alarms()).toEqual(['access_review_due'])
    const { isDue, sha256 } = await review()
    expect(isDue).toBe(true)
    await signOff(sha256)
    expect(await alarms()).toEqual([])
  })
})
