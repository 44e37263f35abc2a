import { defineModule, defineTables, happened, stays } from '../define-module.ts'
import { purgeTextCounts, sendTextMessage } from './jobs.ts'
import { deleteStopsOfRealm, sealedTextConsents } from './queries.ts'
import * as routes from './routes.ts'

export const textMessages = defineModule({
  name: 'text-messages',
  routes: [routes],
  jobs: [sendTextMessage, purgeTextCounts],
  tables: defineTables({
    text_counts: {
      written: 'text messages that nobody scheduled are counted by service.ts',
      times: { since: stays('a limit against floods of text messages') },
    },
    text_stops: {
      written: 'numbers that stopped text messages are kept by service.ts',
      times: { at: happened },
    },
    text_consents: {
      written: 'consents to text messages are kept by service.ts',
      sealed: [sealedTextConsents],
      times: { given_at: happened, ended_at: happened },
    },
  }),
  sandbox: { reset: deleteStopsOfRealm },
})
