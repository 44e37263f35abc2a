import type { Pool } from 'pg'
import type { SecretKey } from '../crypto.ts'
import { StartError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { assertEncryptionKey } from './encryption-key-id.ts'
import { createPool } from './pool.ts'

/** How to reach the database: as its owner (migrations), as the program, and directly (LISTEN), past any pooler. */
export interface DatabaseUrls {
  owner: string
  app: string
  direct: string
  /** Set where `app` logs in as the owner: the role that its connections take on. */
  appRole?: 'kitlane_app'
}

/**
 * DATABASE_URL alone logs in as the owner and takes on `kitlane_app`. With DATABASE_DIRECT_URL that one is the owner's,
 * and DATABASE_URL (a pooler, which cannot keep a role) has to log in as a member of `kitlane_app`.
 */
export function databaseUrls(databaseUrl: string, directUrl?: string): DatabaseUrls {
  return directUrl
    ? { owner: directUrl, app: databaseUrl, direct: directUrl }
    : { owner: databaseUrl, app: databaseUrl, direct: databaseUrl, appRole: 'kitlane_app' }
}

const POOL_SIZE = 10

/** The program's pool. @throws StartError when its role would bypass row-level security, or its key is another than that of the database. */
export async function connect(urls: DatabaseUrls, log: Logger, key?: SecretKey): Promise<Pool> {
  const pool = createPool({ url: urls.app, role: urls.appRole, max: POOL_SIZE, log })
  try {
    await assertRole(pool)
    if (key) await assertEncryptionKey(pool, key)
    return pool
  } catch (err) {
    await pool.end()
    throw err
  }
}

async function assertRole(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; unsafe: boolean; owner: boolean }>(`
    select current_user as name, rolsuper or rolbypassrls as unsafe,
           exists (select from pg_class where relname = 'orders' and relowner = pg_roles.oid) as owner
    from pg_roles where rolname = current_user`)
  const [role] = rows
  if (!role || role.unsafe || role.owner) {
    throw new StartError(
      `The program must not work as "${role?.name}": as owner or superuser it would pass row-level security. ` +
        'Let DATABASE_URL log in as a member of kitlane_app, or leave DATABASE_DIRECT_URL out.',
    )
  }
}
