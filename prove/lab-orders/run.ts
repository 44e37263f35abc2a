import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { type Caller, caller, type Reply } from '../../test/harness/caller.ts'
import {
  answerTo,
  type Heard,
  type StandInLaboratory,
  standInLaboratory,
  type Treatment,
} from '../../test/harness/laboratory.ts'
import { anOrder, CORE } from '../../test/harness/orders.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'

export interface Plan {
  seed: number
  orders: number
  kills: number
  say(line: string): void
}

const READY_MS = 240_000
const SETTLED_MS = 120_000
const SENDERS = 6
const scopes = ['orders:write', 'orders:read', 'kits:write', 'kits:read', 'customers:read', 'customers:write']

/** What is to become of a kit. */
interface Kit {
  kitID: string
  customerId: number
  dateOfBirth: string
  isWithdrawn: boolean
}

interface Callers {
  business: Caller
  operator: Caller
}

/** Orders kits at a laboratory that does everything wrong, while the service is killed, then compares what both hold. */
export async function run(plan: Plan, checkout: string): Promise<Figure[]> {
  const random = randomOf(plan.seed)
  const laboratory = await standInLaboratory()
  const env = { LAB_ORDERS_AT: 'registration', LAB_ORDERS_HOSTS: laboratory.hosts.join(',') }
  const subject = await startSubject(undefined, { checkout, env })
  try {
    await subject.untilReady(READY_MS)
    const callers = await callersOf(subject)
    const kick = await connectLaboratories(callers.operator, laboratory)
    const trouble = makeTrouble(laboratory, { subject, random, plan, operator: callers.operator })
    const owner = await subject.connect()
    const kits = await liveThrough({ subject, callers, random, plan, hurry: () => hurry(owner, kick) })
    await settled(owner, kick, trouble)
    const figures = await compare(kits, laboratory, callers.operator)
    await owner.end()
    return [
      { name: 'orders', actual: kits.length },
      { name: 'messages that the laboratory got', actual: laboratory.heard.length },
      { name: 'of them again', actual: laboratory.heard.length - new Set(laboratory.heard.map(keyOf)).size },
      { name: 'kills', actual: trouble.kills, expected: plan.kills },
      { name: 'answers that came later', actual: trouble.later.sent },
      ...figures,
    ]
  } finally {
    await subject.stop()
    await laboratory.stop()
  }
}

const keyOf = ({ controlId, text }: Heard) => `${controlId} ${text}`

async function callersOf(subject: Subject): Promise<Callers> {
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await subject.command(...args)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  await command('business', 'create', '--name', 'Orders', '--panels', CORE, '--credits', '100000', '--json')
  const of = ['--business', 'Orders', '--json']
  await command('business', 'set', ...of, 'rateLimitPerMinute=1000000')
  const { token } = await command('token', 'create', ...of, '--mode', 'live', '--scopes', scopes.join(','))
  const staff = await command('operator-token', 'create', '--name', 'staff', '--scopes', 'lab,access', '--json')
  return {
    business: caller(subject.url, token),
    operator: caller(subject.url, staff.token, { prefix: '/operator/v1' }),
  }
}

/** Two laboratories, by state. What is returned says again how one gets orders, which has everything sent that is due. */
async function connectLaboratories(operator: Caller, laboratory: StandInLaboratory): Promise<() => Promise<unknown>> {
  const tests = [{ kitType: CORE, code: '24331-1', name: 'Lipid panel' }]
  const save = async (name: string, states: string[], how: object) => {
    const { id } = right(await operator.post('/laboratories', { name, address: '1 Road' })).body
    const connection = { states, countries: ['US'], tests, ...how }
    right(await operator.post(`/laboratories/${id}/connection`, connection))
    return () => operator.post(`/laboratories/${id}/connection`, connection).catch(() => undefined)
  }
  await save('By FHIR', ['NY'], { format: 'fhir', transport: { kind: 'https', url: laboratory.http } })
  return save('By MLLP', ['CA'], { transport: { kind: 'mllp', url: laboratory.mllp } })
}

interface Trouble {
  kills: number
  later: { sent: number; sending: Set<Promise<void>> }
}

