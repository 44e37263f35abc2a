import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { createCluster, POSTGRES_15 } from '../../test/harness/debian-cluster.ts'
import { freePort } from '../../test/harness/free-port.ts'
import type { Running } from '../../test/harness/kitlane.ts'

/** A PostgreSQL server with the login of Kitlane and its database `kitlane`. */
export interface Server {
  ownerUrl: string
  superUrl: string
  stop(): Promise<void>
}

/** The embedded one, or Debian's PostgreSQL 15 with a login that may make roles and nothing else. */
export async function openServer(kind: 'embedded' | 'external', folder: string): Promise<Server> {
  if (kind === 'embedded') return openEmbedded({ dataDir: folder })
  const cluster = await createCluster(POSTGRES_15)
  const port = await freePort()
  cluster.start(port, '')
  const server = {
    ownerUrl: `postgres://kitlane_owner@127.0.0.1:${port}/kitlane`,
    superUrl: `postgres://kitlane@127.0.0.1:${port}/postgres`,
    async stop() {
      cluster.stop()
      await cluster.remove()
    },
  }
  await asSuper(server, 'postgres', 'create role kitlane_owner login createrole')
  await emptyDatabase(server, 'kitlane')
  return server
}

export async function emptyDatabase(server: Server, name: string): Promise<string> {
  await asSuper(server, 'postgres', `create database ${name} owner kitlane_owner`)
  return server.ownerUrl.replace(/\/kitlane$/, `/${name}`)
}

const asSuper = (server: Server, database: string, text: string) =>
  ask(server.superUrl.replace(/\/postgres$/, `/${database}`), text)

export const asSystem = <T extends object = object>(url: string, text: string): Promise<T[]> =>
  ask<T>(url, text, 'set role kitlane_system')

export const tablesIn = async (url: string): Promise<number> =>
  (await ask(url, `select 1 from pg_class where relnamespace = 'public'::regnamespace`)).length

async function ask<T extends object>(url: string, text: string, first?: string): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    if (first) await client.query(first)
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

/** While the restore builds its indexes, one table loses its protection. */
export async function losePolicies(server: Server, database: string): Promise<void> {
  await asSuper(
    server,
    database,
    `create schema fault; grant usage on schema fault to public;
     create function fault.lose() returns event_trigger language plpgsql as $$ begin
       if to_regclass('public.kits') is not null then alter table public.kits disable row level security; end if;
     end $$;
     create event trigger lose on ddl_command_end when tag in ('CREATE INDEX') execute function fault.lose()`,
  )
}

/** The most memory that a process had, in MB, as Linux counts it; 0 where nobody does. */
export async function peakOf({ child, ended }: Running): Promise<number> {
  let peak = 0
  let over = false
  void ended.then(() => {
    over = true
  })
  while (!over) {
    try {
      const status = readFileSync(join('/proc', String(child.pid), 'status'), 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    } catch {
      // It has ended.
    }
    await Promise.race([ended, delay(100)])
  }
  return Math.round(peak / 1000)
}
