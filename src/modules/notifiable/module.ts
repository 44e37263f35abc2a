import { defineModule, definePart, defineTables, happened, operators, stays } from '../define-module.ts'
import { afterStatement } from './decide.ts'
import { sendNotices } from './jobs.ts'
import { afterReport, evaluateAgain, isToBeTold } from './notices.ts'
import { sealedNotices, selectNoticesOf } from './queries.ts'
import { disclosuresOf, duesOfMessages } from './read.ts'
import * as routes from './routes.ts'
import { Disclosure } from './schema.ts'
import { afterKitChanges, afterKitFacts, afterSpecimen, eraseOf } from './service.ts'

const ofLive = stays('only results of live are told')

export const notifiable = defineModule({
  name: 'notifiable',
  tags: { 'Operator: notifiable results': 'Which results are told to health authorities, and those that are.' },
  routes: [routes],
  jobs: [sendNotices],
  afterReport,
  afterUnassessed: evaluateAgain,
  afterKitChanges,
  afterKitFacts,
  afterSpecimen,
  duesOfMessages,
  isToBeTold,
  afterStatement,
  tables: defineTables({
    notifiable_settings: {
      written: 'rules, authorities and the sender are saved by service.ts',
      times: { changed_at: operators },
    },
    notices: {
      written: 'what authorities want told is kept by notices.ts and service.ts',
      staysInReset: 'only results of live are told',
      people: {
        in: 'results',
        what: 'results that health authorities want told; the message with name, birth, address, until it is answered; what was told',
        sealed: 'yes',
        clear: 'report, kit, customer number, authority, state, reason, times',
        kept: 'no term',
        readBy: '*op* `review`',
        erasure: 'what is told keeps condition, authority and times; the rest stays until it is told',
      },
      sealed: [sealedNotices],
      times: { deadline_at: ofLive, due_at: ofLive, changed_at: happened },
    },
  }),
  person: {
    exports: {
      toldAuthorities: definePart({
        scope: 'reports:review',
        shape: Disclosure.array().describe('What health authorities were told of them.'),
        of: async (tx, { id }) => disclosuresOf(tx, id),
      }),
    },
    audited: async (tx, { id }) => ({ notice: await selectNoticesOf(tx, id) }),
    erase: async (tx, { id }) => eraseOf(tx, id),
  },
})
