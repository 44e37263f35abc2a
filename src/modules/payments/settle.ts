import type { ChargeResult } from '../../domain/payment-gateway.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { freeKey, keepAnswer } from '../../platform/http/realm-keys.ts'
import type { WireAnswer } from '../../platform/http/wire.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { type Payment, selectPayment, updateCharge } from './queries.ts'
import { chargePayment } from './service.ts'

/** What came of a charge, and the answer that the caller would have got. */
export interface Recorded<O> {
  outcome: O
  answer(): Promise<WireAnswer>
}

/**
 * Finishes a payment. The request that made it calls this, and after a crash a job. The gateway is asked between two
 * transactions and always with the same key; the second one records its answer and does what the charge was for: `record`.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function settle<O>(
  ports: RealmPorts,
  payment: Payment,
  record: (tx: Tx, payment: Payment, result: ChargeResult) => Promise<Recorded<O>>,
): Promise<O> {
  if (payment.state !== 'requested') return payment.outcome as O
  const result = await chargePayment(ports, payment)
  return ports.open(async (tx) => {
    const locked = await selectPayment(tx, payment.id, 'update')
    if (locked.state !== 'requested') return locked.outcome as O
    const { outcome, answer } = await record(tx, locked, result)
    await updateCharge(tx, payment.id, result, outcome)
    if (locked.idempotencyKey) await keepForRetry(tx, locked.idempotencyKey, await answer())
    return outcome
  })
}

/** The caller's retry gets the answer; after a refusal, such as a declined card, it tries again. */
const keepForRetry = (tx: Tx, key: string, answer: WireAnswer): Promise<void> =>
  answer.status < 400 ? keepAnswer(tx, key, answer) : freeKey(tx, key)
