import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'
import type { Random } from '../random.ts'

const CONCURRENCY = 12
const CSV = Buffer.from('Test,Result,Unit\nGlucose,97,mg/dL\n').toString('base64')

export interface SoakLoad {
  /** How often each answer came. */
  answers: Map<string, number>
  /** Rounds that ended. */
  rounds(): number
  /** From now on, at most so many rounds a second. */
  setRate(perSecond: number): void
  stop(): Promise<void>
}

/** What a business does in a day, again and again: orders, lists, kits with their reports, documents, uploads. */
export function startLoad(url: string, tokens: { live: string; sandbox: string }, random: Random): SoakLoad {
  const live = caller(url, tokens.live)
  const sandbox = caller(url, tokens.sandbox)
  const answers = new Map<string, number>()
  let over = false
  let rounds = 0
  let everyMs = 0
  let nextAt = performance.now()
  let next = 0

  const count = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1)
  const ask = async (request: Promise<Reply>): Promise<Reply> => {
    const reply = await request
    const bare = reply.status === 503 && !reply.headers.has('retry-after') ? ' without Retry-After' : ''
    count(`${reply.status}${reply.status >= 400 ? ` ${reply.body.code}` : ''}${bare}`)
    if (reply.status >= 300 && reply.status !== 503)
      console.log(`${new Date().toISOString()} ${reply.status} ${reply.text}`)
    if (reply.status >= 300) throw new Unfinished()
    return reply
  }

  async function order(call: Caller): Promise<string> {
    const key = `soak-${next++}`
    const { body } = await ask(call.post('/create-order', anOrder({ externalID: key }), { 'idempotency-key': key }))
    const read = await ask(call.get(`/orders/${body.orderId}`))
    return read.body.kits[0].kitID
  }

  /** A kit of the sandbox up to its published report, which is read and printed; one in three also gets a document. */
  async function report(): Promise<void> {
    const kit = await order(sandbox)
    await ask(sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario: 'published' }))
    const { customerID } = (await ask(sandbox.get(`/kits/${kit}`))).body.kit
    const [first] = (await ask(sandbox.get(`/customers/${customerID}`))).body.reports
    await ask(sandbox.get(`/customers/${customerID}/reports/${first.id}`, { accept: 'application/pdf' }))
    if (random.fraction() > 1 / 3) return
    const upload = { type: 'file', userId: customerID, date: '2026-01-01', fileBlob: `data:text/csv;base64,${CSV}` }
    await ask(sandbox.post('/customer/add-data', upload))
  }

  async function work(): Promise<void> {
    while (!over) {
      nextAt = Math.max(nextAt, performance.now() - 1000) + everyMs
      await delay(Math.max(0, nextAt - performance.now()))
      const dice = random.fraction()
      try {
        if (dice < 0.8) await order(live)
        else if (dice < 0.9) await report()
        else for (const path of ['/orders?page=0&size=50', '/events?size=50', '/reports']) await ask(live.get(path))
        rounds++
      } catch (err) {
        if (!(err instanceof Unfinished)) {
          count(`no answer: ${(err as Error).message}`)
          console.log(new Date().toISOString(), err)
        }
        await delay(500)
      }
    }
  }
  const working = Promise.all(Array.from({ length: CONCURRENCY }, work))
  return {
    answers,
    rounds: () => rounds,
    setRate(perSecond) {
      everyMs = 1000 / perSecond
      nextAt = performance.now()
    },
    async stop() {
      over = true
      await working
    },
  }
}

/** The answer was counted; the round goes no further. */
class Unfinished extends Error {}
