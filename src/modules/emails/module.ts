import { defineModule, defineTables, happened, worker } from '../define-module.ts'
import { giveUpEmails, sendAccountEmail, sendEmails } from './jobs.ts'
import * as emailsOperator from './operator-routes.ts'
import { sealedEmailHeads, sealedEmailTexts } from './sealed-queries.ts'

export const emails = defineModule({
  name: 'emails',
  routes: [emailsOperator],
  jobs: [sendEmails, sendAccountEmail, giveUpEmails],
  tables: defineTables({
    emails: {
      written: 'e-mails are queued by service.ts',
      sealed: [sealedEmailHeads, sealedEmailTexts],
      times: { claimed_at: worker, created_at: happened, sent_at: happened },
    },
  }),
})
