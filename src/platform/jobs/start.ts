import { type Job, PgBoss, type SendOptions } from 'pg-boss'
import { Histogram } from 'prom-client'
import { StartError } from '../../domain/errors.ts'
import type { Clock } from '../clock.ts'
import { IDLE_MS } from '../database/pool.ts'
import { serverConfig } from '../database/server.ts'
import { JOBS_ANSWER_MS } from '../database/timeouts.ts'
import { describeError, type Logger } from '../log.ts'
import { processFigures } from '../process-figures.ts'
import { traced, traceparent } from '../tracing.ts'
import { reportTrouble } from './inspect.ts'
import type { JobDefinition, JobRun } from './job.ts'

const jobSeconds = new Histogram({
  name: 'kitlane_job_seconds',
  help: 'How long runs of jobs took; retried: failed, and tried again; failed: given up.',
  labelNames: ['queue', 'outcome'],
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  registers: [processFigures],
})

const SUPERVISE_EVERY_SECONDS = 30
// Workers are woken, by NOTIFY or by `wakeForDue`. Should both fail they look for themselves.
const POLLING = { pollingIntervalSeconds: 600, notifyPollingIntervalSeconds: 600 }
// What a connection that listens no longer hears, `wakeForDue` finds.
const LISTEN_CHECK_MS = 60_000

export interface JobClient {
  query(sql: string, params: unknown[]): Promise<{ rows: unknown[] }>
}

export interface EnqueueOptions {
  /** The earliest start, by the injected clock. Passed to pg-boss as a delay, so that the database's clock may differ. */
  startAfter?: Date
  /** Higher first; default 0. */
  priority?: number
}

export interface Jobs {
  /** Adds a job in the client's transaction: it exists once that commits. Returns its ID. */
  enqueue(client: JobClient, name: string, input: unknown, options?: EnqueueOptions): Promise<string>
  /** The same for many inputs, in one statement. */
  enqueueMany(client: JobClient, name: string, inputs: readonly unknown[], options?: EnqueueOptions): Promise<void>
  /** Takes no new jobs, waits for the running ones, then returns the rest to the queue. */
  stop(options: { timeoutMs: number }): Promise<void>
}

export interface StartJobs<Context> {
  appUrl: string
  /** The program's role. Connections that log in as the owner switch to it; past a pooler they always do. */
  role: string
  asOwner?: boolean | undefined
  /** A URL past the pooler: workers LISTEN, which a pooler in transaction mode does not support. */
  directUrl?: string
  log: Logger
  clock: Clock
  queues: readonly JobDefinition<Context>[]
  /** False: only enqueue. */
  work: boolean
  context(run: JobRun): Context
}

/**
 * Starts the queue and, with `work`, runs jobs. A new job starts within milliseconds of its commit (NOTIFY), a delayed
 * job within 2 s, the job of a killed worker within a minute (heartbeat of 20 s, checked every 30 s).
 */
export async function startJobs<Context>(options: StartJobs<Context>): Promise<Jobs> {
  const { log, clock, queues, work } = options
  const direct = work ? options.directUrl : undefined
  const role = direct || options.asOwner ? options.role : undefined
  const boss = new PgBoss({
    // pg-boss passes unknown options to `pg`.
    ...serverConfig(direct ?? options.appUrl, { role, query_timeout: JOBS_ANSWER_MS }),
    ...{ idleTimeoutMillis: IDLE_MS },
    application_name: 'kitlane-jobs',
    max: work ? 5 : 2,
    // The schema belongs to the owner: see installJobs.
    migrate: false,
    reindex: false,
    supervise: work,
    schedule: work,
    useListenNotify: work,
    superviseIntervalSeconds: SUPERVISE_EVERY_SECONDS,
    monitorIntervalSeconds: SUPERVISE_EVERY_SECONDS,
    notifyHeartbeatIntervalMs: LISTEN_CHECK_MS,
    // Alerts of our own watch old transactions: docs/runbooks.md.
    monitorVacuum: false,
    // No job waits for another one.
    flowIntervalSeconds: 24 * 3600,
    // Jobs of a schedule pass through a queue of pg-boss, which announces them too: see installJobs.
    cronWorkerIntervalSeconds: 45,
  })
  let stopWaking = () => {}
  reportTrouble(boss, log)
  try {
    await boss.start()
    if (work) stopWaking = await startWorkers(boss, options)
  } catch (error) {
    await boss.stop({ graceful: false })
    if (error instanceof Error && /not installed|requires migrations|does not exist/.test(error.message)) {
      throw new StartError('The job queue is not at the version of this release. Run: kitlane migrate', {
        cause: error,
      })
    }
    throw error
  }

  const definitions = new Map(queues.map((definition) => [definition.name, definition]))
  function checked(name: string, input: unknown): object {
    const definition = definitions.get(name)
    if (!definition) throw new Error(`There is no job ${name}`)
    return definition.input.parse(input) as object
  }
  function placed(enqueue: EnqueueOptions | undefined): Pick<SendOptions, 'startAfter' | 'priority'> {
    const { startAfter, priority = 0 } = enqueue ?? {}
    if (!startAfter) return { priority }
    return { priority, startAfter: Math.max(0, (startAfter.getTime() - clock.now().getTime()) / 1000) }
  }
  const through = (client: JobClient) => ({
    executeSql: (text: string, values?: unknown[]) => client.query(text, values ?? []),
  })

  return {
    async enqueue(client, name, input, enqueue) {
      const id = await boss.send(name, withTrace(checked(name, input)), { ...placed(enqueue), db: through(client) })
      if (!id) throw new Error(`The job ${name} was not enqueued`)
      return id
    },
    async enqueueMany(client, name, inputs, enqueue) {
      if (inputs.length === 0) return
      const jobs = inputs.map((input) => ({ data: withTrace(checked(name, input)), ...placed(enqueue) }))
      await boss.insert(name, jobs, { db: through(client) })
    },
    stop({ timeoutMs }) {
      stopWaking()
      return boss.stop({ graceful: true, timeout: timeoutMs })
    },
  }
}

