import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { PgBoss, type QueueResult } from 'pg-boss'
import { findRoles } from '../database/roles.ts'
import { createClient, serverConfig } from '../database/server.ts'
import { MIGRATION_ANSWER_MS } from '../database/timeouts.ts'
import type { Logger } from '../log.ts'
import type { JobDefinition } from './job.ts'
import { reportTrouble } from './report-errors.ts'

// Any constant of our own: whoever holds it is the only one that installs.
const lockKey = 704_553_202

/**
 * Brings the schema `pgboss`, the queues, the schedules and the grants to what this release needs, as their owner.
 * Safe to repeat and to run twice at once; 0.1 s when there is nothing to do. The roles exist before (migrations).
 * Queues that are gone from the list stay, because they may hold jobs; their schedules go.
 */
export async function installJobs(
  ownerUrl: string,
  definitions: readonly JobDefinition<never>[],
  log: Logger,
): Promise<void> {
  const bounds = { query_timeout: MIGRATION_ANSWER_MS }
  const client = createClient(ownerUrl, { application_name: 'kitlane-install-jobs', ...bounds })
  client.on('error', (err) => log.warn({ err }, 'database connection lost'))
  await client.connect()
  const boss = new PgBoss({
    ...serverConfig(ownerUrl, bounds),
    max: 2,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  })
  reportTrouble(boss, log)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await boss.start()
    await buildIndexes(boss)
    await keepQueues(boss, definitions)
    await keepSchedules(boss, definitions)
    await grant(client)
  } finally {
    await boss.stop({ graceful: false })
    await client.end()
  }
}

/** One every 10 s at most. A migration of pg-boss leaves its index builds to a background task of the owner's; workers are not the owner. */
async function buildIndexes(boss: PgBoss): Promise<void> {
  for (;;) {
    const statuses = await boss.getBamStatus()
    if (statuses.some(({ status }) => status === 'failed')) throw new Error('pg-boss could not build an index')
    if (!statuses.some(({ status }) => status === 'pending' || status === 'in_progress')) return
    await delay(200)
  }
}

export interface QueueSettings {
  retryLimit: number
  retryDelay: number
  retryBackoff: boolean
  retryDelayMax: number
  expireInSeconds: number
  heartbeatSeconds: number
  deleteAfterSeconds: number
  notify: boolean
}

function queueSettings(definition: JobDefinition<never>): QueueSettings {
  return {
    retryLimit: definition.retryLimit,
    retryDelay: definition.retryDelaySeconds ?? 1,
    retryBackoff: true,
    retryDelayMax: definition.retryDelayMaxSeconds ?? 3600,
    expireInSeconds: definition.expireInSeconds,
    heartbeatSeconds: definition.heartbeatSeconds ?? 20,
    // Failed jobs stay a week to be looked at and tried again.
    deleteAfterSeconds: 7 * 24 * 3600,
    notify: true,
  }
}

async function keepQueues(boss: PgBoss, definitions: readonly JobDefinition<never>[]): Promise<void> {
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  for (const definition of definitions) {
    const settings = queueSettings(definition)
    const queue = present.get(definition.name)
    if (!queue) await boss.createQueue(definition.name, { ...settings, policy: 'standard' })
    else if (differs(queue, settings)) await boss.updateQueue(definition.name, settings)
  }
}

function differs(queue: QueueResult, settings: QueueSettings): boolean {
  return Object.entries(settings).some(([name, value]) => queue[name as keyof QueueSettings] !== value)
}

async function keepSchedules(boss: PgBoss, definitions: readonly JobDefinition<never>[]): Promise<void> {
  const present = await boss.getSchedules()
  for (const { name, cron } of definitions) {
    if (cron && !present.some((schedule) => schedule.name === name && schedule.cron === cron)) {
      await boss.schedule(name, cron, {}, { tz: 'UTC' })
    }
  }
  for (const { name } of present) {
    if (!definitions.some((definition) => definition.name === name && definition.cron)) await boss.unschedule(name)
  }
}

/**
 * Whoever begins transactions may use the queues: those across realms and of groups enqueue as well. Rows of every table, no DDL. `queue` is written too: the monitor's figures live there.
 * Only what is missing is granted.
 */
async function grant(client: Client): Promise<void> {
  const roles = await findRoles(client)
  if (!roles) throw new Error('the schema comes before the queues')
  for (const role of [roles.app, roles.system, roles.placement]) {
    const { rows } = await client.query(
      `select 1 from pg_class c where c.relnamespace = 'pgboss'::regnamespace and c.relkind in ('r', 'p')
         and not (has_schema_privilege($1, 'pgboss', 'usage')
           and has_table_privilege($1, c.oid, 'select') and has_table_privilege($1, c.oid, 'insert')
           and has_table_privilege($1, c.oid, 'update') and has_table_privilege($1, c.oid, 'delete'))
       limit 1`,
      [role],
    )
    if (rows.length === 0) continue
    await client.query(`grant usage on schema pgboss to ${role};
      grant select, insert, update, delete on all tables in schema pgboss to ${role};
      grant usage on all sequences in schema pgboss to ${role}`)
  }
}
