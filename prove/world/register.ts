import { states, zips } from '../lab-orders/connect.ts'
import { type Means, reach } from './means.ts'
import { kitsOf, type Lived, type LivedKit, personOf } from './model.ts'
import { registerOnPage } from './pages.ts'

/** The person who is tested says who they are, or their business does. */
export async function register(
  lived: Lived,
  kit: LivedKit,
  means: Means,
  { isOnPage = lived.plan.isOnPage } = {},
): Promise<void> {
  const { plan, realm, born } = lived
  const { client, change, stack } = means
  const word = personOf(plan)
  const place = { addressLine1: '1 Road', city: 'Town', state: states[plan.line], zip: zips[plan.line], country: 'US' }
  const person = { firstName: word, lastName: lived.lastName, email: `${word}@world.test`, sex: 'F', ...place }
  const code = plan.box === 'retail' && kit.serial ? kit.serial : kit.id
  if (isOnPage && plan.hold?.cause !== 'consentMissing') {
    await registerOnPage(means, lived, kit, code, person)
    const { body } = await client.business(realm, 'GET', `/kits?kitID=${kit.id}`)
    lived.customerId = body[0]?.customerID
  } else {
    const { body } = await change('POST', `/kits/${code}/register`, { ...person, dateOfBirth: born })
    lived.customerId = body.customerId
    if (body.kitID && body.kitID !== kit.id) throw new Error(`${plan.name}: ${code} registered ${body.kitID}`)
  }
  kit.isRegistered = true
  kit.customerId = lived.customerId
  kit.isOrdered = stack.labOrdersAt === 'registration' || kit.stage === 'received'
  // A sample that was there before its person stays where it is.
  if (kit.stage !== 'received') reach(lived, kit, 'registered')
  if (!plan.isCorrected || kit.replacementFor !== undefined) return
  lived.born = '1961-10-09'
  await change('PATCH', `/customers/${lived.customerId}`, { dateOfBirth: lived.born })
}

/** Nothing names the person any more. */
export async function erase(lived: Lived, { change }: Means): Promise<void> {
  await change('DELETE', `/customers/${lived.customerId}`)
  lived.isErased = true
  for (const kit of kitsOf(lived)) kit.customerId = undefined
}
