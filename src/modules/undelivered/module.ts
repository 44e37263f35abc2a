import { defineModule, defineTables, happened, moves } from '../define-module.ts'
import { afterKitChanges } from './kit-changes.ts'
import { addressPages } from './pages.ts'
import { advanceClock, endLinks } from './queries.ts'
import * as routes from './routes.ts'
import { UndeliveredNews } from './schema.ts'

export const undelivered = defineModule({
  name: 'undelivered',
  routes: [routes],
  pages: addressPages,
  afterKitChanges,
  events: {
    'kit.undelivered': {
      summary: 'A box did not reach its recipient',
      description:
        'Or what is done about it changed: somebody chose, the box is back, was sent again, replaced, or arrived after all.',
      data: UndeliveredNews,
    },
  },
  tables: defineTables({
    undelivered_kits: {
      written: 'what becomes of boxes is recorded by record.ts',
      people: {
        in: 'person',
        what: 'that a box did not reach its recipient, and the link by which they say where it goes',
        sealed: 'no; the secret of the link as SHA-256',
        clear: 'kit, order, outcome, state, times, postage',
        kept: 'no term',
        readBy: '`kits:read`; *op* `fulfilment`',
        erasure: 'the link ends; the rest stays, like the kit',
      },
      times: {
        since: moves('how long a box waits'),
        changed_at: happened,
        link_expires_at: moves('a link ends then'),
      },
    },
  }),
  readsBelow: [
    {
      file: 'queries.ts',
      tables: ['pack_claims'],
      why: 'an address stays while a packer has a kit of the order in hand',
    },
  ],
  person: { erase: (tx, { kitOrderIds }) => endLinks(tx, kitOrderIds) },
  sandbox: { advanceClock },
})
