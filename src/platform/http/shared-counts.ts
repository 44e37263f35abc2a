import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { sha256 } from '../crypto.ts'
import type { Database } from '../database/tx.ts'

interface Posted {
  /** What is counted, and who it is. */
  key: string
  /** How many more; 0 only asks. */
  add: number
  /** The rest of the window if no count exists yet. */
  leftMs: number
}

interface Total {
  count: number
  leftMs: number
}

/** Counts that all nodes share, each for a window of time. */
export interface SharedCounts {
  /** Adds what this node counted, in one statement, and returns what all nodes have, by key. @throws if the database is away */
  post(counts: readonly Posted[]): Promise<Map<string, Total>>
}

const CLEANED_EVERY_MS = 60_000

export function sharedCounts(database: Database, clock: Clock): SharedCounts {
  let cleanedAtMs = performance.now()
  return {
    async post(counts) {
      const byCaller = new Map(counts.map((one) => [sha256(one.key).toString('hex', 0, 16), one]))
      const rows = [...byCaller].map(([caller, { add, leftMs }]) => ({ caller, add, left_ms: leftMs }))
      const now = clock.now()
      const isCleaning = performance.now() - cleanedAtMs > CLEANED_EVERY_MS
      if (isCleaning) cleanedAtMs = performance.now()
      const found = await database.asSystem({ name: 'system' }, async (tx) => {
        if (isCleaning) await tx.run(sql`delete from request_counts where ends_at < ${now}`)
        // Sorted, so that two nodes never wait for each other.
        return tx.rows(sql<Total & { caller: string }>`
          insert into request_counts as c (caller, count, ends_at)
          select decode(v.caller, 'hex'), v.add, ${now}::timestamptz + v.left_ms * interval '1 ms'
          from json_to_recordset(${JSON.stringify(rows)}::json) as v(caller text, add int, left_ms float8) order by 1
          on conflict (caller) do update set
            count = excluded.count + case when c.ends_at > ${now} then c.count else 0 end,
            ends_at = case when c.ends_at > ${now} then least(c.ends_at, excluded.ends_at) else excluded.ends_at end
          returning encode(caller, 'hex') as caller, count,
            (extract(epoch from ends_at - ${now}::timestamptz) * 1000)::float8 as "leftMs"`)
      })
      return new Map(
        found.flatMap(({ caller, ...total }) => {
          const posted = byCaller.get(caller)
          return posted ? [[posted.key, total] as const] : []
        }),
      )
    },
  }
}

/** Counts failed attempts by network, for all nodes together. A window of time allows only so many. */
export class Attempts {
  readonly #kind: string
  readonly #limit: number
  readonly #windowMs: number
  readonly #shared: SharedCounts

  constructor(options: { kind: string; limit: number; windowMs: number; shared: SharedCounts }) {
    this.#kind = options.kind
    this.#limit = options.limit
    this.#windowMs = options.windowMs
    this.#shared = options.shared
  }

  async isSpent(ip: string): Promise<boolean> {
    return (await this.#post(ip, 0)) >= this.#limit
  }

  async count(ip: string): Promise<void> {
    await this.#post(ip, 1)
  }

  async #post(ip: string, add: number): Promise<number> {
    const key = `${this.#kind} ${networkOf(ip)}`
    const totals = await this.#shared.post([{ key, add, leftMs: this.#windowMs }])
    return totals.get(key)?.count ?? 0
  }
}

/** One household: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
