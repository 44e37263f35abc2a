import { setTimeout as delay } from 'node:timers/promises'
import type { Reply } from '../../test/harness/caller.ts'
import { address, CORE } from '../../test/harness/orders.ts'
import type { WorldClient } from './client.ts'
import { bornOn, type Lived, passes, personOf, recipientOf } from './model.ts'
import type { JourneyPlan } from './plan.ts'

const JOB_MS = 90_000
/** The order in which kits are moved in the sandbox, with the status of each stage there. */
const SANDBOX = { shipped: 'kitInTransit', delivered: 'kitDelivered', received: 'sampleReceived' } as const

/** Lives through one plan. Throws if something is refused that should not be. */
export async function live(plan: JourneyPlan, client: WorldClient, cards: Cards): Promise<Lived> {
  const realm = `${plan.business}${plan.mode[0]}`
  let step = 0
  const change = async (
    method: string,
    path: string,
    body?: unknown,
    { as = 'business', expected = 299, headers = {} } = {},
  ): Promise<Reply> => {
    const key = `${plan.name}-${++step}`
    const send = () =>
      as === 'operator'
        ? client.operator(method, path, body, key, headers)
        : client.business(realm, method, path, body, key)
    const reply = await send()
    const isRight = expected === 299 ? reply.status < 300 : reply.status === expected
    if (!isRight)
      throw new Error(`${plan.name}: ${method} ${path} answered ${reply.status} ${reply.text.slice(0, 300)}`)
    if (plan.isRepeated && reply.status < 300) {
      const again = await send()
      if (again.status !== reply.status || again.text !== reply.text)
        client.watch.breaches.push(
          `${plan.name}: ${method} ${path} again answered ${again.status} ${again.text.slice(0, 200)}, not ${reply.text.slice(0, 200)}`,
        )
    }
    return reply
  }
  const lived: Lived = { plan, realm, orders: [], stage: 'placed', versions: 0, isDeclined: false }
  await place(plan, lived, { client, change, cards })
  const kit = lived.orders[0]?.kits[0]
  if (!kit || lived.isDeclined) return lived
  await travel(lived, kit, { client, change, cards })
  return lived
}

export interface Cards {
  good: string
  declined: string
}

interface Means {
  client: WorldClient
  change(
    method: string,
    path: string,
    body?: unknown,
    options?: { as?: string; expected?: number; headers?: Record<string, string> },
  ): Promise<Reply>
  cards: Cards
}

async function place(plan: JourneyPlan, lived: Lived, { client, change, cards }: Means): Promise<void> {
  const { name, how, kits, pay, notify } = plan
  const word = recipientOf(plan)
  const who = { first_name: word, last_name: word, email: `${word}@world.test` }
  const paid = {
    paymentMethod: pay === 'credits' ? 'credits' : pay === 'card' ? cards.good : cards.declined,
    isNotifyReceiver: notify,
  }
  const expected = pay === 'declined' ? 402 : how === 'bulk' ? 202 : 201
  let ids: string[] = []
  if (how === 'bulk') {
    const bulkUploadData = Array.from({ length: kits }, (_, row) => ({
      kit_type: CORE,
      ...who,
      ...address,
      external_id: `${name}-${row}`,
    }))
    const { body } = await change('POST', '/create-order', { bulkUploadData, ...paid }, { expected })
    ids = await ordersOfJob(client, lived.realm, body.jobId)
  } else {
    const sent =
      how === 'legacy'
        ? { ...who, ...address, kitType: CORE, externalID: name, ...paid }
        : { recipient: { ...who, address }, kit_types: [{ kitType: CORE, quantity: kits }], externalID: name, ...paid }
    const { body } = await change('POST', how === 'legacy' ? '/legacy/create-order' : '/create-order', sent, {
      expected,
    })
    ids = body.orderId ? [body.orderId] : []
  }
  lived.isDeclined = pay === 'declined'
  for (const [row, id] of ids.entries()) {
    const { body } = await client.business(lived.realm, 'GET', `/orders/${id}`)
    const made = body.kits.map(({ kitID }: { kitID: string }) => kitID)
    lived.orders.push({ id, externalId: how === 'bulk' ? `${name}-${row}` : name, kits: made })
  }
}

async function ordersOfJob(client: WorldClient, realm: string, jobId: string): Promise<string[]> {
  for (const deadline = performance.now() + JOB_MS; performance.now() < deadline; await delay(300)) {
    const { body } = await client.business(realm, 'GET', `/bulk-order-jobs/${jobId}`)
    if (body.status === 'completed') return body.rows.map(({ orderId }: { orderId: string }) => orderId)
  }
  throw new Error(`the bulk job ${jobId} is not completed after ${JOB_MS / 1000} s`)
}

