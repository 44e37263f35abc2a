import { defineModule, defineTables, happened, worker } from '../define-module.ts'
import { giveUpEmails, sendAccountEmail, sendEmails } from './jobs.ts'
import * as emailsOperator from './operator-routes.ts'
import { sealedEmailHeads, sealedEmailTexts } from './sealed-queries.ts'

export const emails = defineModule({
  name: 'emails',
  tags: {
    'Operator: mail': 'E-mails that were sent or kept.',
  },
  routes: [emailsOperator],
  jobs: [sendEmails, sendAccountEmail, giveUpEmails],
  tables: defineTables({
    emails: {
      written: 'e-mails are queued by service.ts',
      people: {
        in: 'passing',
        what: 'address, subject, text; its link until it is sent',
        sealed: "realm's or operator's; hash of the address; link: secrets' key",
        clear: 'kind, order, kit, state',
        kept: 'no term',
        readBy: '*op* `mail`',
        erasure: 'deleted',
      },
      sealed: [sealedEmailHeads, sealedEmailTexts],
      times: { claimed_at: worker, created_at: happened, sent_at: happened },
    },
  }),
})
