import { sql } from 'kysely'
import { db } from '../../../platform/database/sql.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Comparison } from './filters.ts'
import type { GroupFields, Paging, UserFields } from './rules.ts'

export interface ScimUserRow {
  id: string
  connectionId: string
  userId: string | null
  userName: string
  externalId: string | null
  email: string
  isActive: boolean
  profile: Pick<UserFields, 'displayName' | 'givenName' | 'familyName'>
  createdAt: Date
  updatedAt: Date
  groups: { id: string; displayName: string; externalId: string | null }[]
}

const user = sql`
  s.id, s.connection_id as "connectionId", s.user_id as "userId", s.user_name as "userName", s.external_id as "externalId",
  s.email, s.is_active as "isActive", s.profile, s.created_at as "createdAt", s.updated_at as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'displayName', g.display_name, 'externalId', g.external_id)
                             order by lower(g.display_name))
            from scim_members m join scim_groups g on g.id = m.group_id where m.scim_user_id = s.id), '[]') as groups`

export interface Page<Row> {
  rows: Row[]
  total: number
}

type Condition = (value: string) => ReturnType<typeof sql>

// The attributes that a filter may name. IDs are compared as they are, names in any case. The one address is that of work.
const userConditions: Record<string, Condition> = {
  id: (value) => sql`s.id = ${value}`,
  userName: (value) => sql`lower(s.user_name) = ${value.toLowerCase()}`,
  externalId: (value) => sql`s.external_id = ${value}`,
  active: (value) => sql`s.is_active = ${value.toLowerCase() === 'true'}`,
  'emails.value': (value) => sql`lower(s.email) = ${value.toLowerCase()}`,
  'emails.type': (value) => (value.toLowerCase() === 'work' ? sql`true` : sql`false`),
  'emails.primary': (value) => (value.toLowerCase() === 'true' ? sql`true` : sql`false`),
}
export const userAttributes = Object.keys(userConditions)

const groupConditions: Record<string, Condition> = {
  id: (value) => sql`g.id = ${value}`,
  displayName: (value) => sql`lower(g.display_name) = ${value.toLowerCase()}`,
  externalId: (value) => sql`g.external_id = ${value}`,
  'members.value': (value) =>
    sql`exists (select 1 from scim_members m where m.group_id = g.id and m.scim_user_id = ${value})`,
}
export const groupAttributes = Object.keys(groupConditions)

const matching = (conditions: Record<string, Condition>, filter: readonly Comparison[]) =>
  sql.join(
    [sql`true`, ...filter.map(({ attribute, value }) => conditions[attribute]?.(value) ?? sql`false`)],
    sql` and `,
  )

export async function selectScimUsers(
  tx: SystemTx,
  connectionId: string,
  { filter, startIndex, count }: Paging & { filter: readonly Comparison[] },
): Promise<Page<ScimUserRow>> {
  const where = sql`s.connection_id = ${connectionId} and ${matching(userConditions, filter)}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from scim_users s where ${where}`)
  const rows = await tx.rows(sql<ScimUserRow>`
    select ${user} from scim_users s where ${where} order by s.created_at, s.id
    limit ${count} offset ${startIndex - 1}`)
  return { rows, total }
}

export const selectScimUser = (tx: SystemTx, connectionId: string, id: string): Promise<ScimUserRow | undefined> =>
  tx.maybeRow(
    sql<ScimUserRow>`select ${user} from scim_users s where s.connection_id = ${connectionId} and s.id = ${id}`,
  )

/** What a provider says of a person, by their address or the user that they are. */
export const selectScimUserOf = (
  tx: SystemTx,
  connectionId: string,
  { email, userId }: { email: string; userId: string | undefined },
): Promise<ScimUserRow | undefined> =>
  tx.maybeRow(sql<ScimUserRow>`
    select ${user} from scim_users s
    where s.connection_id = ${connectionId} and (lower(s.email) = lower(${email}) or s.user_id = ${userId ?? null})
    order by s.user_id = ${userId ?? null} desc nulls last limit 1`)

export const selectAllScimUsers = (tx: SystemTx, connectionId: string): Promise<ScimUserRow[]> =>
  tx.rows(sql<ScimUserRow>`select ${user} from scim_users s where s.connection_id = ${connectionId} order by s.id`)

export const selectScimUsersIn = (tx: SystemTx, connectionId: string, ids: readonly string[]): Promise<ScimUserRow[]> =>
  tx.rows(sql<ScimUserRow>`
    select ${user} from scim_users s where s.connection_id = ${connectionId} and s.id = any(${ids}::text[]) order by s.id`)

/** Whether another user of the connection has this name, or this address, or had it when its account was made. */
export async function isScimTaken(
  tx: SystemTx,
  connectionId: string,
  { id, userName, email }: { id: string; userName: string; email: string },
): Promise<{ name: boolean; email: boolean }> {
  return tx.row(sql<{ name: boolean; email: boolean }>`
    select coalesce(bool_or(lower(user_name) = lower(${userName})), false) as name,
           coalesce(bool_or(lower(email) = lower(${email}) or exists (
             select 1 from users u where u.id = scim_users.user_id and lower(u.email) = lower(${email}))), false) as email
    from scim_users where connection_id = ${connectionId} and id <> ${id}`)
}

