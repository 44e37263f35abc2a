import type { Pool } from 'pg'
import { StartError } from '../../domain/errors.ts'
import type { SecretKey } from '../crypto.ts'
import type { Logger } from '../log.ts'
import { createPool, limits } from './pool.ts'
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

/**
 * Compares the keys, the newest first, with the one that sealed this database's secrets, and records the first key used. With a wrong key
 * everything seems to work until somebody signs in with a code or a webhook is due.
 * @throws StartError if the keys differ
 */
async function assertEncryptionKey(pool: Pool, [key, ...earlier]: readonly SecretKey[]): Promise<void> {
  if (!key) return
  await pool.query('insert into encryption_key (id) values ($1) on conflict do nothing', [key.id])
  const { rows } = await pool.query<{ id: Buffer }>('select id from encryption_key')
  if ([key, ...earlier].some(({ id }) => rows[0]?.id.equals(id))) return
  throw new StartError(
    'The encryption key is not the one that sealed the secrets in this database, so nobody could sign in with a code and ' +
      'nothing could be signed. Set ENCRYPTION_KEY to that key, or restore encryption.key in the data folder from a ' +
      'backup. A key that is lost for good: see docs/outages.md.',
  )
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

/** The limits of one transaction, sent together with its BEGIN. */
const limitsOfTransaction = Object.entries(limits)
  .map(([name, ms]) => ` set local ${name} = ${ms};`)
  .join('')

/** Runs one statement outside a transaction, with the limits of one. */
async function askOnce<T>(pool: Pool, pooled: boolean, text: string): Promise<T[]> {
  const result = await pool.query(`${pooled ? limitsOfTransaction : ''} ${text}`)
  // For several statements the driver returns a list; its types do not say so.
  const last: { rows: T[] } = Array.isArray(result) ? result.at(-1) : result
  return last.rows
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
