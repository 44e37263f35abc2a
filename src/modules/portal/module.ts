import { defineModule, defineTables, moves, stays } from '../define-module.ts'
import { purgeLinks, sendNewLinks } from './jobs.ts'
import * as portalOperator from './operator-routes.ts'
import { passTime } from './pass-time-queries.ts'

export const portal = defineModule({
  name: 'portal',
  routes: [portalOperator],
  jobs: [sendNewLinks, purgeLinks],
  tables: defineTables({
    registration_drafts: {
      written: 'drafts of a registration are kept by registration/drafts.ts',
      times: { expires_at: moves('a half-filled registration ends then') },
    },
    retests: {
      written: 'people order a panel again by retest/order.ts',
      times: { refused_at: stays('the business is told once a day, by the real time') },
    },
  }),
  sandbox: { passTime },
})
