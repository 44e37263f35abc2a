import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  passwordHash: string | null
  disabledAt: Date | null
  totpSecret: Buffer | null
  totpEnabled: boolean
}

const columns = sql`
  id, email, name, password_hash as "passwordHash", disabled_at as "disabledAt", totp_secret as "totpSecret",
  totp_enabled_at is not null as "totpEnabled"`

export const selectByEmail = (tx: SystemTx, email: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where lower(email) = lower(${email})`)

export const selectById = (tx: SystemTx, id: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where id = ${id}`)

/** The account whose e-mail has this hash: a job names nobody. */
export const selectByEmailHash = (tx: SystemTx, hash: string): Promise<Account | undefined> =>
  tx.maybeRow(
    sql<Account>`select ${columns} from users where encode(sha256(convert_to(lower(email), 'UTF8')), 'hex') = ${hash}`,
  )

export interface Failures {
  fromHere: number
  inAll: number
  oldest: Date | null
}

/** Lets one attempt at an account be counted at a time, and counts the failures since `since`. */
export async function countFailures(tx: SystemTx, account: Buffer, ip: string, since: Date): Promise<Failures> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('sign-in'), ${account.readInt32BE(0)})`)
  return tx.row(sql<Failures>`
    select count(*) filter (where ip = ${ip})::int as "fromHere", count(*)::int as "inAll",
           min(at) filter (where ip = ${ip}) as oldest
    from sign_in_failures where account = ${account} and at > ${since}`)
}

export async function insertFailure(tx: SystemTx, account: Buffer, ip: string): Promise<number> {
  const { id } = await tx.row(
    sql<{ id: number }>`
      insert into sign_in_failures (account, ip, at) values (${account}, ${ip}, ${tx.now}) returning id`,
  )
  return id
}

export async function deleteFailure(tx: SystemTx, id: number): Promise<void> {
  await tx.run(sql`delete from sign_in_failures where id = ${id}`)
}

export async function deleteFailures(tx: SystemTx, account: Buffer, ip: string): Promise<void> {
  await tx.run(sql`delete from sign_in_failures where account = ${account} and ip = ${ip}`)
}

export async function updatePassword(tx: SystemTx, userId: string, hash: string): Promise<void> {
  await tx.run(sql`update users set password_hash = ${hash} where id = ${userId}`)
}

/** False when this time step, or a later one, was taken before. */
export async function takeStep(tx: SystemTx, userId: string, step: number): Promise<boolean> {
  const taken = await tx.run(sql`
    update users set totp_last_step = ${step}
    where id = ${userId} and (totp_last_step is null or totp_last_step < ${step})`)
  return taken === 1
}

export async function takeRecoveryCode(tx: SystemTx, userId: string, hash: Buffer): Promise<boolean> {
  return (await tx.run(sql`delete from recovery_codes where user_id = ${userId} and hash = ${hash}`)) === 1
}

export async function setTotpSecret(tx: SystemTx, userId: string, secret: Buffer | null): Promise<void> {
  await tx.run(sql`
    update users set totp_secret = ${secret}, totp_enabled_at = null, totp_last_step = null where id = ${userId}`)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
}

export async function enableTotp(tx: SystemTx, userId: string, codes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`update users set totp_enabled_at = ${tx.now} where id = ${userId}`)
  await tx.run(sql`insert into recovery_codes (user_id, hash) select ${userId}, unnest(${codes}::bytea[])`)
}
