import { z } from 'zod'
import { appended, defineModule, defineTables, made, moves, type PeopleData, stays, worker } from '../define-module.ts'
import { purgeDeliveries } from './jobs.ts'
import { advanceClock, notifyDeliveries, sealedAttempts } from './queries.ts'
import * as routes from './routes.ts'

const aboutWebhookDeliveries: PeopleData = {
  in: 'passing',
  what: 'what the receiver answered',
  sealed: 'yes',
  clear: 'status, duration',
  kept: '30 days after the end',
  readBy: '`webhooks:read`',
  erasure: 'emptied where it is about the person',
}

export const webhooks = defineModule({
  name: 'webhooks',
  tags: {
    Webhooks: 'Where events are sent, what became of each, and the events themselves.',
  },
  routes: [routes],
  jobs: [purgeDeliveries],
  events: {
    'webhook.test': {
      summary: 'A test',
      description: 'Sent to one endpoint, with `POST /webhooks/{endpointID}/test`.',
      data: z.object({ endpointID: z.string(), message: z.string() }),
    },
  },
  tables: defineTables({
    webhook_endpoints: {
      written: 'endpoints are made and changed by service.ts',
      staysInReset: 'a setting',
      times: {
        created_at: made,
        failing_since: moves('an endpoint that fails for days is disabled'),
        old_secret_until: moves('the secret before a rotation ends then'),
        paced_until: stays('the rate limit of a receiver that really is there'),
      },
    },
    webhook_deliveries: {
      written: 'a trigger on events adds deliveries, and delivery/sender.ts sends them',
      people: aboutWebhookDeliveries,
      times: {
        created_at: made,
        due_at: moves('it is tried again then'),
        finished_at: stays('the log of deliveries is purged by the real time'),
        leased_until: worker,
      },
    },
    deliveries_tallied: {
      written: 'its migration wrote since when there are tallies of deliveries',
      times: { since: worker },
    },
    webhook_attempts: {
      written: 'attempts are recorded by delivery/outcome.ts',
      people: aboutWebhookDeliveries,
      sealed: [sealedAttempts],
      times: { at: appended },
    },
  }),
  readsBelow: [{ file: 'queries.ts', tables: ['tallies'], why: 'the log of deliveries says how many there are' }],
  sandbox: {
    async advanceClock(tx, ms) {
      const due = await advanceClock(tx, ms)
      await notifyDeliveries(tx)
      return due
    },
  },
})
