import { defineModule, defineTables, worker } from '../define-module.ts'
import * as numbers from './numbers/routes.ts'
import * as overview from './overview/routes.ts'
import * as searchOperator from './search/operator-routes.ts'
import * as search from './search/routes.ts'
import { countNumbersRegularly, purgeIdempotencyKeys } from './system/jobs.ts'
import * as systemOperator from './system/operator-routes.ts'

export const insights = defineModule({
  name: 'insights',
  tags: {
    Numbers: 'How far kits came, how long it took, rejections and credits, by when they were ordered.',
    Overview: 'Counts for a first page, and search.',
    'Operator: numbers': 'The same numbers over the live kits of all businesses.',
    'Operator: system': 'How the service is doing: jobs, backups, search.',
  },
  routes: [overview, numbers, search, systemOperator, searchOperator],
  jobs: [purgeIdempotencyKeys, countNumbersRegularly],
  tables: defineTables({
    counted_at: { written: 'numbers are counted by numbers/service.ts', times: { at: worker } },
    counted_credits: {
      written: 'numbers are counted by numbers/service.ts',
      staysInReset: 'only live realms are counted',
    },
    counted_kits: {
      written: 'numbers are counted by numbers/service.ts',
      staysInReset: 'only live realms are counted',
    },
    counted_upto: {
      written: 'numbers are counted by numbers/service.ts',
      staysInReset: 'only live realms are counted',
    },
  }),
  readsBelow: [
    {
      file: 'overview/queries.ts',
      tables: ['data_requests'],
      why: 'the overview counts those that wait for an answer',
    },
  ],
})
