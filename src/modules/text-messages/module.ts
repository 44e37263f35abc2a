import { defineModule, definePart, defineTables, happened, stays } from '../define-module.ts'
import { twilioHooks } from './hooks.ts'
import { purgeTextCounts, sendTextMessage } from './jobs.ts'
import { deleteStopsOfRealm, sealedTextConsents } from './queries.ts'
import * as routes from './routes.ts'
import { TextConsent } from './schema.ts'
import { eraseTextConsent, maybeFindTextConsent } from './service.ts'

export const textMessages = defineModule({
  name: 'text-messages',
  routes: [routes],
  jobs: [sendTextMessage, purgeTextCounts],
  hooks: (database) => twilioHooks(database, database.context.settings.twilio?.authToken),
  tables: defineTables({
    text_counts: {
      written: 'text messages of a day are counted by service.ts',
      people: {
        in: 'person',
        what: 'how many text messages, and of them confirmations and answers, a number or a customer got',
        sealed: 'keyed hashes',
        clear: 'count, time',
        kept: '1 day',
        readBy: 'nobody',
        erasure: 'stays for that day',
      },
      times: { since: stays('a limit against floods of text messages') },
    },
    text_stops: {
      written: 'numbers that stopped text messages are kept by service.ts',
      people: {
        in: 'person',
        what: 'that STOP came from a number, or that its person ended text messages on a page of one business',
        sealed: 'keyed hash of the number',
        clear: 'time, the realm of that page',
        kept: 'until START, or until they agree again on a page',
        readBy: 'nobody',
        erasure: 'stays: a number that said STOP gets nothing from a new record either',
      },
      times: { at: happened },
    },
    text_consents: {
      written: 'consents to text messages are kept by service.ts',
      people: {
        in: 'person',
        what: 'mobile number, the words that were agreed to, network address',
        sealed: 'yes; number hash',
        clear: 'customer number, source, times',
        kept: 'no term',
        readBy: '`customers:read`',
        erasure: 'deleted',
      },
      sealed: [sealedTextConsents],
      times: { given_at: happened, ended_at: happened },
    },
  }),
  person: {
    exports: {
      textConsent: definePart({
        shape: TextConsent.optional().describe('What they agreed to about text messages.'),
        of: (tx, { id }) => maybeFindTextConsent(tx, id),
      }),
    },
    async addresses(tx, { id }) {
      const consent = await maybeFindTextConsent(tx, id)
      return consent ? [consent.phone] : []
    },
    erase: async (tx, { id }) => ({ addresses: await eraseTextConsent(tx, id) }),
  },
  sandbox: { reset: deleteStopsOfRealm },
})
