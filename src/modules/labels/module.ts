import { defineModule, defineTables, happened, made, operators, stays } from '../define-module.ts'
import { afterKitChanges, afterKitFacts, eraseLabels } from './follow.ts'
import { buyDueLabels, buyLabels, purgeLabels, testLabelAccounts } from './jobs.ts'
import { sealedLabels } from './queries.ts'
import * as routes from './routes.ts'

export const labels = defineModule({
  name: 'labels',
  routes: [routes],
  jobs: [buyLabels, buyDueLabels, purgeLabels, testLabelAccounts],
  afterKitChanges,
  afterKitFacts,
  tables: defineTables({
    label_accounts: {
      written: 'accounts for shipping labels are saved by account.ts',
      times: { created_at: operators, changed_at: operators },
    },
    shipping_labels: {
      written: 'shipping labels are asked for by service.ts, bought and voided by work.ts',
      people: {
        in: 'passing',
        what: 'shipping labels as they were printed, with name, address and, where a carrier wants it, phone number',
        sealed: 'the bytes are in the file store, sealed; a keyed hash of the address',
        clear: 'carrier, tracking number, price, state, references of the label service, times',
        kept: 'what was printed 60 days, the rest no term',
        readBy: '*op* `fulfilment`',
        erasure: 'what was printed goes, a label that was not used is voided; the rest stays, like the kit',
      },
      sealed: [sealedLabels],
      files: sealedLabels,
      times: {
        asked_at: happened,
        bought_at: happened,
        changed_at: happened,
        created_at: made,
        due_at: stays('only labels of live kits are bought'),
      },
    },
  }),
  person: { erase: eraseLabels },
})
