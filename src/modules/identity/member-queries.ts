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
  hasPasskey: boolean
  lastSeenAt: Date | null
  /** The support access in which the user was invited, and with which the membership ends. */
  supportAccessId: string | null
}

const ofSide = (side: Side): RawBuilder<unknown> => sql`m.business_id is not distinct from ${side}::text`

const member = sql`
  u.id, u.email, u.name, m.role, m.accepted_at as "acceptedAt", coalesce(m.disabled_at, u.disabled_at) as "disabledAt",
  u.totp_enabled_at is not null as "totpEnabled",
  exists (select 1 from passkeys p where p.user_id = u.id) as "hasPasskey",
  coalesce((select max(s.seen_at) from sessions s where s.user_id = u.id), u.signed_in_at) as "lastSeenAt",
  m.support_access_id as "supportAccessId"`

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
      and m.support_access_id is null and m.disabled_at is null and u.disabled_at is null and u.password_hash is not null
    limit 1`)
  return found !== undefined
}

/** Inserts a membership, or changes the role of one that is not accepted yet. */
export async function putMembership(
  tx: SystemTx,
  {
    userId,
    side,
    role,
    acceptedAt,
    supportAccessId = null,
  }: { userId: string; side: Side; role: Role; acceptedAt: Date | null; supportAccessId?: string | null },
): Promise<void> {
  await tx.run(sql`
    insert into memberships (user_id, business_id, role, created_at, accepted_at, support_access_id)
    values (${userId}, ${side}, ${role}, ${tx.now}, ${acceptedAt}, ${supportAccessId})
    on conflict (user_id, business_id) do update
      set role = excluded.role, support_access_id = excluded.support_access_id`)
}

/** Who was invited in a support access, and whom the business has not kept. */
export const selectMembersMadeIn = (tx: SystemTx, supportAccessId: string): Promise<{ id: string }[]> =>
  tx.rows(sql<{ id: string }>`
    select user_id as id from memberships where support_access_id = ${supportAccessId} order by user_id for update`)

/** True where the membership would have ended with a support access. */
export async function keepMembership(tx: SystemTx, userId: string, side: Side): Promise<boolean> {
  const updated = await tx.run(sql`
    update memberships m set support_access_id = null
    where m.user_id = ${userId} and ${ofSide(side)} and m.support_access_id is not null`)
  return updated === 1
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

/** Whether a business demands a second factor of its members; undefined without a choice. */
export async function selectSecondFactorRequired(tx: SystemTx, businessId: string): Promise<boolean | undefined> {
  const found = await tx.maybeRow(sql<{ required: boolean }>`
    select second_factor_required as required from sign_in_policies where business_id = ${businessId}`)
  return found?.required
}

export async function putSecondFactorRequired(tx: SystemTx, businessId: string, required: boolean): Promise<void> {
  await tx.run(sql`
    insert into sign_in_policies (business_id, second_factor_required, changed_at)
    values (${businessId}, ${required}, ${tx.now})
    on conflict (business_id) do update set second_factor_required = excluded.second_factor_required, changed_at = excluded.changed_at`)
}
