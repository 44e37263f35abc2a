import { defineModule } from '../define-module.ts'
import { writeNumbersNightly } from './nightly/jobs.ts'
import * as numbers from './numbers/routes.ts'
import * as overview from './overview/routes.ts'
import * as searchOperator from './search/operator-routes.ts'
import * as search from './search/routes.ts'
import { purgeIdempotencyKeys } from './system/jobs.ts'
import * as systemOperator from './system/operator-routes.ts'

export const insights = defineModule({
  name: 'insights',
  routes: [overview, numbers, search, systemOperator, searchOperator],
  jobs: [purgeIdempotencyKeys, writeNumbersNightly],
  readsBelow: [
    {
      file: 'overview/queries.ts',
      tables: ['data_requests'],
      why: 'the overview counts those that wait for an answer',
    },
  ],
})
