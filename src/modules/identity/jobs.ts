import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { OLD_RESET_JOB, queueOldReset, queueReset, RESET_JOB } from './account-links.ts'
import { purgeEnded } from './sessions.ts'
import { closeOverdue } from './support-access.ts'

/** Looks up the account of a reset outside the request, whose duration must not show whether the account exists. */
export const writeReset = job({
  name: RESET_JOB,
  input: z.object({ sealed: z.string() }),
  retryLimit: 3,
  expireInSeconds: 60,
  handler: ({ database, actor }: JobContext, { sealed }) => database.asSystem(actor, (tx) => queueReset(tx, sealed)),
})

export const writeOldReset = job({
  name: OLD_RESET_JOB,
  input: z.object({ account: z.string() }),
  retryLimit: 3,
  expireInSeconds: 60,
  handler: ({ database, actor }: JobContext, { account }) =>
    database.asSystem(actor, (tx) => queueOldReset(tx, account)),
})

export const purgeAccounts = job({
  name: 'accounts.purge',
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, purgeEnded),
})

/** Notes ends in the audit. What counts is the time: nobody is in a business for longer because this is late. */
export const closeSupportAccesses = job({
  name: 'support-accesses.close',
  retryLimit: 1,
  expireInSeconds: 60,
  cron: '9-59/10 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, closeOverdue),
})