async function travel(lived: Lived, kitID: string, means: Means): Promise<void> {
  const { plan } = lived
  const { change } = means
  const goes = (step: Parameters<typeof passes>[1]) => passes(plan.until, step)
  if (goes('canceled')) {
    await change('POST', `/orders/${lived.orders[0]?.id}/cancel`)
    lived.stage = 'canceled'
    return
  }
  for (const stage of ['shipped', 'delivered'] as const) {
    if (!goes(stage)) return
    if (plan.mode === 'sandbox') await change('POST', `/sandbox/kits/${kitID}/advance`, { status: SANDBOX[stage] })
    else if (stage === 'shipped') await ship(lived, kitID, means)
    else await deliver(lived, means)
    lived.stage = stage
  }
  if (!goes('registered')) return
  const word = personOf(plan)
  const person = { firstName: word, lastName: word, email: `${word}@world.test`, dateOfBirth: bornOn, sex: 'F' }
  lived.customerId = (await change('POST', `/kits/${kitID}/register`, person)).body.customerId
  lived.stage = 'registered'
  if (!goes('received')) return
  if (plan.mode === 'sandbox') await change('POST', `/sandbox/kits/${kitID}/advance`, { status: SANDBOX.received })
  else await change('POST', '/samples/receive', { kitID, accession: `A-${plan.name}` }, { as: 'operator' })
  lived.stage = 'received'
  if (goes('rejected')) {
    if (plan.mode === 'sandbox') await change('POST', `/sandbox/kits/${kitID}/advance`, { status: 'sampleRejected' })
    else await change('POST', '/samples/reject', { kitID, reason: 'hemolysis' }, { as: 'operator' })
    lived.stage = 'rejected'
    return
  }
  if (goes('reported')) await report(lived, kitID, means)
}

async function ship(lived: Lived, kitID: string, { change }: Means): Promise<void> {
  const number = lived.plan.name.toUpperCase()
  lived.trackingNumber = `1Z${number}`
  const labels = {
    kitID,
    carrier: 'UPS',
    outboundTrackingNumber: lived.trackingNumber,
    returnTrackingNumber: `94${number}`,
  }
  await change('POST', '/fulfilment/shipments', labels, { as: 'operator' })
}

/** Carriers send events twice and late: the later event comes first. */
async function deliver({ trackingNumber }: Lived, { change }: Means): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const delivered = { trackingNumber, status: 'delivered', at: at(1), id: `${trackingNumber}-d` }
  await change('POST', '/carrier-events', [delivered], { as: 'operator' })
  const late = { trackingNumber, status: 'in_transit', at: at(30), id: `${trackingNumber}-t` }
  await change('POST', '/carrier-events', [late, delivered], { as: 'operator' })
}

async function report(lived: Lived, kitID: string, { client, change }: Means): Promise<void> {
  const { plan, realm, customerId } = lived
  const goes = (step: Parameters<typeof passes>[1]) => passes(plan.until, step)
  if (plan.mode === 'sandbox') {
    const results = [{ biomarker: 'glucose', result: plan.value, unit: 'mg/dL' }]
    await change('POST', `/sandbox/kits/${kitID}/advance`, { status: 'reportReady', results })
    const { body } = await client.business(realm, 'GET', `/reports?size=250`)
    lived.reportId = (body.data ?? body).find((one: { kitID?: string }) => one.kitID === kitID)?.reportID
  } else {
    const sent = {
      kitID,
      accession: `A-${plan.name}`,
      results: [{ name: 'Glucose', value: plan.value, unit: 'mg/dL' }],
    }
    const { body } = await change('POST', '/lab/results', sent, { as: 'operator' })
    lived.reportId = body.reports[0].reportID
  }
  lived.versions = 1
  lived.stage = 'reported'
  if (!goes('published')) return
  if (plan.mode === 'sandbox') await change('POST', `/reports/${lived.reportId}/publish`)
  else await change('POST', `/reports/${lived.reportId}/publish`, undefined, { as: 'operator' })
  lived.stage = 'published'
  if (goes('corrected') && plan.mode === 'live') {
    const results = [{ name: 'Glucose', value: plan.corrected, unit: 'mg/dL' }]
    await change(
      'POST',
      '/lab/results',
      { kitID, accession: `A-${plan.name}`, status: 'corrected', results },
      { as: 'operator' },
    )
    lived.versions = 2
    const { body } = await client.operator('GET', `/reports/${lived.reportId}`)
    if (body.status !== 'published')
      await change('POST', `/reports/${lived.reportId}/publish`, undefined, { as: 'operator' })
    lived.stage = 'corrected'
  }
  if (!goes('erased')) return
  await change('DELETE', `/customers/${customerId}`)
  lived.stage = 'erased'
}
