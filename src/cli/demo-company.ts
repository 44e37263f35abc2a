import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../domain/errors.ts'
import { lockNumbers } from '../modules/businesses/counters.ts'
import { DEMO_COMPANIES } from '../modules/businesses/queries.ts'
import * as businesses from '../modules/businesses/service.ts'
import * as catalogue from '../modules/catalogue/service.ts'
import { ship } from '../modules/fulfilment/ship.ts'
import { begin } from '../modules/holds/record.ts'
import { createUser } from '../modules/identity/users.ts'
import { advanceKit } from '../modules/kits/advance.ts'
import { lockKit, moveKit } from '../modules/kits/move.ts'
import { registerKit } from '../modules/kits/register.ts'
import { parseMessage } from '../modules/lab/messages/parse.ts'
import { receiveMessage } from '../modules/lab/messages/receive.ts'
import { receiveSample, rejectSample } from '../modules/lab/messages/samples.ts'
import { LabResults } from '../modules/lab/messages/schema.ts'
import { onboardWithoutTokens } from '../modules/onboarding/onboard.ts'
import { cancel as cancelJob } from '../modules/orders/bulk/service.ts'
import { cancel } from '../modules/orders/cancel.ts'
import { createOrders } from '../modules/orders/group.ts'
import { find, list } from '../modules/orders/read.ts'
import { ASYNC_ROWS, type Order } from '../modules/orders/schema.ts'
import { lockCriticals } from '../modules/reports/critical/queries.ts'
import { acknowledge } from '../modules/reports/critical/service.ts'
import { selectReportOfKit } from '../modules/reports/queries.ts'
import { publishReviewedReport } from '../modules/reports/versions/publish.ts'
import { deliverResults } from '../modules/sandbox/results.ts'
import * as stock from '../modules/stock/service.ts'
import { report as reportBoxes } from '../modules/undelivered/service.ts'
import {
  type Actor,
  type Database,
  inSavepoint,
  type Realm,
  type SystemTx,
  type Tx,
  within,
} from '../platform/database/tx.ts'
import { isBusy } from '../platform/database/unavailable.ts'
import { DAYS, type DemoKit, type DemoStep, kitsOfDemo, type Plan } from './demo-plan.ts'

const actor: Actor = { name: 'demo' }
const DAY_MS = 86_400_000

/** Makes the businesses, and lets the demo's login into them. The second one publishes its reports without a review. */
export async function createCompanies(tx: SystemTx, email: string): Promise<void> {
  for (const [index, name] of DEMO_COMPANIES.entries()) {
    const { business, live } = await onboardWithoutTokens(tx, {
      name,
      credits: 400,
      contactEmail: 'help@demo.kitlane.invalid',
    })
    if (index === 1) await businesses.changeSettings(within(tx, live), { publishing: 'auto' })
    else await leaveWork(tx, within(tx, live))
    await createUser(tx, { email, role: 'business-admin', businessId: business.id })
  }
}

/** What no kit's way leaves behind: rows that failed, a result that no kit has, and boxes that run out. */
async function leaveWork(tx: SystemTx, inRealm: Tx): Promise<void> {
  const [panel] = await catalogue.panels(tx)
  if (!panel) return
  const { kitType } = panel
  const address = { street1: '12 Oak Avenue', city: 'Austin', state: 'TX', zip: '78701', country: 'US' } as const
  const recipient = { firstName: 'Nadia', lastName: 'Barros', email: 'nadia.barros@example.com', address }
  const order = { recipient, items: [{ kitType, quantity: 1 }], externalTags: [], notify: false }
  const job = await createOrders(inRealm, { orders: Array(ASYNC_ROWS).fill(order), isBulk: true })
  // Before its rows are placed.
  if (job.kind === 'job') await cancelJob(inRealm, job.jobId)
  const results = [{ name: 'Glucose', value: 91, unit: 'mg/dL' }]
  const body = LabResults.parse({ accession: 'DEMO-0000', patient: { name: 'Nadia Barros' }, results })
  await receiveMessage(tx, { source: 'demo', body, message: await parseMessage(body, 'demo') })
  await stock.saveProduct(tx, GTIN, {
    kitType,
    reorderPoints: { 'Main shelf': 10 },
    minimumDaysAtPacking: 60,
    registerDaysBeforeExpiry: 30,
  })
  const expiryDate = new Date(tx.now.getTime() + 200 * DAY_MS).toISOString().slice(0, 10)
  const boxes = [1, 2, 3].map((number) => ({ code: `DEMO-BOX-${number}`, gtin: GTIN, lot: 'DEMO-1', expiryDate }))
  await stock.receive(tx, { place: 'Main shelf', boxes, dryRun: false })
}

