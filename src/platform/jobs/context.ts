import type { Actor, Database, Realm } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import type { PortsOf, RealmPorts } from '../ports/realm-ports.ts'
import type { JobDefinition, JobRun } from './job.ts'

/** What a job works with: it opens the transactions that it needs, as itself. */
export interface JobContext {
  database: Database
  actor: Actor
  /** Where the job talks to other systems on behalf of a realm. */
  realmPorts(realm: Realm): RealmPorts
  /** The other systems of a mode, for what belongs to no realm. */
  portsOf: PortsOf
  log: Logger
  run: JobRun
}

export type AppJob = JobDefinition<JobContext>
