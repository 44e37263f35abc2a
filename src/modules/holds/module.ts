import { defineModule, defineTables, happened, moves } from '../define-module.ts'
import { endErased } from './discard.ts'
import { endHolds, HOLDS_JOB } from './jobs.ts'
import { afterKitChanges, afterKitFacts, afterSpecimen } from './kit-changes.ts'
import { holdPages, waitingOf } from './pages.ts'
import { advanceClock, countOpen, sealedNames } from './queries.ts'
import * as routes from './routes.ts'
import { HoldNews } from './schema.ts'

export const holds = defineModule({
  name: 'holds',
  routes: [routes],
  jobs: [endHolds],
  pages: holdPages,
  afterKitChanges,
  afterKitFacts,
  afterSpecimen,
  waitingOf,
  attention: { kind: 'heldSamples', count: countOpen },
  events: {
    'kit.held': {
      summary: 'A sample is on hold',
      description: 'Or what it waits for changed, or it was released or discarded.',
      data: HoldNews,
    },
  },
  tables: defineTables({
    held_samples: {
      written: 'holds are written by record.ts',
      people: {
        in: 'person',
        what: 'what a sample waits for; the name that the person gave, until the business has decided',
        sealed: 'the name',
        clear: 'kit, order, causes, state, times, day of collection',
        kept: 'no term',
        readBy: '`kits:read`; *op* `lab`',
        erasure: 'the name goes and the hold ends; the rest stays, like the kit',
      },
      sealed: [sealedNames],
      times: {
        since: moves('how long a sample waits'),
        discard_at: moves('a sample is discarded then'),
        changed_at: happened,
        acknowledged_at: happened,
      },
    },
  }),
  person: { erase: (tx, { kitIds }) => endErased(tx, kitIds) },
  sandbox: {
    async advanceClock(tx, ms) {
      const due = await advanceClock(tx, ms)
      await tx.enqueue(HOLDS_JOB, {})
      return due
    },
  },
})
