import { sql } from 'kysely'
import { z } from 'zod'
import type { Realm, SystemTx } from '../../../platform/database/tx.ts'
import { freeLeftKeys } from '../../../platform/http/abandoned-keys.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { realmInput } from '../../../platform/jobs/realm-input.ts'
import { REFUND_JOB } from '../../payments/refunds.ts'
import { PLACE_JOB } from '../bulk/service.ts'
import { settle } from './settle.ts'
import { SETTLE_JOB } from './start.ts'

// Longer than a gateway may take to answer: what is older was left behind by a crash.
const LEFT_AFTER_MS = 30_000
const BATCH = 1000

/** Finishes a payment that nobody waits for any more. */
export const settlePayment = job({
  name: SETTLE_JOB,
  input: z.object({ realm: realmInput, paymentId: z.string() }),
  retryLimit: 20,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  concurrency: 4,
  handler: async ({ realmPorts }: JobContext, { realm, paymentId }) => {
    await settle(realmPorts(realm), paymentId)
  },
})

/** Looks for what a crash left: payments nobody finished, jobs and refunds whose own job is gone, keys without an answer. */
export const sweepCheckout = job({
  name: 'checkout.sweep',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 60,
  cron: '* * * * *',
  handler: async ({ database, actor }: JobContext) => database.asSystem(actor, sweep),
})

interface Left {
  realm: Realm
  id: string
}

/** Enqueues the rest of the work of everything that was left behind. Whoever does it finds it fenced if it was done since. */
export async function sweep(tx: SystemTx): Promise<void> {
  const before = new Date(tx.now.getTime() - LEFT_AFTER_MS)
  const realm = sql`jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm`
  const payments = await tx.rows(sql<Left>`
    update payments p set checked_at = ${tx.now} from realms r
    where r.id = p.realm_id and p.state = 'requested' and p.checked_at < ${before} returning ${realm}, p.id`)
  const jobs = await tx.rows(sql<Left>`
    update bulk_jobs j set worked_at = ${tx.now} from realms r
    where r.id = j.realm_id and j.status in ('queued', 'processing') and j.worked_at < ${before} returning ${realm}, j.id`)
  const cards = await tx.rows(sql<Left>`
    select ${realm}, j.id from payments p
    join bulk_jobs j on j.realm_id = p.realm_id and j.payment_id = p.id join realms r on r.id = j.realm_id
    where p.state = 'authorised' and j.status in ('completed', 'canceled', 'failed') limit ${BATCH}`)
  const refunds = await tx.rows(sql<Left>`
    select ${realm}, f.order_id as id from refunds f join realms r on r.id = f.realm_id
    where f.state = 'requested' and f.created_at < ${before} order by f.created_at limit ${BATCH}`)
  await freeLeftKeys(
    tx,
    sql`select realm_id, idempotency_key as key from payments where state = 'requested' and idempotency_key is not null`,
  )
  for (const { realm, id } of payments) await tx.enqueue(SETTLE_JOB, { realm, paymentId: id })
  for (const { realm, id } of [...jobs, ...cards]) await tx.enqueue(PLACE_JOB, { realm, jobId: id })
  for (const { realm, id } of refunds) await tx.enqueue(REFUND_JOB, { realm, orderId: id })
}
