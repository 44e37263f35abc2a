import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder, aRow } from '../../test/harness/orders.ts'
import type { Random } from '../random.ts'

/** The final answer that the client got for one order. */
export interface OrderAnswer {
  key: string
  card: string
  status: number
  orderId?: string
  text: string
  sends: number
  tookMs: number
}

export interface ClientOptions {
  url: string
  token: string
  /** False for the negative control: a client that retries without an Idempotency-Key. */
  keyed: boolean
  /** Stops all retries when the proof ends. */
  over: AbortSignal
}

const RETRY_MS = 150
const cards = [
  ...Array.from({ length: 17 }, () => 'pm_card_visa'),
  'pm_card_lost_reply',
  'pm_card_lost_reply',
  'pm_card_declined',
]

/** Retries until the answer is final, as a careful client does. */
export async function retryUntilFinal(
  { url, token, keyed, over }: ClientOptions,
  path: string,
  body: unknown,
  key: string,
  seen: Map<string, number>,
): Promise<Reply & { sends: number }> {
  const { post } = caller(url, token)
  for (let sends = 1; ; sends++) {
    try {
      const reply = await post(path, body, keyed ? { 'idempotency-key': key } : {})
      count(seen, `${reply.status}${reply.status >= 400 ? ` ${reply.body.code}` : ''}`)
      const passes = reply.status >= 500 || reply.body.code === 'IDEMPOTENCY_CONFLICT' || reply.status === 429
      if (!passes) return { ...reply, sends }
    } catch {
      count(seen, 'connection lost')
    }
    await delay(RETRY_MS, undefined, { signal: over })
  }
}

const count = (seen: Map<string, number>, what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

/** Places card orders with a fixed concurrency. Starts at most `allowed` of them. */
export class CardOrders {
  readonly answers: OrderAnswer[] = []
  readonly seen = new Map<string, number>()
  readonly done: Promise<void>
  allowed = 0
  #next = 0

  constructor(
    options: ClientOptions,
    total: number,
    random: Random,
    { concurrency = 32, choices = cards }: { concurrency?: number; choices?: readonly string[] } = {},
  ) {
    const orders = Array.from({ length: total }, (_, index) => ({ key: `card-${index}`, card: random.pick(choices) }))
    const work = async () => {
      for (;;) {
        const order = this.#next < this.allowed ? orders[this.#next++] : undefined
        if (order) this.answers.push(await place(options, order, this.seen))
        else if (this.#next >= total) return
        else await delay(10, undefined, { signal: options.over })
      }
    }
    this.done = Promise.allSettled(Array.from({ length: concurrency }, work)).then(() => {})
  }
}

async function place(
  options: ClientOptions,
  { key, card }: { key: string; card: string },
  seen: Map<string, number>,
): Promise<OrderAnswer> {
  const since = performance.now()
  const body = anOrder({ paymentMethod: card, externalID: key })
  const { status, body: answer, text, sends } = await retryUntilFinal(options, '/create-order', body, key, seen)
  return { key, card, status, orderId: answer.orderId, text, sends, tookMs: performance.now() - since }
}

export interface Job {
  id: string
  rows: number
}

/** Starts a bulk job. Each row's external ID holds the job's name and the row's number. */
export async function startJob(options: ClientOptions, name: string, rows: number, flags: object): Promise<Job> {
  const bulkUploadData = Array.from({ length: rows }, (_, row) => aRow({ external_id: `${name}-${row}` }))
  const reply = await retryUntilFinal(options, '/create-order', { bulkUploadData, ...flags }, `key-${name}`, new Map())
  if (reply.status !== 202) throw new Error(`the bulk job was refused: ${reply.text}`)
  return { id: reply.body.jobId, rows }
}
