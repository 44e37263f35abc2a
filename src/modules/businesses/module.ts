import { defineModule, defineTables, made, worker } from '../define-module.ts'
import { foldTalliesRegularly } from './jobs.ts'
import * as routes from './routes.ts'

export const businesses = defineModule({
  name: 'businesses',
  tags: {
    Settings: 'What a business decides for one mode.',
  },
  routes: [routes],
  jobs: [foldTalliesRegularly],
  tables: defineTables({
    businesses: {
      written: 'businesses are made and renamed by service.ts',
      readByAll:
        'the realm is in every row and every transaction: anyone may join its mode and the name of its business',
      times: { created_at: made },
    },
    realms: {
      written: 'realms are made and configured by service.ts',
      readByAll:
        'the realm is in every row and every transaction: anyone may join its mode and the name of its business',
    },
    realm_counters: {
      written: 'numbers are drawn by counters.ts, those of customers by counters-queries.ts',
      staysInReset: 'numbers are set back to what is left',
      times: { ordered_at: worker },
    },
    tallies: {
      written: 'triggers write tallies, and tally-queries.ts folds them',
      staysInReset: 'triggers count what went, too',
    },
  }),
})
