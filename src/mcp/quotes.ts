import { randomBase62 } from '../domain/ids.ts'
import { ToolRefusal } from './tools.ts'

/** What a quote answers of what placing would cost. */
export interface Priced {
  valid: boolean
  kits: number
  outcome: string
  payment?: string
  charge?: { amount: number; currency: string }
  credits: { type: string; needed: number }[]
}

export interface StoredQuote {
  id: string
  /** The body that was priced, and that will be placed. */
  body: unknown
  cost: string
  untilMs: number
  /** Whether it was sent to be placed, whatever came of it. */
  wasSent: boolean
}

const LIFE_MS = 10 * 60_000
// A bulk order has 10,000 rows: the bodies of more than this are too much to keep.
const MOST = 20

/** The newest quotes of one session, or of one realm, for ten minutes each. `now` is in milliseconds. */
export class Quotes {
  readonly #kept = new Map<string, StoredQuote>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether all of them are too old by now. */
  get areOver(): boolean {
    return [...this.#kept.values()].every(({ untilMs }) => untilMs <= this.#now())
  }

  keep(body: unknown, priced: Priced): StoredQuote {
    const oldest = [...this.#kept.keys()].slice(0, Math.max(0, this.#kept.size - MOST + 1))
    for (const id of oldest) this.#kept.delete(id)
    const id = `quote_${randomBase62(22)}`
    const quote = { id, body, cost: costOf(priced), untilMs: this.#now() + LIFE_MS, wasSent: false }
    this.#kept.set(id, quote)
    return quote
  }

  /** @throws ToolRefusal for one that is unknown here, or too old */
  find(id: unknown): StoredQuote {
    const quote = this.#kept.get(String(id))
    if (quote && quote.untilMs > this.#now()) return quote
    // A service that was started again knows no quote any more, nor whether it was sent.
    const wasSent = quote ? quote.wasSent && 'The order was sent once' : 'If you called createOrder with it before'
    const sent = wasSent ? ` ${wasSent}: look for it with listOrders, so that it is not placed twice.` : ''
    throw new ToolRefusal(
      `There is no such quote in this session, or it is older than ten minutes. Nothing was placed now.${sent} Call createQuote, and createOrder with the quoteID that it answers.`,
    )
  }
}

/** All that the person agrees to, as one text to compare. */
export function costOf({ outcome, payment, charge, kits, credits }: Priced): string {
  const needed = credits.map(({ type, needed }) => `${needed} ${type}`).toSorted()
  return JSON.stringify([outcome, payment, charge && [charge.amount, charge.currency], kits, needed])
}
