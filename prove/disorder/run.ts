import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder, CORE } from '../../test/harness/orders.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { inOrder, type Shown, type TestName, testNames, type Written, writeMessages } from './messages.ts'

export interface Plan {
  seed: number
  messages: number
  kills: number
  say(line: string): void
}

interface Kit {
  kitID: string
  customerId: number
  written: Written[]
}

const READY_MS = 240_000
const MESSAGES_OF_A_KIT = 20
const SENDERS = 6
const scopes = [
  'orders:write',
  'orders:read',
  'kits:write',
  'kits:read',
  'customers:read',
  'reports:read',
  'reports:review',
]
/** Of the messages, so many in a hundred are sent twice, or given up and sent again later. */
const DOUBLED = 20
const LOST = 15

/** Sends all messages of all kits in disorder while the service is killed, then compares the reports. */
export async function run(plan: Plan, checkout: string): Promise<Figure[]> {
  const random = randomOf(plan.seed)
  const subject = await startSubject(undefined, { checkout })
  try {
    await subject.untilReady(READY_MS)
    const { business, operator } = await callers(subject)
    const kits: Kit[] = []
    for (let made = 0; made < plan.messages; made += kits.at(-1)?.written.length ?? 0) {
      const kit = await registered(business)
      const count = Math.min(MESSAGES_OF_A_KIT, plan.messages - made)
      kits.push({ ...kit, written: writeMessages(kit.kitID, count, random) })
    }
    const sent = await sendAll(kits, { subject, operator, plan, random })
    return [...(await compare(kits, business)), ...sent]
  } finally {
    await subject.stop()
  }
}

async function callers(subject: Subject): Promise<{ business: Caller; operator: Caller }> {
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await subject.command(...args)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const create = ['business', 'create', '--name', 'Disorder', '--panels', CORE, '--credits', '10000', '--json']
  await command(...create)
  const of = ['--business', 'Disorder', '--json']
  await command('business', 'set', ...of, 'rateLimitPerMinute=1000000', 'publishing=auto')
  const { token } = await command('token', 'create', ...of, '--mode', 'live', '--scopes', scopes.join(','))
  const lab = await command('operator-token', 'create', '--name', 'laboratory', '--scopes', 'lab', '--json')
  return {
    business: caller(subject.url, token),
    operator: caller(subject.url, lab.token, { prefix: '/operator/v1' }),
  }
}

async function registered({ post, get }: Caller): Promise<Omit<Kit, 'written'>> {
  const { orderId } = right(await post('/create-order', anOrder())).body
  const { kitID } = right(await get(`/orders/${orderId}`)).body.kits[0]
  const person = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }
  const email = `${kitID.toLowerCase()}@example.test`
  const { customerId } = right(await post(`/kits/${kitID}/register`, { ...person, email })).body
  return { kitID, customerId }
}

interface Sending {
  subject: Subject
  operator: Caller
  plan: Plan
  random: Random
}

/** Each message once or more, in any order; what is given up is sent again, as a laboratory does that had no answer. */
async function sendAll(kits: readonly Kit[], { subject, operator, plan, random }: Sending): Promise<Figure[]> {
  const all = kits.flatMap(({ written }) => written.map(({ text }) => text))
  const queue = shuffled([...all, ...all.filter(() => random.between(1, 100) <= DOUBLED)], random)
  const lost = new Set(queue.filter(() => random.between(1, 100) <= LOST))
  const total = queue.length
  const counts = { sends: 0, unanswered: 0, wrong: 0, givenUp: 0 }
  const send = async (text: string) => {
    if (lost.delete(text)) {
      counts.givenUp++
      await giveUp(operator, subject.url, text, random.between(1, 60))
      queue.splice(random.between(0, queue.length), 0, text)
      return
    }
    for (;;) {
      const reply = await operator
        .post('/lab/results', text, { 'content-type': 'application/hl7-v2' })
        .catch(() => undefined)
      counts.sends++
      if (reply?.status === 200) return
      if (reply && reply.status < 500 && reply.status !== 429) {
        counts.wrong++
        return
      }
      counts.unanswered++
      await delay(100)
    }
  }
  let sent = 0
  const senders = Array.from({ length: SENDERS }, async () => {
    for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
      await send(text)
      sent++
    }
  })
  let kills = 0
  const killing = (async () => {
    while (kills < plan.kills) {
      while (sent < ((kills + 1) * total) / (plan.kills + 1)) await delay(10)
      subject.kill('all')
      kills++
      await subject.untilReady(READY_MS)
      plan.say(`kill ${kills} of ${plan.kills} at ${sent} of ${total} messages`)
    }
  })()
  await Promise.all([...senders, killing])
  return [
    { name: 'messages written', actual: all.length },
    { name: 'messages sent', actual: counts.sends + counts.givenUp },
    { name: 'messages given up and sent again', actual: counts.givenUp },
    { name: 'sends without an answer', actual: counts.unanswered },
    { name: 'kills', actual: kills },
    { name: 'messages refused', actual: counts.wrong, expected: 0 },
  ]
}

/** Sends a message and hangs up: it may have been taken or not. */
async function giveUp({ token }: Caller, url: string, text: string, afterMs: number): Promise<void> {
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/hl7-v2' }
  const init = { method: 'POST', headers, body: text, signal: AbortSignal.timeout(afterMs) }
  await fetch(`${url}/operator/v1/lab/results`, init).then(
    (response) => response.body?.cancel(),
    () => undefined,
  )
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items]
  for (let at = left.length - 1; at > 0; at--) {
    const other = random.between(0, at)
    ;[left[at], left[other]] = [left[other] as T, left[at] as T]
  }
  return left
}

async function compare(kits: readonly Kit[], { get }: Caller): Promise<Figure[]> {
  const wrong = { values: 0, marks: 0, kept: 0 }
  let values = 0
  for (const { kitID, customerId, written } of kits) {
    const shown = await shownOf(get, customerId)
    for (const test of testNames) {
      const [is, should] = [shown.get(test), inOrder(written, test)]
      values++
      if (is?.value !== should?.value) wrong.values++
      else if (is?.isPreliminary !== should?.isPreliminary) wrong.marks++
    }
    const { data } = right(await get(`/kits/${kitID}/received-documents`)).body
    const ids = data.map(({ controlID }: { controlID: string }) => controlID)
    if (
      ids.toSorted().join() !==
      written
        .map(({ id }) => id)
        .toSorted()
        .join()
    )
      wrong.kept++
  }
  return [
    { name: 'values that are not those of the order in which they were written', actual: wrong.values, expected: 0 },
    { name: 'values whose mark as preliminary is wrong', actual: wrong.marks, expected: 0 },
    { name: 'kits whose history lacks a message or has one twice', actual: wrong.kept, expected: 0 },
    { name: 'values compared', actual: values },
    { name: 'kits', actual: kits.length },
  ]
}

async function shownOf(get: Caller['get'], customerId: number): Promise<Map<TestName, Shown>> {
  const { reports } = right(await get(`/customers/${customerId}`)).body
  if (reports.length === 0) return new Map()
  const { biomarker } = right(await get(`/reports/${reports[0].id}`)).body
  return new Map(
    biomarker.map(({ id, result, preliminary }: { id: TestName; result: number; preliminary?: true }) => [
      id,
      { value: result, isPreliminary: preliminary === true },
    ]),
  )
}

function right(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`)
  return reply
}
