import { setTimeout as delay } from 'node:timers/promises'
import { address, CORE } from '../../test/harness/orders.ts'
import type { WorldClient } from './client.ts'
import { hold, receive } from './holds.ts'
import { type Means, meansOf, reach, replacedBy } from './means.ts'
import { type Lived, type LivedKit, livedOf, madeKit, passes, recipientOf } from './model.ts'
import { deliver, meetTrouble, ship } from './parcels.ts'
import type { JourneyPlan, Stage } from './plan.ts'
import { recall } from './recall.ts'
import { erase, register } from './register.ts'
import { sendResult, untilOrdered } from './results.ts'
import { SANDBOX, type Stack } from './stack.ts'

const JOB_MS = 90_000

/** Lives through one plan. Throws if something is refused that should not be. */
export async function live(plan: JourneyPlan, stack: Stack, client: WorldClient, cards: Cards): Promise<Lived> {
  const lived = livedOf(plan, `${plan.business}${plan.mode[0]}`)
  const means = meansOf(lived, stack, client)
  await place(lived, means, cards)
  for (let kit = lived.orders[0]?.kits[0]; kit && !lived.isDeclined; ) kit = await travel(lived, kit, means)
  if (plan.isRecalled) await recall(lived, means)
  return lived
}

export interface Cards {
  good: string
  declined: string
}

async function place(lived: Lived, { client, change }: Means, cards: Cards): Promise<void> {
  const { plan } = lived
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
    const made: LivedKit[] = body.kits.map(({ kitID }: { kitID: string }) => madeKit(kitID, id))
    const externalId = how === 'bulk' ? `${name}-${row}` : name
    lived.orders.push({ id, externalId, quantity: made.length, street1: address.street1, kits: made })
  }
}

async function ordersOfJob(client: WorldClient, realm: string, jobId: string): Promise<string[]> {
  for (const deadline = performance.now() + JOB_MS; performance.now() < deadline; await delay(300)) {
    const { body } = await client.business(realm, 'GET', `/bulk-order-jobs/${jobId}`)
    if (body.status === 'completed') return body.rows.map(({ orderId }: { orderId: string }) => orderId)
  }
  throw new Error(`the bulk job ${jobId} is not completed after ${JOB_MS / 1000} s`)
}

/** A kit travels as far as its plan says. Returns the kit that goes out in its place and travels on, if there is one. */
async function travel(lived: Lived, kit: LivedKit, means: Means): Promise<LivedKit | undefined> {
  const { plan } = lived
  const { change } = means
  const goes = (step: Stage) => passes(plan.until, step)
  const isFirst = kit.replacementFor === undefined
  if (goes('canceled')) {
    await change('POST', `/orders/${kit.orderId}/cancel`)
    for (const one of lived.orders[0]?.kits ?? []) reach(lived, one, 'canceled')
    return undefined
  }
  if (!goes('shipped')) return undefined
  await ship(lived, kit, means)
  if (!goes('delivered')) return undefined
  if (isFirst && plan.trouble) {
    const after = await meetTrouble(lived, kit, plan.trouble, means)
    if (after !== kit) return after
  }
  await deliver(lived, kit, means)
  if (!goes('registered')) return undefined
  const held = isFirst && goes('received') ? plan.hold : undefined
  if (held?.cause === 'notRegistered') {
    await receive(lived, kit, means)
    const isOver = await hold(lived, kit, held, means)
    if (isOver) return isOver.next
  }
  if (!kit.isRegistered) await register(lived, kit, means)
  if (goes('withdrawn')) {
    await change('POST', `/kits/${kit.id}/consent/withdrawal`, { what: 'testing' })
    reach(lived, kit, 'withdrawn')
    return undefined
  }
  if (!goes('received')) return undefined
  if (held?.cause !== 'notRegistered') {
    if (held && plan.mode === 'sandbox') {
      await change('POST', `/sandbox/kits/${kit.id}/scenario`, { scenario: 'held' })
      reach(lived, kit, 'received')
    } else await receive(lived, kit, means)
    const isOver = held && (await hold(lived, kit, held, means))
    if (isOver) return isOver.next
  }
  if (goes('rejected')) {
    await reject(lived, kit, means)
    return undefined
  }
  if (goes('reported')) await report(lived, kit, means)
  return undefined
}

async function reject(lived: Lived, kit: LivedKit, means: Means): Promise<void> {
  const { plan } = lived
  const { change, operate } = means
  if (plan.mode === 'sandbox') await change('POST', `/sandbox/kits/${kit.id}/advance`, { status: SANDBOX.rejected })
  else await operate('POST', '/samples/reject', { kitID: kit.id, reason: 'hemolysis' })
  reach(lived, kit, 'rejected')
  if (!plan.isReplaced) return
  const { body } = await change('POST', `/kits/${kit.id}/replacement`, { reason: 'Hemolysis' })
  await replacedBy(lived, kit, body.replacementKitID, means)
}

async function report(lived: Lived, kit: LivedKit, means: Means): Promise<void> {
  const { plan, realm } = lived
  const { client, change, operate } = means
  const goes = (step: Stage) => passes(plan.until, step)
  if (plan.mode === 'sandbox') {
    const results = [{ biomarker: 'glucose', result: plan.value, unit: 'mg/dL' }]
    await change('POST', `/sandbox/kits/${kit.id}/advance`, { status: 'reportReady', results })
    const { body } = await client.business(realm, 'GET', `/reports?kitID=${kit.id}`)
    lived.reportId = (body.data ?? body)[0]?.reportID
  } else {
    lived.placer = await untilOrdered(kit, means, { isAnswered: plan.resultsBy === 'filler' })
    lived.reportId = await sendResult(lived, kit, means, plan.value)
  }
  lived.versions = 1
  reach(lived, kit, 'reported')
  if (!goes('published')) return
  const publish = plan.mode === 'sandbox' ? change : operate
  await publish('POST', `/reports/${lived.reportId}/publish`)
  reach(lived, kit, 'published')
  if (goes('corrected') && plan.mode === 'live') {
    await sendResult(lived, kit, means, plan.corrected, 'corrected')
    lived.versions = 2
    const { body } = await client.operator('GET', `/reports/${lived.reportId}`)
    if (body.status !== 'published') await operate('POST', `/reports/${lived.reportId}/publish`)
    reach(lived, kit, 'corrected')
  }
  if (!goes('erased')) return
  await erase(lived, means)
  reach(lived, kit, 'erased')
}
