import type { Actor, Database } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import type { JobDefinition, JobRun } from './job.ts'

/** What a job works with: it opens the transactions that it needs, as itself. */
export interface JobContext {
  database: Database
  actor: Actor
  log: Logger
  run: JobRun
}

export type AppJob = JobDefinition<JobContext>