/** What the laboratory does wrong, by the seed. It never gives two answers to one message, as a laboratory that knows it again. */
function makeTrouble(
  laboratory: StandInLaboratory,
  { subject, random, plan, operator }: { subject: Subject; random: Random; plan: Plan; operator: Caller },
): Trouble {
  const trouble: Trouble = { kills: 0, later: { sent: 0, sending: new Set() } }
  const decided = new Map<string, Treatment['is']>()
  const kinds: Treatment['is'][] = ['accepted', 'accepted', 'lost', 'dropped', 'doubled', 'late', 'busy', 'received']
  laboratory.treats((message, times) => {
    const { controlId, control } = message
    const isFirst = !decided.has(controlId)
    const isRefused = control !== 'XO' && random.between(1, 100) <= 6
    const picked = isRefused ? 'refused' : random.pick(kinds)
    // Over HTTP the response is the answer.
    const isHttp = !message.text.startsWith('MSH')
    const how = decided.get(controlId) ?? (isHttp && picked === 'received' ? 'accepted' : picked)
    // What it took it knows again, and says what it decided; else it takes it at some time.
    const isTaken = ['accepted', 'lost', 'doubled', 'late', 'received', 'refused'].includes(how)
    if (isTaken) decided.set(controlId, how === 'lost' && times > 2 ? 'accepted' : how)
    if (
      laboratory.heard.length > ((trouble.kills + 1) * plan.orders) / (plan.kills + 1) &&
      trouble.kills < plan.kills
    ) {
      trouble.kills += 1
      subject.kill('all')
      plan.say(`kill ${trouble.kills} of ${plan.kills}, with ${controlId} unanswered`)
    }
    if (how === 'received' && isFirst) sendLater(trouble, operator, message)
    return { is: how, reason: 'It cannot be tested' } as Treatment
  })
  return trouble
}

/** The answer of a message that was only received, by the route for it, twice. */
function sendLater({ later }: Trouble, operator: Caller, message: Heard): void {
  const send = async () => {
    for (let answers = 0; answers < 2; ) {
      await delay(300)
      const reply = await operator
        .post('/lab-orders/answers', answerTo(message, { is: 'accepted' }), { 'content-type': 'application/hl7-v2' })
        .catch(() => undefined)
      if (reply?.status === 200) answers += 1
    }
    later.sent += 1
  }
  const sending = send().finally(() => later.sending.delete(sending))
  later.sending.add(sending)
}

interface Living {
  subject: Subject
  callers: Callers
  random: Random
  plan: Plan
  hurry(): Promise<void>
}

