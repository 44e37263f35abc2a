import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { writeMissingDays } from './service.ts'

/** Writes the kits and credits of the days that are over. Off unless NUMBERS_TO says where to. */
export const writeNumbersNightly = job({
  name: 'numbers.write-nightly',
  retryLimit: 3,
  retryDelaySeconds: 600,
  expireInSeconds: 6 * 3600,
  cron: '23 2 * * *',
  async handler({ database, actor, portsOf, run, log }: JobContext) {
    const { numbers } = portsOf('live')
    if (!numbers) return
    const days = await writeMissingDays(database, actor, numbers, run.signal)
    if (days.length > 0) log.info({ days: days.length, to: days.at(-1) }, 'the numbers of the days were written')
  },
})
