import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { ChargeStarted } from '../payments/start.ts'
import type { OrderOutcome } from './answer.ts'
import { createOrders } from './group.ts'
import type { OrderRequest } from './request.ts'

/** What became of one order that a job asks for. */
export type OneOutcome = Exclude<OrderOutcome, { kind: 'job' }> | { kind: 'refused'; code: string }

/** Longer than a gateway may take to answer: a payment that is older was left behind by a crash. */
export const LOOK_AGAIN_MS = 60_000

/** Asks for one order as `POST /create-order` does. What that would refuse is an outcome here. */
export async function placeOne(tx: Tx, request: OrderRequest): Promise<OneOutcome | ChargeStarted> {
  try {
    return withoutJob(await createOrders(tx, request))
  } catch (error) {
    // It was refused before anything was written.
    if (error instanceof AppError && error.status < 500) return { kind: 'refused', code: error.code }
    throw error
  }
}

/** The same of its payment, once that is settled. One order is never a bulk job. */
export function withoutJob<O extends { kind: string }>(outcome: O): Exclude<O, { kind: 'job' }> {
  if (outcome.kind === 'job') throw new Error('one order became a bulk job')
  return outcome as Exclude<O, { kind: 'job' }>
}
