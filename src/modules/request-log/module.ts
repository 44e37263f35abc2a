import { appended, defineModule, defineTables } from '../define-module.ts'
import { emptyOldRequests } from './jobs.ts'
import * as routes from './routes.ts'

export const requestLog = defineModule({
  name: 'request-log',
  routes: [routes],
  jobs: [emptyOldRequests],
  tables: defineTables({
    request_log: {
      written: 'requests are gathered and written by gather.ts',
      times: { first_at: appended, last_at: appended },
    },
  }),
})