/** Registers the kits; of some the person is corrected, of some the consent is taken back. */
async function liveThrough({ subject, callers, random, plan, hurry }: Living): Promise<Kit[]> {
  const { business } = callers
  const kits: Kit[] = []
  const until = async (work: () => Promise<Reply>, done: readonly number[]): Promise<Reply> => {
    for (;;) {
      const reply = await work().catch(() => undefined)
      if (reply && done.includes(reply.status)) return reply
      if (reply && reply.status < 500 && reply.status !== 429) throw new Error(`${reply.status} ${reply.text}`)
      await subject.untilReady(READY_MS)
      await delay(50)
    }
  }
  const live = async () => {
    const { orderId } = (await until(() => business.post('/create-order', anOrder()), [201])).body
    const { kitID } = (await until(() => business.get(`/orders/${orderId}`), [200])).body.kits[0]
    const person = { firstName: 'Bo', lastName: 'Tester', dateOfBirth: '1980-02-29', sex: 'F' }
    const place = {
      addressLine1: '1 Road',
      city: 'Town',
      zip: '90001',
      country: 'US',
      state: random.pick(['CA', 'CA', 'NY']),
    }
    const email = `${kitID.toLowerCase()}@example.test`
    // The answer may be lost with the process: then the kit is registered already.
    await until(() => business.post(`/kits/${kitID}/register`, { ...person, ...place, email }), [200, 409])
    const { customerID } = (await until(() => business.get(`/kits/${kitID}`), [200])).body.kit
    const kit: Kit = { kitID, customerId: customerID, dateOfBirth: person.dateOfBirth, isWithdrawn: false }
    kits.push(kit)
    const fate = random.between(1, 10)
    await delay(random.between(0, 400))
    if (fate <= 3) {
      kit.dateOfBirth = `1980-03-${String(random.between(10, 28))}`
      const change = { dateOfBirth: kit.dateOfBirth }
      await until(() => business.request('PATCH', `/customers/${customerID}`, change), [200])
    }
    if (fate === 3 || fate === 4) {
      kit.isWithdrawn = true
      await until(() => business.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' }), [200, 409])
    }
  }
  let begun = 0
  const lives = Array.from({ length: SENDERS }, async () => {
    while (begun++ < plan.orders) await live()
  })
  let isOver = false
  const hurrying = (async () => {
    while (!isOver) await hurry()
  })()
  await Promise.all(lives)
  isOver = true
  await hurrying
  return kits
}

/** Time passes quickly: what is due later is due now, also while a message is under way. */
async function hurry(owner: Client, kick: () => Promise<unknown>): Promise<void> {
  await owner
    .query("update lab_orders set due_at = now() where due_at > now() and state <> 'sent'")
    .catch(() => undefined)
  await kick()
  await delay(1000)
}

async function settled(owner: Client, kick: () => Promise<unknown>, { later }: Trouble): Promise<void> {
  const open = `select count(*)::int as open from lab_orders o where o.pending is not null or (o.state in ('queued', 'sent') and o.reason is null)
    or exists (select from lab_order_messages m where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.outcome is null)`
  for (const deadline = performance.now() + SETTLED_MS; performance.now() < deadline; ) {
    const left = await owner.query(open).then(
      ({ rows }) => rows[0].open as number,
      () => 1,
    )
    if (left === 0 && later.sending.size === 0) return
    await hurry(owner, kick)
  }
}

async function compare(kits: readonly Kit[], laboratory: StandInLaboratory, operator: Caller): Promise<Figure[]> {
  const counts = { accepted: 0, refused: 0, canceled: 0, notCanceled: 0, changed: 0 }
  const wrong = { lost: 0, doubled: 0, disagreeing: 0, open: 0 }
  for (const { kitID, dateOfBirth, isWithdrawn } of kits) {
    const held = [...laboratory.orders].filter(([placer]) => placer === kitID || placer.startsWith(`${kitID}-`))
    const stands = held.filter(([, one]) => one.placed > 0 && !one.isCanceled)
    const reply = await operator.get(`/lab-orders/${kitID}`)
    const { state, attention, placerNumber, pending } = reply.body
    if (held.some(([, one]) => one.placed > 1) || stands.length > 1) wrong.doubled += 1
    // What the laboratory would not cancel, and never said that it had, waits for a person.
    const isAsked = isWithdrawn && attention === 'cancelRefused'
    if (reply.status !== 200 || pending || (!isAsked && (state === 'queued' || state === 'sent'))) wrong.open += 1
    const [number, order] = stands[0] ?? []
    if (state === 'sent' && isAsked) counts.notCanceled += 1
    else if (state === 'accepted') {
      if (!order) wrong.lost += 1
      const born = dateOfBirth.replaceAll('-', '')
      const isRight = number === placerNumber && (order?.text.includes(born) || order?.text.includes(dateOfBirth))
      if (order && !isRight && !isWithdrawn) wrong.disagreeing += 1
      if (isWithdrawn && attention !== 'cancelRefused') wrong.disagreeing += 1
      counts.accepted += 1
      if (isWithdrawn) counts.notCanceled += 1
      if (order && order.changed > 0) counts.changed += 1
    } else {
      if (order) wrong.disagreeing += 1
      if (state === 'refused') counts.refused += 1
      else if (state === 'canceled' && isWithdrawn) counts.canceled += 1
      else wrong.lost += 1
    }
  }
  return [
    { name: 'accepted', actual: counts.accepted },
    { name: 'of them changed by a message', actual: counts.changed },
    { name: 'of them not to be canceled any more', actual: counts.notCanceled },
    { name: 'refused, in the queue', actual: counts.refused },
    { name: 'canceled', actual: counts.canceled },
    { name: 'lost', actual: wrong.lost, expected: 0 },
    { name: 'doubled', actual: wrong.doubled, expected: 0 },
    { name: 'that both hold otherwise', actual: wrong.disagreeing, expected: 0 },
    { name: 'still open', actual: wrong.open, expected: 0 },
  ]
}

function right(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}
