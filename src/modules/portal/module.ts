import { defineModule, defineTables, moves, stays } from '../define-module.ts'
import { purgeLinks, sendNewLinks } from './jobs.ts'
import * as portalOperator from './operator-routes.ts'
import { advanceClock, deleteDraftsOfKits, deleteRetests } from './queries.ts'

export const portal = defineModule({
  name: 'portal',
  routes: [portalOperator],
  jobs: [sendNewLinks, purgeLinks],
  tables: defineTables({
    registration_drafts: {
      written: 'drafts of a registration are kept by registration/register.ts',
      people: {
        in: 'person',
        what: 'what was typed and not sent',
        sealed: "secrets' key",
        clear: 'kit',
        kept: '2 hours',
        readBy: 'that browser',
        erasure: 'deleted',
      },
      times: { expires_at: moves('a half-filled registration ends then') },
    },
    retests: {
      written: 'people order a panel again by retest/find.ts',
      people: {
        in: 'passing',
        what: 'which panel a person ordered again from a report',
        sealed: 'nothing of people',
        clear: 'customer number, kit type, order, when credits did not cover it',
        kept: 'as the customer',
        readBy: 'nobody',
        erasure: 'deleted',
      },
      times: { refused_at: stays('the business is notified once a day, by the real time') },
    },
  }),
  person: {
    async erase(tx, { id, kitIds }) {
      await deleteDraftsOfKits(tx, kitIds)
      await deleteRetests(tx, id)
    },
  },
  sandbox: { advanceClock },
})
