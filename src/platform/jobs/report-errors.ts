import type { PgBoss } from 'pg-boss'
import type { Logger } from '../log.ts'

/** Without a listener for `error`, pg-boss ends the process when the database goes away; with one it keeps trying. */
export function reportTrouble(boss: PgBoss, log: Logger): void {
  boss.on('error', (err: Error & { queue?: string }) => log.warn({ err, queue: err.queue }, 'job queue error'))
  // The warning's text may quote a job or a statement, so only its type is logged.
  boss.on('warning', ({ data }) => {
    const code = 'type' in data ? data.type : undefined
    log.warn({ code }, 'job queue warning')
  })
}
