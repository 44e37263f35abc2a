import { sql } from 'kysely'
import type { Mode, SystemTx } from '../../platform/database/tx.ts'
import { ABSOLUTE_MS, type Beginning, IDLE_MS, type Proof, type Role } from './rules.ts'
import { isUnderWay } from './support-access-queries.ts'

export interface Membership {
  role: Role
  businessId: string | null
  businessName: string | null
  brandColor: string | null
  logoUrl: string | null
  /** The business wants its members to have a second factor. */
  demandsSecondFactor: boolean
  /** The support access in which the user was invited: the membership ends with it. */
  madeIn: string | null
  madeInEndsAt: Date | null
}

export interface LiveSession {
  id: string
  userId: string
  email: string
  name: string | null
  totpEnabled: boolean
  hasPasskey: boolean
  hasPassword: boolean
  createdAt: Date
  seenAt: Date
  expiresAt: Date
  /** When the person who uses it last showed who they are: in any way, and with a second factor. */
  provedAt: Date
  factorProvedAt: Date | null
  /** The single sign-on that began it. */
  connectionId: string | null
}

export interface NewSessionRow {
  id: string
  hash: Buffer
  userId: string
  proof: Beginning
  browser: string
  network: string | null
}

export async function insertSession(
  tx: SystemTx,
  { id, hash, userId, proof, browser, network }: NewSessionRow,
): Promise<Date> {
  const expiresAt = new Date(tx.now.getTime() + ABSOLUTE_MS)
  await tx.run(sql`
    insert into sessions (id, hash, user_id, created_at, seen_at, expires_at, proved_at, factor_proved_at, browser, network)
    values (${id}, ${hash}, ${userId}, ${tx.now}, ${tx.now}, ${expiresAt}, ${tx.now},
            ${proof === 'code' || proof === 'passkey' ? tx.now : null}, ${browser}, ${network})`)
  await tx.run(sql`update users set signed_in_at = ${tx.now} where id = ${userId}`)
  return expiresAt
}

/** A session that is neither idle for too long nor too old, of a user who is not disabled; it counts as used, or not. */
export function touchSession(
  tx: SystemTx,
  hash: Buffer,
  { isUse, network }: { isUse: boolean; network: string | null },
): Promise<LiveSession | undefined> {
  const idleSince = new Date(tx.now.getTime() - IDLE_MS)
  return tx.maybeRow(sql<LiveSession>`
    update sessions s set seen_at = ${isUse ? sql`greatest(s.seen_at, ${tx.now})` : sql`s.seen_at`},
      network = coalesce(${network}::text, s.network)
    from users u
    where s.hash = ${hash} and s.seen_at > ${idleSince} and s.expires_at > ${tx.now}
      and u.id = s.user_id and u.disabled_at is null
    returning s.id, s.user_id as "userId", u.email, u.name, u.totp_enabled_at is not null as "totpEnabled",
              exists (select 1 from passkeys p where p.user_id = u.id) as "hasPasskey",
              u.password_hash is not null as "hasPassword", s.created_at as "createdAt", s.seen_at as "seenAt", s.expires_at as "expiresAt",
              coalesce(s.proved_at, s.created_at) as "provedAt", s.factor_proved_at as "factorProvedAt",
              s.sso_connection_id as "connectionId"`)
}

/**
 * What a user may do now, the operator's side first. A session that a single sign-on began reaches the side of that
 * connection only; any other reaches no side that enforces single sign-on for the domain of the user.
 */
export function selectMemberships(
  tx: SystemTx,
  userId: string,
  connectionId: string | null = null,
): Promise<Membership[]> {
  return tx.rows(sql<Membership>`
    select m.role, m.business_id as "businessId", b.name as "businessName", r.brand_color as "brandColor",
           r.logo_url as "logoUrl", coalesce(p.second_factor_required, false) as "demandsSecondFactor",
           m.support_access_id as "madeIn", a.ends_at as "madeInEndsAt"
    from memberships m
    left join support_accesses a on a.id = m.support_access_id
    left join sign_in_policies p on p.business_id = m.business_id
    left join businesses b on b.id = m.business_id
    left join realms r on r.business_id = m.business_id and r.mode = 'live'
    where m.user_id = ${userId} and m.accepted_at is not null and m.disabled_at is null
      and (m.support_access_id is null or ${isUnderWay(sql`m.support_access_id`, tx.now)})
      and ${connectionId === null ? isOpenToPasswords : isOfConnection(connectionId)}
    order by m.business_id is not null, lower(b.name), m.business_id`)
}

