import { appended, defineModule, defineTables } from '../define-module.ts'
import * as routes from './routes.ts'
import { sealedEvents } from './sealed-queries.ts'

export const events = defineModule({
  name: 'events',
  tags: {
    Events: 'What happened, in order: the feed behind the webhooks.',
  },
  routes: [routes],
  tables: defineTables({
    events: {
      written: 'events are recorded by service.ts, and scrubbed by queries.ts',
      people: {
        in: 'passing',
        what: 'events with data of a person',
        sealed: 'yes',
        clear: 'type, IDs, states',
        kept: 'no term',
        readBy: '`webhooks:read`, each event by the scope of its data',
        erasure: 'what names the person is taken out',
      },
      sealed: [sealedEvents],
      times: { occurred_at: appended },
    },
  }),
})
