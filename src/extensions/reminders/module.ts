import { defineModule, defineTables, moves, stays } from '../../modules/define-module.ts'
import { sendReminders } from './jobs.ts'
import { advanceClock, deleteStops } from './queries.ts'
import * as routes from './routes.ts'
import { REMIND_JOB } from './send.ts'
import { stopPages } from './stop-pages.ts'

export const reminders = defineModule({
  name: 'reminders',
  tags: {
    Reminders: 'E-mails to people who have not done the next step, by rules.',
  },
  routes: [routes],
  jobs: [sendReminders],
  pages: stopPages,
  tables: defineTables({
    reminder_rules: {
      written: 'rules are replaced by service.ts',
      staysInReset: 'a setting',
      times: { since: moves('what was due before is not made up for') },
    },
    reminders: {
      written: 'what is sent is written by send.ts',
      people: {
        in: 'person',
        what: 'which reminders were sent about a kit',
        sealed: 'no; the secret of the link that stops them as SHA-256',
        clear: 'kit, stage, number, time, whether to the person tested',
        kept: 'no term',
        readBy: '`kits:read`',
        erasure: 'stays, like the kit',
      },
      times: { sent_at: moves('the log of a kit shows it beside the steps of the kit') },
    },
    reminder_stops: {
      written: 'reminders are stopped by stop-pages.ts',
      people: {
        in: 'person',
        what: 'what somebody does not want to be reminded of',
        sealed: 'no',
        clear: 'kit, customer number, time',
        kept: 'no term',
        readBy: 'nobody',
        erasure: 'deleted',
      },
      times: { stopped_at: stays('nothing reads it') },
    },
  }),
  person: { erase: (tx, { id, kitIds }) => deleteStops(tx, id, kitIds) },
  sandbox: {
    async advanceClock(tx, ms) {
      await advanceClock(tx, ms)
      await tx.enqueue(REMIND_JOB, {})
    },
  },
})