const isOpenToPasswords = sql`not exists (
  select 1 from users u
  join sso_domains d on d.domain = lower(substring(u.email from '@([^@]*)$')) and d.verified_at is not null
  join sso_connections c on c.id = d.connection_id and c.is_enforced
  where u.id = m.user_id and c.business_id is not distinct from m.business_id
    and c.emergency_user_id is distinct from m.user_id)`

const isOfConnection = (connectionId: string) => sql`exists (
  select 1 from sso_connections c where c.id = ${connectionId} and c.business_id is not distinct from m.business_id)`

export interface EnteredRealm {
  realmId: number
  twinId: number
  businessName: string
  rateLimitPerMinute: number
}

export function selectRealm(tx: SystemTx, businessId: string, mode: Mode): Promise<EnteredRealm | undefined> {
  return tx.maybeRow(sql<EnteredRealm>`
    select r.id as "realmId", w.id as "twinId", b.name as "businessName", r.rate_limit_per_minute as "rateLimitPerMinute"
    from realms r join realms w on w.business_id = r.business_id and w.mode <> r.mode
    join businesses b on b.id = r.business_id
    where r.business_id = ${businessId} and r.mode = ${mode}`)
}

/** True the first time that a session enters a realm. */
export async function markEntered(tx: SystemTx, sessionId: string, realmId: number): Promise<boolean> {
  const marked = await tx.run(sql`
    update sessions set entered = array_append(entered, ${realmId}::integer)
    where id = ${sessionId} and not entered @> array[${realmId}::integer]`)
  return marked === 1
}

/** The user whose session it was. */
export function deleteSession(tx: SystemTx, hash: Buffer): Promise<{ userId: string; id: string } | undefined> {
  return tx.maybeRow(
    sql<{ userId: string; id: string }>`delete from sessions where hash = ${hash} returning user_id as "userId", id`,
  )
}

export async function deleteSessionsOf(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`delete from sessions where user_id = ${userId}`)
}

/** Notes that the person who uses a session has shown who they are. */
export async function markProved(tx: SystemTx, sessionId: string, proof: Proof): Promise<void> {
  await tx.run(sql`
    update sessions set proved_at = ${tx.now},
      factor_proved_at = ${proof === 'password' ? sql`factor_proved_at` : sql`${tx.now}::timestamptz`}
    where id = ${sessionId}`)
}

export interface ListedSession {
  id: string
  /** Null if a process of an earlier version began it. */
  browser: string | null
  network: string | null
  createdAt: Date
  seenAt: Date
}

/** The sessions of a user that have not ended, the one used last first. */
export function selectSessions(tx: SystemTx, userId: string): Promise<ListedSession[]> {
  const idleSince = new Date(tx.now.getTime() - IDLE_MS)
  return tx.rows(sql<ListedSession>`
    select id, browser, network, created_at as "createdAt", seen_at as "seenAt" from sessions
    where user_id = ${userId} and seen_at > ${idleSince} and expires_at > ${tx.now} order by seen_at desc, id`)
}

/** Ends one session of a user, or all except one; returns their IDs. */
export async function deleteSessionsOfUser(
  tx: SystemTx,
  userId: string,
  which: { id: string } | { except: string },
): Promise<string[]> {
  const chosen = 'id' in which ? sql`id = ${which.id}` : sql`id <> ${which.except}`
  const rows = await tx.rows(sql<{ id: string }>`
    delete from sessions where user_id = ${userId} and ${chosen} returning id`)
  return rows.map(({ id }) => id)
}

/** Forgets what can no longer be used. */
export async function deleteEnded(tx: SystemTx, before: { failures: Date; devices: Date }): Promise<void> {
  const idleSince = new Date(tx.now.getTime() - IDLE_MS)
  await tx.run(sql`delete from sessions where seen_at <= ${idleSince} or expires_at <= ${tx.now}`)
  await tx.run(sql`delete from passkey_challenges where expires_at <= ${tx.now}`)
  await tx.run(sql`delete from account_links where expires_at <= ${tx.now}`)
  await tx.run(sql`delete from sign_in_failures where at < ${before.failures}`)
  await tx.run(sql`delete from known_devices where seen_at < ${before.devices}`)
}
