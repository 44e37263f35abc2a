import { randomBase62 } from '../../src/domain/ids.ts'
import type { Role } from '../../src/modules/identity/rules.ts'
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

/** Creates a user with a role in a business or at the operator. Pass `email` to give a person another role. */
export async function person(
  world: World,
  role: Role,
  business?: { id: string },
  email = `${randomBase62(10).toLowerCase()}@people.test`,
): Promise<Person> {
  const { user, password = '' } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createUser(tx, { email, role, businessId: business?.id }),
  )
  return { id: user.id, email, password }
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
