import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { defineModule, defineTables, happened, moves, operators, purged } from '../define-module.ts'
import * as accessesOperator from './accesses/operator-routes.ts'
import * as accesses from './accesses/routes.ts'
import * as corrections from './correction-routes.ts'
import { purgeRecords } from './jobs.ts'
import * as personOperator from './person-operator-routes.ts'
import { dataPages } from './requests/pages.ts'
import { advanceClock, deleteRequestsOf, sealedDataRequests } from './requests/queries.ts'
import * as dataRequests from './requests/routes.ts'
import { DataRequest } from './requests/schema.ts'
import * as retentionOperator from './retention/operator-routes.ts'
import { sealedRetained } from './retention/queries.ts'
import * as retention from './retention/routes.ts'
import { eraseCustomer, exportCustomer } from './routes.ts'
import { customerExport } from './schema.ts'

export const privacy = defineModule({
  name: 'privacy',
  tags: {
    'Operator: retention': 'How long records are kept, and legal holds.',
  },
  routes: [
    corrections,
    (all) => ({ eraseCustomer, exportCustomer: { ...exportCustomer, answers: { 200: customerExport(all) } } }),
    dataRequests,
    retention,
    accesses,
    accessesOperator,
    personOperator,
    retentionOperator,
  ],
  jobs: [purgeRecords],
  pages: dataPages,
  events: {
    'data_request.created': {
      summary: 'A person asked for their data',
      description: 'For a copy of it, or for its erasure. It waits for your answer.',
      data: z.object({
        dataRequestID: DataRequest.shape.dataRequestID,
        customerID: z.int(),
        kind: DataRequest.shape.kind,
        requestedDate: timestamp,
        answerByDate: timestamp,
      }),
    },
  },
  tables: defineTables({
    data_requests: {
      written: 'requests of people are made and closed by requests/service.ts',
      people: {
        in: 'person',
        what: 'that somebody asked for a copy of their data or its erasure, and why it was refused',
        sealed: 'the reason',
        clear: 'customer number, kind, state, times, who answered',
        kept: 'no term',
        readBy: '`customers:read`, the person',
        erasure: 'deleted',
      },
      sealed: [sealedDataRequests],
      times: {
        closed_at: moves('a copy that was granted ends 30 days later'),
        requested_at: moves('it is answered within 30 days'),
      },
    },
    kept_records: {
      written: 'records of erased people are kept by retention/terms.ts',
      staysInReset: 'only records of live are kept',
      people: {
        in: 'retention',
        what: 'laboratory records and requisitions of erased people; under a hold everything',
        sealed: 'yes',
        clear: 'customer number, kind, source, dates',
        kept: 'until the term ends',
        readBy: 'nobody but the command line: `kitlane erased show`, with a reason, audited',
      },
      sealed: [sealedRetained],
      times: { kept_at: purged, recorded_at: purged },
    },
    legal_holds: {
      written: 'legal holds are set and lifted by retention/keep-records.ts',
      staysInReset: 'only records of live are held',
      people: {
        in: 'retention',
        what: 'who set and lifted a hold, and why',
        sealed: 'no',
        clear: 'customer number, reason',
        kept: 'no term',
        readBy: '*op* `businesses`',
      },
      times: { lifted_at: happened, set_at: happened },
    },
    retention_runs: {
      written: 'runs of the purge are noted by retention/run.ts',
      people: {
        in: 'retention',
        what: 'what each run found',
        sealed: 'no names, numbers only',
        clear: 'all',
        kept: 'no term',
        readBy: '*op* `businesses`',
      },
      times: { finished_at: operators, started_at: operators },
    },
    retention_terms: {
      written: 'terms are changed by retention/terms.ts',
    },
  }),
  person: {
    async erase(tx, { id }) {
      const requests = await deleteRequestsOf(tx, id)
      return {
        underHold: requests.map(({ requestedAt, ...request }) => ({
          source: 'dataRequest',
          recordedAt: requestedAt,
          record: { dataRequest: request },
        })),
      }
    },
  },
  sandbox: { advanceClock },
})
