import { setTimeout as delay } from 'node:timers/promises'
import { pagesOf, SIZE } from './check-orders.ts'
import type { WorldClient } from './client.ts'
import { type Means, reach, replacedBy } from './means.ts'
import { kitsOf, type Lived, type LivedKit } from './model.ts'
import { recalledLot } from './parcels.ts'
import { GTIN, type Stack } from './stack.ts'

const DONE_MS = 120_000

interface Outcome {
  stage: string
  done: string[]
  isReplaced?: boolean
  /** What must not be possible any more. */
  refused?: (kit: LivedKit, lived: Lived) => [path: string, body?: object]
}

const unused = { done: ['stopped', 'replaced'], isReplaced: true }
const marked = { stage: 'published', done: ['marked'] }
const someone = { firstName: 'Any', lastName: 'One', email: 'anyone@world.test', sex: 'F', dateOfBirth: '1970-01-01' }
const refuseRegistration: Outcome['refused'] = ({ id }) => [`/kits/${id}/register`, someone]

/** What becomes of a kit whose box is recalled, by where it is. */
const outcomes: Partial<Record<LivedKit['stage'], Outcome>> = {
  shipped: { ...unused, stage: 'withRecipient', refused: refuseRegistration },
  delivered: { ...unused, stage: 'withRecipient', refused: refuseRegistration },
  // Whom a box was sent to need not be who has it: nobody sends them another one unasked.
  registered: { stage: 'registered', done: ['stopped'] },
  received: { stage: 'atLaboratory', done: ['rejected'] },
  rejected: { stage: 'settled', done: [] },
  reported: { stage: 'inReview', done: ['held'], refused: (_, { reportId }) => [`/reports/${reportId}/publish`, {}] },
  published: marked,
  corrected: marked,
}

/** The lot of the box of a journey's first kit is recalled, when the kit has come as far as its plan says. */
export async function recall(lived: Lived, means: Means): Promise<void> {
  const { plan } = lived
  const { client, change, operate } = means
  const kit = lived.orders[0]?.kits[0]
  const outcome = kit && outcomes[kit.stage]
  if (!outcome) return
  const lot = { kind: 'kitLot', subject: GTIN, lot: recalledLot(lived) }
  const { body } = await operate('POST', '/recalls', { ...lot, reason: 'Not sterile', grade: 'II' })
  if (outcome.refused) {
    const [path, sent] = outcome.refused(kit, lived)
    const reply = await change('POST', path, sent, { expected: 409 })
    if (reply.body.code !== 'KIT_RECALLED') throw new Error(`${plan.name}: ${path} answered ${reply.body.code}`)
  }
  await untilDone(client, body.id)
  // Of an order without e-mails, who did not register is written to by nobody.
  const isTold = kit.isRegistered || plan.notify
  kit.recall = { stage: outcome.stage, done: [...outcome.done, ...(isTold ? ['told'] : [])] }
  if (outcome.done.includes('rejected')) reach(lived, kit, 'rejected')
  if (!outcome.isReplaced) return
  const shown = await client.business(lived.realm, 'GET', `/kits?kitID=${kit.id}`)
  await replacedBy(lived, kit, shown.body[0]?.replacedBy, means)
}

async function untilDone(client: WorldClient, id: string): Promise<void> {
  const read = async () => (await client.operator('GET', `/recalls/${id}`)).body
  for (const deadline = performance.now() + DONE_MS; (await read()).state !== 'done'; await delay(500)) {
    if (performance.now() > deadline) throw new Error(`the recall ${id} is not done`)
  }
}

/** At the end all other boxes are recalled, wherever their kits are: each is found, and none twice. */
export async function checkRecalls(_: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  for (const [business, own] of Map.groupBy(lives, ({ plan }) => plan.business)) {
    const boxes = own.filter(({ plan }) => !plan.isRecalled).flatMap((lived) => lived.boxes)
    const holders = boxes.flatMap(({ state, kitId }) => (state === 'bound' && kitId ? kitId : [])).sort()
    if (holders.length === 0) continue
    const wanted = { kind: 'kitLot', subject: GTIN, lot: `L${business}`, reason: 'Not sterile' }
    const { body } = await client.operator('POST', '/recalls', wanted, `recall-${business}`)
    await untilDone(client, body.id)
    const kits = await pagesOf(
      async (page) => (await client.operator('GET', `/recalls/${body.id}/kits?size=${SIZE}&page=${page}`)).body.data,
    )
    const found = kits.map(({ kitID }) => kitID).sort()
    if (found.join() !== holders.join()) wrong.push(`the recall of L${business} found ${found}, not ${holders}`)
    const replaced = kits.flatMap(({ replacedBy }) => replacedBy ?? [])
    const known = own.flatMap(kitsOf).map(({ id }) => id)
    if (new Set(replaced).size !== replaced.length) wrong.push(`the recall of L${business} sent one kit for two`)
    const left = kits.filter(({ due, stage }) => due || stage === undefined)
    if (left.length > 0) wrong.push(`the recall of L${business} left ${left.map(({ kitID }) => kitID)}`)
    for (const { kitID, replacedBy } of kits.filter((one) => one.replacedBy && !known.includes(one.replacedBy))) {
      const [shown] = (await client.business(`${business}l`, 'GET', `/kits?kitID=${replacedBy}`)).body
      if (shown?.replacementFor !== kitID) wrong.push(`${replacedBy} replaces ${shown?.replacementFor}, not ${kitID}`)
    }
  }
  return wrong
}
