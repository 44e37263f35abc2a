import { appended, defineModule, defineTables } from '../../modules/define-module.ts'
import { emptyOldRequests } from './jobs.ts'
import * as routes from './routes.ts'
import { requestLog as gather } from './service.ts'

export const requestLog = defineModule({
  name: 'request-log',
  tags: {
    Requests: 'What your tokens asked for, and what they were answered.',
  },
  routes: [routes],
  jobs: [emptyOldRequests],
  requests: ({ database, settings, log }) => (settings.requestLogDays === 0 ? undefined : gather(database, log)),
  tables: defineTables({
    request_log: {
      written: 'requests are gathered and written by service.ts',
      staysInReset: 'it says what was asked, also the reset, until its days are over',
      people: {
        in: 'passing',
        what: "requests with a token: time, route, status, error code, token, the caller's ID of the request",
        sealed: 'no; of people nothing, but the IDs of their kits, orders and reports',
        clear: 'all',
        kept: '`REQUEST_LOG_DAYS`, 7, and a day',
        readBy: '`requests:read`',
        erasure: 'stays',
      },
      times: { first_at: appended, last_at: appended },
    },
  }),
})
