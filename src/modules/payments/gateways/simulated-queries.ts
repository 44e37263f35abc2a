import { sql } from 'kysely'
import type { ChargeState } from '../../../domain/payment-gateway.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'

export interface SimulatedCharge {
  ref: string
  amount: number
  currency: string
  captured: number
  refunded: number
  state: Exclude<ChargeState, 'processing'>
  declineCode: string | null
  methodId: string
  refundKeys: string[]
}

const columns = sql`ref, amount, currency, captured, refunded, state, decline_code as "declineCode",
  method_id as "methodId", refund_keys as "refundKeys"`

type NewCharge = Pick<SimulatedCharge, 'ref' | 'amount' | 'currency' | 'captured' | 'methodId' | 'declineCode'> & {
  key: string
  state: SimulatedCharge['state']
}

/** Undefined where the key is taken; waits for another attempt with this key to commit. */
export function insertCharge(tx: SystemTx, charge: NewCharge): Promise<SimulatedCharge | undefined> {
  const { key, ref, amount, currency, captured, state, declineCode, methodId } = charge
  return tx.maybeRow(sql<SimulatedCharge>`
    insert into simulated_charges (idempotency_key, ref, amount, currency, captured, state, decline_code, method_id, created_at)
    values (${key}, ${ref}, ${amount}, ${currency}, ${captured}, ${state}, ${declineCode}, ${methodId}, ${tx.now})
    on conflict (idempotency_key) do nothing
    returning ${columns}`)
}

export const chargeOfKey = (tx: SystemTx, key: string): Promise<SimulatedCharge | undefined> =>
  tx.maybeRow(sql<SimulatedCharge>`select ${columns} from simulated_charges where idempotency_key = ${key}`)

export const chargeOfRef = (tx: SystemTx, ref: string): Promise<SimulatedCharge | undefined> =>
  tx.maybeRow(sql<SimulatedCharge>`select ${columns} from simulated_charges where ref = ${ref}`)

export const captureCharge = (tx: SystemTx, ref: string, amount: number): Promise<number> =>
  tx.run(sql`
    update simulated_charges set state = 'charged', captured = ${amount}
    where ref = ${ref} and state = 'authorised' and amount >= ${amount}`)

export const releaseCharge = (tx: SystemTx, ref: string): Promise<number> =>
  tx.run(sql`update simulated_charges set state = 'canceled' where ref = ${ref} and state = 'authorised'`)

export const refundCharge = (tx: SystemTx, ref: string, amount: number, key: string): Promise<number> =>
  tx.run(sql`
    update simulated_charges
    set refunded = refunded + ${amount}, refund_keys = array_append(refund_keys, ${key}),
        state = case when refunded + ${amount} = captured then 'refunded' else state end
    where ref = ${ref} and state = 'charged' and refunded + ${amount} <= captured and not ${key} = any (refund_keys)`)

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
