import { nightly } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { checkLedger } from './verify.ts'

/** Checks each night whether any credit was lost or made: what is new, and all of it once a week. */
export const checkLedgerNightly = job({
  name: 'operator.check-ledger',
  retryLimit: 3,
  expireInSeconds: 1800,
  cron: '23 2 * * *',
  async handler({ database, actor, log, run }: JobContext) {
    const { ok, isOver } = await checkLedger(database, actor, nightly(run.signal))
    if (isOver && !ok) log.error({ code: 'LEDGER_MISMATCH' }, 'the ledger does not add up: run kitlane verify-ledger')
  },
})
