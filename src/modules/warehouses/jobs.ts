import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { dueJobs } from '../kits/due.ts'
import { Delay } from '../labels/call.ts'
import { serviceOf, TEST_JOB } from './account.ts'
import { WORK_JOB } from './follow.ts'
import { matchKits } from './match.ts'
import { saveWarehouse, selectDue, selectWarehouses } from './queries.ts'
import { reasonOfDelay, WarehouseRefusal, type WarehouseService } from './rules.ts'
import type { Reason } from './schema.ts'
import { workOnKit } from './work.ts'

// Of each warehouse: ShipBob takes 150 requests a minute, ShipStation 200; a kit may take two.
const A_MINUTE = 70
const MATCHED_A_MINUTE = 500

/** Hands kits over to warehouses, follows and cancels them: one kit, and each minute what is due. */
export const [packKit, packDueKits] = dueJobs({
  names: { one: WORK_JOB, due: 'warehouses.due' },
  atOnce: 4,
  batch: A_MINUTE,
  selectDue,
  before: ({ database, actor }) => database.asSystem(actor, (tx) => matchKits(tx, MATCHED_A_MINUTE)),
  async work({ database, actor, portsOf }, realm, kitId) {
    const { callShipping } = portsOf(realm.mode)
    if (callShipping) await workOnKit({ database, actor, callShipping }, realm, kitId)
  },
  failure: { code: 'WAREHOUSE_NOT_TOLD', message: 'a kit at a warehouse could not be worked on' },
})

/** Asks a warehouse something harmless, where somebody wants to know whether its account works. */
export const testWarehouse = job({
  name: TEST_JOB,
  input: z.object({ id: z.string() }),
  retryLimit: 1,
  expireInSeconds: 120,
  async handler({ database, actor, portsOf }: JobContext, { id }) {
    const { callShipping } = portsOf('live')
    const service = await database.asSystem(actor, async (tx) => {
      const [warehouse] = await selectWarehouses(tx, [id])
      return warehouse && callShipping && serviceOf(tx.context, callShipping, warehouse)
    })
    if (!service) return
    const reason = await tried(service)
    await database.asSystem(actor, async (tx) => {
      const [warehouse] = await selectWarehouses(tx, [id])
      const tested = { date: tx.now.toISOString(), isDone: reason === undefined, ...(reason && { reason }) }
      if (warehouse) await saveWarehouse(tx, { ...warehouse, tested })
    })
  },
})

async function tried(service: WarehouseService): Promise<Reason | undefined> {
  try {
    await service.test()
    return undefined
  } catch (err) {
    if (err instanceof WarehouseRefusal) return err.reason
    if (err instanceof Delay) return reasonOfDelay(err.code)
    throw err
  }
}
