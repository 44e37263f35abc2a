import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'

/** Something that took long, while it was seen. */
export interface Seen {
  /** Seconds since the start. */
  at: number
  /** The work and what it waited for: `commit, IO:WalSync`. */
  what: string
  ms: number
}

export interface Watched {
  seen: Seen[]
  /** The longest delay of the event loop in each second, in milliseconds. */
  loop: number[]
}

// Twenty looks a second cost some 2 % of a core.
const LOOK_MS = 50
const LONG_MS = 20

const activity = `
  select pid || ' ' || coalesce(xact_start, query_start) as key,
    coalesce(nullif(backend_type, 'client backend') || ' ', '') || left(regexp_replace(query, '\\s+', ' ', 'g'), 70)
      || coalesce(', ' || wait_event_type || ':' || wait_event, ', running') as what,
    (extract(epoch from clock_timestamp() - case when backend_type = 'client backend' then query_start else state_change end) * 1000)::float8 as ms
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query not ilike 'listen%'
    and clock_timestamp() - query_start > ${LONG_MS} * interval '1 millisecond'`

/** Looks for long statements and delays of the event loop until it is stopped. */
export async function watch({
  superUrl,
  metrics,
}: {
  superUrl: string
  metrics: string
}): Promise<() => Promise<Watched>> {
  const client = new Client({ connectionString: superUrl, application_name: 'bench-watch' })
  await client.connect()
  const started = performance.now()
  const longest = new Map<string, Seen>()
  const loop: number[] = []
  let over = false
  const statements = async () => {
    for (; !over; await delay(LOOK_MS)) {
      const { rows } = await client.query<{ key: string; what: string; ms: number }>(activity)
      const at = (performance.now() - started) / 1000
      // The last look at a statement knows best how long it took.
      for (const { key, what, ms } of rows) longest.set(key, { at, what, ms })
    }
  }
  const delays = async () => {
    for (; !over; await delay(1000 - ((performance.now() - started) % 1000))) {
      const text = await (await fetch(metrics)).text()
      const ms = Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000
      loop[Math.floor((performance.now() - started) / 1000)] = ms
    }
  }
  const watching = [statements(), delays()]
  return async () => {
    over = true
    await Promise.all(watching)
    await client.end()
    return { seen: [...longest.values()], loop: Array.from(loop, (ms = 0) => ms) }
  }
}
