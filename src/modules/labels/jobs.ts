import pLimit from 'p-limit'
import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { openKey, TEST_JOB } from './account.ts'
import { type Account, saveTested, selectAccounts } from './account-queries.ts'
import { LabelDelay, LabelRefusal, type LabelService } from './call.ts'
import { BUY_JOB } from './follow.ts'
import { dropDocumentsBefore, selectDue } from './queries.ts'
import { consignmentOf } from './rules.ts'
import { serviceOf, workOnLabels } from './work.ts'

const AT_ONCE = 4
const BATCH = 200
// A parcel is delivered, or is back, long before.
const KEPT_MS = 60 * 86_400_000

/** Buys, fetches and voids the labels of one kit. What fails is due again later. */
export const buyLabels = job({
  name: BUY_JOB,
  input: z.object({ realm: realmInput, kitId: z.string() }),
  retryLimit: 2,
  expireInSeconds: 300,
  concurrency: AT_ONCE,
  async handler({ realmPorts }: JobContext, { realm, kitId }) {
    const ports = realmPorts(realm)
    const { callLabels } = ports
    if (callLabels) await workOnLabels({ ...ports, callLabels }, kitId)
  },
})

/** Every minute: labels that are due again, and what a crash left behind. */
export const buyDueLabels = job({
  name: 'labels.due',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 900,
  heartbeatSeconds: 10,
  cron: '* * * * *',
  async handler({ database, actor, realmPorts, log, run }: JobContext) {
    const atOnce = pLimit(AT_ONCE)
    const due = await database.asSystem(actor, (tx) => selectDue(tx, BATCH))
    const work = async ({ realm, kitId }: (typeof due)[number]) => {
      const ports = realmPorts(realm)
      const { callLabels } = ports
      if (run.signal.aborted || !callLabels) return
      await workOnLabels({ ...ports, callLabels }, kitId).catch((err: unknown) =>
        log.error({ err, code: 'LABEL_NOT_BOUGHT' }, 'a shipping label could not be worked on'),
      )
    }
    await Promise.all(due.map((one) => atOnce(() => work(one))))
  },
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
    const { callLabels } = portsOf('live')
    const accounts = await database.asSystem(actor, async (tx) =>
      (await selectAccounts(tx)).flatMap((account) => {
        const key = account.tested === null ? openKey(tx.context, account) : undefined
        return key === undefined ? [] : [{ account, key }]
      }),
    )
    if (!callLabels) return
    for (const { account, key } of accounts) {
      const tested = await tryOffer(account, serviceOf(account.provider, callLabels, key))
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
    if (!(err instanceof LabelRefusal || err instanceof LabelDelay)) throw err
    return { isDone: false, rates: [], reason: err instanceof LabelRefusal ? err.reason : ('unavailable' as const) }
  }
}
