import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { Role } from './rules.ts'

/** The side of a membership: a business, or null for the operator. */
export type Side = string | null

export interface MemberRow {
  id: string
  email: string
  name: string | null
  role: Role
  acceptedAt: Date | null
  disabledAt: Date | null
  totpEnabled: boolean
  lastSeenAt: Date | null
}

const ofSide = (side: Side): RawBuilder<unknown> => sql`m.business_id is not distinct from ${side}::text`

const member = sql`
  u.id, u.email, u.name, m.role, m.accepted_at as "acceptedAt", coalesce(m.disabled_at, u.disabled_at) as "disabledAt",
  u.totp_enabled_at is not null as "totpEnabled",
  coalesce((select max(s.seen_at) from sessions s where s.user_id = u.id), u.signed_in_at) as "lastSeenAt"`

export const selectMembers = (tx: SystemTx, side: Side): Promise<MemberRow[]> =>
  tx.rows(sql<MemberRow>`
    select ${member} from memberships m join users u on u.id = m.user_id where ${ofSide(side)} order by lower(u.email)`)

/** One of them, locked with all administrators of its side: two cannot remove one another at once. */
export async function lockMember(tx: SystemTx, side: Side, userId: string): Promise<MemberRow | undefined> {
  await tx.run(sql`select 1 from memberships m where ${ofSide(side)} order by m.user_id for update`)
  return tx.maybeRow(sql<MemberRow>`
    select ${member} from memberships m join users u on u.id = m.user_id where ${ofSide(side)} and m.user_id = ${userId}`)
}

export const selectMemberByEmail = (tx: SystemTx, side: Side, email: string): Promise<MemberRow | undefined> =>
  tx.maybeRow(sql<MemberRow>`
    select ${member} from memberships m join users u on u.id = m.user_id
    where ${ofSide(side)} and lower(u.email) = lower(${email})`)

/** Whether somebody else can administer the side. */
export async function hasOtherAdmin(tx: SystemTx, side: Side, userId: string): Promise<boolean> {
  const role: Role = side === null ? 'operator-admin' : 'business-admin'
  const found = await tx.maybeRow(sql`
    select 1 from memberships m join users u on u.id = m.user_id
    where ${ofSide(side)} and m.role = ${role} and m.user_id <> ${userId} and m.accepted_at is not null
      and m.disabled_at is null and u.disabled_at is null and u.password_hash is not null limit 1`)
  return found !== undefined
}

/** The user of an e-mail, made where there is none. */
export async function findOrInsertUser(tx: SystemTx, id: string, email: string): Promise<{ id: string }> {
  await tx.run(sql`
    insert into users (id, email, created_at) values (${id}, ${email}, ${tx.now}) on conflict (lower(email)) do nothing`)
  return tx.row(sql<{ id: string }>`select id from users where lower(email) = lower(${email})`)
}

/** Makes a membership, or gives one that nobody accepted yet another role. */
export async function putMembership(
  tx: SystemTx,
  { userId, side, role, acceptedAt }: { userId: string; side: Side; role: Role; acceptedAt: Date | null },
): Promise<void> {
  await tx.run(sql`
    insert into memberships (user_id, business_id, role, created_at, accepted_at)
    values (${userId}, ${side}, ${role}, ${tx.now}, ${acceptedAt})
    on conflict (user_id, business_id) do update set role = excluded.role`)
}

export async function updateMembership(
  tx: SystemTx,
  { userId, side, role, disabledAt }: { userId: string; side: Side; role: Role; disabledAt: Date | null },
): Promise<void> {
  await tx.run(sql`
    update memberships m set role = ${role}, disabled_at = ${disabledAt} where m.user_id = ${userId} and ${ofSide(side)}`)
}

export async function acceptMembership(tx: SystemTx, userId: string, side: Side): Promise<boolean> {
  const accepted = await tx.run(sql`
    update memberships m set accepted_at = ${tx.now}
    where m.user_id = ${userId} and ${ofSide(side)} and m.accepted_at is null and m.disabled_at is null`)
  return accepted === 1
}

