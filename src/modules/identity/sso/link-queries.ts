import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Side } from '../member-queries.ts'
import type { Role } from '../rules.ts'

export interface Attempt {
  connectionId: string
  browserHash: Buffer
  sealed: Buffer
}

/** Keeps a sign-in that begins, and forgets those that nobody finished. */
export async function insertAttempt(
  tx: SystemTx,
  { stateHash, expiresAt, ...attempt }: Attempt & { stateHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.run(sql`delete from sso_attempts where expires_at <= ${tx.now}`)
  await tx.run(sql`
    insert into sso_attempts (state_hash, connection_id, browser_hash, sealed, expires_at)
    values (${stateHash}, ${attempt.connectionId}, ${attempt.browserHash}, ${attempt.sealed}, ${expiresAt})`)
}

/** Deletes an attempt of this browser and returns it: an answer of a provider is used once. */
export const takeAttempt = (tx: SystemTx, stateHash: Buffer, browserHash: Buffer): Promise<Attempt | undefined> =>
  tx.maybeRow(sql<Attempt>`
    delete from sso_attempts
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${tx.now}
    returning connection_id as "connectionId", browser_hash as "browserHash", sealed`)

/** The user whom a provider knows by this subject. */
export async function selectUserOfSubject(
  tx: SystemTx,
  connectionId: string,
  subject: string,
): Promise<string | undefined> {
  const found = await tx.maybeRow(sql<{ userId: string }>`
    select user_id as "userId" from sso_identities where connection_id = ${connectionId} and subject = ${subject}`)
  return found?.userId
}

/** False where the provider knows the user by another subject. */
export async function insertIdentity(
  tx: SystemTx,
  { connectionId, subject, userId }: { connectionId: string; subject: string; userId: string },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into sso_identities (connection_id, subject, user_id, created_at)
    values (${connectionId}, ${subject}, ${userId}, ${tx.now}) on conflict do nothing`)
  return inserted === 1
}

/** Marks the session as one that a connection began: it reaches the side of that connection only. */
export async function markSession(tx: SystemTx, hash: Buffer, connectionId: string): Promise<void> {
  await tx.run(sql`update sessions set sso_connection_id = ${connectionId} where hash = ${hash}`)
}

/** Takes away a password that somebody else may have chosen. */
export async function deletePassword(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`update users set password_hash = null where id = ${userId}`)
}

export interface SideMembership {
  role: Role
  acceptedAt: Date | null
  disabledAt: Date | null
  /** The connection whose groups gave the role. */
  connectionId: string | null
}

/** Locked until the transaction ends. */
export const lockMembership = (tx: SystemTx, userId: string, side: Side): Promise<SideMembership | undefined> =>
  tx.maybeRow(sql<SideMembership>`
    select role, accepted_at as "acceptedAt", disabled_at as "disabledAt", sso_connection_id as "connectionId"
    from memberships where user_id = ${userId} and business_id is not distinct from ${side}::text for update`)

/** Gives a role by groups; somebody who was invited has then accepted. */
export async function putConnectedMembership(
  tx: SystemTx,
  { userId, side, role, connectionId }: { userId: string; side: Side; role: Role; connectionId: string },
): Promise<void> {
  await tx.run(sql`
    insert into memberships (user_id, business_id, role, created_at, accepted_at, sso_connection_id)
    values (${userId}, ${side}, ${role}, ${tx.now}, ${tx.now}, ${connectionId})
    on conflict (user_id, business_id) do update set role = excluded.role, sso_connection_id = excluded.sso_connection_id,
      support_access_id = null, accepted_at = coalesce(memberships.accepted_at, excluded.accepted_at)`)
}

/** Forgets the invitations of a user to a side that they have joined. */
export async function deleteInvitations(tx: SystemTx, userId: string, side: Side): Promise<void> {
  await tx.run(sql`
    delete from account_links
    where user_id = ${userId} and kind = 'invitation' and business_id is not distinct from ${side}::text`)
}

export async function deleteIdentity(tx: SystemTx, connectionId: string, userId: string): Promise<void> {
  await tx.run(sql`delete from sso_identities where connection_id = ${connectionId} and user_id = ${userId}`)
}

/** Takes a user off a side, and keeps the user. False where there is no membership. */
export async function dropMembership(tx: SystemTx, userId: string, side: Side): Promise<boolean> {
  const dropped = await tx.run(sql`
    delete from memberships where user_id = ${userId} and business_id is not distinct from ${side}::text`)
  return dropped === 1
}
