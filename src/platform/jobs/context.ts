import type { Actor, Database, Realm } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import type { PortsOf, RealmPorts } from '../ports/realm-ports.ts'
import type { JobDefinition, JobRun } from './job.ts'

/** What a job works with. It opens the transactions that it needs, under its own name. */
export interface JobContext {
  database: Database
  actor: Actor
  /** The ports and transactions of a realm. */
  realmPorts(realm: Realm): RealmPorts
  /** The ports of a mode, for work that belongs to no realm. */
  portsOf: PortsOf
  log: Logger
  run: JobRun
}

export type AppJob = JobDefinition<JobContext>
