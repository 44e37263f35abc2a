import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { PgBoss, type QueueResult } from 'pg-boss'
import { findRoles } from '../database/roles.ts'
import { createClient, serverConfig } from '../database/server.ts'
import { MIGRATION_ANSWER_MS } from '../database/timeouts.ts'
import type { Logger } from '../log.ts'
import { reportTrouble } from './inspect.ts'
import type { JobDefinition } from './job.ts'

// An arbitrary constant: only its holder installs.
const lockKey = 704_553_202
// The name that pg-boss gives it.
const SEND_IT = '__pgboss__send-it'

/**
 * Installs the schema `pgboss`, queues, schedules and grants of this release, as their owner. Safe to repeat and to run
 * concurrently; takes 0.1 s if nothing is missing. Migrations create the roles first. A queue that left the list stays,
 * because it may hold jobs; its schedule is removed.
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
    await vacuumRarely(client)
    await takeRestored(client)
  } finally {
    await boss.stop({ graceful: false })
    await client.end()
  }
}

/** At most one every 10 s. pg-boss leaves the index builds of its migrations to a task of the owner; workers are not the owner. */
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
    // Failed jobs are kept for a week, to be inspected and retried.
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
  // Schedules put their jobs there first. pg-boss creates it without NOTIFY, and polls it.
  const sends = present.get(SEND_IT)
  if (!sends) await boss.createQueue(SEND_IT, { notify: true })
  else if (!sends.notify) await boss.updateQueue(SEND_IT, { notify: true })
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

/** pg-boss writes its counts into every row of `queue` all the time, almost always in place: autovacuum would come each minute. */
async function vacuumRarely(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_class where oid = 'pgboss.queue'::regclass and reloptions::text like '%autovacuum_vacuum_threshold%'`,
  )
  if (rows.length > 0) return
  await client.query(
    'alter table pgboss.queue set (autovacuum_vacuum_threshold = 2000, autovacuum_analyze_threshold = 2000)',
  )
}

/** Puts the jobs of a restored backup into their queues. Columns that this release of pg-boss does not know are left out. */
async function takeRestored(client: Client): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.restored_jobs') is not null as there`,
  )
  if (!rows[0]?.there) return
  await client.query(`do $$ declare
    columns text := (
      select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
      where a.attrelid = 'pgboss.job'::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and a.attname in (select jsonb_object_keys(job) from restored_jobs));
  begin
    if columns is not null then
      execute format('insert into pgboss.job (%1$s)
        select %1$s from (select (jsonb_populate_record(null::pgboss.job, job)).* from restored_jobs) j
        where j.name in (select name from pgboss.queue) on conflict do nothing', columns);
    end if;
    drop table restored_jobs;
  end $$`)
}

/**
 * Lets every role that opens transactions use the queues: rows of every table, no DDL. The table `queue` is written too,
 * since it holds the monitor's figures. Grants only what is missing.
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