/** Removes a membership with its invitations; a user who is left with none and never chose a password goes with it. */
export async function deleteMembership(tx: SystemTx, userId: string, side: Side): Promise<void> {
  await tx.run(sql`delete from memberships m where m.user_id = ${userId} and ${ofSide(side)}`)
  await tx.run(sql`
    delete from account_links where user_id = ${userId} and kind = 'invitation' and business_id is not distinct from ${side}::text`)
  await tx.run(sql`
    delete from users u where u.id = ${userId} and u.password_hash is null
      and not exists (select 1 from memberships m where m.user_id = u.id)`)
}

export async function setUserName(tx: SystemTx, userId: string, name: string): Promise<void> {
  await tx.run(sql`update users set name = ${name} where id = ${userId}`)
}

export async function setUserDisabled(tx: SystemTx, userId: string, disabledAt: Date | null): Promise<void> {
  await tx.run(sql`update users set disabled_at = ${disabledAt} where id = ${userId}`)
}

export interface LinkRow {
  kind: 'invitation' | 'reset'
  userId: string
  side: Side
  businessName: string | null
  /** Nobody but the address saw it. */
  mailedOnly: boolean
}

/** Keeps a link in place of those of the same kind that were made before. */
export async function putLink(
  tx: SystemTx,
  link: {
    hash: Buffer
    kind: 'invitation' | 'reset'
    userId: string
    side: Side
    mailedOnly: boolean
    expiresAt: Date
  },
): Promise<void> {
  const { hash, kind, userId, side, mailedOnly, expiresAt } = link
  await tx.run(sql`
    delete from account_links where user_id = ${userId} and kind = ${kind} and business_id is not distinct from ${side}::text`)
  await tx.run(sql`
    insert into account_links (hash, kind, user_id, business_id, mailed_only, created_at, expires_at)
    values (${hash}, ${kind}, ${userId}, ${side}, ${mailedOnly}, ${tx.now}, ${expiresAt})`)
}

const link = sql`
  l.kind, l.user_id as "userId", l.business_id as side, l.mailed_only as "mailedOnly", (select b.name from businesses b where b.id = l.business_id) as "businessName"`

export const selectLink = (tx: SystemTx, hash: Buffer): Promise<LinkRow | undefined> =>
  tx.maybeRow(sql<LinkRow>`select ${link} from account_links l where l.hash = ${hash} and l.expires_at > ${tx.now}`)

/** Takes a link away: whoever gets the row is the only one. */
export const takeLink = (tx: SystemTx, hash: Buffer): Promise<LinkRow | undefined> =>
  tx.maybeRow(
    sql<LinkRow>`delete from account_links l where l.hash = ${hash} and l.expires_at > ${tx.now} returning ${link}`,
  )

export async function deleteLinksOf(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`delete from account_links where user_id = ${userId}`)
}

/** How many e-mails of a kind about accounts went to an address since then. */
export async function countAccountEmails(tx: SystemTx, email: string, kind: string, since: Date): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from emails
    where realm_id is null and lower(recipient) = lower(${email}) and kind = ${kind} and created_at > ${since}`)
  return count
}

export interface UserRow {
  id: string
  email: string
  disabledAt: Date | null
  hasPassword: boolean
  totpEnabled: boolean
  lastSeenAt: Date | null
  memberships: { role: Role; business?: string }[]
}

/** Every user with what they may do. */
export const selectUsers = (tx: SystemTx): Promise<UserRow[]> =>
  tx.rows(sql<UserRow>`
    select u.id, u.email, u.disabled_at as "disabledAt", u.password_hash is not null as "hasPassword",
      u.totp_enabled_at is not null as "totpEnabled", u.signed_in_at as "lastSeenAt",
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('role', m.role, 'business', b.name)))
               filter (where m.role is not null), '[]') as memberships
    from users u left join memberships m on m.user_id = u.id and m.disabled_at is null
    left join businesses b on b.id = m.business_id
    group by u.id order by u.created_at, u.id`)