export async function putScimUser(
  tx: SystemTx,
  { id, connectionId, fields }: { id: string; connectionId: string; fields: UserFields },
): Promise<void> {
  const { userName, externalId, email, active, displayName, givenName, familyName } = fields
  const profile = JSON.stringify({ displayName, givenName, familyName })
  await tx.run(sql`
    insert into scim_users (id, connection_id, user_name, external_id, email, is_active, profile, created_at, updated_at)
    values (${id}, ${connectionId}, ${userName}, ${externalId}, ${email}, ${active}, ${profile}, ${tx.now}, ${tx.now})
    on conflict (id) do update set user_name = excluded.user_name, external_id = excluded.external_id,
      email = excluded.email, is_active = excluded.is_active, profile = excluded.profile, updated_at = excluded.updated_at`)
}

export async function setScimUserId(tx: SystemTx, id: string, userId: string): Promise<void> {
  await tx.run(sql`update scim_users set user_id = ${userId} where id = ${id}`)
}

export async function deleteScimUser(tx: SystemTx, id: string): Promise<void> {
  await tx.run(sql`delete from scim_users where id = ${id}`)
}

export interface ScimGroupRow {
  id: string
  displayName: string
  externalId: string | null
  createdAt: Date
  updatedAt: Date
  members: { id: string; userName: string }[]
}

const group = sql`
  g.id, g.display_name as "displayName", g.external_id as "externalId", g.created_at as "createdAt", g.updated_at as "updatedAt",
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'userName', s.user_name) order by s.id)
            from scim_members m join scim_users s on s.id = m.scim_user_id where m.group_id = g.id), '[]') as members`

export async function selectScimGroups(
  tx: SystemTx,
  connectionId: string,
  { filter, startIndex, count }: Paging & { filter: readonly Comparison[] },
): Promise<Page<ScimGroupRow>> {
  const where = sql`g.connection_id = ${connectionId} and ${matching(groupConditions, filter)}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from scim_groups g where ${where}`,
  )
  const rows = await tx.rows(sql<ScimGroupRow>`
    select ${group} from scim_groups g where ${where} order by g.created_at, g.id
    limit ${count} offset ${startIndex - 1}`)
  return { rows, total }
}

export const selectScimGroup = (tx: SystemTx, connectionId: string, id: string): Promise<ScimGroupRow | undefined> =>
  tx.maybeRow(
    sql<ScimGroupRow>`select ${group} from scim_groups g where g.connection_id = ${connectionId} and g.id = ${id}`,
  )

export async function isScimGroupTaken(
  tx: SystemTx,
  connectionId: string,
  { id, displayName }: { id: string; displayName: string },
): Promise<boolean> {
  const found = await tx.maybeRow(sql`
    select 1 from scim_groups
    where connection_id = ${connectionId} and id <> ${id} and lower(display_name) = lower(${displayName})`)
  return found !== undefined
}

/** Writes a group with exactly these members, who are users of the connection. */
export async function putScimGroup(
  tx: SystemTx,
  { id, connectionId, fields }: { id: string; connectionId: string; fields: GroupFields },
): Promise<void> {
  const { displayName, externalId, members } = fields
  await tx.run(sql`
    insert into scim_groups (id, connection_id, display_name, external_id, created_at, updated_at)
    values (${id}, ${connectionId}, ${displayName}, ${externalId}, ${tx.now}, ${tx.now})
    on conflict (id) do update set display_name = excluded.display_name, external_id = excluded.external_id,
      updated_at = excluded.updated_at`)
  await tx.run(sql`delete from scim_members where group_id = ${id} and scim_user_id <> all(${members}::text[])`)
  await tx.run(sql`
    insert into scim_members (group_id, scim_user_id)
    select ${id}, s.id from scim_users s where s.connection_id = ${connectionId} and s.id = any(${members}::text[])
    on conflict do nothing`)
}

export async function deleteScimGroup(tx: SystemTx, id: string): Promise<void> {
  await tx.run(sql`delete from scim_groups where id = ${id}`)
}

/** The connection of a token, locked: the requests of one provider run one after the other. */
export async function lockConnectionOfToken(tx: SystemTx, hash: Buffer): Promise<string | undefined> {
  const found = await tx.maybeRow(
    sql<{ id: string }>`select id from sso_connections where scim_token_hash = ${hash} for no key update`,
  )
  return found?.id
}

/** Replaces the token of a connection; null ends it. */
export async function setScimToken(tx: SystemTx, connectionId: string, hash: Buffer | null): Promise<void> {
  await tx.run(
    db
      .updateTable('sso_connections')
      .set({ scim_token_hash: hash, scim_token_at: hash && tx.now })
      .where('id', '=', connectionId),
  )
}

/** Takes somebody off a side, or lets them in again. */
export async function setMembershipDisabled(
  tx: SystemTx,
  { userId, side, disabledAt }: { userId: string; side: string | null; disabledAt: Date | null },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update memberships set disabled_at = ${disabledAt}
    where user_id = ${userId} and business_id is not distinct from ${side}::text
      and (disabled_at is null) <> (${disabledAt}::timestamptz is null)`)
  return changed === 1
}
