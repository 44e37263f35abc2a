import { defineModule, defineTables, happened, made, moves } from '../define-module.ts'
import { placePlans } from './jobs.ts'
import { passTime } from './pass-time-queries.ts'
import { PLACE_PLANS_JOB } from './place.ts'
import { deletePlans, sealedPlans } from './queries.ts'
import * as routes from './routes.ts'

export const plans = defineModule({
  name: 'plans',
  routes: [routes],
  jobs: [placePlans],
  tables: defineTables({
    plans: {
      written: 'plans are made and ended by service.ts, changed by change.ts',
      sealed: [sealedPlans],
      times: { created_at: made, due_at: moves('the next order is placed then') },
    },
    plan_occurrences: {
      written: 'the dates of plans are placed by place.ts',
      times: { at: happened },
    },
  }),
  sandbox: {
    reset: deletePlans,
    async passTime(tx, ms) {
      const due = await passTime(tx, ms)
      await tx.enqueue(PLACE_PLANS_JOB, {})
      return due
    },
  },
})
