import { setTimeout as delay } from 'node:timers/promises'
import type { DetourPlan, HoldCause, HoldEnd } from './detours.ts'
import { type Means, reach, replacedBy } from './means.ts'
import { dayFields, type Lived, type LivedKit, personOf } from './model.ts'
import { answerHold } from './pages.ts'
import { erase, register } from './register.ts'
import { SANDBOX } from './stack.ts'

const DISCARDED_MS = 120_000
const today = () => new Date().toISOString().slice(0, 10)

/** The laboratory has the sample, with a number of its own or without. */
export async function receive(lived: Lived, kit: LivedKit, { change, operate }: Means): Promise<void> {
  const { plan } = lived
  if (plan.mode === 'sandbox') await change('POST', `/sandbox/kits/${kit.id}/advance`, { status: SANDBOX.received })
  else {
    const numbered = plan.resultsBy === 'accession' ? { accession: accessionOf(lived, kit) } : {}
    await operate('POST', '/samples/receive', { kitID: kit.id, ...numbered })
  }
  kit.isOrdered ||= kit.isRegistered
  reach(lived, kit, 'received')
}

/** Of a kit that replaces another one, too. */
export const accessionOf = ({ plan }: Lived, { id }: LivedKit): string => `A-${plan.name}-${id}`

/** A sample waits for something. Undefined: it was mended. Else its kit goes no further, and `next` in its place, if anything. */
export async function hold(
  lived: Lived,
  kit: LivedKit,
  { cause, end }: NonNullable<DetourPlan['hold']>,
  means: Means,
): Promise<{ next?: LivedKit | undefined } | undefined> {
  const { plan, realm } = lived
  const { stack, client, operate } = means
  const isLive = plan.mode === 'live'
  if (isLive && cause !== 'notRegistered') await operate('POST', `/kits/${kit.id}/hold`, { causes: [cause] })
  const held: NonNullable<LivedKit['hold']> = {
    state: 'open',
    causes: isLive ? [cause] : ['nameDiffers', 'collectionDateMissing'],
  }
  kit.hold = held
  if (end === 'open') return {}
  if (end === 'erased') {
    await erase(lived, means)
    Object.assign(held, { state: 'discarded', endedBy: 'erased' })
    reach(lived, kit, 'rejected')
    return {}
  }
  if (end !== 'discard' && end !== 'clock') {
    await mend(lived, kit, { cause, end }, means)
    Object.assign(held, { state: 'released', endedBy: 'mended' })
    return undefined
  }
  if (end === 'discard') await operate('POST', `/kits/${kit.id}/hold/discard`, { reason: 'It leaked' })
  else stack.hurry.expire(kit.id)
  const read = async () => (await client.business(realm, 'GET', `/kits/${kit.id}/hold`)).body
  let said = await read()
  for (const deadline = performance.now() + DISCARDED_MS; said.state === 'open'; said = await read()) {
    if (performance.now() > deadline) throw new Error(`${plan.name}: its hold does not end`)
    await delay(500)
  }
  Object.assign(held, { state: 'discarded', endedBy: end === 'clock' ? 'clock' : 'laboratory' })
  reach(lived, kit, 'rejected')
  // What a shop sold is with somebody else than whom the next kit would go to.
  const isReplaced = !(kit.serial && kit.isRegistered)
  if (isReplaced !== (said.replacedBy !== undefined))
    throw new Error(`${plan.name}: its discarded sample is replaced by ${said.replacedBy}`)
  return { next: isReplaced ? await replacedBy(lived, kit, said.replacedBy, means) : undefined }
}

async function mend(
  lived: Lived,
  kit: LivedKit,
  { cause, end }: { cause: HoldCause; end: HoldEnd },
  means: Means,
): Promise<void> {
  const { plan } = lived
  const { change, operate } = means
  const word = personOf(plan)
  const path = `/kits/${kit.id}/hold/mend`
  if (end === 'otherName' || end === 'correction') lived.isRenamed = true
  if (cause === 'notRegistered') return register(lived, kit, means, { isOnPage: end === 'person' })
  if (end === 'person') return answerHold(means, lived, kit, fieldsOf(lived, cause))
  if (end === 'otherName') {
    await answerHold(means, lived, kit, { firstName: word, lastName: `${word} Second` })
    await change('POST', path, { name: 'approve' })
    lived.lastName = `${word} Second`
    return
  }
  if (end === 'correction')
    return void (await change('PATCH', `/customers/${lived.customerId}`, { name: `${word} ${word}x` }))
  const given = {
    ...(cause === 'nameDiffers' && { name: 'confirm' }),
    ...((cause === 'collectionDateMissing' || plan.mode === 'sandbox') && { collectedDate: today() }),
    ...(cause === 'labelUnreadable' && { identified: true }),
  }
  const agreed = { firstName: word, lastName: word, email: `${word}@world.test`, consentToTesting: true }
  if (cause === 'consentMissing') await change('POST', `/kits/${kit.id}/consent`, agreed)
  else await (end === 'laboratory' ? operate : change)('POST', path, given)
}

/** What a person types on the page that asks them. */
function fieldsOf({ plan, lastName }: Lived, cause: HoldCause): Record<string, string> {
  if (cause === 'consentMissing') return { consentToTesting: 'yes' }
  return cause === 'nameDiffers' ? { firstName: personOf(plan), lastName } : dayFields(today())
}
