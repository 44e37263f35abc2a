import { setTimeout as delay } from 'node:timers/promises'
import { postLate } from '../lab-orders/late.ts'
import { randomOf } from '../random.ts'
import { checkBoxes } from './check-boxes.ts'
import { checkEvents } from './check-events.ts'
import { checkLab } from './check-lab.ts'
import { checkOrders } from './check-orders.ts'
import { checkPeople } from './check-people.ts'
import { WorldClient } from './client.ts'
import { strike } from './faults.ts'
import { figuresOf } from './figures.ts'
import { type Cards, live } from './journey.ts'
import type { Lived } from './model.ts'
import type { WorldPlan } from './plan.ts'
import { checkRecalls } from './recall.ts'
import { settle } from './settle.ts'
import { type Stack, startStack } from './stack.ts'

const CONCURRENCY = 12
/** The laboratory says what it says later in two seconds of ten: much else is said before. */
const ANSWERS_IN = { ms: 2000, of: 10_000 }

export interface WorldResult {
  /** Everything that is lost, doubled, leaked, wrong or refused. Empty: the world is right. */
  wrong: string[]
  figures: Record<string, number>
  answers: Record<string, number>
  seconds: number
}

/** Lives through a whole plan with its faults, waits until all is quiet, and compares every interface with the model. */
export async function runWorld(
  plan: WorldPlan,
  { bin, checkout, say }: { bin: string; checkout: string; say(line: string): void },
): Promise<WorldResult> {
  const since = performance.now()
  const stack = await startStack({ seed: plan.seed, bin, checkout })
  const passed = (what: string) => say(`  ${what} after ${Math.round((performance.now() - since) / 1000)} s`)
  try {
    passed('begun')
    const client = new WorldClient(stack)
    const cards = await cardsOf(stack, client)
    const lives: Lived[] = []
    const wrong: string[] = []
    let ended = 0
    let next = 0
    const work = async () => {
      for (let journey = plan.journeys[next++]; journey; journey = plan.journeys[next++]) {
        const given = cards.get(`${journey.business}${journey.mode[0]}`)
        try {
          if (given) lives.push(await live(journey, stack, client, given))
        } catch (err) {
          wrong.push(err instanceof Error ? err.message : String(err))
        }
        ended++
      }
    }
    let isOver = false
    const quiet = new AbortController()
    const answering = postLate(
      {
        laboratory: stack.laboratory,
        operator: { post: (path, body, headers) => client.operator('POST', path, body, undefined, headers) },
        random: randomOf(plan.seed + 2000),
        keptBack: () => (isOver || performance.now() % ANSWERS_IN.of < ANSWERS_IN.ms ? 0 : Number.POSITIVE_INFINITY),
      },
      quiet.signal,
    )
    const faults = (async () => {
      for (const [index, planned] of plan.faults.entries()) {
        while (!isOver && ended < planned.at * plan.journeys.length) await delay(20)
        say(`  after ${ended} journeys: ${planned.fault}, ${planned.seconds} s`)
        await strike(stack, planned, index)
        stack.hurry.struckAt = new Date()
      }
    })()
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    isOver = true
    await faults
    passed('lived')
    await Promise.all(stack.nodes.map((node) => node.untilReady()))
    wrong.push(...(await settle(stack)).map((left) => `not settled: ${left}`))
    quiet.abort()
    passed('settled')
    const untaken = await answering
    if (untaken > 0) wrong.push(`${untaken} answers of the laboratory were not taken`)
    for (const check of [checkOrders, checkBoxes, checkLab, checkEvents, checkPeople, checkRecalls])
      wrong.push(...(await check(stack, client, lives)))
    wrong.push(...client.watch.breaches)
    const answers = Object.fromEntries([...client.watch.answers].sort())
    const figures = await figuresOf(stack, client, plan, lives)
    return { wrong, figures, answers, seconds: Math.round((performance.now() - since) / 1000) }
  } finally {
    await stack.stop()
  }
}

/** Two cards of each business: one that pays and one that is declined. In the sandbox they have names of their own. */
async function cardsOf(stack: Stack, client: WorldClient): Promise<Map<string, Cards>> {
  const cards = new Map<string, Cards>()
  for (const { name } of stack.realms.values()) {
    if (name.endsWith('s')) cards.set(name, { good: 'pm_card_visa', declined: 'pm_card_declined' })
    else {
      const made = async (id: string) => {
        const { status, body, text } = await client.business(name, 'POST', '/payment-methods', { id })
        if (status !== 201) throw new Error(`a card was refused: ${text}`)
        return body.id as string
      }
      cards.set(name, { declined: await made('pm_card_declined'), good: await made('pm_card_visa') })
    }
  }
  return cards
}
