import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import type { UnitPrice } from '../../catalogue/queries.ts'
import type { Balances } from '../../credits/balances.ts'
import * as credits from '../../credits/service.ts'
import type { OrderOutcome } from '../answer.ts'
import type { NewOrder } from '../request.ts'
import { linesOf } from '../rules.ts'
import { insertJob } from './queries.ts'

/** The job that places the rows of a bulk job. */
export const PLACE_JOB = 'bulk.place'

/** What pays for a bulk job: credits whose balances are locked and suffice, an authorised card, or nobody yet. */
export type JobPayment =
  | { method: 'credits'; balances: Balances }
  | { method: 'card'; paymentId: string }
  | { method: 'later' }

/** Accepts a bulk job: from this commit on, every row will be placed or fail by itself. */
export async function acceptJob(
  tx: Tx,
  orders: readonly NewOrder[],
  { payment, prices }: { payment: JobPayment; prices: readonly UnitPrice[] },
): Promise<OrderOutcome> {
  const id = newOpaqueId('bulk')
  if (payment.method === 'credits') await credits.reserve(tx, payment.balances, id, linesOf(orders))
  const paymentId = payment.method === 'card' ? payment.paymentId : undefined
  await insertJob(tx, { id, payment: payment.method, paymentId, prices }, orders)
  await tx.enqueue(PLACE_JOB, { realm: tx.realm, jobId: id })
  await audit.record(tx, [
    { action: 'bulk_job.accepted', objectType: 'bulk_job', objectId: id, details: { rows: orders.length } },
  ])
  return { kind: 'job', jobId: id }
}
