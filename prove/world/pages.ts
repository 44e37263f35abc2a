import { setTimeout as delay } from 'node:timers/promises'
import { type FormPage, form } from '../canaries/form.ts'
import type { Means } from './means.ts'
import { dayFields, type Lived, type LivedKit, personOf, recipientOf } from './model.ts'

// What people do on pages. A node may be killed meanwhile: then they begin again, until it is done.

const DONE_MS = 120_000

export const newAddress = { street1: '9 New Road', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }

async function visit(
  { stack, client }: Means,
  lived: Lived,
  { work, isDone }: { work(open: ReturnType<typeof form>): Promise<FormPage>; isDone(): Promise<boolean> },
): Promise<void> {
  const { plan } = lived
  const own = [personOf(plan), recipientOf(plan)]
  const index = Number(plan.name.slice(4))
  // Everybody is at home: who tries many serial numbers is kept out.
  const address = `10.${plan.business}.${Math.floor(index / 250)}.${(index % 250) + 1}`
  let last = 'nothing'
  for (const deadline = performance.now() + DONE_MS; performance.now() < deadline; await delay(500)) {
    const apis = stack.nodes.filter(({ role }) => role === 'api')
    const { url = '' } = apis[index % apis.length] ?? {}
    try {
      const page = await work(form(url, { 'x-forwarded-for': address }))
      client.look(`${page.path} of ${plan.name}`, page.html, (word) => own.includes(word))
      last = page.html
    } catch (err) {
      last = err instanceof Error ? err.message : String(err)
    }
    if (await isDone()) return
  }
  throw new Error(`${plan.name}: a page did not do it: ${last.replaceAll(/\s+/g, ' ').slice(-600)}`)
}

/** The secret address of a mail to somebody, once it is there. */
async function linkIn({ stack }: Means, word: string, kind: 'a' | 'h'): Promise<string> {
  const pattern = new RegExp(`/${kind}/[\\w-]{43}`)
  for (const deadline = performance.now() + DONE_MS; performance.now() < deadline; await delay(300)) {
    const links = stack.mailbox.to(`${word}@world.test`).flatMap(({ text }) => pattern.exec(text)?.[0] ?? [])
    const link = links.at(-1)
    if (link) return link
  }
  throw new Error(`${word} got no link /${kind}/`)
}

export interface PersonTyped extends Record<string, string> {
  firstName: string
  lastName: string
  email: string
}

/** Registers a kit by its number, or by that of its box. */
export async function registerOnPage(
  means: Means,
  lived: Lived,
  kit: LivedKit,
  code: string,
  person: PersonTyped,
): Promise<void> {
  await visit(means, lived, {
    async work(open) {
      await open(`/k?kit=${encodeURIComponent(code)}`)
      const consent = await open(`/k/${kit.id}/consent`)
      const details = await consent.submit({ consentToTesting: 'yes' })
      const check = await details.submit({ ...person, ...dayFields(lived.born) })
      return check.submit({})
    },
    async isDone() {
      const { body } = await means.client.business(lived.realm, 'GET', `/kits?kitID=${kit.id}`)
      return body[0].registeredToEmail === person.email
    },
  })
}

/** The recipient says where their box goes: by the link of their e-mail, or one that their business gives them. */
export async function sayAddress(means: Means, lived: Lived, kit: LivedKit): Promise<void> {
  const { plan, realm } = lived
  const isMailed = plan.notify && kit.trouble?.state === 'undecided'
  const given = isMailed ? undefined : await means.change('POST', `/kits/${kit.id}/undelivered/link`, { email: false })
  const path = given ? new URL(given.body.url).pathname : await linkIn(means, recipientOf(plan), 'a')
  await visit(means, lived, {
    work: async (open) => (await open(path)).submit(newAddress),
    async isDone() {
      const { body } = await means.client.business(realm, 'GET', `/kits/${kit.id}/undelivered`)
      return body.state === 'awaitingBox' || body.state === 'readyToSend'
    },
  })
}

/** The person answers what the sample waits for, by the link of their e-mail. */
export async function answerHold(
  means: Means,
  lived: Lived,
  kit: LivedKit,
  typed: Record<string, string>,
): Promise<void> {
  const link = await linkIn(means, personOf(lived.plan), 'h')
  await visit(means, lived, {
    async work(open) {
      const gate = await open(link)
      return (await gate.submit(dayFields(lived.born))).submit(typed)
    },
    async isDone() {
      const { body } = await means.client.business(lived.realm, 'GET', `/kits/${kit.id}/hold`)
      return body.state === 'released' || body.proposedName !== undefined
    },
  })
}
