import { type Job, PgBoss, type SendOptions } from 'pg-boss'
import { StartError } from '../../domain/errors.ts'
import type { Clock } from '../clock.ts'
import { serverConfig } from '../database/server.ts'
import { JOBS_ANSWER_MS } from '../database/timeouts.ts'
import type { Logger } from '../log.ts'
import { describeError } from '../log-errors.ts'
import type { JobDefinition, JobRun } from './job.ts'
import { reportTrouble } from './report-errors.ts'

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
 * job within 2 s, the job of a killed worker within a minute (heartbeat of 20 s, checked every 10 s).
 */
export async function startJobs<Context>(options: StartJobs<Context>): Promise<Jobs> {
  const { log, clock, queues, work } = options
  const direct = work ? options.directUrl : undefined
  const role = direct || options.asOwner ? options.role : undefined
  const boss = new PgBoss({
    // pg-boss passes unknown options to `pg`.
    ...serverConfig(direct ?? options.appUrl, { role, query_timeout: JOBS_ANSWER_MS }),
    application_name: 'kitlane-jobs',
    max: work ? 6 : 2,
    // The schema belongs to the owner: see installJobs.
    migrate: false,
    reindex: false,
    supervise: work,
    schedule: work,
    useListenNotify: work,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })
  reportTrouble(boss, log)
  try {
    await boss.start()
    if (work) await Promise.all(queues.map((definition) => startWorkers(boss, definition, options)))
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
      const id = await boss.send(name, checked(name, input), { ...placed(enqueue), db: through(client) })
      if (!id) throw new Error(`The job ${name} was not enqueued`)
      return id
    },
    async enqueueMany(client, name, inputs, enqueue) {
      if (inputs.length === 0) return
      const jobs = inputs.map((input) => ({ data: checked(name, input), ...placed(enqueue) }))
      await boss.insert(name, jobs, { db: through(client) })
    },
    stop: ({ timeoutMs }) => boss.stop({ graceful: true, timeout: timeoutMs }),
  }
}

async function startWorkers<Context>(
  boss: PgBoss,
  definition: JobDefinition<Context>,
  options: StartJobs<Context>,
): Promise<void> {
  const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 }
  for (let i = 0; i < (definition.concurrency ?? 1); i++) {
    const worker = await boss.work<object>(definition.name, polling, async ([found]) => {
      if (!found) return
      await runJob(definition, found, options)
      // One NOTIFY announces all jobs of a transaction, so a worker that finishes one looks for the next at once.
      boss.notifyWorker(worker)
    })
  }
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
  try {
    await definition.handler(options.context(run), definition.input.parse(found.data))
    log.debug({ durationMs: Math.round(performance.now() - started) }, 'job done')
  } catch (error) {
    log[run.last ? 'error' : 'warn']({ err: error, durationMs: Math.round(performance.now() - started) }, 'job failed')
    // pg-boss stores the error with the job: the allow-list of the log applies.
    throw new JobFailed(error)
  }
}

class JobFailed extends Error {
  readonly reason: object
  constructor(error: unknown) {
    super('job failed')
    this.name = 'JobFailed'
    this.reason = describeError(error)
  }
}
