import { z } from 'zod'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { deleteOldDeliveries, selectLeftDeliveries, selectUnsent } from './delivery-queries.ts'
import { RECEIVE_JOB } from './hooks.ts'
import { selectDue } from './order-queries.ts'
import { SHOPS_JOB, workOn } from './place.ts'
import { receive } from './receive.ts'
import { sendTracking } from './send-tracking.ts'

const BATCH = 200
// The job of a delivery has usually done its work by then.
const LEFT_AFTER_MS = 60_000
const RETENTION_MS = 30 * 24 * 3600 * 1000

/** Works on what a shop sent. */
export const receiveFromShop = job({
  name: RECEIVE_JOB,
  input: z.object({ realm: realmInput, shopId: z.string(), deliveryId: z.string() }),
  retryLimit: 10,
  retryDelayMaxSeconds: 300,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  concurrency: 4,
  handler: ({ realmPorts }: JobContext, { realm, shopId, deliveryId }) =>
    receive(realmPorts(realm), shopId, deliveryId),
})

/** Does what is due: orders that are tried again, parcels that have left, and what a crash left behind. */
export const workForShops = job({
  name: SHOPS_JOB,
  retryLimit: 1,
  expireInSeconds: 600,
  heartbeatSeconds: 10,
  cron: '* * * * *',
  async handler({ database, actor, realmPorts, log, run }: JobContext) {
    // One that cannot be worked on now does not hold up the others: it is still due when the job runs next.
    const each = async (what: string, work: () => Promise<unknown>) => {
      run.signal.throwIfAborted()
      await work().catch((err: unknown) => log.error({ err, code: 'SHOP_ORDER_NOT_DONE' }, what))
    }
    const before = new Date(database.now().getTime() - LEFT_AFTER_MS)
    for (const { realm, shopId, id } of await database.asSystem(actor, (tx) => selectLeftDeliveries(tx, before, BATCH)))
      await each('a delivery of a shop could not be worked on', () => receive(realmPorts(realm), shopId, id))
    for (const { realm, id } of await database.asSystem(actor, (tx) => selectDue(tx, BATCH)))
      await each('an order of a shop could not be worked on', () => workOn(realmPorts(realm), id))
    for (const { realm, id } of await database.asSystem(actor, (tx) => selectUnsent(tx, BATCH)))
      await each('the tracking of a shop could not be updated', () => sendTracking(realmPorts(realm), id))
  },
})

/** Forgets deliveries of a month ago. */
export const purgeShopDeliveries = job({
  name: 'shops.purge-deliveries',
  retryLimit: 3,
  expireInSeconds: 600,
  cron: '47 3 * * *',
  async handler({ database, actor, run }: JobContext) {
    const some = () =>
      database.asSystem(actor, (tx) => deleteOldDeliveries(tx, new Date(tx.now.getTime() - RETENTION_MS), 1000))
    await inBatches(run.signal, async () => (await some()) === 1000)
  },
})
