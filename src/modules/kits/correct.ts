import type { Tx } from '../../platform/database/tx.ts'
import { type KitRow, lockKitsOfCustomer, lockKitsOfOrder, updateRegistrations } from './queries.ts'

export interface CorrectedPerson {
  email?: string | undefined
  dateOfBirth?: string | undefined
  gender?: 'M' | 'F' | 'X' | undefined
  firstName?: string | undefined
  lastName?: string | undefined
}

/** The kits of a person, locked until the transaction ends. */
export const lockKitsOf = (tx: Tx, customerId: number): Promise<KitRow[]> => lockKitsOfCustomer(tx, customerId)

/** The kits of an order, locked until the transaction ends. */
export const lockKitsSent = (tx: Tx, orderId: string): Promise<KitRow[]> => lockKitsOfOrder(tx, orderId)

/** Writes what was corrected of their person into locked kits: e-mails, results and ages go by it. Returns the kits as they are then. */
export async function correctRegistrations(
  tx: Tx,
  kits: readonly KitRow[],
  { email, dateOfBirth, gender, firstName, lastName }: CorrectedPerson,
): Promise<KitRow[]> {
  const sex = gender === 'X' ? undefined : gender
  const corrected = kits.map((kit) => ({
    ...kit,
    registeredEmail: email ?? kit.registeredEmail,
    registration: {
      ...(kit.registration as object | null),
      ...(dateOfBirth && { dateOfBirth }),
      ...(sex && { sex }),
      ...(firstName && lastName && { firstName, lastName }),
    },
  }))
  if (email || dateOfBirth || sex || firstName) await updateRegistrations(tx, corrected)
  return corrected
}
