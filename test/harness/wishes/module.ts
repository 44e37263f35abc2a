import { z } from 'zod'
import { defineModule, definePart, defineTables, made, moves } from '../../../src/modules/define-module.ts'
import { advanceClock, deleteWishes, sealedWishes, selectWishes } from './queries.ts'
import * as routes from './routes.ts'
import { toWish, Wish } from './schema.ts'

/** A module that the service does not have: what it takes to add one. */
export const wishes = defineModule({
  name: 'wishes',
  routes: [routes],
  tables: defineTables({
    wishes: {
      written: 'wishes are made by routes.ts',
      people: {
        in: 'person',
        what: 'what somebody wishes for',
        sealed: 'yes',
        clear: 'customer number, times',
        kept: 'no term',
        readBy: '`customers:read`',
        erasure: 'deleted',
      },
      sealed: [sealedWishes],
      times: { made_at: made, due_at: moves('it comes true by then') },
    },
  }),
  person: {
    exports: {
      wishes: definePart({
        shape: z.array(Wish).describe('What they wished for.'),
        of: async (tx, { id }) => (await selectWishes(tx, id)).map(toWish),
      }),
    },
    erase: async (tx, { id }) => ({ counts: { wishes: await deleteWishes(tx, id) } }),
  },
  sandbox: { reset: async (tx) => ({ wishes: await deleteWishes(tx, 'all') }), advanceClock },
})
