import { sql } from 'kysely'
import type { Mode, SystemTx } from '../../platform/database/tx.ts'
import { ABSOLUTE_MS, IDLE_MS, type Role } from './rules.ts'

export interface Membership {
  role: Role
  businessId: string | null
  businessName: string | null
  brandColor: string | null
  logoUrl: string | null
}

export interface LiveSession {
  id: string
  userId: string
  email: string
  name: string | null
  totpEnabled: boolean
  seenAt: Date
  expiresAt: Date
}

export async function insertSession(
  tx: SystemTx,
  { id, hash, userId }: { id: string; hash: Buffer; userId: string },
): Promise<Date> {
  const expiresAt = new Date(tx.now.getTime() + ABSOLUTE_MS)
  await tx.run(sql`
    insert into sessions (id, hash, user_id, created_at, seen_at, expires_at)
    values (${id}, ${hash}, ${userId}, ${tx.now}, ${tx.now}, ${expiresAt})`)
  await tx.run(sql`update users set signed_in_at = ${tx.now} where id = ${userId}`)
  return expiresAt
}

/** A session that is neither idle for too long nor too old, of a user who is not disabled; it counts as used, or not. */
export function touchSession(tx: SystemTx, hash: Buffer, isUse: boolean): Promise<LiveSession | undefined> {
  const idleSince = new Date(tx.now.getTime() - IDLE_MS)
  return tx.maybeRow(sql<LiveSession>`
    update sessions s set seen_at = ${isUse ? sql`greatest(s.seen_at, ${tx.now})` : sql`s.seen_at`}
    from users u
    where s.hash = ${hash} and s.seen_at > ${idleSince} and s.expires_at > ${tx.now}
      and u.id = s.user_id and u.disabled_at is null
    returning s.id, s.user_id as "userId", u.email, u.name, u.totp_enabled_at is not null as "totpEnabled",
              s.seen_at as "seenAt", s.expires_at as "expiresAt"`)
}

/** What a user may do now, the operator's side first. */
export function selectMemberships(tx: SystemTx, userId: string): Promise<Membership[]> {
  return tx.rows(sql<Membership>`
    select m.role, m.business_id as "businessId", b.name as "businessName", r.brand_color as "brandColor",
           r.logo_url as "logoUrl"
    from memberships m
    left join businesses b on b.id = m.business_id
    left join realms r on r.business_id = m.business_id and r.mode = 'live'
    where m.user_id = ${userId} and m.accepted_at is not null and m.disabled_at is null
    order by m.business_id is not null, lower(b.name), m.business_id`)
}

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

/** Forgets what can no longer be used. */
export async function deleteEnded(tx: SystemTx, before: { failures: Date; devices: Date }): Promise<void> {
  const idleSince = new Date(tx.now.getTime() - IDLE_MS)
  await tx.run(sql`delete from sessions where seen_at <= ${idleSince} or expires_at <= ${tx.now}`)
  await tx.run(sql`delete from account_links where expires_at <= ${tx.now}`)
  await tx.run(sql`delete from sign_in_failures where at < ${before.failures}`)
  await tx.run(sql`delete from known_devices where seen_at < ${before.devices}`)
}
