import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { dueJobs } from '../kits/due.ts'
import { openKey, TEST_JOB } from './account.ts'
import { type Account, saveTested, selectAccounts } from './account-queries.ts'
import { Delay, type LabelService, Refusal } from './call.ts'
import { BUY_JOB } from './follow.ts'
import { dropDocumentsBefore, selectDue } from './queries.ts'
import { consignmentOf } from './rules.ts'
import { serviceOf, workOnLabels } from './work.ts'

const BATCH = 200
// A parcel is delivered, or is back, long before.
const KEPT_MS = 60 * 86_400_000

/** Buys, fetches and voids labels: those of one kit, and each minute those that are due. */
export const [buyLabels, buyDueLabels] = dueJobs({
  names: { one: BUY_JOB, due: 'labels.due' },
  atOnce: 4,
  batch: BATCH,
  selectDue,
  async work({ realmPorts }, realm, kitId) {
    const ports = realmPorts(realm)
    const { callShipping } = ports
    if (callShipping) await workOnLabels({ ...ports, callShipping }, kitId)
  },
  failure: { code: 'LABEL_NOT_BOUGHT', message: 'a shipping label could not be worked on' },
})

/** Every night: printed labels of long ago, which bear an address. */
export const purgeLabels = job({
  name: 'labels.purge',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 600,
  cron: '35 3 * * *',
  async handler({ database, actor, run }: JobContext) {
    for (;;) {
      const dropped = await database.asSystem(actor, (tx) =>
        dropDocumentsBefore(tx, new Date(tx.now.getTime() - KEPT_MS), BATCH),
      )
      if (dropped < BATCH || run.signal.aborted) return
    }
  },
})

/** Asks services for the rates of a parcel from the sender to where samples go, where somebody asked for that. Nothing is bought. */
export const testLabelAccounts = job({
  name: TEST_JOB,
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 120,
  async handler({ database, actor, portsOf }: JobContext) {
    const { callShipping } = portsOf('live')
    const accounts = await database.asSystem(actor, async (tx) =>
      (await selectAccounts(tx)).flatMap((account) => {
        const key = account.tested === null ? openKey(tx.context, account) : undefined
        return key === undefined ? [] : [{ account, key }]
      }),
    )
    if (!callShipping) return
    for (const { account, key } of accounts) {
      const tested = await tryOffer(account, serviceOf(account.provider, callShipping, key))
      await database.asSystem(actor, (tx) =>
        saveTested(tx, account.provider, { ...tested, date: tx.now.toISOString() }),
      )
    }
  },
})

async function tryOffer({ definition }: Account, service: LabelService) {
  const { sender, samplesTo: to = sender, parcels } = definition
  const [size] = parcels.map(({ kitType: _, ...rest }) => rest)
  const account = { ...definition, isActive: true, parcels: size ? [size] : [] }
  const recipient = { name: to.name, address: to, phone: to.phone }
  const consignment = consignmentOf(account, { kitType: '', recipient, leg: 'toUser' })
  if ('problem' in consignment) return { isDone: false, rates: [], reason: consignment.problem }
  try {
    const { isTest, rates } = await service.offer('test', consignment)
    const shown = rates.map(({ ref: _, ...rate }) => rate).slice(0, 50)
    return { isDone: rates.length > 0, mode: isTest ? ('test' as const) : ('live' as const), rates: shown }
  } catch (err) {
    if (!(err instanceof Refusal || err instanceof Delay)) throw err
    return { isDone: false, rates: [], reason: err instanceof Refusal ? err.reason : ('unavailable' as const) }
  }
}
