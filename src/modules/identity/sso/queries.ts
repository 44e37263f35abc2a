import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Side } from '../member-queries.ts'
import type { GroupRole } from './rules.ts'

export interface ConnectionRow {
  id: string
  side: Side
  name: string
  issuer: string
  clientId: string
  clientSecret: Buffer
  groupClaim: string
  groupRoles: GroupRole[]
  isEnforced: boolean
  emergencyUserId: string | null
  emergencyEmail: string | null
  createdAt: Date
  /** The people who chose its provider and its domains. */
  setUpBy: string[]
  /** When the token of SCIM was made. */
  scimTokenAt: Date | null
  domains: { domain: string; isVerified: boolean }[]
}

const connection = sql`
  c.id, c.business_id as side, c.name, c.issuer, c.client_id as "clientId", c.client_secret as "clientSecret",
  c.group_claim as "groupClaim", c.group_roles as "groupRoles", c.is_enforced as "isEnforced",
  c.emergency_user_id as "emergencyUserId", (select u.email from users u where u.id = c.emergency_user_id) as "emergencyEmail",
  c.created_at as "createdAt", c.set_up_by as "setUpBy", c.scim_token_at as "scimTokenAt",
  coalesce((select jsonb_agg(jsonb_build_object('domain', d.domain, 'isVerified', d.verified_at is not null) order by d.domain)
            from sso_domains d where d.connection_id = c.id), '[]') as domains`

export const selectConnections = (tx: SystemTx, side: Side): Promise<ConnectionRow[]> =>
  tx.rows(sql<ConnectionRow>`
    select ${connection} from sso_connections c
    where c.business_id is not distinct from ${side}::text order by c.created_at, c.id`)

export const selectAllConnections = (tx: SystemTx): Promise<ConnectionRow[]> =>
  tx.rows(
    sql<ConnectionRow>`select ${connection} from sso_connections c order by c.business_id nulls first, c.created_at, c.id`,
  )

export const selectConnection = (tx: SystemTx, id: string): Promise<ConnectionRow | undefined> =>
  tx.maybeRow(sql<ConnectionRow>`select ${connection} from sso_connections c where c.id = ${id}`)

/** The same, locked until the transaction ends. */
export async function lockConnection(tx: SystemTx, id: string): Promise<ConnectionRow | undefined> {
  await tx.run(sql`select 1 from sso_connections where id = ${id} for update`)
  return selectConnection(tx, id)
}

export interface ConnectionValues
  extends Omit<ConnectionRow, 'groupRoles' | 'emergencyEmail' | 'createdAt' | 'setUpBy' | 'scimTokenAt' | 'domains'> {
  groupRoles: readonly GroupRole[]
  setUpBy: readonly string[]
}

export async function putConnection(tx: SystemTx, values: ConnectionValues): Promise<void> {
  const { id, side, name, issuer, clientId, clientSecret, groupClaim, groupRoles, isEnforced, emergencyUserId } = values
  const setUpBy = [...values.setUpBy]
  await tx.run(sql`
    insert into sso_connections (id, business_id, name, issuer, client_id, client_secret, group_claim, group_roles,
      is_enforced, emergency_user_id, set_up_by, created_at)
    values (${id}, ${side}, ${name}, ${issuer}, ${clientId}, ${clientSecret}, ${groupClaim}, ${JSON.stringify(groupRoles)},
      ${isEnforced}, ${emergencyUserId}, ${setUpBy}, ${tx.now})
    on conflict (id) do update set name = excluded.name, issuer = excluded.issuer, client_id = excluded.client_id,
      client_secret = excluded.client_secret, group_claim = excluded.group_claim, group_roles = excluded.group_roles,
      is_enforced = excluded.is_enforced, emergency_user_id = excluded.emergency_user_id,
      set_up_by = excluded.set_up_by`)
}

/** Ends its sessions too. */
export async function deleteConnection(tx: SystemTx, id: string): Promise<void> {
  await tx.run(sql`delete from sso_connections where id = ${id}`)
}

export async function setEnforced(tx: SystemTx, id: string, isEnforced: boolean): Promise<void> {
  await tx.run(sql`update sso_connections set is_enforced = ${isEnforced} where id = ${id}`)
}

/** Keeps what is known of the domains that stay. */
export async function replaceDomains(tx: SystemTx, connectionId: string, domains: readonly string[]): Promise<void> {
  await tx.run(sql`delete from sso_domains where connection_id = ${connectionId} and domain <> all(${domains}::text[])`)
  await tx.run(sql`
    insert into sso_domains (connection_id, domain) select ${connectionId}, unnest(${domains}::text[])
    on conflict do nothing`)
}

/** Another provider vouches for nobody before its domains are verified again. */
export async function takeBackDomains(tx: SystemTx, connectionId: string): Promise<void> {
  await tx.run(sql`update sso_domains set verified_at = null where connection_id = ${connectionId}`)
}

/** False where the connection does not claim the domain. */
export async function setDomainVerified(
  tx: SystemTx,
  { connectionId, domain, verifiedAt }: { connectionId: string; domain: string; verifiedAt: Date | null },
): Promise<boolean> {
  const changed = await tx.run(sql`
    update sso_domains set verified_at = ${verifiedAt} where connection_id = ${connectionId} and domain = ${domain}`)
  return changed === 1
}

export const selectConnectionOfDomain = (tx: SystemTx, domain: string): Promise<ConnectionRow | undefined> =>
  tx.maybeRow(sql<ConnectionRow>`
    select ${connection} from sso_connections c
    where c.id = (select d.connection_id from sso_domains d where d.domain = ${domain} and d.verified_at is not null)`)

export interface Administrator {
  id: string
  email: string
}

/** Somebody who administers a side and has a password: an account for an emergency. */
export const selectAdministrator = (tx: SystemTx, side: Side, email: string): Promise<Administrator | undefined> =>
  tx.maybeRow(sql<Administrator>`
    select u.id, u.email from users u join memberships m on m.user_id = u.id
    where lower(u.email) = lower(${email}) and m.business_id is not distinct from ${side}::text
      and m.support_access_id is null
      and m.role in ('operator-admin', 'business-admin') and m.accepted_at is not null and m.disabled_at is null
      and u.disabled_at is null and u.password_hash is not null`)

/** Forgets whom a provider knows by which subject, and ends the sessions that it began. */
export async function forgetPeopleOf(tx: SystemTx, connectionId: string): Promise<void> {
  await tx.run(sql`delete from sso_identities where connection_id = ${connectionId}`)
  await tx.run(sql`delete from sessions where sso_connection_id = ${connectionId}`)
}

/** Whether a side that enforces single sign-on depends on this account in an emergency. */
export async function isEmergencyAccount(tx: SystemTx, side: Side, userId: string): Promise<boolean> {
  const found = await tx.maybeRow(sql`
    select 1 from sso_connections
    where emergency_user_id = ${userId} and is_enforced and business_id is not distinct from ${side}::text`)
  return found !== undefined
}
