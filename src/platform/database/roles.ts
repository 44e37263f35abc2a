import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { StartError } from '../../domain/errors.ts'

/** The database roles of the program. Roles belong to the whole server, so each login's installation has its own. */
export interface Roles {
  app: string
  system: string
  placement: string
  reading: string
}

const kinds = ['app', 'system', 'placement', 'reading'] as const

const rolesOf = (prefix: string): Roles => ({
  app: `${prefix}_app`,
  system: `${prefix}_system`,
  placement: `${prefix}_placement`,
  reading: `${prefix}_reading`,
})

/** Replaces the role names in a migration by those of this installation. */
export const withRoles = (text: string, roles: Roles): string =>
  text.replaceAll(/\bkitlane_(app|system|placement|reading)\b/g, `${prefixOf(roles)}_$1`)

const prefixOf = ({ app }: Roles): string => app.replace(/_app$/, '')

/** The roles of an installed database; undefined before its first migration. */
export async function findRoles(client: ClientBase): Promise<Roles | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select r.rolname as name from pg_policy p join pg_roles r on r.oid = p.polroles[1]
     where p.polrelid = to_regclass('public.realms') and p.polname = 'realm'`,
  )
  const [found] = rows
  return found && rolesOf(found.name.replace(/_app$/, ''))
}

/**
 * Creates the missing roles of this database, and grants the right to switch to them. Since PostgreSQL 16 the creator of
 * a role may administer it, but may switch to it only after granting that to itself.
 */
export async function provideRoles(client: ClientBase): Promise<Roles> {
  const { rows } = await client.query<Login>(
    'select current_user as login, quote_ident(current_user) as quoted, current_database() as database',
  )
  const [login] = rows as [Login]
  try {
    const found = await findRoles(client)
    if (found) for (const role of Object.values(found)) await create(client, role)
    const roles = found ?? (await makeRoles(client, login))
    await grant(client, roles.app, 'current_user')
    for (const kind of kinds.slice(1)) await grant(client, roles[kind], `'${roles.app}'`)
    return roles
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    throw new StartError(
      `The login ${login.quoted} may not make the roles that Kitlane works as, or not take them on. Let an administrator of the ` +
        `server run: alter role ${login.quoted} createrole. Where the roles are there already: grant them to ${login.quoted}.`,
      { cause },
    )
  }
}

interface Login {
  login: string
  quoted: string
  database: string
}

/** Names the roles `kitlane_…`; if another login owns those, after the login; if those are taken too, after login and database. */
async function makeRoles(client: ClientBase, { login, database }: Login): Promise<Roles> {
  const candidates = ['kitlane', plain(login), plain(`${login}_${database}`)].map(rolesOf)
  for (const roles of candidates) {
    if (!(await areOurs(client, Object.values(roles)))) continue
    const others: string[] = []
    for (const role of Object.values(roles)) if (!(await create(client, role))) others.push(role)
    // Another process may have created them in the meantime.
    if (await areOurs(client, others)) return roles
  }
  throw new StartError(
    `Roles named ${candidates.map(({ app }) => app).join(', ')} belong to other logins of this server. ` +
      'Install under a login with another name, so that neither installation can read the other.',
  )
}

const isRefusal = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42501'

/** A role name prefix that needs no quotes and leaves room for the suffix. */
function plain(name: string): string {
  if (/^[a-z][a-z0-9_]{0,49}$/.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `k_${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 38)}_${hash}`
}

/** Whether none of these roles exists, or all belong to this login. */
async function areOurs(client: ClientBase, roles: readonly string[]): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_roles where rolname = any($1) and not pg_has_role(current_user, oid, 'member')`,
    [roles],
  )
  return rows.length === 0
}

/** Creates a role; returns whether it was missing. Of two concurrent installations one waits here for the other's commit. */
async function create(client: ClientBase, role: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  if (rows.length > 0) return false
  await client.query('savepoint role_is_missing')
  try {
    await client.query(`create role ${role} nosuperuser nobypassrls noinherit nocreatedb nocreaterole`)
    return true
  } catch (error) {
    if (!isTaken(error)) throw error
    await client.query('rollback to savepoint role_is_missing')
    return false
  }
}

// A duplicate object, or a unique violation if two create it at the same moment.
const isTaken = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '42710' || error.code === '23505')

/** Grants only what is missing: a login that may not grant may already have the membership. */
const grant = (client: ClientBase, role: string, member: string) =>
  client.query(`do $$ declare
    is_new boolean := current_setting('server_version_num')::int >= 160000;
  begin
    if not pg_has_role(${member}, '${role}', case when is_new then 'set' else 'member' end) then
      execute format('grant ${role} to %I', ${member}) || case when is_new then ' with set true' else '' end;
    end if;
  end $$`)