const EVERY_MS = 2000

// One short scan of an index for each queue, however many jobs wait.
const DUE = `
  select q.name from unnest($1::text[]) q (name)
  where exists (
    select from pgboss.job j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`

/**
 * Wakes the workers of queues with due jobs. NOTIFY announces new jobs at once; this finds retries and delayed jobs, and
 * those whose announcement was lost. One statement for all queues: workers that each ask for themselves cost an idle
 * service 20 transactions a second.
 */
function wakeForDue(boss: PgBoss, workers: ReadonlyMap<string, readonly string[]>, log: Logger): () => void {
  const names = [...workers.keys()]
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look(): Promise<void> {
    try {
      const { rows } = await boss.getDb().executeSql(DUE, [names])
      for (const { name } of rows as { name: string }[]) {
        for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
      }
    } catch (err) {
      if (!stopped) log.warn({ err }, 'due jobs cannot be looked for')
    }
    // After the answer: while the database does not answer, no second question waits behind the first.
    if (!stopped) wait()
  }

  const wait = () => {
    timer = setTimeout(() => void look(), EVERY_MS).unref()
  }
  wait()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

/** Returns what ends waking them. */
async function startWorkers<Context>(boss: PgBoss, options: StartJobs<Context>): Promise<() => void> {
  const started = options.queues.map(
    async (definition) => [definition.name, await startWorkersOf(boss, definition, options)] as const,
  )
  return wakeForDue(boss, new Map(await Promise.all(started)), options.log)
}

async function startWorkersOf<Context>(
  boss: PgBoss,
  definition: JobDefinition<Context>,
  options: StartJobs<Context>,
): Promise<string[]> {
  const workers: string[] = []
  for (let i = 0; i < (definition.concurrency ?? 1); i++) {
    const worker = await boss.work<object>(definition.name, POLLING, async ([found]) => {
      if (!found) return
      await runJob(definition, found, options)
      // One NOTIFY announces all jobs of a transaction, so a worker that finishes one looks for the next at once.
      if (!definition.cron) boss.notifyWorker(worker)
    })
    workers.push(worker)
  }
  return workers
}

async function runJob<Context>(
  definition: JobDefinition<Context>,
  found: Job<object>,
  options: StartJobs<Context>,
): Promise<void> {
  const attempt = found.retryCount + 1
  const log = options.log.child({ jobId: found.id, queue: definition.name, attempt })
  const run: JobRun = {
    id: found.id,
    name: definition.name,
    attempt,
    last: found.retryCount >= definition.retryLimit,
    signal: found.signal,
    log,
  }
  const started = performance.now()
  const note = (outcome: 'done' | 'retried' | 'failed') =>
    jobSeconds.observe({ queue: definition.name, outcome }, (performance.now() - started) / 1000)
  try {
    const { [TRACE]: parent, ...data } = found.data as Record<string, unknown>
    const input = definition.input.parse(data)
    await traced(
      () => ({
        name: `job ${definition.name}`,
        kind: 'consumer',
        ...(typeof parent === 'string' && { parent }),
        attributes: { 'kitlane.job_id': found.id, 'kitlane.attempt': attempt },
      }),
      () => definition.handler(options.context(run), input),
    )
    note('done')
    log.debug({ durationMs: Math.round(performance.now() - started) }, 'job done')
  } catch (error) {
    note(run.last ? 'failed' : 'retried')
    log[run.last ? 'error' : 'warn']({ err: error, durationMs: Math.round(performance.now() - started) }, 'job failed')
    // pg-boss stores the error with the job: the allow-list of the log applies.
    throw new JobFailed(error)
  }
}

// Beside the input, which its schema takes without: workers of the version before ignore it.
const TRACE = 'traceparent'

function withTrace(data: object): object {
  const trace = traceparent()
  return trace === undefined ? data : { ...data, [TRACE]: trace }
}

class JobFailed extends Error {
  readonly reason: object
  constructor(error: unknown) {
    super('job failed')
    this.name = 'JobFailed'
    this.reason = describeError(error)
  }
}
