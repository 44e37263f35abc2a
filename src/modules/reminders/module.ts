import { defineModule, defineTables, moves, stays } from '../define-module.ts'
import { sendReminders } from './jobs.ts'
import { passTime } from './pass-time-queries.ts'
import * as routes from './routes.ts'
import { REMIND_JOB } from './send.ts'

export const reminders = defineModule({
  name: 'reminders',
  routes: [routes],
  jobs: [sendReminders],
  tables: defineTables({
    reminder_rules: {
      written: 'rules are replaced by service.ts',
      times: { since: moves('what was due before is not made up for') },
    },
    reminders: {
      written: 'what is sent is written by send.ts',
      times: { sent_at: moves('the log of a kit shows it beside the steps of the kit') },
    },
    reminder_stops: {
      written: 'reminders are stopped by stop.ts',
      times: { stopped_at: stays('nothing reads it') },
    },
  }),
  sandbox: {
    async passTime(tx, ms) {
      await passTime(tx, ms)
      await tx.enqueue(REMIND_JOB, {})
    },
  },
})
