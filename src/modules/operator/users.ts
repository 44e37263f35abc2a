import { sql } from 'kysely'
import { hashPassword } from '../../platform/crypto.ts'
import { db } from '../../platform/database/sql.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import { newOpaqueId, newPassword } from '../../platform/ids.ts'

export interface CreateUser {
  email: string
  /** Undefined: a user of the operator. */
  businessId?: string
}

export interface User {
  id: string
  email: string
  role: 'operator' | 'business'
  businessId?: string
}

/** Makes a user of the dashboard. The password is generated, returned once and kept as a hash. @throws USER_EXISTS */
export async function createUser(
  tx: SystemTx,
  { email, businessId }: CreateUser,
): Promise<{ user: User; password: string }> {
  const role = businessId === undefined ? 'operator' : 'business'
  const user: User = { id: newOpaqueId('usr'), email, role, businessId }
  const password = newPassword()
  const made = await tx.run(
    db
      .insertInto('users')
      .values({
        id: user.id,
        email,
        role,
        business_id: businessId ?? null,
        password_hash: await hashPassword(password),
        created_at: tx.now,
      })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing()),
  )
  if (made === 0) throw new AppError('USER_EXISTS', 'A user with this e-mail address exists already')
  return { user, password }
}

/** Whether anyone can log in. */
export async function hasUsers(tx: SystemTx): Promise<boolean> {
  return (await tx.maybeRow(db.selectFrom('users').select('id').limit(1))) !== undefined
}
