// The load generator. It runs in its own process and uses plain sockets, with one request at a time on each.
import { type CpuCost, cpuCost, readCpu, type Watched } from './cpu.ts'
import { Connection } from './http-connection.ts'
import { requestSource, type Template } from './http-requests.ts'
import { Latencies, type Second } from './latencies.ts'

export interface Load {
  port: number
  connections: number
  seconds: number
  /** Requests per second over all connections, whatever the answers. Without it each answer triggers a request. */
  rate?: number
  requests: Template[]
  /** Sends each request with a unique Idempotency-Key that starts with this prefix. */
  keyed?: string
  /** Whose CPU time is measured. */
  watched?: Watched
}

export interface LoadResult {
  answers: number
  /** Answers per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  max: number
  bySecond: Second[]
  failures: number
  /** The text of the first refusal. */
  refusal?: string
  cpu?: CpuCost
}

async function run({ port, connections, seconds, rate, requests, keyed, watched }: Load): Promise<LoadResult> {
  const next = requestSource(requests, { keyed, inFlight: connections })
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)))
  const latencies = new Latencies()
  let failures = 0
  let refusal: string | undefined
  const before = watched && readCpu(watched)
  const own = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1000

  const note = (ok: boolean, since: number, text: string) => {
    const now = performance.now()
    if (ok) return latencies.note(now - started, now - since)
    failures++
    refusal ??= text.slice(0, 2000)
  }
  if (rate === undefined) await Promise.all(opened.map((connection) => untilEnd(connection, end, next, note)))
  else await atRate(rate, opened, end, next, note)

  const elapsed = performance.now() - started
  const { user, system } = process.cpuUsage(own)
  const cpu = before && watched && cpuCost(before, readCpu(watched), user + system, latencies.count)
  for (const connection of opened) connection.close()
  return {
    answers: latencies.count,
    rate: latencies.count / (elapsed / 1000),
    ...latencies.summary(),
    bySecond: latencies.bySecond(elapsed),
    failures,
    ...(refusal !== undefined && { refusal }),
    ...(cpu && { cpu }),
  }
}

type Note = (ok: boolean, since: number, text: string) => void

/** Sends the next request when the last one is answered. */
function untilEnd(connection: Connection, end: number, next: () => Buffer, note: Note): Promise<void> {
  return new Promise((resolve) => {
    let since = 0
    const answered = (ok: boolean, text: string) => {
      note(ok, since, text)
      go()
    }
    const go = () => {
      since = performance.now()
      if (since >= end) return resolve()
      connection.send(next(), answered)
    }
    go()
  })
}

/** Sends each request when it is due, or when a connection becomes free. Latency counts from the due time. */
function atRate(rate: number, connections: Connection[], end: number, next: () => Buffer, note: Note): Promise<void> {
  const free = [...connections]
  const due: number[] = []
  const gap = 1000 / rate
  let time = performance.now()
  return new Promise((resolve) => {
    const flush = () => {
      while (due.length > 0) {
        // In turns, so that none is idle until the service closes it.
        const connection = free.shift()
        if (!connection) return
        const since = due.shift() ?? 0
        connection.send(next(), (ok, text) => {
          note(ok, since, text)
          free.push(connection)
          flush()
        })
      }
    }
    const tick = () => {
      const now = performance.now()
      if (now >= end) {
        due.length = 0
        return free.length === connections.length ? resolve() : void setTimeout(tick, 5)
      }
      for (; time <= now; time += gap) due.push(time)
      flush()
      setTimeout(tick, 1)
    }
    tick()
  })
}

process.on('message', async (load: Load) => {
  const result = await run(load)
  process.send?.(result, () => process.disconnect())
})
