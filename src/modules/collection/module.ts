import { defineModule, definePart, defineTables, happened } from '../define-module.ts'
import { deleteCollections, sealedCollections, selectCollections } from './queries.ts'
import * as routes from './routes.ts'
import { KitCollection } from './schema.ts'
import { afterKitChanges, findOfCustomer } from './service.ts'

export const collection = defineModule({
  name: 'collection',
  routes: [routes],
  afterKitChanges,
  tables: defineTables({
    kit_collections: {
      written: 'what people say of their samples is kept by service.ts',
      people: {
        in: 'results',
        what: 'when a sample was taken, and what its person answered: fasting, cycle, pregnancy, medication, others',
        sealed: 'yes',
        clear: 'kit, times, who said it',
        kept: 'no term',
        readBy: '`kits:read`, answers with `reports:read` too; *op* `lab`; export',
        erasure: 'deleted',
      },
      sealed: [sealedCollections],
      times: { given_at: happened, changed_at: happened },
    },
  }),
  person: {
    exports: {
      collections: definePart({
        scope: 'reports:read',
        shape: KitCollection.array().describe('What they said of their samples.'),
        of: async (tx, { id }) => findOfCustomer(tx, id),
      }),
    },
    async erase(tx, { kitIds }) {
      const rows = await selectCollections(tx, kitIds)
      const underHold = rows.map((row) => ({ source: 'collection', recordedAt: row.givenAt, record: row }))
      return { counts: { collections: await deleteCollections(tx, kitIds) }, underHold }
    },
  },
})
