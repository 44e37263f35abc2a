import { defineModule, defineTables, happened, operators } from '../define-module.ts'
import { afterComparison, afterKitChanges, afterLotBuilt, beforeResults } from './follow.ts'
import { workRecalls } from './jobs.ts'
import { countUntold } from './kit-queries.ts'
import * as routes from './routes.ts'
import { RecalledKit } from './schema.ts'

export const recalls = defineModule({
  name: 'recalls',
  tags: { 'Operator: recalls': 'Which kits hold a lot, and taking them back.' },
  routes: [routes],
  jobs: [workRecalls],
  afterKitChanges,
  beforeResults,
  afterComparison,
  afterLotBuilt,
  attention: { kind: 'recalledKits', count: countUntold },
  events: {
    'kit.recalled': {
      summary: 'A kit was recalled',
      description: 'Or more was done, or it was released. Without `told` in `done` its person is yours to tell.',
      data: RecalledKit,
    },
  },
  readsBelow: [
    {
      file: 'queries.ts',
      tables: ['warehouse_orders'],
      why: 'what left a warehouse is with its recipient, in the lots that the warehouse names, before it is recorded and though stock does not know them',
    },
  ],
  tables: defineTables({
    measured_lots: {
      written: 'what a sample was measured with is noted by follow.ts',
      people: {
        in: 'results',
        what: "the laboratory's runs and reagents by which a sample was measured",
        sealed: 'no',
        clear: 'kit, laboratory or reagent, number, names of results',
        kept: 'no term',
        readBy: '*op* `fulfilment`',
        erasure: 'stays, like the kit',
      },
      times: { reported_at: happened },
    },
    recalls: {
      written: 'recalls are begun and closed by service.ts',
      times: { created_at: operators, finished_at: operators, closed_at: operators },
    },
    recall_kits: {
      written: 'kits are found by service.ts and follow.ts, and worked on by work.ts',
      people: {
        in: 'person',
        what: 'that a kit, or what its sample was tested with, was recalled',
        sealed: 'no',
        clear: 'kit, order, where it was, what was done, times',
        kept: 'no term',
        readBy: '`kits:read`; *op* `fulfilment`',
        erasure: 'stays, like the kit',
      },
      times: { found_at: happened, told_at: happened, done_at: happened, released_at: happened },
    },
  }),
})
