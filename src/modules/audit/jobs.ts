import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { sealEntries } from './seal.ts'

export const sealAudit = job({
  name: 'audit.seal',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 300,
  cron: '* * * * *',
  async handler({ database, actor }: JobContext) {
    await database.asSystem(actor, sealEntries)
  },
})
