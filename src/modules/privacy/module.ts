import { defineModule, defineTables, happened, moves, operators, purged } from '../define-module.ts'
import * as accessesOperator from './accesses/operator-routes.ts'
import * as accesses from './accesses/routes.ts'
import * as corrections from './correction-routes.ts'
import { purgeRecords } from './jobs.ts'
import * as personOperator from './person-operator-routes.ts'
import { passTime } from './requests/pass-time-queries.ts'
import { sealedDataRequests } from './requests/queries.ts'
import * as dataRequests from './requests/routes.ts'
import { sealedKept } from './retention/kept-queries.ts'
import * as retentionOperator from './retention/operator-routes.ts'
import * as retention from './retention/routes.ts'
import * as routes from './routes.ts'

export const privacy = defineModule({
  name: 'privacy',
  routes: [corrections, routes, dataRequests, retention, accesses, accessesOperator, personOperator, retentionOperator],
  jobs: [purgeRecords],
  tables: defineTables({
    data_requests: {
      written: 'requests of people are made and closed by requests/service.ts',
      sealed: [sealedDataRequests],
      times: {
        closed_at: moves('a copy that was granted ends 30 days later'),
        requested_at: moves('it is answered within 30 days'),
      },
    },
    kept_records: {
      written: 'records of erased people are kept by retention/keeper.ts',
      sealed: [sealedKept],
      times: { kept_at: purged, recorded_at: purged },
    },
    legal_holds: {
      written: 'legal holds are set and lifted by retention/holds.ts',
      times: { lifted_at: happened, set_at: happened },
    },
    retention_runs: {
      written: 'runs of the purge are noted by retention/run.ts',
      times: { finished_at: operators, started_at: operators },
    },
    retention_terms: {
      written: 'terms are changed by retention/terms.ts',
    },
  }),
  sandbox: { passTime },
})
