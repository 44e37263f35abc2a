import type { Actor, Database, Realm } from '../database/tx.ts'
import type { Outside } from '../effects/outside.ts'
import type { Logger } from '../log.ts'
import type { JobDefinition, JobRun } from './job.ts'

/** What a job works with: it opens the transactions that it needs, as itself. */
export interface JobContext {
  database: Database
  actor: Actor
  /** Where the job talks to other systems on behalf of a realm. */
  outside(realm: Realm): Outside
  log: Logger
  run: JobRun
}

export type AppJob = JobDefinition<JobContext>
