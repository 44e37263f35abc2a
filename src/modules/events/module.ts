import { appended, defineModule, defineTables } from '../define-module.ts'
import * as routes from './routes.ts'
import { sealedEvents } from './sealed-queries.ts'

export const events = defineModule({
  name: 'events',
  routes: [routes],
  tables: defineTables({
    events: {
      written: 'events are recorded by service.ts, and scrubbed by erasure-queries.ts',
      sealed: [sealedEvents],
      times: { occurred_at: appended },
    },
  }),
})
