import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { checkLedger } from './verify.ts'

/** Checks each night whether any credit was lost or made. */
export const checkLedgerNightly = job({
  name: 'operator.check-ledger',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 600,
  cron: '23 2 * * *',
  async handler({ database, actor, log }: JobContext) {
    const ok = await database.asSystem(actor, checkLedger)
    if (!ok) log.error({ code: 'LEDGER_MISMATCH' }, 'the ledger does not add up: run kitlane verify-ledger')
  },
})