// GS1 leaves numbers that begin with 02 to each company.
const GTIN = '00200000000011'

/**
 * Lives through the half year before `until`, one business after the other, day by day, by the verbs that a request uses, each at its
 * own time. What a killed process has done stays: the next call goes on with the day after the last order. Half of the time is left to
 * requests, unless there are none.
 */
export async function playCompanies(
  database: Database,
  { until, days = DAYS, isQuiet }: { until: Date; days?: number; isQuiet: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const lives = await database.asSystem(actor, async (tx) => {
    const found = await businesses.list(tx)
    const panels = await catalogue.panels(tx)
    const opened = DEMO_COMPANIES.map(async (name, index) => {
      const business = found.find((one) => one.name === name)
      const plan = { panels, until: until.getTime(), days, seed: index + 1 }
      return business ? [await openLife(tx, business.id, plan)] : []
    })
    return (await Promise.all(opened)).flat()
  })
  for (const life of lives) {
    for (const steps of life.days) {
      if (signal.aborted) return
      const began = performance.now()
      while (!(await isPlayed(database, life, steps)) && !signal.aborted) await delay(AGAIN_MS)
      // Whoever stops the service waits for it.
      await delay(isQuiet() ? 0 : Math.min(performance.now() - began, AGAIN_MS))
    }
  }
}

interface Life {
  realm: Realm
  /** Of the orders that were placed: the kit by the number of its order. */
  kitIds: Map<number, string>
  /** Their steps, in order. */
  days: DemoStep[][]
}

/** What is left of a business's days: each has an order, so that the last order tells how far it came. */
async function openLife(tx: SystemTx, businessId: string, plan: Plan): Promise<Life> {
  const { live } = await businesses.realmsOf(tx, businessId)
  const kitIds = new Map<number, string>()
  const dayOf = (at: number) => Math.floor((at - plan.until) / DAY_MS)
  let last = Number.NEGATIVE_INFINITY
  for (let page = 0; ; page++) {
    const { orders } = await list(within(tx, live), {}, { page, size: PAGE, isOldestFirst: true })
    for (const order of orders.filter((one) => remember(kitIds, one)))
      last = Math.max(last, dayOf(Date.parse(order.createdDate)))
    if (orders.length < PAGE) break
  }
  const steps = kitsOfDemo(plan)
    .flatMap((kit) => kit.steps)
    .filter(({ at }) => dayOf(at) > last)
    .sort((a, b) => a.at - b.at)
  return { realm: live, kitIds, days: [...Map.groupBy(steps, ({ at }) => dayOf(at)).values()] }
}

const PAGE = 250
const externalIdOf = ({ number }: DemoKit): string => `demo-${number}`

/** False for an order that is not of the demo. */
function remember(kitIds: Map<number, string>, { externalID, kits: [kit] }: Order): boolean {
  const number = /^demo-(\d+)$/.exec(externalID ?? '')?.[1]
  if (number === undefined || !kit) return false
  kitIds.set(Number(number), kit.kitID)
  return true
}

const AGAIN_MS = 1000

/** False where the database is busy: another process plays the same day, or requests keep it. */
const isPlayed = (database: Database, life: Life, steps: readonly DemoStep[]): Promise<boolean> =>
  database
    .asSystem(actor, (tx) => playDay(tx, life, steps))
    .then(
      () => true,
      (err: unknown) => {
        if (isBusy(err)) return false
        throw err
      },
    )

async function playDay(tx: SystemTx, { realm, kitIds }: Life, steps: readonly DemoStep[]): Promise<void> {
  // Another process that plays the same day waits here, and then finds its orders.
  await lockNumbers(tx, [realm.id])
  const externalIds = steps.flatMap(({ does, kit }) => (does === 'order' ? [externalIdOf(kit)] : []))
  const { orders } = await list(within(tx, realm), { externalIds }, { page: 0, size: PAGE, isOldestFirst: true })
  for (const order of orders) remember(kitIds, order)
  if (orders.length > 0) return
  for (const step of steps) {
    const { number } = step.kit
    const known = kitIds.get(number)
    if (known === undefined && step.does !== 'order') continue
    const now = new Date(step.at)
    try {
      const kitId = await inSavepoint(tx, () => play({ ...tx, now }, { ...within(tx, realm), now }, step, known ?? ''))
      if (kitId) kitIds.set(number, kitId)
    } catch (err) {
      if (!(err instanceof AppError) || err.status >= 500) throw err
      // Somebody tries the demo, and did something else with this kit: it stays theirs.
      kitIds.delete(number)
    }
  }
}

/** Does one step. Returns the kit of a new order. */
async function play(tx: SystemTx, inRealm: Tx, { kit, does }: DemoStep, kitID: string): Promise<string | undefined> {
  switch (does) {
    case 'order':
      return placeOrder(inRealm, kit)
    case 'cancel':
      await cancel(inRealm, (await lockKit(inRealm, kitID)).orderId)
      break
    case 'ship':
      await ship(tx, [
        { kitId: kitID, carrier: 'USPS', outbound: numberOf(kit, '1'), returnNumber: numberOf(kit, '2') },
      ])
      break
    case 'deliver':
      await advanceKit(inRealm, kitID, 'kitDelivered')
      break
    case 'comeBack':
      await reportBoxes(tx, { kitIDs: [kitID], outcome: 'returnedToSender' })
      break
    case 'register':
      await registerKit(inRealm, kitID, kit.person)
      break
    case 'return':
      await moveKit(inRealm, kitID, 'sampleInTransit')
      break
    case 'receive':
      await receiveSample(tx, { kitID })
      break
    case 'hold':
      await begin(inRealm, await lockKit(inRealm, kitID), ['collectionDateMissing'])
      break
    case 'reject':
      await rejectSample(tx, { kitID, reason: kit.reason })
      break
    case 'result':
      await deliverResults(inRealm, await lockKit(inRealm, kitID), kit.results)
      // The last ones still wait for somebody to call.
      if (kit.steps.some((one) => one.does === 'publish')) await answerCalls(inRealm, kitID)
      break
    case 'publish':
      await publish(inRealm, kitID)
  }
  return undefined
}

const CALLED_AFTER_MS = 20 * 60_000

/** A clinician reads back what is critical, in time. */
async function answerCalls(tx: Tx, kitID: string): Promise<void> {
  const called = { ...tx, now: new Date(tx.now.getTime() + CALLED_AFTER_MS) }
  for (const { id, value, acknowledgedAt, withdrawnAt } of await lockCriticals(tx, kitID))
    if (!acknowledgedAt && !withdrawnAt) await acknowledge(called, id, { who: 'Reviewer of the demo', readBack: value })
}

async function publish(tx: Tx, kitID: string): Promise<void> {
  const report = await selectReportOfKit(tx, kitID)
  const notified = { person: 'The person tested', at: tx.now.toISOString() }
  if (report?.status === 'inReview') await publishReviewedReport(tx, report.id, { notified })
}

async function placeOrder(tx: Tx, kit: DemoKit): Promise<string | undefined> {
  const { person, address, kitType } = kit
  const { firstName, lastName, email } = person
  const recipient = { firstName, lastName, email, address }
  const items = [{ kitType, quantity: 1 }]
  const order = { recipient, items, externalId: externalIdOf(kit), externalTags: [], notify: false }
  const placed = await createOrders(tx, { orders: [order], isBulk: false })
  if (placed.kind !== 'placed' || !placed.orderIds[0]) throw new Error('the credits of the demo do not last')
  return (await find(tx, placed.orderIds[0])).kits[0]?.kitID
}

/** No carrier has numbers that begin with TEST. */
const numberOf = ({ number, seed }: DemoKit, leg: string) => `TEST${leg}${seed}${String(number).padStart(12, '0')}`
