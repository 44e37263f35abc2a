import { setTimeout as delay } from 'node:timers/promises'
import type { Caller, Reply } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'
import type { Marks } from './marks.ts'

export interface Journey {
  url: string
  live: Caller
  sandbox: Caller
  operator: Caller
  marks: Marks
  /** The e-mails that were sent, as they came. */
  mails(): string[]
  run(...args: string[]): Promise<string>
  /** Does one step. A version that does not know it leaves its canaries out. */
  step<T>(name: string, work: () => Promise<T>): Promise<T | undefined>
}

export function right(reply: Reply, status = 299): Reply {
  if (reply.status > status) throw new Error(`${reply.status} ${reply.text.slice(0, 300)}`)
  return reply
}

/** Kinds that the version before sealing kept as hashes, sealed, or not at all. */
export const kinds = {
  links: 'personal links',
  cookies: 'cookies of personal pages',
  drafts: 'registrations that were begun',
  refused: 'requests that are refused or come to nothing',
} as const

export const recipientOf = (marks: Marks) => ({
  first_name: marks.word('names'),
  last_name: marks.word('names'),
  email: marks.email(),
  phone: marks.phone(),
  address: {
    street1: marks.street(),
    street2: marks.word('streets'),
    city: marks.word('cities'),
    state: 'OR',
    zip: '97001',
  },
})

export const personOf = (marks: Marks, year: number) => ({
  firstName: marks.word('names'),
  lastName: marks.word('names'),
  email: marks.email(),
  dateOfBirth: marks.born(year),
  sex: 'F',
  phone: marks.phone(),
  addressLine1: marks.street(),
  addressLine2: marks.word('streets'),
  city: marks.word('cities'),
  state: 'OR',
  zip: '97002',
  race: [marks.word('answers of a registration')],
})

export async function newKit(call: Caller, changes: object = {}, headers = {}): Promise<string> {
  const { body } = right(await call.post('/create-order', anOrder({ paymentMethod: 'credits', ...changes }), headers))
  return (await call.get(`/orders/${body.orderId}`)).body.kits[0].kitID
}

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 45_000; !(await isTrue()); await delay(200))
    if (performance.now() > deadline) throw new Error('it did not happen within 45 seconds')
}
