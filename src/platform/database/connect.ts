import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { StartError } from '../../domain/errors.ts'
import type { SecretKey } from '../crypto.ts'
import type { Logger } from '../log.ts'
import { assertEncryptionKey } from './encryption-key-id.ts'
import { askOnce, createPool } from './pool.ts'
import { openReplica, type Replica } from './replica.ts'
import { findRoles, type Roles } from './roles.ts'
import { createClient } from './server.ts'

/** The URLs of the database: for its owner (migrations), for the program, and past any pooler (LISTEN). */
export interface DatabaseUrls {
  owner: string
  app: string
  direct: string
  /** A streaming standby, for reads; its login is that of `app`. */
  replica?: string | undefined
  /** `app` logs in as the owner: its connections take on the role of the program. */
  asOwner?: boolean
}

/**
 * DATABASE_URL alone logs in as the owner and takes on the program's role. With DATABASE_DIRECT_URL that one is the owner's,
 * and DATABASE_URL (a pooler, which cannot keep a role) has to log in as a member of that role.
 */
export function databaseUrls(databaseUrl: string, directUrl?: string, replica?: string): DatabaseUrls {
  return directUrl
    ? { owner: directUrl, app: databaseUrl, direct: directUrl, replica }
    : { owner: databaseUrl, app: databaseUrl, direct: databaseUrl, replica, asOwner: true }
}

const POOL_SIZE = 10
const CLOSE_MS = 2000

/** What every transaction needs to know about its connection. */
export interface Connected {
  pool: Pool
  replica: Replica | undefined
  roles: Roles
  /** Behind PgBouncer: each transaction may use another server connection. */
  pooled: boolean
}

/** Opens the program's pool. @throws StartError if its role bypasses row-level security, or if the database was sealed with another key. */
export async function connect(urls: DatabaseUrls, log: Logger, keys: readonly SecretKey[] = []): Promise<Connected> {
  const roles = await rolesAt(urls.direct)
  const pooled = urls.direct !== urls.app
  const pool = createPool({ url: urls.app, role: urls.asOwner ? roles.app : undefined, pooled, max: POOL_SIZE, log })
  try {
    await assertRole(pool, pooled, roles)
    await assertEncryptionKey(pool, keys)
    return { pool, replica: replicaOf(urls, pool, roles, pooled, log), roles, pooled }
  } catch (err) {
    await pool.end()
    throw err
  }
}

/** Waits at most 2 s for a server that does not answer. */
export async function closePools({ pool, replica }: Pick<Connected, 'pool' | 'replica'>): Promise<void> {
  await Promise.race([Promise.all([pool.end(), replica?.close()]), delay(CLOSE_MS, undefined, { ref: false })])
}

/** Connects at its first use: a replica that is away keeps nobody from starting. */
function replicaOf(
  { replica: url, asOwner }: DatabaseUrls,
  primary: Pool,
  roles: Roles,
  pooled: boolean,
  log: Logger,
): Replica | undefined {
  if (url === undefined) return undefined
  const pool = createPool({ url, role: asOwner ? roles.app : undefined, pooled, max: POOL_SIZE, log })
  return openReplica(primary, pool, log)
}

/** The one connection that keys are read by: who waits for a key may hold all others. */
export const keyPool = (urls: DatabaseUrls, { roles, pooled }: Connected, log: Logger): Pool =>
  createPool({ url: urls.app, role: urls.asOwner ? roles.app : undefined, pooled, max: 1, log })

async function rolesAt(url: string): Promise<Roles> {
  const client = createClient(url, { application_name: 'kitlane' })
  client.on('error', () => {
    // The failed query reports it.
  })
  await client.connect()
  try {
    const roles = await findRoles(client)
    if (!roles) throw new StartError('The database is empty. Run: kitlane migrate')
    return roles
  } finally {
    await client.end()
  }
}

async function assertRole(pool: Pool, pooled: boolean, roles: Roles): Promise<void> {
  const [role] = await askOnce<{ name: string; unsafe: boolean; owner: boolean }>(
    pool,
    pooled,
    `select current_user as name, rolsuper or rolbypassrls as unsafe,
           exists (select from pg_class where relname = 'realms' and relowner = pg_roles.oid) as owner
    from pg_roles where rolname = current_user`,
  )
  if (!role || role.unsafe || role.owner) {
    throw new StartError(
      `The program must not work as "${role?.name}": as owner or superuser it would pass row-level security. ` +
        `Let DATABASE_URL log in as a member of ${roles.app}, or leave DATABASE_DIRECT_URL out.`,
    )
  }
}
