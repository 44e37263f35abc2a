import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { queueReset, RESET_JOB } from './password-resets.ts'
import { purgeEnded } from './sessions.ts'

/** Looks up the account of a reset outside the request, whose duration must not show whether the account exists. */
export const writeReset = job({
  name: RESET_JOB,
  input: z.object({ account: z.string() }),
  retryLimit: 3,
  expireInSeconds: 60,
  handler: ({ database, actor }: JobContext, { account }) => database.asSystem(actor, (tx) => queueReset(tx, account)),
})

export const purgeAccounts = job({
  name: 'accounts.purge',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, purgeEnded),
})
