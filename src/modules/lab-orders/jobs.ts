import { dueJobs } from '../kits/due.ts'
import { selectDue } from './queries.ts'
import { DUE_JOB, SEND_JOB } from './record.ts'
import { sendDue } from './send.ts'

/** Says to laboratories what is due: of one order, and each minute of all. */
export const [sendLabOrder, sendDueLabOrders] = dueJobs({
  names: { one: SEND_JOB, due: DUE_JOB },
  atOnce: 8,
  batch: 500,
  selectDue,
  async work({ database, actor, portsOf }, realm, kitId) {
    const { callLaboratory } = portsOf(realm.mode)
    if (callLaboratory) await sendDue({ database, actor, callLaboratory }, realm, kitId)
  },
  failure: { code: 'LAB_ORDER_NOT_SENT', message: 'an order to a laboratory could not be sent' },
})
