import { hash } from '@node-rs/argon2'
import { newOpaqueId, newPassword, randomBase62 } from '../../src/domain/ids.ts'
import type { Role } from '../../src/modules/identity/rules.ts'
import { beginSession } from '../../src/modules/identity/sessions.ts'
import { findOrInsertUser, lockUser, markVerified, updatePassword } from '../../src/modules/identity/user-queries.ts'
import { createUser } from '../../src/modules/identity/users.ts'
import { type BrowserSession, type Caller, caller, type Reply } from './caller.ts'
import type { World } from './world.ts'

export interface Person {
  id: string
  email: string
  password: string
}

/** A signed-in person, with callers that act as their browser. */
export interface SignedIn {
  person: Person
  /** `name=value`, as the browser sends it. */
  cookie: string
  /** Below /api/v1 without a realm, for the person's own account. */
  account: Caller
  /** Below /operator/v1. */
  operator: Caller
  /** Below /api/v1 in a business; live by default. */
  in(business: { id: string }, mode?: 'live' | 'sandbox'): Caller
}

// Nobody guesses a random password. With the hash of real ones, making and checking it takes 120 ms of CPU.
const quick = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Creates a user with a role in a business or at the operator. Pass `email` to give a person another role. */
export async function person(
  world: World,
  role: Role,
  business?: { id: string },
  email = `${randomBase62(10).toLowerCase()}@people.test`,
): Promise<Person> {
  const password = newPassword()
  const hashed = await hash(password, quick)
  return world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    const { id } = await findOrInsertUser(tx, newOpaqueId('usr'), email)
    const isNew = !(await lockUser(tx, id))?.passwordHash
    if (isNew) {
      await updatePassword(tx, id, hashed)
      await markVerified(tx, id)
    }
    await createUser(tx, { email, role, businessId: business?.id })
    return { id, email, password: isNew ? password : '' }
  })
}

/** The same without a password that works. */
export const personWithoutPassword = (
  world: World,
  role: Role,
  business?: { id: string },
  email = `${randomBase62(10).toLowerCase()}@people.test`,
): Promise<Person> =>
  world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    const { id } = await findOrInsertUser(tx, newOpaqueId('usr'), email)
    await updatePassword(tx, id, 'none')
    await markVerified(tx, id)
    await createUser(tx, { email, role, businessId: business?.id })
    return { id, email, password: '' }
  })

/** The session that a sign-in begins, for a person without a password. */
export async function begin(world: World, who: Person): Promise<SignedIn> {
  const from = { ip: '127.0.0.1', cookie: undefined, device: undefined, userAgent: undefined }
  const { value } = await world.service.database.asSystem({ name: 'test' }, (tx) => beginSession(tx, who.id, from))
  return browser(world, who, `kitlane=${value}`)
}

export const cookieOf = (reply: Reply): string => reply.headers.get('set-cookie')?.split(';')[0] ?? ''

/** Signs in through the API. */
export async function signIn(world: World, who: Person, code?: string): Promise<SignedIn> {
  const { email, password } = who
  const reply = await world.anonymous.post('/session', { email, password, ...(code && { code }) })
  if (reply.status !== 200) throw new Error(`a test user could not sign in: ${reply.text}`)
  return browser(world, who, cookieOf(reply))
}

/** Callers that send this cookie, as the person's browser does. */
export function browser(world: World, who: Person, cookie: string): SignedIn {
  const { url } = world.service
  const as = (session: BrowserSession, prefix?: string) => caller(url, undefined, { session, prefix })
  return {
    person: who,
    cookie,
    account: as({ cookie }),
    operator: as({ cookie }, '/operator/v1'),
    in: (business, mode = 'live') => as({ cookie, realm: `${business.id}/${mode}` }),
  }
}

/** Asks for access to a business, as staff of the operator do before they enter it. Returns the ID of the access. */
export async function requestAccess(
  { operator }: SignedIn,
  business: { id: string },
  asked: { reason?: string; minutes?: number } = {},
): Promise<string> {
  const reason = 'The business asked us to look into a problem'
  const reply = await operator.post(`/businesses/${business.id}/support-accesses`, { reason, ...asked })
  if (reply.status !== 201) throw new Error(`a support access was refused: ${reply.text}`)
  return reply.body.id
}
