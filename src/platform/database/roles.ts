import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { StartError } from '../errors.ts'

/** What the program works as. Roles belong to the whole server, so each owner's installations have theirs. */
export interface Roles {
  app: string
  system: string
  intake: string
  reading: string
}

const kinds = ['app', 'system', 'intake', 'reading'] as const

const rolesOf = (prefix: string): Roles => ({
  app: `${prefix}_app`,
  system: `${prefix}_system`,
  intake: `${prefix}_intake`,
  reading: `${prefix}_reading`,
})

/** Migrations name the roles of an owner `kitlane`: here they get the names of this installation. */
export const withRoles = (text: string, roles: Roles): string =>
  text.replaceAll(/\bkitlane_(app|system|intake|reading)\b/g, (_, kind: keyof Roles) => roles[kind])

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
 * The roles of this database, made where they are missing, and the right to take them on. Since PostgreSQL 16 whoever
 * creates a role may administer it, but not become it, before granting that to itself.
 */
export async function provideRoles(client: ClientBase): Promise<Roles> {
  const roles = (await findRoles(client)) ?? (await choose(client))
  try {
    for (const kind of kinds) await create(client, roles[kind])
    await grant(client, roles.app, 'current_user')
    for (const kind of kinds.slice(1)) await grant(client, roles[kind], `'${roles.app}'`)
    return roles
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_user) as name')
    const names = Object.values(roles).join(', ')
    throw new StartError(
      `The login of DATABASE_URL may not make the roles ${names}, or not take them on. Let an administrator of the ` +
        `server run: ALTER ROLE ${rows[0]?.name} CREATEROLE; GRANT ${roles.app} TO ${rows[0]?.name} (the second where that role is there already).`,
      { cause },
    )
  }
}

const isRefusal = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42501'

/** Named after the login; where such roles belong to somebody else, after the database, too. */
async function choose(client: ClientBase): Promise<Roles> {
  const { rows } = await client.query<{ login: string; database: string }>(
    'select current_user as login, current_database() as database',
  )
  const [{ login, database } = { login: 'kitlane', database: '' }] = rows
  const candidates = [plain(login.replace(/_owner$/, '')), plain(`${login}_${database}`)].map(rolesOf)
  for (const roles of candidates) if (await isFree(client, roles)) return roles
  throw new StartError(
    `Roles named ${candidates.map(({ app }) => app).join(' and ')} belong to other logins of this server. ` +
      'Install under a login with another name, so that neither installation can read the other.',
  )
}

/** A name that needs no quotes and leaves room for the kind. */
function plain(name: string): string {
  if (/^[a-z][a-z0-9_]{0,49}$/.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `k_${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 38)}_${hash}`
}

/** None of them is there, or they are this login's. */
async function isFree(client: ClientBase, roles: Roles): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_roles where rolname = any($1) and not pg_has_role(current_user, oid, 'member')`,
    [Object.values(roles)],
  )
  return rows.length === 0
}

/** Two that install at once make it once. */
const create = (client: ClientBase, role: string) =>
  client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then
      create role ${role} nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
    end if;
  exception when duplicate_object or unique_violation then null; end $$`)

/** Granted only where it is missing: whoever may not grant may have been granted it. */
const grant = (client: ClientBase, role: string, member: string) =>
  client.query(`do $$ declare
    is_new boolean := current_setting('server_version_num')::int >= 160000;
  begin
    if not pg_has_role(${member}, '${role}', case when is_new then 'set' else 'member' end) then
      execute format('grant ${role} to %I', ${member}) || case when is_new then ' with set true' else '' end;
    end if;
  end $$`)
