import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'

export interface SimulatedSetup {
  businessId: string
  state: 'open' | 'declined' | 'confirming' | 'saved'
  methodId: string | null
}

export async function insertSetup(tx: SystemTx, ref: string, businessId: string): Promise<void> {
  await tx.run(sql`
    insert into simulated_setups (ref, business_id, state, created_at) values (${ref}, ${businessId}, 'open', ${tx.now})`)
}

/** Locked until the transaction ends. */
export function selectSetup(tx: SystemTx, ref: string): Promise<SimulatedSetup | undefined> {
  return tx.maybeRow(sql<SimulatedSetup>`
    select business_id as "businessId", state, method_id as "methodId" from simulated_setups where ref = ${ref} for update`)
}

export async function updateSetup(
  tx: SystemTx,
  ref: string,
  state: SimulatedSetup['state'],
  methodId: string | null,
): Promise<void> {
  await tx.run(sql`update simulated_setups set state = ${state}, method_id = ${methodId} where ref = ${ref}`)
}
